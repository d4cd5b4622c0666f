"""Code of the user's is called once: a crash, an exit and a call that takes too long are reasons; the rest goes on."""

from __future__ import annotations

import contextvars
import os
import re
import threading
import time

import pytest

from goldproof.errors import BudgetSpentError, InputError, ModelDownError
from goldproof.user_code.calls import (
    LEFT_BEHIND,
    Answer,
    FailedAnswer,
    TimedCalls,
    attempt,
    checked_timeout,
    start_daemon,
)

SOON = 0.05
FOREVER = 3600.0


def raising(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("no\nsuch thing"), "ValueError: no such thing"),
        (SystemExit(3), "SystemExit: 3"),
        (FailedAnswer("the whole reason"), "the whole reason"),
    ],
)
def test_a_crash_is_a_reason(error: BaseException, reason: str) -> None:
    assert attempt(raising, error) == Answer(None, reason)


@pytest.mark.parametrize("error", [BudgetSpentError("spent"), ModelDownError("off"), KeyboardInterrupt(), InputError()])
def test_what_ends_the_run_passes(error: BaseException) -> None:
    with pytest.raises(type(error)):
        attempt(raising, error, passing=(InputError,))


def test_what_is_returned_is_the_value_also_where_that_is_none() -> None:
    assert attempt(str.upper, "a") == Answer("A")
    assert attempt(lambda: None) == Answer(None, None)


def test_a_call_without_a_limit_is_made_where_it_is() -> None:
    assert TimedCalls().within(None, threading.get_ident) == threading.get_ident()


def test_a_call_within_its_time_returns_or_raises_what_it_raises() -> None:
    calls = TimedCalls()
    assert calls.within(20, int, "7") == 7
    with pytest.raises(ZeroDivisionError):
        calls.within(20, lambda: 1 / 0)


def test_a_call_that_never_returns_is_left_behind() -> None:
    started = time.monotonic()
    with pytest.raises(FailedAnswer, match=r"^took longer than 0\.05 s$"):
        TimedCalls().within(SOON, time.sleep, FOREVER)
    assert time.monotonic() - started < 10


def test_a_call_that_held_the_interpreter_past_its_time_is_late_though_it_returned() -> None:
    # One call of C code that never gives up the interpreter: nobody can look at the clock before it is done.
    text = "a" * 20
    with pytest.raises(FailedAnswer, match="took longer"):
        TimedCalls().within(0.001, re.fullmatch, "(a|a)*b", text)


def test_once_many_hang_no_more_threads_are_started_until_one_returns() -> None:
    calls, released = TimedCalls(at_once=2), threading.Event()
    reasons = [attempt(calls.within, SOON, released.wait).failure for _ in range(2 * LEFT_BEHIND + 3)]
    assert reasons[: 2 * LEFT_BEHIND] == ["took longer than 0.05 s"] * (2 * LEFT_BEHIND)
    assert reasons[2 * LEFT_BEHIND :] == ["not asked: 8 earlier calls took longer than 0.05 s and still run"] * 3
    released.set()
    deadline = time.monotonic() + 20
    while attempt(calls.within, 20, str).value is None:
        assert time.monotonic() < deadline


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 86401, True, "5"])
def test_a_timeout_is_a_number_of_seconds(seconds: object) -> None:
    with pytest.raises(InputError, match=r"timeout is .*; expected seconds above 0, and at most a day"):
        checked_timeout(seconds)


def test_a_thread_is_used_again_so_that_what_code_keeps_there_is_found() -> None:
    calls = TimedCalls()
    assert len({calls.within(20, threading.get_ident) for _ in range(5)}) == 1


def test_a_call_on_a_thread_has_the_context_of_its_caller() -> None:
    variable = contextvars.ContextVar("variable", default="none")
    variable.set("the caller's")
    assert start_daemon(variable.get).result(timeout=20) == "the caller's"


def test_threads_are_daemons_and_hold_no_error_back() -> None:
    assert start_daemon(lambda: threading.current_thread().daemon).result(timeout=20)
    assert isinstance(start_daemon(raising, SystemExit(1)).exception(timeout=20), SystemExit)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_waits_for_no_thread_of_its_parent() -> None:
    start_daemon(str).result(timeout=20)  # an idle thread, which the child does not have
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if start_daemon(int, "7").result(timeout=20) == 7 else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
