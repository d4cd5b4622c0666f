"""The server as a process: one line with its URL, a ledger that outlives killed clients, a prompt end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from goldproof.errors import InputError
from goldproof.testing import CutConnection, ModelServer, RateLimited, Refusal, Slow, read_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAVY = {"numpy", "polars", "pydantic", "pydantic_ai", "openai", "scipy", "yaml"}


@contextmanager
def process(*arguments: str, cwd: Path, stdin: int = subprocess.DEVNULL) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-W", "error", "-m", "goldproof.testing", *arguments]
    pipes: dict[str, Any] = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=cwd, text=True, **pipes) as running:
        try:
            assert running.stdout is not None
            yield running, running.stdout.readline()
        finally:
            running.kill()


def ask(url: str, prompt: str) -> str:
    connection = HTTPConnection("127.0.0.1", urlsplit(url.strip()).port or 0, timeout=20)
    try:
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": prompt}]})
        connection.request("POST", "/v1/chat/completions", body=body)
        return str(json.loads(connection.getresponse().read())["choices"][0]["message"]["content"])
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_its_url_and_ends_on_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    with process(cwd=tmp_path) as (running, line):
        assert line.startswith("http://127.0.0.1:")
        assert line.endswith("/v1\n")
        assert ask(line, "hello") == "hello"
        running.send_signal(number)
        assert running.communicate(timeout=20) == ("", "")
        assert running.returncode == 0


def test_it_ends_when_its_input_is_closed(tmp_path: Path) -> None:
    with process("--until-stdin-closes", cwd=tmp_path, stdin=subprocess.PIPE) as (running, line):
        assert ask(line, "hello") == "hello"
        assert running.communicate(timeout=20) == ("", "")
        assert running.returncode == 0


def test_a_script_is_found_in_the_current_folder_and_answers_are_in_the_ledger(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def shout(request):\n    return request.prompt.upper()\n", encoding="utf-8")
    with process("--script", "mine:shout", "--ledger", "paid.jsonl", cwd=tmp_path) as (_, line):
        assert [ask(line, prompt) for prompt in ("one", "two", "one")] == ["ONE", "TWO", "ONE"]
        paid = read_ledger(tmp_path / "paid.jsonl")
    assert [(each["number"], each["nth"], each["answer"]) for each in paid] == [
        (1, 1, "Text"),
        (2, 1, "Text"),
        (3, 2, "Text"),
    ]
    assert paid[0]["content"] == paid[2]["content"] != paid[1]["content"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--script", "nowhere:script"], "nowhere"), (["--ledger", "no/such/folder"], "the ledger no/such/folder")],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "goldproof.testing", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_starting_it_loads_nothing_heavy() -> None:
    code = f"import sys, goldproof.testing.__main__, goldproof.testing; print(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_what_is_paid_is_in_the_ledger_and_errors_are_not(tmp_path: Path) -> None:
    ledger = tmp_path / "paid.jsonl"
    with ModelServer([RateLimited(), CutConnection(then="cut"), Refusal("No."), "fine words"], ledger=ledger) as server:
        for number in range(4):
            with suppress(OSError, KeyError):
                ask(server.url, f"prompt {number}")
    paid = [(line["answer"], line["whole"], line["tokens_in"], line["tokens_out"]) for line in read_ledger(ledger)]
    # 8 characters asked / 4 = 2; said: 3 / 4, 3 / 4 and 10 / 4, rounded up
    assert paid == [("Text", False, 2, 1), ("Refusal", True, 2, 1), ("Text", True, 2, 3)]


def test_a_call_whose_client_was_killed_is_paid_all_the_same(tmp_path: Path) -> None:
    ledger = tmp_path / "paid.jsonl"
    with ModelServer(Slow(0.3, then="late"), ledger=ledger) as server:
        code = f"import http.client as h; c = h.HTTPConnection({urlsplit(server.url).netloc!r}); "
        code += 'c.request(\'POST\', \'/v1/responses\', body=\'{"model": "m", "input": "?"}\'); c.getresponse()'
        with subprocess.Popen([sys.executable, "-c", code]) as client:
            while server.calls == 0:
                assert client.poll() is None
                time.sleep(0.01)
            client.kill()
        while not (paid := read_ledger(ledger)):
            time.sleep(0.01)
    assert [(line["path"], line["answer"]) for line in paid] == [("/v1/responses", "Text")]


def test_a_ledger_goes_on_where_it_was(tmp_path: Path) -> None:
    for prompt in ("one", "two"):
        with ModelServer(ledger=tmp_path / "paid.jsonl") as server:
            ask(server.url, prompt)
    with (tmp_path / "paid.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"half a li')
    assert len(read_ledger(tmp_path / "paid.jsonl")) == 2
    assert read_ledger(tmp_path / "none.jsonl") == []


def test_a_ledger_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        ModelServer(ledger=tmp_path).start()
