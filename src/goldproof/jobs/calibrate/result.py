"""`CalibrationResult`: figures, tables and files of a calibration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof import __version__
from goldproof.io import write_json, write_text
from goldproof.jobs.calibrate.agreement import Figure
from goldproof.jobs.calibrate.report import calibration_tables, conclusion_of, figures_table, first_tables
from goldproof.records.entities import Card
from goldproof.report import JobResult, render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from goldproof.jobs.calibrate.agreement import Agreement, Aligned
    from goldproof.jobs.calibrate.calibration import CutOff, Need, Probabilities, Shares
    from goldproof.jobs.calibrate.labels import HumanLabels, JudgeLabels
    from goldproof.report import Table, Writer

SCHEMA = "goldproof.calibration"
SCHEMA_VERSION = 1
ARTEFACTS = ("calibration.json", "report.md")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CalibrationResult(JobResult):
    """A judge, measured against people.

    inputs: name -> sha256. settings: for the card. spent: calls, tokens and cost, for `run.json`.
    """

    human: HumanLabels
    judge: JudgeLabels
    pairs: Aligned
    agreement: Agreement
    cutting: CutOff
    probabilities: Probabilities
    shares: Shares
    needs: tuple[Need, ...]
    width: float
    seed: int
    inputs: Mapping[str, str]
    settings: Mapping[str, object]
    remarks: tuple[str, ...] = ()
    spent: Mapping[str, object] = field(default_factory=dict)

    def figures(self) -> tuple[Figure, ...]:
        """Return every figure that has, or could have, an interval."""
        agreement, shares, people = self.agreement, self.shares, self.people()
        return (
            *(agreement.accuracy, agreement.kappa, agreement.ac1, agreement.sensitivity, agreement.specificity),
            *(() if agreement.graded is None else (agreement.graded.same, agreement.graded.kappa)),
            *(() if people is None else (people,)),
            *(
                replace(figure, name=f"share of relevant pairs, {figure.name}")
                for figure in (shares.judge, shares.human, shares.prediction_powered, shares.rogan_gladen)
            ),
        )

    def people(self) -> Figure | None:
        """Return how far the annotators agree among themselves, where there are several."""
        several = self.human.annotators
        if several is None:
            return None
        return Figure.of_effect("annotators among themselves (alpha)", several.alpha, n=several.pairs)

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:
        """Return what a reader needs first: agreement, confusion, cut-off; wide: all tables of the report."""
        return calibration_tables(self) if wide else first_tables(self)

    @property
    def conclusion(self) -> str:
        """How far the judge agrees with people."""
        return conclusion_of(self)

    def flat_table(self) -> Table:
        """Return all figures in one table, for CSV."""
        return figures_table(self.figures())

    def content(self) -> dict[str, object]:
        """Return the content of `calibration.json`."""
        agreement, people = self.agreement, self.people()
        figures = {
            "accuracy": agreement.accuracy.to_dict(),
            "accuracy_bounds": None
            if agreement.bounds is None
            else {"all_wrong": agreement.bounds.all_wrong, "all_right": agreement.bounds.all_right},
            "kappa": agreement.kappa.to_dict(),
            "ac1": agreement.ac1.to_dict(),
            "sensitivity": agreement.sensitivity.to_dict(),
            "specificity": agreement.specificity.to_dict(),
            "confusion": agreement.verdicts.tolist(),
        }
        if agreement.graded is not None:
            figures |= {
                "same_grade": agreement.graded.same.to_dict(),
                "weighted_kappa": agreement.graded.kappa.to_dict(),
                "grade_confusion": agreement.graded.table.tolist(),
            }
        return {
            "judge": self.judge.key,
            "kind": self.judge.kind,
            "judge_scale": None if self.judge.scale is None else self.judge.scale.name,
            "human_scale": self.human.scale.name,
            "pairs": self._counts(),
            **figures,
            "annotators": None if people is None else {**people.to_dict(), **self._annotators()},
            "threshold": self.cutting.to_dict(),
            "isotonic": self.probabilities.to_dict(),
            "share_of_relevant": self._shares(),
            "labels_needed": {"half_width": self.width, **{need.name: need.to_dict() for need in self.needs}},
            "remarks": list(self.remarks),
        }

    def _annotators(self) -> dict[str, object]:
        several = self.human.annotators
        if several is None:
            return {}
        fleiss = Figure.of_effect("Fleiss' kappa", several.fleiss, n=several.pairs)
        ac1 = Figure.of_effect("AC1", several.ac1, n=several.pairs)
        return {"exact": several.exact, "fleiss_kappa": fleiss.to_dict(), "ac1": ac1.to_dict()}

    def _counts(self) -> dict[str, object]:
        pairs = self.pairs
        return {
            "both": pairs.n,
            "questions": len(set(pairs.questions)),
            "human_only": pairs.human_only,
            "never_judged": dict(pairs.unseen),
            "judge_only": len(pairs.rest),
            "human_labels": self.human.labels,
            "without_ruling": dict(pairs.unruled),
            "without_human_label": dict(pairs.human_without),
            "judge_only_without_ruling": dict(pairs.rest_unruled),
            "rulings_on_sets": self.judge.sets,
        }

    def _shares(self) -> dict[str, object]:
        shares = self.shares
        return {
            "judge": shares.judge.to_dict(),
            "human": shares.human.to_dict(),
            "prediction_powered": {
                **shares.prediction_powered.to_dict(),
                "lambda": shares.tuning,
                "design_effect": shares.design_effect,
            },
            "rogan_gladen": shares.rogan_gladen.to_dict(),
            "pairs": shares.total,
        }

    def to_frame(self) -> pl.DataFrame:
        """Return a row per pair with both labels: the human and the judge's label, and the calibrated probability."""
        import polars as pl  # noqa: PLC0415 - only a frame needs it

        pairs, fitted = self.pairs, self.probabilities.fitted
        return pl.DataFrame(
            {
                "query_id": pl.Series(pairs.questions, dtype=pl.String),
                "doc_id": pl.Series([document for _, document in pairs.pairs], dtype=pl.String),
                "human": pairs.human,
                "relevant": pairs.relevant,
                "judge": pairs.value,
                "verdict": pl.Series(
                    [None] * pairs.n if pairs.verdict is None else pairs.verdict.tolist(), dtype=pl.Boolean
                ),
                "probability": pl.Series([None] * pairs.n if fitted is None else fitted(pairs.value), dtype=pl.Float64),
            }
        )

    @property
    def artefacts(self) -> Sequence[str]:
        """The figures, and the tables for people."""
        return ARTEFACTS

    def writers(self) -> Sequence[Writer]:
        """Return what writes `calibration.json` and `report.md`."""
        content, report = self.to_dict(), self.report()

        def write(folder: Path) -> dict[str, str]:
            write_json(folder / "calibration.json", content)
            write_text(folder / "report.md", report)
            return {}

        return [write]

    @property
    def run_facts(self) -> Mapping[str, object]:
        """What asking the judge cost."""
        return self.spent

    def card(self) -> Card:
        """Return the card of the calibration."""
        return Card(
            schema=SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs=self.inputs,
            settings=self.settings,
            seed=self.seed,
            versions={"goldproof": __version__},
            counts={"pairs": self.pairs.n, "human_labels": self.human.labels, "judge_only": len(self.pairs.rest)},
        )

    def report(self) -> str:
        """Return `report.md`: all tables and notes."""
        tables = [render(table, "markdown") for table in calibration_tables(self)]
        remarks = "\n".join(f"- {remark}" for remark in self.remarks)
        head = [f"# Judge calibration: {self.judge.key}", "", self.conclusion, ""]
        return "\n".join([*head, *tables, "## Notes", "", remarks, ""])
