"""The vectors of a corpus in memory and on disk."""

from __future__ import annotations

import multiprocessing
import os
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import EmbeddingFailedError, InputError
from goldproof.io.atomic_files import temporary_name
from goldproof.retrieve.stages import vector_file
from goldproof.retrieve.stages.vector_file import open_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.embed.embedder import Purpose, Vectors

TEXTS = [f"text {i}" for i in range(50)]


class Circle:
    """Puts texts on the unit circle by their length and first letter; counts the texts it was asked for."""

    def __init__(self, key: str = "circle", *, fails_at: str | None = None) -> None:
        self.key = key
        self.asked = 0
        self.fails_at = fails_at

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        self.asked += len(texts)
        if self.fails_at in texts:
            raise ConnectionError("the line is dead")
        turn = 0.5 if purpose == "query" else 0.0
        angles = np.array([sum(text.encode("utf-8")) + turn for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.fixture(autouse=True)
def indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(vector_file, "_PIECE", 7)
    return tmp_path / "home" / "indexes"


def on_disk(texts: Sequence[str] = TEXTS, embedder: Circle | None = None) -> Vectors:
    return open_vectors(texts, embedder or Circle(), in_memory=0)


def only_file(indexes: Path) -> Path:
    (path,) = indexes.iterdir()
    return path


def test_few_vectors_stay_in_memory(indexes: Path) -> None:
    vectors = open_vectors(TEXTS, Circle())
    assert not isinstance(vectors, np.memmap)
    assert vectors.tolist() == Circle().embed(TEXTS, "document").tolist()
    assert not indexes.exists()


def test_many_vectors_are_mapped_read_only_from_a_plain_numpy_file(indexes: Path) -> None:
    vectors = on_disk()
    assert isinstance(vectors, np.memmap)
    assert not vectors.flags.writeable
    assert vectors.tolist() == Circle().embed(TEXTS, "document").tolist()
    assert np.load(only_file(indexes)).tolist() == vectors.tolist()


def test_the_limit_is_in_bytes(indexes: Path) -> None:
    # 50 texts of 2 float32: 400 bytes.
    open_vectors(TEXTS, Circle(), in_memory=400)
    assert not indexes.exists()
    open_vectors(TEXTS, Circle(), in_memory=399)
    assert only_file(indexes).suffix == ".npy"


def test_a_file_that_is_there_is_not_made_again() -> None:
    on_disk()
    again = Circle()
    on_disk(embedder=again)
    assert again.asked == 2  # the first and the last text, to see that the file is of this embedder


@pytest.mark.parametrize(
    "other",
    [
        lambda: on_disk([*TEXTS[:-1], "other"]),
        lambda: on_disk(TEXTS[::-1]),
        lambda: on_disk(["text 0te", "xt 1", *TEXTS[2:]]),
        lambda: on_disk(embedder=Circle("another")),
        lambda: open_vectors(TEXTS, Circle(), purpose="query", in_memory=0),
    ],
)
def test_other_texts_order_embedder_or_purpose_have_another_file(other: object, indexes: Path) -> None:
    on_disk()
    other()  # type: ignore[operator]
    assert len(list(indexes.iterdir())) == 2


@pytest.mark.parametrize("kept", [0, 5, 64, 127, 128, 300, 527])
def test_a_truncated_file_is_made_again(kept: int, indexes: Path) -> None:
    right = on_disk().tolist()
    whole = only_file(indexes).read_bytes()
    assert len(whole) == 128 + 400
    only_file(indexes).write_bytes(whole[:kept])
    assert on_disk().tolist() == right
    assert only_file(indexes).read_bytes() == whole


def test_a_foreign_file_is_made_again(indexes: Path) -> None:
    right = on_disk().tolist()
    path = only_file(indexes)
    whole = path.read_bytes()
    foreign_files = (
        b"PK\x03\x04 not an array",
        whole + b"\0",
        whole[:128] + bytes(400),
        whole[:128] + np.full(100, np.nan, dtype=np.float32).tobytes(),
        whole.replace(b"<f4", b"<i4"),
        whole.replace(b"(50, 2)", b"(25, 4)"),
    )
    for content in foreign_files:
        assert content != whole
        path.write_bytes(content)
        assert on_disk().tolist() == right
        assert path.read_bytes() == whole


def test_a_failing_embedder_leaves_no_file_and_is_named(indexes: Path) -> None:
    with pytest.raises(EmbeddingFailedError, match="embedder circle: the line is dead"):
        on_disk(embedder=Circle(fails_at="text 30"))
    assert list(indexes.iterdir()) == []


def test_what_a_killed_process_left_is_removed(indexes: Path) -> None:
    on_disk()
    path = only_file(indexes)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        dead = pool.apply(os.getpid)
    name = temporary_name(path).name.replace(f".{os.getpid()}.", f".{dead}.")
    (indexes / name).write_bytes(b"half")
    path.unlink()
    on_disk()
    assert [found.name for found in indexes.iterdir()] == [path.name]


def _build(_: int) -> list[list[float]]:
    texts = [f"text {i}" for i in range(3000)]
    rows: list[list[float]] = open_vectors(texts, Circle(), in_memory=0)[::300].tolist()
    return rows


def test_processes_may_build_the_same_file_at_once(indexes: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        built = pool.map(_build, range(8), chunksize=1)
    assert all(rows == built[0] for rows in built)
    assert only_file(indexes).stat().st_size == 128 + 3000 * 2 * 4


def test_rows_of_another_number_or_width_are_refused() -> None:
    class Uneven(Circle):
        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
            wide = super().embed(texts, purpose)
            if "text 20" in texts:
                wide = np.pad(wide, ((0, 0), (0, 1)))
            return wide[:-1] if self.key == "short" else wide

    with pytest.raises(InputError, match="vectors of 3 numbers after some of 2"):
        on_disk(embedder=Uneven())
    with pytest.raises(EmbeddingFailedError, match=r"2 texts gave an array of shape \(1, 2\)"):
        on_disk(embedder=Uneven("short"))


def test_an_embedder_whose_key_does_not_last_has_no_file(indexes: Path) -> None:
    class Passing(Circle):
        is_lasting = False

    assert on_disk(embedder=Passing()).shape == (50, 2)
    assert not indexes.exists()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 7.0, 0.9])
def test_vectors_that_cannot_be_compared_are_refused_by_text(value: float) -> None:
    class Spoilt(Circle):
        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
            vectors = super().embed(texts, purpose)
            vectors[[text == "text 30" for text in texts]] = [value, 0]
            return vectors

    with pytest.raises(EmbeddingFailedError, match=r"embedder circle: the vector of 'text 30' .*expected 1 \(1 of 7"):
        on_disk(embedder=Spoilt())


def test_vectors_of_zeros_are_taken() -> None:
    class Silent(Circle):
        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
            return super().embed(texts, purpose) * np.float32(0)

    assert not on_disk(embedder=Silent()).any()


def test_texts_that_are_no_valid_unicode_have_a_key() -> None:
    assert on_disk(["a\ud800b", "c"], embedder=Surrogates()).shape == (2, 2)


class Surrogates(Circle):
    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        return super().embed([text.encode("utf-8", "replace").decode("utf-8") for text in texts], purpose)
