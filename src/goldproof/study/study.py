"""A study: scores of several runs, summarised and compared, with one correction for all tests.

Nothing is computed before it is asked for.

Tested are the pairs on the primary metric (the first, unless one is named) and on the metrics that gates ask a verdict
of; every other metric is described: its difference with an interval, without a p-value or a verdict. The pairs on the
primary metric are a family of their own, corrected by Holm, with Bonferroni beside it; a gate's metric is corrected
over all tests. With `primary="all"` every metric is tested, in one family.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.metrics import parse_metrics
from goldproof.stats import bonferroni, design_effect, holm, minimum_detectable_effect, power
from goldproof.study.comparison import (
    TARGET_POWER,
    Comparison,
    Description,
    PairedOutcome,
    Procedure,
    choose_pairs,
    compare_columns,
    compare_with_failures,
    count_unpaired,
    describe_columns,
)
from goldproof.study.summary import MetricFacts, RunSummary, is_tested, metric_facts, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.study.comparison import Pair, Verdict
    from goldproof.study.panel import Column, Panel


POWER_AT = (0.2, 0.3, 0.5)
ALL_METRICS = "all"


@dataclass(frozen=True, slots=True)
class Design:
    """What is compared, and how: fixed before the numbers are seen.

    primary: the metric that decides; None for the first, "all" to test every metric in one family. gated: metrics that
    a gate asks a verdict of: they are tested too. background: metrics that are computed but in no table of results,
    such as a curve of many points.
    """

    pairs: tuple[Pair, ...] = ()
    primary: str | None = None
    gated: frozenset[str] = frozenset()
    margin: float | None = None
    test: Procedure = field(default_factory=Procedure)
    lower_is_better: frozenset[str] = frozenset()
    background: frozenset[str] = frozenset()

    @classmethod
    def named(
        cls,
        runs: tuple[str, ...],
        *,
        baseline: str | None,
        pairs: str | None,
        primary: str | None,
        margin: float | None,
        test: str,
        seed: object,
    ) -> Design:
        """Check names that a user gave, before any work is done."""
        if not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed {seed!r} is not a whole number of 0 or more.")
        chosen = choose_pairs(runs, baseline=baseline, pairs=pairs)
        canonical = primary if primary in (None, ALL_METRICS) else str(parse_metrics(primary)[0])
        _check_primary(canonical)
        return cls(chosen, primary=canonical, margin=margin, test=Procedure.named(test, seed=seed))

    def without_runs(self, names: Collection[str]) -> Design:
        """Return the same without comparisons of these runs."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair.a not in names and pair.b not in names))

    def to_dict(self) -> dict[str, object]:
        """Return the settings for a card."""
        return {
            "pairs": [str(pair) for pair in self.pairs],
            "primary": self.primary,
            "margin": self.margin,
            "test": self.test.name,
            "permutations": self.test.permutations,
            "lower_is_better": sorted(self.lower_is_better),
        }


class Adjusted(NamedTuple):
    """p-values corrected for the size of the family, in the order given."""

    holm: list[float | None]
    bonferroni: list[float | None]


def adjust(p_values: Sequence[float | None], *, primary: Sequence[bool] | None = None) -> Adjusted:
    """Correct p-values; a test without one (None) is not in the family."""
    everything = Adjusted(list(holm(p_values)), list(bonferroni(p_values)))
    if primary is None:
        return everything
    chosen = [i for i, is_primary in enumerate(primary) if is_primary]
    alone = [p_values[i] for i in chosen]
    for i, by_holm, by_bonferroni in zip(chosen, holm(alone), bonferroni(alone), strict=True):
        everything.holm[i], everything.bonferroni[i] = by_holm, by_bonferroni
    return everything


class Study:
    """Summaries and comparisons of one or more runs over the same questions."""

    def __init__(
        self,
        panel: Panel,
        *,
        design: Design | None = None,
        extras: Callable[[str, str], Mapping[str, object]] = lambda _run, _metric: {},
        unit: str = "question",
        known: Mapping[str, MetricFacts] | None = None,
        judged_only: Callable[[str, str], Column | None] = lambda _run, _metric: None,
        foreign: Callable[[str, str], bool] = lambda _run, _metric: False,
    ) -> None:
        """extras: what only the job knows of a run on a metric, asked for when it is shown. unit: what is scored.

        known: facts of metrics that are the job's own. judged_only: a run's column on rankings without their unjudged
        documents, None where that is the same. foreign: whether a run has no document that is judged or known, so that
        the metric is summarised but not tested.
        """
        self.panel = panel
        self._with_design = partial(
            Study, panel, extras=extras, unit=unit, known=known, judged_only=judged_only, foreign=foreign
        )
        self._known = dict(known or {})
        self.unit = unit
        self.design = design or Design()
        self._extras = extras
        self._judged_only = judged_only
        self._foreign = foreign
        check_primary(self.design.primary, panel.metrics)
        for metric in self.design.lower_is_better:
            if metric not in panel.metrics:
                raise UnknownNameError("metric", metric, panel.metrics, hint="--lower-is-better names a metric.")
        _check_primary(self.design.primary)
        _check_margin(self.design.margin)
        self.describe = cache(self._describe)
        self.summary = cache(self._summary)
        self.facts = cache(self._facts)

    def _facts(self, metric: str) -> MetricFacts:
        if metric in self._known:
            return self._known[metric]
        columns = [self.panel.column(run, metric) for run in self.panel.runs]
        values = np.concatenate([c.value[c.scored] for c in columns])
        return metric_facts(metric, values, lower_is_better=metric in self.design.lower_is_better)

    def _summary(self, run: str, metric: str) -> RunSummary:
        return summarise(
            self.panel.column(run, metric),
            run=run,
            facts=self.facts(metric),
            clusters=self.panel.clusters,
            seed=self.design.test.seed,
            extra=self._extras(run, metric),
        )

    @property
    def has_scores(self) -> bool:
        """Whether any metric that was asked for has a value; those in the background do not count."""
        return any(self.panel.column(run, metric).scored.any() for run in self.panel.runs for metric in self.shown)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The metrics of the tables: those that were asked for, and those that are tested."""
        hidden = self.design.background - self.design.gated - {self.design.primary}
        return tuple(metric for metric in self.panel.metrics if metric not in hidden)

    @property
    def primary(self) -> str | None:
        """The metric that decides; None where all are tested in one family."""
        if self.design.primary == ALL_METRICS:
            return None
        return self.design.primary or next((metric for metric in self.shown if is_tested(metric)), None)

    @cached_property
    def tested(self) -> tuple[str, ...]:
        """The metrics on which runs are compared with tests, the primary one first; never counts."""
        if self.design.primary == ALL_METRICS:
            return tuple(metric for metric in self.shown if is_tested(metric))
        others = [metric for metric in self.shown if metric in self.design.gated and metric != self.primary]
        return (*((self.primary,) if self.primary else ()), *(metric for metric in others if is_tested(metric)))

    def testing(self, metrics: Collection[str]) -> Study:
        """Return the same study with these metrics tested as well."""
        gated = self.design.gated | frozenset(metrics)
        return self if gated <= set(self.tested) else self._with_design(design=replace(self.design, gated=gated))

    def only(self, members: BoolArray) -> Study:
        """Return a study of some of the questions, to be described; nothing in it is worth a test."""
        return Study(self.panel.only(members), design=self.design, unit=self.unit, known=self._all_facts)

    @cached_property
    def _all_facts(self) -> dict[str, MetricFacts]:
        """The facts of every metric, by all of its values."""
        return {metric: self.facts(metric) for metric in self.panel.metrics}

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every pair on every tested metric, the primary one first."""
        tests = [(metric, pair) for metric in self.tested for pair in self.design.pairs]
        plain = [self._compare(metric, pair) for metric, pair in tests]
        harsh = [self._compare_with_failures(metric, pair) for metric, pair in tests]
        primary = None if self.primary is None else [metric == self.primary for metric, _ in tests]
        adjusted = adjust([outcome.test.p_value for outcome in plain], primary=primary)
        adjusted_harsh = adjust([(h or p).test.p_value for h, p in zip(harsh, plain, strict=True)], primary=primary)
        return tuple(
            self._judge(
                metric,
                pair,
                outcome=plain[i],
                failed_as_zero=harsh[i],
                p_adjusted=adjusted.holm[i],
                p_bonferroni=adjusted.bonferroni[i],
                p_harsh=adjusted_harsh.holm[i],
            )
            for i, (metric, pair) in enumerate(tests)
        )

    def power_analysis(self, metric: str) -> dict[str, object]:
        """Return the power of a paired test at the n of this study, and the smallest effect it would find.

        Of several pairs the least favourable counts: the fewest questions, the largest design effect.
        """
        return dict(_power_table(*self._information(metric)))

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `summary.json`."""
        return {
            "metrics": {
                metric: {
                    "runs": {run: self.summary(run, metric).to_dict() for run in self.panel.runs},
                    "comparisons": self._comparisons_to_dict(metric),
                    "power_analysis": self.power_analysis(metric) if self._has_power(metric) else None,
                }
                for metric in self.panel.metrics
            },
            "family": {
                "size": self.family_size(),
                "size_primary": None if self.primary is None else self.family_size(self.primary),
                "correction": "holm",
                "primary": self.primary,
                "tested": list(self.tested),
            },
        }

    def _has_power(self, metric: str) -> bool:
        """Whether a test of the metric could be planned: not of counts, and not of what is in the background."""
        return metric in self.shown and is_tested(metric)

    def _comparisons_to_dict(self, metric: str) -> dict[str, object]:
        if metric not in self.tested:
            return {str(pair): self.describe(metric, pair).to_dict() for pair in self.design.pairs}
        return {str(c.pair): c.to_dict() for c in self.comparisons if c.metric == metric}

    def _describe(self, metric: str, pair: Pair) -> Description:
        """Return the difference of a pair with its interval, untested."""
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        return describe_columns(
            a, b, facts=self.facts(metric), clusters=self.panel.clusters, seed=self.design.test.seed
        )

    def family_size(self, metric: str | None = None) -> int:
        """Return how many tests were made, in all or on one metric."""
        return sum(c.outcome.test.p_value is not None for c in self.comparisons if metric in (None, c.metric))

    def _compare(self, metric: str, pair: Pair) -> PairedOutcome:
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        try:
            outcome = compare_columns(
                a, b, facts=self.facts(metric), clusters=self.panel.clusters, choice=self.design.test
            )
        except InputError as error:
            raise InputError(f"{metric}, {pair}: {error}") from error
        foreign = [repr(run) for run in pair if self._foreign(run, metric)]
        if not foreign:
            return outcome
        return outcome.untested(f"Not tested: none of the documents of {' and '.join(foreign)} is judged.")

    def _is_foreign(self, metric: str, pair: Pair) -> bool:
        return any(self._foreign(run, metric) for run in pair)

    def _compare_judged_only(self, metric: str, pair: Pair) -> PairedOutcome | None:
        """Compare on the judged documents only; None where nothing within the cutoff is unjudged."""
        a, b = (self._judged_only(run, metric) for run in pair)
        if a is None and b is None:
            return None
        return compare_columns(
            a or self.panel.column(pair.a, metric),
            b or self.panel.column(pair.b, metric),
            facts=self.facts(metric),
            clusters=self.panel.clusters,
            choice=self.design.test,
        )

    def _compare_with_failures(self, metric: str, pair: Pair) -> PairedOutcome | None:
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        if self._is_foreign(metric, pair):
            return None
        return compare_with_failures(
            a, b, facts=self.facts(metric), clusters=self.panel.clusters, choice=self.design.test
        )

    def _judge(
        self,
        metric: str,
        pair: Pair,
        *,
        outcome: PairedOutcome,
        failed_as_zero: PairedOutcome | None,
        p_adjusted: float | None,
        p_bonferroni: float | None,
        p_harsh: float | None,
    ) -> Comparison:
        facts = self.facts(metric)
        margin = facts.margin(self.design.margin)
        plain = outcome.verdict(p_adjusted, facts=facts, margin=margin)
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        harsh: Verdict = plain
        if failed_as_zero is not None:
            harsh = failed_as_zero.verdict(p_harsh, facts=facts, margin=margin)
        elif a.failed.any() or b.failed.any():
            harsh = "undecided"  # a failure has no known worth here
        decided = plain == harsh and plain in {"better", "worse"}
        return Comparison(
            metric=metric,
            pair=pair,
            outcome=outcome,
            failed_as_zero=failed_as_zero,
            p_adjusted=p_adjusted,
            p_bonferroni=p_bonferroni,
            verdict_over_scored=plain,
            verdict_failed_as_zero=harsh,
            margin=margin,
            primary=self.primary in (None, metric),
            n_unpaired=count_unpaired(a, b, n=outcome.n),
            unit=self.unit,
            judged_only=self._compare_judged_only(metric, pair) if decided else None,
            foreign=self._is_foreign(metric, pair),
            higher_is_better=facts.higher_is_better,
        )

    def _information(self, metric: str) -> tuple[int, float]:
        """Return how many questions a comparison on this metric has, and their design effect."""
        outcomes = [c.outcome for c in self.comparisons if c.metric == metric]
        if outcomes:
            return min(o.n for o in outcomes), max(o.design_effect for o in outcomes)
        if self.design.pairs and metric not in self.tested:
            described = [self.describe(metric, pair) for pair in self.design.pairs]
            return min(d.n for d in described), max(d.design_effect for d in described)
        n = min((self.summary(run, metric).n for run in self.panel.runs), default=0)
        return n, max((self._design_effect_of_scores(run, metric) for run in self.panel.runs), default=1.0)

    def _design_effect_of_scores(self, run: str, metric: str) -> float:
        """Return the design effect of one run's scores: a guide where there is no difference to look at."""
        column = self.panel.column(run, metric)
        if self.panel.clusters is None:
            return 1.0
        return max(1.0, design_effect(column.value[column.scored], clusters=self.panel.clusters[column.scored]))


def _check_primary(primary: str | None) -> None:
    if primary is not None and not is_tested(primary):
        raise InputError(
            f"--primary {primary}: it is a count, of which neither more nor less is better, so it is described, not "
            "tested; name another metric."
        )


def check_primary(primary: str | None, metrics: Collection[str]) -> None:
    """Refuse a primary metric that is not among those of the study."""
    if primary not in (None, ALL_METRICS, *metrics):
        raise UnknownNameError("metric", str(primary), metrics, hint="--primary names one of the metrics, or all.")


def _check_margin(margin: object) -> None:
    if margin is not None and not (isinstance(margin, int | float) and 0 <= margin < math.inf):
        raise InputError(f"margin {margin!r} is not a number of 0 or more.")


@lru_cache  # the metrics of a study mostly have the same questions
def _power_table(n: int, design_effect: float) -> Mapping[str, object]:
    table: dict[str, object] = {
        f"d={d}": power(n, effect=d, design_effect=design_effect) if n > 1 else None for d in POWER_AT
    }
    table["mde"] = minimum_detectable_effect(n, power=TARGET_POWER, design_effect=design_effect) if n > 1 else None
    return {**table, "n": n, "design_effect": design_effect}
