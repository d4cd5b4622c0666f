"""Result of a job that compares: a study with its notes, gates and provenance, printed and saved as a folder."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Self

from goldproof import __version__
from goldproof.errors import InputError
from goldproof.io import write_json, write_scores, write_text
from goldproof.records.entities import Card
from goldproof.report import JobResult, Note
from goldproof.report.result import in_order
from goldproof.study.breakdown import Breakdown, breakdown_dict, breakdown_table
from goldproof.study.conclusion import conclude
from goldproof.study.gates import GateResult, check_gate, gate_texts, metrics_to_test, parse_gate
from goldproof.study.notes import study_notes
from goldproof.study.paper_table import PaperTable, paper_table
from goldproof.study.report import report_markdown
from goldproof.study.tables import flat_table, study_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from goldproof.report import Table, Writer
    from goldproof.study.study import Study

SCHEMA = "goldproof.study"
SCHEMA_VERSION = 1
ARTEFACTS = ("summary.json", "scores.parquet", "report.md")
PAPER_STYLES: Mapping[str, Callable[[PaperTable], str]] = {
    "latex": PaperTable.latex,
    "paper-markdown": PaperTable.markdown,
    "paper-csv": PaperTable.csv,
}


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a result came from.

    inputs: gives name -> sha256 of the content, when asked: hashing is only worth its time where a card is written.
    settings: all that was chosen. facts: what else the job puts into `summary.json`.
    """

    title: str
    inputs: Callable[[], Mapping[str, str]]
    settings: Mapping[str, object]
    seed: int
    facts: Mapping[str, object] = field(default_factory=dict)

    def card(self, gates: Sequence[str]) -> Card:
        """Return what is known of a result's card before anything is done."""
        return Card(
            schema=SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs=self.inputs(),
            settings={**self.settings, "gates": list(gates)},
            seed=self.seed,
            versions={"goldproof": __version__},
        )


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a job adds to the folder of its result; `write` is called with its path."""

    name: str
    write: Callable[[Path], None]

    def write_below(self, folder: Path) -> Mapping[str, str]:
        """Write the file; the card of a study does not list what its files hash to."""
        self.write(folder / self.name)
        return {}


class Result(JobResult):
    """A study with its remarks, gates and provenance.

    Intervals and comparisons are computed when first looked at.
    """

    remarks: tuple[str, ...]
    breakdown: Breakdown | None = None

    @property
    def conclusion(self) -> str:
        """Which run is better on the primary metric, and by how much."""
        return conclude(self.study)

    @property
    def lead(self) -> Sequence[Table]:
        """Tables that a job shows above those of the study."""
        return ()

    @property
    def appendix(self) -> Sequence[Table]:
        """Tables below those of the study: in the report, and on a terminal with `--wide`."""
        return ()

    @property
    def notes(self) -> Sequence[Note]:
        """What limits the conclusion, what the job says of its data, and how the numbers were made."""
        groups = self.groups_table()
        tables = [*self.lead, *([] if groups is None else [groups]), *self.appendix]
        of_tables = [note for table in tables for note in table.notes]
        return in_order(
            [
                *(Note(f"Left out: {reason}", "limits") for reason in self.left_out.values()),
                *(Note(remark) for remark in self.remarks),
                *study_notes(self.study),
                *(Note(text, "method") for text in of_tables),
            ]
        )

    @property
    def own_artefacts(self) -> Sequence[str]:
        """Names of all files that a job may write beside the common ones; `*` stands for any part of a name."""
        return ()

    @property
    def attachments(self) -> Sequence[Attachment]:
        """The files of `own_artefacts` that this result has."""
        return ()

    @property
    def metric_aliases(self) -> Mapping[str, str]:
        """Other names under which gates may name the job's metrics."""
        return {}

    @property
    def gate_triggers(self) -> Mapping[str, Callable[[str], Sequence[str]]]:
        """The job's triggers for gates: a name -> a run -> a sentence for each trigger of that name that fired."""
        return {}

    @property
    def figures(self) -> Sequence[str]:
        """Names of attached pictures that the report shows."""
        return ()

    def __init__(
        self,
        study: Study,
        *,
        provenance: Provenance,
        remarks: Sequence[str] = (),
        texts: Mapping[str, str] | None = None,
        gates: Sequence[GateResult] = (),
        left_out: Mapping[str, str] | None = None,
    ) -> None:
        """left_out: runs that could not be scored, with the reason."""
        self.study = study
        self.provenance = provenance
        self.remarks = tuple(remarks)
        self.texts = dict(texts or {})
        self.gates = tuple(gates)
        self.left_out = dict(left_out or {})

    @property
    def has_answers(self) -> bool:
        """Whether there is anything to conclude from: a metric that was asked for has a value."""
        return self.study.has_scores

    def mean(self, metric: str, run: str | None = None) -> float | None:
        """Return one mean; the run may be left out where there is only one. None where nothing was scored."""
        runs = self.study.panel.runs
        if run is None and len(runs) > 1:
            raise InputError(f"there are {len(runs)} runs ({', '.join(runs)}); say which: mean({metric!r}, run=...).")
        return self.study.summary(run or runs[0], metric).mean

    def broken_down(self, breakdown: Breakdown | None) -> Self:
        """Return the same result with a table by a field of the questions."""
        if breakdown is None:
            return self
        result = copy.copy(self)
        result.breakdown = breakdown
        result.groups_table()  # what is wrong with the groups is said now
        return result

    def groups_table(self, *, wide: bool = False) -> Table | None:
        """Return the result by the chosen field: the metrics that are tested, or (wide) all; None without a field."""
        if self.breakdown is None:
            return None
        metrics = self.study.shown if wide else self.study.tested[:1] or self.study.shown[:1]
        return breakdown_table(self.study, self.breakdown, metrics=metrics)

    def gated(self, expressions: str | Sequence[str]) -> Self:
        """Return the same result with gates checked; all are parsed before any is tried, so that a typo is found first.

        expressions: as for `--fail-if`, such as "nDCG@10 worse".
        """
        panel = self.study.panel
        gates = [
            parse_gate(
                text,
                metrics=panel.metrics,
                runs=(*panel.runs, *self.left_out),
                aliases=self.metric_aliases,
                triggers=self.gate_triggers,
            )
            for text in gate_texts(expressions)
        ]
        gated = copy.copy(self)
        gated.study = self.study.testing(metrics_to_test(gates, self.study.shown))
        gated.gates = tuple(
            check_gate(gate, gated.study, left_out=self.left_out, triggers=self.gate_triggers) for gate in gates
        )
        return gated

    def to_frame(self) -> pl.DataFrame:
        """Return a row per run, question and metric asked for: `run, id, metric, value, status, reason, cluster`."""
        return self.study.panel.to_scores(self.study.shown).frame

    def tables(self, *, wide: bool = False) -> list[Table]:
        """Return the tables that a reader needs first; wide: all of them, with all columns."""
        groups = self.groups_table(wide=wide)
        by = [] if groups is None else [groups]
        if wide:
            return [*self.lead, *study_tables(self.study, wide=True), *by, *self.appendix]
        return [*self.lead, *study_tables(self.study, metrics=self.first_metrics), *by]

    @property
    def first_metrics(self) -> Sequence[str]:
        """The metrics that a reader needs first; all are in the report, and on a terminal with `--wide`."""
        return self.study.shown

    def content(self) -> dict[str, object]:
        """Return what `--json` prints after the conclusion: as in `summary.json`, unless the job has its own shape."""
        return self.summary_dict()

    def summary_dict(self) -> dict[str, object]:
        """Return the content of `summary.json` after the conclusion."""
        return {
            **self.study.to_dict(),
            **self._groups_dict(),
            **self.provenance.facts,
            "gates": [result.to_dict() for result in self.gates],
            "remarks": list(self.remarks),
        }

    def _groups_dict(self) -> dict[str, object]:
        if self.breakdown is None:
            return {}
        return {"by": breakdown_dict(self.study, self.breakdown, metrics=self.study.shown)}

    def paper_table(self) -> PaperTable:
        """Return systems x metrics for a paper, with `latex()`, `markdown()` and `csv()`."""
        return paper_table(self.study)

    def to_latex(self, *, label: str = "tab:results") -> str:
        """Return a booktabs table for a paper: bold and superscripts only where the tests support them."""
        return self.paper_table().latex(label=label)

    def document(self, style: str, *, wide: bool = False) -> str:
        """Return the result as a document; latex, paper-markdown and paper-csv are the table for a paper."""
        if style in PAPER_STYLES:
            return PAPER_STYLES[style](self.paper_table())
        return super().document(style, wide=wide)

    def flat_table(self) -> Table:
        """Return every summary and comparison in one table."""
        return flat_table(self.study)

    @property
    def artefacts(self) -> Sequence[str]:
        """Names of the files of any study, and of the job's own."""
        return (*ARTEFACTS, *self.own_artefacts)

    def writers(self) -> Sequence[Writer]:
        """Return what writes `summary.json`, `scores.parquet`, `report.md` and the job's own files."""
        report = report_markdown(
            self.study,
            title=self.provenance.title,
            conclusion=self.conclusion,
            notes=self.notes,
            gates=self.gates,
            texts=self.texts,
            lead=self.lead,
            appendix=[*([] if (groups := self.groups_table(wide=True)) is None else [groups]), *self.appendix],
            figures=self.figures,
        )
        scores = self.study.panel.to_scores(self.study.shown)
        files = [
            Attachment(
                "summary.json", partial(write_json, value={"conclusion": self.conclusion, **self.summary_dict()})
            ),
            Attachment("scores.parquet", partial(write_scores, scores=scores)),
            Attachment("report.md", partial(write_text, text=report)),
            *self.attachments,
        ]
        return [file.write_below for file in files]

    def card(self) -> Card:
        """Return the card of the study, with its gates and counts."""
        panel = self.study.panel
        rows = len(panel.to_scores(self.study.shown).frame)
        return replace(
            self.provenance.card([result.gate.text for result in self.gates]),
            counts={
                "questions": len(panel.ids),
                "runs": len(panel.runs),
                "metrics": len(panel.metrics),
                "scores": rows,
            },
        )
