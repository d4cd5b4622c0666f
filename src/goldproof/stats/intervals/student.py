"""Student's t interval of a mean: m +- t(1 - a/2; n - 1) s / sqrt(n), with s the standard deviation (ddof 1).

Exact for normal values, good for bounded ones from n = 20 or so, too short for skewed ones: its two
tails miss unequally.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.intervals.bounds import Bounds

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray


def t_quantile(level: float, *, df: float) -> float:
    """The quantile of Student's t with df degrees of freedom."""
    from scipy.special import stdtrit  # noqa: PLC0415 - scipy is loaded when first needed

    return float(stdtrit(df, level))


def t_interval(values: FloatArray, *, confidence: float) -> Bounds:
    """Student's t interval of at least two values."""
    centre = float(values.mean())
    error = float(values.std(ddof=1)) / float(np.sqrt(values.size))
    half = t_quantile((1 + confidence) / 2, df=values.size - 1) * error
    return Bounds(centre - half, centre + half)
