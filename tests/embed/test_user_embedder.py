"""A user's own embedder: called as it wants to be called, checked, and kept apart when its file changes."""

from __future__ import annotations

import importlib
import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.embed.user_embedder import UserEmbedder
from goldproof.errors import EmbeddingFailedError, InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
import numpy as np
SEEN = []
def counts(texts):
    return [[text.count("a"), text.count("b"), 0] for text in texts]
def told(texts, purpose):
    SEEN.append(purpose)
    return np.ones((len(texts), 2))
class Model:
    def embed(self, texts, *, purpose):
        SEEN.append(purpose)
        return counts(texts)
class Keyed:
    key = "keyed, version 2"
    def embed(self, texts):
        return counts(texts)
model = Model()
keyed = Keyed()
NUMBER = 3
def flat(texts): return [1.0] * len(texts)
def few(texts): return counts(texts)[1:]
def ragged(texts): return [[1.0, 2.0], [1.0]]
def words(texts): return [["one", "two"] for text in texts]
def nothing(texts): return None
def broken(texts): return [[1.0, float("nan")] for text in texts]
def empty(texts): return [[] for text in texts]
def huge(texts): return [[3e300, 4e300] for text in texts]
def crashing(texts): raise OSError("lost the connection")
class Unmade:
    def __init__(self): raise RuntimeError("no weights")
    def embed(self, texts): return counts(texts)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "ownembedding.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "ownembedding", raising=False)
    return "ownembedding"


def test_rows_are_brought_to_length_1(module: str) -> None:
    # (3, 4, 0) has length 5, (0, 2, 0) has length 2
    found = UserEmbedder(f"{module}:counts").embed(["aaabbbb", "bb"], "query")
    assert found.dtype == np.float32
    assert found == pytest.approx(np.array([[0.6, 0.8, 0.0], [0.0, 1.0, 0.0]]))


def test_very_large_numbers_keep_their_direction(module: str) -> None:
    assert UserEmbedder(f"{module}:huge").embed(["a"], "query") == pytest.approx(np.array([[0.6, 0.8]]))


@pytest.mark.parametrize("name", ["told", "model", "Model", "model.embed"])
def test_who_wants_to_know_the_purpose_is_told(module: str, name: str) -> None:
    UserEmbedder(f"{module}:{name}").embed(["a"], "code query")
    assert importlib.import_module(module).SEEN == ["code query"]


def test_an_object_may_bring_its_own_key(module: str) -> None:
    assert UserEmbedder(f"{module}:keyed").key == "keyed, version 2"


def test_the_key_follows_the_content_of_the_file(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [UserEmbedder(f"{module}:{name}").key for name in ("counts", "told", "model")]
    assert len(set(before)) == 3
    assert before == [UserEmbedder(f"{module}:{name}").key for name in ("counts", "told", "model")]
    (tmp_path / f"{module}.py").write_text(MODULE + "# changed\n")
    monkeypatch.delitem(sys.modules, module)
    importlib.invalidate_caches()
    after = [UserEmbedder(f"{module}:{name}").key for name in ("counts", "told", "model")]
    assert not set(before) & set(after)


def test_a_function_may_be_given_itself() -> None:
    own = UserEmbedder(one_by_one)
    assert own.embed(["a", "b"], "query").tolist() == [[1.0], [1.0]]
    assert own.is_lasting
    assert "one_by_one (file " in own.key


def one_by_one(texts: list[str]) -> list[list[float]]:
    return [[2.0] for _ in texts]


def test_a_function_in_no_file_has_no_lasting_key() -> None:
    scope: dict[str, object] = {"__name__": "typed"}
    exec("def typed(texts): return [[1.0] for _ in texts]", scope)  # noqa: S102 - a function that stands in no file
    assert not UserEmbedder(scope["typed"]).is_lasting


def test_no_text_is_no_call(module: str) -> None:
    assert len(UserEmbedder(f"{module}:told").embed([], "query")) == 0
    assert importlib.import_module(module).SEEN == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("flat", r"ownembedding:flat: returned a list of shape \(2,\); expected 2 rows of numbers, one for each text"),
        ("few", r"returned a list of shape \(1, 3\); expected 2 rows"),
        ("ragged", "returned a list of rows of different lengths; expected 2 rows of numbers"),
        ("words", "returned a list; expected 2 rows of numbers"),
        ("nothing", r"returned a NoneType of shape \(\); expected 2 rows"),
        ("empty", r"returned a list of shape \(2, 0\); expected 2 rows"),
        ("broken", r"the vector of text 1 of 2 \('aab'\) has a value that is not finite"),
    ],
)
def test_what_is_no_matrix_of_vectors_is_an_error(module: str, name: str, message: str) -> None:
    with pytest.raises(EmbeddingFailedError, match=message):
        UserEmbedder(f"{module}:{name}").embed(["aab", "x" * 100], "query")


def test_what_cannot_be_called_is_an_error(module: str) -> None:
    with pytest.raises(InputError, match="NUMBER is an int; expected a function of a list of texts, or an object"):
        UserEmbedder(f"{module}:NUMBER")


def test_what_the_users_code_raises_fails_that_call_and_says_so(module: str) -> None:
    said = "^embedder ownembedding:crashing failed with OSError: lost the connection$"
    with pytest.raises(EmbeddingFailedError, match=said):
        UserEmbedder(f"{module}:crashing").embed(["a"], "query")


def test_a_class_that_cannot_be_made_is_an_input_error(module: str) -> None:
    with pytest.raises(InputError, match=r"ownembedding:Unmade: making it failed with RuntimeError: no weights"):
        UserEmbedder(f"{module}:Unmade")


def test_a_misspelt_function_is_suggested(module: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'counts'"):
        UserEmbedder(f"{module}:count")


def test_a_text_that_a_users_embedder_knows_nothing_of_keeps_its_zeros(module: str) -> None:
    vectors = UserEmbedder(f"{module}:counts").embed(["aab", "x"], "document")
    assert not vectors[1].any()
    assert np.linalg.norm(vectors[0]) == pytest.approx(1)


def test_what_may_differ_in_what_no_file_says_has_no_lasting_key() -> None:
    def scaled(texts: list[str], factor: float) -> list[list[float]]:
        return [[factor, float(len(text))] for text in texts]

    assert not UserEmbedder(partial(scaled, factor=1.0)).is_lasting
    assert not UserEmbedder(scaled).is_lasting
    assert not UserEmbedder(Sized(1.0)).is_lasting


class Sized:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[self.factor, float(len(text))] for text in texts]
