"""A server by its address: what it must hold, what it must not, and where the key comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.llm.model import open_model
from goldproof.llm.provider_model import make_server_model, parse_server
from goldproof.testing import ModelServer
from tests.llm.asking import answer

if TYPE_CHECKING:
    from pathlib import Path


def test_address_and_model_are_its_key() -> None:
    server = parse_server("http://localhost:8080/v1/#model=org/tiny:7b")
    assert (server.url, server.model) == ("http://localhost:8080/v1", "org/tiny:7b")
    assert server.key == "http://localhost:8080/v1#model=org/tiny:7b"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("http://localhost:8080/v1", "does not say which model"),
        ("http://localhost:8080/v1#model=", "does not say which model"),
        ("http://localhost:8080/v1#name=x", "does not say which model"),
        ("http:///v1#model=x", "has no host"),
        ("http://localhost:port/v1#model=x", "a wrong port"),
        ("http://localhost:99999/v1#model=x", "a wrong port"),
        ("http://[::1/v1#model=x", "has no host"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=f"{said}.*expected http://HOST:PORT/v1#model=NAME"):
        open_model(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "http://me:hush-hush-9@host/v1#model=x",
        "http://hush-hush-9@host/v1#model=x",
        "http://host/v1?key=hush-hush-9#model=x",
    ],
)
def test_an_address_with_a_secret_is_refused_without_repeating_it(spec: str) -> None:
    with pytest.raises(InputError, match="GOLDPROOF_MODEL_KEY") as caught:
        open_model(spec)
    assert "hush" not in str(caught.value)


def test_the_key_comes_from_its_own_variable_only(monkeypatch: pytest.MonkeyPatch) -> None:
    server = parse_server("http://localhost:1/v1#model=x")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-for-openai-alone")
    assert make_server_model(server).client.api_key == "no-key"  # type: ignore[attr-defined]
    monkeypatch.setenv("GOLDPROOF_MODEL_KEY", "for-this-server")
    assert make_server_model(server).client.api_key == "for-this-server"  # type: ignore[attr-defined]


def test_a_server_has_no_list_price_whatever_its_model_is_called(tmp_path: Path) -> None:
    del tmp_path
    with ModelServer("yes") as server:
        assert answer(open_model(f"{server.url}#model=gpt-4o"), "q").cost is None


@pytest.mark.parametrize("name", ["tiny,voets=3", "tiny, voets=3", "tiny#votes=3", "tiny#"])
def test_a_name_that_holds_an_option_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"is not a model name.*expected http://HOST:PORT/v1#model=NAME"):
        open_model(f"http://localhost:1/v1#model={name}")
