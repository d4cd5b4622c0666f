"""`goldproof trace` and bad input: one message, exit code 2, nothing written; bad lines are counted where asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Done


def test_bad_lines_stop_the_command_and_skip_bad_counts_them(
    goldproof: Callable[..., Done], old: Path, tmp_path: Path
) -> None:
    lines = old.read_text().splitlines()
    torn = tmp_path / "torn.jsonl"
    bad = '{"conversation_id": "x", "turns": [{"iterations": [{"searches": [{"results": [{"id": "a", "gain": 9}]}]}]}]}'
    torn.write_text("\n".join([lines[0], bad, "{oops", lines[1], lines[0]]) + "\n")
    stopped = goldproof("trace", torn, "--out", tmp_path / "out")
    assert (stopped.code, stopped.out) == (2, "")
    assert "torn.jsonl:2" in stopped.err
    assert "--skip-bad" in stopped.err
    assert not (tmp_path / "out").exists()
    done = goldproof("trace", torn, "--skip-bad", "--metrics", "CG", "--json", "--out", tmp_path / "out")
    assert done.code == 0
    assert done.json["runs"]["torn"]["conversations"] == 2
    assert "torn: 3 bad lines or conversations skipped; the first: line 2" in done.err
    assert any("bad lines or conversations skipped" in remark for remark in done.json["remarks"])
    assert "bad lines or conversations skipped" in (tmp_path / "out" / "report.md").read_text()


def test_an_explanation_passes_bad_lines_over_only_if_asked(
    goldproof: Callable[..., Done], old: Path, tmp_path: Path
) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text("{oops\n" + old.read_text())
    assert goldproof("trace", torn, "--explain", "c1").code == 2
    assert goldproof("trace", torn, "--explain", "c1", "--skip-bad").code == 0


def test_a_file_of_bad_lines_alone_is_refused(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text('{"conversation_id": "x", "turns": 5}\n')
    done = goldproof("trace", torn, "--skip-bad", "--out", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert "torn" in done.err
    assert not (tmp_path / "out").exists()


BAD: list[tuple[list[str], str]] = [
    ([], "name a file of traces"),
    (["no.jsonl"], "no such file"),
    (["old.jsonl", "--system", "b=no.jsonl"], "no such file"),
    (["empty.jsonl"], "the file is empty"),
    (["old.jsonl", "--system", "b=empty.jsonl"], "the file is empty"),
    (["junk.txt"], "not recognised as traces"),
    (["wrong.jsonl"], "neither conversations nor spans"),
    (["cut.jsonl"], "cut.jsonl:1: is not JSON"),
    (["."], "is a folder"),
    (["=old.jsonl"], "NAME=FILE"),
    (["old.jsonl", "--metrics", "nDCG@10"], "metric of rankings"),
    (["old.jsonl", "--metrics", "CGG"], "did you mean 'CG'"),
    (["old.jsonl", "--metrics", ""], "no metric is named"),
    (["old.jsonl", "--metrics", "CG@0"], "CG@0"),
    (["old.jsonl", "--threshold", "0"], "threshold 0 is not a whole number from 1 to 4"),
    (["old.jsonl", "--threshold", "5"], "threshold 5 is not a whole number from 1 to 4"),
    (["old.jsonl", "--threshold", "x"], "'--threshold'"),
    (["old.jsonl", "--dedup", "url"], "known: full, id"),
    (["old.jsonl", "--dedup", "id", "--rules", "rules.yaml"], "dedup 'id' compares ids only"),
    (["old.jsonl", "--dedup", "id", "--near-duplicates", "0.9"], "dedup 'id' compares ids only"),
    (["old.jsonl", "--rules", "rules.yaml"], "rules.yaml:1: unknown key 'foo'"),
    (["old.jsonl", "--rules", "torn.yaml"], "is not YAML"),
    (["old.jsonl", "--rules", "no.yaml"], "no such file"),
    (["old.jsonl", "--near-duplicates", "0"], "near_duplicates is 0"),
    (["old.jsonl", "--near-duplicates", "1.5"], "near_duplicates is 1.5"),
    (["old.jsonl", "--near-duplicates", "nan"], "near_duplicates is nan"),
    (["old.jsonl", "--pool", "documents.tsv"], "documents have no question"),
    (["old.jsonl", "--pool", "no.txt"], "no such file"),
    (["old.jsonl", "--qrels", "no.txt"], "no such file"),
    (["old.jsonl", "--qrels", "junk.txt"], "not recognised"),
    (["old.jsonl", "--qrels", "high.txt"], "above 4"),
    (["old.jsonl", "--clusters", "no.csv"], "no such file"),
    (["old.jsonl", "--clusters", "strangers.csv"], "none of the conversations has a cluster"),
    (["old.jsonl", "--system", "old=new.jsonl"], "'old'"),
    (["old.jsonl", "--system", "new.jsonl", "--baseline", "nw"], "did you mean 'new'"),
    (["old.jsonl", "--system", "new.jsonl", "--pairs", "old:nw"], "nw"),
    (["old.jsonl", "--primary", "AP"], "AP is a metric of rankings"),
    (["old.jsonl", "--test", "magic"], "magic"),
    (["old.jsonl", "--seed", "-1"], "seed -1"),
    (["old.jsonl", "--margin", "-1"], "margin"),
    (["old.jsonl", "--up-to", "0"], "0 is not a whole number"),
    (["old.jsonl", "--format", "pdf"], "unknown format 'pdf'"),
    (["old.jsonl", "--fail-if", "CG worse"], "nothing is compared"),
    (["old.jsonl", "--fail-if", "CG"], "is not a verdict"),
    (["old.jsonl", "--fail-if", "CGG < 1"], "unknown metric 'CGG'"),
    (["old.jsonl", "--junit", "no/junit.xml"], "there is no folder"),
    (["old.jsonl", "--junit", "old.jsonl"], "is an input"),
]


@pytest.mark.parametrize(("args", "said"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_bad_input_is_one_message_and_writes_nothing(
    goldproof: Callable[..., Done],
    old: Path,
    new: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.jsonl").write_text("")
    Path("junk.txt").write_text("hello world\n")
    Path("wrong.jsonl").write_text('{"query": "c1", "docs": []}\n')
    Path("cut.jsonl").write_text('{"conversation_id": "c1", "turns": [\n')
    Path("rules.yaml").write_text("foo: 1\n")
    Path("torn.yaml").write_text("foo: [1\n")
    Path("documents.tsv").write_text("doc_id\tgain\na\t3\n")
    Path("high.txt").write_text("c1 0 a 7\n")
    Path("strangers.csv").write_text("id,cluster\nx,y\n")
    assert (old.exists(), new.exists()) == (True, True)
    before = {path: path.read_bytes() for path in Path().iterdir()}
    done = goldproof("trace", *args, "--out", "out")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_two_systems_of_one_name_are_told_of_the_option_that_is_there(
    goldproof: Callable[..., Done], old: Path, new: Path
) -> None:
    done = goldproof("trace", old, "--system", f"old={new}")
    assert done.code == 2
    assert "--run" not in done.err
    assert "--system" in done.err


def test_out_that_is_a_file_is_refused_and_kept(goldproof: Callable[..., Done], old: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    done = goldproof("trace", old, "--out", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert "is a file, expected a folder" in done.err
    assert (tmp_path / "out").read_text() == "mine"


def test_the_console_script_scores_and_fails_without_a_traceback(old: Path, tmp_path: Path) -> None:
    script = Path(sys.executable).parent / "goldproof"
    done = subprocess.run(
        [script, "trace", old, "--metrics", "CG", "--json"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["metrics"]["CG"]["runs"]["old"]["n"] == 3
    bad = subprocess.run([script, "trace", "no.jsonl"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("goldproof: no.jsonl: no such file")
