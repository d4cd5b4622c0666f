"""Reading labels: every format, several annotators, rulings that do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.jobs.calibrate.label_file import LabelScale, guess_scale, label_records, parse_scale, read_label_file
from goldproof.jobs.calibrate.labels import human_labels, judge_labels

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.calibrate.labels import HumanLabels, JudgeLabels

Json = dict[str, Any]


def human(*records: Json, scale: str | None = None) -> HumanLabels:
    said = None if scale is None else parse_scale(scale, option="--human-scale")
    return human_labels(label_records(records, name="human").labels, scale=said, where="human")


def judge(*records: Json, scale: str | None = None) -> JudgeLabels:
    read = label_records(records, name="judge")
    said = None if scale is None else parse_scale(scale, option="--judge-scale")
    return judge_labels(read.labels, scale=said, where="judge", sets=read.sets)


def row(grade: object = None, document: str = "d", **more: object) -> Json:
    return {"query_id": "q", "doc_id": document, **({} if grade is None else {"grade": grade}), **more}


PAIR = ("q", "d")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l.jsonl", '{"query_id": "q", "doc_id": "d", "grade": 2}\n{"query_id": "q", "doc_id": "e", "grade": 0}\n'),
        ("l.csv", "query_id,doc_id,relevance\nq,d,2\nq,e,0\n"),
        ("l.tsv", "query-id\tcorpus-id\tscore\nq\td\t2\nq\te\t0\n"),
        ("l.qrels", "q 0 d 2\nq 0 e 0\n"),
        ("l.json", '[{"query_id": "q", "doc_id": "d", "grade": 2}, {"query_id": "q", "doc_id": "e", "grade": 0}]'),
    ],
)
def test_every_format_says_the_same(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    labels = read_label_file(path).labels
    assert human_labels(labels, scale=None, where=name).grades == {("q", "d"): 2, ("q", "e"): 0}
    found = judge_labels(labels, scale=None, where=name)
    assert found.kind == "grades"  # also where the column is called score: its values are grades
    assert found.values == {("q", "d"): 2.0, ("q", "e"): 0.0}


def test_a_trec_run_is_a_judge_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("q Q0 d 1 7.5 t\nq Q0 e 2 0.5 t\n")
    found = judge_labels(read_label_file(path).labels, scale=None, where="run")
    assert (found.kind, found.values, found.verdicts) == ("scores", {("q", "d"): 7.5, ("q", "e"): 0.5}, {})


def test_rulings_of_mining_count_where_they_are_on_one_document(tmp_path: Path) -> None:
    rulings = [
        {"query_id": "q", "documents": ["d"], "label": "yes", "grade": None, "score": None, "judge": "llm:x"},
        {"query_id": "q", "documents": ["e"], "label": "unsupported", "grade": None, "score": None, "judge": "llm:x"},
        {"query_id": "q", "documents": ["f"], "label": "no", "grade": None, "score": None, "judge": "llm:x"},
        {"query_id": "q", "documents": ["d", "e"], "label": "yes", "grade": None, "score": None, "judge": "llm:x"},
        {"query_id": "q", "documents": [], "label": "no", "grade": None, "score": None, "judge": "llm:x"},
    ]
    path = tmp_path / "judgments.jsonl"
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in rulings))
    read = read_label_file(path)
    found = judge_labels(read.labels, scale=None, where="judgments.jsonl", sets=read.sets)
    assert (found.key, found.kind, found.sets) == ("llm:x", "yes-no", 2)
    assert found.verdicts == {("q", "d"): True, ("q", "f"): False}
    assert found.without == {("q", "e"): "unsupported"}


def test_a_reason_wins_over_a_grade_beside_it() -> None:
    found = judge(row(4, label="unsupported"), row(1, document="e", label="no"))
    assert found.without == {PAIR: "unsupported"}


def test_the_label_is_the_median_and_of_an_even_number_the_lower_one() -> None:
    assert human(row(0), row(3), row(4), scale="0-4").grades == {PAIR: 3}
    assert human(row(3), row(4), scale="0-4").grades == {PAIR: 3}
    assert human(row(0), row(2), scale="0-4").grades == {PAIR: 0}


def test_annotators_who_disagree_on_relevance_are_tied() -> None:
    found = human(row(2), row(3), scale="0-4")  # relevant from 3
    assert found.grades == {}
    assert found.without == {PAIR: "annotators tied"}
    assert human(row("yes"), row("no")).without == {PAIR: "annotators tied"}
    assert human(row("yes"), row("no"), row("yes")).grades == {PAIR: 1}


def test_yes_and_no_are_no_grades_and_are_refused_beside_them() -> None:
    # As grades they would be 1 and 0: below the line of every longer scale, so a yes would count as not relevant.
    for most in (2, 4, 10):
        with pytest.raises(InputError, match=r"human: record 2: says yes or no, where labels are on the scale 0-\d+;"):
            human(row(most), row("relevant", document="e"))
    with pytest.raises(InputError, match=r"record 1: says .* scale 0-4; .*leave out --human-scale"):
        human(row("yes"), row("no", document="e"), scale="0-4")
    with pytest.raises(InputError, match=r"record 1: says yes or no"):
        human(row(label=True), row(3, document="e"))
    assert human(row("yes"), row(0, document="e")).grades == {PAIR: 1, ("q", "e"): 0}
    assert human(row("no"), row("yes", document="e"), scale="yes-no").relevant(("q", "e"))
    assert human(row(3, label="yes"), row(1, label="no", document="e")).grades == {PAIR: 3, ("q", "e"): 1}


def test_yes_and_no_of_a_judge_stay_verdicts_beside_grades() -> None:
    found = judge(row(4), row("yes", document="e"), row(2, document="f"), row("no", document="g"))
    assert (found.kind, found.values) == (
        "yes-no",
        {("q", "d"): 1.0, ("q", "e"): 1.0, ("q", "f"): 0.0, ("q", "g"): 0.0},
    )


def test_of_a_mined_ruling_the_grade_of_the_judge_counts_and_not_that_of_the_qrels(tmp_path: Path) -> None:
    # a judge on 0-4 in judgments.jsonl of goldproof mine: `grade` is 2 for enough, 1 for a part, 0 for nothing
    mined = [("d", "yes", 2, 4), ("e", "yes", 2, 3), ("f", "no", 1, 2), ("g", "no", 0, 0)]
    rulings = [
        {"query_id": "q", "documents": [name], "label": label, "grade": grade, "judge_grade": given, "judge": "j"}
        for name, label, grade, given in mined
    ]
    path = tmp_path / "judgments.jsonl"
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in rulings))
    found = judge_labels(read_label_file(path).labels, scale=None, where="judgments.jsonl")
    assert (found.kind, found.scale) == ("grades", LabelScale(4, 3, guessed=True))
    assert list(found.values.values()) == [4, 3, 2, 0]
    assert list(found.verdicts.values()) == [True, True, False, False]
    yes_no = judge(*({**one, "documents": one["documents"], "judge_grade": None} for one in rulings))
    assert (yes_no.kind, list(yes_no.verdicts.values())) == ("yes-no", [True, True, False, False])


def test_an_annotator_may_change_his_mind() -> None:
    found = human(row(0, annotator="a"), row(1, annotator="a"), row(1, annotator="b"))
    assert (found.grades, found.revised, found.labels) == ({PAIR: 1}, 1, 3)


def test_annotators_agree_among_themselves_by_alpha() -> None:
    # units (0, 0), (1, 1), (0, 1), (1, 1): of 4 comparisons 3 are equal. Nominal alpha: n = 8, n0 = 3, n1 = 5,
    # D_o = 2 / 8, D_e = 2 * 3 * 5 / (8 * 7) = 30 / 56: alpha = 1 - 0.25 / 0.535714 = 0.533333
    votes = [(0, 0), (1, 1), (0, 1), (1, 1)]
    found = human(*(row(vote, document=f"d{i}") for i, pair in enumerate(votes) for vote in pair)).annotators
    assert found is not None
    assert (found.pairs, found.most, found.exact) == (4, 2, 0.75)
    assert found.alpha.value == pytest.approx(0.533333, abs=1e-6)


def test_a_label_below_zero_is_zero_and_counted() -> None:
    found = human(row(-1), row(1, document="e"))
    assert (found.grades[PAIR], found.negative) == (0, 1)


def test_the_last_ruling_on_a_pair_counts() -> None:
    found = judge(row(0, judge="j"), row(1, judge="j"))
    assert (found.values, found.repeated) == ({PAIR: 1.0}, 1)


def test_rulings_of_two_judges_are_refused() -> None:
    with pytest.raises(InputError, match=r"rulings of 2 judges: a \(1\), b \(1\)"):
        judge(row(0, judge="a"), row(1, document="e", judge="b"))


def test_scores_with_verdicts_keep_them() -> None:
    found = judge(row(score=0.8, label="yes"), row(document="e", score=0.3, label="no"))
    assert (found.kind, found.values[PAIR], found.verdicts[PAIR]) == ("scores", 0.8, True)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"query_id": "q", "doc_id": "d"}, "no key 'grade', 'label' or 'score'"),
        ({"query_id": "q", "doc_id": "d", "label": "maybe"}, "'maybe' is not a number .*expected yes, no"),
        ({"query_id": "q", "doc_id": "d", "grade": 0.5}, "not a whole number"),
        ({"doc_id": "d", "grade": 1}, "no key 'query_id'"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_with_its_line(tmp_path: Path, record: Json, problem: str) -> None:
    path = tmp_path / "l.jsonl"
    path.write_bytes(orjson.dumps(row(1)) + b"\n" + orjson.dumps(record) + b"\n")
    with pytest.raises(FileFormatError, match=f"l.jsonl:2: .*{problem}"):
        read_label_file(path)


def test_scales_are_written_and_guessed() -> None:
    assert parse_scale("0-3:2", option="o") == LabelScale(3, 2)
    assert parse_scale("0-2:1", option="o") == LabelScale(2, 1)
    assert parse_scale("0-4", option="o") == LabelScale(4, 3)
    assert parse_scale("yes-no", option="o").name == "yes-no"
    assert [guess_scale(highest) for highest in (1, 2, 3, 4, 10, 11)] == [
        *(LabelScale(most, yes, guessed=True) for most, yes in ((1, 1), (2, 2), (4, 3), (4, 3), (10, 7))),
        None,
    ]
    for text in ("0-3", "1-5", "0-2:3", "good"):
        with pytest.raises(InputError, match="--human-scale"):
            parse_scale(text, option="--human-scale")
    with pytest.raises(InputError, match="label 3 is above 2, the end of the scale 0-2"):
        human(row(3), scale="0-2")


@pytest.mark.parametrize(("grade", "label"), [(1, "no"), (0, "yes")])
def test_a_human_grade_and_label_that_contradict_each_other_are_refused(grade: int, label: str) -> None:
    with pytest.raises(InputError, match=rf"human: record 2: grade {grade} and the label '{label}' contradict"):
        human(row(1, label="yes"), row(grade, label=label, document="e"))
    assert human(row(1, label=label), scale="0-2").grades == {PAIR: 1}
