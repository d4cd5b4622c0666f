"""Reads the text of a pipeline.

    pipeline := stage ("|" stage)*
    stage    := word [ "(" [ argument ("," argument)* ] ")" ]
    argument := [ name "=" ] value
    value    := number | word | quoted text | "[" [ value ("," value)* ] "]" | pipeline

Arguments without a name stand before those with one. What the names mean is not known here:
`goldproof.retrieve.language.building` finds the stages and checks their arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from goldproof.errors import InputError
from goldproof.retrieve.language.expression import Call, Number, Pipe, Word, call, literal, unquoted
from goldproof.retrieve.language.expression import List as ListOf
from goldproof.retrieve.language.tokens import Token, tokens, wrong

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.language.expression import Expression

T = TypeVar("T")
MAX_DEPTH = 50
_EXAMPLE = "a pipeline begins with a retriever, such as bm25 | top(5)"


def parse(text: str) -> Expression:
    """Read a pipeline: a `Word` or `Call` where it is one stage, else a `Pipe`."""
    if not text.strip():
        raise InputError(f"pipeline: the text is empty; {_EXAMPLE}.")
    reader = _Reader(text)
    found = reader.pipeline()
    reader.expect_end()
    return found


def parse_value(text: str) -> Expression:
    """Read one argument: a value or a pipeline."""
    reader = _Reader(text)
    found = reader.value()
    reader.expect_end()
    return found


class _Reader:
    """Goes over the tokens once, looking at most one ahead."""

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
                raise self._wrong("nothing stands after the bar; add a stage, or remove the bar.", bar)
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
                    raise self._wrong(f"{name.text}: an argument without a name stands after a named one.", start)
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
        found: list[T] = []
        while not (self._sees(closing) and not found):
            self._not_ended(opening)
            found.append(read())
            if not self._sees(","):
                break
            self._take()
        self._not_ended(opening)
        if not self._sees(closing):
            raise self._unexpected(f"a comma or {closing!r}")
        self._take()
        self._depth -= 1
        return tuple(found)

    def _not_ended(self, opening: Token) -> None:
        if self._next.kind == "end":
            raise self._wrong(f"the bracket opened at {opening.at + 1} is never closed.", opening)

    def _unexpected(self, expected: str) -> InputError:
        found, before = self._next, self._tokens[self._position - 1]
        problem = f"found {found}, expected {expected}."
        if found.kind in ("word", "text") and before.kind == "word":
            between = "put a comma between them, or an argument" if self._depth else "put an argument"
            problem = f"found {found} after {before.shown}; {between} in brackets: {before.shown}({found.shown})."
        if found.text == ")":
            problem = "found ')', but no bracket is open."
        if found.text == "=":
            problem = "found '=' outside brackets; named arguments stand in them, as in decay(exp, half_life=10)."
        return self._wrong(problem, found)

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
