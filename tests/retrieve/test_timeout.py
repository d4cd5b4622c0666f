"""A retriever that never returns fails its questions by a timeout; the run goes on, ends, and the process exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import InputError
from goldproof.records.entities import Document, Question
from goldproof.retrieve import Search, open_retriever, own, run_questions
from goldproof.user_code.calls import LEFT_BEHIND

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCUMENTS = (Document("d1", "red apples"), Document("d2", "blue sky"))
SOON = 0.5
LATE = f"took longer than {SOON:g} s"
MODULE = """
import time
def hangs(query, k):
    while True:
        time.sleep(1)
def hangs_for_sky(query, k):
    if "sky" in query:
        hangs(query, k)
    return ["d1"]
def slow_once(query, k):
    if query == "first":
        time.sleep(1.5)
    return ["d1"]
def holds_the_interpreter(query, k):
    if query == "first":
        sum(range(100_000_000))  # one call of C code, during which no other thread runs
    return ["d1"]
class Memory:
    def clear(self): self.said = []
    def add(self, role, content, metadata): self.said.append(content)
    def search(self, query, k): hangs(query, k)
"""


def questions(*texts: str) -> tuple[Question, ...]:
    return tuple(Question(f"q{i}", text) for i, text in enumerate(texts, start=1))


class Hangs:
    """Never answers about the sky; counts the threads that asked it."""

    def __init__(self) -> None:
        self.threads: set[int] = set()
        self.asked: list[str] = []

    def search(self, query: str, k: int) -> list[str]:
        del k
        self.threads.add(threading.get_ident())
        self.asked.append(query)
        if "sky" in query:
            threading.Event().wait(3600)
        return ["d1"]


def test_a_question_that_takes_longer_fails_and_the_next_is_asked() -> None:
    pipeline = open_retriever(Hangs())
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, questions("apples", "sky", "more apples"), search=Search(k=1, timeout=SOON))
    assert done.ranking.failed == {"q2": LATE}
    assert list(done.ranking.to_dict()) == ["q1", "q3"]


def test_the_retrievers_own_timeout_counts_before_that_of_the_search() -> None:
    pipeline = own(Hangs(), timeout=SOON)
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, questions("sky"), search=Search(k=1, timeout=600))
    assert done.ranking.failed == {"q1": LATE}
    with pytest.raises(InputError, match=r"timeout is 0\.0; expected seconds above 0"):
        own(Hangs(), timeout=0)
    with pytest.raises(InputError, match="timeout is -1; expected seconds above 0"):
        Search(timeout=-1)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_number_of_threads_that_hang_is_bounded(concurrency: int) -> None:
    target = Hangs()
    pipeline = own(target, concurrency=concurrency)
    pipeline.index(DOCUMENTS)
    most = LEFT_BEHIND * concurrency
    asked = questions(*[f"sky {i}" for i in range(most + 20)])
    failed = run_questions(pipeline, asked, search=Search(k=1, timeout=SOON)).ranking.failed
    assert len(failed) == len(asked)
    late = [reason for reason in failed.values() if reason == LATE]
    refused = [reason for reason in failed.values() if reason.startswith("not asked: ")]
    assert len(late) + len(refused) == len(asked)
    # Those that were under way together when the last place was taken hang too.
    assert most <= len(late) <= most + concurrency - 1
    assert len(target.threads) <= len(late)


def test_a_retriever_that_was_slow_once_is_asked_on() -> None:
    def slow(query: str, k: int) -> list[str]:
        del k
        time.sleep(1 if query == "first" else 0)
        return ["d1"]

    pipeline = open_retriever(slow)
    pipeline.index(DOCUMENTS)
    asked = questions("first", *[f"later {i}" for i in range(10)])
    assert run_questions(pipeline, asked, search=Search(k=1, timeout=0.5)).ranking.failed == {
        "q1": "took longer than 0.5 s"
    }


def test_with_a_timeout_questions_are_asked_one_at_a_time_since_each_has_its_own() -> None:
    class Many(Hangs):
        def search_many(self, queries: list[str], k: int) -> list[list[str]]:
            raise AssertionError(queries, k)

    pipeline = open_retriever(Many())
    pipeline.index(DOCUMENTS)
    table = pipeline.search_many({"1": "apples", "2": "pears"})
    assert not table.failed  # search_many failed, and each was asked alone
    assert "search_many failed" in str(pipeline.stage.remarks)  # type: ignore[attr-defined]
    timed = own(Many(), timeout=SOON)
    timed.index(DOCUMENTS)
    assert timed.search_many({"1": "apples", "2": "sky"}).failed == {"2": LATE}
    assert timed.stage.remarks == ()  # type: ignore[attr-defined]


def test_evaluate_takes_a_timeout() -> None:
    result = goldproof.evaluate(
        {"q1": {"d1": 1}, "q2": {"d2": 1}},
        retrievers={"mine": Hangs()},
        corpus=DOCUMENTS,
        questions={"q1": "apples", "q2": "sky"},
        metrics="R@1",
        timeout=SOON,
    )
    assert LATE in str(result.to_dict())


@pytest.fixture
def silent() -> Iterator[str]:
    """A search service that takes every question and never answers."""
    released = threading.Event()

    class Silent(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            released.wait(60)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/search"
    released.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("written", "seconds"), [("", "0.1"), ("timeout=0.2", "0.2")])
def test_a_service_takes_the_timeout_of_the_search_unless_its_spec_has_one(
    silent: str, written: str, seconds: str
) -> None:
    pipeline = open_retriever(f"{silent}({', '.join(filter(None, (written, 'retries=0')))})")
    pipeline.index(DOCUMENTS)
    done = run_questions(pipeline, questions("sky"), search=Search(k=1, timeout=0.1))
    assert f"did not answer within {seconds} s" in done.ranking.failed["q1"]


def goldproof_command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder with the module of the user's; one that does not end by itself fails the test."""
    (folder / "hanging_code.py").write_text(MODULE)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "red apples"}\n{"_id": "d2", "text": "blue sky"}\n')
    return subprocess.run(
        [sys.executable, "-m", "goldproof", *arguments],
        cwd=folder,
        env={**os.environ, "GOLDPROOF_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def retrieved(folder: Path, retriever: str, *texts: str, timeout: str) -> dict[str, str]:
    """Return the failed questions of `goldproof retrieve`, and check that the others were answered."""
    lines = [json.dumps({"_id": question.id, "text": question.text}) for question in questions(*texts)]
    (folder / "queries.jsonl").write_text("\n".join(lines))
    given = ("--corpus", "jsonl:corpus.jsonl", "--queries", "queries.jsonl", "--out", "run.jsonl")
    done = goldproof_command(folder, "retrieve", *given, "--retriever", retriever, "--timeout", timeout)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    card = json.loads((folder / "run.jsonl.card.json").read_text())
    assert card["settings"]["timeout"] == float(timeout)
    assert len(rows) == len(texts)
    return {row["query_id"]: row["error"] for row in rows if "error" in row}


def test_retrieve_ends_although_a_question_never_returns(tmp_path: Path) -> None:
    failed = retrieved(tmp_path, "hanging_code:hangs_for_sky", "apples", "sky", "pears", timeout="0.5")
    assert failed == {"q2": "took longer than 0.5 s"}


@pytest.mark.parametrize("name", ["slow_once", "holds_the_interpreter"])
def test_retrieve_goes_on_after_a_slow_question(tmp_path: Path, name: str) -> None:
    assert list(retrieved(tmp_path, f"hanging_code:{name}", "first", "second", "third", timeout="0.4")) == ["q1"]


def test_eval_ends_although_every_question_hangs_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(f"q{i}\td1\t1\n" for i in range(9)))
    (tmp_path / "queries.jsonl").write_text("\n".join(json.dumps({"_id": f"q{i}", "text": "sky"}) for i in range(9)))
    given = ("--qrels", "qrels.tsv", "--questions", "queries.jsonl", "--corpus", "jsonl:corpus.jsonl")
    both = ("--retriever", "mine=hanging_code:hangs", "--retriever", "words=bm25")
    done = goldproof_command(tmp_path, "eval", *given, *both, "--timeout", "0.3", "--json")
    assert done.returncode == 0, done.stderr
    assert "9 questions failed; the first, 'q0': took longer than 0.3 s" in done.stdout
    wrong = goldproof_command(tmp_path, "eval", "--qrels", "qrels.tsv", "--run", "a=b", "--timeout", "3")
    assert wrong.returncode == 2
    assert "--timeout has no effect without --retriever" in " ".join(wrong.stderr.split())


def test_memory_run_ends_although_a_memory_never_answers(tmp_path: Path) -> None:
    given = ("--memory", "mine=hanging_code:Memory", "--no-self-check", "--timeout", "0.2", "--out", "result")
    done = goldproof_command(tmp_path, "memory", "run", *given)
    assert done.returncode in (0, 3), done.stderr
    files = (path for path in (tmp_path / "result").rglob("*") if path.suffix in (".json", ".jsonl", ".md", ".csv"))
    assert any("took longer than 0.2 s" in path.read_text() for path in files)
