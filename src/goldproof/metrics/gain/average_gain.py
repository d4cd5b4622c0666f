"""AvgGain and AvgGain_i: how much good gain did a result of iteration i bring on average?

The value at one iteration, not through it: hence the underscore. Gain is as in CG: labels of 2 or more (the threshold),
each result once. Duplicates are not in the numerator but are in the denominator, so an iteration that returns what was
seen before scores low. Unlabelled results add 0 to the numerator, 1 each to the denominator, and are reported. R = 0:
an iteration that searched and found nothing has the value 0. AvgGain is the value at the last iteration. Beyond it the
value is undefined, unless it is carried on. It is also undefined where nothing was searched, and where results came but
none is labelled and no label judges the question.

    AvgGain_i = G_i / |R^i|, or 0 where |R^i| = 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES, Definition
from goldproof.metrics.gain.iterations import last, number
from goldproof.metrics.ranks import ratio
from goldproof.records.traces import HIGHEST_GAIN

if TYPE_CHECKING:
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import FloatArray


def average_gain(iterations: Iterations) -> FloatArray:
    """Good gain at each iteration, over its results; 0 where it has none."""
    return ratio(iterations.gain, iterations.results)


def _explain(iterations: Iterations, *, k: int | None) -> str:
    row = last(iterations, k)
    gain, results = int(iterations.gain[row]), int(iterations.results[row])
    if not results:
        return f"iteration {row + 1} found nothing; G/|R| counts 0"
    return f"at iteration {row + 1} G = {gain} and |R| = {results}; {gain}/{results} = {number(gain / results)}"


DEFINITION = Definition(
    shape=SHAPES["AvgGain"],
    kind="gain",
    summary="Good gain per result at iteration i, duplicates among the results.",
    formula="G_i / |R^i| (0 where |R^i| = 0)",
    kernel=average_gain,
    explain=_explain,
    upper=float(HIGHEST_GAIN),
)
