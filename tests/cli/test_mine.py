"""`goldproof mine` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.mine import Recipe, open_plan, what_is_kept
from goldproof.judge import YES_NO, Ruling
from goldproof.llm import Estimate
from goldproof.testing import ModelServer
from tests.jobs.mine.planted import script

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done

CASES = """\
suite: shop
benchmarks:
  - id: "1"
    question: Which class tries a failed call again?
    options: {A: RetryPlugin, B: FailPlugin}
    correct_answer: A
  - id: "2"
    question: What does the runner give back?
    options: {A: a list, B: an event stream}
    correct_answer: B
  - id: "3"
    question: Which of these is broken?
    options: {A: one}
    correct_answer: C
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later server may have the port of an earlier one, and answers are kept by address."""
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


@pytest.fixture
def shop(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "cases.yaml").write_text(CASES)
    documents = {
        "plugins": "RetryPlugin tries a failed call again.",
        "runner": "Runner.run gives back an event stream.",
        "tools": "A FunctionTool wraps a function.",
    }
    lines = [json.dumps({"_id": one, "text": text}) + "\n" for one, text in documents.items()]
    (tmp_path / "corpus.jsonl").write_text("".join(lines))
    return {"cases": tmp_path / "cases.yaml", "corpus": tmp_path / "corpus.jsonl", "out": tmp_path / "out"}


def test_without_cases_the_bundled_example_is_mined_offline(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    done = goldproof("mine", "--out", tmp_path / "out", "--json")
    assert done.code == 0
    assert "bundled example" in done.err
    assert done.json["counts"]["questions"] > 20
    assert done.json["counts"]["positive"] > 10
    assert done.json["spent"]["calls"] == 0
    names = ("retrieval_dataset.yaml", "judgments.jsonl", "candidates.jsonl", "card.json", "report.md", "run.json")
    assert all((tmp_path / "out" / name).stat().st_size for name in names)


def test_a_broken_case_is_named_and_the_others_go_on(goldproof: Callable[..., Done], shop: dict[str, Path]) -> None:
    done = goldproof("mine", "--cases", shop["cases"], "--corpus", shop["corpus"], "--out", shop["out"], "--json")
    assert done.code == 0
    assert done.json["counts"]["questions"] == 2
    assert done.json["counts"]["positive"] == 2
    (problem,) = done.json["problems"]
    assert "cases.yaml" in problem
    assert "shop:3" in problem


def test_what_is_mined_is_evaluated_directly(goldproof: Callable[..., Done], shop: dict[str, Path]) -> None:
    goldproof("mine", "--cases", shop["cases"], "--corpus", shop["corpus"], "--out", shop["out"])
    for dataset in ("beir", "retrieval_dataset.yaml"):
        done = goldproof("eval", "--dataset", shop["out"] / dataset, "--retriever", "bm25", "--metrics", "RR")
        assert done.code == 0, done.err
        assert "RR      bm25  1.0000" in done.out


def test_two_phases_end_where_one_does(goldproof: Callable[..., Done], shop: dict[str, Path], tmp_path: Path) -> None:
    common = ("--cases", shop["cases"], "--corpus", shop["corpus"])
    done = goldproof("mine", *common, "--candidates-only", "--out", tmp_path / "first", "--json")
    assert done.code == 0
    assert done.json["candidates"] == 6
    assert not (tmp_path / "first" / "judgments.jsonl").exists()
    second = goldproof(
        "mine", "--from", tmp_path / "first" / "candidates.jsonl", "--out", tmp_path / "second", "--json"
    )
    assert second.json["problems"] == done.json["problems"]  # what could not be read is still missing
    assert len(second.json["problems"]) == 1
    goldproof("mine", *common, "--out", tmp_path / "whole")
    for name in ("retrieval_dataset.yaml", "judgments.jsonl", "beir/qrels/test.tsv"):
        assert (tmp_path / "second" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_run_extends_a_mined_folder_in_place(
    goldproof: Callable[..., Done], shop: dict[str, Path], tmp_path: Path
) -> None:
    common = ("--cases", shop["cases"], "--corpus", shop["corpus"])
    goldproof("mine", *common, "--random", "0", "--hard", "1", "--out", shop["out"])
    before = (shop["out"] / "beir" / "qrels" / "test.tsv").read_text()
    assert "tools" not in before
    (tmp_path / "dense.trec").write_text("shop:1 Q0 tools 1 0.9 dense\nshop:1 Q0 plugins 2 0.8 dense\n")
    extended = ("--from", shop["out"], "--corpus", shop["corpus"], "--extend", tmp_path / "dense.trec")
    done = goldproof("mine", *extended, "--out", shop["out"], "--json")
    assert done.code == 0, done.err
    assert sum(done.json["by_source"]["run:dense"].values()) == 2
    assert len(done.json["problems"]) == 1  # of the first mining
    after = (shop["out"] / "beir" / "qrels" / "test.tsv").read_text()
    assert after.count("\n") == before.count("\n") + 1
    assert "shop:1\ttools\t0" in after


def test_a_dry_run_asks_nothing_and_writes_nothing(goldproof: Callable[..., Done], shop: dict[str, Path]) -> None:
    with ModelServer(script) as server:
        done = goldproof(
            *("mine", "--cases", shop["cases"], "--corpus", shop["corpus"], "--judge", f"llm:{server.url}#model=m"),
            *("--kernels", "--price", "1,10", "--dry-run", "--json", "--out", shop["out"]),
        )
        assert server.calls == 0
    assert done.code == 0, done.err
    # 2 questions x 3 documents
    assert done.json["labels"]["calls"] == 6
    assert done.json["total"]["cost"] > 0
    assert not shop["out"].exists()


def test_a_spent_budget_ends_with_code_2_and_nothing_written(
    goldproof: Callable[..., Done], shop: dict[str, Path]
) -> None:
    no = {"answerable": "NO", "quotes": [], "answer": "", "missing": "", "reason": ""}
    with ModelServer(lambda _: no) as server:
        done = goldproof(
            *("mine", "--cases", shop["cases"], "--corpus", shop["corpus"], "--judge", f"llm:{server.url}#model=m"),
            *("--price", "100,1000", "--max-cost", "0.5", "--skip-no-context", "--out", shop["out"]),
        )
    assert done.code == 2
    assert "--max-cost" in done.err
    assert "run the same command" in done.err
    assert not (shop["out"] / "judgments.jsonl").exists()
    assert (shop["out"] / "judgments.partial.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--corpus", "CORPUS", "--out", "OUT"), "--cases FILE"),
        (("--cases", "CASES", "--out", "OUT"), "--corpus SPEC"),
        (("--cases", "CASES", "--corpus", "CORPUS", "--out", "OUT", "--judge", "anwser"), "answer"),
        (("--cases", "CASES", "--corpus", "CORPUS", "--out", "OUT", "--kernels"), "last hop"),
        (("--cases", "CASES", "--corpus", "CORPUS", "--out", "OUT", "--random", "-1"), "0 or more"),
        (("--cases", "CASES", "--from", "CASES", "--out", "OUT"), "give one of them"),
        (("--cases", "CASES", "--corpus", "CORPUS", "--out", "OUT", "--max-cost", "-3"), "dollars"),
        (("--cases", "CASES", "--corpus", "CORPUS", "--out", "OUT", "--price", "cheap"), "IN,OUT"),
        (("exmaple", "--out", "OUT"), "example"),
        (("--from", "CORPUS", "--out", "OUT"), "query_id"),
    ],
)
def test_what_cannot_be_mined_is_said_in_one_sentence(
    goldproof: Callable[..., Done], shop: dict[str, Path], arguments: tuple[str, ...], said: str
) -> None:
    given = [str(shop[word.lower()]) if word.lower() in shop and word.isupper() else word for word in arguments]
    done = goldproof("mine", *given)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert not shop["out"].exists()


def test_without_a_folder_the_report_is_shown_and_nothing_written(goldproof: Callable[..., Done]) -> None:
    done = goldproof("mine")
    assert done.code == 0
    assert "Candidates by source" in done.out
    assert "nothing is written" in done.err


def broken(*_: object) -> bool:
    raise RuntimeError("seasick")


def test_a_judge_that_always_fails_is_no_strict_one(goldproof: Callable[..., Done], shop: dict[str, Path]) -> None:
    judge = "tests.cli.test_mine:broken"
    done = goldproof(
        "mine", "--cases", shop["cases"], "--corpus", shop["corpus"], "--judge", judge, "--out", shop["out"]
    )
    assert done.code == 3
    assert "6 of 6 rulings failed" in done.said
    assert "seasick" in done.said


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--judge", "keyword"), "judge answer"),
        (("--corpus", "smaller.jsonl"), "another corpus"),
        (("--kernels",), "kernels were not looked for"),
    ],
)
def test_a_folder_is_extended_in_place_only_by_what_it_was_mined_with(
    goldproof: Callable[..., Done], tmp_path: Path, changed: tuple[str, ...], said: str
) -> None:
    lines = [
        {"_id": "q1", "text": "Which class tries again?", "answer": "Retry", "metadata": {"answer_parts": ["Retry"]}},
        {"_id": "q2", "text": "What wraps a function?", "answer": "Tool", "metadata": {"answer_parts": ["Tool"]}},
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    documents = [{"_id": f"d{i}", "text": text} for i, text in enumerate(("Retry tries", "Tool wraps", "Runner runs"))]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in documents))
    (tmp_path / "smaller.jsonl").write_text("".join(json.dumps(line) + "\n" for line in documents[:2]))
    (tmp_path / "bm25.trec").write_text("q1 Q0 d1 1 0.9 bm25\n")
    out = tmp_path / "out"
    common = ("--cases", tmp_path / "q.jsonl", "--corpus", f"jsonl:{tmp_path / 'corpus.jsonl'}")
    assert goldproof("mine", *common, "--random", "0", "--hard", "1", "--out", out).code == 0
    before = (out / "judgments.jsonl").read_bytes()
    given = [f"jsonl:{tmp_path / word}" if word.endswith(".jsonl") else word for word in changed]
    extended = ("mine", "--from", out, "--extend", tmp_path / "bm25.trec", "--out", out)
    done = goldproof(*extended, *given)
    assert done.code == 2
    assert said in done.err
    assert (out / "judgments.jsonl").read_bytes() == before
    assert goldproof(*extended).code == 0  # judge and corpus are those of the folder
    assert (out / "judgments.jsonl").read_bytes().count(b"\n") == before.count(b"\n") + 1
    assert (out / "beir" / "corpus.jsonl").read_bytes().count(b"\n") == 3


@pytest.fixture
def unlabelled(tmp_path: Path, shop: dict[str, Path]) -> tuple[object, ...]:
    """Questions with neither ids nor answers, as a person has them at first."""
    path = tmp_path / "my questions.csv"
    path.write_text("question\nWhich class tries a failed call again?\nWhat does the runner give back?\n")
    return "--cases", path, "--corpus", shop["corpus"]


def test_questions_without_answers_end_with_three_commands_and_nothing_is_written(
    goldproof: Callable[..., Done], unlabelled: tuple[object, ...], shop: dict[str, Path]
) -> None:
    done = goldproof("mine", *unlabelled, "--out", shop["out"])
    assert (done.code, done.out) == (3, "")
    assert "none of the 2 questions has an answer for the judge `answer` to look for. Three ways on:" in done.err
    command = f"goldproof mine --cases '{unlabelled[1]}' --corpus {shop['corpus']}"
    for way in ("--judge llm:PROVIDER:MODEL", "--candidates-only --sheet sheet.csv", "--judge human:sheet.csv"):
        assert f"{command} {way}\n" in f"{done.err}\n"
    assert "column `answer`" in done.err
    assert not shop["out"].exists()


def test_a_sheet_that_people_filled_in_makes_the_labels(
    goldproof: Callable[..., Done], unlabelled: tuple[object, ...], shop: dict[str, Path], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.csv"
    done = goldproof("mine", *unlabelled, "--candidates-only", "--sheet", sheet)
    assert done.code == 0
    assert f"--judge human:{sheet}" in done.err
    header, *rows = csv.reader(io.StringIO(sheet.read_bytes().decode("utf-8-sig"), newline=""))
    assert len(rows) == 6
    for row in rows:  # one pair stays open
        answers = {"plugins": "again", "runner": "back"}
        row[-1] = "" if row[1] == "tools" and "runner" in row[2] else "02"[answers.get(row[1], "-") in row[2]]
    with sheet.open("w", encoding="utf-8-sig", newline="") as stream:  # as Excel saves it in much of Europe
        csv.writer(stream, delimiter=";").writerows([header, *rows])

    again = goldproof("mine", *unlabelled, "--candidates-only", "--sheet", sheet)
    assert (again.code, "people have filled in 5 grades there" in again.err) == (2, True)

    # Whatever is searched for, what people graded is labelled, and what they did not grade is no candidate.
    for searched, human, ungraded in ((("--random", 0, "--hard", 0), 5, 0), (("--random", 3), 0, 1)):
        args = (*unlabelled, "--judge", f"human:{sheet}", *searched, "--out", shop["out"], "--force", "--json")
        mined = goldproof("mine", *args)
        assert mined.code == 0, mined.err
        assert "sheet.csv: 1 of 6 rows have no grade yet." in mined.json["remarks"]
        counts = mined.json["counts"]
        assert (counts["positive"], counts["negative"], counts["unjudged"]) == (2, 3, 0)
        assert sum(mined.json["by_source"].get("human", {}).values()) == human
        left_out = "1 hit or random document that people have not graded: left out."
        assert (left_out in mined.json["remarks"]) == bool(ungraded)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--sheet", "new.csv"), "give --candidates-only with it"),
        (("--candidates-only",), "a folder (--out DIR), or a sheet for people (--sheet FILE.csv)"),
        (("--candidates-only", "--sheet", "CASES"), "is an input"),
        (("--candidates-only", "--sheet", "CORPUS"), "is there already, and is no sheet"),
    ],
)
def test_a_sheet_without_effect_or_in_place_of_another_file_is_refused(
    goldproof: Callable[..., Done],
    unlabelled: tuple[object, ...],
    args: tuple[str, ...],
    said: str,
) -> None:
    places = {"CASES": unlabelled[1], "CORPUS": unlabelled[3]}
    done = goldproof(
        "mine", *unlabelled, *(places.get(arg, arg) for arg in args), "--force" if "CASES" in args else "--json"
    )
    assert done.code == 2
    assert said in done.err


def test_grades_for_other_questions_are_refused_with_an_example(
    goldproof: Callable[..., Done], unlabelled: tuple[object, ...], tmp_path: Path
) -> None:
    (tmp_path / "other.csv").write_text("query_id,doc_id,question,title,text,grade\nq1,plugins,?,,x,2\n")
    done = goldproof("mine", *unlabelled, "--judge", f"human:{tmp_path / 'other.csv'}")
    assert done.code == 2
    assert "none of its 1 graded pairs is of these questions and documents; the first is question 'q1'" in done.err


def kept(*_: object) -> bool:
    return True


class Complete:
    """A judge that is used as it is, so that nothing of it is kept."""

    key = "complete"
    scale = YES_NO
    concurrency = 1

    async def judge(self, *_: object) -> Ruling:
        return Ruling("yes")

    def estimate(self, *_: object) -> Estimate:
        return Estimate()

    def why_not_sets(self, _: object) -> None:
        return None


complete = Complete()


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ("answer", "nothing was paid for, and the same command starts again."),
        ("tests.cli.test_mine:kept", "so far are kept, and the same command goes on from there."),
        ("tests.cli.test_mine:complete", "rulings of complete are not kept, and the same command asks for all of them"),
        ("llm:google:gemini-3-pro-preview", "the answers so far are kept, and the same command goes on from there."),
    ],
)
def test_an_interruption_says_what_is_kept_of_this_judge(
    shop: dict[str, Path], monkeypatch: pytest.MonkeyPatch, judge: str, said: str
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    plan = open_plan(Recipe(cases=(shop["cases"],), corpus=str(shop["corpus"]), judge=judge))
    assert said in what_is_kept(plan)
    assert what_is_kept(None) == "nothing was judged yet, and the same command starts again."


@pytest.fixture
def notes(tmp_path: Path) -> dict[str, Path]:
    """Twelve text files, the last of them long enough to be cut in two, and a CSV of one column."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.txt").write_text(f"Item {number} is about subject {chr(97 + number) * 4}.\n")
    long = "A sentence of no importance stands here. " * 60
    (folder / "12.txt").write_text(f"{long}\n\n{long}\n")
    (tmp_path / "questions.csv").write_text("question\nWhich item is about subject cccc?\nWhat of subject dddd?\n")
    return {"corpus": folder, "cases": tmp_path / "questions.csv", "out": tmp_path / "out"}


def test_the_screen_names_the_judge_first_and_the_next_command_last(
    goldproof: Callable[..., Done], notes: dict[str, Path]
) -> None:
    done = goldproof(
        "mine", "--cases", notes["cases"], "--corpus", notes["corpus"], "--judge", "keyword", "--out", notes["out"]
    )
    assert done.code == 0
    assert done.out.startswith("By the judge `keyword`, ")
    first = done.out[done.out.index("\n- ") :]
    assert first.startswith("\n- The judge `keyword` is an automated score of shared words: its labels favour")
    said = " ".join(done.out.split())
    assert "13 files were cut into" in said
    assert "(docs#by=file keeps them whole)" in said
    assert (
        "Candidates come from bm25 and chance alone: documents that only a dense retriever finds are unjudged" in said
    )
    assert "undecided" not in done.out
    assert "targets" not in goldproof("mine", "--from", notes["out"], "--out", notes["out"], "--wide").out
    assert done.err.splitlines()[-1] == (
        f"next: goldproof eval --dataset {notes['out']}/beir --retriever bm25=bm25 --retriever dense='dense(minilm)'"
    )
    assert "--judge llm" in (notes["out"] / "report.md").read_text()


def test_candidates_of_several_retrievers_or_of_the_whole_corpus_have_no_bias_to_note(
    goldproof: Callable[..., Done], notes: dict[str, Path], tmp_path: Path
) -> None:
    common = ("mine", "--cases", notes["cases"], "--corpus", notes["corpus"], "--judge", "keyword", "--json")
    assert "Candidates come from" not in goldproof(*common, "--random", "50").err
    run = tmp_path / "dense.trec"
    question = json.loads(goldproof(*common, "--out", notes["out"]).out) and (notes["out"] / "beir/queries.jsonl")
    run.write_text(f"{json.loads(question.read_text().splitlines()[0])['_id']} Q0 02.txt 1 1.0 dense\n")
    assert "Candidates come from" not in goldproof(*common, "--extend", run).err


@pytest.mark.usefixtures("notes")
def test_from_candidates_searches_the_corpus_they_were_gathered_from(
    goldproof: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = goldproof(
        "mine",
        "--cases",
        "questions.csv",
        "--corpus",
        "docs",
        "--candidates-only",
        "--out",
        "first",
        "--hard",
        "2",
        "--random",
        "0",
    )
    assert first.err.splitlines()[-1] == "next: goldproof mine --from first --judge SPEC --out DIR"
    searched = json.loads((tmp_path / "first/card.json").read_text())["counts"]["documents"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)  # a relative spec still finds its folder
    for source, name in (("../first", "folder"), ("../first/candidates.jsonl", "file")):
        done = goldproof("mine", "--from", source, "--judge", "keyword", "--out", name)
        assert done.code == 0
        assert len((elsewhere / name / "beir/corpus.jsonl").read_text().splitlines()) == searched
        assert "corpus.jsonl holds" not in done.out
    again = goldproof("mine", "--from", "folder/candidates.jsonl", "--judge", "keyword", "--out", "again")
    assert again.code == 0
    assert len((elsewhere / "again/beir/corpus.jsonl").read_text().splitlines()) == searched


def test_candidates_whose_corpus_is_gone_or_changed_say_so_with_both_numbers(
    goldproof: Callable[..., Done], notes: dict[str, Path], tmp_path: Path
) -> None:
    first, common = tmp_path / "first", ("--cases", notes["cases"], "--corpus", notes["corpus"])
    goldproof("mine", *common, "--candidates-only", "--out", first, "--hard", "2", "--random", "0")
    searched = json.loads((first / "card.json").read_text())["counts"]["documents"]
    (notes["corpus"] / "new.txt").write_text("A file that nobody searched.\n")
    changed = goldproof("mine", "--from", first, "--judge", "keyword", "--json", "--out", notes["out"])
    held = len((notes["out"] / "beir/corpus.jsonl").read_text().splitlines())
    assert held < searched
    limit = (
        f"corpus.jsonl holds the {held} candidates, not the {searched} documents that were searched, so retrieval is "
        "easier than it was"
    )
    assert f"{limit}: docs has changed since. Give --corpus SPEC." in changed.json["remarks"]
    shown = " ".join(
        goldproof(
            "mine", "--from", first, "--judge", "answer", "--candidates-only", "--out", tmp_path / "x"
        ).out.split()
    )
    assert limit in shown
    notes["corpus"].rename(tmp_path / "away")
    gone = goldproof("mine", "--from", first, "--judge", "keyword", "--json")
    assert f"{limit}: docs cannot be opened. Give --corpus SPEC." in gone.json["remarks"]
    shutil.copy(first / "candidates.jsonl", tmp_path / "alone.jsonl")
    alone = goldproof("mine", "--from", tmp_path / "alone.jsonl", "--judge", "keyword", "--json")
    assert any("which corpus was searched is not recorded" in remark for remark in alone.json["remarks"])


def test_the_help_says_how_many_candidates_there_are_by_default(goldproof: Callable[..., Done]) -> None:
    said = " ".join(goldproof("mine", "--help").out.replace("│", " ").split())
    for words in ("one column question is enough", "Random documents per question, as candidates (default: 5)"):
        assert words in said
    assert "Top BM25 hits per question, as candidates (default: 5)" in said
    assert "Top MiniLM hits per question, as candidates (default: 0)" in said
