"""`goldproof build`: parsed, called, printed; bad input is one sentence and exit code 2, with nothing written."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from tests.jobs.build import generated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done

    Goldproof = Callable[..., Done]


@pytest.fixture
def hotpot(tmp_path: Path) -> Path:
    return generated.write_json(tmp_path / "hotpot.json", generated.hotpotqa(60))


def test_a_quick_start_without_a_recipe(goldproof: Goldproof, tmp_path: Path, hotpot: Path) -> None:
    t2 = generated.write_jsonl(tmp_path / "t2.jsonl", generated.t2_ragbench(60))
    done = goldproof(
        *("build", "--source", f"hotpotqa={hotpot}", "--source", f"t2-ragbench={t2}"),
        *("--quota", "clean_text=12", "--quota", "table=8", "--unanswerable", "10%", "--seed", "42"),
        *("--name", "mine", "--out", tmp_path / "out"),
    )
    assert done.code == 0, done.err
    assert done.err.startswith(f"written to {tmp_path / 'out'}\n")
    lines = (tmp_path / "out" / "mine.jsonl").read_text(encoding="utf-8").splitlines()
    samples = [json.loads(line) for line in lines]
    assert len(samples) == 20
    assert sum(not sample["answerable"] for sample in samples) == 2
    with (tmp_path / "out" / "mine_manifest.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == [
        *("id", "doc_type", "question_type", "difficulty", "answerable", "source_dataset", "original_id")
    ]
    assert [row["id"] for row in rows] == [sample["id"] for sample in samples]
    assert any(line.split() == ["all", "20", "20", "0"] for line in done.out.splitlines())
    assert goldproof("build", "--check", tmp_path / "out").code == 0


def test_two_phases_make_a_benchmark_of_800(
    goldproof: Goldproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    generated.write_json(tmp_path / "hotpot.json", generated.hotpotqa(640))
    generated.write_jsonl(tmp_path / "logqa.jsonl", generated.logqa(220))
    generated.write_jsonl(tmp_path / "t2.jsonl", generated.t2_ragbench(240))
    generated.write_json(tmp_path / "tatqa.json", generated.tatqa(12))
    generated.write_jsonl(tmp_path / "code.jsonl", generated.coderepoqa(160))
    sources = ("--source", "hotpotqa=hotpot.json")
    first = goldproof("build", "ragas-phase1", *sources, "--source", "logqa=logqa.jsonl", "--out", "p1", "--strict")
    assert first.code == 0, first.err
    refused = goldproof("build", "ragas-phase2", *sources, "--source", "t2-ragbench=t2.jsonl", "--out", "p2")
    assert refused.code == 2
    assert "ragas_phase1_500.jsonl: no such file" in refused.err
    second = goldproof(
        *("build", "ragas-phase2", *sources, "--source", "t2-ragbench=t2.jsonl", "--source", "tatqa=tatqa.json"),
        *("--source", "coderepoqa=code.jsonl"),
        *("--exclude", "p1/ragas_phase1_500.jsonl", "--out", "p2", "--strict"),
    )
    assert second.code == 0, second.err
    done = goldproof(
        *("combine", "p1/ragas_phase1_500.jsonl", "p2/ragas_phase2_300.jsonl"),
        *("--output", "ragas_combined_800.jsonl", "--manifest", "ragas_manifest_800.csv", "--json"),
    )
    assert done.code == 0, done.err
    assert done.json["total"]["actual"] == 800
    counts = {row["name"]: row["actual"] for row in done.json["groups"]["doc_type"]}
    assert counts == {"clean_text": 450, "log_ticket": 150, "table": 100, "code_config": 100}
    lines = (tmp_path / "ragas_combined_800.jsonl").read_text(encoding="utf-8").splitlines()
    samples = [json.loads(line) for line in lines]
    assert len({sample["id"] for sample in samples}) == 800
    assert sum(not sample["answerable"] for sample in samples) == 50
    assert len((tmp_path / "ragas_manifest_800.csv").read_text(encoding="utf-8").splitlines()) == 801
    assert (tmp_path / "p1" / "ragas_phase1_manifest.csv").is_file()
    assert (tmp_path / "p2" / "ragas_phase2_manifest.csv").is_file()


def test_json_is_the_only_thing_on_stdout(goldproof: Goldproof, tmp_path: Path) -> None:
    done = goldproof("build", "quickstart", "--out", tmp_path / "q", "--json")
    assert done.json["name"] == "quickstart"
    assert done.json["total"] == {"name": "all", "target": 42, "actual": 42, "shortfall": 0}


def test_the_names_of_the_two_files_can_be_chosen(goldproof: Goldproof, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = goldproof("build", "quickstart", "--out", out, "--output", "a.jsonl", "--manifest", "b.csv")
    assert done.code == 0
    assert (out / "a.jsonl").is_file()
    assert (out / "b.csv").is_file()
    other = tmp_path / "other"
    done = goldproof("build", "quickstart", "--output", other / "a.jsonl", "--manifest", other / "b.csv")
    assert done.code == 0
    assert (other / "a.jsonl").read_bytes() == (out / "a.jsonl").read_bytes()
    assert (other / "beir" / "corpus.jsonl").is_file()


def test_a_benchmark_can_be_evaluated_by_its_folder(goldproof: Goldproof, tmp_path: Path) -> None:
    goldproof("build", "quickstart", "--out", tmp_path / "q")
    run = tmp_path / "run.trec"
    parts = ((tmp_path / "q" / "beir" / f"{part}.jsonl").read_text(encoding="utf-8") for part in ("queries", "corpus"))
    queries, corpus = ([json.loads(line)["_id"] for line in text.splitlines()] for text in parts)
    run.write_text("".join(f"{name} Q0 {corpus[0]} 1 1.0 t\n" for name in queries), encoding="utf-8")
    metrics = "nDCG@10,SetSuccess@10,FalseSurface@5"
    done = goldproof("eval", "--dataset", tmp_path / "q" / "beir", "--run", f"t={run}", "--metrics", metrics)
    assert done.code == 0, done.err
    assert "FalseSurface@5" in done.out


def test_the_check_names_what_was_changed_and_exits_with_2(goldproof: Goldproof, tmp_path: Path) -> None:
    goldproof("build", "quickstart", "--out", tmp_path / "q")
    path = tmp_path / "q" / "quickstart.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("D1", "D2", 1), encoding="utf-8")
    done = goldproof("build", "--check", tmp_path / "q")
    assert done.code == 2
    assert "quickstart.jsonl" in done.out
    told = goldproof("build", "--check", tmp_path / "q", "--json")
    assert told.json["ok"] is False


def test_a_shortfall_is_told_and_is_a_failure_only_if_strict(
    goldproof: Goldproof, tmp_path: Path, hotpot: Path
) -> None:
    args = ("build", "--source", f"hotpotqa={hotpot}", "--quota", "clean_text=100", "--out", tmp_path / "out")
    done = goldproof(*args)
    assert done.code == 0
    assert "clean_text: 60 of 100 answerable: the pool holds 60" in done.out
    assert goldproof(*args, "--strict").code == 1


def test_a_folder_of_somebody_else_is_refused_before_anything_is_read(goldproof: Goldproof, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = goldproof("build", "--source", "hotpotqa=gone.json", "--quota", "clean_text=3", "--out", tmp_path)
    assert done.code == 2
    assert "is not empty and has no card.json (found mine.txt)" in done.err


def test_adapters_and_recipes_are_listed(goldproof: Goldproof) -> None:
    done = goldproof("build", "--list")
    assert done.code == 0
    for name in ("hotpotqa", "ragbench", "logqa", "t2-ragbench", "finqa", "tatqa", "coderepoqa", "swe-qa", "musique"):
        assert f"{name} " in done.out
    assert "recipes: quickstart, ragas-phase1, ragas-phase2" in done.out
    assert len(goldproof("build", "--list", "--json").json["adapters"]) == 11


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "name a recipe (goldproof build RECIPE), or sources and quotas"),
        (("--source", "hotpotqa={hotpot}"), "name a recipe"),
        (("quikstart", "--out", "{out}"), "unknown recipe 'quikstart'; did you mean 'quickstart'?"),
        (("quickstart",), "name a folder to write to: --out DIR."),
        (("quickstart", "--out", "{out}", "--quota", "table=3"), "--quota has no effect with a recipe"),
        (("quickstart", "--out", "{out}", "--unanswerable", "3%"), "--unanswerable has no effect with a recipe"),
        (("quickstart", "--out", "{out}", "--output", "{hotpot}"), "where all others go"),
        (("--source", "hotpotqa={out}/gone.json", "--quota", "clean_text=3", "--out", "{out}"), "no such file"),
        (("--source", "hotpot={hotpot}", "--quota", "clean_text=3", "--out", "{out}"), "unknown adapter 'hotpot'"),
        (("--source", "musique={hotpot}", "--quota", "clean_text=3", "--out", "{out}"), "MuSiQue has"),
        (
            ("--source", "hotpotqa={hotpot}", "--quota", "clean=3", "--out", "{out}"),
            "quotas: unknown doc_type 'clean'; did you mean 'clean_text'?",
        ),
        (
            ("--source", "hotpotqa={hotpot}", "--quota", "clean_text=3", "--unanswerable", "x", "--out", "{out}"),
            "'x' is not a share",
        ),
        (("--check", "{out}"), "is not a folder, expected one that goldproof build wrote"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    goldproof: Goldproof, tmp_path: Path, hotpot: Path, args: tuple[str, ...], complaint: str
) -> None:
    out = tmp_path / "out"
    done = goldproof("build", *(arg.format(hotpot=hotpot, out=out) for arg in args))
    assert done.code == 2
    assert complaint in done.err + done.out
    assert "Traceback" not in done.err
    assert not out.exists()
