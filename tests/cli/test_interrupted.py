"""Ctrl-C: every long command ends with 130 and one line that says what is kept and how to go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import pytest
import typer

from goldproof.cli.command import KEPT, NOTHING_KEPT, interruptible, resumable
from goldproof.cli.limits import keeps_answers
from tests.jobs.trace.conversations import talk, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

if sys.platform == "win32":
    pytest.skip("Windows has no SIGINT for one process", allow_module_level=True)

PATIENCE = 90.0
# A slow disk: whichever file the test names is never read to its end. Every command reads through one of these.
SLOW = """
import builtins, io, pathlib, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background jobs ignore it

def _wait(path):
    if str(path).endswith({slow!r}):
        pathlib.Path({mark!r}).touch()
        time.sleep(600)

def _slow(module, name):
    real = getattr(module, name)
    def wrapped(path, *arguments, **named):
        _wait(path)
        return real(path, *arguments, **named)
    setattr(module, name, wrapped)

_slow(builtins, "open"); _slow(io, "open"); _slow(pathlib.Path, "open")
_slow(pathlib.Path, "read_bytes"); _slow(pathlib.Path, "read_text")

import os
_replace = os.replace
def _slow_replace(source, target, **named):
    _wait(target)
    return _replace(source, target, **named)
os.replace = _slow_replace
from goldproof.cli.main import main
main({arguments!r})
"""


class Ended(NamedTuple):
    """A command that was interrupted."""

    code: int
    out: str
    err: str


def interrupted(folder: Path, arguments: Sequence[object], *, slow: str = "", mark: str = "reached") -> Ended:
    """Run a command until it reads the slow file, or user code leaves the mark; press Ctrl-C."""
    code = SLOW.format(slow=slow or "/no such file", mark=str(folder / mark), arguments=[str(a) for a in arguments])
    environment = {**os.environ, "GOLDPROOF_HOME": str(folder / "home"), "PYTHONPATH": str(folder)}
    running = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,  # Ctrl-C reaches every process of the terminal's foreground group
    )
    try:
        until = time.monotonic() + PATIENCE
        while not (folder / mark).exists() and running.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.2)
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    (folder / mark).unlink(missing_ok=True)
    return Ended(running.returncode, out, err)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "run.trec").write_text("q1 Q0 d1 1 2.0 t\nq2 Q0 d1 1 2.0 t\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("id,metric,value\nq1,m,1\nq2,m,0\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("The sky is blue.\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "sky"}\n{"_id": "q2", "text": "sea"}\n')
    (tmp_path / "labels.csv").write_text("query_id,doc_id,grade\nq1,a.md,1\nq2,a.md,0\n")
    (tmp_path / "user.py").write_text(
        "import pathlib, time\n"
        "def search(query, k):\n"
        "    with open('asked', 'a') as file:\n"
        "        file.write(query + '\\n')\n"
        "    if query == 'sea':\n"
        "        hang()\n"
        "    return ['d1']\n"
        "def judge(question, documents):\n"
        "    hang()\n"
        "def model(prompt):\n"
        "    hang()\n"
        "def hang():\n"
        "    pathlib.Path(__file__).with_name('reached').touch()\n"
        "    time.sleep(600)\n"
    )
    write(tmp_path / "traces.jsonl", [talk("c1", [("a", 3), ("b", None)], question="Why?")])
    return tmp_path


PLAIN = {
    "eval": (["eval", "--qrels", "qrels.txt", "--run", "r=run.trec", "--out", "out"], "run.trec"),
    "compare": (["compare", "a.csv", "b.csv", "--out", "out"], "b.csv"),
    "trace": (["trace", "traces.jsonl", "--out", "out"], "traces.jsonl"),
    "calibrate": (["judge", "calibrate", "--human", "labels.csv", "--judgments", "labels.csv"], "labels.csv"),
    "build": (["build", "quickstart", "--out", "out"], "tickets.jsonl"),
    "combine": (["combine", "a.csv", "b.csv", "--output", "out.jsonl"], "a.csv"),
    "explain": (["explain", "--qrels", "qrels.txt", "--run", "r=run.trec", "--query", "q1"], "run.trec"),
    "verify": (["verify", "example", "--out", "out"], "example/questions.yaml"),
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_job_that_asks_nobody_says_that_nothing_was_written_and_leaves_nothing(name: str, folder: Path) -> None:
    arguments, slow = PLAIN[name]
    before = set(folder.rglob("*"))
    ended = interrupted(folder, arguments, slow=slow)
    assert (ended.code, ended.out, ended.err) == (130, "", f"interrupted; {NOTHING_KEPT}\n")
    left = {path for path in folder.rglob("*") if folder / "home" not in (path, *path.parents)}
    assert left - before == set()


def test_validate_says_how_many_files_are_checked(folder: Path) -> None:
    ended = interrupted(folder, ["validate", "qrels.txt", "run.trec", "a.csv"], slow="run.trec")
    assert ended.code == 130
    assert ended.out.startswith("qrels.txt: judgments")
    assert ended.err == "interrupted; 1 of 3 files are checked; run.trec is not.\n"


RETRIEVE = ["retrieve", "--queries", "queries.jsonl", "--retriever", "user:search", "--out", "run.jsonl"]
EVAL = ["eval", "--qrels", "qrels.txt", "--questions", "queries.jsonl", "--retriever", "u=user:search"]


@pytest.mark.parametrize("arguments", [RETRIEVE, EVAL], ids=["retrieve", "eval"])
def test_answers_of_a_retriever_are_kept_and_the_same_command_goes_on(arguments: list[str], folder: Path) -> None:
    ended = interrupted(folder, arguments)
    assert (ended.code, ended.err) == (130, f"interrupted; {KEPT}\n")
    assert interrupted(folder, arguments).code == 130
    assert sorted((folder / "asked").read_text().split()) == ["sea", "sea", "sky"]  # the answer for sky was kept
    assert not (folder / "run.jsonl").exists()


CALIBRATE = ["judge", "calibrate", "--human", "labels.csv", "--corpus", "folder:docs", "--questions", "queries.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ([*CALIBRATE, "--judge", "user:judge"], NOTHING_KEPT),
        ([*CALIBRATE, "--judge", "llm:user:model"], KEPT),
    ],
    ids=["function", "model"],
)
def test_rulings_of_a_model_are_kept_and_those_of_a_function_are_not(
    arguments: list[str], kept: str, folder: Path
) -> None:
    ended = interrupted(folder, arguments)
    assert (ended.code, ended.out, ended.err) == (130, "", f"interrupted; {kept}\n")


def test_only_what_a_model_said_is_kept() -> None:
    judges = (None, "gold", "similarity", "package.module:judge", "llm:openai:gpt-5")
    assert [keeps_answers(judge) for judge in judges] == [False, False, False, False, True]


def test_a_folder_that_is_being_written_is_said_to_be_incomplete_and_the_same_command_mends_it(folder: Path) -> None:
    arguments = ["eval", "--qrels", "qrels.txt", "--run", "r=run.trec", "--out", "out"]
    ended = interrupted(folder, arguments, slow="out/report.md")
    assert (ended.code, ended.err) == (130, "interrupted; out is not complete; the same command writes it again.\n")
    assert '"unfinished": true' in (folder / "out" / "card.json").read_text()
    done = subprocess.run([sys.executable, "-m", "goldproof", *arguments], cwd=folder, capture_output=True, check=True)
    assert b"written to out" in done.stderr
    assert '"unfinished"' not in (folder / "out" / "card.json").read_text()
    assert not [path for path in (folder / "out").iterdir() if path.name.endswith(".tmp")]


def test_the_inner_sentence_wins_and_may_be_made_at_the_last_moment(capsys: pytest.CaptureFixture[str]) -> None:
    done: list[int] = []

    def work() -> None:
        with interruptible(), resumable(lambda: f"{len(done)} of 3 are done."):
            done.append(1)
            raise KeyboardInterrupt

    with pytest.raises(typer.Exit) as left:
        work()
    assert left.value.exit_code == 130
    assert capsys.readouterr().err == "interrupted; 1 of 3 are done.\n"
