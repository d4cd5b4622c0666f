"""How one value of one question, or of one conversation, came about, in a sentence with its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import METRICS
from goldproof.metrics.names import Metric, parse_metric
from goldproof.metrics.scoring import arguments, score, seen_by
from goldproof.metrics.subjects import require_subject

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.metrics.matched import Matched
    from goldproof.metrics.scoring import NoRelevant


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
    return f"{shown}: {definition.explain(seen_by(named, matched).only(index), **arguments(named, definition))}"


def explain_iterations(metric: Metric | str, iterations: Iterations) -> str:
    """Explain a value of the only conversation, such as "CG@2 = 9.0000: G = 5, 4; 5 + 4 = 9"."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    require_subject((named,), "trace")
    definition, searched = METRICS.get(named.family), len(iterations.results)
    if searched < (named.cutoff or 1):
        return f"{named} is undefined: {f'search was invoked in {searched} iterations' if searched else 'no search'}"
    value = definition.kernel(iterations)[(named.cutoff or searched) - 1]
    return f"{named} = {value:.4f}: {definition.explain(iterations, k=named.cutoff)}"


def explain_completion(metric: Metric | str, completed: int, *, pool: int) -> str:
    """Explain by which iteration a pool of good results was complete; 0 for never."""
    named = parse_metric(metric) if isinstance(metric, str) else metric
    require_subject((named,), "trace")
    definition = METRICS.get(named.family)
    if not pool:
        return f"{named} is undefined: no good result"
    return f"{named} = {definition.kernel(np.array([completed]))[0]:.4f}: {definition.explain(completed, pool=pool)}"
