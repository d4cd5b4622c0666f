"""`MemoryResult`: scores, diagnoses, tables, files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from goldproof.errors import shortened
from goldproof.io import write_json, write_text
from goldproof.jobs.memory.analysis.diagnosis import analyse
from goldproof.jobs.memory.analysis.report import failures_markdown, remedy_table
from goldproof.jobs.memory.conclusion import run_conclusion
from goldproof.jobs.memory.report import (
    MANY_FAILED,
    RESULTS,
    failures_table,
    kinds_table,
    more_failures_note,
    overview_table,
    system_results,
    systems_table,
    triggers_table,
    unpassed_table,
)
from goldproof.jobs.memory.scoring import PASSED
from goldproof.jobs.memory.targets import PASS_RATE, fired_triggers, targets_of, trigger_failures, trigger_names
from goldproof.metrics.memory import ALIASES
from goldproof.report import Note
from goldproof.report.result import in_order
from goldproof.retrieve.run import latency_summary
from goldproof.study import Attachment, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.jobs.memory.analysis.findings import Diagnosis
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.scenario_run import KeptScenarios
    from goldproof.jobs.memory.self_check import SelfCheck
    from goldproof.jobs.memory.targets import FiredTrigger, Target
    from goldproof.memory import MemorySystem
    from goldproof.report import Table
    from goldproof.study import Provenance, Study

FAILURES = ("failures.md", "failures.json")
QUERY_FIELDS = ("kind", "domain", "scenario", "split")
METRIC_ALIASES: Mapping[str, str] = MappingProxyType({**ALIASES, PASS_RATE: PASSED})


@dataclass(frozen=True, slots=True, eq=False)
class SystemRun:
    """One system and all its queries, in the order of the suite; kept: its scenarios on disk, for a resumed run."""

    name: str
    system: MemorySystem
    rows: tuple[ScoredQuery, ...]
    kept: KeptScenarios | None = None

    @property
    def resumed(self) -> int:
        """How many scenarios came from an interrupted run."""
        return 0 if self.kept is None else self.kept.used


class MemoryResult(Result):
    """The result of a memory run. `["summary"]` and `["individual_results"]` are those of the first system."""

    def __init__(
        self,
        study: Study,
        *,
        runs: Sequence[SystemRun],
        rules: Rules,
        check: SelfCheck,
        provenance: Provenance,
        remarks: Sequence[str],
    ) -> None:
        texts = {row.key: row.answered.query.text for row in runs[0].rows}
        super().__init__(study, provenance=provenance, remarks=remarks, texts=texts)
        self.runs = {run.name: run for run in runs}
        self.rules = rules
        self.self_check = check

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 - as in the file of results
        return self.results_dict()[key]

    def targets(self, run: str | None = None) -> tuple[Target, ...]:
        """Return every target with the figure of a system (the first, unless named)."""
        name = run or next(iter(self.runs))
        return targets_of(self.study, name, self.runs[name].rows, rules=self.rules)

    def triggers(self, run: str | None = None) -> tuple[FiredTrigger, ...]:
        """Return the triggers that a system (the first, unless named) set off."""
        name = run or next(iter(self.runs))
        return fired_triggers(self.study, name, self.runs[name].rows, rules=self.rules)

    @cached_property
    def diagnoses(self) -> Mapping[str, tuple[Diagnosis, ...]]:
        """Why each query failed, for every system."""
        return {name: analyse(run.rows, system=run.system) for name, run in self.runs.items()}

    @property
    def has_answers(self) -> bool:
        """Whether any query was answered: one that failed has not passed, but says nothing about the memory."""
        return any(not row.failed for run in self.runs.values() for row in run.rows)

    def content(self) -> dict[str, object]:
        """Return the content of `rag_benchmark_results.json`."""
        return self.results_dict()

    def results_dict(self) -> dict[str, object]:
        """Return the first system's results, and those of the others."""
        first, *others = (self._results(name) for name in self.runs)
        more = {"other_systems": others} if others else {}
        return {**first, **more, "self_check": self.self_check.to_dict(), "remarks": list(self.remarks)}

    def _results(self, name: str) -> dict[str, object]:
        rows = self.runs[name].rows
        return system_results(self.study, name, rows, targets=self.targets(name), triggers=self.triggers(name))

    @property
    def query_fields(self) -> dict[str, Callable[[], Mapping[str, str]]]:
        """The fields of the queries that a result may be broken down by."""
        rows = next(iter(self.runs.values())).rows
        return {
            "kind": lambda: {row.key: row.answered.query.kind for row in rows},
            "domain": lambda: {row.key: row.answered.scenario.domain for row in rows if row.answered.scenario.domain},
            "scenario": lambda: {row.key: row.answered.scenario.id for row in rows},
            "split": lambda: {row.key: row.answered.scenario.split for row in rows},
        }

    def forget(self) -> None:
        """Delete the kept scenarios, once the result is written."""
        for run in self.runs.values():
            if run.kept is not None:
                run.kept.forget()

    @property
    def conclusion(self) -> str:
        """Who is better, where there are several systems; how many queries passed, and what went wrong."""
        targets = {name: self.targets(name) for name in self.runs}
        return run_conclusion(self.study, {name: run.rows for name, run in self.runs.items()}, targets)

    def tables(self, *, wide: bool = False) -> list[Table]:
        """Return the tables a reader needs first; of one system its figures, which the study would repeat."""
        if wide or len(self.runs) > 1:
            return super().tables(wide=wide)
        groups = self.groups_table()
        return [*self.lead, *([] if groups is None else [groups])]

    @property
    def lead(self) -> Sequence[Table]:
        """One system: its figures, kinds where many failed, and what did not pass. Several: a row for each."""
        if len(self.runs) > 1:
            targets = {name: self.targets(name) for name in self.runs}
            return [systems_table({name: run.rows for name, run in self.runs.items()}, targets)]
        ((name, run),) = self.runs.items()
        overview = overview_table(name, run.rows, self.targets(name), self.triggers(name))
        if all(row.passed for row in run.rows):
            return [overview]
        kinds = [kinds_table({name: run.rows})] if self._kinds_lead else []
        return [overview, *kinds, failures_table(run.rows, self.diagnoses[name])]

    @property
    def _kinds_lead(self) -> bool:
        """Whether so many queries of a single system failed that the kinds are shown first."""
        rows = next(iter(self.runs.values())).rows
        return len(self.runs) == 1 and sum(not row.passed for row in rows) > MANY_FAILED

    @property
    def notes(self) -> Sequence[Note]:
        """The notes of any study; of one system first how many failures are not shown, and what trivial memories do."""
        if len(self.runs) > 1:
            return super().notes
        ((name, run),) = self.runs.items()
        more = more_failures_note(self.diagnoses[name])
        judged = self.provenance.settings.get("judge") is not None  # trivial memories are graded by the scenarios
        yardstick = () if judged else self.self_check.yardstick(run.rows, system=run.system)
        return in_order([*yardstick, *([Note(more)] if more else []), *super().notes])

    def _of(self, name: str) -> str:
        """Return the name of a system, where there are several."""
        return name if len(self.runs) > 1 else ""

    @property
    def appendix(self) -> Sequence[Table]:
        """The kinds of queries, triggers that fired, criteria that were missed, and remedies."""
        tables: list[Table] = []
        if len(self.runs) > 1:
            tables += [overview_table(name, run.rows, self.targets(name)) for name, run in self.runs.items()]
        if not self._kinds_lead:
            tables.append(kinds_table({name: run.rows for name, run in self.runs.items()}))
        for name, run in self.runs.items():
            if fired := self.triggers(name):
                tables.append(triggers_table(fired, of=self._of(name)))
            if any(not row.passed for row in run.rows):
                tables.append(unpassed_table(run.rows, of=self._of(name)))
            remedies = remedy_table(self.diagnoses[name])
            if remedies.rows:
                of = f": {shortened(name, longest=60)}" if self._of(name) else ""
                tables.append(replace(remedies, title=f"{remedies.title}{of}"))
        return tables

    @property
    def own_artefacts(self) -> Sequence[str]:
        """The files written beside the common ones."""
        return (RESULTS, *FAILURES)

    @property
    def attachments(self) -> Sequence[Attachment]:
        """`rag_benchmark_results.json`, and why queries failed, as Markdown and JSON."""
        failures = {
            name: [diagnosis.to_dict() for diagnosis in diagnoses] for name, diagnoses in self.diagnoses.items()
        }
        text = "\n".join(
            failures_markdown(name, self.runs[name].rows, diagnoses) for name, diagnoses in self.diagnoses.items()
        )
        return (
            Attachment(RESULTS, partial(write_json, value=self.to_dict())),
            Attachment(FAILURES[0], partial(write_text, text=text)),
            Attachment(FAILURES[1], partial(write_json, value=failures)),
        )

    @property
    def metric_aliases(self) -> Mapping[str, str]:
        """Other names of measures that gates may use, `pass_rate` among them."""
        return METRIC_ALIASES

    @property
    def gate_triggers(self) -> Mapping[str, Callable[[str], Sequence[str]]]:
        """The triggers of the criteria, by the names that gates may use."""
        return {name: partial(self._trigger_failures, name) for name in trigger_names(self.rules)}

    def _trigger_failures(self, name: str, run: str) -> tuple[str, ...]:
        return trigger_failures(self.study, run, self.runs[run].rows, rules=self.rules, name=name)

    @property
    def run_facts(self) -> Mapping[str, object]:
        """How long searches took (in a batch, each query has its share), and how many scenarios were resumed."""
        return {
            "latency": {name: latency_summary(_seconds(run)) for name, run in self.runs.items()},
            "scenarios_from_an_interrupted_run": {name: run.resumed for name, run in self.runs.items()},
        }


def _seconds(run: SystemRun) -> list[float]:
    return [row.answered.seconds for row in run.rows if not row.failed]
