"""What is left of something that halves in every half-life: 0.5 ** (age / half_life).

Beyond 500 half-lives it falls as 1 / age instead, since the power would vanish and with it the order of old documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray

# Low enough that a score times what is left is no subnormal number, whose last digits are gone.
FAR = 500.0


def halved(ages: FloatArray, half_life: float) -> FloatArray:
    """Return what is left of 1 at each age; NaN where there is none."""
    with np.errstate(over="ignore"):
        lives = ages / half_life
    return np.exp2(-np.minimum(lives, FAR)) * FAR / np.maximum(lives, FAR)
