"""Running a proof script in a process of its own, without a sandbox, as the zygote's child would."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import goldproof.sandbox.inside.proof as observer

PROOF = Path(observer.__file__).parent
_START = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
from goldproof_inside.proof import encoding, integrity, runner
asked = json.load(sys.stdin)
sys.path.extend(asked["path"])
for name in asked["packages"]:
    importlib.import_module(name)
snapshot = integrity.take_snapshot(tuple(asked["packages"]))
message = runner.run_script(asked["script"], name="proof.py", snapshot=snapshot)
sys.__stdout__.write("\\nMESSAGE " + encoding.encode(message))
"""


@dataclass(frozen=True, slots=True)
class Proven:
    """What the runner said, and what was printed outside of observations."""

    message: dict[str, Any]
    printed: str

    @property
    def observations(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.message["observations"]
        return found

    @property
    def last(self) -> dict[str, Any]:
        return self.observations[-1]


def prove(script: str, *, packages: tuple[str, ...] = (), python: str = sys.executable) -> Proven:
    """Run a script whose library is `packages`. `goldproof_proof` offers what the sandbox would offer."""
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder, "goldproof_inside")
        inside.mkdir()
        (inside / "__init__.py").touch()
        (inside / "proof").symlink_to(PROOF)
        asked = json.dumps({"script": script, "packages": packages, "path": []})
        done = subprocess.run(
            [python, "-B", "-c", _START, folder],
            input=asked, capture_output=True, text=True, timeout=60, check=False, cwd=folder,
        )  # fmt: skip
    assert "MESSAGE " in done.stdout, done.stderr
    printed, _, message = done.stdout.rpartition("\nMESSAGE ")
    return Proven(json.loads(message), printed)
