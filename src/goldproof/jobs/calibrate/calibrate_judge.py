"""`calibrate_judge`: a judge's rulings beside people's labels of the same pairs, and what follows from that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import InputError, NothingScoredError, UnknownNameError
from goldproof.io import dataset_files, sha256_file
from goldproof.jobs.calibrate.agreement import agreement, graded_agreement
from goldproof.jobs.calibrate.aligned import align
from goldproof.jobs.calibrate.asking import open_inquiry
from goldproof.jobs.calibrate.cutting import choose_cut, folds_of
from goldproof.jobs.calibrate.human import human_labels
from goldproof.jobs.calibrate.judged import judge_labels
from goldproof.jobs.calibrate.label_file import label_records, read_label_file
from goldproof.jobs.calibrate.need import need_for_accuracy, need_for_share
from goldproof.jobs.calibrate.notes import notes
from goldproof.jobs.calibrate.probability import calibrate
from goldproof.jobs.calibrate.result import CalibrationResult
from goldproof.jobs.calibrate.scale import parse_scale
from goldproof.jobs.calibrate.shares import shares
from goldproof.llm.access import current_access
from goldproof.records.keys import content_key
from goldproof.stats.calibration import CRITERIA
from goldproof.stats.power_analysis import checked_half_width

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.jobs.calibrate.asking import Inquiry
    from goldproof.jobs.calibrate.human import HumanLabels
    from goldproof.jobs.calibrate.judged import JudgeLabels
    from goldproof.jobs.calibrate.label_file import LabelFile
    from goldproof.jobs.calibrate.scale import LabelScale
    from goldproof.stats.calibration import Criterion


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
