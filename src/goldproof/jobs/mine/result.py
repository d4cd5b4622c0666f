"""`MiningResult`, a mined dataset with its files, and `Unlabelled`, the candidates of `--candidates-only`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof import __version__
from goldproof.corpus import write_gold_spans
from goldproof.errors import StoppedEarlyError, counted
from goldproof.io import OutputFolder, write_json
from goldproof.io.atomic_files import write_hashed
from goldproof.io.cases import Case
from goldproof.io.datasets.beir import BEIR_FILES, write_beir
from goldproof.io.datasets.sheet import SheetRow, write_sheet
from goldproof.io.storage.cards import CARD_NAME, MINED, MINED_BEIR, machine_facts, sha256_file, write_card
from goldproof.io.storage.output_folder import writing_to
from goldproof.jobs.mine.candidate_file import write_candidates
from goldproof.jobs.mine.counts import (
    agreement_dict,
    discovery_counts,
    mining_counts,
    random_relevant,
    targets_alone,
    targets_confirmed,
    vote_agreement,
)
from goldproof.jobs.mine.files import (
    DATASET,
    DISCOVERIES,
    JUDGMENTS,
    dataset_pieces,
    discovery_lines,
    judged_question,
    judgment_lines,
)
from goldproof.jobs.mine.recipe import absolute_spec
from goldproof.jobs.mine.records import GRADES, Candidate
from goldproof.jobs.mine.report import REPORT, conclusion_of, first_tables, report_tables, report_text
from goldproof.jobs.mine.spans import SPANS, gold_spans, why_no_spans
from goldproof.records.entities import Card
from goldproof.report import Heading, JobResult, Note, Table
from goldproof.report.result import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from goldproof.jobs.mine.plan import MiningPlan
    from goldproof.jobs.mine.records import Mined
    from goldproof.report import Writer

SCHEMA = MINED
CANDIDATES_SCHEMA = "goldproof.candidates"
SCHEMA_VERSION = 1
BEIR_FOLDER = "beir"
CANDIDATES = "candidates.jsonl"
PARTIAL = "judgments.partial.jsonl"
RUN = "run.json"
CORPUS_SPEC = "corpus_spec"
ARTEFACTS = (
    *(DATASET, JUDGMENTS, PARTIAL, REPORT, CANDIDATES, DISCOVERIES, SPANS, RUN),
    *(f"{BEIR_FOLDER}/{name}" for name in (*BEIR_FILES, CARD_NAME)),
)
_COLUMNS = ("query_id", "doc_id", "standing", "grade", "label", "sources", "agreement", "reason", "status")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MiningResult(JobResult):
    """A mined dataset, not yet written; only a part where `mined.stopped` is set."""

    mined: Mined

    def __len__(self) -> int:
        return len(self.mined.questions)

    @property
    def has_labels(self) -> bool:
        """Whether any document has a standing that counts."""
        return any(document.standing != "unjudged" for each in self.mined.questions for document in each.documents)

    @property
    def stopped(self) -> str:
        """Why mining ended early (the budget, a model that is down); empty where it is done."""
        return self.mined.stopped

    @property
    def conclusion(self) -> str:
        """How many questions have a document that answers them."""
        return conclusion_of(self.mined)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Cases that could not be read, notes, and why mining ended early."""
        stopped = (f"stopped early: {self.mined.stopped}",) if self.mined.stopped else ()
        return (*self.mined.problems, *self.mined.limits, *self.mined.remarks, *stopped)

    @property
    def notes(self) -> Sequence[Note]:
        """All notes; first what keeps the labels from comparing retrievers."""
        others = (note for note in super(MiningResult, self).notes if note.text not in self.mined.limits)
        return in_order([*(Note(text, "limits") for text in self.mined.limits), *others])

    @property
    def artefacts(self) -> Sequence[str]:
        """All files of a mined dataset."""
        return ARTEFACTS

    def save(self, folder: OutputFolder | Path | str, *, force: bool = False) -> Path:
        """Write the dataset, the judgments, the BEIR folder, the report, `card.json` and `run.json`.

        A folder that holds something else is refused unless `force` is given. Of a mining that stopped early only the
        rulings on questions that are done are written, to `judgments.partial.jsonl`, and the error says why: it is no
        dataset. All rulings so far are kept in the cache as well, and the same command goes on from there.
        """
        if self.stopped:
            raise StoppedEarlyError(
                f"mining stopped early; {self._save_part(folder, force=force)}\n  {self.stopped.rstrip('.')}."
            )
        return JobResult.save(self, folder, force=force)  # a class with slots has no super()

    def writers(self) -> Sequence[Writer]:
        """Return what writes the dataset."""
        return [self._write]

    @property
    def run_facts(self) -> Mapping[str, object]:
        """What the clock, prices and paths decided, and what continuing from here needs."""
        to_continue = {"judge_spec": self.mined.judge_spec, "problems": list(self.mined.problems)}
        return {"spent": dict(self.mined.spent), **to_continue}

    def _save_part(self, target: OutputFolder | Path | str, *, force: bool) -> str:
        """Write the rulings of the finished questions, unless the folder holds a whole result; return a sentence."""
        done = f"{len(self.mined.questions):,} questions are done"
        folder = target.path if isinstance(target, OutputFolder) else Path(target)
        if (folder / CARD_NAME).exists() and not (folder / PARTIAL).exists():
            return f"{done}, and {folder} stays as it is."
        with writing_to(target, card=self.card(), artefacts=ARTEFACTS, force=force) as out:
            write_hashed(out / PARTIAL, judgment_lines(self.mined))
            write_json(out / RUN, {**machine_facts(), **self.run_facts})
        return f"{done}, their rulings are in {folder / PARTIAL}."

    def _write(self, folder: Path) -> dict[str, str]:
        mined = self.mined
        beir = write_beir(
            folder / BEIR_FOLDER,
            documents=mined.corpus,
            questions=lambda: map(judged_question, mined.questions),
        )
        written = {
            DATASET: write_hashed(folder / DATASET, dataset_pieces(mined)),
            JUDGMENTS: write_hashed(folder / JUDGMENTS, judgment_lines(mined)),
            REPORT: write_hashed(folder / REPORT, [report_text(mined).encode("utf-8", "replace")]),
            **{f"{BEIR_FOLDER}/{name}": digest for name, digest in beir.items()},
            f"{BEIR_FOLDER}/{CARD_NAME}": self._write_beir_card(folder / BEIR_FOLDER / CARD_NAME, beir),
            CANDIDATES: self._write_candidates(folder / CANDIDATES),
            **self._write_discoveries(folder / DISCOVERIES),
            **self._write_spans(folder / SPANS),
        }
        (folder / PARTIAL).unlink(missing_ok=True)
        return written

    def _write_beir_card(self, path: Path, outputs: Mapping[str, str]) -> str:
        """Write the card of the BEIR folder, so that a copy of it still says which judge made the labels."""
        write_card(path, replace(self.card(), schema=MINED_BEIR, outputs=outputs))
        return sha256_file(path)

    def _write_discoveries(self, path: Path) -> dict[str, str]:
        """Write what the agent did; without an agent, remove the file of an earlier one."""
        if any(question.discovery is not None for question in self.mined.questions):
            return {DISCOVERIES: write_hashed(path, discovery_lines(self.mined))}
        path.unlink(missing_ok=True)
        return {}

    def _write_spans(self, path: Path) -> dict[str, str]:
        """Write the gold as spans of sources; where documents contradict their metadata, remove an earlier file."""
        if why_no_spans(self.mined.documents.values()):
            path.unlink(missing_ok=True)
            return {}
        return {SPANS: write_gold_spans(path, gold_spans(self.mined))}

    def _write_candidates(self, path: Path) -> str:
        """Write every document that was looked at, so that the folder can be judged again, or extended."""
        candidates = (
            Candidate(mined.question.id, document.id, document.sources)
            for mined in self.mined.questions
            for document in mined.documents
        )
        cases = (Case("question", "", mined.question, where=mined.question.id) for mined in self.mined.questions)
        return write_candidates(path, cases, candidates=candidates, documents=self.mined.documents)

    def card(self) -> Card:
        """Return the card of the dataset."""
        return Card(
            schema=SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs=dict(self.mined.inputs),
            settings={"judge": self.mined.judge, "kernels": self.mined.judged_kernels, **self.mined.facts},
            seed=self.mined.seed,
            versions={"goldproof": __version__},
            counts=self._counts(),
        )

    def _counts(self) -> dict[str, int]:
        counts = mining_counts(self.mined)
        return {
            "questions": len(self.mined.questions),
            "documents": len(self.mined.corpus),
            "rulings": sum(counts.labels.values()),
            "kernels": sum(counts.kernels.values()),
            "problems": len(self.mined.problems),
            **counts.standings,
            **{status.replace(" ", "_"): n for status, n in counts.statuses.items()},
        }

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:
        """Return what a reader needs first: questions by status, candidates by source; wide: all of the report."""
        return report_tables(self.mined) if wide else first_tables(self.mined)

    def report(self) -> str:
        """Return `report.md`: all tables, and the questions to check."""
        return report_text(self.mined)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each question and candidate."""
        import polars as pl  # noqa: PLC0415 - only a frame needs it

        rows = [
            (
                *(mined.question.id, document.id, document.standing, GRADES.get(document.standing)),
                None if document.ruling is None else document.ruling.label,
                list(document.sources),
                None if document.ruling is None else document.ruling.agreement,
                "" if document.ruling is None else document.ruling.reason,
                mined.status,
            )
            for mined in self.mined.questions
            for document in mined.documents
        ]
        types: dict[str, pl.DataType | type[pl.DataType]] = {
            "grade": pl.Int64,
            "sources": pl.List(pl.String),
            "agreement": pl.Float64,
        }
        return pl.DataFrame(rows, schema={name: types.get(name, pl.String) for name in _COLUMNS}, orient="row")

    def content(self) -> dict[str, object]:
        """Return the counts, the shares and the cost."""
        mined, counts = self.mined, mining_counts(self.mined)
        return {
            "judge": mined.judge,
            "seed": mined.seed,
            "counts": self._counts(),
            "by_source": {source: dict(standings) for source, standings in counts.by_source.items()},
            "labels": dict(counts.labels),
            "unjudged": [{"label": a, "reason": b, "documents": n} for (a, b), n in counts.unjudged.items()],
            "targets_confirmed": targets_confirmed(mined).to_dict(),
            "targets_alone": targets_alone(mined).to_dict(),
            "random_relevant": random_relevant(mined).to_dict(),
            "kernels": {
                "looked_for": mined.judged_kernels,
                "by_size": {str(size): n for size, n in counts.kernels.items()},
                "questions": counts.with_kernels,
                "with_alternatives": counts.with_alternatives,
            },
            "agreement": agreement_dict(vote_agreement(mined)),
            "discoveries": discovery_counts(mined),
            "answered_without_context": list(counts.without_context),
            "nothing_judged": list(counts.nothing_judged),
            "spent": dict(mined.spent),
            "stopped": mined.stopped or None,
            "problems": list(mined.problems),
            "remarks": [*mined.limits, *mined.remarks],
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unlabelled(JobResult):
    """The candidates of a plan, not yet judged: the result of `--candidates-only`."""

    plan: MiningPlan

    def by_source(self) -> dict[str, int]:
        """Return the number of candidates of each source; one with several sources counts for each."""
        counts = Counter(source for candidate in self._candidates() for source in candidate.sources)
        return dict(sorted(counts.items()))

    def _candidates(self) -> Iterator[Candidate]:
        return chain.from_iterable(self.plan.candidates.values())

    @property
    def conclusion(self) -> str:
        """How much there is to judge."""
        pairs, questions = counted(self.plan.pairs, "candidate"), counted(len(self.plan.cases), "question")
        return f"{pairs} for {questions}, none of them judged yet."

    @property
    def remarks(self) -> tuple[str, ...]:
        """Cases that could not be read, and notes."""
        return (*self.plan.problems, *self.plan.limits, *self.plan.remarks)

    @property
    def artefacts(self) -> Sequence[str]:
        """The one file."""
        return (CANDIDATES,)

    def writers(self) -> Sequence[Writer]:
        """Return what writes `candidates.jsonl`."""
        return [self._write]

    def _write(self, folder: Path) -> dict[str, str]:
        candidates, documents = self._candidates(), self.plan.documents
        path = folder / CANDIDATES
        return {CANDIDATES: write_candidates(path, self.plan.cases, candidates=candidates, documents=documents)}

    def save_sheet(self, path: Path | str, *, force: bool = False) -> Path:
        """Write the candidates as a sheet for people to grade; `human:FILE` is the judge that reads it back.

        Documents of a question are in the order of their ids, so that nobody sees which retriever found them. A file
        that holds grades, or is no sheet, is refused unless `force` is given.
        """
        documents = self.plan.documents
        rows = (
            SheetRow(
                case.id,
                each.document,
                case.question.text,
                documents[each.document].title,
                documents[each.document].text,
            )
            for case in self.plan.cases
            for each in sorted(self.plan.candidates[case.id], key=lambda candidate: candidate.document)
        )
        write_sheet(path, rows, force=force)
        return Path(path)

    @property
    def run_facts(self) -> Mapping[str, object]:
        """Cases that could not be read, and the corpus, which `--from` opens again."""
        return {"problems": list(self.plan.problems), CORPUS_SPEC: absolute_spec(self.plan.corpus.name)}

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each question and candidate."""
        import polars as pl  # noqa: PLC0415 - only a frame needs it

        rows = [(each.question, each.document, list(each.sources)) for each in self._candidates()]
        columns = [("query_id", pl.String()), ("doc_id", pl.String()), ("sources", pl.List(pl.String))]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def card(self) -> Card:
        """Return the card of the candidates."""
        chosen = self.plan.recipe.candidate_settings
        return Card(
            schema=CANDIDATES_SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs=self.plan.inputs,
            settings={
                **{name: getattr(chosen, name) for name in ("random", "hard", "dense", "depth")},
                "embedder": chosen.embedder if chosen.dense else None,
                "corpus": dict(self.plan.corpus.facts),
            },
            seed=self.plan.recipe.seed,
            versions={"goldproof": __version__},
            counts={
                "questions": len(self.plan.cases),
                "candidates": self.plan.pairs,
                "documents": len(self.plan.corpus),
            },
        )

    def content(self) -> dict[str, object]:
        """Return the counts."""
        return {
            "questions": len(self.plan.cases),
            "candidates": self.plan.pairs,
            "by_source": self.by_source(),
            "problems": list(self.plan.problems),
            "remarks": [*self.plan.limits, *self.plan.remarks],
        }

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:  # noqa: ARG002 - this is all
        """Return a row for each source."""
        rows = tuple((source, f"{many:,}") for source, many in self.by_source().items())
        title = "Candidates by source"
        return (Table((Heading("source", "left"), Heading("candidates")), rows, title=title),)
