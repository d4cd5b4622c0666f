"""`goldproof ask`: output, files, exit codes, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from goldproof.testing import Author, ModelServer
from tests.jobs.ask.test_job import fleet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Done


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for document in fleet():
        path = tmp_path / "corpus" / str(document.metadata["source"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text)
    return tmp_path / "corpus"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(Author()) as running:
        yield running


def test_questions_are_drafted_written_and_mined(
    goldproof: Callable[..., Done], corpus: Path, server: ModelServer, tmp_path: Path
) -> None:
    model, out = f"{server.url}#model=m", tmp_path / "asked"
    done = goldproof("ask", corpus, "--model", model, "-n", "8", "--out", out)
    assert done.code == 0, done.err
    assert done.out.startswith("Drafted 8 questions from ")
    assert "(2 need two documents)" in done.out  # 0.3 * 8 = 2.4
    assert "strata by folder and length" in done.said
    mined = goldproof(
        *("mine", "--cases", out / "questions.jsonl", "--corpus", corpus, "--judge", f"llm:{model}", "--kernels"),
        *("--out", tmp_path / "mined"),
    )
    assert mined.code == 0, mined.err
    asked = [json.loads(line) for line in (out / "questions.jsonl").read_text().splitlines()]
    kernels = [json.loads(line) for line in (tmp_path / "mined" / "beir" / "kernels.jsonl").read_text().splitlines()]
    assert {each["query_id"]: each["kernels"] for each in kernels} == {
        each["id"]: [sorted(each["gold_documents"])] for each in asked
    }


def test_json_is_one_document_with_the_conclusion_first(
    goldproof: Callable[..., Done], corpus: Path, server: ModelServer
) -> None:
    done = goldproof("ask", corpus, "--model", f"{server.url}#model=m", "-n", "3", "--json")
    assert next(iter(done.json)) == "conclusion"
    assert len(done.json["questions"]) == done.json["wanted"] == 3
    assert "nothing is written" in done.err


def test_a_dry_run_says_what_it_would_cost_and_asks_nothing(
    goldproof: Callable[..., Done], corpus: Path, server: ModelServer, tmp_path: Path
) -> None:
    args = ("ask", corpus, "--model", f"{server.url}#model=m", "-n", "4", "--dry-run", "--out", tmp_path / "out")
    done = goldproof(*args, "--price", "1,2")
    assert "4 questions, 1 of them from two documents, would be drafted from 16 documents" in done.out
    assert "14 calls to models" in done.out  # 3 singles of 3 calls, a pair of 5
    assert goldproof(*args, "--json").json["estimate"]["calls"] == 14
    assert (server.calls, (tmp_path / "out").exists()) == (0, False)


def test_without_a_model_one_line_says_how_to_name_one(goldproof: Callable[..., Done], corpus: Path) -> None:
    done = goldproof("ask", corpus)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "--model PROVIDER:MODEL" in done.err


def test_a_budget_that_ends_exits_with_2_and_the_same_command_goes_on(
    goldproof: Callable[..., Done], corpus: Path, server: ModelServer, tmp_path: Path
) -> None:
    args = ("ask", corpus, "--model", f"{server.url}#model=m", "-n", "4", "--price", "1,2", "--out", tmp_path / "out")
    done = goldproof(*args, "--max-cost", "0.001")
    assert (done.code, server.calls) == (2, 0)
    assert "stopped early" in done.err
    assert "Raise --max-cost" in done.err
    assert not (tmp_path / "out").exists()  # there is not one question yet
    assert goldproof(*args).code == 0
    assert len((tmp_path / "out" / "questions.jsonl").read_text().splitlines()) == 4


def test_a_folder_of_something_else_is_refused_before_anything_is_asked(
    goldproof: Callable[..., Done], corpus: Path, server: ModelServer, tmp_path: Path
) -> None:
    args = ("ask", corpus, "--model", f"{server.url}#model=m", "--out", tmp_path / "out")
    assert goldproof(*args, "-n", "2").code == 0
    before = server.calls
    done = goldproof(*args, "-n", "3")
    assert (done.code, server.calls) == (2, before)
    assert "settings.n: 2 there, 3 now" in done.err
    assert goldproof(*args, "-n", "3", "--force").code == 0


def test_no_question_at_all_exits_with_3_and_says_why(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The anchor of the boat weighs forty kilograms.")
    with ModelServer({"quote": "invented", "question": "How heavy is it?", "answer": "40"}) as server:
        done = goldproof("ask", tmp_path / "a.txt", "--model", f"{server.url}#model=m", "-n", "2", "--json")
    assert done.code == 3
    # The passage is visited 5 times, each time with the questions before it; 2 questions allow 6 drafts.
    assert done.json["dropped"] == {"whose quote is not in the document": 5}
    assert "no draft passed the checks" in done.err


def test_a_model_that_is_down_is_said_in_one_message(goldproof: Callable[..., Done], corpus: Path) -> None:
    done = goldproof("ask", corpus, "--model", "tests.no_such_module:model")
    assert done.code == 2
    assert "Traceback" not in done.err


def test_files_of_any_encoding_are_read_or_passed_over_with_a_note(
    goldproof: Callable[..., Done], server: ModelServer, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "latin.txt").write_bytes("Le caf\u00e9 de la gare ouvre demain matin.".encode("latin-1"))
    (folder / "noise.txt").write_bytes(bytes(range(256)) * 20)
    done = goldproof("ask", folder, "--model", f"{server.url}#model=m", "-n", "1", "--json")
    assert "caf\u00e9" in json.dumps(done.json["questions"], ensure_ascii=False)
    assert "noise.txt" in done.err
