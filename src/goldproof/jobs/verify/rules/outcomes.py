"""Parse what an option claims about running code: that it raises, works, prints, warns or evaluates to a value.

An option is read by phrases, each taken out once it is understood; the reason it gives (after `because`, `since`, `due
to`) is dropped before. `rest` is what remains besides words that claim nothing: a claim that is not wholly understood
can be refuted by what was, never confirmed. What an exception says after a colon is its message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from goldproof.jobs.verify.rules import outcome_words as words
from goldproof.jobs.verify.rules.code_text import masked, prose_of, python_blocks
from goldproof.jobs.verify.rules.exception_names import NAME, exception_names, raised_names
from goldproof.jobs.verify.rules.literals import bare_text

if TYPE_CHECKING:
    from collections.abc import Callable

    _Made = Callable[[re.Match[str]], "Outcome"]

Says = Literal["raises", "not raises", "works", "prints", "silent", "returns", "warns"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing that an option says.

    what: of `raises`, `not raises`, `warns` the name of the type, empty for any; of `prints` the text; of `returns` the
    text of the value. message: what an exception says, as the option has it; literal: it is quoted as the message, so
    that it is meant by the letter. loose: of `prints`, whether the parts stand on lines of their own is not said.
    """

    says: Says
    what: str = ""
    message: str = ""
    literal: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Everything understood of an option. either: one of them suffices (`ValueError or TypeError`).

    reason: the reason that it gives, which nobody checks. rest: words that were not understood.
    """

    said: tuple[Outcome, ...]
    rest: str = ""
    reason: str = ""
    either: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing was left that could claim more."""
        return bool(self.said) and not self.rest

    @property
    def fails(self) -> bool:
        """Whether it speaks of an error."""
        return any(one.says == "raises" for one in self.said)


_MARK: Final = "\x03"
_QUOTED: Final = re.compile(r"(?<![\w`])([\"\u201c])([^\"\u201d]+)[\"\u201d](?!\w)|(?<![\w`])'([^']+)'(?!\w)")
_CALLED: Final = re.compile(rf"(?:raise )?({NAME.pattern})\(\s*(?:[frb]?(['\"])(.*)\2\s*)?\)")
_LONGEST: Final = 1_500  # characters; a longer option is no sentence about an outcome
_SIGNS: Final = re.compile(r"[\x02-\x04]")  # stand for pieces here, and must not be in the text itself
_AROUND: Final = 30  # characters on either side in which a word may deny what was found


def read_outcomes(text: str, *, printed: bool = False) -> Outcomes:
    """Return what an option says about running code. printed: bare words after `prints` are what is printed."""
    return _Reading(text).read(printed=printed) if len(text) <= _LONGEST else Outcomes((), rest=text)


class _Reading:
    """An option that is being read: phrases are taken out of `text` as they are understood."""

    def __init__(self, text: str) -> None:
        self.pieces: list[str] = []
        self.written: list[str] = []  # the same, with the marks around them
        self.types: list[str] = []
        self.said: list[Outcome] = []
        self.either = False
        self.reason = ""
        self.raised = raised_names(text)
        self.text = self._marked(_SIGNS.sub(" ", text))

    def read(self, *, printed: bool) -> Outcomes:
        self._drop_reason()
        self._messages()
        self._not_types()
        self._take(words.WARNS, self._warning)
        self._raised_types()
        self._take(words.SILENT, lambda _: Outcome("silent"))
        self._take(words.PRINTS_IN_ORDER, self._in_order)
        if printed:
            self._take(words.IN_ORDER, self._in_order)
        self._take(words.PRINTS, lambda found: Outcome("prints", self._piece(found[1] or found[2])))
        if printed:
            self._take(words.PRINTS_BARE, lambda found: Outcome("prints", self._unmarked(found[1]).strip().rstrip(".")))
        self._take(words.RETURNS, lambda found: Outcome("returns", self._piece(found[1])))
        self._take(words.WORKS, lambda _: Outcome("works"))
        if not self.said:
            self._take(words.FAILS, lambda _: Outcome("raises"))
        rest = self._rest()
        # `does not print 3 but 4`: what was understood may be what is denied.
        said = () if words.MAY_BE_DENIED.search(rest) else tuple(dict.fromkeys(self.said))
        return Outcomes(said, rest, self.reason, self.either)

    def _marked(self, text: str) -> str:
        for block in python_blocks(text):
            self._mark_piece(block)
        kept = masked(prose_of(text), mark=_MARK)
        spans = iter(kept.spans)
        marked = re.sub(_MARK, lambda _: self._mark_span(next(spans)), kept.text)
        marked = _QUOTED.sub(lambda found: self._mark_piece(found[2] or found[3], written=found[0]), marked)
        marked = NAME.sub(lambda found: self._mark_type(found[0]), marked)
        for name in self.raised:
            marked = re.sub(
                rf"(?<![\w.]){re.escape(name)}(?![\w(]|\.\w)", lambda found: self._mark_type(found[0]), marked
            )
        return " ".join([*marked.split(), *(f"\x03{number}\x03" for number in range(len(python_blocks(text))))])

    def _mark_span(self, span: str) -> str:
        names = exception_names(span)
        name, _, after = span.partition(":")
        if span.strip() in {*names[:1], *self.raised}:
            return self._mark_type(span.strip())
        if names and name.strip() == names[0]:
            return f"{self._mark_type(names[0])}: {self._mark_piece(after.strip())}"
        called = _CALLED.fullmatch(span)
        if called:
            return self._mark_type(called[1]) + (f": {self._mark_piece(called[3])}" if called[3] else "")
        return self._mark_piece(span)

    def _mark_piece(self, piece: str, *, written: str = "") -> str:
        self.pieces.append(piece)
        self.written.append(written or f"`{piece}`")
        return f"\x03{len(self.pieces) - 1}\x03"

    def _mark_type(self, name: str) -> str:
        if name in {"Error", "Errors", "Warning"}:
            return name
        self.types.append(name)
        return f"\x04{len(self.types) - 1}\x04"

    def _drop_reason(self) -> None:
        found = words.REASON.search(self.text)
        if found and self.text[: found.start()].strip():
            self.reason = self._unmarked(found[0]).strip(" ,;.")
            self.text = self.text[: found.start()]

    def _messages(self) -> None:
        """Take out an exception with its message."""
        found = words.MESSAGE.search(self.text)
        if not found or words.NOT_THE_OUTCOME.search(self.text[: found.start()]):
            return
        message = bare_text(self._piece(found[2]) if found[2] else self._unmarked(found[3]))
        quoted = bool(found[2]) and words.THE_MESSAGE.search(found[0]) is not None
        literal = quoted and words.LEFT_OUT.search(message) is None
        self.said.append(Outcome("raises", self._type(found[1]), message, literal=literal))
        before = words.BEFORE_RAISED.sub("", self.text[: found.start()])
        self.text = f"{before} {self.text[found.end() :]}"

    def _not_types(self) -> None:
        self._take(words.NOT_RAISED, lambda found: Outcome("not raises", self._type(found[1])))

    def _raised_types(self) -> None:
        while found := words.RAISED.search(self.text):
            around = (
                self.text[max(0, found.start() - _AROUND) : found.start()]
                + self.text[found.end() : found.end() + _AROUND]
            )
            if words.NOT_THE_OUTCOME.search(around):
                return
            for mark in (found[1], found[2]):
                if mark:
                    self.said.append(Outcome("raises", self._type(mark)))
            self.either = self.either or found[2] is not None
            self.text = f"{self.text[: found.start()]} {self.text[found.end() :]}"

    def _warning(self, found: re.Match[str]) -> Outcome:
        mark = found[1] or found[2]
        name = self._type(mark) if mark else ""
        return Outcome("warns", name) if not name or name.endswith("Warning") else Outcome("raises", name)

    def _in_order(self, found: re.Match[str]) -> Outcome:
        pieces = [self._piece(mark) for mark in re.findall(words.PIECE, found[0])]
        return Outcome("prints", "\n".join(pieces), loose="line" not in re.sub(words.PIECE, "", found[0]).lower())

    def _take(self, pattern: re.Pattern[str], made: _Made) -> None:
        while found := pattern.search(self.text):
            self.said.append(made(found))
            self.text = f"{self.text[: found.start()]} {self.text[found.end() :]}"

    def _piece(self, mark: str) -> str:
        return self.pieces[int(mark.strip("\x03"))] if mark.startswith("\x03") else mark

    def _type(self, mark: str) -> str:
        return self.types[int(mark.strip("\x04"))]

    def _unmarked(self, text: str) -> str:
        shown = re.sub(words.PIECE, lambda found: self.written[int(found[0].strip("\x03"))], text)
        return re.sub(words.TYPE, lambda found: self._type(found[0]), shown)

    def _rest(self) -> str:
        left = words.FILLER.sub(" ", self.text)
        return " ".join(self._unmarked(left).strip(" \t\n.,;:!()-").split())
