"""`goldproof judge calibrate` and `goldproof trace --judge`: output, files, exit codes, and what is refused."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from goldproof.testing import ModelServer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from goldproof.testing import Request
    from tests.cli.conftest import Done

Json = dict[str, Any]


@pytest.fixture
def human(tmp_path: Path) -> Path:
    path = tmp_path / "human.csv"
    path.write_text("query_id,doc_id,grade\n" + "".join(f"q{i},d,{int(i < 30)}\n" for i in range(50)))
    return path


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    """27 of 30 relevant and 15 of 20 other pairs right, and 40 pairs that nobody else labelled."""
    path = tmp_path / "judgments.jsonl"
    yes = [i < 27 or 30 <= i < 35 or i >= 60 for i in range(90)]
    rulings = [
        {"query_id": f"q{i}", "documents": ["d"], "label": "yes" if said else "no", "grade": None, "judge": "j"}
        for i, said in enumerate(yes)
    ]
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in rulings))
    return path


def test_the_tables_say_what_a_judge_is_worth(goldproof: Callable[..., Done], human: Path, judgments: Path) -> None:
    done = goldproof("judge", "calibrate", "--human", human, "--judgments", judgments)
    assert done.code == 0
    assert "accuracy     0.8400  [0.7149, 0.9166]  50" in done.out
    # 30 pairs are relevant to people, of which the judge finds 27; of the 20 others it calls 15 so
    assert "not relevant            15         5\nrelevant                 3        27" in done.out
    assert "random sample cannot be seen" in done.said


def test_json_is_the_file_and_nothing_else_stands_on_stdout(
    goldproof: Callable[..., Done], human: Path, judgments: Path, tmp_path: Path
) -> None:
    done = goldproof(
        "judge", "calibrate", "--human", human, "--judgments", judgments, "--json", "--out", tmp_path / "o"
    )
    assert done.json == json.loads((tmp_path / "o" / "calibration.json").read_text())
    assert {p.name for p in (tmp_path / "o").iterdir() if not p.name.startswith(".")} == {
        *("calibration.json", "report.md", "card.json", "run.json")
    }
    assert done.json["kappa"]["value"] == pytest.approx(0.661017, abs=1e-6)


def test_csv_is_one_table(goldproof: Callable[..., Done], human: Path, judgments: Path) -> None:
    done = goldproof("judge", "calibrate", "--human", human, "--judgments", judgments, "--format", "csv")
    rows = list(csv.DictReader(done.out.splitlines()))
    assert float(rows[0]["value"]) == pytest.approx(0.84)
    assert {len(row) for row in rows} == {6}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "either --judgments FILE, or --judge SPEC"),
        (("--judgments", "J", "--judge", "keyword"), "either --judgments FILE, or --judge SPEC"),
        (("--judgments", "J", "--max-cost", "1"), "--max-cost has no effect without --judge"),
        (("--judgments", "J", "--dry-run"), "--dry-run has no effect without --judge"),
        (("--judge", "keyword", "--dry-run"), "--corpus"),
        (("--judge", "keyword"), "give --corpus SPEC and --questions FILE"),
        (("--judgments", "J", "--human-scale", "0-3"), "expected yes-no, 0-2, 0-4, 0-10, or 0-N:FROM"),
    ],
)
def test_what_has_no_meaning_is_refused(
    goldproof: Callable[..., Done], human: Path, judgments: Path, args: tuple[str, ...], said: str
) -> None:
    done = goldproof("judge", "calibrate", "--human", human, *(judgments if arg == "J" else arg for arg in args))
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


@pytest.mark.parametrize("judge", ["keyword", "similarity"])
def test_a_judge_of_scores_that_is_asked_now_gets_a_cut_off(
    goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judge: str
) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    things = ("tide", "boat", "lamp", "bread", "glass", "snow")
    questions = [
        {"id": f"q{i}", "text": f"What is known about the old {thing} of Lisbon?"} for i, thing in enumerate(things)
    ]
    documents = [{"id": f"d{i}", "text": f"The old {thing} of Lisbon is blue."} for i, thing in enumerate(things)]
    documents.append({"id": "x", "text": "An old law on wages in Norway."})
    labels = [(f"q{i}", f"d{i}", 1) for i in range(6)] + [(f"q{i}", "x", 0) for i in range(6)]
    for name, rows in (("q.jsonl", questions), ("d.jsonl", documents)):
        (tmp_path / name).write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    human = tmp_path / "h.csv"
    human.write_text("query_id,doc_id,grade\n" + "".join(f"{q},{d},{g}\n" for q, d, g in labels))
    args = ("--judge", judge, "--corpus", tmp_path / "d.jsonl", "--questions", tmp_path / "q.jsonl", "--json")
    done = goldproof("judge", "calibrate", "--human", human, *args)
    assert done.code == 0
    cut = done.json["threshold"]
    # every matching pair scores above every other one, so some cut-off parts them
    assert (cut["in_sample"], cut["note"]) == (1, None)
    assert 0 < cut["at_least"] < 1
    assert done.json["isotonic"]["map"] is not None


def test_nothing_in_common_is_exit_code_3(goldproof: Callable[..., Done], human: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"query_id": "x", "doc_id": "y", "grade": 1}\n')
    done = goldproof("judge", "calibrate", "--human", human, "--judgments", other)
    assert done.code == 3
    assert "are the ids the same?" in done.err


# goldproof trace --judge

GRADES = {"tides rise": 4, "sun helps": 2, "fish swim": 0}


def graded(request: Request) -> Json:
    words, grade = next((words, grade) for words, grade in GRADES.items() if f"\n{words}\n" in request.prompt)
    return {"reason": "", "quotes": [words] if grade else [], "answer": "", "missing": "", "grade": grade}


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    results = [{"id": words.split()[0], "snippet": words} for words in GRADES]
    turn = {"question": "What moves the sea?", "iterations": [{"searches": [{"query": "q", "results": results}]}]}
    path = tmp_path / "t.jsonl"
    path.write_bytes(orjson.dumps({"conversation_id": "c", "turns": [turn]}) + b"\n")
    return path


def test_a_judged_trace_is_scored_written_and_repeated_without_the_judge(
    goldproof: Callable[..., Done], trace: Path, tmp_path: Path
) -> None:
    with ModelServer(graded) as server:
        spec = f"llm:{server.url}#model=m"
        done = goldproof("trace", trace, "--judge", spec, "--price", "1,2", "--out", tmp_path / "o", "--json")
        assert server.calls == 3
    assert done.code == 0
    assert done.json["judge"]["labelled"] == 3
    assert "3 of 3 texts labelled" in done.err
    again = goldproof("trace", trace, "--qrels", tmp_path / "o" / "labels.jsonl", "--json")
    assert again.json["metrics"] == done.json["metrics"]


def test_a_dry_run_asks_and_writes_nothing(goldproof: Callable[..., Done], trace: Path, tmp_path: Path) -> None:
    with ModelServer(graded) as server:
        args = ("trace", trace, "--judge", f"llm:{server.url}#model=m", "--price", "1,2", "--dry-run")
        told = goldproof(*args, "--out", tmp_path / "o")
        machine = goldproof(*args, "--json")
        assert server.calls == 0
    assert "3 distinct results have no label, 3 would be judged." in told.out
    assert machine.json["estimate"]["calls"] == 3
    assert not (tmp_path / "o").exists()


def test_a_spent_budget_is_exit_code_2_and_leaves_no_folder(
    goldproof: Callable[..., Done], trace: Path, tmp_path: Path
) -> None:
    with ModelServer(graded) as server:
        args = ("trace", trace, "--judge", f"llm:{server.url}#model=m", "--price", "1,2", "--out", tmp_path / "o")
        done = goldproof(*args, "--max-cost", "0")
        assert done.code == 2
        assert "same command" in done.err
        assert "Nothing was written" in done.err
        assert not (tmp_path / "o").exists()
        assert goldproof(*args).code == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--judge", "keyword"), "judges on the scale yes-no, but gains need grades from 0 to 4"),
        (("--max-cost", "1"), "--max-cost has no effect without --judge"),
        (("--judge", "llm:x", "--explain", "c"), "--judge has no effect with --explain"),
    ],
)
def test_a_judge_that_cannot_label_is_refused(
    goldproof: Callable[..., Done], trace: Path, args: tuple[str, ...], said: str
) -> None:
    done = goldproof("trace", trace, *args)
    assert done.code == 2
    assert said in done.err
