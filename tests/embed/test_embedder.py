"""Opening an embedder by what a user writes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.embed.cache import CachedEmbedder
from goldproof.embed.embedder import open_embedder
from goldproof.embed.minilm import MiniLm
from goldproof.embed.provider_embedder import ProviderEmbedder
from goldproof.embed.user_embedder import UserEmbedder
from goldproof.errors import InputError, UnknownNameError
from goldproof.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.embed.embedder import Embedder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_minilm_is_cached_under_the_home_folder(home: Path) -> None:
    told: list[Progress] = []
    embedder = open_embedder("minilm", on_progress=told.append)
    assert isinstance(embedder, CachedEmbedder)
    assert embedder.path.parent == home / "vectors"
    assert np.array_equal(embedder.embed(["a text"], "query"), MiniLm().embed(["a text"], "query"))
    assert told == [Progress("texts embedded", 0, 1), Progress("texts embedded", 1, 1)]
    embedder.embed(["a text"], "query")
    assert told[2:] == [Progress("texts embedded", 1, 1, cached=1)]


def test_without_a_cache_nothing_is_written(home: Path) -> None:
    assert isinstance(open_embedder("minilm", cache=False), MiniLm)
    assert not home.exists()


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("google:gemini-embedding-001", "google:gemini-embedding-001"),
        ("models/text-embedding-004", "google:text-embedding-004"),
        ("openai:text-embedding-3-small", "openai:text-embedding-3-small"),
        ("text-embedding-3-small", "openai:text-embedding-3-small"),
    ],
)
def test_hosted_models_and_their_other_spellings(spec: str, key: str) -> None:
    embedder = open_embedder(spec, cache=False)
    assert isinstance(embedder, ProviderEmbedder)
    assert embedder.key == key


@pytest.mark.parametrize(
    "spec",
    [
        "sentence-transformers:all-mpnet-base-v2",
        "sentence-transformers:BAAI/bge-small-en-v1.5",
        "all-mpnet-base-v2",
        "bge-small-en-v1.5",
        "BAAI/bge-small-en-v1.5",
        "sentence-transformers/all-MiniLM-L6-v2",
    ],
)
def test_a_model_of_sentence_transformers_names_the_package_to_install(spec: str) -> None:
    with pytest.raises(InputError, match=r"pip install sentence-transformers\n  The embedder minilm is all-MiniLM"):
        open_embedder(spec)


@pytest.mark.parametrize("spec", ["minilmm", "MiniLM", "mini-lm"])
def test_a_misspelt_name_is_suggested(spec: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'minilm'"):
        open_embedder(spec)


def test_a_misspelt_provider_is_suggested() -> None:
    with pytest.raises(InputError, match=r"no module named 'opneai'.*\n.*did you mean openai:text-embedding-3-small\?"):
        open_embedder("opneai:text-embedding-3-small")


def test_an_unknown_module_is_named() -> None:
    with pytest.raises(InputError, match="no module named 'quite_another_thing'"):
        open_embedder("quite_another_thing:embed")


def test_an_empty_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"known: .*minilm"):
        open_embedder("")


def unit(texts: list[str]) -> list[list[float]]:
    return [[1.0, 0.0] for _ in texts]


def test_a_function_is_wrapped_and_cached() -> None:
    embedder = open_embedder(unit)
    assert isinstance(embedder, CachedEmbedder)
    assert embedder.embed(["a"], "query").tolist() == [[1.0, 0.0]]


def test_what_has_no_lasting_key_is_not_cached() -> None:
    scope: dict[str, object] = {"__name__": "typed"}
    exec("def typed(texts): return [[1.0] for _ in texts]", scope)  # noqa: S102 - a function that stands in no file
    embedder = open_embedder(scope["typed"])  # type: ignore[arg-type]
    assert isinstance(embedder, UserEmbedder)


def test_where_a_class_says_it_lives_is_no_promise() -> None:
    def long(texts: list[str]) -> list[list[float]]:
        return [[0.0, 5.0] for _ in texts]

    posing = type("Posing", (), {"key": "posing", "embed": staticmethod(long), "__module__": "goldproof.embed.posing"})
    assert open_embedder(posing(), cache=False).embed(["a"], "query").tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("embedder", [MiniLm(), UserEmbedder(unit), ProviderEmbedder("openai:text-embedding-3-small")])
def test_goldproofs_own_are_taken_as_they_are(embedder: Embedder) -> None:
    assert open_embedder(embedder, cache=False) is embedder


def test_a_function_of_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_vectors_of_today.py").write_text("def embed(texts):\n    return [[2.0] for _ in texts]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    assert open_embedder("my_vectors_of_today:embed").embed(["a"], "query").tolist() == [[1.0]]


def test_what_is_cached_already_is_left_as_it_is() -> None:
    embedder = open_embedder("minilm")
    assert open_embedder(embedder) is embedder


def test_a_plug_in_enters_by_an_entry_point(tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "plugged.py").write_text(
        "class Plugged:\n    key = 'plugged 1'\n"
        "    def embed(self, texts, purpose): return [[0.0, 5.0] for _ in texts]\n"
    )
    information = tmp_path / "plugged-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[goldproof]\nembedder.plugged = plugged:Plugged\n")
    code = (
        "from goldproof.embed.embedder import open_embedder\n"
        "found = open_embedder('plugged')\nprint(found.key, found.embed(['a'], 'query').tolist())"
    )
    environment = {"PYTHONPATH": str(tmp_path), "GOLDPROOF_HOME": str(tmp_path / "home")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "plugged 1 [[0.0, 1.0]]\n", done.stderr
