from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.datasets.sheet import SheetRow, write_sheet
from goldproof.judge import GRADES_2, GRADES_4, GRADES_10, YES_NO, HumanJudge, open_judge
from goldproof.judge.human_judge import read_annotations
from goldproof.records.entities import Document, Question
from tests.judge.scripted import rule

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.judge import Ruling, Scale


def lines(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(doc: str, **said: object) -> dict[str, object]:
    return {"query_id": "q", "doc_id": doc, **said}


def of(by: HumanJudge, doc: str) -> Ruling:
    return rule(by, Document(doc), question=Question("q"))


def test_labels_are_looked_up_and_a_pair_that_nobody_annotated_is_abstained(tmp_path: Path) -> None:
    file = lines(tmp_path / "l.jsonl", row("a", label="Yes"), row("b", label="not relevant"), row("c", label=True))
    by = HumanJudge(read_annotations(file))
    assert by.scale is YES_NO
    assert [of(by, doc).label for doc in "abcd"] == ["yes", "no", "yes", "abstained"]
    assert of(by, "d").reason == "people have not graded this pair."
    assert rule(by, Document("a"), question=Question("other")).label == "abstained"


@pytest.mark.parametrize(
    ("grades", "scale"), [([0, 1], YES_NO), ([0, 2], GRADES_2), ([3], GRADES_4), ([0, 10], GRADES_10)]
)
def test_the_scale_is_the_shortest_that_holds_all_grades(tmp_path: Path, grades: list[int], scale: Scale) -> None:
    file = lines(tmp_path / "l.jsonl", *(row(f"d{grade}", grade=grade) for grade in grades))
    assert HumanJudge(read_annotations(file)).scale is scale


def test_a_given_scale_wins_over_the_values(tmp_path: Path) -> None:
    file = lines(tmp_path / "l.jsonl", row("a", grade=1), row("b", grade=0))
    by = open_judge(f"human:{file}#scale=0-2")
    ruling = rule(by, Document("a"), question=Question("q"))
    assert (by.scale, ruling.label, ruling.grade) == (GRADES_2, "no", 1)
    assert rule(open_judge(f"human:{file}"), Document("a"), question=Question("q")).label == "yes"


def test_several_annotators_make_a_majority_or_a_median_and_disagreement_is_counted(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "l.jsonl",
        *(row("a", grade=grade, annotator=who) for who, grade in (("x", 4), ("y", 3), ("z", 0))),
        *(row("b", grade=grade, annotator=who) for who, grade in (("x", 1), ("y", 2))),
        row("c", grade=4, annotator="x"),
    )
    by = HumanJudge(read_annotations(file))
    a, b, c = (of(by, doc) for doc in "abc")
    assert (a.label, a.grade, a.agreement) == ("yes", 3, 1 / 3)
    assert [(vote.by, vote.grade) for vote in a.votes] == [("x", 4), ("y", 3), ("z", 0)]
    assert (b.label, b.grade) == ("no", 1)
    assert (c.grade, c.votes) == (4, ())
    counts = {"pairs": 3, "annotations": 6, "several": 2, "contested": 2, "left_out": 0, "replaced": 0, "empty": 0}
    assert by.counts == counts


def test_people_who_are_evenly_split_leave_it_open(tmp_path: Path) -> None:
    file = lines(tmp_path / "l.jsonl", row("a", label="yes"), row("a", label="no"))
    ruling = of(HumanJudge(read_annotations(file)), "a")
    assert (ruling.label, ruling.agreement) == ("abstained", 0.5)


def test_a_later_row_of_the_same_annotator_replaces_the_earlier(tmp_path: Path) -> None:
    file = lines(tmp_path / "l.jsonl", row("a", label="yes", rater="x"), row("a", label="no", rater="x"))
    by = HumanJudge(read_annotations(file))
    assert (of(by, "a").label, by.counts["replaced"]) == ("no", 1)


def test_other_names_and_formats_say_the_same(tmp_path: Path) -> None:
    rows = [("q", "a", 2, "x"), ("q", "a", 0, "y"), ("q", "a", 2, "z"), ("q", "b", 1, "x")]
    frame = pl.DataFrame(rows, schema=["Query-ID", "docno", "relevance", "Annotator ID"], orient="row")
    frame.write_csv(tmp_path / "l.csv")
    frame.write_csv(tmp_path / "l.tsv", separator="\t")
    frame.write_parquet(tmp_path / "l.parquet")
    (tmp_path / "l.json").write_text(json.dumps(frame.to_dicts()), encoding="utf-8")
    with gzip.open(tmp_path / "l.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(each) + "\n" for each in frame.to_dicts())
    (tmp_path / "l.qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g, _ in rows), encoding="utf-8")
    for name in ("l.csv", "l.tsv", "l.parquet", "l.json", "l.jsonl.gz", "l.qrels"):
        by = HumanJudge(read_annotations(tmp_path / name))
        found = [(of(by, doc).label, of(by, doc).grade, len(of(by, doc).votes)) for doc in "ab"]
        assert found == [("yes", 2, 3), ("no", 1, 0)], name


def test_negative_grades_of_qrels_mean_not_judged(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b -1\nq 0 c 0\n", encoding="utf-8")
    by = HumanJudge(read_annotations(tmp_path / "qrels"))
    assert [of(by, doc).label for doc in "abc"] == ["yes", "abstained", "no"]
    assert by.counts["left_out"] == 1


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([row("a", label="maybe")], "1: grade 'maybe' is not a number"),
        ([row("a")], "1: no key grade or relevance"),
        ([row("a", grade=0), {"query_id": "q", "grade": 1}], "2: no key 'doc_id'"),
        ([row("a", grade=0), row("b", grade=11)], "2: grade 11 is not on the scale 0-10"),
        ([row("a", grade=2), row("b", label="yes")], "2: says yes or no, where other rows have grades"),
        ([row("a", grade=-1)], "holds no annotation"),
    ],
)
def test_a_row_that_cannot_be_understood_is_named(tmp_path: Path, rows: list[dict[str, object]], problem: str) -> None:
    with pytest.raises(FileFormatError, match=problem):
        HumanJudge(read_annotations(lines(tmp_path / "l.jsonl", *rows)))


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"grade": 1, "label": "no"}, "grade 1 and label 'no' contradict each other"),
        ({"label": True, "grade": 0}, "grade 0 and label True contradict each other"),
        ({"grade": 2, "label": "irrelevant"}, "grade 2 and label 'irrelevant' contradict each other on the scale 0-2"),
    ],
)
def test_a_grade_and_a_label_that_contradict_each_other_are_refused(
    tmp_path: Path, said: dict[str, object], problem: str
) -> None:
    file = lines(tmp_path / "l.jsonl", row("a", grade=1), row("b", **said))
    with pytest.raises(FileFormatError, match=rf"l\.jsonl:2: {problem}"):
        HumanJudge(read_annotations(file))


def test_a_label_beside_a_grade_that_fits_is_fine(tmp_path: Path) -> None:
    fits = [row("a", grade=4, label="yes"), row("b", grade=0, label="no"), row("c", grade=2, label="no")]
    file = lines(tmp_path / "l.jsonl", *fits, row("d", grade=1, label="relevant"), row("e", grade=1, label="so-so"))
    by = HumanJudge(read_annotations(file))
    assert [(of(by, doc).label, of(by, doc).grade) for doc in "abcde"] == [
        *[("yes", 4), ("no", 0), ("no", 2)],
        *[("no", 1), ("no", 1)],
    ]


def test_a_grade_beyond_the_given_scale_is_refused(tmp_path: Path) -> None:
    file = lines(tmp_path / "l.jsonl", row("a", grade=3))
    with pytest.raises(FileFormatError, match=r"l\.jsonl:1: grade 3 is not on the scale 0-2"):
        open_judge(f"human:{file}#scale=0-2")
    with pytest.raises(UnknownNameError, match="unknown scale '0-3'"):
        open_judge(f"human:{file}#scale=0-3")


def test_what_the_file_is_stands_in_the_key_and_a_hash_may_stand_in_its_name(tmp_path: Path) -> None:
    file = lines(tmp_path / "l#a=b", row("a", grade=3))
    first = open_judge(f"human:{file}").key
    lines(file, row("a", grade=4))
    second = open_judge(f"human:{file}").key
    assert first != second
    assert first.startswith("human:l#a=b (file ")


def test_people_label_single_documents(tmp_path: Path) -> None:
    by = HumanJudge(read_annotations(lines(tmp_path / "l.jsonl", row("a", grade=1))))
    assert "single documents" in (by.why_not_sets(Question("q")) or "")
    assert rule(by, Document("a"), Document("b"), question=Question("q")).label == "abstained"
    assert by.estimate(Question("q"), []).calls == 0
    with pytest.raises(InputError, match="names no file"):
        open_judge("human:")
    with pytest.raises(FileFormatError, match=r"gone\.jsonl"):
        open_judge(f"human:{tmp_path}/gone.jsonl")


@pytest.mark.realdata
def test_several_annotators_of_real_judgements_are_votes(realdata: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(realdata / "codesearchnet" / "annotationStore.csv")
    named = frame.with_columns(query_id=pl.concat_str("Language", "Query", separator=": ")).rename(
        {"GitHubUrl": "doc_id"}
    )
    named.write_csv(tmp_path / "labels.csv")
    by = HumanJudge(read_annotations(tmp_path / "labels.csv"))
    pairs = frame.group_by("Language", "Query", "GitHubUrl").agg(pl.col("Relevance"))
    several = pairs.filter(pl.col("Relevance").list.len() > 1)
    assert by.scale is GRADES_4  # grades 0 to 3
    assert by.counts["annotations"] == len(frame)
    assert by.counts["pairs"] == len(pairs)
    assert by.counts["several"] == len(several)
    assert by.counts["contested"] == several.filter(pl.col("Relevance").list.n_unique() > 1).height
    some = several.row(0, named=True)
    question = Question(f"{some['Language']}: {some['Query']}")
    middle = sorted(some["Relevance"])[(len(some["Relevance"]) - 1) // 2]
    assert rule(by, Document(some["GitHubUrl"]), question=question).grade == middle


def sheet(path: Path, *grades: str) -> Path:
    rows = [SheetRow("q", f"d{number}", "What?", "", "one\ntwo") for number in range(len(grades))]
    write_sheet(path, rows)
    parts = path.read_text(encoding="utf-8-sig").split(',""\n')
    path.write_text("".join(f'{part},"{grade}"\n' for part, grade in zip(parts, grades, strict=False)))
    return path


def test_a_sheet_is_on_the_scale_0_2_even_without_a_2_and_empty_grades_are_counted(tmp_path: Path) -> None:
    judge = HumanJudge(read_annotations(sheet(tmp_path / "s.csv", "1", "", "0", " ")))
    assert (judge.scale, judge.counts["empty"], judge.pairs) == (GRADES_2, 2, (("q", "d0"), ("q", "d2")))
    assert [(of(judge, doc).label, of(judge, doc).grade) for doc in ("d0", "d1", "d2")] == [
        ("no", 1),
        ("abstained", None),
        ("no", 0),
    ]
    assert judge.notes({"q"}, {"d0", "d2"}) == ("s.csv: 2 of 4 rows have no grade yet.",)


def test_unknown_ids_of_a_sheet_are_said(tmp_path: Path) -> None:
    judge = HumanJudge(read_annotations(sheet(tmp_path / "s.csv", "1", "2")))
    assert judge.notes({"other"}, {"d0"}) == (
        "s.csv: 2 graded rows name 1 question unknown here, such as 'q': left out.",
        "s.csv: 1 graded row names 1 document unknown here, such as 'd1': left out.",
    )


def test_a_sheet_without_any_grade_and_one_with_a_bad_grade_say_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"has no grade yet in any of its 2 rows\.\n  Write 2 \(answers"):
        read_annotations(sheet(tmp_path / "s.csv", "", ""))
    # header on line 1, each row on two lines: row 3 of the sheet ends on line 5
    with pytest.raises(FileFormatError) as raised:
        read_annotations(sheet(tmp_path / "t.csv", "1", "maybe"))
    assert raised.value.line == 5
    assert raised.value.problem == "grade 'maybe' is not a number (row 3: question 'q', document 'd1')."
    with pytest.raises(FileFormatError, match="grade 3 is not on the scale 0-2"):
        HumanJudge(read_annotations(sheet(tmp_path / "u.csv", "1", "3")))
