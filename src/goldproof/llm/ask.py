"""What a model is asked, and what comes back: the words between Goldproof and every model.

Two asks with equal content are one question: its answer is kept, and never paid for twice. `sample` tells apart several
answers that are wanted to the same words (votes of one model).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a model.

    prompt: what it is asked. instructions: what stands before it, for every question of a kind. output: the form of the
    answer (its schema is part of the question); None for plain text. purpose: name and version of the prompt, such as
    `judge-yes-1`. sample: which of several answers to the same words this is. expected_tokens: how long an answer is
    expected to be, for an estimate of its cost before it is asked.
    """

    prompt: str
    instructions: str = ""
    output: type[BaseModel] | None = None
    purpose: str = ""
    sample: int = 0
    temperature: float = 0.0
    expected_tokens: int = 200


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    value: the answer in the form that was asked for; None where that was plain text. tokens_in, tokens_out: of all
    calls that it took (repairs are calls). cost: in dollars, as it was paid, also where it now comes from the cache;
    None where the price is not known. cached: it cost nothing this time. repairs: how often the form of the answer had
    to be asked for again.
    """

    text: str
    value: BaseModel | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    cached: bool = False
    repairs: int = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What asks would cost: calls that would be made, and those whose answers are kept already.

    cost: in dollars; None where the price is not known.
    """

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        known = self.cost is not None and other.cost is not None
        return Estimate(
            self.calls + other.calls,
            self.cached + other.cached,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            (self.cost or 0.0) + (other.cost or 0.0) if known else None,
        )
