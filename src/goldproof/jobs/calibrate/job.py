"""`calibrate_judge()`: labels in, judge asked or read, figures out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from goldproof.corpus import open_corpus
from goldproof.errors import InputError, NothingScoredError, UnknownNameError
from goldproof.io import dataset_files, sha256_file
from goldproof.io.datasets.questions import read_questions
from goldproof.jobs.calibrate.agreement import agreement, align, graded_agreement
from goldproof.jobs.calibrate.calibration import (
    calibrate,
    choose_cut,
    folds_of,
    need_for_accuracy,
    need_for_share,
    shares,
)
from goldproof.jobs.calibrate.label_file import (
    Label,
    LabelScale,
    LabelValue,
    label_records,
    parse_scale,
    read_label_file,
)
from goldproof.jobs.calibrate.labels import JudgeLabels, human_labels, judge_labels
from goldproof.jobs.calibrate.report import notes
from goldproof.jobs.calibrate.result import CalibrationResult
from goldproof.judge import open_judge
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.llm.access import current_access
from goldproof.records.entities import Question
from goldproof.records.keys import content_key
from goldproof.stats.calibration import CRITERIA
from goldproof.stats.power_analysis import checked_half_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.jobs.calibrate.label_file import LabelFile, Pair
    from goldproof.jobs.calibrate.labels import HumanLabels
    from goldproof.judge.judge import Judge, Ruling
    from goldproof.llm.access import Access
    from goldproof.llm.model import Estimate
    from goldproof.stats.calibration import Criterion

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


def _said(ruling: Ruling) -> LabelValue:
    if ruling.sufficient is None:
        return LabelValue(without=ruling.label)
    return LabelValue(grade=ruling.grade, score=ruling.score, verdict=ruling.sufficient)


def calibrate_judge(
    human: object,
    *,
    judgments: object = None,
    judge: object = None,
    corpus: object = None,
    questions: object = None,
    human_scale: str | None = None,
    judge_scale: str | None = None,
    criterion: str = "kappa",
    width: float = 0.05,
    seed: int = 0,
    watch: Callable[[int, int], None] | None = None,
) -> CalibrationResult:
    """Measure a judge against people.

    human: a file of labels (JSON lines, CSV, qrels, ...) or records such as {"query_id", "doc_id", "grade",
      "annotator"}. judgments: the judge's, in the same forms, `judgments.jsonl` of `goldproof mine` among them; or
      judge: a spec or a judge that is asked now, about the labelled pairs, with the texts of `corpus` and `questions`.
    human_scale, judge_scale: "yes-no", "0-2", "0-4", "0-10" or "0-N:FROM"; else guessed from the highest label.
    criterion: what the cut-off maximises, "kappa" or "balanced accuracy". width: the half-width that labels are
      planned for. watch: called with how many pairs are judged, and how many there are.
    """
    chosen = _criterion(criterion)
    checked_half_width(width)
    said = None if judge_scale is None else parse_scale(judge_scale, option="--judge-scale")
    people = _people(human, scale=human_scale, seed=seed)
    inputs = _inputs("human labels", human)
    access = current_access()
    if judge is None:
        if judgments is None:
            raise InputError("say what the judge says: judgments, or a judge with corpus and questions.")
        found = _given(judgments, said)
        inputs |= _inputs("judgments", judgments)
    else:
        if said is not None:
            raise InputError("--judge-scale has no effect with --judge, which knows its own scale; leave one out.")
        inquiry = open_calibration(human, judge=judge, corpus=corpus, questions=questions, human_scale=human_scale)
        found = inquiry.hold(watch=watch)
        inputs |= inquiry.inputs
    return _result(
        people,
        found,
        criterion=chosen,
        width=width,
        seed=seed,
        inputs=inputs,
        spent={} if judge is None else {"models": access.budget.facts()},
    )


def open_calibration(
    human: object, *, judge: object, corpus: object, questions: object, human_scale: str | None = None
) -> Inquiry:
    """Open a judge for the pairs that people labelled, without asking it: `estimate()` says what that would cost."""
    if corpus is None or questions is None:
        raise InputError("a judge that is asked now needs the texts: give --corpus SPEC and --questions FILE.")
    people = _people(human, scale=human_scale, seed=0)
    return open_inquiry(judge, sorted(people.grades), questions=questions, corpus=corpus, access=current_access())


def _people(given: object, *, scale: str | None, seed: int) -> HumanLabels:
    said = None if scale is None else parse_scale(scale, option="--human-scale")
    where = str(given) if isinstance(given, str | PathLike) else "human labels"
    read = _labels(given, what="human labels")
    return replace(human_labels(read.labels, scale=said, where=where, seed=seed), remarks=read.remarks)


def _given(judgments: object, scale: LabelScale | None) -> JudgeLabels:
    read = _labels(judgments, what="judgments")
    where = Path(judgments).name if isinstance(judgments, str | PathLike) else "judgments"
    return replace(judge_labels(read.labels, scale=scale, where=where, sets=read.sets), remarks=read.remarks)


def _labels(given: object, *, what: str) -> LabelFile:
    if isinstance(given, str | PathLike):
        return read_label_file(Path(given))
    if isinstance(given, Iterable) and not isinstance(given, Mapping | bytes):
        return label_records(given, what=what)
    raise InputError(
        f"{what}: found {type(given).__name__}; expected a file, or records with query_id, doc_id and grade."
    )


def _criterion(criterion: str) -> Criterion:
    for known in CRITERIA:
        if criterion.replace("-", " ") == known:
            return known
    raise UnknownNameError("criterion", criterion, CRITERIA)


def _inputs(role: str, given: object) -> dict[str, str]:
    if isinstance(given, str | PathLike):
        return {f"{role} {path.name}": sha256_file(path) for path in dataset_files(Path(given))}
    return {role: content_key([dict(record) for record in given])} if isinstance(given, list | tuple) else {}


def _result(
    people: HumanLabels,
    judge: JudgeLabels,
    *,
    criterion: Criterion,
    width: float,
    seed: int,
    inputs: Mapping[str, str],
    spent: Mapping[str, object],
) -> CalibrationResult:
    pairs = align(people, judge)
    if not pairs.n:
        raise NothingScoredError(_nothing(people, judge))
    folds = folds_of(pairs, seed=seed)
    cutting = choose_cut(pairs, kind=judge.kind, criterion=criterion, folds=folds)
    verdicts, decided = pairs.verdict, np.ones(pairs.n, dtype=np.bool_)
    if verdicts is None and cutting.held_out is not None:
        verdicts, decided = cutting.held_out.verdicts, cutting.held_out.decided
    graded = graded_agreement(pairs, people, judge, seed=seed)
    agreed = agreement(pairs, verdicts=verdicts, decided=decided, graded=graded, seed=seed)
    share = shares(pairs)
    right = None if verdicts is None else (verdicts == (pairs.relevant == 1))[decided].astype(np.float64)
    return CalibrationResult(
        human=people,
        judge=judge,
        pairs=pairs,
        agreement=agreed,
        cutting=cutting,
        probabilities=calibrate(pairs, judge, folds=folds),
        shares=share,
        needs=(
            need_for_accuracy(pairs, agreed, right=right, decided=decided, width=width),
            need_for_share(pairs, share, width=width),
        ),
        width=width,
        seed=seed,
        inputs=inputs,
        settings={
            "judge": judge.key,
            "human_scale": people.scale.name,
            "judge_scale": None if judge.scale is None else judge.scale.name,
            "criterion": criterion,
            "width": width,
        },
        remarks=(*people.remarks, *judge.remarks, *notes(pairs, people, judge)),
        spent=spent,
    )


def _nothing(people: HumanLabels, judge: JudgeLabels) -> str:
    """Say why there is no pair with both labels."""
    if not people.grades:
        return "people label no pair, so the judge cannot be measured."
    mine, theirs = next(iter(people.grades)), next(iter(judge.values), None)
    if theirs is None:
        return f"the judge has no ruling that counts, of {len(judge.without):,}; so it cannot be measured."
    return (
        f"no pair has both labels: people label {len(people.grades):,} pairs such as {mine}, the judge rules on "
        f"{len(judge.values):,} such as {theirs}; are the ids the same?"
    )
