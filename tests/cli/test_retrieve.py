"""`goldproof retrieve`, and `goldproof eval --retriever`, from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from goldproof.cli.main import main
from goldproof.io import read_ranking

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = {"d1": "red apples", "d2": "green apples and pears", "d3": "blue sky"}
QUERIES = {"q1": "apples", "q2": "sky", "q3": "nothing of the kind"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    beir = tmp_path / "beir"
    (beir / "qrels").mkdir(parents=True)
    lines = [
        json.dumps({"_id": i, "text": text, "metadata": {"n": n}}) for n, (i, text) in enumerate(DOCUMENTS.items())
    ]
    (beir / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = [json.dumps({"_id": i, "text": text}) for i, text in QUERIES.items()]
    (beir / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (beir / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\nq3\td2\t1\n", encoding="utf-8"
    )
    (tmp_path / "mine.py").write_text(
        "def search(query, k):\n"
        "    if 'sky' in query:\n        raise TimeoutError('too slow')\n"
        "    return [('d1', 1.0), ('d2', 0.5)][:k]\n"
        "def broken(query, k):\n    raise RuntimeError('down')\n",
        encoding="utf-8",
    )
    return tmp_path


@pytest.fixture
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the retriever `marking:search` leaves when it is asked."""
    mark = folder / "asked"
    (folder / "marking.py").write_text(
        f"import pathlib\ndef search(query, k):\n    pathlib.Path({str(mark)!r}).touch()\n    return ['d1']\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "marking", raising=False)  # of an earlier test, which marks another folder
    return mark


def goldproof(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as done:
        main([str(one) for one in arguments])
    assert done.value.code in ({code} if code else {0, None})


def retrieve(folder: Path, *more: object, retriever: str = "bm25", out: str = "run.trec", code: int = 0) -> None:
    beir = folder / "beir"
    goldproof(
        *("retrieve", "--corpus", f"beir:{beir}", "--queries", beir / "queries.jsonl"),
        *("--retriever", retriever, "--out", folder / out, *more),
        code=code,
    )


def test_a_run_is_written_with_its_card_and_its_clock(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    retrieve(folder, "-k", 10, retriever="mine=bm25")
    assert read_ranking(folder / "run.trec").to_dict().keys() == {"q1", "q2"}
    lines = (folder / "run.trec").read_text(encoding="utf-8").splitlines()
    assert lines[0].split()[:4] == ["q1", "Q0", "d1", "1"]
    assert lines[0].split()[-1] == "mine"
    card = json.loads((folder / "run.trec.card.json").read_text(encoding="utf-8"))
    assert card["counts"] == {"answered": 3, "empty": 1, "failed": 0, "questions": 3, "results": 3}
    assert card["inputs"].keys() == {"corpus", "queries"}
    assert card["settings"]["pipeline"] == "bm25"
    clock = json.loads((folder / "run.trec.run.json").read_text(encoding="utf-8"))
    assert clock["latency"]["searches"] == 3
    assert "p95 ms" in capsys.readouterr().out


def test_the_same_command_again_writes_the_same_bytes(folder: Path) -> None:
    retrieve(folder)
    before = [(folder / name).read_bytes() for name in ("run.trec", "run.trec.card.json")]
    retrieve(folder)
    assert [(folder / name).read_bytes() for name in ("run.trec", "run.trec.card.json")] == before


def test_a_run_of_something_else_is_not_replaced_unless_forced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    retrieve(folder)
    before = (folder / "run.trec").read_bytes()
    retrieve(folder, retriever="bm25(k1=2)", code=2)
    assert "is another run (settings" in capsys.readouterr().err
    assert (folder / "run.trec").read_bytes() == before
    retrieve(folder, "--force", retriever="bm25(k1=2)")
    assert (folder / "run.trec").read_bytes() != before


def test_a_file_without_a_card_is_not_replaced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "run.trec").write_text("precious", encoding="utf-8")
    retrieve(folder, code=2)
    assert "run.trec.card.json" in capsys.readouterr().err
    assert (folder / "run.trec").read_text(encoding="utf-8") == "precious"


def test_failed_questions_stand_beside_a_trec_run_and_inside_json_lines(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(folder)
    retrieve(folder, retriever="mine:search", out="run.trec")
    printed = capsys.readouterr()
    assert "run.trec.failed.jsonl holds the 1 failed question" in printed.err
    assert printed.out.splitlines()[0].endswith("answered 2 of 3 questions with 4 results; 1 failed.")
    assert read_ranking(folder / "run.trec.failed.jsonl").failed == {"q2": "TimeoutError: too slow"}
    retrieve(folder, retriever="mine:search", out="run.jsonl")
    written = read_ranking(folder / "run.jsonl")
    assert written.failed == {"q2": "TimeoutError: too slow"}
    assert written.to_dict()["q1"] == {"d1": 1.0, "d2": 0.5}


def test_where_every_question_fails_nothing_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(folder)
    retrieve(folder, retriever="mine:broken", code=2)
    assert "all 3 questions failed; the first, 'q1': RuntimeError: down" in capsys.readouterr().err
    assert not list(folder.glob("run.trec*"))


def test_json_is_one_document_on_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    retrieve(folder, "--json")
    said = json.loads(capsys.readouterr().out)
    assert (said["questions"], said["failed"], said["empty"]) == (3, 0, 1)
    assert said["conclusion"] == "bm25 answered 3 of 3 questions with 3 results; 1 got no result."
    assert said["corpus"]["documents"] == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"retriever": "bm52"}, "did you mean 'bm25'"),
        ({"retriever": "bm25 | top(0)"}, "top"),
        ({"retriever": "bm25 |"}, "bm25 |"),
        ({"out": "nowhere/run.trec"}, "a folder that exists"),
        ({"out": "run.parquet"}, "JSON lines (.jsonl)"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path, change: dict[str, str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    retrieve(folder, code=2, **change)
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


def test_ids_that_trec_cannot_hold_are_refused_before_the_retriever_is_asked(
    folder: Path, asked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "beir" / "corpus.jsonl").write_text('{"_id": "a b", "text": "sky"}\n', encoding="utf-8")
    retrieve(folder, retriever="marking:search", code=2)
    assert "'a b' cannot be written to a TREC file" in capsys.readouterr().err
    assert not asked.exists()
    retrieve(folder, retriever="marking:search", out="run.jsonl")
    assert asked.exists()


def test_filters_narrow_what_is_searched(folder: Path) -> None:
    retrieve(folder, "--filter", "n=1..2")
    assert read_ranking(folder / "run.trec").to_dict()["q1"].keys() == {"d2"}


def test_eval_runs_and_scores_in_one_go(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    goldproof(
        *("eval", "--dataset", folder / "beir", "--retriever", "bm25=bm25", "--retriever", "deep=bm25 | top(1)"),
        *("--metrics", "RR", "--out", folder / "results", "--json"),
    )
    said = json.loads(capsys.readouterr().out)
    # q1: d1 first (shorter), q2: d3 first, q3: nothing found: (1 + 1 + 0) / 3
    assert said["runs"].keys() == {"bm25", "deep"}
    assert said["metrics"]["RR"]["runs"]["bm25"]["mean"] == pytest.approx(2 / 3)
    files = {path.name for path in (folder / "results").iterdir()}
    assert {"run.bm25.jsonl", "run.deep.jsonl", "run.json", "card.json", "summary.json"} <= files
    clock = json.loads((folder / "results" / "run.json").read_text(encoding="utf-8"))
    assert clock["latency"]["bm25"]["searches"] == 3


def test_eval_counts_a_crash_as_failed_not_as_0(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(folder)
    goldproof("eval", "--dataset", folder / "beir", "--retriever", "mine=mine:search", "--metrics", "RR", "--json")
    found = json.loads(capsys.readouterr().out)["metrics"]["RR"]["runs"]["mine"]
    # q1: 1/1, q2 failed, q3: d2 at rank 2: (1 + 1/2) / 2
    assert (found["mean"], found["n"], found["n_failed"]) == (0.75, 2, 1)
    assert found["reasons"] == {"TimeoutError: too slow": 1}


def test_a_killed_run_goes_on_where_it_was(folder: Path) -> None:
    (folder / "slow.py").write_text(
        "import os, pathlib, time\n"
        "log = pathlib.Path(__file__).with_name('asked.txt')\n"
        "def search(query, k):\n"
        "    if query == 'sky' and not log.with_name('again').exists():\n        time.sleep(0.5)\n        os._exit(9)\n"
        "    with log.open('a') as f:\n        f.write(query + '\\n')\n"
        "    return ['d1']\n",
        encoding="utf-8",
    )
    beir = folder / "beir"
    command = [
        *(
            sys.executable,
            "-m",
            "goldproof",
            "retrieve",
            "--corpus",
            f"beir:{beir}",
            "--queries",
            str(beir / "queries.jsonl"),
        ),
        *("--retriever", "slow:search", "--out", str(folder / "run.jsonl")),
    ]
    killed = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert killed.returncode == 9
    assert not (folder / "run.jsonl").exists()
    (folder / "again").touch()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 answer reused from an interrupted run" in done.stderr
    assert (folder / "asked.txt").read_text(encoding="utf-8").splitlines() == [
        "apples",
        "sky",
        "nothing of the kind",
    ]
    assert set(read_ranking(folder / "run.jsonl").to_dict()) == {"q1", "q2", "q3"}


def test_gold_as_spans_is_found_however_the_folder_is_cut(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = folder / "docs"
    docs.mkdir()
    quote = "The sky is blue on clear days, and on all of the others the sky is grey."
    text = f"# Fruit\n\nApples are red.\n\n# Sky\n\n{quote}\n"
    (docs / "a.md").write_text(text, encoding="utf-8")
    span = {"query_id": "q2", "source": "a.md", "start": text.index(quote), "end": text.index(quote) + len(quote)}
    (folder / "gold.jsonl").write_text(json.dumps({**span, "quote": quote}) + "\n", encoding="utf-8")
    for cutting in ("", "#by=file", "#size=50"):
        goldproof(
            *("eval", "--spans", folder / "gold.jsonl", "--questions", folder / "beir" / "queries.jsonl"),
            *("--corpus", f"folder:{docs}{cutting}", "--retriever", "bm25=bm25", "--metrics", "SetRecall@5", "--json"),
        )
        found = json.loads(capsys.readouterr().out)["metrics"]["SetRecall@5"]["runs"]["bm25"]
        assert (found["mean"], found["n"]) == (1.0, 1)


def test_spans_need_a_corpus(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "gold.jsonl").write_text('{"query_id": "q2", "source": "a", "start": 0, "end": 3}\n', encoding="utf-8")
    goldproof("eval", "--spans", folder / "gold.jsonl", "--retriever", "bm25", code=2)
    assert "give --corpus and --retriever" in capsys.readouterr().err


def test_what_a_retriever_prints_does_not_reach_stdout(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "noisy.py").write_text("def search(query, k):\n    print('noise')\n    return ['d1']\n", encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    retrieve(folder, "--json", retriever="noisy:search")
    said = capsys.readouterr()
    assert json.loads(said.out)["answered"] == 3
    assert "noise" in said.err


def test_an_interrupted_run_says_that_nothing_is_lost_even_where_the_retriever_hangs(folder: Path) -> None:
    (folder / "hanging.py").write_text(
        "import pathlib, time\n"
        "def search(query, k):\n"
        "    if query == 'sky':\n"
        "        pathlib.Path(__file__).with_name('hangs').touch()\n"
        "        time.sleep(600)\n"
        "    return ['d1']\n",
        encoding="utf-8",
    )
    beir = folder / "beir"
    arguments = ["retrieve", "--corpus", f"beir:{beir}", "--queries", str(beir / "queries.jsonl")]
    arguments += ["--retriever", "hanging:search", "--out", str(folder / "r.jsonl")]
    # A shell lets what runs in its background ignore interrupts, which its children inherit.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heard}; from goldproof.cli.main import main; main({arguments!r})"
    running = subprocess.Popen([sys.executable, "-c", code], cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not (folder / "hangs").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 130
    assert said == "interrupted; the answers so far are kept, and the same command goes on from there.\n"


@pytest.mark.parametrize("wrong", [("--metrics", "nDCGG@10"), ("--fail-if", "RR bad"), ("--cluster", "nofield")])
def test_a_typo_is_found_before_a_retriever_is_asked(folder: Path, asked: Path, wrong: tuple[str, str]) -> None:
    options = {"--metrics": "RR", **dict([wrong])}
    command = ("eval", "--dataset", folder / "beir", "--retriever", "a=marking:search")
    goldproof(*command, *(part for pair in options.items() for part in pair), code=2)
    assert not asked.exists()
    goldproof(*command, "--metrics", "RR")
    assert asked.exists()


def test_a_file_of_failures_that_is_not_ours_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "run.trec.failed.jsonl").write_text("precious", encoding="utf-8")
    retrieve(folder, code=2)
    assert "run.trec.failed.jsonl: exists" in capsys.readouterr().err
    assert (folder / "run.trec.failed.jsonl").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("retriever", ["bm25", "hybrid(mine:search, bm25)", "recency"])
def test_searching_nothing_is_refused_and_not_scored_as_0(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], retriever: str
) -> None:
    monkeypatch.syspath_prepend(folder)
    queries, qrels = folder / "beir" / "queries.jsonl", folder / "beir" / "qrels" / "test.tsv"
    goldproof("retrieve", "--queries", queries, "--retriever", retriever, "--out", folder / "run.trec", code=2)
    assert "there is nothing to search; give a corpus" in capsys.readouterr().err
    goldproof("eval", "--qrels", qrels, "--questions", queries, "--retriever", retriever, code=2)
    assert "there is nothing to search; give a corpus" in capsys.readouterr().err


def test_a_retriever_with_documents_of_its_own_needs_no_corpus(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    queries = folder / "beir" / "queries.jsonl"
    goldproof("retrieve", "--queries", queries, "--retriever", "mine:search", "--out", folder / "run.jsonl")
    assert read_ranking(folder / "run.jsonl").to_dict()["q1"] == {"d1": 1.0, "d2": 0.5}


def test_two_run_files_are_fused_into_one_without_questions(tmp_path: Path) -> None:
    (tmp_path / "a.trec").write_text("q1 Q0 d1 1 9 a\nq1 Q0 d2 2 5 a\nq2 Q0 d1 1 3 a\n", encoding="utf-8")
    (tmp_path / "b.trec").write_text("q1 Q0 d2 1 0.9 b\nq3 Q0 d4 1 0.7 b\n", encoding="utf-8")
    spec = f'hybrid(run("{tmp_path / "a.trec"}"), run("{tmp_path / "b.trec"}"), method=isr)'
    goldproof("retrieve", "--retriever", spec, "--out", tmp_path / "fused.trec")
    # q1: d1 1; d2 (1/4 + 1) * 2. q2 and q3 are in one file each
    assert read_ranking(tmp_path / "fused.trec").to_dict() == {
        "q1": {"d2": 2.5, "d1": 1.0},
        "q2": {"d1": 1.0},
        "q3": {"d4": 1.0},
    }


def test_a_retriever_that_searches_asks_for_the_questions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    goldproof("retrieve", "--retriever", "bm25", "--corpus", folder / "beir", "--out", folder / "run.trec", code=2)
    assert "bm25 searches for the texts of questions; give them: --queries FILE." in capsys.readouterr().err
