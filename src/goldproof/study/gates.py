"""Gates of `--fail-if`, and their outcome as JUnit XML.

    METRIC [RUN] worse            RUN has this verdict in some comparison on METRIC; without RUN, a in some a_vs_b
    METRIC [RUN] undecided
    METRIC [RUN] < 0.5            the mean of RUN (or of any run) on METRIC is below 0.5; also <=, >, >=, = and 50%
    worse,undecided               a comma list of verdicts: any comparison at all
    TRIGGER [RUN]                 a trigger of this name fired for RUN (or for any run), in a job that has triggers

A metric that a gate asks a verdict of is tested, also where it is not the primary one; a gate on verdicts that names no
metric has all of them tested. A mean that does not exist (nothing scored) fails a numeric gate, and so does one that
passes only because failed questions are left out: what cannot be shown does not pass.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from goldproof.errors import InputError, UnknownNameError, shown
from goldproof.metrics import parse_metric, read_criterion
from goldproof.study.summary import is_tested

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from goldproof.metrics import Criterion
    from goldproof.study.comparison import Comparison
    from goldproof.study.study import Design, Study

    # Name of a trigger -> a run -> a sentence for each trigger of that name that fired.
    Triggers = Mapping[str, Callable[[str], Sequence[str]]]

VERDICTS = ("better", "worse", "tied", "undecided")

_EXPECTED = (
    "expected 'METRIC [RUN] worse|undecided' or 'METRIC [RUN] < N' (also <=, >, >=, =), such as 'nDCG@10 worse'."
)


@dataclass(frozen=True, slots=True)
class MeanGate:
    """Fails where the criterion holds for a mean. run is None where any run counts."""

    text: str
    criterion: Criterion
    run: str | None

    def failures(self, study: Study) -> tuple[str, ...]:
        """Say which means trip the gate."""
        failures = (self._failure(study, run) for run in study.panel.runs if self.run in (None, run))
        return tuple(failure for failure in failures if failure)

    def _failure(self, study: Study, run: str) -> str:
        metric, trips = self.criterion.measure, self.criterion.holds
        summary = study.summary(run, metric)
        if summary.mean is None:
            return f"{metric} of {run} has no scored value"
        if trips(summary.mean):
            return f"{metric} of {run} is {summary.mean:.4f}"
        if summary.mean_failed_as_zero is None:
            return f"{metric} of {run} has {summary.n_failed} failures of unknown worth"
        if trips(summary.mean_failed_as_zero):
            return f"{metric} of {run} is {summary.mean_failed_as_zero:.4f} with failures counted"
        return ""


@dataclass(frozen=True, slots=True)
class VerdictGate:
    """Fails where a comparison has one of the verdicts. metric and run are None where any counts."""

    text: str
    metric: str | None
    run: str | None
    verdicts: frozenset[str]

    def failures(self, study: Study) -> tuple[str, ...]:
        """Say which comparisons trip the gate."""
        self.check_compared(study.design)
        concerned = [c for c in study.comparisons if self._concerns(c)]
        verdicts = ((c, _verdict_on(self.run, c)) for c in concerned)
        return tuple(f"{c.metric} {c.pair}: {self.run or c.pair.a} is {v}" for c, v in verdicts if v in self.verdicts)

    def check_compared(self, design: Design) -> None:
        """Refuse the gate where no comparison of a design could trip it."""
        if self.metric is not None and not is_tested(self.metric):
            raise InputError(
                f"--fail-if {self.text!r}: {self.metric} is a count, of which neither more nor less is better, so "
                f"it is described, not tested; give a number, such as '{self.metric} < 10'."
            )
        if not any(self.run is None or self.run in pair for pair in design.pairs):
            raise InputError(
                f"--fail-if {self.text!r}: nothing is compared there; give two runs or more, or a numeric gate."
            )

    def _concerns(self, comparison: Comparison) -> bool:
        return self.metric in (None, comparison.metric) and (self.run is None or self.run in comparison.pair)


@dataclass(frozen=True, slots=True)
class TriggerGate:
    """Fails where a trigger of the job fired. run is None where any run counts."""

    text: str
    trigger: str
    run: str | None

    def failures(self, study: Study, triggers: Triggers) -> tuple[str, ...]:
        """Say which triggers trip the gate."""
        runs = [run for run in study.panel.runs if self.run in (None, run)]
        return tuple(failure for run in runs for failure in triggers[self.trigger](run))


Gate = MeanGate | VerdictGate | TriggerGate


@dataclass(frozen=True, slots=True)
class GateResult:
    """A checked gate and what tripped it."""

    gate: Gate
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing tripped the gate."""
        return not self.failures

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {"fail_if": self.gate.text, "passed": self.passed, "failures": list(self.failures)}


def gate_texts(fail_if: object) -> tuple[str, ...]:
    """Return the gates of a `fail_if`; one may be given as it is."""
    texts = [fail_if] if isinstance(fail_if, str) else fail_if
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"fail_if is {shown(fail_if)}; {_EXPECTED}")
    return tuple(texts)


def parse_gate(
    text: str,
    *,
    metrics: Sequence[str],
    runs: Sequence[str],
    aliases: Mapping[str, str] | None = None,
    triggers: Collection[str] = (),
) -> Gate:
    """Read one expression; metric and run must be among those of the study.

    aliases: other name -> metric. triggers: names of the job's triggers.
    """
    known = {metric: metric for metric in metrics} | dict(aliases or {})
    words = text.strip()
    criterion = read_criterion(words, where=f"--fail-if {text!r}", expected=_EXPECTED)
    if criterion is not None:
        metric, run = _metric_and_run(criterion.measure, text, known=known, runs=runs)
        return MeanGate(text, replace(criterion, measure=metric), run)
    subject, _, last = words.rpartition(" ")
    verdicts = frozenset(v.strip() for v in last.split(","))
    if not verdicts <= set(VERDICTS):
        if triggers and words.partition(" ")[0] not in known.keys() - triggers:
            return TriggerGate(text, *_trigger_and_run(words, text, triggers=triggers, runs=runs))
        raise InputError(f"--fail-if {text!r}: {last!r} is not a verdict; {_EXPECTED}")
    if not subject:
        return VerdictGate(text, None, None, verdicts)
    metric, run = _metric_and_run(subject, text, known=known, runs=runs)
    return VerdictGate(text, metric, run, verdicts)


def read_gates(
    fail_if: str | Sequence[str],
    design: Design,
    *,
    metrics: Sequence[str],
    runs: Sequence[str],
    aliases: Mapping[str, str] | None = None,
    triggers: Collection[str] = (),
) -> tuple[Gate, ...]:
    """Read the gates of a job before it asks anything: one that is misspelt, or that nothing could trip, is refused."""
    texts = gate_texts(fail_if)
    gates = tuple(parse_gate(text, metrics=metrics, runs=runs, aliases=aliases, triggers=triggers) for text in texts)
    for gate in gates:
        if isinstance(gate, VerdictGate):
            gate.check_compared(design)
    return gates


def metrics_to_test(gates: Sequence[Gate], shown: Sequence[str]) -> frozenset[str]:
    """Return the metrics that gates ask a verdict of; a gate that names none asks it of every metric shown."""
    metrics = [gate.metric for gate in gates if isinstance(gate, VerdictGate)]
    return frozenset(name for metric in metrics for name in (shown if metric is None else (metric,)))


def check_gate(
    gate: Gate, study: Study, *, left_out: Collection[str] = (), triggers: Triggers | None = None
) -> GateResult:
    """Check one gate on a study; a run that was left out fails every gate on it, and every gate on any run.

    triggers: those of the job, where it has some.
    """
    lost = tuple(f"{run} was left out" for run in left_out if gate.run in (None, run))
    if gate.run in left_out or (lost and isinstance(gate, VerdictGate) and not study.design.pairs):
        return GateResult(gate, lost)
    concerned = isinstance(gate, VerdictGate) and (gate.run is None or any(gate.run in p for p in study.design.pairs))
    if left_out and isinstance(gate, VerdictGate) and not concerned:  # what it was compared with is gone
        return GateResult(gate, tuple(f"{run} was left out" for run in left_out))
    failures = gate.failures(study, triggers or {}) if isinstance(gate, TriggerGate) else gate.failures(study)
    return GateResult(gate, (*lost, *failures))


def _verdict_on(run: str | None, comparison: Comparison) -> str:
    """Return the verdict as seen from a run: where a is better, b is worse."""
    if run in (None, comparison.pair.a):
        return comparison.verdict
    return {"better": "worse", "worse": "better"}.get(comparison.verdict, comparison.verdict)


def _metric_and_run(words: str, text: str, *, known: Mapping[str, str], runs: Sequence[str]) -> tuple[str, str | None]:
    subject = words.strip()
    parts = _name_and_run(subject, text, known={**known, **_other_spelling(subject, known)}, runs=runs)
    if parts is None:
        hint = f"in --fail-if {text!r}; a gate's metric must be one that is computed: name it in --metrics; {_EXPECTED}"
        raise UnknownNameError("metric", subject.split()[0], known, hint=hint)
    return parts


def _trigger_and_run(
    words: str, text: str, *, triggers: Collection[str], runs: Sequence[str]
) -> tuple[str, str | None]:
    parts = _name_and_run(words, text, known={name: name for name in triggers}, runs=runs, verdicts=VERDICTS)
    if parts is None:
        name = words.partition(" ")[0]
        hint = f"in --fail-if {text!r}; {_EXPECTED}"
        raise UnknownNameError("trigger or verdict", name, (*triggers, *VERDICTS), hint=hint)
    return parts


def _name_and_run(
    subject: str, text: str, *, known: Mapping[str, str], runs: Sequence[str], verdicts: Sequence[str] = ()
) -> tuple[str, str | None] | None:
    """Split `NAME [RUN]`; either may hold blanks, so known names decide. None where no known name begins it.

    verdicts: what could be meant in the place of a run.
    """
    for spelling in sorted(known, key=len, reverse=True):
        rest = subject.removeprefix(spelling)
        if rest == subject or (rest and not rest[0].isspace()):
            continue
        run = rest.strip()
        if run and run not in runs:
            kind = "run or verdict" if verdicts else "run"
            raise UnknownNameError(kind, run, (*runs, *verdicts), hint=f"in --fail-if {text!r}.")
        return known[spelling], run or None
    return None


def _other_spelling(subject: str, known: Mapping[str, str]) -> dict[str, str]:
    """Let a metric be named as it may be asked for: `Success@5` is `Hit@5`."""
    first = subject.split(maxsplit=1)[0]
    try:
        name = str(parse_metric(first))
    except InputError:
        return {}
    return {first: name} if name in known else {}


def junit_xml(study: Study, gates: Sequence[GateResult], *, suite: str) -> str:
    """Return one test case per gate; without gates, one per comparison, where `worse` is a failure."""
    cases = _gate_cases(gates) if gates else _comparison_cases(study)
    failures = sum(1 for _, failure in cases if failure)
    root = ET.Element("testsuite", name=suite, tests=str(len(cases)), failures=str(failures), errors="0", skipped="0")
    for name, failure in cases:
        case = ET.SubElement(root, "testcase", classname=suite, name=_printable(name))
        if failure:
            ET.SubElement(case, "failure", message=_printable(failure)).text = _printable(failure)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _gate_cases(gates: Sequence[GateResult]) -> list[tuple[str, str]]:
    return [(f"fail if {result.gate.text}", "; ".join(result.failures)) for result in gates]


def _comparison_cases(study: Study) -> list[tuple[str, str]]:
    return [
        (f"{c.metric} {c.pair}", f"{c.pair.a} is worse than {c.pair.b}" if c.verdict == "worse" else "")
        for c in study.comparisons
    ]


def _printable(text: str) -> str:
    # XML 1.0 has no way to write most control characters, escaped or not.
    return "".join(c if c in "\t\n\r" or ord(c) >= 0x20 else "�" for c in text)
