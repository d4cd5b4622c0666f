"""Result of an audit: findings, tables, and the files that are written when it is saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof import __version__
from goldproof.io import json_text
from goldproof.io.atomic_files import write_hashed
from goldproof.jobs.verify.finding import VERDICTS
from goldproof.jobs.verify.kept import KEPT, SCHEMA, SCHEMA_VERSION, kept_lines
from goldproof.jobs.verify.output.audit_markdown import AUDIT, audit_text
from goldproof.jobs.verify.output.placing import PROOFS, observer_texts, place_proofs
from goldproof.jobs.verify.output.report_json import REPORT, case_entry
from goldproof.jobs.verify.output.summary import (
    FIRST_FINDINGS,
    FLAWED,
    conclusion_of,
    counted,
    drift_table,
    findings_table,
    verdict_table,
)
from goldproof.records.entities import Card
from goldproof.report import JobResult

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import polars as pl

    from goldproof.corpus.libraries import Library
    from goldproof.jobs.verify.finding import CaseFinding, Verdict
    from goldproof.report import Table, Writer
    from goldproof.sandbox import Isolation

EXCLUDE = "exclude.txt"
ARTEFACTS = (REPORT, AUDIT, KEPT, EXCLUDE, f"{PROOFS}/*.py", f"{PROOFS}/*/*.py", f"{PROOFS}/*/*.files/*")
MODEL_FAILED = "the model "  # how an agent ended that got no answer
_COLUMNS = ("case", "library", "verdict", "option", "key", "status", "reason", "rule", "isolation")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AuditResult(JobResult):
    """An audit that is done and not yet written.

    libraries: in the order given; findings: by case, then by library. isolations: of each library's sandbox, by label.
    settings: prover, model and limits, for the card. problems: cases that could not be read. spent: what models cost.
    """

    findings: tuple[CaseFinding, ...]
    libraries: tuple[Library, ...]
    isolations: Mapping[str, Isolation]
    inputs: Mapping[str, str]
    settings: Mapping[str, object]
    problems: tuple[str, ...] = ()
    spent: Mapping[str, object] = field(default_factory=dict)
    scripts: int = 0

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the libraries."""
        return tuple(library.label for library in self.libraries)

    @property
    def excluded(self) -> tuple[str, ...]:
        """The ids of the cases that a benchmark should leave out: flawed against at least one library."""
        return tuple(dict.fromkeys(one.case.id for one in self.findings if one.verdict in FLAWED))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks to print beside the tables."""
        said = [*self.problems]
        for library in self.libraries:
            said += [f"{library.label}: {remark}" for remark in library.remarks]
        failed = [one for one in self.findings if one.notes is not None and one.notes.ended.startswith(MODEL_FAILED)]
        if failed:
            first = f"{failed[0].case.id}: {failed[0].notes.ended}" if failed[0].notes else ""
            said.append(
                f"the model failed for {len(failed)} cases, which stay as rules left them; the first is {first}"
            )
            said.append("  --retry-failed asks again where a kept answer was of no use.")
        unsafe = [label for label, isolation in self.isolations.items() if isolation.level == "unsafe"]
        if unsafe:
            said.append(f"NOT ISOLATED: scripts ran with all rights of this user ({', '.join(unsafe)}).")
        return tuple(said)

    def tripped(self, verdicts: tuple[Verdict, ...]) -> tuple[CaseFinding, ...]:
        """Return the findings with one of these verdicts: those that a gate fails on."""
        return tuple(one for one in self.findings if one.verdict in verdicts)

    @property
    def artefacts(self) -> tuple[str, ...]:
        """All files of an audit."""
        return ARTEFACTS

    def writers(self) -> tuple[Writer, ...]:
        """Return what writes the report, the audit for people, every script, and the list of cases to leave out."""
        return (self._write,)

    def _write(self, folder: Path) -> dict[str, str]:
        placed = place_proofs(self.findings)
        texts = {**placed.texts, **observer_texts()}
        _remove_other_scripts(folder, texts)
        versions = {library.label: version_of(library) for library in self.libraries}
        entries = [case_entry(one, placed, version=versions[one.library]) for one in self.findings]
        audit = audit_text(self.findings, placed, libraries=self.labels, notes=self._notes())
        contents = {
            REPORT: json_text({**self._head(), "cases": entries}),
            AUDIT: audit,
            EXCLUDE: "".join(f"{case}\n" for case in self.excluded),
            **texts,
        }
        written = {name: write_hashed(folder / name, [_encoded(text)]) for name, text in contents.items()}
        return {**written, KEPT: write_hashed(folder / KEPT, kept_lines(self.findings, placed))}

    def _head(self) -> dict[str, object]:
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "libraries": [
                {"label": one.label, "name": one.name, "version": one.version, "origin": one.origin}
                for one in self.libraries
            ],
            "isolation": {label: isolation.level for label, isolation in self.isolations.items()},
            **dict(self.settings),
            "counts": {label: counted(self.findings, label) for label in self.labels},
            "excluded": list(self.excluded),
            "problems": list(self.problems),
        }

    def _notes(self) -> tuple[str, ...]:
        held = [
            f"{label}: scripts ran in {isolation.level!r}"
            + (f", {len(isolation.held)} probes held" * bool(isolation.held))
            for label, isolation in self.isolations.items()
        ]
        prover = f"Prover: {self.settings['prover']}" + (
            f", model {self.settings['model']}" if self.settings.get("model") else ""
        )
        return (prover, *held, *self.remarks)

    def card(self) -> Card:
        """Return where the audit comes from."""
        return replace(audit_card(self.inputs, self.settings, self.labels), counts=self._counts())

    def _counts(self) -> dict[str, int]:
        verdicts = {str(one): sum(found.verdict == one for found in self.findings) for one in reversed(VERDICTS)}
        return {"cases": len(self.findings), **verdicts, "problems": len(self.problems)}

    @property
    def run_facts(self) -> dict[str, object]:
        """What held the scripts, what was installed, how many ran, and what it cost."""
        isolations = {
            label: {"level": one.level, "held": list(one.held), "broken": list(one.broken), "notes": list(one.notes)}
            for label, one in self.isolations.items()
        }
        installed = {library.label: dict(library.distributions) for library in self.libraries}
        return {
            "isolation": isolations,
            "distributions": installed,
            "scripts_run": self.scripts,
            "spent": dict(self.spent),
        }

    @property
    def conclusion(self) -> str:
        """How many questions are wrong, and how."""
        said = [conclusion_of(self.findings, label, unread=len(self.problems)) for label in self.labels]
        if len(said) < 2:
            return said[0] if said else ""
        return " ".join(f"{label}: {sentence}" for label, sentence in zip(self.labels, said, strict=True))

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:
        """Return the verdicts, the first findings (wide: all), and what changed between versions."""
        tables = (
            verdict_table(self.findings, self.labels, unread=len(self.problems)),
            findings_table(self.findings, first=None if wide else FIRST_FINDINGS),
            drift_table(self.findings, self.labels),
        )
        return tuple(table for table in tables if table.rows)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each option of each case and library."""
        import polars as pl  # noqa: PLC0415 - only who asks for a frame needs it

        rows = [
            (
                *(one.case.id, one.library, one.verdict, option.letter, option.letter == one.case.key, option.status),
                option.reason,
                option.tries[0].proof.rule if option.tries else None,
                option.tries[0].run.level if option.tries else None,
            )
            for one in self.findings
            for option in one.options
        ]
        types = {name: pl.Boolean if name == "key" else pl.String for name in _COLUMNS}
        return pl.DataFrame(rows, schema=types, orient="row")

    def content(self) -> dict[str, object]:
        """Return what `quality_report.json` holds, and what it cost."""
        placed = place_proofs(self.findings)
        versions = {library.label: version_of(library) for library in self.libraries}
        entries = [case_entry(one, placed, version=versions[one.library]) for one in self.findings]
        return {**self._head(), "cases": entries, "spent": dict(self.spent)}


def audit_card(inputs: Mapping[str, str], settings: Mapping[str, object], labels: tuple[str, ...]) -> Card:
    """Return the card of an audit, which is known before it is run."""
    return Card(
        schema=SCHEMA,
        schema_version=SCHEMA_VERSION,
        inputs=dict(inputs),
        settings={**settings, "against": list(labels)},
        versions={"goldproof": __version__},
    )


def version_of(library: Library) -> str:
    """Return the version under test; of several distributions all of them, with their names."""
    return library.label if len(library.under_test) > 1 else library.version


def _remove_other_scripts(folder: Path, texts: Mapping[str, str]) -> None:
    """Remove scripts that an earlier audit of the same inputs left and that this one does not write."""
    for path in (folder / PROOFS).rglob("*.py"):
        if path.relative_to(folder).as_posix() not in texts and not path.is_symlink():
            path.unlink()
    for empty in sorted((folder / PROOFS).rglob("*"), reverse=True):
        if empty.is_dir() and not empty.is_symlink() and not any(empty.iterdir()):
            empty.rmdir()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
