"""How one value of one question came about, in a sentence with its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.metrics.catalogue import METRICS
from karat.metrics.names import Metric, parse_metric
from karat.metrics.scoring import arguments, score, seen_by

if TYPE_CHECKING:
    from karat.metrics.matched import Matched
    from karat.metrics.scoring import NoRelevant


def explain(metric: Metric | str, matched: Matched, *, index: int, no_relevant: NoRelevant = "undefined") -> str:
    """Explain the score of question number `index`, such as "P@5 = 0.4000: 2 relevant in the first 5 places -> 2/5"."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    definition = METRICS.get(named.family)
    scores = score(named, matched, no_relevant=no_relevant)
    code = int(scores.code[index])
    if code:
        return f"{named} is undefined: {scores.reasons[code - 1]}"
    shown = f"{named} = {scores.value[index]:.4f}"
    if matched.missing[index]:
        return f"{shown}: the run lacks this question"
    return f"{shown}: {definition.explain(seen_by(definition, matched).only(index), **arguments(named, definition))}"
