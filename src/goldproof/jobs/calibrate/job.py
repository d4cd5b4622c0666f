"""`calibrate_judge()`: measure a judge against people's labels.

People's labels are read; then the judge's, from a file or by asking it about the labelled pairs; the two are aligned by
pair, and agreement, cut-off, probabilities, corrected shares and the labels still needed are computed from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Annotated

import numpy as np

from goldproof.corpus import open_corpus
from goldproof.errors import InputError, NothingScoredError, UnknownNameError
from goldproof.io import dataset_files, read_questions, sha256_file
from goldproof.io.datasets.pair_labels import Pair
from goldproof.jobs.calibrate.agreement import agreement, align, graded_agreement
from goldproof.jobs.calibrate.calibration import (
    choose_cut_off,
    deal_folds,
    fit_probabilities,
    need_for_accuracy,
    need_for_share,
    relevant_shares,
)
from goldproof.jobs.calibrate.label_file import (
    Label,
    LabelFile,
    LabelScale,
    LabelValue,
    label_records,
    parse_scale,
    read_label_file,
)
from goldproof.jobs.calibrate.labels import HumanLabels, JudgeLabels, human_labels, judge_labels
from goldproof.jobs.calibrate.report import notes
from goldproof.jobs.calibrate.result import CalibrationResult
from goldproof.judge import Judge, Ruling, open_judge
from goldproof.judge.batch import Brief, estimate_briefs, judge_briefs
from goldproof.llm import Estimate, current_access
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Question
from goldproof.records.keys import content_key
from goldproof.stats.calibration import CRITERIA, Criterion
from goldproof.stats.power_analysis import checked_half_width
from goldproof.study.options import Seed

NO_QUESTION = "question not found"
NO_DOCUMENT = "document not in the corpus"


@dataclass(frozen=True, slots=True, eq=False)
class JudgingPlan:
    """A judge, opened, and the pairs to ask it about.

    missing: pairs whose question or document is not known, and which of the two; they are never judged.
    """

    judge: Judge
    pairs: Sequence[Pair]
    briefs: Sequence[Brief]
    missing: Mapping[Pair, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)

    def estimate(self) -> Estimate:
        """Return the cost of asking about all pairs."""
        return estimate_briefs(self.judge, self.briefs)


@with_options
def calibrate_judge(
    human: Annotated[
        object,
        Option(
            "Human labels: JSONL, CSV or qrels; several people per pair are fine.", "FILE", flag="--human", type=Path
        ),
    ],
    *,
    judgments: Annotated[
        object,
        Option("The judge's labels: judgments.jsonl of 'goldproof mine', JSONL, CSV or qrels.", "FILE", type=Path),
    ] = None,
    judge: Annotated[
        object,
        Option(
            "Or ask this judge now about the labelled pairs: llm:MODEL, similarity, module:object, ...",
            "SPEC",
            type=str,
        ),
    ] = None,
    corpus: Annotated[
        object, Option("Documents, for --judge: folder:DIR, jsonl:FILE, package:NAME or a path.", "SPEC", type=str)
    ] = None,
    questions: Annotated[object, Option("Texts of the questions, for --judge.", "FILE", type=Path)] = None,
    human_scale: Annotated[
        str | None,
        Option("Scale of the human labels: yes-no, 0-2, 0-4, 0-10, or 0-N:FROM (relevant from FROM).", "SCALE"),
    ] = None,
    judge_scale: Annotated[str | None, Option("Scale of the grades in --judgments, likewise.", "SCALE")] = None,
    criterion: Annotated[
        str, Option("Choose the cut-off that maximises this.", "kappa|balanced-accuracy", flag="--maximise")
    ] = "kappa",
    width: Annotated[float, Option("Plan how many labels give an interval of +-X.", "X")] = 0.05,
    seed: Seed = 0,
    on_progress: OnProgress = ignore,
) -> CalibrationResult:
    """Measure a judge against people's labels.

    human: a file of labels (JSON lines, CSV, qrels, ...) or records such as {"query_id", "doc_id", "grade",
      "annotator"}. judgments: the judge's, in the same forms, `judgments.jsonl` of `goldproof mine` among them; or
      judge: a spec or a judge that is asked now, about the labelled pairs, with the texts of `corpus` and `questions`.
    human_scale, judge_scale: "yes-no", "0-2", "0-4", "0-10" or "0-N:FROM"; else guessed from the highest label.
    criterion: what the cut-off maximises, "kappa" or "balanced accuracy". width: the half-width that labels are
      planned for. on_progress: called with the pairs that the judge has judged.
    """
    chosen = _criterion(criterion)
    checked_half_width(width)
    scale = None if judge_scale is None else parse_scale(judge_scale, option="--judge-scale")
    people = _people(human, scale=human_scale, seed=seed)
    inputs = _inputs("human labels", human)
    spent: dict[str, object] = {}
    if judge is None:
        if judgments is None:
            raise InputError("say what the judge says: judgments, or a judge with corpus and questions.")
        labels = _judgments(judgments, scale)
        inputs |= _inputs("judgments", judgments)
    else:
        if scale is not None:
            raise InputError("--judge-scale has no effect with --judge, which knows its own scale; leave one out.")
        plan = _open_judging(judge, people, questions=questions, corpus=corpus)
        labels = _ask(plan, on_progress=on_progress)
        inputs |= plan.inputs
        spent["models"] = current_access().budget.facts()
    return _measure(people, labels, criterion=chosen, width=width, seed=seed, inputs=inputs, spent=spent)


def open_calibration(
    human: object, *, judge: object, corpus: object, questions: object, human_scale: str | None = None
) -> JudgingPlan:
    """Open a judge for the pairs that people labelled, without asking it; `estimate()` returns the cost."""
    _refuse_without_texts(corpus, questions)
    people = _people(human, scale=human_scale, seed=0)
    return _open_judging(judge, people, questions=questions, corpus=corpus)


def _criterion(criterion: str) -> Criterion:
    for known in CRITERIA:
        if criterion.replace("-", " ") == known:
            return known
    raise UnknownNameError("criterion", criterion, CRITERIA)


def _inputs(role: str, source: object) -> dict[str, str]:
    if isinstance(source, str | PathLike):
        return {f"{role} {path.name}": sha256_file(path) for path in dataset_files(Path(source))}
    return {role: content_key([dict(record) for record in source])} if isinstance(source, list | tuple) else {}


def _people(human: object, *, scale: str | None, seed: int) -> HumanLabels:
    """Read people's labels. scale: as the option names it."""
    chosen = None if scale is None else parse_scale(scale, option="--human-scale")
    where = str(human) if isinstance(human, str | PathLike) else "human labels"
    content = _read_labels(human, name="human labels")
    if chosen is None and content.is_sheet:
        chosen = parse_scale("0-2", option="--human-scale")
    return replace(human_labels(content.labels, scale=chosen, where=where, seed=seed), remarks=content.remarks)


def _judgments(judgments: object, scale: LabelScale | None) -> JudgeLabels:
    """Read the judge's labels."""
    content = _read_labels(judgments, name="judgments")
    where = Path(judgments).name if isinstance(judgments, str | PathLike) else "judgments"
    return replace(judge_labels(content.labels, scale=scale, where=where, sets=content.sets), remarks=content.remarks)


def _read_labels(source: object, *, name: str) -> LabelFile:
    if isinstance(source, str | PathLike):
        return read_label_file(Path(source))
    if isinstance(source, Iterable) and not isinstance(source, Mapping | bytes):
        return label_records(source, name=name)
    raise InputError(
        f"{name}: found {type(source).__name__}; expected a file, or records with query_id, doc_id and grade."
    )


def _open_judging(judge: object, people: HumanLabels, *, questions: object, corpus: object) -> JudgingPlan:
    """Open the judge and find the texts of the labelled pairs."""
    _refuse_without_texts(corpus, questions)
    by_id = {question.id: question for question in _questions(questions)}
    opened = open_corpus(corpus)  # type: ignore[arg-type]  # says itself what it does not take
    documents = {document.id: document for document in opened.documents}
    pairs: list[Pair] = []
    missing: dict[Pair, str] = {}
    for pair in sorted(people.grades):
        why = NO_QUESTION if pair[0] not in by_id else NO_DOCUMENT if pair[1] not in documents else ""
        if why:
            missing[pair] = why
        else:
            pairs.append(pair)
    if not pairs:
        why, example = next(((why, pair) for pair, why in missing.items()), ("there is none", ("", "")))
        raise InputError(
            f"no pair that people labelled can be judged; the first, {example}: {why}. Are the ids the same?"
        )
    return JudgingPlan(
        open_judge(judge, access=current_access()),
        pairs,
        [Brief(by_id[question], (documents[document],)) for question, document in pairs],
        missing,
        {"corpus": opened.key()},
    )


def _refuse_without_texts(corpus: object, questions: object) -> None:
    if corpus is None or questions is None:
        raise InputError("a judge that is asked now needs the texts: give --corpus SPEC and --questions FILE.")


def _questions(source: object) -> Sequence[Question]:
    if isinstance(source, str | PathLike):
        return read_questions(Path(source))
    if isinstance(source, list | tuple) and all(isinstance(question, Question) for question in source):
        return source
    raise InputError(f"questions: found {type(source).__name__}; expected a file, or a list of goldproof.Question.")


def _ask(plan: JudgingPlan, *, on_progress: OnProgress) -> JudgeLabels:
    """Ask the judge about every pair."""
    rulings = judge_briefs(plan.judge, plan.briefs, on_progress=on_progress)
    labels = [
        Label(pair, _label_value(ruling), reason=ruling.reason)
        for pair, ruling in zip(plan.pairs, rulings, strict=True)
    ]
    scale = LabelScale(plan.judge.scale.most, plan.judge.scale.yes_from)
    return replace(judge_labels(labels, scale=scale, where=plan.judge.key), unseen=plan.missing)


def _label_value(ruling: Ruling) -> LabelValue:
    if ruling.sufficient is None:
        return LabelValue(without=ruling.label)
    return LabelValue(grade=ruling.grade, score=ruling.score, verdict=ruling.sufficient)


def _measure(
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
    folds = deal_folds(pairs, seed=seed)
    cut_off = choose_cut_off(pairs, kind=judge.kind, criterion=criterion, folds=folds)
    verdicts, decided = pairs.verdict, np.ones(pairs.n, dtype=np.bool_)
    if verdicts is None and cut_off.held_out is not None:
        verdicts, decided = cut_off.held_out.verdicts, cut_off.held_out.decided
    graded = graded_agreement(pairs, people, judge, seed=seed)
    agreed = agreement(pairs, verdicts=verdicts, decided=decided, graded=graded, seed=seed)
    shares = relevant_shares(pairs)
    right = None if verdicts is None else (verdicts == (pairs.relevant == 1))[decided].astype(np.float64)
    return CalibrationResult(
        human=people,
        judge=judge,
        pairs=pairs,
        agreement=agreed,
        cutting=cut_off,
        probabilities=fit_probabilities(pairs, judge, folds=folds),
        shares=shares,
        needs=(
            need_for_accuracy(pairs, agreed, right=right, decided=decided, width=width),
            need_for_share(pairs, shares, width=width),
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
    """Return why no pair has both labels."""
    if not people.grades:
        return "people label no pair, so the judge cannot be measured."
    labelled, judged = next(iter(people.grades)), next(iter(judge.values), None)
    if judged is None:
        return f"the judge has no ruling that counts, of {len(judge.without):,}; so it cannot be measured."
    return (
        f"no pair has both labels: people label {len(people.grades):,} pairs such as {labelled}, the judge rules on "
        f"{len(judge.values):,} such as {judged}; are the ids the same?"
    )
