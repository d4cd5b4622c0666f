"""How long to wait before something is tried again: one rule for models, embedders and services.

Before attempt n + 1 it is `first * 2**(n - 1)` seconds, made up to half longer or shorter at random, so that many
callers do not come back together; at least what the server asks for (`Retry-After`), at most `longest`. A server that
asks for more than `longest` is not waited for.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

# Statuses of HTTP that may be others the next time: too slow, too early, too many requests, a fault of the server.
RECOVERABLE_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Waits:
    """first: seconds before the second attempt, without chance; longest: what is waited at most."""

    first: float
    longest: float = 60.0

    def after(self, attempt: int, asked: float | None = None) -> float | None:
        """Return the seconds to wait after attempt 1, 2, ...; None where the server asks for too many.

        asked: seconds that the server asked for.
        """
        if asked is not None and asked > self.longest:
            return None
        own = self.first * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        return max(min(own, self.longest), asked or 0.0)
