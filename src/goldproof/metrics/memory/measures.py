"""The twelve measures of memory: names, definitions, and their values for one answered query.

Each function says what it counts, what is undefined and why; `measure` computes all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import fsum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from goldproof.metrics.memory.outcome import Measured

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.metrics.memory.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure; `of` returns its value for one answered query, or why there is none."""

    name: str
    summary: str
    formula: str
    of: Callable[[Outcome], Measured]
    higher_is_better: bool = True
    lower: float | None = 0.0
    upper: float | None = 1.0


NOTHING_EXPECTED: Final = "nothing should come"

SOMETHING_EXPECTED: Final = "something should come"

NONE_CAME: Final = "no expected memory came"

NO_SIMILARITY: Final = "the system tells no similarity"

NO_ORDER: Final = "no order is asked for"

NO_PAIR: Final = "fewer than two expected memories of different moments came"


NAMES = (
    "precision",
    "recall",
    "f1",
    "Hit@1",
    "set_success",
    "relevance_score",
    "relevance_of_hits",
    "similarity",
    "false_surface",
    "ordering",
    "tokens",
    "f1_or_silence",
)

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "f1_score": "f1",
        "hit@1": "Hit@1",
        "hit_at_1": "Hit@1",
        "relevance": "relevance_score",
        "setsuccess": "set_success",
        "falsesurface": "false_surface",
    }
)


def precision(outcome: Outcome) -> Measured:
    """Return the share of the returned items that match an expected memory.

    An item counts once if it matches at least one expected memory, also if another item has matched that memory
    before. The divisor is the number returned, not k, so returning fewer items costs nothing. Nothing returned where
    something is expected is 0, not undefined. On a negative query (nothing is expected) it is 1 if nothing was
    returned, else 0.

        precision = items that match an expected memory / items returned
    """
    returned = len(outcome.returned)
    if outcome.is_negative:
        return Measured(0.0 if returned else 1.0)
    return Measured(sum(map(outcome.is_expected, outcome.returned)) / returned if returned else 0.0)


PRECISION = Measure(
    name="precision",
    summary="The share of the returned items that match an expected memory; if none is expected, 1 for returning none.",
    formula="items that match an expected memory / items returned",
    of=precision,
)


def recall(outcome: Outcome) -> Measured:
    """Return the share of the expected memories that were returned.

    A memory counts once, however many items match it; an item that matches several counts for each of them. Grades
    play no part: partly relevant memories are expected too. Nothing returned is 0. There is no cutoff: all returned
    items count. Undefined on a negative query (nothing is expected).

        recall = different expected memories returned / expected memories
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    return Measured(len(outcome.found) / len(outcome.expected))


RECALL = Measure(
    name="recall",
    summary="The share of the expected memories that were returned.",
    formula="different expected memories returned / expected memories",
    of=recall,
)


def f1(outcome: Outcome) -> Measured:
    """Return the harmonic mean of precision and recall.

    Precision counts items and recall counts memories, each as defined under its own name. Nothing returned, or no
    expected memory among it, is 0. Undefined on a negative query (nothing is expected), as recall is;
    `f1_or_silence` counts those queries too.

        f1 = 2 * precision * recall / (precision + recall), and 0 where both are 0
    """
    p, r = precision(outcome).value, recall(outcome).value
    if p is None or r is None:
        return Measured(None, NOTHING_EXPECTED)
    return Measured(2 * p * r / (p + r) if p + r else 0.0)


F1 = Measure(
    name="f1",
    summary="The harmonic mean of precision and recall.",
    formula="2 * precision * recall / (precision + recall)",
    of=f1,
)


def f1_or_silence(outcome: Outcome) -> Measured:
    """Return f1; on a negative query 1 if nothing was returned, else 0.

    Where something is expected it is f1. On a negative query (nothing is expected) it is 1 if nothing was returned,
    else 0, as SQuAD 2.0 counts questions without an answer. It is defined for every query, so that a system can
    improve it neither by returning everything nor by returning nothing.

        f1_or_silence = f1, or on a negative query 1 if nothing was returned, else 0

    Rajpurkar, Jia and Liang, Know What You Don't Know: Unanswerable Questions for SQuAD, ACL 2018.
    """
    if outcome.is_negative:
        return Measured(0.0 if outcome.returned else 1.0)
    return f1(outcome)


F1_OR_SILENCE = Measure(
    name="f1_or_silence",
    summary="f1; for queries that expect nothing, 1 if nothing was returned, else 0.",
    formula="f1; where nothing is expected, 1 if nothing was returned, else 0",
    of=f1_or_silence,
)


def hit_at_1(outcome: Outcome) -> Measured:
    """Return 1 if the first item matches an expected memory of the highest expected grade, else 0.

    A memory of a lower grade, such as a fact that is out of date, does not count. Where all grades are the same, any
    expected memory counts. An item that matches several counts by the best of them; a judge's points and the later
    items play no part. Nothing returned is 0. Undefined on a negative query (nothing is expected).

        Hit@1 = 1 if the first item matches an expected memory of the highest expected grade, else 0
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    highest = max(outcome.expected.values())
    first = (memory for item in outcome.returned[:1] for memory in item.memories)
    return Measured(float(any(outcome.expected.get(memory) == highest for memory in first)))


HIT_AT_1 = Measure(
    name="Hit@1",
    summary="1 if the first item matches an expected memory of the highest expected grade, else 0.",
    formula="1 if the first item matches an expected memory of the highest expected grade, else 0",
    of=hit_at_1,
)


def kernels_of(outcome: Outcome) -> tuple[frozenset[str], ...]:
    """Return the sets of which one must be complete: those of the query, else its best memories."""
    if outcome.kernels or outcome.is_negative:
        return outcome.kernels
    best = max(outcome.expected.values())
    return (frozenset(memory for memory, grade in outcome.expected.items() if grade == best),)


def set_success(outcome: Outcome) -> Measured:
    """Return 1 if all memories of some kernel were returned, else 0.

    A kernel is a set of memories that answer only together; any one kernel, complete, suffices. Where the query
    names none, its expected memories of the highest grade are the kernel: all of them where it has one grade only.
    Order, repetitions and other items play no part; an item that matches several memories counts for each of them.
    Nothing returned is 0. Undefined on a negative query (nothing is expected).

        set_success = 1 if all memories of some kernel were returned, else 0
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    returned = {memory for item in outcome.returned for memory in item.memories}
    return Measured(float(any(kernel <= returned for kernel in kernels_of(outcome))))


SET_SUCCESS = Measure(
    name="set_success",
    summary="1 if all memories of some kernel were returned, else 0.",
    formula="1 if all memories of some kernel were returned, else 0",
    of=set_success,
)


def relevance_score(outcome: Outcome) -> Measured:
    """Return the mean gain over the first items, as many as are expected.

    As many items are looked at as memories are expected; each has a gain from 0 to 1: its grade (2/1/0 -> 1/0.5/0)
    or the judge's (points / 10). Missing items count 0, and nothing returned is 0. An item that repeats a memory has
    its gain each time; an item that matches several memories is one item. Undefined on a negative query (nothing is
    expected). Where partly relevant memories are expected, not even the best answer reaches 1.

        relevance_score = sum of the gains of the first n items / n,    n = number of expected memories
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    n = len(outcome.expected)
    return Measured(fsum(item.gain for item in outcome.returned[:n]) / n)


RELEVANCE_SCORE = Measure(
    name="relevance_score",
    summary="The mean gain of the first items, as many as memories are expected; missing ones count 0.",
    formula="sum of the gains of the first n items / n, with n expected memories",
    of=relevance_score,
)


def relevance_of_hits(outcome: Outcome) -> Measured:
    """Return the mean gain over the items that match an expected memory.

    The gain is the grade as 0 to 1, or the judge's; the rank plays no part. Other items and missing memories play no
    part either: read it beside precision and recall, never alone. An item that repeats a memory counts again.
    Undefined where no expected memory was returned, and on a negative query (nothing is expected).

        relevance_of_hits = sum of the gains of the items that match an expected memory / their number
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    gains = [item.gain for item in outcome.returned if outcome.is_expected(item)]
    return Measured(fsum(gains) / len(gains)) if gains else Measured(None, NONE_CAME)


RELEVANCE_OF_HITS = Measure(
    name="relevance_of_hits",
    summary="The mean gain of the items that match an expected memory.",
    formula="sum of the gains of the items that match an expected memory / their number",
    of=relevance_of_hits,
)


def similarity(outcome: Outcome) -> Measured:
    """Return the mean similarity over the items that match an expected memory.

    The similarity is the one that the system reports (the cosine of query and item, -1 to 1); items without one are
    left out, and an item that repeats a memory counts again. It describes the embedder and judges nothing: right
    answers often lie between 0.3 and 0.7. Undefined where no expected memory was returned, where the system reports no
    similarity for those that were, and on a negative query (nothing is expected).

        similarity = sum of the similarities of the items that match an expected memory
                     / number of those that have one
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    hits = [item.similarity for item in outcome.returned if outcome.is_expected(item)]
    told = [value for value in hits if value is not None]
    if not told:
        return Measured(None, NO_SIMILARITY if hits else NONE_CAME)
    return Measured(fsum(told) / len(told))


SIMILARITY = Measure(
    name="similarity",
    summary="The mean similarity that the system reports for the items that match an expected memory.",
    formula="sum of the similarities of the items that match an expected memory / number of those that have one",
    of=similarity,
    lower=-1.0,
)


def false_surface(outcome: Outcome) -> Measured:
    """Return 1 if anything was returned where nothing is expected, else 0; lower is better.

    Only for negative queries, which ask for what was never said. How much was returned and how relevant it looks play
    no part, since every item is wrong. Undefined where something is expected. A system that always returns its k
    nearest items scores 1 everywhere: it needs a floor of its own.

        false_surface = 1 if anything was returned, else 0
    """
    if not outcome.is_negative:
        return Measured(None, SOMETHING_EXPECTED)
    return Measured(1.0 if outcome.returned else 0.0)


FALSE_SURFACE = Measure(
    name="false_surface",
    summary="For queries that expect nothing: 1 if anything was returned, else 0.",
    formula="1 if anything was returned, else 0 (lower is better)",
    of=false_surface,
    higher_is_better=False,
)


def ordering(outcome: Outcome) -> Measured:
    """Return the share of the pairs of returned memories that are in the order asked for.

    Only for queries that ask for an order, newest or oldest first, and over the items that match an expected memory;
    other items and missing memories play no part. An item that matches several expected memories has the newest of
    their moments. Pairs of the same moment, such as an item that repeats a memory, are left out. Undefined where no
    order is asked for, where fewer than two different moments were returned, and on a negative query (nothing is
    expected).

        ordering = pairs in the asked order / pairs of items with different moments
    """
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    if outcome.order is None:
        return Measured(None, NO_ORDER)
    pairs = [(first, then) for first, then in combinations(_moments(outcome), 2) if first != then]
    if not pairs:
        return Measured(None, NO_PAIR)
    falls = sum(first > then for first, then in pairs)
    return Measured((falls if outcome.order == "newest" else len(pairs) - falls) / len(pairs))


def _moments(outcome: Outcome) -> list[float]:
    """Return the moment of each item that matches an expected memory, in the order returned."""
    dated = {memory: moment for memory, moment in outcome.moments.items() if memory in outcome.expected}
    dates = ([dated[memory] for memory in item.memories if memory in dated] for item in outcome.returned)
    return [max(moments) for moments in dates if moments]


ORDERING = Measure(
    name="ordering",
    summary="The share of the pairs of expected memories returned that are in the order of time asked for.",
    formula="pairs in the asked order / pairs of items with different moments",
    of=ordering,
)


def tokens(outcome: Outcome) -> Measured:
    """Return the tokens of all returned items.

    The tokens of all returned items, expected or not, repeated ones each time; lower is better, at equal recall.
    Nothing returned is 0, on every query. It has no upper bound.

        tokens = sum of the tokens of the items
    """
    return Measured(float(sum(item.tokens for item in outcome.returned)))


TOKENS = Measure(
    name="tokens",
    summary="The tokens of all returned items.",
    formula="sum of the tokens of the items (lower is better)",
    of=tokens,
    higher_is_better=False,
    upper=None,
)


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        definition.name: definition
        for definition in (
            PRECISION,
            RECALL,
            F1,
            HIT_AT_1,
            SET_SUCCESS,
            RELEVANCE_SCORE,
            RELEVANCE_OF_HITS,
            SIMILARITY,
            FALSE_SURFACE,
            ORDERING,
            TOKENS,
            F1_OR_SILENCE,
        )
    }
)


def measure(outcome: Outcome) -> dict[str, Measured]:
    """Return the value of every measure for one answered query, or why it has none there."""
    return {name: definition.of(outcome) for name, definition in MEASURES.items()}
