"""A program that attacks a sandbox with a group of the suite and prints what became of each attack, one a line.

It is run as whoever is to be the caller, so it takes its arguments as words: `attack_groups(level, *groups)`.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
import venv
from pathlib import Path

from goldproof.sandbox import Interpreter, Limits, Sandbox, open_sandbox
from goldproof.sandbox.attacks import BEYOND, GROUPS, Outcome, laid, launch
from goldproof.sandbox.attacks.victim import VICTIM, VICTIM_SOURCE

LEFT_ALONE = 65534  # nobody, where the user of the scripts cannot be asked for


def attack_groups(level: str, *groups: str) -> None:
    """Attack, and print."""
    os.environ["GOLDPROOF_CALLER"] = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="goldproof-victim-") as folder:
        Path(folder).chmod(0o755)
        interpreter = _with_victim(Path(folder))
        limits = Limits(seconds=8)
        with open_sandbox(interpreter, level=level, workers=1, limits=limits, probe=False) as sandbox:  # type: ignore[arg-type]
            user = _user_of(sandbox)
            for attack in [attack for group in groups for attack in (GROUPS | {"beyond": BEYOND})[group]]:
                with laid(user=user) as bait:
                    _print(launch(attack, sandbox, bait=bait), sandbox)


def _with_victim(folder: Path) -> Interpreter:
    """An environment with the library that is to be attacked."""
    venv.create(folder / "env", symlinks=True)
    packages = next((folder / "env" / "lib").glob("python*/site-packages"))
    (packages / f"{VICTIM}.py").write_text(VICTIM_SOURCE, encoding="utf-8")
    readable = (folder / "env", Path(sys.base_prefix))
    return Interpreter(python=folder / "env" / "bin" / "python", readable=readable, packages=(VICTIM,))


def _user_of(sandbox: Sandbox) -> int | None:
    """Who scripts run as: a canary of the same user is not held by permissions."""
    if os.geteuid() != 0:
        return None
    said = sandbox.run("import os\nprint(os.getuid())").stdout.strip()
    return int(said) if said.isdigit() else LEFT_ALONE


def _print(outcome: Outcome, sandbox: Sandbox) -> None:
    after = sandbox.run("from goldproof_proof import observe\nobserve('after', int, 3)")
    facts = {
        "name": outcome.attack.name,
        "succeeded": outcome.succeeded,
        "tried": outcome.tried,
        "ended": outcome.run.ended,
        "why": outcome.why,
        "reason": outcome.run.why_not,
        "stdout": outcome.run.stdout[-1500:],
        "stderr": outcome.run.stderr[-500:],
        "usable": after.counts,
        "level": outcome.run.level,
    }
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
