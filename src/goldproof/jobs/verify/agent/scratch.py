"""In-memory files that an agent keeps between its steps; runs get them beside the script.

A file that Python could import instead of something else would change what is observed, so that one that ends in `.py`
must be called `verify_...`; no name leads out of the folder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.agent.limits import AgentLimits

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,60}(\.[A-Za-z0-9_-]{1,20}){0,2}")
_IMPORTABLE = (".py", ".pyc", ".so", ".pth", ".pyd", ".zip", ".egg")


class Scratch:
    """The files."""

    def __init__(self, limits: AgentLimits) -> None:
        self._limits = limits
        self._files: dict[str, str] = {}

    def write(self, name: str, text: str) -> None:
        """Keep a file. InputError: its name or its size is not allowed."""
        if not _NAME.fullmatch(name):
            raise InputError(f"{shown(name)} is no name for a file; expected one like verify_option_A.py, no folders.")
        last = name[name.index(".") :].lower() if "." in name else ""
        if last.endswith(_IMPORTABLE) and not (name.startswith("verify_") and last == ".py"):
            raise InputError(f"{name} could be imported instead of something else; call it verify_....py.")
        if len(text) > self._limits.script_chars:
            raise InputError(f"{name} has {len(text)} characters; at most {self._limits.script_chars} are allowed.")
        if name not in self._files and len(self._files) >= self._limits.files:
            raise InputError(f"there are {len(self._files)} files already; write over one of them.")
        self._files[name] = text

    def text(self, name: str) -> str:
        """Return a file that was written. InputError: there is none of that name."""
        if name not in self._files:
            there = ", ".join(self._files) or "none"
            raise InputError(f"you wrote no file {shown(name)}; there are: {there}.")
        return self._files[name]

    def beside(self, script: str) -> Mapping[str, str]:
        """Return the files that a script mentions, with those that these mention: what it needs to be run again."""
        needed: dict[str, str] = {}
        waiting = [script]
        while waiting:
            text = waiting.pop()
            for name, content in self._files.items():
                if name not in needed and (name in text or name.removesuffix(".py") in text):
                    needed[name] = content
                    waiting.append(content)
        return {name: needed[name] for name in sorted(needed)}
