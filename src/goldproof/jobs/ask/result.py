"""`AskingResult`: the drafted questions, what became of every draft, and the files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import StoppedEarlyError, counted, plural
from goldproof.io import OutputFolder, write_json, write_text
from goldproof.io.atomic_files import write_hashed
from goldproof.io.json_files import json_line
from goldproof.io.storage.cards import CARD_NAME, machine_facts
from goldproof.io.storage.output_folder import writing_to
from goldproof.jobs.ask.places import PASSAGE, VISITS
from goldproof.jobs.ask.plan import MOST_DRAFTS
from goldproof.jobs.ask.records import DUPLICATE, FAILED, KEPT, REASONS
from goldproof.report import Heading, JobResult, Table, render
from goldproof.report.numbers import count
from goldproof.report.result import RUN_FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import polars as pl

    from goldproof.jobs.ask.plan import AskingPlan
    from goldproof.jobs.ask.records import Draft
    from goldproof.records.entities import Card, Question
    from goldproof.report import Writer

QUESTIONS = "questions.jsonl"
PARTIAL = "questions.partial.jsonl"
DROPPED = "dropped.jsonl"
REPORT = "report.md"
_SHOWN_QUESTIONS = 10
_NEXT = (
    "These are drafts: `goldproof mine --cases questions.jsonl` finds every document that answers them, and makes them "
    "ground truth. Read a sample first."
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AskingResult(JobResult):
    """Drafted questions.

    drafts: every draft with its outcome. stopped: why drafting ended early (the budget, a model that is down); empty
    where it is done. exhausted: the corpus had nothing more to ask about.
    """

    plan: AskingPlan
    drafts: tuple[Draft, ...]
    stopped: str = ""
    exhausted: bool = False

    def __len__(self) -> int:
        return len(self.kept)

    @property
    def kept(self) -> list[Draft]:
        """The drafts that passed all checks, in the order of their ids."""
        return sorted((draft for draft in self.drafts if draft.outcome == KEPT), key=lambda draft: draft.id)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, with answers and evidence, as `goldproof.mine` takes them."""
        return tuple(draft.to_question() for draft in self.kept)

    @property
    def dropped(self) -> dict[str, int]:
        """How many drafts were dropped for each reason, in the order of the checks."""
        counts = Counter(draft.outcome for draft in self.drafts)
        return {reason: counts[reason] for reason in REASONS if counts[reason]}

    @property
    def conclusion(self) -> str:
        """How many questions there are, from how many documents, and what was dropped."""
        kept, wanted = self.kept, self.plan.n
        questions = counted(wanted, "question") if len(kept) == wanted else f"{len(kept):,} of {wanted:,} questions"
        pairs = sum(draft.place.is_pair for draft in kept)
        need = f" ({pairs:,} {'needs' if pairs == 1 else 'need'} two documents)" if pairs else ""
        documents = len({name for draft in kept for name in draft.documents})
        of = f"{documents:,} of {counted(len(self.plan.corpus), 'document')}"
        reasons = ", ".join(f"{n:,} {_phrase(reason, n)}" for reason, n in self.dropped.items())
        total = counted(sum(self.dropped.values()), "draft was", "drafts were")
        dropped = f"; {total} dropped: {reasons}" if reasons else "; no draft was dropped"
        return f"Drafted {questions} from {of}{need}{dropped}."

    @property
    def remarks(self) -> tuple[str, ...]:
        """Why there are fewer questions than wanted, how documents were drawn, what could not be checked."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[str]:
        plan, kept = self.plan, self.kept
        if self.stopped:
            yield f"Stopped early: {self.stopped}"
        elif len(kept) < plan.n and self.exhausted:
            yield (
                f"{counted(plan.n - len(kept), 'question')} short: the corpus has no more to ask about "
                f"(at most {VISITS} drafts per passage of {PASSAGE:,} characters)."
            )
        elif len(kept) < plan.n:
            short = counted(plan.n - len(kept), "question")
            yield f"{short} short: at most {MOST_DRAFTS} drafts are made per question."
        pairs, wanted = sum(draft.place.is_pair for draft in kept), round(plan.n * plan.multi)
        if pairs < wanted and not self.stopped:
            yield (
                f"{pairs:,} of the wanted {wanted:,} questions need two documents; "
                f"{counted(len(plan.pairs), 'pair')} of documents {'shares' if len(plan.pairs) == 1 else 'share'} "
                "a name or a rare word."
            )
        if failed := self.dropped.get(FAILED):
            first = next(draft.detail for draft in self.drafts if draft.outcome == FAILED)
            yield f"A model failed for {counted(failed, 'draft')}; the first: {first}"
        if unknown := sum(draft.blind is None for draft in kept):
            yield f"Not checked for {counted(unknown, 'question')}: can a model answer it without any document?"
        if len(strata := plan.strata.counts()) > 1:
            yield (
                f"Documents are drawn in proportion from {counted(len(strata), 'stratum', 'strata')} by "
                f"{plan.strata.group}length ({plan.strata.bands})."
            )
        if self._checks_itself:
            yield "The model that drafts also checks; another one (--judge llm:MODEL) is the stricter check."
        yield from plan.remarks
        if kept:
            yield _NEXT

    @property
    def _checks_itself(self) -> bool:
        return self.plan.model.key in [model.key for model in getattr(self.plan.judge, "models", ())]

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:  # noqa: ARG002 - this is all
        """Return what became of the drafts."""
        return (self._outcomes(),)

    def _outcomes(self) -> Table:
        counts = Counter((draft.outcome, draft.place.is_pair) for draft in self.drafts)
        rows = [
            (reason, *(count(number) for number in (one, two, one + two)))
            for reason in (KEPT, *REASONS)
            if (one := counts[reason, False]) + (two := counts[reason, True]) or reason == KEPT
        ]
        one, two = (sum(draft.place.is_pair is pair for draft in self.drafts) for pair in (False, True))
        headings = (Heading("draft", "left"), Heading("one document"), Heading("two documents"), Heading("all"))
        return Table(
            headings, (*rows, ("all", count(one), count(two), count(one + two))), title="What became of the drafts"
        )

    def _strata(self) -> Table:
        drafted = Counter(draft.place.stratum for draft in self.drafts)
        kept = Counter(draft.place.stratum for draft in self.kept)
        rows = tuple(
            (name, count(documents), count(drafted[name]), count(kept[name]))
            for name, documents in self.plan.strata.counts().items()
        )
        headings = (Heading("stratum", "left"), *map(Heading, ("documents", "drafts", "questions")))
        return Table(headings, rows, title="Strata")

    def content(self) -> dict[str, object]:
        """Return the counts and the questions."""
        strata = self.plan.strata
        return {
            "questions": [_record(draft) for draft in self.kept],
            "wanted": self.plan.n,
            "drafts": len(self.drafts),
            "dropped": self.dropped,
            "two_documents": sum(draft.place.is_pair for draft in self.kept),
            "strata": {"by": self.plan.by, "lengths": strata.bands, "documents": strata.counts()},
            "model": self.plan.model.key,
            "judge": self.plan.judge.key,
            "stopped": self.stopped or None,
            "spent": dict(self.plan.access.budget.facts()),
            "remarks": list(self.remarks),
        }

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each draft, dropped ones included."""
        import polars as pl  # noqa: PLC0415 - only a frame needs it

        names = ("query_id", "question", "answer", "documents", "stratum", "outcome", "detail")
        rows = [
            (each.id, each.question, each.answer, each.documents, each.place.stratum, each.outcome, each.detail)
            for each in self.drafts
        ]
        lists = {"documents": pl.List(pl.String)}
        return pl.DataFrame(rows, schema={name: lists.get(name, pl.String) for name in names}, orient="row")

    def card(self) -> Card:
        """Return where the questions come from."""
        return self.plan.card(
            {
                "questions": len(self.kept),
                "missing": self.plan.n - len(self.kept),
                "drafts": len(self.drafts),
                "two_documents": sum(draft.place.is_pair for draft in self.kept),
                **{reason.replace(" ", "_"): n for reason, n in self.dropped.items()},
            }
        )

    @property
    def artefacts(self) -> Sequence[str]:
        """The questions, the dropped drafts and the report."""
        return (QUESTIONS, PARTIAL, DROPPED, REPORT)

    def save(self, folder: OutputFolder | Path | str, *, force: bool = False) -> Path:
        """Write the questions, the dropped drafts, the report, `card.json` and `run.json`.

        A folder that holds something else is refused unless `force` is given. Where drafting stopped early, only the
        questions so far are written, to `questions.partial.jsonl`, and the error says why; the same command goes on.
        """
        if not self.stopped:
            return JobResult.save(self, folder, force=force)  # a class with slots has no super()
        place = self._save_part(folder, force=force) if self.kept else ""
        raise StoppedEarlyError(f"stopped early: {self.stopped}\n  {self.conclusion} {place}".rstrip())

    def _save_part(self, target: OutputFolder | Path | str, *, force: bool) -> str:
        """Write the questions so far, unless the folder holds a whole result; return a sentence."""
        folder = target.path if isinstance(target, OutputFolder) else Path(target)
        if (folder / CARD_NAME).exists() and not (folder / PARTIAL).exists():
            return f"{folder} stays as it is."
        with writing_to(target, card=self.card(), artefacts=(*self.artefacts, RUN_FACTS), force=force) as out:
            write_hashed(out / PARTIAL, _lines(_record(draft) for draft in self.kept))
            write_json(out / RUN_FACTS, {**machine_facts(), **self.run_facts})
        return f"The questions so far are in {folder / PARTIAL}."

    def writers(self) -> Sequence[Writer]:
        """Return what writes the files."""
        report = self._report()

        def write(folder: Path) -> dict[str, str]:
            dropped = (draft for draft in self.drafts if draft.outcome != KEPT)
            written = {
                QUESTIONS: write_hashed(folder / QUESTIONS, _lines(_record(draft) for draft in self.kept)),
                DROPPED: write_hashed(folder / DROPPED, _lines(_dropped_record(draft) for draft in dropped)),
            }
            write_text(folder / REPORT, report)
            (folder / PARTIAL).unlink(missing_ok=True)
            return written

        return [write]

    @property
    def run_facts(self) -> Mapping[str, object]:
        """What the models cost, and why it stopped."""
        return {"spent": dict(self.plan.access.budget.facts()), "stopped": self.stopped or None}

    def _report(self) -> str:
        notes = "\n".join(f"- {remark}" for remark in self.remarks)
        tables = [render(table, "markdown") for table in (*self.tables(), self._strata())]
        lines = ["# Drafted questions", "", self.conclusion, "", *tables, "## Notes", "", notes, ""]
        if shown := self.kept[:_SHOWN_QUESTIONS]:
            lines += [f"## The first {counted(len(shown), 'question')}", ""]
            lines += [f"- {draft.question} **{draft.answer}** ({', '.join(draft.documents)})" for draft in shown]
            lines.append("")
        return "\n".join(lines)


def _phrase(reason: str, n: int) -> str:
    """Return a reason as it follows a number."""
    return plural(reason) if reason == DUPLICATE and n != 1 else reason


def _record(draft: Draft) -> dict[str, object]:
    """Return a question as `goldproof mine --cases` reads it."""
    question = draft.to_question()
    metadata = {name: value for name, value in question.metadata.items() if name != "gold_kernels"}
    return {
        "id": question.id,
        "question": question.text,
        "ground_truth": question.answer,
        "gold_documents": draft.documents,
        "kernels": question.metadata["gold_kernels"],
        "metadata": metadata,
    }


def _dropped_record(draft: Draft) -> dict[str, object]:
    return {
        "question": draft.question,
        "answer": draft.answer,
        "documents": draft.documents,
        "reason": draft.outcome,
        "detail": draft.detail,
    }


def _lines(records: Iterable[dict[str, object]]) -> Iterator[bytes]:
    for record in records:
        yield json_line(record, where="a drafted question")
