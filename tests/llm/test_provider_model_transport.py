"""A form is asked for as the model takes it; a server that rejects it is asked in words; both endpoints are spoken."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from goldproof.errors import ModelFailedError
from goldproof.llm.access import Access
from goldproof.llm.client import CachedModel
from goldproof.llm.model import Ask, open_model
from goldproof.llm.provider_model import ProviderTransport
from goldproof.testing import BadRequest, Json, ModelServer, Refusal, Request, SchemaViolation
from tests.llm.asking import GOOD, Verdict, answer, judged, model_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_ai.profiles import ModelProfile

    from goldproof.testing.steps import Step


def scripted(
    function: Callable[[list[ModelMessage], AgentInfo], Any], *, profile: ModelProfile | None = None, repairs: int = 2
) -> CachedModel:
    transport = ProviderTransport(lambda: FunctionModel(function, profile=profile), "scripted")
    return CachedModel(transport, Access(keep=False, repairs=repairs))


def echo(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    del info
    return ModelResponse([TextPart(f"you said: {messages[-1].parts[-1].content}")])  # type: ignore[union-attr]


def test_a_model_of_pydantic_ai_answers() -> None:
    assert scripted(echo).ask("hello") == "you said: hello"


def test_it_works_inside_a_running_loop() -> None:
    async def inside() -> str:
        return scripted(echo).ask("hello")

    assert asyncio.run(inside()) == "you said: hello"


@pytest.mark.parametrize("name", ["openai-chat:tiny", "openai:tiny"])
def test_both_endpoints_of_a_compatible_server_are_spoken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer([SchemaViolation(), GOOD, Refusal("never"), "plain"]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        model = open_model(name, Access())
        reply = answer(model, judged("q"))
        assert (reply.value, reply.repairs) == (Verdict(label="yes", quote="the wing"), 1)
        assert reply.tokens_in > 0
        with pytest.raises(ModelFailedError, match="refused to answer: never"):
            answer(model, judged("another"))
        assert model.ask("text") == "plain"
        assert {request.api for request in server.requests} == {"chat" if "chat" in name else "responses"}
        assert all(request.body["temperature"] == 0.0 for request in server.requests)
        assert model.key == f"{name}@{server.url.partition('://')[2]}"


def test_two_gateways_at_one_host_do_not_share_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    keys = []
    for address in ("http://gate.test/a/v1", "http://gate.test/b/v1/", "http://me:hidden@gate.test/b/v1?key=hidden"):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        keys.append(open_model("openai-chat:tiny", Access()).key)
    first, second = "openai-chat:tiny@gate.test/a/v1", "openai-chat:tiny@gate.test/b/v1"
    assert keys == [first, second, second]


def test_the_temperature_is_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer("yes") as server:
        answer(model_of(server), Ask("q", temperature=0.7))
        assert server.requests[0].body["temperature"] == 0.7
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        open_model("openai-chat:o3").ask("q")
        assert "temperature" not in server.requests[1].body  # it always reasons, and takes none


def without_response_format(request: Request) -> Step | dict[str, Any]:
    if "response_format" in request.body:
        return BadRequest("Unknown parameter: response_format")
    return Json(GOOD)


def test_a_server_that_rejects_the_form_is_asked_in_words_from_then_on() -> None:
    with ModelServer(without_response_format) as server:
        model = model_of(server)
        assert answer(model, judged("q")).value == Verdict(label="yes", quote="the wing")
        assert server.calls == 2
        said = server.requests[1].instructions
        assert said.startswith("Judge.")
        assert '"enum":["yes","no"]' in said
        answer(model, judged("another"))
        assert server.calls == 3


def test_a_question_that_is_rejected_either_way_leaves_the_way_as_it_was() -> None:
    def script(request: Request) -> Step | dict[str, Any]:
        return BadRequest("too long") if request.prompt == "long" else GOOD

    with ModelServer(script) as server:
        model = model_of(server)
        with pytest.raises(ModelFailedError, match="too long"):
            answer(model, judged("long"))
        assert server.calls == 2
        answer(model, judged("short"))
        assert server.requests[-1].wants_json


def test_without_schemas_a_tool_is_forced() -> None:
    seen: list[AgentInfo] = []

    def calls(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del messages
        seen.append(info)
        return ModelResponse([ToolCallPart(info.output_tools[0].name, GOOD)])

    model = scripted(calls, profile={"supports_json_schema_output": False, "supports_tools": True})
    assert answer(model, judged("q")).value == Verdict(label="yes", quote="the wing")
    assert not seen[0].allow_text_output
    assert seen[0].output_tools[0].parameters_json_schema == Verdict.model_json_schema()


def test_without_schemas_and_tools_the_form_is_asked_for_in_words() -> None:
    def says(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert not info.output_tools
        assert '"enum":["yes","no"]' in (messages[0].instructions or "")  # type: ignore[union-attr]
        return ModelResponse([TextPart(f"Here:\n```json\n{json.dumps(GOOD)}\n```")])

    model = scripted(says, profile={"supports_json_schema_output": False, "supports_tools": False})
    assert answer(model, judged("q")).value == Verdict(label="yes", quote="the wing")


def test_tokens_are_estimated_where_the_server_does_not_say() -> None:
    def silent(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del messages, info
        return ModelResponse([TextPart("x" * 12)], usage=RequestUsage())

    transport = ProviderTransport(lambda: FunctionModel(silent), "scripted")
    raw = asyncio.run(transport.send(Ask("y" * 8), (), timeout=5))
    reply = answer(CachedModel(transport, Access(keep=False)), Ask("y" * 8))
    # 8 / 4 read, 12 / 4 written, unless pydantic-ai counted them itself
    assert (reply.tokens_in, reply.tokens_out) == (raw.tokens_in or 2, raw.tokens_out or 3)


def test_an_answer_that_was_cut_off_says_so() -> None:
    def cut(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del messages, info
        return ModelResponse([TextPart('{"label": "y')], finish_reason="length")

    with pytest.raises(ModelFailedError, match="cut off at the limit of tokens; it is not a JSON object"):
        answer(scripted(cut, repairs=0), judged("q"))


FORKING = """
import os, sys
from goldproof.llm.model import open_model
model = open_model(sys.argv[1] + "#model=tiny")
assert model.ask("before") == "before"
child = os.fork()
if child == 0:
    ok = model.ask("before") == "before" and model.ask("in the child") == "in the child"
    os._exit(0 if ok else 1)
assert model.ask("in the parent") == "in the parent"
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_it_still_works_after_a_fork() -> None:
    with ModelServer() as server:
        done = subprocess.run(
            # From 3.12 on Python warns whoever forks beside threads, which is what this program does.
            [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", FORKING, server.url],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert sorted(request.prompt for request in server.requests) == ["before", "in the child", "in the parent"]


def test_a_program_that_asked_a_model_ends_cleanly() -> None:
    program = (
        "from pydantic_ai.models.function import FunctionModel\n"
        "from pydantic_ai.messages import ModelResponse, TextPart\n"
        "from goldproof.llm.client import CachedModel\n"
        "from goldproof.llm.provider_model import ProviderTransport\n"
        "made = lambda: FunctionModel(lambda messages, info: ModelResponse([TextPart('yes')]))\n"
        "print(CachedModel(ProviderTransport(made, 'scripted')).ask('hello'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "yes\n"
    assert "Warning" not in done.stderr


def test_a_prompt_that_cannot_be_sent_fails_alone() -> None:
    with ModelServer("yes") as server:
        model = model_of(server)
        with pytest.raises(ModelFailedError, match="surrogates not allowed"):
            answer(model, "half a character: \ud800")
        assert answer(model, "whole characters").text == "yes"
