"""The vector cache: no text is embedded twice, an interruption loses one batch, and processes share what they have."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.embed.cache import CachedEmbedder, vector_file
from goldproof.embed.embedder import Embedder
from goldproof.errors import EmbeddingFailedError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.embed.embedder import Purpose, Vectors
    from goldproof.progress import Progress


class Letters:
    """Counts the letters a to c; remembers what it was asked."""

    batch_size = 2

    def __init__(self, key: str = "letters", *, columns: str = "abc", fail_at: int = 0) -> None:
        self.key = key
        self.asked: list[tuple[list[str], Purpose]] = []
        self._columns = columns
        self._fail_at = fail_at

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        if texts:
            self.asked.append((list(texts), purpose))
        if self._fail_at and len(self.asked) == self._fail_at:
            raise KeyboardInterrupt
        counts = [[float(text.count(letter)) for letter in self._columns] for text in texts]
        return np.array(counts, dtype=np.float32).reshape(len(texts), len(self._columns))


def test_it_is_an_embedder_with_the_key_of_the_one_behind(tmp_path: Path) -> None:
    cached = CachedEmbedder(Letters(), tmp_path)
    assert isinstance(cached, Embedder)
    assert cached.key == "letters"
    assert cached.path == tmp_path / vector_file("letters")


def test_a_text_is_embedded_once_in_this_call_the_next_and_the_next_process(tmp_path: Path) -> None:
    letters = Letters()
    cached = CachedEmbedder(letters, tmp_path)
    first = cached.embed(["aab", "c", "aab", "b"], "document")
    assert first.tolist() == [[2, 1, 0], [0, 0, 1], [2, 1, 0], [0, 1, 0]]
    assert letters.asked == [(["aab", "c"], "document"), (["b"], "document")]
    assert cached.embed(["b", "aab"], "document").tolist() == [[0, 1, 0], [2, 1, 0]]
    cached.close()
    assert cached.embed(["b"], "document").tolist() == [[0, 1, 0]]  # opened again

    again = Letters()
    assert np.array_equal(CachedEmbedder(again, tmp_path).embed(["aab", "c", "aab", "b"], "document"), first)
    assert again.asked == []


def test_purposes_and_models_are_kept_apart(tmp_path: Path) -> None:
    letters, other = Letters(), Letters("letters, but others", columns="xyz")
    CachedEmbedder(letters, tmp_path).embed(["a"], "document")
    CachedEmbedder(letters, tmp_path).embed(["a"], "query")
    CachedEmbedder(letters, tmp_path).embed(["a"], "code query")
    assert [purpose for _, purpose in letters.asked] == ["document", "query", "code query"]
    assert CachedEmbedder(other, tmp_path).embed(["xx"], "document").tolist() == [[2, 0, 0]]
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


def test_the_bits_come_back_as_they_were(tmp_path: Path) -> None:
    class Random:
        key = "random"

        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002
            return np.random.default_rng(7).standard_normal((len(texts), 5)).astype(np.float32)

    texts = [str(number) for number in range(9)]
    cached = CachedEmbedder(Random(), tmp_path)
    assert np.array_equal(cached.embed(texts, "query"), Random().embed(texts, "query"))
    assert np.array_equal(cached.embed(texts[::-1], "query"), Random().embed(texts, "query")[::-1])


def test_an_interruption_loses_at_most_the_batch_under_way(tmp_path: Path) -> None:
    texts = ["a", "b", "c", "aa", "bb", "cc"]
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Letters(fail_at=3), tmp_path).embed(texts, "document")
    letters = Letters()
    CachedEmbedder(letters, tmp_path).embed(texts, "document")
    assert letters.asked == [(["bb", "cc"], "document")]


def test_progress_counts_texts_and_says_how_many_were_on_disk(tmp_path: Path) -> None:
    told: list[Progress] = []
    CachedEmbedder(Letters(), tmp_path).embed(["a"], "document")
    cached = CachedEmbedder(Letters(), tmp_path, on_progress=told.append)
    # "a" twice is on disk; then come batches of two: "b" (twice wanted) with "c", then "aa"
    cached.embed(["a", "b", "c", "b", "aa", "a"], "document")
    assert [(one.done, one.total, one.cached) for one in told] == [(2, 6, 2), (5, 6, 2), (6, 6, 2)]


def test_no_text_is_no_row_and_no_request(tmp_path: Path) -> None:
    letters = Letters()
    assert len(CachedEmbedder(letters, tmp_path).embed([], "query")) == 0
    assert letters.asked == []


def test_texts_beyond_one_look_up_keep_their_places(tmp_path: Path) -> None:
    class Numbers(Letters):
        batch_size = 1000

        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
            self.asked.append((list(texts), purpose))
            return np.array([[float(text)] for text in texts], dtype=np.float32)

    texts = [str(number % 4500) for number in range(5000)]
    numbers = Numbers()
    found = CachedEmbedder(numbers, tmp_path).embed(texts, "query")
    assert found[:, 0].tolist() == [float(text) for text in texts]
    assert sum(len(asked) for asked, _ in numbers.asked) == 4500


def test_any_text_has_a_key(tmp_path: Path) -> None:
    letters = Letters()
    cached = CachedEmbedder(letters, tmp_path)
    cached.embed(["", "\ud83d", "\x00"], "query")
    cached.embed(["\x00", "", "\ud83d"], "query")
    assert [text for texts, _ in letters.asked for text in texts] == ["", "\ud83d", "\x00"]


def test_a_model_that_changed_its_dimension_is_found_out(tmp_path: Path) -> None:
    CachedEmbedder(Letters(), tmp_path).embed(["a"], "document")
    changed = CachedEmbedder(Letters(columns="abcd"), tmp_path)
    with pytest.raises(InputError, match=r"letters.*sqlite: a vector of 4 numbers among vectors of 3.*\n.*delete"):
        changed.embed(["a", "b"], "document")


def test_an_embedder_that_returns_too_few_rows_is_found_out(tmp_path: Path) -> None:
    class Short(Letters):
        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
            return super().embed(texts[:1], purpose)

    with pytest.raises(EmbeddingFailedError, match=r"letters: returned shape \(1, 3\); expected 2 rows"):
        CachedEmbedder(Short(), tmp_path).embed(["a", "b"], "document")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    cached = CachedEmbedder(Letters(), tmp_path)
    cached.embed(["a"], "document")
    cached.close()
    database = sqlite3.connect(cached.path)
    database.execute("UPDATE items SET value = x'010203'")
    database.commit()
    database.close()
    with pytest.raises(InputError, match=r"a vector of 3 numbers among vectors of 0\.75"):
        CachedEmbedder(Letters(), tmp_path).embed(["b", "a"], "document")


CHILD = """
import sys, time
import numpy as np
from goldproof.embed.cache import CachedEmbedder
class Own:
    key, batch_size = "shared", 3
    def embed(self, texts, purpose):
        return np.array([[float(t), float(sys.argv[2])] for t in texts], dtype=np.float32)
found = CachedEmbedder(Own(), sys.argv[1]).embed([str(n) for n in range(60)], "document")
print(found.tolist() == CachedEmbedder(Own(), sys.argv[1]).embed([str(n) for n in range(60)], "document").tolist())
"""


def test_processes_share_the_file_and_go_on_with_the_vector_stored_first(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CHILD, str(tmp_path)]
    children = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    for child in children:
        printed, errors = child.communicate(timeout=120)
        assert printed == "True\n", errors


def test_file_names_are_readable_and_differ_with_the_key() -> None:
    assert vector_file("minilm (weights 1)").startswith("minilm-")
    assert vector_file("openai:text/../x").startswith("openai-text-..-x-")
    assert "/" not in vector_file("sentence-transformers:BAAI/bge-small-en-v1.5 at http://host/v1")
    assert vector_file("a (1)") != vector_file("a (2)")
