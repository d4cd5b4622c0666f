"""A study: scores in, summaries, comparisons and verdicts out; one shape for every job.

Nothing is computed before it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from karat.core.errors import InputError, UnknownNameError
from karat.stats import design_effect, minimum_detectable_effect, power
from karat.study.comparison import (
    Comparison,
    PairedOutcome,
    Procedure,
    compare_columns,
    compare_with_failures,
)
from karat.study.facts import MetricFacts, metric_facts
from karat.study.family import adjust
from karat.study.panel import ABSENT, Panel
from karat.study.summary import RunSummary, summarise
from karat.study.verdict import reconcile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from karat.core.tables import FloatArray
    from karat.study.pairs import Pair

POWER_AT = (0.2, 0.3, 0.5)
TARGET_POWER = 0.8


@dataclass(frozen=True, slots=True)
class Design:
    """What is compared, and how: fixed before the numbers are seen."""

    pairs: tuple[Pair, ...] = ()
    primary: str | None = None
    margin: float | None = None
    test: Procedure = field(default_factory=Procedure)

    def to_dict(self) -> dict[str, object]:
        """Return the settings for a card."""
        return {
            "pairs": [str(pair) for pair in self.pairs],
            "primary": self.primary,
            "margin": self.margin,
            "test": self.test.name,
            "permutations": self.test.permutations,
        }


class Study:
    """Scores of one or more runs, read as one comparison."""

    def __init__(
        self,
        panel: Panel,
        *,
        design: Design | None = None,
        extras: Callable[[str, str], Mapping[str, object]] = lambda _run, _metric: {},
    ) -> None:
        """extras: what only the job knows of a run on a metric, asked for when it is shown."""
        self.panel = panel
        self.design = design or Design()
        self._extras = extras
        if self.design.primary is not None and self.design.primary not in panel.metrics:
            raise UnknownNameError(
                "metric", self.design.primary, panel.metrics, hint="--primary names one of the metrics."
            )
        if self.design.margin is not None and not self.design.margin >= 0:
            raise InputError(f"margin {self.design.margin} is negative; expected 0 or more.")
        self.summary = cache(self._summary)
        self.facts = cache(self._facts)

    def _facts(self, metric: str) -> MetricFacts:
        columns = [self.panel.column(run, metric) for run in self.panel.runs]
        return metric_facts(metric, np.concatenate([c.value[c.scored] for c in columns]))

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
        """Whether anything at all was scored."""
        return any(column.scored.any() for column in self.panel.columns.values())

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every pair on every metric, in the order of the metrics."""
        tests = [(metric, pair) for metric in self.panel.metrics for pair in self.design.pairs]
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
        """Power of a paired test at the n of this study, and the smallest effect it would find."""
        n = max((self.summary(run, metric).n for run in self.panel.runs), default=0)
        deff = self._design_effect(metric)
        table: dict[str, object] = {
            f"d={d}": power(n, effect=d, design_effect=deff) if n > 1 else None for d in POWER_AT
        }
        table["mde"] = minimum_detectable_effect(n, power=TARGET_POWER, design_effect=deff) if n > 1 else None
        return {**table, "n": n, "design_effect": deff}

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `summary.json`."""
        return {
            "metrics": {
                metric: {
                    "runs": {run: self.summary(run, metric).to_dict() for run in self.panel.runs},
                    "comparisons": {str(c.pair): c.to_dict() for c in self.comparisons if c.metric == metric},
                    "power_analysis": self.power_analysis(metric),
                }
                for metric in self.panel.metrics
            },
            "family": {
                "size": sum(c.outcome.test.p_value is not None for c in self.comparisons),
                "correction": "holm",
                "primary": self.design.primary,
            },
        }

    def _compare(self, metric: str, pair: Pair) -> PairedOutcome:
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        return compare_columns(a, b, facts=self.facts(metric), clusters=self.panel.clusters, choice=self.design.test)

    def _compare_with_failures(self, metric: str, pair: Pair) -> PairedOutcome | None:
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
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
        harsh = plain if failed_as_zero is None else failed_as_zero.verdict(p_harsh, facts=facts, margin=margin)
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        either = (a.status != ABSENT) | (b.status != ABSENT)
        return Comparison(
            metric=metric,
            pair=pair,
            outcome=outcome,
            failed_as_zero=failed_as_zero,
            p_adjusted=p_adjusted,
            p_bonferroni=p_bonferroni,
            verdict=reconcile(plain, harsh),
            verdict_failed_as_zero=harsh,
            margin=margin,
            primary=self.design.primary in (None, metric),
            n_unpaired=int(either.sum()) - outcome.n,
            mde_difference=self._mde_difference(metric, pair),
        )

    def _mde_difference(self, metric: str, pair: Pair) -> float | None:
        """Return the smallest true difference that would be found with power 0.8, in the metric's own unit."""
        differences = self._differences(metric, pair)
        if len(differences) < 2 or not np.ptp(differences):
            return None
        deff = self._design_effect(metric)
        smallest = minimum_detectable_effect(len(differences), power=TARGET_POWER, design_effect=deff)
        return None if smallest is None else smallest * float(differences.std(ddof=1))

    def _differences(self, metric: str, pair: Pair) -> FloatArray:
        a, b = self.panel.column(pair.a, metric), self.panel.column(pair.b, metric)
        both = a.scored & b.scored
        return a.value[both] - b.value[both]

    def _design_effect(self, metric: str) -> float:
        """Return the largest design effect of the runs on this metric: 1 where questions are independent."""
        if self.panel.clusters is None:
            return 1.0
        effects = [1.0]
        for run in self.panel.runs:
            column = self.panel.column(run, metric)
            effects.append(design_effect(column.value[column.scored], clusters=self.panel.clusters[column.scored]))
        return max(effects)
