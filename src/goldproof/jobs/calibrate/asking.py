"""A judge that is asked now, about exactly the pairs that people labelled."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.corpus import open_corpus
from goldproof.errors import InputError
from goldproof.io.datasets.questions import read_questions
from goldproof.jobs.calibrate.judged import JudgeLabels, judge_labels
from goldproof.jobs.calibrate.label_file import Label
from goldproof.jobs.calibrate.label_values import Said
from goldproof.jobs.calibrate.scale import LabelScale
from goldproof.judge import open_judge
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.jobs.calibrate.label_file import Pair
    from goldproof.judge.judge import Judge, Ruling
    from goldproof.llm.access import Access
    from goldproof.llm.model import Estimate

NO_QUESTION = "question not found"
NO_DOCUMENT = "document not in the corpus"


@dataclass(frozen=True, slots=True, eq=False)
class Inquiry:
    """A judge, and what it is asked. missing: pairs that cannot be put before it, and why; they are never judged."""

    judge: Judge
    pairs: Sequence[Pair]
    briefs: Sequence[Brief]
    missing: Mapping[Pair, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)

    def estimate(self) -> Estimate:
        """Return what it would cost."""
        return estimate_briefs(self.judge, self.briefs)

    def hold(self, *, watch: Callable[[int, int], None] | None = None) -> JudgeLabels:
        """Ask, and return what the judge says."""
        rulings = judge_briefs(self.judge, self.briefs, watch=watch)
        labels = [
            Label(pair, _said(ruling), reason=ruling.reason) for pair, ruling in zip(self.pairs, rulings, strict=True)
        ]
        scale = self.judge.scale
        found = judge_labels(labels, scale=LabelScale(scale.most, scale.yes_from), where=self.judge.key)
        return replace(found, unseen=self.missing)


def open_inquiry(
    spec: object,
    pairs: Iterable[Pair],
    *,
    questions: object,
    corpus: object,
    access: Access,
) -> Inquiry:
    """Find the texts of the pairs; the judge is opened, and not asked."""
    asked = {question.id: question for question in _questions(questions)}
    opened = open_corpus(corpus)  # type: ignore[arg-type]  # says itself what it does not take
    documents = {document.id: document for document in opened.documents}
    found: list[Pair] = []
    missing: dict[Pair, str] = {}
    for pair in pairs:
        why = NO_QUESTION if pair[0] not in asked else NO_DOCUMENT if pair[1] not in documents else ""
        if why:
            missing[pair] = why
        else:
            found.append(pair)
    if not found:
        why, example = next(((why, pair) for pair, why in missing.items()), ("there is none", ("", "")))
        raise InputError(
            f"no pair that people labelled can be judged; the first, {example}: {why}. Are the ids the same?"
        )
    return Inquiry(
        open_judge(spec, access=access),
        found,
        [Brief(asked[question], (documents[document],)) for question, document in found],
        missing,
        {"corpus": opened.key()},
    )


def _questions(given: object) -> Sequence[Question]:
    if isinstance(given, str | PathLike):
        return read_questions(Path(given))
    if isinstance(given, list | tuple) and all(isinstance(one, Question) for one in given):
        return given
    raise InputError(f"questions: found {type(given).__name__}; expected a file, or a list of goldproof.Question.")


def _said(ruling: Ruling) -> Said:
    if ruling.sufficient is None:
        return Said(without=ruling.label)
    return Said(grade=ruling.grade, score=ruling.score, verdict=ruling.sufficient)
