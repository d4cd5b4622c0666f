"""A program that is interrupted, or stopped by its budget, ends at once and holds no question for others."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading

import pytest

from goldproof.testing import ModelServer, Request

ASKING = """
import sys
from goldproof.errors import BudgetSpentError
from goldproof.concurrency import run_in_loop
from goldproof.concurrency import gather_all
from goldproof.llm.access import Access
from goldproof.llm.model import Ask
from goldproof.llm.budget import Budget
from goldproof.llm.model import open_model
from goldproof.llm.prices import Price

max_cost = float(sys.argv[2])
access = Access(budget=Budget(max_cost), price=Price(0, 10_000), concurrency=4)
model = open_model(sys.argv[1] + "#model=tiny", access)

async def everything():
    return await gather_all([model.answer(Ask(f"q{i}")) for i in range(12)])

try:
    print(len(run_in_loop(everything())), "answers")
except BudgetSpentError:
    print("stopped")
except KeyboardInterrupt:
    print("interrupted")
"""


def started(server: ModelServer, max_cost: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", ASKING, server.url, str(max_cost)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name == "nt", reason="an interrupt is sent as a signal")
@pytest.mark.parametrize("max_cost", [1000.0, 5.0])  # four calls under way, or one while three wait for money
def test_an_interrupt_ends_the_program_and_frees_its_questions(max_cost: float) -> None:
    asked, answering = threading.Event(), threading.Event()

    async def script(request: Request) -> str:
        del request
        asked.set()
        if not answering.is_set():
            await asyncio.sleep(60)
        return "yes"

    with ModelServer(script) as server:
        process = started(server, max_cost)
        try:
            assert asked.wait(60)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=30) == ("interrupted\n", "")
        finally:
            process.kill()
        # Whoever asks the same now gets answers: no claim is left.
        answering.set()
        assert started(server, 1000.0).communicate(timeout=60) == ("12 answers\n", "")


def test_a_program_whose_budget_is_spent_ends_by_itself() -> None:
    with ModelServer("yes") as server:
        # 200 tokens are expected at a cent each, one is written: 4 calls, and the rest is refused.
        printed, diagnostics = started(server, 2.03).communicate(timeout=60)
        assert (printed, diagnostics) == ("stopped\n", "")
        assert server.calls == 4
