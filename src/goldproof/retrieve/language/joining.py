"""Joining parts of pipelines that were made in Python with `|`.

A `Step` is what has no retriever yet: `floor(0.3)`, `floor(0.3) | top(5)`, `expand("minilm")`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from goldproof.errors import InputError
from goldproof.retrieve.language.expression import Call, Object, Pipe, Word
from goldproof.retrieve.language.parsing import parse

if TYPE_CHECKING:
    from goldproof.retrieve.language.expression import Expression
    from goldproof.retrieve.pipeline import Pipeline


@dataclass(frozen=True, slots=True)
class Step:
    """One or more steps without a retriever; `retriever | step` is a pipeline."""

    expression: Expression

    def __str__(self) -> str:
        return str(self.expression)

    @overload
    def __or__(self, other: Step) -> Step: ...
    @overload
    def __or__(self, other: Pipeline) -> Pipeline: ...
    def __or__(self, other: object) -> object:
        """Put more steps behind these; a pipeline joins itself."""
        return Step(joined(self, other)) if isinstance(other, Step) else NotImplemented

    def __ror__(self, other: object) -> Pipeline:
        """Put these steps behind a retriever: text, or an object of the user's."""
        from goldproof.retrieve.pipeline import Pipeline  # noqa: PLC0415 - which imports the language itself

        return Pipeline(joined(other, self))


def joined(left: object, right: object) -> Expression:
    """Return one pipeline of two parts: pipelines, steps, texts, or retrievers of the user's."""
    return Pipe((*_parts(expression_of(left)), *_parts(expression_of(right))))


def expression_of(part: object) -> Expression:
    """Return the expression of a part that stands at the place of a stage."""
    if isinstance(part, Word | Call | Pipe | Object):
        return part
    if isinstance(part, str):
        return parse(part)
    held = getattr(part, "expression", None)
    if isinstance(held, Word | Call | Pipe | Object):
        return held
    if part is None or isinstance(part, int | float | bytes | list | tuple | dict):
        raise InputError(f"{part!r} cannot stand in a pipeline; expected a retriever, a step or a text such as 'bm25'.")
    return Object(part)


def _parts(expression: Expression) -> tuple[Expression, ...]:
    return expression.parts if isinstance(expression, Pipe) else (expression,)
