"""Pipeline text to expression: tokens, grammar, errors that point into the text.

Tokens are words (letters, digits and `_ . / : @ + - % ~`), addresses (`https://...` up to a blank, comma, bar, bracket
or quote), quoted text (`"..."` or `'...'`; a quote within is doubled; a backslash is a backslash) and the marks `| ( )
[ ] , =`. Blanks and line breaks between them mean nothing. Places are counted from 1 in messages.

    pipeline := stage ("|" stage)*
    stage    := word [ "(" [ argument ("," argument)* ] ")" ]
    argument := [ name "=" ] value
    value    := number | word | quoted text | "[" [ value ("," value)* ] "]" | pipeline

Arguments without a name come before those with one. The names are not checked here:
`goldproof.retrieve.language.builder` finds the stages and checks their arguments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from goldproof.errors import InputError
from goldproof.retrieve.language.expression import (
    URL,
    WORD,
    Call,
    Number,
    Pipe,
    Word,
    call,
    literal,
    unquoted,
    without_query,
)
from goldproof.retrieve.language.expression import List as ListOf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from goldproof.retrieve.language.expression import Expression

TokenKind: TypeAlias = Literal["word", "text", "mark", "end"]
_MARKS = "|()[],="
_QUOTES = "\"'"
_CURLED = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_WIDTH = 100
# In quotes up to the quote; else up to where an address ends.
_ADDRESS = re.compile(rf"(?<=\")https?://[^\"\n]*|(?<=')https?://[^'\n]*|{URL.pattern}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `at` counts from 0. Of quoted text, `text` is what it means."""

    kind: TokenKind
    text: str
    at: int

    def __str__(self) -> str:
        """How a message names it."""
        if self.kind == "end":
            return "the end"
        return f"the quoted text {self.shown!r}" if self.kind == "text" else repr(self.shown)

    @property
    def shown(self) -> str:
        """The text for a message: of an address without its query."""
        return without_query(self.text)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens, then one of the kind "end"."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token, at = _token(text, at)
        yield token
    yield Token("end", "", len(text.rstrip()))


def wrong(text: str, at: int, problem: str) -> InputError:
    """Return the error for a problem at a place of a pipeline; the caller raises it."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    text = _ADDRESS.sub(_masked, text)
    line = text[start : len(text) if end < 0 else end].replace("\t", " ").rstrip("\r")
    column = at - start
    cut = max(0, column - _WIDTH // 2)
    before, after = "..." if cut else "", "..." if len(line) > cut + _WIDTH else ""
    shown = f"{before}{line[cut : cut + _WIDTH]}{after}"
    return InputError(f"pipeline: {problem}\n  {shown}\n  {' ' * (len(before) + column - cut)}^")


def _masked(address: re.Match[str]) -> str:
    """Hide the query of an address, which may hold a key; what follows keeps its place."""
    shown = without_query(address[0])
    return shown + "*" * (len(address[0]) - len(shown))


def _token(text: str, at: int) -> tuple[Token, int]:
    if text[at] in _QUOTES:
        return _quoted(text, at)
    word = URL.match(text, at) or WORD.match(text, at)
    if word:
        return Token("word", word[0], at), word.end()
    if text[at] in _MARKS:
        return Token("mark", text[at], at), at + 1
    raise wrong(text, at, _stray(text, at))


def _quoted(text: str, at: int) -> tuple[Token, int]:
    quote = text[at]
    end = text.find(quote, at + 1)
    while end >= 0 and text.startswith(quote, end + 1):
        end = text.find(quote, end + 2)
    if end < 0:
        raise wrong(text, at, f"the quote opened at {at + 1} is never closed.")
    return Token("text", text[at + 1 : end].replace(quote * 2, quote), at), end + 1


def _stray(text: str, at: int) -> str:
    mark = text[at]
    if mark == "<":
        return "found '<': a pipeline printed with a Python object in it cannot be read back; name it as module:object."
    if mark == "\\":
        return "found '\\': a path with backslashes needs quotes, such as run(\"C:\\runs\\bm25.trec\")."
    if mark in _CURLED:
        return f"found {mark!r}; quotes are straight here: \" or '."
    return f"found {mark!r}, which means nothing here; text that holds it needs quotes."


T = TypeVar("T")
MAX_DEPTH = 50
_EXAMPLE = "a pipeline begins with a retriever, such as bm25 | top(5)"


def parse(text: str) -> Expression:
    """Read a pipeline: a `Word` or `Call` where it is one stage, else a `Pipe`."""
    if not text.strip():
        raise InputError(f"pipeline: the text is empty; {_EXAMPLE}.")
    parser = _Parser(text)
    pipeline = parser.pipeline()
    parser.expect_end()
    return pipeline


def parse_value(text: str) -> Expression:
    """Read one argument: a value or a pipeline."""
    parser = _Parser(text)
    value = parser.value()
    parser.expect_end()
    return value


class _Parser:
    """A recursive-descent parser that looks at most one token ahead."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(tokens(text))
        self._position = 0
        self._depth = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def pipeline(self) -> Expression:
        """Read stages up to where no bar follows."""
        parts: list[Expression] = [self._stage()]
        while self._sees("|"):
            bar = self._take()
            if self._sees("|"):
                raise self._wrong("two bars with nothing between them; remove one.", self._next)
            if self._next.kind == "end" or self._sees(")", "]", ","):
                raise self._wrong("nothing follows the bar; add a stage, or remove the bar.", bar)
            parts.append(self._stage())
        return parts[0] if len(parts) == 1 else Pipe(tuple(parts))

    def value(self) -> Expression:
        """Read a value; a word may go on as a pipeline."""
        if self._sees("["):
            return ListOf(self._enclosed("]", self.value))
        if self._next.kind == "text":
            return literal(self._take().text)
        if self._next.kind != "word":
            raise self._wrong(f"found {self._next}, expected a value or a stage.", self._next)
        number = unquoted(self._next.text)
        if isinstance(number, Number) and not self._follows("|", "("):
            self._take()
            return number
        return self.pipeline()

    def expect_end(self) -> None:
        """Refuse whatever is left."""
        if self._next.kind != "end":
            raise self._unexpected("a bar or the end")

    def _stage(self) -> Word | Call:
        name = self._take()
        if name.kind == "text":
            raise self._wrong(f"found {name}, expected a stage; the name of a stage has no quotes.", name)
        if name.kind != "word":
            raise self._wrong(f"found {name}, expected the name of a stage; {_EXAMPLE}.", name)
        if isinstance(unquoted(name.text), Number):
            raise self._wrong(f"{name.text} is a number, not the name of a stage.", name)
        return self._call(name) if self._sees("(") else Word(name.text)

    def _call(self, name: Token) -> Word | Call:
        named: dict[str, Expression] = {}

        def argument() -> Expression | None:
            start = self._next
            if not self._follows("=") or start.kind not in ("word", "text"):
                if named:
                    raise self._wrong(f"{name.text}: an argument without a name follows a named one.", start)
                return self.value()
            if start.text in named:
                raise self._wrong(f"{name.text}: {start.text} is given twice.", start)
            self._take()
            self._take()
            named[start.text] = self.value()
            return None

        args = self._enclosed(")", argument)
        return call(name.text, tuple(arg for arg in args if arg is not None), tuple(named.items()))

    def _enclosed(self, closing: str, read: Callable[[], T]) -> tuple[T, ...]:
        opening = self._take()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._wrong(f"brackets are nested more than {MAX_DEPTH} deep.", opening)
        items: list[T] = []
        while not (self._sees(closing) and not items):
            self._expect_more(opening)
            items.append(read())
            if not self._sees(","):
                break
            self._take()
        self._expect_more(opening)
        if not self._sees(closing):
            raise self._unexpected(f"a comma or {closing!r}")
        self._take()
        self._depth -= 1
        return tuple(items)

    def _expect_more(self, opening: Token) -> None:
        if self._next.kind == "end":
            raise self._wrong(f"the bracket opened at {opening.at + 1} is never closed.", opening)

    def _unexpected(self, expected: str) -> InputError:
        token, before = self._next, self._tokens[self._position - 1]
        problem = f"found {token}, expected {expected}."
        if token.kind in ("word", "text") and before.kind == "word":
            between = "put a comma between them, or an argument" if self._depth else "put an argument"
            problem = f"found {token} after {before.shown}; {between} in brackets: {before.shown}({token.shown})."
        if token.text == ")":
            problem = "found ')', but no bracket is open."
        if token.text == "=":
            problem = "found '=' outside brackets; named arguments go inside, as in decay(exp, half_life=10)."
        return self._wrong(problem, token)

    def _sees(self, *marks: str) -> bool:
        return self._next.kind == "mark" and self._next.text in marks

    def _follows(self, *marks: str) -> bool:
        if self._next.kind == "end":
            return False
        after = self._tokens[self._position + 1]
        return after.kind == "mark" and after.text in marks

    def _take(self) -> Token:
        taken = self._next
        if taken.kind != "end":
            self._position += 1
        return taken

    def _wrong(self, problem: str, token: Token) -> InputError:
        return wrong(self._text, token.at, problem)
