"""Install wheels and their dependencies into an environment; a failure is explained in one sentence.

Wheels only: building a source release would run its code, outside of every sandbox.
"""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING

from goldproof.corpus.libraries.environments import python_in
from goldproof.corpus.packages.releases import normal_name, same_version
from goldproof.corpus.pip import is_unreachable, known_versions, last_error, run_pip, some_versions
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_NO_MATCH = re.compile(r"No matching distribution found for ([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(\S*)", re.ASCII)
_CONFLICT = ("ResolutionImpossible", "conflicting dependencies")
_NO_PIP = "No module named pip"


def install(wanted: Sequence[str], *, into: Path, spec: str) -> None:
    """Install requirements into an environment. spec: what messages begin with."""
    if not wanted:
        return
    options = ["--only-binary=:all:", "--no-warn-script-location", "--no-warn-conflicts"]
    for python in dict.fromkeys((sys.executable, getattr(sys, "_base_executable", "") or sys.executable)):
        done = run_pip(python, "install", *options, "--", *wanted, into=str(python_in(into)))
        if done.code == 0:
            return
        if _NO_PIP not in done.text:
            raise InputError(_problem(spec, said=done.text, python=python))
    raise InputError(f"{spec}: fetching wheels needs pip in {sys.executable}; install pip there.")


def _problem(spec: str, *, said: str, python: str) -> str:
    """Return one sentence on what went wrong, and pip's own last words."""
    words = f'\n  pip: "{last_error(said)}"'
    if is_unreachable(said):
        return f"{spec}: the package index cannot be reached; connect, or give an environment (NAME @ PATH).{words}"
    if any(sign in said for sign in _CONFLICT):
        return f"{spec}: its requirements contradict each other: {_conflict(said)}{words}"
    missing = _NO_MATCH.search(said)
    if missing is not None:
        return f"{spec}: {_why_missing(missing[1], missing[2], python=python)}{words}"
    if "is not a supported wheel on this platform" in said:
        return f"{spec}: the wheel does not fit this interpreter or platform; choose one that does with python.{words}"
    return f"{spec}: cannot be installed.{words}"


def _conflict(said: str) -> str:
    lines = [line.strip() for line in said.splitlines()]
    begin = next((at for at, line in enumerate(lines) if line.startswith("The conflict is caused by")), None)
    if begin is None:
        return "pip says no more."
    until = next((at for at in range(begin + 1, len(lines)) if not lines[at]), len(lines))
    return "; ".join(lines[begin + 1 : until][:6]) + "."


def _why_missing(name: str, pin: str, *, python: str) -> str:
    known = known_versions(name, python=python)
    version = pin.removeprefix("==") if pin.startswith("==") else ""
    if not known:
        return f"the index has no release of {name} that this interpreter could use; check the spelling.{_near(name)}"
    if version and not any(same_version(version, one) for one in known):
        return f"there is no version {version} of {name}; known: {some_versions(known)}"
    return (
        f"the index has {name}{pin}, but no wheel that fits this interpreter and platform; a source release is not "
        "built, since that would run its code. Choose another version, or an environment that has it (NAME @ PATH)."
    )


def _near(name: str) -> str:
    """Return a suggestion out of what is installed beside Goldproof: the index cannot be asked for near names."""
    import importlib.metadata  # noqa: PLC0415 - only for a message

    installed = {normal_name(str(one.metadata["Name"] or "")) for one in importlib.metadata.distributions()}
    near = get_close_matches(normal_name(name), sorted(installed), n=1, cutoff=0.8)
    return f" Did you mean {near[0]}?" if near else ""
