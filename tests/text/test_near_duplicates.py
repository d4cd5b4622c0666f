"""Near-duplicate text: exact similarity, and MinHash that proposes what to compare."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, MissingExtraError
from goldproof.text.near_duplicates import band_hashes, bands_for, check_near_duplicates_installed, jaccard, shingles


def test_shingles_are_three_words_in_a_row() -> None:
    assert shingles("one, two three - four") == {"one two three", "two three four"}


def test_a_text_of_few_words_is_one_shingle_and_one_without_words_has_none() -> None:
    assert shingles("one two") == {"one two"}
    assert shingles("one two three") == {"one two three"}
    assert shingles("... !") == frozenset()


def test_scripts_without_blanks_are_cut_into_characters() -> None:
    assert shingles("日本語の本") == {"日 本 語", "本 語 の", "語 の 本"}


def test_the_similarity_is_the_share_of_common_shingles() -> None:
    # one shingle in common of three in all
    assert jaccard(shingles("a b c d"), shingles("b c d e")) == pytest.approx(1 / 3)
    assert jaccard(shingles("a b c"), shingles("a b c")) == 1
    assert jaccard(frozenset(), frozenset()) == 0


@given(st.frozensets(st.sampled_from("abcdef")), st.frozensets(st.sampled_from("abcdef")))
def test_the_similarity_is_symmetric_and_at_most_one(a: frozenset[str], b: frozenset[str]) -> None:
    assert jaccard(a, b) == jaccard(b, a)
    assert 0 <= jaccard(a, b) <= 1


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.8, 0.95])
def test_a_pair_at_the_threshold_is_proposed_with_probability_of_099(threshold: float) -> None:
    bands, slots = bands_for(threshold)
    assert bands * slots <= 128
    assert 1 - (1 - threshold**slots) ** bands >= 0.99


def test_similar_texts_share_a_band_and_others_do_not() -> None:
    generator = np.random.default_rng(5)
    words = [f"w{n}" for n in range(5000)]
    base = [list(generator.choice(words, 30)) for _ in range(60)]
    changed = [[*text[:-1], "other"] for text in base]
    texts = [" ".join(text) for text in base + changed]
    hashes = band_hashes(texts, threshold=0.8)
    # 28 shingles each; the last word changes one: 27 of 29 in common, 0.93, so missing one in 60 is beyond bad luck
    assert (hashes[:60] == hashes[60:]).any(axis=1).all()
    apart = [(hashes[i] == hashes[j]).any() for i in range(60) for j in range(i)]
    assert not any(apart)
    assert (band_hashes(texts, threshold=0.8) == hashes).all()


def test_no_texts_have_no_bands_to_share() -> None:
    assert band_hashes([], threshold=0.8).shape[0] == 0


@pytest.mark.parametrize("threshold", [0, -1, 1.5, float("nan")])
def test_a_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(InputError, match="expected a similarity above 0 and at most 1"):
        bands_for(threshold)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rensa", None)
    with pytest.raises(MissingExtraError, match=r"goldproof\[dedup\]"):
        check_near_duplicates_installed()
