"""A function is a model: sync or async; it may answer with text, a mapping or an object; it costs nothing."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.errors import BudgetSpentError, ModelDownError, ModelFailedError
from goldproof.llm.access import Access
from goldproof.llm.budget import Budget
from goldproof.llm.function_model import whole_prompt
from goldproof.llm.model import Ask, Reply, Turn, open_model
from tests.llm.asking import GOOD, Verdict, answer, answers, judged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_function_is_a_model() -> None:
    assert open_model(str.upper).ask("hello") == "HELLO"


async def _async_good(prompt: str) -> dict[str, str]:
    await asyncio.sleep(0)
    return {**GOOD, "quote": prompt[:5]}


@pytest.mark.parametrize(
    ("function", "quote"),
    [
        (lambda _: '{"label": "yes", "quote": "text"}', "text"),
        (lambda _: {"label": "yes", "quote": "mapping"}, "mapping"),
        (lambda _: Verdict(label="yes", quote="object"), "object"),
        (_async_good, "Judge"),
        (lambda prompt: _async_good(prompt), "Judge"),  # noqa: PLW0108 - returns what must be awaited
    ],
)
def test_it_may_answer_in_any_of_these_ways(function: Callable[[str], Any], quote: str) -> None:
    assert answer(open_model(function), judged("q")).value == Verdict(label="yes", quote=quote)


def test_it_is_told_everything_in_one_text() -> None:
    prompts: list[str] = []

    def says(prompt: str) -> str:
        prompts.append(prompt)
        return "no JSON" if len(prompts) == 1 else '{"label": "no", "quote": ""}'

    assert answer(open_model(says), judged("Is it so?")).repairs == 1
    assert prompts[0].startswith("Judge.\n\nIs it so?\n\nAnswer with one JSON object")
    assert prompts[1].startswith(f"{prompts[0]}\n\nno JSON\n\nYour answer could not be used: it is not a JSON object.")
    assert whole_prompt(Ask("just this")) == "just this"
    assert whole_prompt(Ask("a"), (Turn("", "it was empty."),)).startswith("a\n\nYour answer could not be used")


def test_it_costs_nothing_so_that_a_limit_lets_it_through() -> None:
    access = Access(budget=Budget(max_cost=0))
    reply = answer(open_model(str.upper, access), "x" * 8)
    assert (reply.cost, reply.tokens_in, reply.tokens_out) == (0.0, 2, 2)
    assert access.budget.facts()["cost_unknown_calls"] == 0
    assert open_model(str.upper, access).estimate(Ask("other")).cost == 0.0


def test_slow_functions_run_at_the_same_time_and_hold_nobody_up() -> None:
    barrier = threading.Barrier(4, timeout=20)

    def waits(prompt: str) -> str:
        barrier.wait()  # passes only if four are here at once
        return prompt

    replies = answers(open_model(waits, Access(concurrency=4)), *(Ask(f"q{i}") for i in range(4)))
    assert [reply.text for reply in replies if isinstance(reply, Reply)] == ["q0", "q1", "q2", "q3"]


def test_the_deadline_leaves_a_slow_function_behind() -> None:
    started = time.monotonic()
    for slow in (lambda _: time.sleep(30), lambda _: asyncio.sleep(30)):
        with pytest.raises(ModelFailedError, match="TimeoutError"):
            answer(open_model(slow, Access(deadline=0.05)), "q")
    assert time.monotonic() - started < 25


def test_a_function_that_hangs_does_not_keep_the_program_from_ending() -> None:
    program = (
        "import time\nfrom goldproof.errors import ModelFailedError\nfrom goldproof.llm.access import Access\n"
        "from goldproof.llm.model import open_model\n"
        "try:\n    open_model(lambda p: time.sleep(600), Access(deadline=0.05)).ask('q')\n"
        "except ModelFailedError as error:\n    print('failed')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("failed\n", "")


def raising(error: BaseException) -> Callable[[str], str]:
    def function(prompt: str) -> str:
        del prompt
        raise error

    return function


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no such thing"), "ValueError: no such thing"),
        (SystemExit(3), "SystemExit: 3"),
        (StopIteration(), "StopIteration"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
    ],
)
def test_whatever_it_raises_is_a_failed_question(error: BaseException, said: str) -> None:
    with pytest.raises(ModelFailedError, match=said):
        open_model(raising(error)).ask("q")


@pytest.mark.parametrize("error", [ModelDownError("off"), BudgetSpentError("spent")])
def test_what_ends_the_run_passes(error: Exception) -> None:
    with pytest.raises(type(error), match=str(error)):
        open_model(raising(error)).ask("q")


def test_a_connection_that_is_cut_is_tried_again() -> None:
    calls: list[str] = []

    def cut(prompt: str) -> str:
        calls.append(prompt)
        if len(calls) < 3:
            raise ConnectionResetError("by peer")
        return "yes"

    assert open_model(cut).ask("q") == "yes"
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("returned", "said"),
    [(3, "returned an int; expected text"), (None, "returned None"), ({"a": object()}, "a mapping that is not JSON")],
)
def test_what_is_no_answer_says_so(returned: object, said: str) -> None:
    with pytest.raises(ModelFailedError, match=said):
        open_model(lambda _: returned).ask("q")


MODULE = """
calls = []
def answer(prompt):
    calls.append(prompt)
    return prompt[::-1]
"""


def test_answers_of_a_function_in_a_file_are_kept_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "my_answers_of_today.py"
    file.write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    model = open_model("my_answers_of_today:answer")
    assert model.ask("hello") == "olleh"
    assert model.key == f"my_answers_of_today:answer (file {hashlib.sha256(file.read_bytes()).hexdigest()[:16]})"
    assert open_model("my_answers_of_today:answer").ask("hello") == "olleh"
    assert sys.modules["my_answers_of_today"].calls == ["hello"]
    file.write_text(f"{MODULE}# other\n")
    changed = open_model("my_answers_of_today:answer")
    assert changed.key != model.key
    changed.ask("hello")
    assert sys.modules["my_answers_of_today"].calls == ["hello", "hello"]


def test_answers_of_a_function_in_no_file_are_never_kept_on_disk(tmp_path: Path) -> None:
    first, second = open_model(lambda _: "first"), open_model(lambda _: "second")
    assert first.key == second.key
    assert first.key.endswith("<lambda> (not in a file)")
    assert (first.ask("q"), second.ask("q"), first.ask("q")) == ("first", "second", "first")
    assert not (tmp_path / "home" / "answers.sqlite").exists()


def test_within_the_process_they_are_asked_once() -> None:
    calls: list[str] = []

    def says(prompt: str) -> str:
        calls.append(prompt)
        return "yes"

    model = open_model(says)
    assert [model.ask("q"), model.ask("q")] == ["yes", "yes"]
    assert calls == ["q"]


class TextModel:
    key = "answers, version 2"

    def ask(self, prompt: str) -> str:
        return prompt.upper()


def test_an_object_that_answers_text_keeps_its_key() -> None:
    model = open_model(TextModel())
    assert model.key == "answers, version 2"
    assert model.ask("hello") == "HELLO"
