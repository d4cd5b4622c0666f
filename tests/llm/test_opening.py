"""A model is opened by name, and asked from sync code, with a deadline and retries for what can recover."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from karat.core.errors import InputError, MissingExtraError, ModelFailedError
from karat.llm import named_model
from karat.llm.function_model import FunctionTextModel
from karat.llm.named_model import NamedModel
from karat.llm.opening import open_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class ChatServer(ThreadingHTTPServer):
    """An OpenAI-compatible server: answers with `status` in turn, the last again and again."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ChatHandler)
        self.statuses: list[int] = [200]
        self.retry_after: str | None = None
        self.wait = 0.0
        self.message = "no"
        self.requests: list[dict[str, Any]] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: clients that go away are part of the tests."""


class ChatHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.requests.append(request)
        status = server.statuses[min(len(server.requests), len(server.statuses)) - 1]
        time.sleep(server.wait)
        message = {"role": "assistant", "content": request["messages"][-1]["content"].upper()}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        good = {"id": "1", "object": "chat.completion", "created": 1, "model": request["model"], "choices": [choice]}
        body = json.dumps(good if status == 200 else {"error": {"message": server.message}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if server.retry_after is not None and status != 200:
            self.send_header("Retry-After", server.retry_after)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is theirs
        """Keep the test's output clean."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    made = ChatServer()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{made.server_address[1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setattr(named_model, "FIRST_WAIT", 0.01)
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def echo(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    del info
    return ModelResponse([TextPart(f"you said: {messages[-1].parts[-1].content}")])  # type: ignore[union-attr]


def test_a_model_of_pydantic_ai_answers() -> None:
    assert NamedModel(FunctionModel(echo), "scripted").ask("hello") == "you said: hello"


def test_it_works_inside_a_running_loop() -> None:
    async def inside() -> str:
        return NamedModel(FunctionModel(echo), "scripted").ask("hello")

    assert asyncio.run(inside()) == "you said: hello"


def test_a_compatible_server_is_asked_by_name_at_temperature_0(server: ChatServer) -> None:
    model = open_model("openai-chat:some-model")
    assert model.ask("hello") == "HELLO"
    (request,) = server.requests
    assert request["model"] == "some-model"
    assert request["temperature"] == 0.0
    assert request["messages"] == [{"role": "user", "content": "hello"}]
    assert model.key == f"openai-chat:some-model@127.0.0.1:{server.server_address[1]} temperature=0"


def test_several_threads_may_ask_at_once(server: ChatServer) -> None:
    model = open_model("openai-chat:some-model")
    answers: dict[int, str] = {}
    threads = [threading.Thread(target=lambda i=i: answers.update({i: model.ask(f"q{i}")})) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {i: f"Q{i}" for i in range(6)}
    assert len(server.requests) == 6


def test_a_reasoning_model_is_not_sent_a_temperature(server: ChatServer) -> None:
    model = open_model("openai-chat:o3")
    model.ask("hello")
    assert "temperature" not in server.requests[0]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_can_recover_is_tried_again(server: ChatServer, status: int) -> None:
    server.statuses = [status, status, 200]
    assert open_model("openai-chat:m").ask("hello") == "HELLO"
    assert len(server.requests) == 3


def test_retries_are_bounded_and_are_the_only_ones(server: ChatServer) -> None:
    server.statuses = [500]
    with pytest.raises(ModelFailedError, match=r"^model openai-chat:m: .*500"):
        open_model("openai-chat:m").ask("hello")
    assert len(server.requests) == 1 + named_model.RETRIES


@pytest.mark.parametrize("status", [400, 401, 404])
def test_what_cannot_recover_is_asked_once(server: ChatServer, status: int) -> None:
    server.statuses = [status]
    with pytest.raises(ModelFailedError, match=f"^model openai-chat:m: .*{status}"):
        open_model("openai-chat:m").ask("hello")
    assert len(server.requests) == 1


def test_a_wait_beyond_the_deadline_is_not_begun(server: ChatServer) -> None:
    server.statuses, server.retry_after = [429], "1000"
    with pytest.raises(ModelFailedError, match=r"^model openai-chat:m: .*429"):
        open_model("openai-chat:m").ask("hello")
    assert len(server.requests) == 1


def test_the_deadline_ends_a_slow_call() -> None:
    async def sleeps(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await asyncio.sleep(30)
        return echo(messages, info)

    with pytest.raises(ModelFailedError, match=r"^model scripted: "):
        NamedModel(FunctionModel(sleeps), "scripted", deadline=0.05).ask("hello")


def test_a_function_is_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_model(str.upper).ask("hello") == "HELLO"
    (tmp_path / "my_answers_of_today.py").write_text("def answer(prompt):\n    return prompt[::-1]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    model = open_model("my_answers_of_today:answer")
    assert model.ask("hello") == "olleh"
    content = (tmp_path / "my_answers_of_today.py").read_bytes()
    assert model.key == f"my_answers_of_today:answer (file {hashlib.sha256(content).hexdigest()[:16]})"


def test_the_key_of_a_function_follows_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_edited_answers.py").write_text("def answer(prompt):\n    return 'yes'\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = open_model("my_edited_answers:answer").key
    assert open_model("my_edited_answers:answer").key == before
    (tmp_path / "my_edited_answers.py").write_text("def answer(prompt):\n    return 'perhaps'\n")
    assert open_model("my_edited_answers:answer").key != before


def test_a_function_in_no_file_has_a_key_that_says_so() -> None:
    model = FunctionTextModel(lambda prompt: prompt)
    assert model.key.endswith("<lambda> (not in a file)")
    assert not model.is_lasting


def test_a_function_object_keeps_its_own_key() -> None:
    class Answers:
        key = "answers, version 2"

        def __call__(self, prompt: str) -> str:
            return prompt

    assert open_model(Answers()).key == "answers, version 2"


def test_an_error_of_the_provider_does_not_show_the_key(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-very-secret-0123456789"  # noqa: S105 - made up
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    server.statuses, server.message = [400], f"the key {secret} is wrong"
    with pytest.raises(ModelFailedError, match=r"the key \*\*\* is wrong") as caught:
        open_model("openai-chat:m").ask("hello")
    assert secret not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_text_model_is_taken_as_it_is() -> None:
    model = NamedModel(FunctionModel(echo), "scripted")
    assert open_model(model) is model


def test_a_function_that_returns_no_text_says_so() -> None:
    with pytest.raises(TypeError, match="returned an int; expected text"):
        open_model(len).ask("hello")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gpt", "'gpt' does not name a model; expected PROVIDER:MODEL"),
        ("nothing_here:f", "no module named 'nothing_here'"),
        (3, "an int is no model"),
        ("json:decoder", "json:decoder is no model"),
    ],
)
def test_what_is_no_model_is_an_input_error(spec: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_model(spec)


def test_a_missing_key_is_an_input_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for spec in ("openai:gpt-5", "google:gemini-3-pro-preview"):
        with pytest.raises(InputError, match=f"model '{spec}' cannot be opened"):
            open_model(spec)


def test_without_pydantic_ai_the_extra_is_named_and_functions_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(MissingExtraError, match=r"asking a model needs the extra 'llm': pip install 'karat\[llm\]'"):
        open_model("google:gemini-3-pro-preview")
    assert open_model("textwrap:dedent").ask("  a") == "a"


def test_without_pydantic_ai_a_module_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_failing_answers.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(InputError, match="importing 'my_failing_answers:f' failed with ZeroDivisionError"):
        open_model("my_failing_answers:f")


def test_a_program_that_asked_a_model_ends_cleanly() -> None:
    program = (
        "from pydantic_ai.models.function import FunctionModel\n"
        "from pydantic_ai.messages import ModelResponse, TextPart\n"
        "from karat.llm.named_model import NamedModel\n"
        "m = NamedModel(FunctionModel(lambda messages, info: ModelResponse([TextPart('yes')])), 'scripted')\n"
        "print(m.ask('hello'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "yes\n"
    assert "Warning" not in done.stderr
