"""A study: scores in, summaries, comparisons and verdicts out; one shape for every job.

Nothing is computed before it is asked for.
"""

from __future__ import annotations

import math
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats import design_effect, minimum_detectable_effect, power
from goldproof.study.comparison import (
    TARGET_POWER,
    Comparison,
    PairedOutcome,
    compare_columns,
    compare_with_failures,
    count_unpaired,
)
from goldproof.study.description import Description, describe_columns
from goldproof.study.design import Design
from goldproof.study.facts import MetricFacts, metric_facts
from goldproof.study.family import adjust
from goldproof.study.summary import RunSummary, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.study.pairs import Pair
    from goldproof.study.panel import Column, Panel
    from goldproof.study.verdict import Verdict

POWER_AT = (0.2, 0.3, 0.5)


class Study:
    """Scores of one or more runs, read as one comparison."""

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
        self._known = dict(known or {})
        self.unit = unit
        self.design = design or Design()
        self._extras = extras
        self._judged_only = judged_only
        self._foreign = foreign
        if self.design.primary is not None and self.design.primary not in panel.metrics:
            raise UnknownNameError(
                "metric", self.design.primary, panel.metrics, hint="--primary names one of the metrics."
            )
        for metric in self.design.lower_is_better:
            if metric not in panel.metrics:
                raise UnknownNameError("metric", metric, panel.metrics, hint="--lower-is-better names a metric.")
        if self.design.primary in self.design.described:
            raise InputError(
                f"--primary {self.design.primary}: the metric is described, not tested; name it in --metrics."
            )
        _check_margin(self.design.margin)
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
        """Whether any metric that was asked for has a value; those that are only described do not count."""
        return any(self.panel.column(run, metric).scored.any() for run in self.panel.runs for metric in self.tested)

    @property
    def tested(self) -> tuple[str, ...]:
        """The metrics on which runs are compared with tests: all that are not only described."""
        return tuple(metric for metric in self.panel.metrics if metric not in self.design.described)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every pair on every tested metric, in the order of the metrics."""
        tests = [(metric, pair) for metric in self.tested for pair in self.design.pairs]
        plain = [self._compare(metric, pair) for metric, pair in tests]
        harsh = [self._compare_with_failures(metric, pair) for metric, pair in tests]
        primary = None if self.design.primary is None else [metric == self.design.primary for metric, _ in tests]
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
        """Power of a paired test at the n of this study, and the smallest effect it would find.

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
                    "power_analysis": None if metric in self.design.described else self.power_analysis(metric),
                }
                for metric in self.panel.metrics
            },
            "family": {
                "size": self.family_size(),
                "size_primary": None if self.design.primary is None else self.family_size(self.design.primary),
                "correction": "holm",
                "primary": self.design.primary,
            },
        }

    def _comparisons_to_dict(self, metric: str) -> dict[str, object]:
        if metric in self.design.described:
            return {str(pair): self.describe(metric, pair).to_dict() for pair in self.design.pairs}
        return {str(c.pair): c.to_dict() for c in self.comparisons if c.metric == metric}

    def describe(self, metric: str, pair: Pair) -> Description:
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
            harsh = "undecided"  # nobody knows what a failure is worth here
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
            primary=self.design.primary in (None, metric),
            n_unpaired=count_unpaired(a, b, n=outcome.n),
            unit=self.unit,
            judged_only=self._compare_judged_only(metric, pair) if decided else None,
            foreign=self._is_foreign(metric, pair),
        )

    def _information(self, metric: str) -> tuple[int, float]:
        """Return how many questions a comparison on this metric has, and their design effect."""
        outcomes = [c.outcome for c in self.comparisons if c.metric == metric]
        if outcomes:
            return min(o.n for o in outcomes), max(o.design_effect for o in outcomes)
        n = min((self.summary(run, metric).n for run in self.panel.runs), default=0)
        return n, max((self._design_effect_of_scores(run, metric) for run in self.panel.runs), default=1.0)

    def _design_effect_of_scores(self, run: str, metric: str) -> float:
        """Return the design effect of one run's scores: a guide where there is no difference to look at."""
        column = self.panel.column(run, metric)
        if self.panel.clusters is None:
            return 1.0
        return max(1.0, design_effect(column.value[column.scored], clusters=self.panel.clusters[column.scored]))


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
