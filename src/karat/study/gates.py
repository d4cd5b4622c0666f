"""Gates: one grammar for `--fail-if`, in every command.

    METRIC [RUN] worse            RUN has this verdict in some comparison on METRIC; without RUN, a in some a_vs_b
    METRIC [RUN] undecided
    METRIC [RUN] < 0.5            the mean of RUN (or of any run) on METRIC is below 0.5; also <=, >, >=
    worse,undecided               a comma list of verdicts: any comparison at all

A mean that does not exist (nothing scored) fails a numeric gate, and so does one that passes only because failed
questions are left out: a gate guards, so what cannot be shown does not pass.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.core.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from karat.study.comparison import Comparison
    from karat.study.study import Study

VERDICTS = ("better", "worse", "tied", "undecided")
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NUMERIC = re.compile(r"^(?P<subject>.+?)\s*(?P<op><=|>=|<|>)\s*(?P<number>\S+)$")
_EXPECTED = "expected 'METRIC [RUN] worse|undecided' or 'METRIC [RUN] < N' (also <=, >, >=), such as 'nDCG@10 worse'."


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition that must not hold. metric and run are None where any counts."""

    text: str
    metric: str | None
    run: str | None
    verdicts: frozenset[str] = frozenset()
    comparison: str | None = None
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a gate holds, and for which runs it does not."""

    gate: Gate
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True where nothing tripped the gate."""
        return not self.failures


def parse_gate(text: str, *, metrics: Sequence[str], runs: Sequence[str]) -> Gate:
    """Read one expression; metric and run must be among those of the study."""
    words = text.strip()
    numeric = _NUMERIC.match(words)
    if numeric:
        metric, run = _subject(numeric["subject"], text, metrics=metrics, runs=runs)
        return Gate(text, metric, run, comparison=numeric["op"], threshold=_number(numeric["number"], text))
    subject, _, last = words.rpartition(" ")
    verdicts = frozenset(v.strip() for v in last.split(","))
    if not verdicts <= set(VERDICTS):
        raise InputError(f"--fail-if {text!r}: {last!r} is not a verdict; {_EXPECTED}")
    if not subject:
        return Gate(text, None, None, verdicts=verdicts)
    metric, run = _subject(subject, text, metrics=metrics, runs=runs)
    return Gate(text, metric, run, verdicts=verdicts)


def check_gate(gate: Gate, study: Study) -> GateResult:
    """Try one gate on a study."""
    failures = _tripped_means(gate, study) if gate.comparison else _tripped_verdicts(gate, study)
    return GateResult(gate, tuple(failures))


def _tripped_means(gate: Gate, study: Study) -> list[str]:
    compare = _OPERATORS[gate.comparison or "<"]

    def trips(mean: float) -> bool:
        # At the 12 digits that files carry: the mean of twenty 0.9 is not 0.9 in the last bit.
        return compare(float(f"{mean:.12g}"), gate.threshold or 0.0)

    failures = []
    for run in study.panel.runs:
        if gate.run not in (None, run):
            continue
        summary = study.summary(run, gate.metric or "")
        if summary.mean is None or summary.mean_failed_as_zero is None:
            failures.append(f"{gate.metric} of {run} has no scored value")
        elif trips(summary.mean):
            failures.append(f"{gate.metric} of {run} is {summary.mean:.4f}")
        elif trips(summary.mean_failed_as_zero):
            failures.append(f"{gate.metric} of {run} is {summary.mean_failed_as_zero:.4f} with failures counted")
    return failures


def _tripped_verdicts(gate: Gate, study: Study) -> list[str]:
    verdicts = [
        (c, _verdict_on(gate.run, c))
        for c in study.comparisons
        if gate.metric in (None, c.metric) and _concerns(gate, c)
    ]
    if not verdicts:
        raise InputError(
            f"--fail-if {gate.text!r}: nothing is compared there; give two runs or more, or a numeric gate."
        )
    return [
        f"{c.metric} {c.pair}: {gate.run or c.pair.a} is {found}" for c, found in verdicts if found in gate.verdicts
    ]


def _concerns(gate: Gate, comparison: Comparison) -> bool:
    return gate.run is None or gate.run in comparison.pair


def _verdict_on(run: str | None, comparison: Comparison) -> str:
    """Return the verdict as seen from a run: where a is better, b is worse."""
    if run in (None, comparison.pair.a):
        return comparison.verdict
    return {"better": "worse", "worse": "better"}.get(comparison.verdict, comparison.verdict)


def _subject(words: str, text: str, *, metrics: Sequence[str], runs: Sequence[str]) -> tuple[str, str | None]:
    """Split `METRIC [RUN]`; either may hold blanks, so known names decide."""
    subject = words.strip()
    for metric in sorted(metrics, key=len, reverse=True):
        rest = subject.removeprefix(metric)
        if rest == subject or (rest and not rest[0].isspace()):
            continue
        run = rest.strip()
        if run and run not in runs:
            raise UnknownNameError("run", run, runs, hint=f"in --fail-if {text!r}.")
        return metric, run or None
    raise UnknownNameError("metric", subject.split()[0], metrics, hint=f"in --fail-if {text!r}; {_EXPECTED}")


def _number(word: str, text: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise InputError(f"--fail-if {text!r}: {word!r} is not a number; {_EXPECTED}") from None
