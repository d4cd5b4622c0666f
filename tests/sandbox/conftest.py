"""What the tests of the sandbox share: a sandbox that is open, and a way to be somebody who is not root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from goldproof.sandbox import Limits, open_sandbox, this_interpreter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.sandbox import Sandbox

BWRAP = shutil.which("bwrap")
SOURCE = Path(__file__).resolve().parents[2] / "src"
UID = 64_999


class AsUser(Protocol):
    """Runs a Python program as an ordinary user and returns its stdout."""

    def __call__(self, program: str, *, seconds: float = 60.0) -> str: ...


@pytest.fixture(scope="session")
def as_user() -> AsUser:
    """An ordinary user: this one, or one that root becomes where the folders of the interpreter are open to them."""
    if os.geteuid() == 0 and (BWRAP is None or shutil.which("setpriv") is None):
        pytest.skip("bubblewrap or setpriv is missing: make system-deps")

    def run(program: str, *, seconds: float = 60.0) -> str:
        with tempfile.TemporaryDirectory() as home:
            Path(home).chmod(0o777)
            environment = {"PATH": os.environ["PATH"], "HOME": home, "PYTHONPATH": str(SOURCE), "TMPDIR": home}
            done = subprocess.run(
                [*_prefix(), sys.executable, "-"],
                input=program,
                env=environment,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run


def _prefix() -> list[str]:
    if os.geteuid() != 0:
        return []
    command = [str(BWRAP), "--dev-bind", "/", "/"]
    for folder in _closed_folders():
        inner = Path(sys.base_prefix).relative_to(folder).parts[0]
        opened = str(folder / inner)
        command += ["--perms", "0755", "--tmpfs", str(folder), "--ro-bind", opened, opened]
    who = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
    return [*command, "--", *who]


def _closed_folders() -> list[Path]:
    """The outermost folder above the interpreter that others may not pass."""
    above = reversed(Path(sys.base_prefix).parents)
    return [folder for folder in above if not folder.stat().st_mode & 0o001][:1]


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    """A sandbox at the best level, without probes."""
    with open_sandbox(this_interpreter(), workers=1, limits=Limits(seconds=20.0), probe=False) as opened:
        yield opened
