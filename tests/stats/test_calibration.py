"""Corrected means: their formulas, their limits, their coverage, and what they refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from goldproof.errors import InputError
from goldproof.stats.calibration import CorrectedMean, ppi_mean, rogan_gladen

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray


def judged(
    generator: np.random.Generator, n: int, *, share: float, se: float, sp: float
) -> tuple[FloatArray, FloatArray]:
    """True 0/1 labels and those of a judge with this sensitivity and specificity."""
    truth = (generator.random(n) < share).astype(np.float64)
    guess = np.where(truth == 1.0, generator.random(n) < se, generator.random(n) >= sp).astype(np.float64)
    return truth, guess


def covers(result: CorrectedMean, truth: float) -> bool:
    assert result.low is not None
    assert result.high is not None
    return result.low <= truth <= result.high


def width(result: CorrectedMean) -> float:
    assert result.low is not None
    assert result.high is not None
    return result.high - result.low


def test_ppi_by_hand() -> None:
    # human: 10 ones of 20; judge: right on 16, 2 false ones and 2 false zeros; rest: 60 ones of 100.
    # cov = 20/19 (8/20 - 1/4) = .157895; var of the 120 judge labels (70 ones): 70 * 50 / (120 * 119) = .245098;
    # lambda = .157895 / (1.2 * .245098) = .536842; mean = .5 + .536842 (.6 - .5) = .553684
    human = [1] * 10 + [0] * 10
    judge = [1] * 8 + [0] * 2 + [1] * 2 + [0] * 8
    result = ppi_mean(human, judge, judge_rest=[1] * 60 + [0] * 40)
    assert result.tuning == pytest.approx(0.536842, abs=1e-6)
    assert result.value == pytest.approx(0.553684, abs=1e-6)
    # var(h - l j): values .463158 (8x), 1 (2x), -.536842 (2x), 0 (8x): sum of squares 4.292521, mean .231579:
    # (4.292521 - 20 * .053629) / 19 = .169471; se^2 = .169471 / 20 + .288199 * .242424 / 100 = .00917222
    expected = stats.t.ppf(0.975, 19) * np.sqrt(0.00917222)
    assert width(result) / 2 == pytest.approx(expected, rel=1e-4)
    assert (result.n_human, result.n_judge, result.human_mean) == (20, 100, 0.5)
    assert result.judge_mean == pytest.approx(70 / 120)


def test_with_tuning_zero_it_is_the_t_interval_of_the_human_labels() -> None:
    generator = np.random.default_rng(0)
    human, judge, rest = generator.random(40), generator.random(40), generator.random(300)
    result = ppi_mean(human, judge, judge_rest=rest, tuning=0.0)
    expected = stats.ttest_1samp(human, 0).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((expected.low, expected.high))


def test_ppi_divides_by_the_number_less_1_and_takes_the_quantile_of_student() -> None:
    # 10 ones of 20 human labels, lambda 0: var = 20 * 0.25 / 19, so that half the interval is
    # t(19) * sqrt(5 / 19 / 20) = 2.093024 * 0.114708 = 0.240086. Divided by n and with 1.959964 it would be
    # 1.959964 * sqrt(0.25 / 20) = 0.219131, which is 8.7% less: docs/concepts/statistics/agreement.md says about 9%.
    human = np.array([1.0, 0.0] * 10)
    result = ppi_mean(human, np.array([1.0, 1.0, 0.0, 0.0] * 5), judge_rest=np.array([0.0, 1.0]), tuning=0)
    half = width(result) / 2
    assert half == pytest.approx(0.240086, abs=1e-6)
    assert 1 - 0.219131 / half == pytest.approx(0.087, abs=5e-4)


def test_a_perfect_judge_makes_the_interval_that_of_all_labels() -> None:
    generator = np.random.default_rng(1)
    human, rest = generator.random(100), generator.random(2000)
    result = ppi_mean(human, human, judge_rest=rest)
    everything = np.concatenate((human, rest))
    assert result.value == pytest.approx(everything.mean(), abs=2e-3)
    assert width(result) == pytest.approx(2 * stats.t.ppf(0.975, 99) * everything.std() / np.sqrt(2100), rel=0.05)


def test_a_useless_judge_is_left_out_and_a_contrary_one_too() -> None:
    generator = np.random.default_rng(2)
    human = generator.random(200)
    constant = ppi_mean(human, np.ones(200), judge_rest=np.ones(1000))
    assert constant.tuning == 0.0
    assert constant.value == pytest.approx(human.mean())
    contrary = ppi_mean(human, 1 - human, judge_rest=generator.random(1000))
    assert contrary.tuning == 0.0


@pytest.mark.parametrize(("share", "se", "sp"), [(0.5, 0.9, 0.9), (0.7, 0.85, 0.7)])
def test_both_intervals_cover_where_the_plain_judge_is_biased(share: float, se: float, sp: float) -> None:
    generator = np.random.default_rng(3)
    powered, classic, widths = [], [], []
    for _ in range(300):
        truth, guess = judged(generator, 600, share=share, se=se, sp=sp)
        first = ppi_mean(truth[:100], guess[:100], judge_rest=guess[100:])
        second = rogan_gladen(truth[:100], guess[:100], judge_rest=guess[100:])
        powered.append(covers(first, share))
        classic.append(covers(second, share))
        widths.append(width(first) / width(ppi_mean(truth[:100], guess[:100], judge_rest=guess[100:], tuning=0.0)))
    # 300 draws at 95%: three deviations are 3.8 points
    assert np.mean(powered) > 0.912
    assert np.mean(classic) > 0.912
    assert np.mean(widths) < 1.0


@pytest.mark.parametrize(
    ("share", "se", "sp", "sizes", "powered", "classic"),
    [
        (0.5, 0.9, 0.9, (50, 1000), 0.953, 0.967),
        (0.8, 0.85, 0.7, (50, 1000), 0.947, 0.973),
        (0.6, 0.6, 0.6, (50, 1000), 0.951, 0.998),
        (0.95, 0.9, 0.8, (200, 2000), 0.942, 0.941),
        (0.05, 0.8, 0.98, (200, 2000), 0.935, 0.958),
        (0.95, 0.9, 0.8, (100, 100), 0.901, 0.942),
    ],
)
def test_coverage_is_what_the_documentation_says(
    share: float, se: float, sp: float, sizes: tuple[int, int], powered: float, classic: float
) -> None:
    # docs/concepts/statistics/agreement.md; seed 3, 1,000 data sets, refused ones left out
    generator = np.random.default_rng(3)
    hits: dict[str, list[bool]] = {"powered": [], "classic": []}
    for _ in range(1000):
        truth, guess = judged(generator, sum(sizes), share=share, se=se, sp=sp)
        known = slice(0, sizes[0])
        for name, correct in (("powered", ppi_mean), ("classic", rogan_gladen)):
            result = correct(truth[known], guess[known], judge_rest=guess[sizes[0] :])
            if result.value is not None:
                hits[name].append(covers(result, share))
    assert np.mean(hits["powered"]) == pytest.approx(powered, abs=5e-4)
    assert np.mean(hits["classic"]) == pytest.approx(classic, abs=5e-4)


def test_rogan_gladen_by_hand() -> None:
    # Se = 18/20, Sp = 24/30, q = 40/100: (.4 + .8 - 1) / (.9 + .8 - 1) = .2 / .7
    human = [1] * 20 + [0] * 30
    judge = [1] * 18 + [0] * 2 + [0] * 24 + [1] * 6
    result = rogan_gladen(human, judge, judge_rest=[1] * 40 + [0] * 60)
    assert result.value == pytest.approx(2 / 7)
    assert (result.sensitivity, result.specificity) == pytest.approx((0.9, 0.8))
    # Lang and Reiczigel with z = 1.959964, z^2 = 3.841459: q' = (40 + 1.920729) / 103.841459 = .403699, Se' = 19/22,
    # Sp' = 25/32, J' = .644886, p = (.403699 - .21875) / .644886 = .286793; Se'(1-Se')/22 = .00535311,
    # Sp'(1-Sp')/32 = .00534058; shift = 7.682918 (.286793 * .00535311 - .713207 * .00534058) = -.0174680;
    # var = (.00231819 + .0822502 * .00535311 + .508664 * .00534058) / .415878 = .0131649; half = .224885
    assert (result.low, result.high) == pytest.approx(
        (0.286793 - 0.017468 - 0.224885, 0.286793 - 0.017468 + 0.224885), abs=2e-5
    )


def test_rogan_gladen_holds_where_the_rest_has_another_share_and_ppi_does_not() -> None:
    generator = np.random.default_rng(4)
    truth, guess = judged(generator, 1000, share=0.5, se=0.9, sp=0.8)
    _, rest = judged(generator, 5000, share=0.2, se=0.9, sp=0.8)
    assert covers(rogan_gladen(truth, guess, judge_rest=rest), 0.2)
    assert not covers(ppi_mean(truth, guess, judge_rest=rest), 0.2)


def test_rogan_gladen_stays_within_zero_and_one() -> None:
    human, judge = [1] * 20 + [0] * 20, [1] * 18 + [0] * 2 + [0] * 15 + [1] * 5
    none = rogan_gladen(human, judge, judge_rest=[0] * 50)
    assert (none.value, none.low) == (0.0, 0.0)
    every = rogan_gladen(human, judge, judge_rest=[1] * 50)
    assert (every.value, every.high) == (1.0, 1.0)


def test_more_labels_of_sensitivity_shorten_rogan_gladen() -> None:
    human, judge = [1] * 20 + [0] * 20, [1] * 18 + [0] * 2 + [0] * 15 + [1] * 5
    rest = [1] * 500 + [0] * 500
    assert width(rogan_gladen(human * 10, judge * 10, judge_rest=rest)) < width(
        rogan_gladen(human, judge, judge_rest=rest)
    )


@pytest.mark.parametrize("correct", [ppi_mean, rogan_gladen])
def test_labels_that_cannot_support_a_correction_are_refused_with_the_reason(correct: object) -> None:
    assert callable(correct)
    mixed = [0, 1] * 15
    cases: list[tuple[list[int], list[int], list[int], str]] = [
        ([], [], [1, 0], "Only 0 human labels: at least 20 are needed."),
        (mixed[:19], mixed[:19], [1, 0], "Only 19 human labels: at least 20 are needed."),
        (mixed, mixed, [], "Every item has a human label"),
        ([1] * 30, mixed, [1, 0], "All human labels are 1"),
        ([0] * 30, mixed, [1, 0], "All human labels are 0"),
    ]
    for human, judge, rest, reason in cases:
        result = correct(human, judge, judge_rest=rest)
        assert (result.value, result.low, result.high) == (None, None, None)
        assert reason in result.note


def test_a_judge_at_chance_is_refused_by_rogan_gladen_only() -> None:
    human, judge = [1] * 20 + [0] * 20, [1, 0] * 20
    result = rogan_gladen(human, judge, judge_rest=[1, 0, 0])
    assert result.value is None
    assert "no better than chance" in (result.note or "")
    assert ppi_mean(human, judge, judge_rest=[1, 0, 0]).value == pytest.approx(0.5)


def test_few_labels_of_the_rarer_kind_are_pointed_out() -> None:
    result = ppi_mean([1] * 3 + [0] * 60, [1] * 5 + [0] * 58, judge_rest=[1, 0] * 30)
    assert result.value is not None
    assert "Only 3 of 63 human labels are 1" in (result.note or "")


def test_graded_labels_unmatched_labels_and_odd_confidence() -> None:
    with pytest.raises(InputError, match="Use ppi_mean for graded labels"):
        rogan_gladen([0.5] * 30, [1] * 30, judge_rest=[1])
    with pytest.raises(InputError, match="2 human labels and 1 of the judge"):
        ppi_mean([1, 0], [1], judge_rest=[1])
    with pytest.raises(InputError, match="confidence"):
        ppi_mean([1, 0], [1, 0], judge_rest=[1], confidence=95)
    with pytest.raises(InputError, match="judge_rest: position 0"):
        ppi_mean([1, 0], [1, 0], judge_rest=[float("nan")])
    assert ppi_mean([0.5, 1.0, 2.0] * 10, [0.4, 1.1, 1.7] * 10, judge_rest=[0.3, 1.9]).value is not None
