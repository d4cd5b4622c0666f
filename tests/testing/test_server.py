"""The model server answers both forms of OpenAI's API, to OpenAI's own client and to pydantic-ai."""

from __future__ import annotations

import gc
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import openai
import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from goldproof.concurrency import run_in_loop
from goldproof.errors import InputError
from goldproof.testing import Empty, Json, ModelServer, Refusal, Request, Slow, Text, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator


class Verdict(BaseModel):
    answerable: Literal["YES", "NO"]
    quotes: list[str]


YES = Verdict(answerable="YES", quotes=["a span"])


def client(server: ModelServer) -> openai.OpenAI:
    return openai.OpenAI(base_url=server.url, api_key="sk-secret-of-the-test", max_retries=0)


def chat(server: ModelServer, prompt: str, **options: Any) -> Any:  # noqa: ANN401 - the client's own types
    with client(server) as asking:
        messages: Any = [{"role": "user", "content": prompt}]
        return asking.chat.completions.create(model="small", messages=messages, **options)


def post(server: ModelServer, body: bytes | str, *, path: str = "/v1/chat/completions") -> tuple[int, dict[str, Any]]:
    connection = HTTPConnection("127.0.0.1", urlsplit(server.url).port or 0)
    try:
        connection.request("POST", path, body=body, headers={"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


@pytest.fixture
def echo() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def test_without_a_script_the_prompt_is_echoed_with_an_id_and_tokens(echo: ModelServer) -> None:
    done = chat(echo, "nine char")
    assert done.choices[0].message.content == "nine char"
    assert done.id.startswith("chatcmpl-")
    # 9 characters / 4 = 2.25, rounded up
    assert (done.usage.prompt_tokens, done.usage.completion_tokens, done.usage.total_tokens) == (3, 3, 6)


def test_the_responses_api_is_answered_as_well(echo: ModelServer) -> None:
    with client(echo) as asking:
        done = asking.responses.create(model="small", input="nine char", instructions="Four")
    assert done.output_text == "nine char"
    # (9 + 4) characters / 4 = 3.25, rounded up
    assert done.usage is not None
    assert (done.usage.input_tokens, done.usage.output_tokens) == (4, 3)
    assert echo.requests[0].instructions == "Four"


def test_an_echo_in_a_form_fills_it_with_the_prompt() -> None:
    schema = {
        "type": "object",
        "properties": {
            "label": {"$ref": "#/$defs/Label"},
            "reason": {"type": "string"},
            "grade": {"type": "integer", "minimum": 1},
            "spans": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "sure": {"type": "boolean"},
            "extra": {"anyOf": [{"type": "null"}, {"type": "string"}]},
            "spare": {"type": "string"},
        },
        "required": ["label", "reason", "grade", "spans", "sure", "extra"],
        "$defs": {"Label": {"enum": ["YES", "NO"]}},
    }
    form = {"type": "json_schema", "json_schema": {"name": "Form", "schema": schema, "strict": True}}
    with ModelServer() as server:
        said = chat(server, "why", response_format=form).choices[0].message.content
    expected = {"label": "YES", "reason": "why", "grade": 1, "spans": ["why"], "sure": False, "extra": None}
    assert json.loads(said) == expected


@pytest.mark.parametrize("form", [NativeOutput(Verdict), ToolOutput(Verdict), PromptedOutput(Verdict)], ids=repr)
@pytest.mark.parametrize("kind", [OpenAIChatModel, OpenAIResponsesModel])
@pytest.mark.parametrize("streamed", [False, True])
def test_pydantic_ai_gets_an_object_in_every_form_that_it_asks_for(
    kind: type[OpenAIChatModel | OpenAIResponsesModel],
    form: Any,  # noqa: ANN401
    streamed: bool,
) -> None:
    async def ask(url: str) -> Verdict:
        async with kind("small", provider=OpenAIProvider(base_url=url, api_key="none")) as model:
            agent = Agent(model, output_type=form, instructions="Judge.", system_prompt="Well.")
            if not streamed:
                return (await agent.run("Is it?")).output  # type: ignore[no-any-return]
            async with agent.run_stream("Is it?") as run:
                return await run.get_output()  # type: ignore[no-any-return]

    with ModelServer(YES) as server:
        assert run_in_loop(ask(server.url)) == YES
        (request,) = server.requests
    assert (request.model, request.prompt, request.stream) == ("small", "Is it?", streamed)
    assert "Judge." in request.instructions
    assert "Well." in request.instructions
    if not isinstance(form, PromptedOutput):
        assert request.schema is not None
        assert list(request.schema["properties"]) == ["answerable", "quotes"]
    assert [tool.name for tool in request.forced_tools] == (["final_result"] if isinstance(form, ToolOutput) else [])


def test_a_script_of_steps_is_used_in_turn_and_the_last_repeats() -> None:
    with ModelServer(["one", Text("two")]) as server:
        assert [chat(server, "?").choices[0].message.content for _ in range(3)] == ["one", "two", "two"]
        assert server.answers == {"Text": 3}


@pytest.mark.parametrize("script", ["always", Text("always"), iter(["always"])])
def test_a_single_step_answers_everything(script: Any) -> None:  # noqa: ANN401
    with ModelServer(script) as server:
        assert [chat(server, "?").choices[0].message.content for _ in range(2)] == ["always"] * 2


def test_a_function_gets_the_request_sync_or_async() -> None:
    def sync(request: Request) -> str:
        return f"{request.prompt} {request.number} {request.nth}"

    async def waits(request: Request) -> str:
        return sync(request)

    for script in (sync, waits):
        with ModelServer(script) as server:
            said = [chat(server, prompt).choices[0].message.content for prompt in ("a", "b", "a")]
        # the third request asks what the first did: its second time
        assert said == ["a 1 1", "b 2 1", "a 3 2"]


def test_a_script_that_raises_is_told_to_the_client_and_to_the_test() -> None:
    def wrong(request: Request) -> str:
        raise KeyError(request.prompt)

    with ModelServer(wrong) as server:
        with pytest.raises(openai.BadRequestError, match="the script failed: KeyError: 'lost'"):
            chat(server, "lost")
        assert server.errors == ("KeyError: 'lost'",)


@pytest.mark.parametrize("script", [lambda _: 7, lambda _: None])
def test_an_answer_of_the_wrong_kind_is_told(script: Any) -> None:  # noqa: ANN401
    with ModelServer(script) as server, pytest.raises(openai.BadRequestError, match="expected a step, text, a dict"):
        chat(server, "?")


@pytest.mark.parametrize(("script", "said"), [([], "empty list"), (7, "cannot be an int"), (Text, "cannot be a type")])
def test_a_script_that_cannot_be_one_is_refused_at_once(script: Any, said: str) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match=said):
        ModelServer(script)


def test_a_tool_call_has_the_name_and_arguments_that_were_said() -> None:
    tool: Any = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
    with ModelServer(ToolCall("find", {"query": "é"})) as server:
        said = chat(server, "?", tools=[tool]).choices[0]
        assert said.finish_reason == "tool_calls"
        assert said.message.tool_calls[0].function.name == "find"
        assert json.loads(said.message.tool_calls[0].function.arguments) == {"query": "é"}
        assert (server.requests[0].tools[0].name, server.requests[0].forced_tools) == ("find", ())


def test_json_goes_to_the_tool_that_it_fits_and_only_where_one_must_be_called() -> None:
    tools: Any = [
        {"type": "function", "function": {"name": name, "parameters": {"properties": {key: {}}, "required": [key]}}}
        for name, key in (("first", "a"), ("second", "b"))
    ]
    named = {"type": "function", "function": {"name": "first"}}
    several = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [tools[0]]}}
    with ModelServer(Json({"b": 1})) as server:

        def called(choice: object) -> list[str]:
            message = chat(server, "?", tools=tools, tool_choice=choice).choices[0].message
            return [call.function.name for call in message.tool_calls or ()]

        found = [called(choice) for choice in ("required", named, several, "auto")]
    assert found == [["second"], ["first"], ["first"], []]


def test_json_is_text_where_a_form_was_asked_for_beside_tools() -> None:
    tool: Any = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
    with ModelServer(Json({"b": 1})) as server:
        message = chat(server, "?", tools=[tool], tool_choice="required", response_format={"type": "json_object"})
    assert message.choices[0].message.content == '{"b": 1}'


@pytest.mark.parametrize(("step", "content", "refusal"), [(Refusal("No."), None, "No."), (Empty(), "", None)])
def test_refusals_and_empty_answers_have_their_own_form(step: Any, content: Any, refusal: Any) -> None:  # noqa: ANN401
    with ModelServer(step) as server:
        message = chat(server, "?").choices[0].message
        with client(server) as asking:
            output: Any = asking.responses.create(model="small", input="?").output[0]
    assert (message.content, message.refusal) == (content, refusal)
    part = output.content[0].model_dump()
    assert part.get("refusal", part.get("text")) == (refusal or content)


def test_refusals_are_streamed_as_well() -> None:
    with ModelServer(Refusal("No.")) as server, client(server) as asking:
        pieces: Any = asking.responses.create(model="small", input="?", stream=True)
        kinds = [piece.type for piece in pieces]
        deltas = [piece.choices[0].delta for piece in chat(server, "?", stream=True)]
    assert kinds[0] == "response.created"
    assert kinds[-1] == "response.completed"
    assert {"response.refusal.delta", "response.refusal.done"} <= set(kinds)
    assert [delta.refusal for delta in deltas] == ["No.", None]


def test_conversations_are_read_in_both_forms(echo: ModelServer) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "found"},
        {"role": "user", "content": "three"},
    ]
    items = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "input_text", "text": "one"}, {"type": "input_text", "text": "two"}]},
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "function_call", "call_id": "1", "name": "find", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "1", "output": "found"},
        {"type": "message", "role": "user", "content": "three"},
    ]
    post(echo, json.dumps({"model": "m", "messages": messages}))
    post(echo, json.dumps({"model": "m", "input": items}), path="/v1/responses")
    for request in echo.requests:
        said = [(message.role, message.text) for message in request.messages]
        assert said == [
            ("system", "Be brief."),
            ("user", "one\ntwo"),
            ("assistant", '{"q": 1}'),
            ("tool", "found"),
            ("user", "three"),
        ]
        assert (request.prompt, request.instructions) == ("three", "Be brief.")


def test_keys_are_not_kept(echo: ModelServer) -> None:
    chat(echo, "?", extra_headers={"X-Api-Key": "sk-other", "X-Trace": "kept"})
    assert echo.requests[0].headers["x-trace"] == "kept"
    assert "sk-" not in repr(echo.requests)


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/v1/embeddings", "{}", 404, "Invalid URL"),
        ("/v1/models", "{}", 404, "Invalid URL"),
        ("/v1/chat/completions", "{", 400, "not JSON"),
        ("/v1/chat/completions", b"\xff\xfe", 400, "not JSON"),
        ("/v1/chat/completions", "[" * 100_000, 400, "not JSON"),
        ("/v1/chat/completions", "[]", 400, "not a JSON object"),
        ("/v1/chat/completions", '{"messages": [{"role": "user", "content": "?"}]}', 400, "model"),
        ("/v1/chat/completions", '{"model": "m"}', 400, "messages"),
        ("/v1/chat/completions", '{"model": "m", "messages": ["?"]}', 400, "messages"),
        ("/v1/chat/completions", '{"model": "m", "messages": [{"content": "?"}]}', 400, "role"),
        ("/v1/chat/completions", '{"model": "m", "messages": [{"role": "user"}], "tools": 1}', 400, "tools"),
        ("/v1/responses", '{"model": "m"}', 400, "input"),
        ("/v1/responses", '{"model": "m", "input": 7}', 400, "input"),
    ],
)
def test_what_openai_would_refuse_is_refused_in_its_format(
    echo: ModelServer, path: str, body: str, status: int, said: str
) -> None:
    code, answer = post(echo, body, path=path)
    assert (code, set(answer["error"])) == (status, {"message", "type", "param", "code"})
    assert said in answer["error"]["message"]
    assert echo.calls == 0


def test_models_are_listed_and_other_methods_refused(echo: ModelServer) -> None:
    with client(echo) as asking:
        assert [model.id for model in asking.models.list()] == ["goldproof-testing"]
    connection = HTTPConnection("127.0.0.1", urlsplit(echo.url).port or 0)
    connection.request("GET", "/v1/responses")
    assert connection.getresponse().status == 405
    connection.close()


def test_the_most_at_once_is_counted() -> None:
    with ModelServer(Slow(0.2, then="late")) as server, ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda n: chat(server, str(n)), range(5)))
        assert server.calls == 5
        assert 1 < server.most_at_once <= 5
    with ModelServer() as server:
        for _ in range(3):
            chat(server, "?")
        assert server.most_at_once == 1


def test_nothing_is_left_after_the_end() -> None:
    before = set(threading.enumerate())
    with ModelServer(Slow(60)) as server:
        port = urlsplit(server.url).port or 0
        waiting = socket.create_connection(("127.0.0.1", port))
        body = b'{"model": "m", "messages": [{"role": "user", "content": "?"}]}'
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        waiting.sendall(head + body)
        idle = socket.create_connection(("127.0.0.1", port))
        while server.calls == 0:
            time.sleep(0.01)
    for connection in (waiting, idle):
        connection.settimeout(5)
        assert closed(connection)
        connection.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    assert set(threading.enumerate()) == before
    with pytest.raises(InputError, match="not running"):
        _ = server.url
    server.stop()  # again: nothing happens
    gc.collect()  # an unclosed socket would be a warning, which is an error here


def test_a_connection_made_just_before_the_end_is_closed() -> None:
    for _ in range(20):
        with ModelServer() as server:
            late = socket.create_connection(("127.0.0.1", urlsplit(server.url).port or 0), timeout=5)
        assert closed(late)
        late.close()
    gc.collect()


def closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_server_can_be_started_again_and_not_twice() -> None:
    server = ModelServer("here")
    for _ in range(2):
        with server:
            assert chat(server, "?").choices[0].message.content == "here"
            with pytest.raises(InputError, match="already"):
                server.start()


def test_a_port_that_is_taken_is_told(echo: ModelServer) -> None:
    port = urlsplit(echo.url).port or 0
    other = ModelServer(port=port)
    with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{port}"):
        other.start()
    assert chat(echo, "?").choices[0].message.content == "?"
