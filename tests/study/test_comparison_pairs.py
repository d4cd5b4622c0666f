from __future__ import annotations

import pytest

from goldproof.errors import InputError
from goldproof.study.comparison import choose_pairs

RUNS = ("bm25", "dense", "hybrid")


def names(**options: str) -> list[str]:
    return [str(pair) for pair in choose_pairs(RUNS, **options)]


def test_every_run_is_compared_with_the_first_unless_a_baseline_is_named() -> None:
    assert names() == ["dense_vs_bm25", "hybrid_vs_bm25"]
    assert names(baseline="dense") == ["bm25_vs_dense", "hybrid_vs_dense"]


def test_all_pairs_put_the_later_run_first() -> None:
    assert names(pairs="all") == ["dense_vs_bm25", "hybrid_vs_bm25", "hybrid_vs_dense"]


def test_named_pairs_are_taken_as_they_are() -> None:
    assert names(pairs="bm25:hybrid, dense:bm25") == ["bm25_vs_hybrid", "dense_vs_bm25"]


def test_a_name_may_hold_a_colon() -> None:
    assert [str(p) for p in choose_pairs(("m:1", "m:2"), pairs="m:1:m:2")] == ["m:1_vs_m:2"]


def test_one_run_alone_has_nothing_to_be_compared_with() -> None:
    assert choose_pairs(("bm25",)) == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "bm52"}, "unknown run 'bm52'; did you mean 'bm25'"),
        ({"pairs": "bm25"}, "not of the form A:B"),
        ({"pairs": "bm25:dens"}, "unknown run 'dens'; did you mean 'dense'"),
        ({"pairs": "bm25:bm25"}, "compares a run with itself"),
    ],
)
def test_a_wrong_name_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        names(**options)
