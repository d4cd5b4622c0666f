"""Which errors of pydantic-ai can pass, so that asking again may help, and which hold for every request alike.

pydantic-ai takes more than a second to load, so it is imported only once one of its errors may be there.
"""

from __future__ import annotations

from goldproof.core.waiting import RECOVERABLE_STATUS


def can_pass(error: Exception) -> bool:
    """Return whether it may go better the next time: a rate limit, a fault of the server, a cut connection."""
    from pydantic_ai import exceptions  # noqa: PLC0415 - heavy

    if holds_for_all(error):
        return False
    passing = (
        exceptions.ModelRateLimitError,
        exceptions.ModelUnavailableError,
        exceptions.ModelServerError,
        exceptions.ModelConnectionError,
        TimeoutError,
    )
    return isinstance(error, passing) or getattr(error, "status_code", None) in RECOVERABLE_STATUS


def holds_for_all(error: Exception) -> bool:
    """Return whether every request would be refused: a wrong key, an unknown model, a quota that is used up."""
    from pydantic_ai import exceptions  # noqa: PLC0415 - heavy

    return isinstance(
        error,
        (exceptions.ModelAuthenticationError, exceptions.ModelNotFoundError, exceptions.ModelQuotaExceededError),
    )


def asked_to_wait(error: Exception) -> float | None:
    """Return the seconds that the server asked for."""
    asked = getattr(error, "retry_after", None)
    return None if asked is None else float(asked)
