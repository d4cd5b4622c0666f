"""Detect descriptions of `fix_error` cases that give the solution away.

What leaks is code that only the solution has: a whole line that is new in the fixed file and stands in the description,
or a name that is new in it and is written there as a whole word. Names of three characters and fewer, words of everyday
English and names that the unfixed file or its test mention are no leak. A leak is a remark; the verdict stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import Remark

if TYPE_CHECKING:
    from goldproof.io.cases import Case

_NAME = re.compile(r"[A-Za-z_]\w*")
# A name that nobody writes in prose by chance: an underscore or a capital inside, or a digit.
_CODE_NAME = re.compile(r"\w*(?:[a-z0-9][A-Z]|_|\d)\w*")
_SHORTEST_LINE = 8
_MOST = 5


def leaks(case: Case) -> tuple[Remark, ...]:
    """Return the remark that the description contains the fix, where it does."""
    if case.unfixed is None or case.fixed is None:
        return ()
    found = (*_lines(case), *_names(case))
    if not found:
        return ()
    words = ", ".join(f"`{one}`" for one in found[:_MOST])
    return (Remark("leak", f"the description gives the solution away: {words} stands in it, new in the fixed file."),)


def _lines(case: Case) -> list[str]:
    described, unfixed = _blanks(case.asked), _blanks(case.unfixed.text if case.unfixed else "")
    lines = [_blanks(line) for line in (case.fixed.text if case.fixed else "").splitlines()]
    new = [line for line in lines if len(line) >= _SHORTEST_LINE and line not in unfixed and not line.startswith("#")]
    return [line for line in dict.fromkeys(new) if line in described]


def _names(case: Case) -> list[str]:
    known = {*_found(case.unfixed.text if case.unfixed else ""), *_found(case.test.text if case.test else "")}
    new = [name for name in _found(case.fixed.text if case.fixed else "") if name not in known and len(name) > 3]
    written = set(_NAME.findall(case.asked))
    quoted = set(_NAME.findall(" ".join(re.findall(r"`([^`]+)`", case.asked))))
    return [name for name in new if name in quoted or (name in written and _CODE_NAME.fullmatch(name))]


def _found(text: str) -> list[str]:
    """Return the names in code, comments left out, in order."""
    code = "\n".join(line.partition("#")[0] for line in text.splitlines())
    return list(dict.fromkeys(_NAME.findall(code)))


def _blanks(text: str) -> str:
    return " ".join(text.split())
