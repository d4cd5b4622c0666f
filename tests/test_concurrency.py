"""Which errors of a provider are worth another attempt, and which hold for every request."""

from __future__ import annotations

import pytest
from pydantic_ai import exceptions

from goldproof.concurrency import asked_to_wait, is_permanent, may_pass


def http(status: int) -> exceptions.ModelHTTPError:
    return exceptions.ModelHTTPError(status, "m")


@pytest.mark.parametrize("error", [TimeoutError(), http(408), http(429), http(503)], ids=repr)
def test_what_may_go_better_can_pass(error: Exception) -> None:
    assert may_pass(error)
    assert not is_permanent(error)


@pytest.mark.parametrize("error", [http(400), http(413), ValueError("shape")], ids=repr)
def test_what_this_request_is_refused_for_cannot_pass(error: Exception) -> None:
    assert not may_pass(error)
    assert not is_permanent(error)


@pytest.mark.parametrize(
    "kind",
    [exceptions.ModelAuthenticationError, exceptions.ModelNotFoundError, exceptions.ModelQuotaExceededError],
)
def test_what_every_request_would_be_refused_for_cannot_pass(kind: type[exceptions.ModelAPIError]) -> None:
    error = kind("m", "refused")
    assert is_permanent(error)
    assert not may_pass(error)


def test_an_error_without_a_wish_asks_for_no_wait() -> None:
    assert asked_to_wait(TimeoutError()) is None
