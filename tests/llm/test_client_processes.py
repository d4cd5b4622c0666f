"""Processes that ask the same questions at the same time pay for each once, and share the work."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


MODULE = """
import os, time

def answer(prompt):
    with open("paid", "a") as paid:
        paid.write(f"{os.getpid()} {prompt}\\n")
    time.sleep(0.02)
    return prompt.upper()
"""
PROGRAM = """
import asyncio
from goldproof.concurrency import run_in_loop
from goldproof.llm.model import Ask
from goldproof.llm.model import open_model

async def everything():
    model = open_model("asked_by_several:answer")
    return await asyncio.gather(*(model.answer(Ask(f"q{i}")) for i in range(60)))

print(" ".join(reply.text for reply in run_in_loop(everything())))
"""


def test_processes_at_the_same_time_pay_for_each_question_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asked_by_several.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    processes = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        printed, diagnostics = process.communicate(timeout=60)
        assert (printed.split(), diagnostics) == ([f"Q{i}" for i in range(60)], "")
    paid = Counter(line.split()[1] for line in (tmp_path / "paid").read_text().splitlines())
    assert paid == {f"q{i}": 1 for i in range(60)}
