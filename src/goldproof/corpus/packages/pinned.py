"""A pinned version that is not the installed one: its wheel, unpacked to be read.

pip fetches it, wheels only (building from source would run the package's code) and without its dependencies, into
`GOLDPROOF_HOME/packages/<name>-<version>`: under a temporary name, then renamed, so that a folder that is there is
whole. None of its code is run.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.corpus.packages.distribution import describe, normal_name
from goldproof.corpus.pip_calls import is_unreachable, known_versions, last_words, run_pip, same_version, some_versions
from goldproof.io.home import make_home
from goldproof.io.replacing import temporary_name

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.corpus.packages.distribution import Distribution

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", re.ASCII)
_VERSION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._!+-]*[A-Za-z0-9])?", re.ASCII)


def pinned_distribution(name: str, version: str, *, python: str | None = None) -> Distribution:
    """Return the pinned version, fetched if it is not there yet. python: whose pip fetches it, for its platform."""
    if not _NAME.fullmatch(name) or not _VERSION.fullmatch(version):
        raise InputError(f"package:{name}=={version}: expected NAME==VERSION, such as package:google-adk==1.20.0.")
    folder = make_home() / "packages" / f"{normal_name(name)}-{version}"
    if not folder.is_dir():
        _fetch(name, version, folder=folder, python=python or sys.executable)
    for installed in importlib.metadata.distributions(path=[str(folder)]):
        if normal_name(installed.metadata["Name"] or "") == normal_name(name):
            return describe(installed, pinned=True)
    raise InputError(f"{folder}: holds no distribution named {name}; delete the folder and try again.")


def _fetch(name: str, version: str, *, folder: Path, python: str) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    unpacked = temporary_name(folder)
    wanted = ["--no-deps", "--only-binary=:all:", "--no-compile", "--target", str(unpacked), f"{name}=={version}"]
    try:
        done = run_pip(python, "install", *wanted)
        if done.code != 0:
            raise InputError(_problem(name, version, said=done.text, python=python))
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was first, with the same wheel
                raise
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)


def _problem(name: str, version: str, *, said: str, python: str) -> str:
    """Return one sentence on why the wheel did not come, and pip's own last words."""
    words = f'\n  pip: "{last_words(said)}"'
    start = f"package:{name}=={version}: "
    if "No module named pip" in said:
        return f"{start}fetching a wheel needs pip in {python}; install pip there, or install the package yourself."
    if is_unreachable(said):
        return f"{start}the package index cannot be reached; connect, or install the package yourself.{words}"
    if "No matching distribution" not in said:
        return f"{start}its wheel cannot be unpacked.{words}"
    known = known_versions(name, python=python)
    if any(same_version(version, one) for one in known):
        return (
            f"{start}the index has this version, but no wheel that fits this interpreter and platform; a source "
            f"release is not built, since that would run its code. Pin another version, or install it yourself.{words}"
        )
    if known:
        return f"{start}there is no such version; known: {some_versions(known)}{words}"
    return f"{start}the index has no release of that name that this interpreter could use; check the spelling.{words}"
