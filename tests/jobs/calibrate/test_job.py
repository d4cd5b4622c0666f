"""`calibrate_judge`: every figure by hand on small tables, and reasons where there is none."""

from __future__ import annotations

import asyncio
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from goldproof.errors import BudgetSpentError, ConflictError, InputError, ModelDownError, NothingScoredError
from goldproof.io.datasets.sheet import SheetRow, write_sheet
from goldproof.jobs.calibrate import calibrate_judge, open_calibration
from goldproof.llm.access import Access, using_access
from goldproof.llm.budget import Budget
from goldproof.llm.prices import Price
from goldproof.records.entities import Document, Question
from goldproof.stats import ppi_mean, rogan_gladen
from goldproof.stats.calibration import best_cut, cross_fitted
from goldproof.testing import ModelServer, Unauthorized, read_ledger

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from goldproof.testing import Request

Json = dict[str, Any]


def records(values: Iterable[object], key: str, *, per_question: int = 1) -> list[Json]:
    """A record per value; each question has so many documents."""
    return [
        {"query_id": f"q{i // per_question:03d}", "doc_id": f"d{i % per_question}", key: value}
        for i, value in enumerate(values)
    ]


def table(n11: int, n10: int, n01: int, n00: int) -> tuple[list[Json], list[Json]]:
    """People and judge: n10 pairs are relevant to people and not to the judge, and so on."""
    human = [1] * (n11 + n10) + [0] * (n01 + n00)
    judge = [1] * n11 + [0] * n10 + [1] * n01 + [0] * n00
    return records(human, "grade"), records(["yes" if one else "no" for one in judge], "label")


def test_agreement_of_verdicts() -> None:
    # 27 + 15 of 50 agree: 0.84. Chance: (30 * 32 + 20 * 18) / 2500 = 0.528: kappa = 0.312 / 0.472 = 0.661017
    human, judge = table(27, 3, 5, 15)
    found = calibrate_judge(human, judgments=judge)
    assert found.agreement.accuracy.value == pytest.approx(0.84)
    assert found.agreement.kappa.value == pytest.approx(0.661017, abs=1e-6)
    assert found.agreement.sensitivity.value == pytest.approx(27 / 30)
    assert found.agreement.specificity.value == pytest.approx(15 / 20)
    assert found.agreement.verdicts.tolist() == [[15, 5], [3, 27]]
    assert found.agreement.bounds is None
    # Wilson at 0.84, n = 50: (0.84 + 0.038415) / 1.076829 -+ 0.1006 -> [0.7149, 0.9166]
    assert found.agreement.accuracy.low == pytest.approx(0.7149, abs=1e-4)
    assert found.agreement.accuracy.high == pytest.approx(0.9166, abs=1e-4)


def test_ac1_stands_in_a_note_where_nearly_all_pairs_are_of_one_kind() -> None:
    # Gwet (2002): 118, 5, 2, 0 of 125: AC1 0.9408, kappa -0.0234; (123 + 120) / 250 = 97.2% of the labels are relevant
    human, judge = table(118, 5, 2, 0)
    found = calibrate_judge(human, judgments=judge)
    assert found.agreement.ac1.value == pytest.approx(0.9408, abs=5e-5)
    agreement = found.tables()[0]
    note = next(note for note in agreement.notes if "AC1" in note)
    assert note.startswith("Gwet's AC1 is 0.9408 [0.8")
    assert note.endswith(
        "kappa -0.0234: 97.2% of the labels are relevant, so kappa is low or undefined however often both agree."
    )
    assert "AC1" not in [row[0] for row in agreement.rows]  # behind the table, not in it
    assert "AC1" in [row[0] for row in found.flat_table().rows]


def test_ac1_has_no_note_where_kappa_says_the_same() -> None:
    human, judge = table(27, 3, 5, 15)  # kappa 0.661; AC1: chance 2 * 0.62 * 0.38 = 0.4712, (0.84 - 0.4712) / 0.5288
    found = calibrate_judge(human, judgments=judge)
    assert found.agreement.ac1.value == pytest.approx(0.697428, abs=1e-6)
    assert not [note for table in found.tables() for note in table.notes if "AC1" in note]


def test_ac1_has_a_value_where_all_labels_are_of_one_kind_and_kappa_has_none() -> None:
    human, judge = table(0, 0, 0, 30)
    found = calibrate_judge(human, judgments=judge)
    assert (found.agreement.kappa.value, found.agreement.ac1.value) == (None, 1.0)
    assert any("AC1 is 1.0000, kappa undefined: 100.0%" in note for note in found.tables()[0].notes)


def test_annotators_of_yes_and_no_have_fleiss_kappa_and_ac1_in_the_note_and_in_json() -> None:
    # Pairs 11, 00, 10, 11: agreement 3/4, share of yes 5/8. Fleiss: chance 34/64, (48 - 34) / 30 = 7/15
    # AC1: chance 2 * 15/64 = 30/64, (48 - 30) / 34 = 9/17
    votes = ["11", "00", "10", "11"]
    human = [
        {"query_id": f"q{i}", "doc_id": "d", "grade": int(vote), "annotator": str(rater)}
        for i, pair in enumerate(votes)
        for rater, vote in enumerate(pair)
    ]
    judge = [{"query_id": f"q{i}", "doc_id": "d", "label": label} for i, label in enumerate(["yes", "no", "no", "yes"])]
    found = calibrate_judge(human, judgments=judge)
    assert any(remark.endswith("Fleiss' kappa 0.4667, Gwet's AC1 0.5294.") for remark in found.remarks)
    annotators: Any = found.to_dict()["annotators"]
    assert annotators["fleiss_kappa"]["value"] == pytest.approx(7 / 15)
    assert annotators["ac1"]["value"] == pytest.approx(9 / 17)


def test_rulings_that_do_not_count_are_left_out_and_bound_the_accuracy() -> None:
    human, judge = table(27, 3, 5, 15)
    for one, label in zip(judge, ["failed", "failed", "abstained", "unsupported"], strict=False):
        one["label"] = label
    # the first four agreed: 38 of 46; all wrong: 38 / 50, all right: 42 / 50
    found = calibrate_judge(human, judgments=judge)
    assert found.agreement.accuracy.value == pytest.approx(38 / 46)
    assert found.agreement.bounds is not None
    assert found.agreement.bounds.all_wrong == pytest.approx(38 / 50)
    assert found.agreement.bounds.all_right == pytest.approx(42 / 50)
    assert found.pairs.unruled == {"failed": 2, "abstained": 1, "unsupported": 1}
    assert "4 labelled pairs without a ruling that counts (failed 2, abstained 1, unsupported 1)" in str(found)


def test_pairs_with_one_label_are_counted() -> None:
    human, judge = table(10, 2, 2, 10)
    found = calibrate_judge(human[:20], judgments=judge[4:])
    assert (found.pairs.n, found.pairs.human_only, len(found.pairs.rest)) == (16, 4, 4)


def test_grades_on_one_scale_have_a_weighted_kappa_and_a_table() -> None:
    # penalties (i - j)^2: pairs (0,0) (1,1) (2,2) (2,1): observed 1/4. Rows 1, 1, 2; columns 1, 2, 1.
    # by chance: sum of r_i c_j (i-j)^2 / 16 = (0+2+4 + 1+0+1 + 8+4+0) / 16 = 20/16: kappa = 1 - 0.25 / 1.25 = 0.8
    human, judge = records([0, 1, 2, 2], "grade"), records([0, 1, 2, 1], "grade")
    graded = calibrate_judge(human, judgments=judge).agreement.graded
    assert graded is not None
    assert graded.kappa.value == pytest.approx(0.8)
    assert graded.same.value == pytest.approx(0.75)
    assert graded.table.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1]]


def test_grades_on_different_scales_are_compared_as_verdicts_alone() -> None:
    found = calibrate_judge(records([0, 1, 1, 0], "grade"), judgments=records([0, 4, 3, 2], "grade"))
    assert found.agreement.graded is None
    assert found.agreement.accuracy.value == 1


def noisy(questions: int = 40, *, each: int = 5, seed: int = 4) -> tuple[list[Json], list[Json]]:
    """Scores that tell something, over questions of several documents."""
    rng = np.random.default_rng(seed)
    truth = rng.random(questions * each) < 0.4
    scores = np.clip(rng.normal(np.where(truth, 0.6, 0.4), 0.2), 0.01, 0.99)
    return records(truth.astype(int).tolist(), "grade", per_question=each), records(
        scores.tolist(), "score", per_question=each
    )


def test_a_cut_off_is_reported_as_it_flatters_and_as_it_holds() -> None:
    found = calibrate_judge(*(noisy()[:1]), judgments=noisy()[1])
    cut = found.cutting
    assert cut.at is not None
    assert cut.in_sample is not None
    assert cut.cross_fitted is not None
    assert cut.cross_fitted < cut.in_sample
    assert len(cut.cuts) == 5
    # without a cut-off of its own the judge is measured by the cross-fitted verdicts
    assert found.agreement.kappa.value == pytest.approx(cut.cross_fitted)
    assert any("scores without a cut-off" in remark for remark in found.remarks)


def test_noise_has_no_honest_kappa() -> None:
    # Labels drawn without looking at the scores, 60 times: on average the best cut-off promises something, and the
    # cross-fitted value is 0 within three standard errors. A single draw may well be off by more.
    rng = np.random.default_rng(0)
    flattering, honest = [], []
    for _ in range(60):
        scores, labels = rng.random(200), (rng.random(200) < 0.4).astype(float)
        best = best_cut(scores, labels)
        fitted = cross_fitted(scores, labels, folds=np.arange(200) % 5).value
        assert best is not None
        assert fitted is not None
        flattering.append(best.value)
        honest.append(fitted)
    error = np.std(honest, ddof=1) / math.sqrt(60)
    assert abs(np.mean(honest)) < 3 * error
    assert np.mean(flattering) > 5 * error


def test_probabilities_are_fitted_on_all_and_measured_on_others() -> None:
    human, judge = noisy(80)
    found = calibrate_judge(human, judgments=judge).probabilities
    assert found.fitted is not None
    assert found.before is not None
    assert found.after is not None
    assert found.constant is not None
    assert found.after.brier < found.constant.brier
    assert found.after.brier < 0.25


def test_losses_by_hand() -> None:
    # yes-no, each pair a question; 2 of 4 verdicts are right: Brier as it stands 2 / 4;
    # log loss with p within 1/8 and 7/8: -(2 ln 7/8 + 2 ln 1/8) / 4 = 1.106487
    human, judge = table(1, 1, 1, 1)
    before = calibrate_judge(human, judgments=judge).probabilities.before
    assert before is not None
    assert before.brier == pytest.approx(0.5)
    assert before.log_loss == pytest.approx(-(2 * math.log(7 / 8) + 2 * math.log(1 / 8)) / 4)


def test_scores_beyond_one_are_no_probabilities() -> None:
    human, judge = noisy()
    for one in judge:
        one["score"] *= 30
    found = calibrate_judge(human, judgments=judge).probabilities
    assert found.before is None
    assert found.after is not None
    assert "no probabilities" in found.note


def test_the_share_of_relevant_pairs_is_corrected() -> None:
    # docs/concepts/statistics/agreement.md: the same numbers
    human, judge = table(27, 3, 5, 15)
    rest = [{"query_id": f"r{i}", "doc_id": "d", "label": "yes" if i < 350 else "no"} for i in range(500)]
    found = calibrate_judge(human, judgments=[*judge, *rest]).shares
    truth = [1] * 30 + [0] * 20
    said = [1] * 27 + [0] * 3 + [1] * 5 + [0] * 15
    others = [1] * 350 + [0] * 150
    assert found.judge.value == pytest.approx((32 + 350) / 550)
    assert found.human.value == pytest.approx(0.6)
    assert found.prediction_powered.value == pytest.approx(ppi_mean(truth, said, judge_rest=others).value)
    assert found.rogan_gladen.value == pytest.approx(rogan_gladen(truth, said, judge_rest=others).value)
    assert found.total == 550


def test_the_corrected_interval_is_widened_where_pairs_of_a_question_are_alike() -> None:
    # Every question ten times over: 40 questions tell as much as 40 pairs. Cluster variance of a mean of C clusters of
    # equal size m, each of one value, over the variance of n = C m independent values: about m = 10.
    rng = np.random.default_rng(1)
    truth = rng.random(400) < 0.5
    said = np.where(rng.random(400) < 0.8, truth, ~truth)
    human = records(np.repeat(truth[:40], 10).astype(int).tolist(), "grade", per_question=10)
    judge = records(["yes" if one else "no" for one in np.repeat(said, 10)], "label", per_question=10)
    found = calibrate_judge(human, judgments=judge)
    plain = ppi_mean(np.repeat(truth[:40], 10), np.repeat(said[:40], 10), judge_rest=np.repeat(said[40:], 10))
    powered = found.shares.prediction_powered
    assert found.shares.design_effect == pytest.approx(10, rel=0.05)
    assert powered.value == pytest.approx(plain.value)
    assert powered.high - powered.low == pytest.approx(  # type: ignore[operator]
        (plain.high - plain.low) * math.sqrt(found.shares.design_effect)  # type: ignore[operator]
    )
    assert "design effect" in powered.note
    assert "too short" in found.shares.rogan_gladen.note
    assert "design effect" in found.needs[1].note


def test_without_pairs_of_the_judge_alone_there_is_nothing_to_correct() -> None:
    found = calibrate_judge(table(27, 3, 5, 15)[0], judgments=table(27, 3, 5, 15)[1])
    assert found.shares.prediction_powered.value is None
    assert "Every item has a human label" in found.shares.prediction_powered.note
    assert found.needs[1].total is None
    assert "has a human label already" in found.needs[1].note


def test_labels_needed_follow_from_the_width() -> None:
    human, judge = table(27, 3, 5, 15)
    # p = 0.84: Wilson's half-width is at most 0.05 from n = 206 on, and at most 0.2 long before 50
    need, _ = calibrate_judge(human, judgments=judge, width=0.05).needs
    assert (need.have, need.total, need.more) == (50, 206, 156)
    assert calibrate_judge(human, judgments=judge, width=0.2).needs[0].more == 0


def test_one_kind_of_label_leaves_kappa_and_cut_off_undefined_with_reasons() -> None:
    found = calibrate_judge(records([1] * 10, "grade"), judgments=records([0.1 * i for i in range(10)], "score"))
    assert found.agreement.accuracy.value is None
    assert found.cutting.at is None
    assert "All labels are equal" in found.cutting.note
    assert found.needs[0].total is None
    assert any("people call no pair not relevant" in remark for remark in found.remarks)
    yes = calibrate_judge(records([1] * 10, "grade"), judgments=records(["yes"] * 9 + ["no"], "label"))
    assert yes.agreement.accuracy.value == pytest.approx(0.9)
    assert yes.agreement.specificity.value is None
    assert yes.agreement.specificity.note == "People call every pair relevant."


def test_no_pair_with_both_is_an_error_that_shows_the_ids() -> None:
    with pytest.raises(NothingScoredError, match=r"\('q000', 'd0'\).*\('x', 'y'\); are the ids the same"):
        calibrate_judge(records([1], "grade"), judgments=[{"query_id": "x", "doc_id": "y", "grade": 1}])


def test_the_same_again_is_the_same_bytes_and_other_labels_are_refused(tmp_path: Path) -> None:
    human, judge = noisy(10)
    calibrate_judge(human, judgments=judge).save(tmp_path / "out")
    first = {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir() if p.name != "run.json"}
    calibrate_judge(human, judgments=judge).save(tmp_path / "out")
    assert {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir() if p.name != "run.json"} == first
    assert {"calibration.json", "report.md", "card.json"} <= first.keys()
    with pytest.raises(ConflictError, match="human labels"):
        calibrate_judge(human[:-1], judgments=judge).save(tmp_path / "out")


def test_a_pair_is_a_row_of_the_frame_with_its_probability() -> None:
    frame = calibrate_judge(*(table(2, 0, 1, 1)[:1]), judgments=table(2, 0, 1, 1)[1]).to_frame()
    # of three that the judge calls relevant two are; of the one that it does not, none
    assert frame["probability"].to_list() == pytest.approx([2 / 3, 2 / 3, 2 / 3, 0])
    assert frame["verdict"].to_list() == [True, True, True, False]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({}, "judgments, or a judge"),
        ({"judge": "keyword"}, "--corpus SPEC and --questions FILE"),
        ({"judgments": [], "criterion": "f1"}, "unknown criterion 'f1'"),
        ({"judgments": [], "width": 0}, "half-width"),
        ({"judgments": 3}, "expected a file, or records"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(more: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        calibrate_judge(records([1], "grade"), **more)


# A judge that is asked now

DOCUMENTS = [Document("d0", "the tide follows the moon"), Document("d1", "boats are made of wood")]
QUESTIONS = [Question("q000", "What does the tide follow?"), Question("q001", "What are boats made of wood for?")]


def answered(request: Request) -> Json:
    """A model that calls relevant what speaks of the tide."""
    yes = "the tide follows the moon" in request.prompt
    quotes = ["the tide follows the moon"] if yes else []
    return {"reason": "", "quotes": quotes, "answer": "", "missing": "", "answerable": "YES" if yes else "NO"}


def test_a_judge_is_asked_about_exactly_the_labelled_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path))
    human = [
        {"query_id": "q000", "doc_id": "d0", "grade": 1},
        {"query_id": "q000", "doc_id": "d1", "grade": 0},
        {"query_id": "q001", "doc_id": "d0", "grade": 0},
        {"query_id": "q001", "doc_id": "d9", "grade": 0},
        {"query_id": "q9", "doc_id": "d1", "grade": 0},
    ]
    with ModelServer(answered) as server, using_access(Access(price=Price(1, 2))):
        spec = f"llm:{server.url}#model=m"
        plan = open_calibration(human, judge=spec, corpus=DOCUMENTS, questions=QUESTIONS)
        assert (plan.estimate().calls, server.calls) == (3, 0)
        found = calibrate_judge(human, judge=spec, corpus=DOCUMENTS, questions=QUESTIONS)
        assert server.calls == 3
    # right, right, wrong
    assert found.agreement.accuracy.value == pytest.approx(2 / 3)
    assert (found.pairs.unruled, found.agreement.bounds) == ({}, None)
    assert found.pairs.unseen == {"document not in the corpus": 1, "question not found": 1}
    models: Any = found.spent["models"]
    assert models["calls"] == 3


def test_pairs_whose_texts_are_not_there_are_never_judged_and_bound_nothing() -> None:
    # 9 pairs ruled on, 7 of them right; one abstained on (its question has no answer); five of a question not there.
    questions = [Question("q", "What follows the moon?", answer="the tide"), Question("open", "Why?")]
    documents = [Document(f"d{i}", "the tide" if i < 4 else "a boat") for i in range(9)]
    grades = [1, 1, 1, 0, 1, 0, 0, 0, 0]  # d3 and d4 are ruled wrongly
    human = [{"query_id": "q", "doc_id": f"d{i}", "grade": grade} for i, grade in enumerate(grades)]
    human += [{"query_id": "open", "doc_id": "d0", "grade": 1}]
    human += [{"query_id": "gone", "doc_id": f"d{i}", "grade": 0} for i in range(5)]
    found = calibrate_judge(human, judge="answer", corpus=documents, questions=questions)
    assert found.agreement.accuracy.value == pytest.approx(7 / 9)
    assert found.agreement.bounds is not None
    assert found.agreement.bounds.all_wrong == pytest.approx(7 / 10)
    assert found.agreement.bounds.all_right == pytest.approx(8 / 10)
    assert (found.pairs.unruled, found.pairs.unseen, found.pairs.human_only) == (
        {"abstained": 1},
        {"question not found": 5},
        5,
    )
    pairs: Any = found.to_dict()["pairs"]
    assert (pairs["human_only"], pairs["never_judged"]) == (5, {"question not found": 5})
    assert "5 labelled pairs that the judge never saw (question not found 5): left out." in str(found)


def test_a_spent_budget_stops_it_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path))
    human = [{"query_id": "q000", "doc_id": "d0", "grade": 1}]
    access = Access(price=Price(1, 2), budget=Budget(0))
    with (
        ModelServer(answered) as server,
        using_access(access),
        pytest.raises(BudgetSpentError, match="Nothing was written"),
    ):
        calibrate_judge(human, judge=f"llm:{server.url}#model=m", corpus=DOCUMENTS, questions=QUESTIONS)
    assert server.calls == 0


def test_no_answer_is_paid_for_twice_over_several_budget_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    documents = [Document(f"d{i}", f"boat {i} is made of wood") for i in range(40)]
    human = [{"query_id": "q000", "doc_id": document.id, "grade": i % 2} for i, document in enumerate(documents)]

    async def in_its_time(request: Request) -> Json:
        # Of calls that begin together some end at once and some are still under way when the budget is spent.
        await asyncio.sleep(0.03 * (request.number % 4))
        return answered(request)

    asked: Json = {"corpus": documents, "questions": QUESTIONS}
    with ModelServer(in_its_time, ledger=tmp_path / "paid.jsonl") as server:
        asked["judge"] = f"llm:{server.url}#model=m"
        with using_access(Access(price=Price(1, 2))):
            whole = open_calibration(human, **asked).estimate().cost
        assert whole
        stops = 0
        for _ in range(40):
            try:
                with using_access(Access(price=Price(1, 2), budget=Budget(whole / 10))):
                    calibrate_judge(human, **asked)
                break
            except BudgetSpentError:
                stops += 1
        assert stops >= 2
        assert server.calls == 40
    assert len({row["content"] for row in read_ledger(tmp_path / "paid.jsonl")}) == 40


def test_what_is_under_way_when_the_model_goes_down_is_not_paid_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    documents = [Document(f"d{i}", f"boat {i} is made of wood") for i in range(20)]
    human = [{"query_id": "q000", "doc_id": document.id, "grade": i % 2} for i, document in enumerate(documents)]

    async def down_once(request: Request) -> Json | Unauthorized:
        if request.number == 8:
            return Unauthorized()
        await asyncio.sleep(0.2)
        return answered(request)

    with ModelServer(down_once, ledger=tmp_path / "paid.jsonl") as server:
        asked: Json = {"judge": f"llm:{server.url}#model=m", "corpus": documents, "questions": QUESTIONS}
        with using_access(Access()), pytest.raises(ModelDownError, match=r"same command.*Nothing was written"):
            calibrate_judge(human, **asked)
        with using_access(Access()):
            assert calibrate_judge(human, **asked).pairs.n == 20
    paid = [row["content"] for row in read_ledger(tmp_path / "paid.jsonl")]
    assert (len(paid), len(set(paid))) == (20, 20)


def test_calibration_json_holds_every_figure(tmp_path: Path) -> None:
    human, judge = noisy(20)
    calibrate_judge(human, judgments=judge).save(tmp_path / "out")
    content = json.loads((tmp_path / "out" / "calibration.json").read_text())
    assert content["pairs"]["both"] == 100
    assert content["isotonic"]["map"][0].keys() == {"from", "to", "probability", "labels"}
    assert content["threshold"]["cross_fitted"] is not None
    assert set(content["labels_needed"]) == {"half_width", "accuracy", "corrected share of relevant pairs"}
    report = (tmp_path / "out" / "report.md").read_text()
    assert "random sample" in report


def test_comments_in_files_of_labels_are_counted(tmp_path: Path) -> None:
    human, judge = tmp_path / "human.qrels", tmp_path / "judge.trec"
    human.write_text("# two of us\n" + "".join(f"q{i} 0 d {i % 2}\n" for i in range(30)))
    judge.write_text("".join(f"q{i} Q0 d 1 {i % 2} t more\n" for i in range(30)))
    found = calibrate_judge(human, judgments=judge)
    assert found.remarks[:2] == (
        f"{human}: 1 line that begins with # is skipped as a comment: line 1.",
        f"{judge}: 30 lines have fields after the tag, which are ignored; the first is line 1.",
    )


def test_the_conclusion_is_the_agreement_in_a_sentence() -> None:
    human = [{"query_id": f"q{i}", "doc_id": "d", "grade": int(i < 30)} for i in range(50)]
    said = [{"query_id": f"q{i}", "doc_id": "d", "label": "yes" if i < 27 or 30 <= i < 35 else "no"} for i in range(50)]
    result = calibrate_judge(human, judgments=said)
    # 27 + 15 of 50 alike; by chance (30 * 32 + 20 * 18) / 50^2 = 0.528: kappa = (0.84 - 0.528) / 0.472 = 0.661
    ends = result.agreement.kappa
    assert result.conclusion == (
        f"The judge agrees with people on 84% of 50 labelled pairs (kappa 0.66, {ends.low:.2f} to {ends.high:.2f})."
    )
    assert [table.title for table in result.tables()][1:] == ["Pairs by what people (rows) and the judge (columns) say"]
    assert result.conclusion in result.report()
    assert "Labels needed" in result.report()


def test_a_judge_of_scores_is_measured_by_a_cut_off_of_other_pairs_and_the_conclusion_says_so() -> None:
    human = [{"query_id": f"q{i}", "doc_id": "d", "grade": int(i < 30)} for i in range(50)]
    scores = [{"query_id": f"q{i}", "doc_id": "d", "score": 50 - i} for i in range(50)]
    result = calibrate_judge(human, judgments=scores)
    assert " by a cut-off chosen on other pairs." in result.conclusion
    assert result.tables()[-1].title == "Cut-off"


def test_a_graded_sheet_is_on_the_scale_0_2_even_without_a_2(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, [SheetRow(f"00{i}", "=d", "?", "", "text") for i in range(4)])
    filled = path.read_text(encoding="utf-8-sig").split(',""\n')
    path.write_text("".join(f'{row},"{grade}"\n' for row, grade in zip(filled, ("1", "1", "0", ""), strict=False)))
    said = [{"query_id": f"00{i}", "doc_id": "=d", "label": "no"} for i in range(4)]
    result = calibrate_judge(path, judgments=said)
    assert result.human.scale.name == "0-2"
    assert (result.pairs.n, result.agreement.accuracy.value) == (3, 1.0)  # a 1 is no answer, and the judge said so
    assert dict(result.pairs.human_without) == {"no label": 1}
