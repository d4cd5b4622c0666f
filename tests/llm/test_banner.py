"""On a terminal nothing is printed but what the program prints: no banner, no progress, no warning."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from goldproof.testing import ModelServer, RateLimited, Request
from tests.terminal import screen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.testing import Answer

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)

PROGRAM = """
import sys
from goldproof.llm import open_model

assert sys.stdout.isatty() and sys.stderr.isatty() and sys.stdin.isatty()
for spec in sys.argv[1:]:
    model = open_model(spec)
    for prompt in ("first", "second", "first"):
        print(model.ask(prompt))
"""
# What it takes for the banner to come: without that, the other tests would hold for another reason than they say.
BARE = """
import sys
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

url, _, name = sys.argv[1].partition("#model=")
print(Agent(OpenAIChatModel(name, provider=OpenAIProvider(base_url=url, api_key="none"))).run_sync("hello").output)
"""


def on_terminal(command: list[str], *, home: Path) -> str:
    """Return all that a process prints on a terminal of its own, as lines end in a file."""
    ours, theirs = os.openpty()
    # With some of these set, pydantic-ai takes itself for unwatched, and is silent.
    unwatched = ("CI", "PYTEST", "PYDANTIC_AI", "NO_COLOR")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unwatched)}
    environment |= {"GOLDPROOF_HOME": str(home), "TERM": "xterm-256color", "OPENAI_API_KEY": "none"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=home) as process:
        os.close(theirs)
        printed = b"".join(_read(ours))
    os.close(ours)
    text = printed.decode().replace("\r\n", "\n")
    assert process.returncode == 0, text
    return text


def _read(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # how Linux says that the other side is closed
            return
        if not piece:
            return
        yield piece


def test_a_program_that_asks_models_prints_only_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def script(request: Request) -> Answer:
        return RateLimited(retry_after=0) if request.number == 1 else f"{request.api} {request.prompt}"

    with ModelServer(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        specs = [f"{server.url}#model=small", "openai:gpt-5"]
        # Connections end with the process, which Python would remark on where it is asked to.
        warnings = ["-W", "default", "-W", "ignore::ResourceWarning"]
        printed = on_terminal([sys.executable, *warnings, "-c", PROGRAM, *specs], home=tmp_path)
    said = [f"{api} {prompt}\n" for api in ("chat", "responses") for prompt in ("first", "second", "first")]
    assert printed == "".join(said)


def test_without_us_the_banner_would_come(tmp_path: Path) -> None:
    with ModelServer("fine") as server:
        printed = on_terminal([sys.executable, "-c", BARE, f"{server.url}#model=small"], home=tmp_path)
    assert printed.endswith("fine\n")
    assert "PYDANTIC_AI_NO_BANNER" in printed


def test_goldproof_mine_on_a_terminal_shows_its_progress_and_its_report_and_no_banner(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": "q", "text": "What colour is the boat?", "answer": "red"}\n')
    (tmp_path / "c.jsonl").write_text('{"_id": "a", "text": "The boat is red."}\n{"_id": "b", "text": "It sails."}\n')
    no = {"answerable": "NO", "quotes": [], "answer": "", "missing": "", "reason": ""}
    with ModelServer(lambda _: no) as server:
        command = [sys.executable, "-m", "goldproof", "mine", "--cases", "q.jsonl", "--corpus", "jsonl:c.jsonl"]
        judge = ["--judge", f"llm:{server.url}#model=m", "--skip-no-context", "--discover", f"{server.url}#model=m"]
        printed = on_terminal([*command, *judge, "--out", "out"], home=tmp_path)
    lines = [line.strip() for line in screen(printed)]
    assert "1 of 2 candidates judged" in printed
    assert not [line for line in lines if "candidates judged" in line]
    assert "written to out" in lines
    assert "Candidates by source" in lines
    assert "PYDANTIC_AI_NO_BANNER" not in printed
    assert "pydantic" not in printed.casefold()
