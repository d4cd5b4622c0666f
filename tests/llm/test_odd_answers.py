"""Servers that answer with status 200 and something odd, that redirect, or that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai.models.function import FunctionModel

from goldproof.errors import BudgetSpentError, ModelFailedError
from goldproof.llm.access import Access
from goldproof.llm.client import CachedModel
from goldproof.llm.model import open_model
from goldproof.llm.prices import Price
from goldproof.llm.provider_model import ProviderTransport
from tests.llm.asking import answer
from tests.llm.canned import USAGE, canned, chat

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse


def failure(body: object, access: Access | None = None, **more: Any) -> str:  # noqa: ANN401
    with canned(body, **more) as spec:
        model = open_model(spec, access or Access(retries=0))
        with pytest.raises(ModelFailedError) as caught:
            model.ask("q")
    return str(caught.value).partition("#model=m: ")[2]


def raising(error: Exception) -> CachedModel:
    def function(*_: object) -> ModelResponse:
        raise error

    return CachedModel(ProviderTransport(lambda: FunctionModel(function), "scripted"), Access(retries=1))


def test_an_answer_without_choices_is_a_failed_question_that_may_be_billed() -> None:
    access = Access(retries=1)
    assert failure(chat("", choices=[]), access) == "the server's answer holds no choices"
    facts = access.budget.facts()
    assert (facts["retries"], facts["uncertain_calls"], facts["failed"]) == (1, 2, 1)


def test_without_choices_a_named_model_fails_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with canned(chat("", choices=[])) as spec:
        monkeypatch.setenv("OPENAI_BASE_URL", spec.partition("#")[0])
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        with pytest.raises(ModelFailedError, match="the answer cannot be read: IndexError"):
            open_model("openai-chat:m", Access()).ask("q")


@pytest.mark.parametrize(
    ("error", "retries"), [(KeyError("usage"), 0), (RecursionError("deep"), 0), (ConnectionResetError("gone"), 1)]
)
def test_whatever_the_client_raises_is_a_failed_question(error: Exception, retries: int) -> None:
    model = raising(error)
    with pytest.raises(ModelFailedError, match=f"the answer cannot be read: {type(error).__name__}"):
        model.ask("q")
    facts = model.access.budget.facts()
    assert (facts["retries"], facts["uncertain_calls"]) == (retries, 1 + retries)


def test_errors_of_our_own_stay_what_they_are() -> None:
    with pytest.raises(BudgetSpentError, match="enough"):
        raising(BudgetSpentError("enough")).ask("q")


@pytest.mark.parametrize("told", [-5, 10**9 + 1, 10**400, "many", 1.5, None])
@pytest.mark.parametrize("which", ["prompt_tokens", "completion_tokens"])
def test_tokens_that_cannot_be_are_estimated(which: str, told: object, recwarn: pytest.WarningsRecorder) -> None:
    access = Access(price=Price(1e6, 1e6), keep=False)
    with canned(chat("four" * 3, usage={**USAGE, which: told})) as spec:
        reply = answer(open_model(spec, access), "eight" * 8)
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (10, 3, 13.0)  # 40 / 4 and 12 / 4 characters
    assert not recwarn.list


@pytest.mark.parametrize("told", [-5, 10**400])
def test_a_named_model_tells_no_such_tokens_either(
    told: int, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    with canned(chat("four", usage={**USAGE, "completion_tokens": told})) as spec:
        monkeypatch.setenv("OPENAI_BASE_URL", spec.partition("#")[0])
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        assert answer(open_model("openai-chat:m", Access(price=Price(1, 1))), "q").tokens_out == 1
    assert not recwarn.list


def test_a_sum_of_tokens_that_is_missing_does_not_matter() -> None:
    with canned(chat("yes", usage={"prompt_tokens": 50, "completion_tokens": 0})) as spec:
        assert answer(open_model(spec, Access()), "q").tokens_in == 50


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ({"message": "no memory left", "type": "x"}, "the server answered with an error: no memory left"),
        ("no memory left", "the server answered with an error: no memory left"),
        ({"code": 7}, "the server answered with an error: {'code': 7}"),
    ],
)
def test_an_error_with_status_200_is_said_in_the_servers_words(error: object, said: str) -> None:
    access = Access(retries=1)
    assert failure({"error": error}, access) == said
    facts = access.budget.facts()
    assert (facts["retries"], facts["uncertain_calls"]) == (1, 0)  # it may pass, and is not billed


def test_an_error_that_will_not_pass_is_not_tried_again() -> None:
    access = Access(retries=1)
    assert failure({"error": {"message": "too long", "code": 400}}, access).endswith("too long")
    assert access.budget.facts()["retries"] == 0


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("https://me:hush@elsewhere.test:8443/v1/chat?key=hush", "to https://elsewhere.test:8443/v1/chat"),
        ("/v2/chat", "to /v2/chat"),
        ("", "without saying where to"),
    ],
)
def test_a_redirect_is_said_without_what_may_be_a_secret(location: str, said: str) -> None:
    message = failure("", status=307, headers={"Location": location})
    assert message.startswith(f"the address redirects {said} (status 307)")
    assert "hush" not in message


def test_a_connection_that_fails_says_to_where(monkeypatch: pytest.MonkeyPatch) -> None:
    with canned("") as spec:
        place = spec.partition("://")[2].partition("/")[0]
    with pytest.raises(ModelFailedError, match=rf"Connection error \(to {place}\)"):
        open_model(spec, Access(retries=0)).ask("q")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:hush@{place}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with pytest.raises(ModelFailedError, match=rf"Connection error \(to {place}\)") as caught:
        open_model("openai-chat:m", Access(retries=0)).ask("q")
    assert "hush" not in str(caught.value)
