"""Coroutines run in one loop, from sync code and from any other loop; the loop never waits for itself."""

from __future__ import annotations

import asyncio
import threading

import pytest

from goldproof.concurrency import run_in_loop, within_loop


async def here() -> tuple[int, int]:
    return threading.get_ident(), id(asyncio.get_running_loop())


def test_there_is_one_loop_wherever_it_is_called_from() -> None:
    async def from_another_loop() -> tuple[int, int]:
        return await within_loop(here())

    async def from_itself() -> tuple[int, int]:
        return await within_loop(here())

    first = run_in_loop(here())
    assert first[0] != threading.get_ident()
    assert asyncio.run(from_another_loop()) == first
    assert run_in_loop(from_itself()) == first


def test_the_loop_does_not_wait_for_itself() -> None:
    async def inside() -> None:
        run_in_loop(here())

    with pytest.raises(RuntimeError, match="would wait for itself"):
        run_in_loop(inside())


def test_an_error_comes_back_to_any_loop() -> None:
    async def fails() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(within_loop(fails()))


def test_who_is_cancelled_elsewhere_is_cancelled_here() -> None:
    ended = threading.Event()

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.set()
            raise

    async def cancelled() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(within_loop(waits()), 0.05)

    asyncio.run(cancelled())
    assert ended.wait(10)


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_code_that_tries_to_exit_ends_its_own_call_and_not_the_loop(error: type[BaseException]) -> None:
    async def exits() -> None:
        raise error

    with pytest.raises(error):
        run_in_loop(exits())
    assert run_in_loop(here())
