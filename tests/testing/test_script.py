"""Faults come as scripted; those at random are the same every time, and pass."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest
from openai import APIConnectionError, APIStatusError

from goldproof.errors import InputError
from goldproof.testing import (
    MALFORMED,
    PASSING,
    BadRequest,
    CutConnection,
    Faults,
    InvalidJson,
    Json,
    ModelServer,
    NotFound,
    QuotaSpent,
    RateLimited,
    Refusal,
    SchemaViolation,
    ServerError,
    Slow,
    Text,
    Unauthorized,
)

FORM: Any = {
    "type": "json_schema",
    "json_schema": {"name": "F", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}},
}
TOOL: Any = {"type": "function", "function": {"name": "final", "parameters": FORM["json_schema"]["schema"]}}


def ask(server: ModelServer, prompt: str = "?", **options: Any) -> Any:  # noqa: ANN401
    with openai.OpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
        messages: Any = [{"role": "user", "content": prompt}]
        return client.chat.completions.create(model="small", messages=messages, **options).choices[0].message


@pytest.mark.parametrize(
    ("step", "status", "code"),
    [
        (RateLimited(), 429, "rate_limit_exceeded"),
        (QuotaSpent(), 429, "insufficient_quota"),
        (ServerError(), 500, None),
        (ServerError(503), 503, None),
        (ServerError(529), 529, None),
        (Unauthorized(), 401, "invalid_api_key"),
        (NotFound(), 404, "model_not_found"),
        (BadRequest("too long", code="context_length_exceeded"), 400, "context_length_exceeded"),
    ],
)
def test_errors_have_openais_status_and_code(step: Any, status: int, code: str | None) -> None:  # noqa: ANN401
    with ModelServer(step) as server:
        with pytest.raises(APIStatusError) as raised:
            ask(server)
        assert (raised.value.status_code, raised.value.code) == (status, code)
        assert server.answers == {type(step).__name__: 1}


@pytest.mark.parametrize(
    ("given", "header"), [(2, "2"), (0.5, "0.5"), ("Wed, 21 Oct 2026 07:28:00 GMT",) * 2, (None, None)]
)
@pytest.mark.parametrize("kind", [RateLimited, ServerError])
def test_how_long_to_wait_is_said_in_the_header(kind: Any, given: Any, header: str | None) -> None:  # noqa: ANN401
    with ModelServer(kind(retry_after=given)) as server, pytest.raises(APIStatusError) as raised:
        ask(server)
    assert raised.value.response.headers.get("retry-after") == header


@pytest.mark.parametrize("step", [CutConnection(), CutConnection(after_bytes=300, then="x" * 1000)])
def test_a_cut_connection_is_an_error_of_the_connection(step: CutConnection) -> None:
    with ModelServer(step) as server, pytest.raises(APIConnectionError):
        ask(server)


def test_a_slow_answer_comes_in_the_end_and_may_be_another_fault() -> None:
    with ModelServer(
        [Slow(0.01, then="late"), Slow(0.01), Slow(0.01, then=Slow(0.01, then=ServerError(500)))]
    ) as server:
        assert ask(server, "one").content == "late"
        assert ask(server, "two").content == "two"
        with pytest.raises(APIStatusError):
            ask(server, "three")
        assert server.answers == {"Slow": 4, "Text": 2, "ServerError": 1}


@pytest.mark.parametrize("step", [InvalidJson('{"a'), SchemaViolation({"b": 1})])
def test_a_malformed_answer_comes_where_the_form_was_asked_for(step: Any) -> None:  # noqa: ANN401
    words = {'{"a'} if isinstance(step, InvalidJson) else {'{"b": 1}'}
    with ModelServer(step) as server:
        assert {ask(server, response_format=FORM).content} == words
        called = ask(server, tools=[TOOL], tool_choice="required").tool_calls[0].function
        assert (called.name, {called.arguments}) == ("final", words)


def test_text_stays_text_whatever_was_asked_for() -> None:
    with ModelServer(Text("I would rather talk.")) as server:
        assert ask(server, tools=[TOOL], tool_choice="required").content == "I would rather talk."


def run(seed: int, *, workers: int, every: float = 2) -> tuple[Faults, int]:
    faults = Faults("fine", every=every, seed=seed, kinds=(ServerError(500), CutConnection(after_bytes=9)))
    with ModelServer(faults) as server, ThreadPoolExecutor(workers) as pool:
        said = list(pool.map(lambda n: patiently(server, f"question {n}"), range(30)))
        assert said == ["fine"] * 30
        return faults, server.calls


def patiently(server: ModelServer, prompt: str) -> object:
    """Ask at most three times, over connections of its own: the client's would take longer than all the rest."""
    body = json.dumps({"model": "small", "messages": [{"role": "user", "content": prompt}]})
    for _ in range(3):
        connection = HTTPConnection("127.0.0.1", urlsplit(server.url).port or 0)
        try:
            connection.request("POST", "/v1/chat/completions", body=body)
            answer = connection.getresponse()
            if answer.status == 200:
                return json.loads(answer.read())["choices"][0]["message"]["content"]
        except (HTTPException, OSError):
            pass
        finally:
            connection.close()
    return None


def test_faults_are_the_same_whatever_the_order_and_pass() -> None:
    alone, calls = run(1, workers=1)
    together, same_calls = run(1, workers=6)
    assert alone.injected == together.injected
    assert calls == same_calls == 30 + sum(alone.injected.values())
    assert set(alone.injected) == {"ServerError", "CutConnection"}
    # one of two fails: the chance that of 30 first requests fewer than 5 fail is below 1 in 30,000
    assert sum(alone.injected.values()) >= 5
    assert run(2, workers=6)[0].injected != alone.injected


def test_the_same_content_fails_at_most_so_often() -> None:
    faults = Faults("fine", every=1, kinds=[ServerError(500)], at_most=3)
    with ModelServer(faults) as server:
        for prompt in ("a", "b"):
            for _ in range(3):
                with pytest.raises(APIStatusError):
                    ask(server, prompt)
            assert ask(server, prompt).content == "fine"
    assert faults.injected == {"ServerError": 6}


def test_the_same_content_may_fail_at_one_time_and_not_at_the_next() -> None:
    faults = Faults("fine", every=2, kinds=[ServerError(500)], at_most=100)
    with ModelServer(faults) as server:
        for _ in range(4):
            patiently(server, "again")
        # Were each time decided alike, all would go well in 4 calls, or none in 12.
        assert 0 < faults.injected["ServerError"] < server.calls


def test_a_slow_fault_gives_the_good_answer_later() -> None:
    with ModelServer(Faults(Json({"a": "b"}), every=1, kinds=[Slow(0.01)])) as server:
        assert ask(server, response_format=FORM).content == '{"a": "b"}'
        assert server.answers == {"Slow": 1, "Json": 1}


def test_steps_in_turn_are_not_used_up_by_faults() -> None:
    with ModelServer(Faults(["one", "two"], every=1, kinds=[ServerError(500)], at_most=1)) as server:
        said = [patiently(server, prompt) for prompt in ("a", "b")]
    assert said == ["one", "two"]


def test_the_ready_made_faults_pass_when_asked_again() -> None:
    with ModelServer(Faults(every=1.5, kinds=PASSING)) as server:
        assert [patiently(server, str(n)) for n in range(8)] == [str(n) for n in range(8)]
        assert server.calls > 8
    assert {type(step) for step in MALFORMED} == {InvalidJson, SchemaViolation}


@pytest.mark.parametrize("wrong", [{"every": 0.5}, {"kinds": []}])
def test_faults_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Faults: expected every >= 1"):
        Faults(Refusal(), **wrong)
