"""Keys come from the environment and go to the provider, and nowhere else."""

from __future__ import annotations

import json
import logging
import traceback
from typing import TYPE_CHECKING

import pytest
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

from goldproof.errors import ModelDownError, ModelFailedError
from goldproof.llm.access import Access
from goldproof.llm.answer_cache import shared_cache
from goldproof.llm.client import CachedModel
from goldproof.llm.conversation import ask_key
from goldproof.llm.model import Ask, open_model
from goldproof.llm.provider_model import ProviderTransport
from goldproof.testing import BadRequest, InvalidJson, ModelServer, Refusal, ServerError, Unauthorized
from tests.llm.asking import GOOD, Verdict, answer, judged
from tests.llm.canned import canned, chat

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.testing.steps import Answer, Step

SECRET = "sk-very-secret-0123456789"  # noqa: S105 - made up
REPEATED = f"the key {SECRET} is wrong"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_MODEL_KEY", SECRET)


def files_under(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


@pytest.mark.parametrize("fault", [BadRequest(REPEATED), Unauthorized(REPEATED), ServerError(500, REPEATED)])
def test_an_error_of_the_provider_does_not_show_it(fault: Step, caplog: pytest.LogCaptureFixture) -> None:
    with ModelServer(fault) as server, caplog.at_level(logging.INFO):
        with pytest.raises(ModelFailedError, match=r"the key \*\*\* is wrong") as caught:
            open_model(f"{server.url}#model=m", Access(retries=1)).ask("q")
        printed = "".join(traceback.format_exception(caught.value))
        assert SECRET not in printed
        assert SECRET not in caplog.text


def test_a_key_that_cannot_be_sent_is_not_shown_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_MODEL_KEY", f"{SECRET}\u2028")
    with ModelServer("yes") as server:
        model = open_model(f"{server.url}#model=m", Access())
        assert model.ask("q") == "yes"  # blanks around a key are no part of it
        monkeypatch.setenv("GOLDPROOF_MODEL_KEY", f"\xe4{SECRET}")
        with pytest.raises(ModelDownError, match="Check the API key") as caught:
            open_model(f"{server.url}#model=m", Access()).ask("another")
        assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_what_the_breaker_repeats_does_not_show_it() -> None:
    with ModelServer(ServerError(503, REPEATED)) as server:
        model = open_model(f"{server.url}#model=m", Access(retries=0))
        for i in range(8):
            with pytest.raises(ModelFailedError):
                model.ask(f"q{i}")
        with pytest.raises(ModelDownError, match=r"\*\*\*") as caught:
            model.ask("q")
        assert SECRET not in str(caught.value)


def test_a_name_of_the_model_that_repeats_it_is_kept_without() -> None:
    def made() -> FunctionModel:
        return FunctionModel(lambda *_: ModelResponse([TextPart("yes")]), model_name=f"m-{SECRET}")

    transport = ProviderTransport(made, "scripted")
    CachedModel(transport).ask("q")
    kept = shared_cache().get(ask_key(transport.key, Ask("q")))
    assert kept is not None
    assert "***" in kept.model
    assert SECRET not in kept.model


def test_neither_replies_nor_the_cache_hold_it(tmp_path: Path) -> None:
    script: list[Answer] = [REPEATED, InvalidJson(f'{{"{SECRET}'), {**GOOD, "quote": SECRET}, Refusal(REPEATED)]
    with ModelServer(script) as server:
        model = open_model(f"{server.url}#model=m", Access())
        assert model.ask("q") == "the key *** is wrong"
        reply = answer(model, judged("q"))
        assert SECRET not in repr(reply)
        assert reply.repairs == 1
        with pytest.raises(ModelFailedError, match=r"refused to answer: the key \*\*\*"):
            answer(model, judged("another"))
        assert SECRET not in model.key
        # The model itself was not sent the key in a text either, when it was told what was wrong.
        assert not any(SECRET in message.text for request in server.requests for message in request.messages)
    kept = files_under(tmp_path / "home")
    assert b"the key *** is wrong" in kept
    assert SECRET.encode() not in kept


def test_a_server_that_repeats_it_by_numbers_does_not_bring_it_into_the_value(tmp_path: Path) -> None:
    escaped = "".join(f"\\u{ord(one):04x}" for one in SECRET)
    with canned(chat(f'{{"label": "yes", "quote": "so {escaped}!"}}')) as spec:
        model = open_model(spec, Access())
        for cached in (False, True):
            reply = answer(model, judged("q"))
            assert (reply.value, reply.cached) == (Verdict(label="yes", quote="so ***!"), cached)
            assert escaped not in reply.text
    assert escaped.encode() not in files_under(tmp_path / "home").replace(b"\\\\", b"\\")


@pytest.mark.parametrize("secret", ['sk-"quoted"-012345', "sk-back\\slash-012345"])
def test_an_error_that_repeats_it_in_quotes_does_not_show_it(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_MODEL_KEY", f" {secret}\n")
    with canned({"error": {"message": f"wrong: {json.dumps(secret)}, {secret!r}"}}, status=400) as spec:
        with pytest.raises(ModelFailedError, match=r"wrong.*\*\*\*.*\*\*\*") as caught:
            open_model(spec, Access()).ask("q")
        assert "012345" not in str(caught.value)
