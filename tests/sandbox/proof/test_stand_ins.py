"""Stand-ins answer for a model, a network and a clock, and leave no trace."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
import urllib.request

import httpx
import pytest

from goldproof.sandbox.inside.proof.stand_ins import fake_chat_model, fake_http, fixed_clock
from tests.sandbox.proof.proving import prove

_ADK = '''
from goldproof_proof import observe
from goldproof_proof.stand_ins import fake_adk_model
from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

def double(x: int) -> int:
    """Double it."""
    return 2 * x

async def talk():
    model = fake_adk_model(("double", {"x": 4}), "eight")
    agent = LlmAgent(name="helper", model=model, tools=[double])
    runner = InMemoryRunner(agent=agent, app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id="u")
    said = types.Content(role="user", parts=[types.Part(text="hi")])
    seen = []
    async for event in runner.run_async(user_id="u", session_id=session.id, new_message=said):
        for part in event.content.parts:
            call, answer = part.function_call, part.function_response
            seen.append(part.text or (call and call.name) or (answer and answer.response))
    return seen, len(model.asked)

observe("talk", talk)
'''


@pytest.mark.slow
def test_an_adk_agent_runs_with_a_model_that_calls_a_tool_and_then_answers() -> None:
    done = prove(_ADK, packages=("google.adk.agents", "google.adk.runners"))
    assert done.last["value"]["literal"] == "(['double', {'result': 8}, 'eight'], 2)", done.message
    assert (done.message["blocked"], done.message["changed"]) == ([], [])


def test_a_chat_model_answers_in_turn_and_keeps_what_it_was_asked() -> None:
    model = fake_chat_model("one", ValueError("no"), "last")
    assert model("a", temperature=0) == "one"
    with pytest.raises(ValueError, match="no"):
        model("b")
    assert asyncio.run(model.ainvoke("c")) == "last"
    assert model.invoke("d") == "last"
    assert model.calls[0] == (("a",), {"temperature": 0})


def test_http_is_answered_from_a_table() -> None:
    before = (httpx.HTTPTransport.handle_request, urllib.request.OpenerDirector.__dict__["_open"])
    with fake_http({"http://a.test/*": {"n": 1}, "https://b.test/": (500, "bad")}) as asked:
        assert httpx.get("http://a.test/x").json() == {"n": 1}
        assert httpx.get("https://b.test/").status_code == 500
        assert httpx.get("https://c.test/").status_code == 404
        with urllib.request.urlopen("http://a.test/y") as answer:
            assert answer.read() == b'{"n": 1}'
    assert asked[0] == ("GET", "http://a.test/x")
    assert before == (httpx.HTTPTransport.handle_request, urllib.request.OpenerDirector.__dict__["_open"])


def test_requests_is_answered_as_well() -> None:
    requests = pytest.importorskip("requests")
    with fake_http(lambda method, address: {"method": method, "address": address}):
        assert requests.post("http://a.test/").json() == {"method": "POST", "address": "http://a.test/"}


def test_an_async_client_is_answered_as_well() -> None:
    async def ask() -> int:
        async with httpx.AsyncClient() as client:
            return (await client.get("http://a.test/")).status_code

    with fake_http({"http://a.test/": "text"}):
        assert asyncio.run(ask()) == 200


def test_a_fixed_clock_stands_still_and_sleeping_moves_it_on() -> None:
    real = time.time
    with fixed_clock(dt.datetime(2024, 2, 29, tzinfo=dt.UTC)) as now:
        assert dt.datetime.now(dt.UTC).isoformat() == "2024-02-29T00:00:00+00:00"
        time.sleep(60)
        # 2024-02-29T00:00:00Z is 1,709,164,800 seconds after 1970; one minute later: 1,709,164,860
        assert (time.time(), now[0], time.time_ns()) == (1_709_164_860, 1_709_164_860, 1_709_164_860_000_000_000)
    assert time.time is real
