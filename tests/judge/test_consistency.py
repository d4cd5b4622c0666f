from __future__ import annotations

import pytest

from goldproof.judge import Ruling, Vote, self_consistency
from goldproof.judge.consistency import model_of
from goldproof.stats import krippendorff_alpha


def ruling(*votes: tuple[str, str | int]) -> Ruling:
    cast = [
        Vote(by, "yes", said) if isinstance(said, int) else Vote(by, said)  # type: ignore[arg-type]
        for by, said in votes
    ]
    return Ruling("yes", votes=tuple(cast))


def test_samples_of_one_model_are_compared_in_pairs() -> None:
    # yes yes no: 1 of 3 pairs agree; yes yes yes: 3 of 3. Mean (1/3 + 1) / 2 = 2/3, one of two unanimous.
    found = self_consistency(
        [
            ruling(("m#1", "yes"), ("m#2", "yes"), ("m#3", "no")),
            ruling(("m#1", "yes"), ("m#2", "yes"), ("m#3", "yes")),
            ruling(("m#1", "yes"), ("m#2", "failed"), ("m#3", "failed")),
            Ruling("yes"),
        ]
    )
    own = found.models["m"]
    assert (own.n, own.undefined, own.pairwise, own.unanimous) == (2, 2, 2 / 3, 0.5)
    table = [["yes", "yes", "yes", None], ["yes", "yes", None, None], ["no", "yes", None, None]]
    assert own.alpha.value == krippendorff_alpha(table).value
    assert (found.failed, found.votes) == (2, 9)
    assert (found.across.n, found.across.pairwise, found.across.alpha.value) == (0, None, None)


def test_models_are_compared_with_each_other_by_their_majority() -> None:
    rulings = [
        ruling(("a#1", "yes"), ("a#2", "yes"), ("b#1", "yes"), ("b#2", "no")),
        ruling(("a#1", "no"), ("a#2", "no"), ("b#1", "no"), ("b#2", "no")),
        ruling(("a#1", "no"), ("a#2", "no"), ("b#1", "yes"), ("b#2", "yes")),
    ]
    found = self_consistency(rulings)
    # Pairs across: 2 of 4 agree; 4 of 4; 0 of 4.
    assert found.across.pairwise == pytest.approx((0.5 + 1 + 0) / 3)
    assert found.across.unanimous == pytest.approx(1 / 3)
    # b is split on the first, so it has no majority there.
    table: list[list[str | None]] = [["yes", "no", "no"], [None, "no", "yes"]]
    assert found.across.alpha.value == krippendorff_alpha(table).value
    assert found.models["a"].pairwise == 1.0
    # All pairs: 6 a ruling. yes yes yes no: 3 of 6; all the same: 6; no no yes yes: 2 of 6.
    assert found.overall.pairwise == pytest.approx((3 / 6 + 1 + 2 / 6) / 3)


def test_grades_are_compared_as_numbers_and_unsupported_ones_have_no_place_on_the_scale() -> None:
    found = self_consistency(
        [ruling(("m#1", 3), ("m#2", 4)), ruling(("m#1", 0), ("m#2", 0)), ruling(("m#1", 1), ("m#2", "unsupported"))]
    )
    own = found.models["m"]
    assert (own.pairwise, own.n) == (1 / 3, 3)
    assert own.alpha.value == krippendorff_alpha([[3, 0, 1], [4, 0, None]], level="ordinal").value


def test_nothing_to_compare_is_undefined_and_counted() -> None:
    found = self_consistency([Ruling("yes"), Ruling("failed")])
    assert (found.overall.n, found.overall.undefined, found.overall.pairwise) == (0, 2, None)
    assert found.overall.alpha.value is None
    assert self_consistency([]).overall.undefined == 0
    same = self_consistency([ruling(("m#1", "yes"), ("m#2", "yes"))])
    assert (same.overall.pairwise, same.overall.alpha.value) == (1.0, None)
    assert "variation" in (same.overall.alpha.note or "")


def test_the_model_of_a_vote_is_its_name_without_the_sample() -> None:
    names = ["m#1", "m", "http://h/v1#model=x", "http://h/v1#model=x#2"]
    assert [model_of(Vote(name, "yes")) for name in names] == ["m", "m", "http://h/v1#model=x", "http://h/v1#model=x"]


def test_votes_that_are_nearly_all_the_same_have_a_high_ac1_and_a_low_alpha() -> None:
    # 19 rulings no no, one no yes: agreement 0.95, share of yes 1/40. AC1: chance 2 * 39/1600 = 0.04875,
    # (0.95 - 0.04875) / 0.95125 = 0.947438; Fleiss: chance 0.95125, (0.95 - 0.95125) / 0.04875 = -0.025641
    rulings = [ruling(("m#1", "no"), ("m#2", "no"))] * 19 + [ruling(("m#1", "no"), ("m#2", "yes"))]
    found = self_consistency(rulings).overall
    assert found.ac1.value == pytest.approx(0.947438, abs=1e-6)
    assert found.fleiss.value == pytest.approx(-0.025641, abs=1e-6)
    assert found.alpha.value == pytest.approx(0.0, abs=1e-9)
