"""Compare two runs on one metric: difference, interval, test, effect size, verdict.

A pair (a, b) is printed `a_vs_b` and means a minus b. Only questions that both runs have scored are paired. Where a
system failed on some, the same is computed again with every failure at the worst value, so that crashing cannot pay.
Where results are unjudged, a verdict of better or worse is tried again on the judged documents only, so that a system
is not blamed for finding what the pool lacks.

The verdicts:

    better / worse  adjusted p < 0.05, by the sign of the difference and the direction of the metric
    tied            the 90% interval of the difference lies within +-margin; metrics without a margin are never tied
    undecided       anything else, with a reason where the difference alone may look decided:
                    failed: counting failures as the worst value leads to another verdict
                    unjudged: on the judged documents only, the sign differs or p is not below 0.05 (uncorrected)
                    ids: a run has no document that is judged, or known to the corpus; nothing is tested
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np

from goldproof.errors import InputError, UnknownNameError, counted, plural
from goldproof.report import Note
from goldproof.report.numbers import p_value, signed
from goldproof.stats import (
    PAIRED_TESTS,
    Effect,
    Interval,
    PairedTest,
    TestResult,
    bootstrap_interval,
    cohen_dz,
    design_effect,
    difference_interval,
    minimum_detectable_effect,
    paired_differences,
    paired_test,
    units_for_tie,
)
from goldproof.study.panel import ABSENT, FAILED, SCORED
from goldproof.study.summary import logarithms

if TYPE_CHECKING:
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.study.panel import Column
    from goldproof.study.summary import MetricFacts


Verdict = Literal["better", "worse", "tied", "undecided"]

UndecidedReason = Literal["failed", "unjudged", "ids"]

ALPHA = 0.05

TIE_CONFIDENCE = 0.90

TARGET_POWER = 0.8

BOUNDED_TIE = "gaffke"

FEWEST_DIFFERING = 10  # of an unbounded metric, for an interval that estimates the spread from the differences


class Pair(NamedTuple):
    """Two runs: a minus b."""

    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.a}_vs_{self.b}"


def choose_pairs(runs: tuple[str, ...], *, baseline: str | None = None, pairs: str | None = None) -> tuple[Pair, ...]:
    """Return the pairs to test.

    pairs: `all`, or `A:B,C:D`; otherwise every run against the baseline, which is the first run unless named.
    """
    if baseline is not None and baseline not in runs:
        raise UnknownNameError("run", baseline, runs, hint="--baseline names one of the runs.")
    if pairs is None or pairs == "baseline":
        return _against(runs, baseline or runs[0]) if runs else ()
    if pairs == "all":
        return tuple(Pair(a, b) for b, a in combinations(_baseline_first(runs, baseline), 2))
    if baseline is not None:
        raise InputError("give either --baseline or --pairs A:B; with both, nothing would look at the baseline.")
    return tuple(dict.fromkeys(_named_pair(text.strip(), runs) for text in pairs.split(",")))


def _against(runs: tuple[str, ...], baseline: str) -> tuple[Pair, ...]:
    return tuple(Pair(run, baseline) for run in runs if run != baseline)


def _baseline_first(runs: tuple[str, ...], baseline: str | None) -> list[str]:
    return sorted(runs, key=lambda run: run != baseline)


def _named_pair(text: str, runs: tuple[str, ...]) -> Pair:
    # A run's name may itself hold a colon: try every place to split.
    splits = [Pair(text[:i], text[i + 1 :]) for i, c in enumerate(text) if c == ":"]
    if not splits:
        raise InputError(f"pair {text!r} is not of the form A:B; expected --pairs all or --pairs A:B,C:D.")
    known = [pair for pair in splits if pair.a in runs and pair.b in runs]
    if not known:
        wrong = next((name for name in splits[0] if name not in runs), text)
        raise UnknownNameError("run", wrong, runs, hint="--pairs takes names of runs: A:B,C:D.")
    if known[0].a == known[0].b:
        raise InputError(f"pair {text!r} compares a run with itself; name two runs.")
    return known[0]


class Procedure(NamedTuple):
    """How to test: the name (`auto` picks by the data), the seed and the number of random permutations."""

    name: PairedTest = "auto"
    seed: int = 0
    permutations: int = 100_000

    @classmethod
    def named(cls, name: str, *, seed: int) -> Procedure:
        """Check a name that a user gave."""
        if name not in PAIRED_TESTS:
            raise UnknownNameError("test", name, PAIRED_TESTS)
        return cls(cast("PairedTest", name), seed)


@dataclass(frozen=True, slots=True)
class PairedOutcome:
    """Difference, interval, test and effect size of one pair, before any correction.

    tie_interval: the 90% interval that must lie within the margin for a tie. n_differing: questions with a difference
    other than 0; n_above: with one above 0. design_effect: of the differences, at least 1.
    mde_difference: the smallest true difference that this many pairs would find with power 0.8.
    """

    n: int
    difference: float | None
    interval: Interval
    tie_interval: Interval
    test: TestResult
    effect: Effect
    n_differing: int
    n_above: int
    design_effect: float
    mde_difference: float | None

    def untested(self, note: str) -> PairedOutcome:
        """Return the same difference without test and effect size, and the reason."""
        effect = replace(self.effect, value=None, low=None, high=None, note=note)
        return replace(self, test=TestResult("none", None, None, self.n, note), effect=effect, mde_difference=None)

    def verdict(self, p_adjusted: float | None, *, facts: MetricFacts, margin: float | None) -> Verdict:
        """Judge with an adjusted p-value."""
        return decide(
            self.difference,
            p_adjusted,
            tie_low=self.tie_interval.low,
            tie_high=self.tie_interval.high,
            margin=margin,
            higher_is_better=facts.higher_is_better,
        )


def decide(
    difference: float | None,
    p_adjusted: float | None,
    *,
    tie_low: float | None,
    tie_high: float | None,
    margin: float | None,
    higher_is_better: bool,
) -> Verdict:
    """Return the verdict on `a` in `a minus b`."""
    if difference is None or p_adjusted is None:
        return "undecided"
    if p_adjusted < ALPHA and difference != 0:
        return "better" if (difference > 0) == higher_is_better else "worse"
    if margin is None:
        return "undecided"
    inside = tie_low is not None and tie_high is not None and -margin <= tie_low <= tie_high <= margin
    return "tied" if inside else "undecided"


def reconcile(over_scored: Verdict, failed_as_worst: Verdict) -> Verdict:
    """Return the verdict; undecided where it depends on leaving failures out."""
    return over_scored if over_scored == failed_as_worst else "undecided"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One pair on one metric, with its place in the family of tests and its verdict.

    judged_only: the same pair on rankings without their unjudged documents; None where nothing is unjudged, or where
    there is no verdict of better or worse to try. foreign: one of the runs has no document that is judged or known.
    """

    metric: str
    pair: Pair
    outcome: PairedOutcome
    failed_as_zero: PairedOutcome | None
    p_adjusted: float | None
    p_bonferroni: float | None
    verdict_over_scored: Verdict
    verdict_failed_as_zero: Verdict
    margin: float | None
    primary: bool
    n_unpaired: int
    unit: str = "question"
    judged_only: PairedOutcome | None = None
    foreign: bool = False
    higher_is_better: bool = True

    @property
    def verdict_with_unjudged(self) -> Verdict:
        """The verdict with unjudged documents counted as not relevant, if leaving failures out does not change it."""
        return reconcile(self.verdict_over_scored, self.verdict_failed_as_zero)

    @property
    def verdict(self) -> Verdict:
        """The verdict, if neither failures nor unjudged documents decide it."""
        return "undecided" if self.reason else self.verdict_with_unjudged

    @property
    def reason(self) -> UndecidedReason | None:
        """Why the verdict is undecided where the difference alone may look decided."""
        if self.foreign:
            return "ids"
        if self.verdict_over_scored != self.verdict_failed_as_zero:
            return "failed"
        return "unjudged" if self.judged_only is not None and not self._holds_on(self.judged_only) else None

    def _holds_on(self, judged_only: PairedOutcome) -> bool:
        """Say whether the judged documents alone show the same sign with p below 0.05, uncorrected."""
        difference, other, p = self.outcome.difference, judged_only.difference, judged_only.test.p_value
        if difference is None or other is None or p is None:
            return False
        return difference * other > 0 and p < ALPHA

    @property
    def note(self) -> str | None:
        """Say in words what the numbers alone would hide."""
        return " ".join(note.text for note in self.notes) or None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What limits the verdict, then how test and interval were made."""
        limits = [self.outcome.interval.note, self._tie_note, self._failures_note]
        if self.reason == "unjudged" and self.judged_only is not None:
            limits.append(_unjudged_note(self, self.judged_only))
        test_note = None if self._tie_note and not self.outcome.n_differing else self._test_note  # it says the same
        notes = [
            *(Note(text, "limits") for text in limits if text),
            *([Note(test_note, "method")] if test_note else []),
        ]
        return tuple(dict.fromkeys(notes))

    @property
    def _test_note(self) -> str | None:
        """Say who won how many questions where each is won or lost, else what the test says of itself."""
        outcome = self.outcome
        if not outcome.test.test.startswith("mcnemar") or not outcome.n:
            return outcome.test.note
        won, lost = outcome.n_above, outcome.n_differing - outcome.n_above
        won, lost = (won, lost) if self.higher_is_better else (lost, won)
        return f"{self.pair.a} won {won or 'none'} of {counted(outcome.n, self.unit)} and lost {lost or 'none'}."

    @property
    def _failures_note(self) -> str | None:
        if self.verdict_over_scored == self.verdict_failed_as_zero:
            return None
        return (
            f"The failed {plural(self.unit)} decide, so there is no verdict: {self.verdict_over_scored} without them, "
            f"{self.verdict_failed_as_zero} with them at the worst value."
        )

    @property
    def needed_for_tie(self) -> int | None:
        """How many questions (clusters, where there are any) a tie takes at least; None where that is unknown."""
        if self.margin is None or self.outcome.tie_interval.method != BOUNDED_TIE:
            return None
        return units_for_tie(self.margin, confidence=TIE_CONFIDENCE)

    @property
    def _tie_note(self) -> str | None:
        """Say why runs that do not differ, or hardly differ, are not tied."""
        outcome, tie = self.outcome, self.outcome.tie_interval
        if self.foreign or self.margin is None or self.verdict_over_scored != "undecided":
            return None
        if tie.high is None or self.needed_for_tie is None or outcome.n_differing:
            return tie.note
        units = self.unit if tie.clusters is None else "cluster"
        return (
            f"No {self.unit} of {outcome.n:,} differs, but the difference may still be up to ±{_above(tie.high)}: tied "
            f"within ±{self.margin:g} takes {self.needed_for_tie:,} {plural(units)}."
        )

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `summary.json`."""
        outcome, effect = self.outcome, self.outcome.effect
        p_bonferroni = self.p_bonferroni
        return {
            "statistic": outcome.test.statistic,
            "p_value": outcome.test.p_value,
            "p_adjusted": self.p_adjusted,
            "p_bonferroni": p_bonferroni,
            "effect_size": effect.value,
            "effect_size_ci_95": _bounds(effect.low, effect.high),
            "significant": self.p_adjusted is not None and self.p_adjusted < ALPHA,
            "significant_bonferroni": p_bonferroni is not None and p_bonferroni < ALPHA,
            "difference": outcome.difference,
            "ci_95": _bounds(outcome.interval.low, outcome.interval.high),
            "ci_90": _bounds(outcome.tie_interval.low, outcome.tie_interval.high),
            "interval": outcome.interval.method,
            "margin": self.margin,
            "test": outcome.test.test,
            "n": outcome.n,
            "n_unpaired": self.n_unpaired,
            "mde_difference": outcome.mde_difference,
            "primary": self.primary,
            "tested": True,
            "verdict": self.verdict,
            "reason": self.reason,
            "verdict_over_scored": self.verdict_over_scored,
            "verdict_failed_as_zero": self.verdict_failed_as_zero,
            "difference_failed_as_zero": None if self.failed_as_zero is None else self.failed_as_zero.difference,
            "difference_judged_only": None if self.judged_only is None else self.judged_only.difference,
            "p_value_judged_only": None if self.judged_only is None else self.judged_only.test.p_value,
            "note": self.note,
        }


def _unjudged_note(comparison: Comparison, judged_only: PairedOutcome) -> str:
    verdict = (
        f"{comparison.verdict_with_unjudged} ({signed(comparison.outcome.difference)}, {_p(comparison.p_adjusted)})"
    )
    without = f"{signed(judged_only.difference)}, {_p(judged_only.test.p_value)}"
    return (
        f"The verdict depends on unjudged results: {verdict} if they are not relevant, but {without} if they are taken "
        f"out. To settle it, judge what {comparison.pair.a} and {comparison.pair.b} returned: goldproof mine --from "
        "MINED --extend RUN --out MINED, or, without a mined folder, --cases, --corpus and --judge with it "
        "(docs/concepts/mining.md). --unjudged ignore takes them as not relevant."
    )


def _above(end: float) -> str:
    """Write the end of an interval, rounded up: never a number within the margin for one beyond it."""
    return f"{ceil(end * 1e5) / 1e5:.3g}" if end > 0.011 else f"{ceil(end * 1e5) / 1e5:.5f}"


def _p(value: float | None) -> str:
    text = p_value(value)
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


def compare_columns(
    a: Column, b: Column, *, facts: MetricFacts, clusters: IntArray | None, choice: Procedure
) -> PairedOutcome:
    """Compare over the questions that both have scored."""
    return _compare(a.value, b.value, both=a.scored & b.scored, facts=facts, clusters=clusters, choice=choice)


def compare_with_failures(
    a: Column, b: Column, *, facts: MetricFacts, clusters: IntArray | None, choice: Procedure
) -> PairedOutcome | None:
    """Compare again with failed questions at the worst value; None where none failed, or no value is the worst."""
    if facts.worst is None or not (a.failed.any() or b.failed.any()):
        return None
    both = np.isin(a.status, (SCORED, FAILED)) & np.isin(b.status, (SCORED, FAILED))
    return _compare(
        np.where(a.failed, facts.worst, a.value),
        np.where(b.failed, facts.worst, b.value),
        both=both,
        facts=facts,
        clusters=clusters,
        choice=choice,
    )


def count_unpaired(a: Column, b: Column, *, n: int) -> int:
    """Return how many questions either run has that are not among the n pairs."""
    return int(np.count_nonzero((a.status != ABSENT) | (b.status != ABSENT))) - n


def _compare(
    a: FloatArray,
    b: FloatArray,
    *,
    both: BoolArray,
    facts: MetricFacts,
    clusters: IntArray | None,
    choice: Procedure,
) -> PairedOutcome:
    a, b = a[both], b[both]
    codes = None if clusters is None else clusters[both]
    if facts.geometric:
        return _compare_geometric(a, b, facts=facts, codes=codes, choice=choice)
    differences = paired_differences(a, b)

    interval = difference_interval(differences, clusters=codes, seed=choice.seed, bounded=facts.bounded)
    deff = 1.0 if codes is None else max(1.0, design_effect(differences, clusters=codes))
    return PairedOutcome(
        n=len(differences),
        difference=float(differences.mean()) if len(differences) else None,
        interval=facts.within_bounds(interval, of_difference=True),
        tie_interval=_tie_interval(differences, codes=codes, facts=facts, seed=choice.seed),
        test=paired_test(a, b, clusters=codes, test=choice.name, seed=choice.seed, permutations=choice.permutations),
        effect=cohen_dz(differences, clusters=codes),
        n_differing=int(np.count_nonzero(differences)),
        n_above=int(np.count_nonzero(differences > 0)),
        design_effect=deff,
        mde_difference=_mde_difference(differences, deff=deff),
    )


def _compare_geometric(
    a: FloatArray, b: FloatArray, *, facts: MetricFacts, codes: IntArray | None, choice: Procedure
) -> PairedOutcome:
    """Compare geometric means: their difference with bootstrap intervals; test and effect size on the logarithms."""
    logs = replace(facts, lower=None, upper=None, geometric=False)
    both = np.ones(len(a), dtype=np.bool_)
    outcome = _compare(logarithms(a), logarithms(b), both=both, facts=logs, clusters=codes, choice=choice)
    interval = _geometric_interval(a, b, of_logs=outcome.interval, codes=codes, seed=choice.seed)
    tie = _geometric_interval(a, b, of_logs=outcome.tie_interval, codes=codes, seed=choice.seed)
    return replace(outcome, difference=interval.estimate, interval=interval, tie_interval=tie, mde_difference=None)


def _geometric_interval(
    a: FloatArray, b: FloatArray, *, of_logs: Interval, codes: IntArray | None, seed: int
) -> Interval:
    """Return the difference of two geometric means with its interval by the bootstrap over questions.

    of_logs: the interval of the difference of the logarithms; where it has no ends, there are none here.
    """
    rows = np.stack([logarithms(a), logarithms(b)], axis=1)
    if of_logs.low is None:
        return replace(of_logs, estimate=_difference_of_means(rows) if len(rows) else None)
    interval = bootstrap_interval(rows, _difference_of_means, clusters=codes, confidence=of_logs.confidence, seed=seed)
    return replace(interval, note=interval.note or of_logs.note)


def _difference_of_means(rows: FloatArray) -> float:
    mean_a, mean_b = np.exp(rows.mean(axis=0)).tolist()
    return float(mean_a - mean_b)


def _tie_interval(differences: FloatArray, *, codes: IntArray | None, facts: MetricFacts, seed: int) -> Interval:
    """Return the 90% interval that decides on a tie: right however few questions differ, or none at all."""
    method = BOUNDED_TIE if facts.bounded else "auto"
    interval = difference_interval(
        differences, clusters=codes, confidence=TIE_CONFIDENCE, method=method, seed=seed, bounded=facts.bounded
    )
    differing = np.count_nonzero(differences) if codes is None else len(np.unique(codes[differences != 0]))
    if facts.bounded or differing >= FEWEST_DIFFERING or not len(differences):
        return facts.within_bounds(interval, of_difference=True)
    units = len(differences) if interval.clusters is None else interval.clusters
    noun = "pairs" if interval.clusters is None else "clusters"
    note = f"Only {differing} of {units:,} {noun} differ, in a metric without known bounds: too few to show a tie."
    return replace(interval, low=None, high=None, method="degenerate", note=note)


def _mde_difference(differences: FloatArray, *, deff: float) -> float | None:
    """Return the smallest true difference found with power 0.8, in the metric's own unit."""
    if len(differences) < 2 or not np.ptp(differences):
        return None
    smallest = minimum_detectable_effect(len(differences), power=TARGET_POWER, design_effect=deff)
    return None if smallest is None else smallest * float(differences.std(ddof=1))


def _bounds(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [low, high]


@dataclass(frozen=True, slots=True)
class Description:
    """The mean difference over the questions that both runs have scored; no p-value, so no verdict."""

    n: int
    n_unpaired: int
    difference: float | None
    interval: Interval
    design_effect: float = 1.0

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `summary.json`."""
        return {
            "difference": self.difference,
            "ci_95": _bounds(self.interval.low, self.interval.high),
            "interval": self.interval.method,
            "n": self.n,
            "n_unpaired": self.n_unpaired,
            "tested": False,
            "verdict": None,
            "note": self.interval.note,
        }


def describe_columns(a: Column, b: Column, *, facts: MetricFacts, clusters: IntArray | None, seed: int) -> Description:
    """Describe over the questions that both have scored."""
    both = a.scored & b.scored
    codes = None if clusters is None else clusters[both]
    of_a, of_b = a.value[both], b.value[both]
    if facts.geometric:
        differences = paired_differences(logarithms(of_a), logarithms(of_b))
        of_logs = difference_interval(differences, clusters=codes, seed=seed, bounded=False)
        interval = _geometric_interval(of_a, of_b, of_logs=of_logs, codes=codes, seed=seed)
        difference = interval.estimate
    else:
        differences = paired_differences(of_a, of_b)
        interval = difference_interval(differences, clusters=codes, seed=seed, bounded=facts.bounded)
        difference = float(differences.mean()) if len(differences) else None
    return Description(
        n=len(differences),
        n_unpaired=count_unpaired(a, b, n=len(differences)),
        difference=difference,
        interval=facts.within_bounds(interval, of_difference=True),
        design_effect=1.0 if codes is None else max(1.0, design_effect(differences, clusters=codes)),
    )
