"""Closed-book check: a question that a model answers without any document measures nothing about retrieval.

Multiple choice: the model is asked `tries` times, each time with the options in another rotation, and must name the
right one every time, so that a lucky letter does not count. Guessing anew each time succeeds with (1 / options) ^
tries; a guess that sticks to the words of one option with 1 / options. Both chance levels are stated. Options that
refer to each other ("Both A and B", "None of the above") keep their order, and are asked for once.

Free text: asked once, at temperature 0. The answer counts when the question's own answer, or an alias, stands in it by
the rules of `goldproof.judge.answer`; a part of the own answer is not enough ("stream" for "an event stream"). One that
names it beside another, joined by "or" in the same sentence ("Paris or London"), is a guess and does not count; the
prompt asks for one answer only. Alternatives that are joined otherwise ("Paris, perhaps London") are not told apart.
Where the rule abstains, where no answer is known, where the model fails and where the judge has no model, nothing is
said (None).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from goldproof.errors import ModelDownError, ModelFailedError, shown
from goldproof.judge.answer import find_answer
from goldproof.judge.answer_judge import texts_of
from goldproof.judge.prompts import OwnAnswer, chosen_option, own_answer_ask, right_option
from goldproof.llm import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.llm import Ask, Model
    from goldproof.records.entities import Question

TRIES: Final = 3
_REFERS_TO_OTHERS: Final = re.compile(
    r"\b(?:of the (?:above|below|others?)|[A-Z] (?:and|or|&) [A-Z]|[Oo]ptions? [A-Z])\b"
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_OR: Final = re.compile(r"\bor\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WithoutContext:
    """Whether a question is answered without any document.

    answered: correctly; None where that cannot be told. asks: how often the model was asked. chance: the probability of
    success by guessing anew each time, for multiple choice.
    """

    answered: bool | None
    reason: str
    asks: int = 0
    chance: float | None = None


async def answered_without_context(question: Question, model: Model | None, *, tries: int = TRIES) -> WithoutContext:
    """Ask a question with no context at all. model: None where the judge has none."""
    if model is None:
        return WithoutContext(None, "no model")
    if not question.answer:
        return WithoutContext(None, "no known answer")
    asker = _Asker(model)
    try:
        return await (_choose(question, asker, tries=tries) if question.options else _tell(question, asker))
    except ModelDownError:
        raise
    except ModelFailedError as error:
        return WithoutContext(None, f"the model failed: {error}", asker.asks)


def estimate_without_context(question: Question, model: Model | None, *, tries: int = TRIES) -> Estimate:
    """Return the highest cost of asking."""
    if model is None or not question.answer:
        return Estimate()
    if not question.options:
        return model.estimate(own_answer_ask(question))
    asks = (own_answer_ask(question, options=options) for options in _orders(question.options, tries))
    return sum((model.estimate(ask) for ask in asks), start=Estimate())


class _Asker:
    """Asks a model and counts the asks."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.asks = 0

    async def answer(self, ask: Ask) -> str:
        self.asks += 1
        reply = await self._model.answer(ask)
        return (reply.value.answer if isinstance(reply.value, OwnAnswer) else reply.text).strip()


async def _choose(question: Question, asker: _Asker, *, tries: int) -> WithoutContext:
    right = right_option(question)
    if right is None:
        return WithoutContext(None, "none of the options is the known answer")
    orders = list(_orders(question.options, tries))
    sticking = 1 / len(question.options)
    chance = sticking ** len(orders)
    for number, options in enumerate(orders, start=1):
        answer = await asker.answer(own_answer_ask(question, options=options))
        chosen = chosen_option(answer, options)
        if chosen is None or options[chosen] != question.options[right]:
            reason = f"try {number} of {len(orders)} named {_named(answer, chosen, options)}"
            return WithoutContext(answered=False, reason=reason, asks=asker.asks, chance=chance)
    levels = f"by chance {chance:.2g} guessing anew, {sticking:.2g} guessing one option"
    reason = f"right in {len(orders)} of {len(orders)} orders of the options ({levels})"
    return WithoutContext(answered=True, reason=reason, asks=asker.asks, chance=chance)


async def _tell(question: Question, asker: _Asker) -> WithoutContext:
    answer = await asker.answer(own_answer_ask(question))
    if not answer:
        return WithoutContext(answered=False, reason="the model does not know", asks=asker.asks)
    finding = find_answer(question.answer or "", answer, aliases=texts_of(question, "answer_aliases"))
    if finding.verdict == "abstained":
        return WithoutContext(None, f"the answer rule cannot compare answers here: {finding.reason}", asker.asks)
    answered = finding.verdict == "present" and not _only_as_one_of_several(question, answer)
    return WithoutContext(answered, f"the model said {shown(answer)}", asker.asks)


def _only_as_one_of_several(question: Question, answer: str) -> bool:
    """Return whether every sentence that names the right answer names it on one side of an `or` only."""

    def names_it(text: str) -> bool:
        aliases = texts_of(question, "answer_aliases")
        return find_answer(question.answer or "", text, aliases=aliases).verdict == "present"

    naming = [sentence for sentence in _SENTENCE_END.split(answer) if names_it(sentence)]
    sides = [[names_it(side) for side in _OR.split(sentence)] for sentence in naming]
    return bool(sides) and all(any(side) and not all(side) for side in sides)


def _orders(options: tuple[str, ...], tries: int) -> Iterator[tuple[str, ...]]:
    """Yield rotations of the options, each once; only the order given where options refer to each other."""
    fixed = any(_REFERS_TO_OTHERS.search(option) for option in options)
    count = 1 if fixed else max(1, min(tries, len(options)))
    for turn in range(count):
        shift = turn * len(options) // count
        yield (*options[shift:], *options[:shift])


def _named(answer: str, chosen: int | None, options: Sequence[str]) -> str:
    return f"no option ({shown(answer)})" if chosen is None else f"another option ({shown(options[chosen])})"
