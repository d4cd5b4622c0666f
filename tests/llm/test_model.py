"""A model is opened by what the user wrote; what is wrong with it is said at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from goldproof.errors import InputError, MissingExtraError
from goldproof.llm.model import open_model

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.llm.client import CachedModel
    from goldproof.llm.model import Ask, Estimate, Reply


class OwnModel:
    key = "mine"

    async def answer(self, ask: Ask) -> Reply:
        raise NotImplementedError

    def ask(self, prompt: str) -> str:
        return prompt

    def estimate(self, ask: Ask) -> Estimate:
        raise NotImplementedError


def test_a_model_is_taken_as_it_is() -> None:
    for model in (OwnModel(), open_model(str.upper)):
        assert open_model(model) is model


def test_a_function_object_keeps_its_own_key() -> None:
    class Answers:
        key = "answers, version 2"

        def __call__(self, prompt: str) -> str:
            return prompt

    assert open_model(Answers()).key == "answers, version 2"


def test_the_key_of_a_function_follows_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_edited_answers.py").write_text("def answer(prompt):\n    return 'yes'\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = open_model("my_edited_answers:answer").key
    assert open_model("my_edited_answers:answer").key == before
    (tmp_path / "my_edited_answers.py").write_text("def answer(prompt):\n    return 'perhaps'\n")
    assert open_model("my_edited_answers:answer").key != before


def test_a_function_in_no_file_has_a_key_that_says_so() -> None:
    model = cast("CachedModel", open_model(lambda prompt: prompt))
    assert model.key.endswith("<lambda> (not in a file)")
    assert not model.is_lasting


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gpt", "'gpt' does not name a model; expected PROVIDER:MODEL"),
        ("nothing_here:f", "no module named 'nothing_here'"),
        (3, "builtins:int is an int; expected PROVIDER:MODEL"),
        ("json:decoder", "json:decoder is a module; expected"),
        (OwnModel, "OwnModel is a type; expected"),
    ],
)
def test_what_is_no_model_is_an_input_error(spec: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_model(spec)


@pytest.mark.parametrize("spec", ["openai:gpt-5", "google:gemini-3-pro-preview"])
def test_a_missing_key_is_an_input_error_at_once(spec: str) -> None:
    with pytest.raises(InputError, match=f"model '{spec}' cannot be opened"):
        open_model(spec)


def test_a_model_of_a_provider_has_its_list_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "none-of-your-business")
    model = cast("CachedModel", open_model("google:gemini-2.5-flash"))
    assert model.price is not None
    assert 0 < model.price.tokens_in < model.price.tokens_out
    assert model.key.startswith("google:gemini-2.5-flash")


@pytest.mark.parametrize("spec", ["google:gemini-3-pro-preview", "http://localhost:1/v1#model=x"])
def test_without_pydantic_ai_the_extra_is_named(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(
        MissingExtraError, match=r"asking a model needs the extra 'llm': pip install 'goldproof\[llm\]'"
    ):
        open_model(spec)


def test_without_pydantic_ai_functions_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    assert open_model("textwrap:dedent").ask("  a") == "a"


def test_without_pydantic_ai_a_module_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_failing_answers.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(InputError, match="importing 'my_failing_answers:f' failed with ZeroDivisionError"):
        open_model("my_failing_answers:f")
