"""Files and lines that a prose answer cites: `src/app.py` (lines 12-40), `app.py:12`, line 7 of `src/app.py`.

A path is a relative one whose file name is that of code, configuration or documentation. Code inside fences cites
nothing, what follows an opening fence does ("12:40:src/app.py"). Line numbers belong to the path they are "in" or "of";
else to the last path before them in the same sentence; else to none. A name without its folders is not yet a file:
`full_path` says which one is meant, or that it cannot be known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.text.code_blocks import without_fenced_blocks
from goldproof.text.languages import language_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable

_OTHER_SUFFIXES = frozenset({"cnf", "crt", "in", "key", "lock", "pem", "po", "pot", "template", "tmpl"})
_PATH = re.compile(
    r"(?<![\w/.@~$\\+-])"  # not in the middle of a word, an address or an absolute path
    r"(?:(?P<from>\d+):(?P<to>\d+):)?(?:\./)*(?P<path>(?:[\w.@+-]+/)*[\w.@+-]*\w)(?![\w/(])"
    r"(?:[:#]L?(?P<first>\d+)(?:-L?(?P<last>\d+))?)?"
)
_RANGE = r"L?\d+(?:\s*(?:[-\u2013\u2014/]|to)\s*L?\d+)?"
_AND = r"(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*&\s*)"
_LINES = re.compile(rf"\blines?\s+(?P<ranges>{_RANGE}(?:{_AND}{_RANGE})*)", re.IGNORECASE)
_ONE_RANGE = re.compile(r"L?(\d+)(?:\s*(?:[-\u2013\u2014]|to)\s*L?(\d+))?")
_INSIDE = re.compile(r"\s*(?:in|of|from|at|within|inside)\s+(?:the\s+)?(?:file\s+)?[`'\"(*]*")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_REACH = 100
_LAST_LINE = 10_000_000


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines `first` to `last`, both included, counted from 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A file as the text names it, and the lines of it that are cited (none: the file as such)."""

    path: str
    lines: tuple[LineRange, ...] = ()


def citations(text: str) -> tuple[Citation, ...]:
    """Return the cited files in the order of their first mention, each once."""
    prose = without_fenced_blocks(text, keep_info=True)
    mentions = [match for match in _PATH.finditer(prose) if _names_a_file(match["path"])]
    cited: dict[str, list[LineRange]] = {}
    for match in mentions:
        ranges = [_line_range(match["from"], match["to"]), _line_range(match["first"], match["last"])]
        cited.setdefault(match["path"], []).extend(each for each in ranges if each)
    owners = _Owners(prose, mentions)
    for lines in _LINES.finditer(prose):
        owner = owners.of(lines)
        if owner is not None:
            ranges = [_line_range(*pair) for pair in _ONE_RANGE.findall(lines["ranges"])]
            cited[owner].extend(each for each in ranges if each)
    return tuple(Citation(path, tuple(dict.fromkeys(ranges))) for path, ranges in cited.items())


def full_path(cited: str, *, known: Iterable[str]) -> str | None:
    """Return the one known path that is the cited one or ends with it; None where there is none, or several."""
    ending = f"/{cited}"
    fitting = {path for path in known if path == cited or path.endswith(ending)}
    if cited in fitting:
        return cited
    return fitting.pop() if len(fitting) == 1 else None


def _names_a_file(path: str) -> bool:
    if ".." in path.split("/"):
        return False
    _, point, suffix = path.rpartition(".")
    return language_of_file(path) is not None or bool(point and suffix in _OTHER_SUFFIXES)


class _Owners:
    """Finds the path that line numbers belong to."""

    def __init__(self, prose: str, mentions: list[re.Match[str]]) -> None:
        self._prose = prose
        self._mentions = mentions
        self._ends = [mention.end() for mention in mentions]
        self._starting = {
            at: mention["path"] for mention in mentions for at in (mention.start(), mention.start("path"))
        }

    def of(self, lines: re.Match[str]) -> str | None:
        """Return the path that line numbers belong to, None where there is none."""
        inside = _INSIDE.match(self._prose, lines.end())
        if inside and inside.end() in self._starting:
            return self._starting[inside.end()]
        before = bisect_right(self._ends, lines.start())
        if not before:
            return None
        gap = self._prose[self._ends[before - 1] : lines.start()]
        near = len(gap) <= _REACH and not _SENTENCE_END.search(gap)
        return self._mentions[before - 1]["path"] if near else None


def _line_range(first: str | None, last: str | None) -> LineRange | None:
    if not first or len(first) > 8 or len(last or "") > 8:
        return None
    start, end = int(first), int(last or first)
    return LineRange(start, end) if 1 <= start <= end < _LAST_LINE else None
