"""What a mining hands back: counts that add up, shares with intervals, files that are the same again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import ConflictError, StoppedEarlyError
from goldproof.io import read_card, read_json, sha256_file
from goldproof.jobs.mine.counts import mining_counts, random_relevant, targets_alone, targets_confirmed, unseen
from goldproof.jobs.mine.records import MinedDocument, MinedQuestion
from goldproof.jobs.mine.result import MiningResult
from goldproof.judge.judge import Ruling, Vote
from tests.jobs.mine.mined_examples import example

if TYPE_CHECKING:
    from goldproof.jobs.mine.records import Mined, Standing

FILES = {
    *(
        "retrieval_dataset.yaml",
        "judgments.jsonl",
        "candidates.jsonl",
        "report.md",
        "card.json",
        "run.json",
        "spans.jsonl",
    ),
    *("beir/corpus.jsonl", "beir/queries.jsonl", "beir/qrels/test.tsv", "beir/kernels.jsonl", "beir/card.json"),
}


def written(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_all_files_are_written_and_the_card_has_their_hashes(tmp_path: Path) -> None:
    out = MiningResult(example()).save(tmp_path / "out")
    assert {name for name in written(out) if not name.startswith(".")} == FILES
    card = read_card(out / "card.json")
    assert card.outputs == {name: sha256_file(out / name) for name in FILES - {"card.json", "run.json"}}
    assert card.settings == {"corpus": "folder:pkg", "random": 5, "judge": "llm:teacher#v1", "kernels": True}
    assert (card.inputs, card.seed) == ({"cases.yaml": "ab" * 32}, 7)
    assert card.counts == {
        "questions": 4,
        "documents": 5,
        "rulings": 12,
        "kernels": 3,
        "problems": 1,
        "positive": 2,
        "partial": 2,
        "negative": 4,
        "unjudged": 3,
        "answerable": 2,
        "unanswerable_here": 1,
        "undecided": 1,
    }
    run = read_json(out / "run.json")
    assert isinstance(run, dict)
    assert run["spent"] == {"calls": 12, "cached": 3, "cost": 0.25}


def test_the_same_mining_gives_the_same_bytes_whatever_it_cost(tmp_path: Path) -> None:
    first = written(MiningResult(example()).save(tmp_path / "a"))
    again = written(MiningResult(replace(example(), spent={"calls": 0, "cached": 15})).save(tmp_path / "b"))
    del first["run.json"], again["run.json"]
    assert first == again


def test_the_same_inputs_write_again_and_others_are_refused_unless_forced(tmp_path: Path) -> None:
    out = MiningResult(example()).save(tmp_path)
    MiningResult(example()).save(out)
    with pytest.raises(ConflictError, match=r"seed: 7 there, 8 now"):
        MiningResult(example(seed=8)).save(out)
    without = replace(
        example(seed=8), questions=tuple(replace(one, kernels=()) for one in example().questions), judged_kernels=False
    )
    MiningResult(without).save(out, force=True)
    assert {name for name in written(out) if not name.startswith(".")} == FILES - {"beir/kernels.jsonl"}


def test_a_mining_that_stopped_writes_what_is_ruled_and_no_dataset(tmp_path: Path) -> None:
    result = MiningResult(example(stopped="the budget of $1.00 is spent."))
    with pytest.raises(StoppedEarlyError, match="mining stopped early; 4 questions are done") as raised:
        result.save(tmp_path / "out")
    assert "the budget of $1.00 is spent" in str(raised.value)
    names = ["card.json", "judgments.partial.jsonl", "run.json"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert "stopped early: the budget of $1.00 is spent." in str(result)
    assert result.to_dict()["stopped"] == result.stopped == "the budget of $1.00 is spent."
    MiningResult(example()).save(tmp_path / "out")
    assert not (tmp_path / "out" / "judgments.partial.jsonl").exists()


def test_a_mining_that_stopped_leaves_a_whole_result_alone(tmp_path: Path) -> None:
    MiningResult(example()).save(tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.*")}
    with pytest.raises(StoppedEarlyError, match="stays as it is"):
        MiningResult(example(stopped="the budget of $1.00 is spent.")).save(tmp_path / "out")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.*")} == before


@pytest.mark.parametrize("dataset", ["beir", "retrieval_dataset.yaml"])
def test_goldproof_evaluates_what_was_written(dataset: str, tmp_path: Path) -> None:
    out = MiningResult(example()).save(tmp_path)
    run = {
        "s:size": {"pkg.Queue": 3.0, "pkg.retry": 2.0},
        "s:both": {"pkg.Worker": 2.0, "pkg.clock": 1.0},
        "s:none": {"pkg.clock": 1.0},
        "s:unknown": {"pkg.clock": 1.0},
    }
    result = goldproof.evaluate(
        out / dataset, runs={"mine": run}, metrics="Hit@1, Hit(rel=2)@1, SetSuccess@2, FalseSurface@1"
    )
    # s:size finds its kernel, s:both half of its own; only s:size has a document of grade 2; s:unknown is not judged.
    assert result.mean("Hit@1") == 1.0
    assert result.mean("Hit(rel=2)@1") == 1.0
    assert result.mean("SetSuccess@2") == 0.5
    assert result.mean("FalseSurface@1") == 1.0
    assert result.study.summary("mine", "Hit@1").n == 2


def test_standings_by_source_count_a_document_for_each_of_its_sources() -> None:
    counted = mining_counts(example())
    assert list(counted.by_source) == ["target", "bm25", "random", "expansion", "run:bm25", "all"]
    assert counted.by_source["target"] == {"positive": 1, "partial": 1, "negative": 0, "unjudged": 1}
    assert counted.by_source["random"] == {"positive": 1, "partial": 0, "negative": 3, "unjudged": 1}
    assert counted.by_source["all"] == {"positive": 2, "partial": 2, "negative": 4, "unjudged": 3}
    assert counted.unjudged == {
        ("failed", "timeout"): 1,
        ("not judged", "only seen together with others, in the search for kernels"): 1,
        ("unsupported", "no quote"): 1,
    }
    assert counted.kernels == {1: 2, 2: 1}
    assert (counted.with_kernels, counted.with_alternatives) == (2, 1)
    assert counted.without_context == ("s:size",)
    assert counted.nothing_judged == ("s:unknown",)


def test_agreement_is_that_of_rulings_with_several_votes() -> None:
    # One ruling with votes 3, 3, 1: of its three pairs one agrees. Rulings without votes say nothing about agreement.
    found = MiningResult(example()).to_dict()["agreement"]
    assert isinstance(found, dict)
    assert found["overall"]["rulings"] == 1
    assert found["overall"]["pairwise"] == pytest.approx(1 / 3)
    assert found["models"]["m"]["unanimous"] == 0.0


def test_votes_that_are_nearly_all_the_same_have_their_ac1_in_a_note() -> None:
    # 19 times no no, once no yes: alpha 0; AC1 (0.95 - 0.04875) / 0.95125 = 0.9474
    same = Ruling("no", votes=(Vote("m#1", "no"), Vote("m#2", "no")))
    split = Ruling("no", votes=(Vote("m#1", "no"), Vote("m#2", "yes")))
    documents = [MinedDocument(f"d{i}", "negative", ("bm25",), split if i == 0 else same) for i in range(20)]
    first = replace(example().questions[0], documents=tuple(documents), kernels=())
    result = MiningResult(replace(example(), questions=(first,)))
    notes = [note.text for note in result.notes]
    assert "Gwet's AC1 of all votes is 0.9474: alpha is low where nearly all votes are the same." in notes
    found = result.to_dict()["agreement"]
    assert isinstance(found, dict)
    assert found["overall"]["ac1"] == pytest.approx(0.947438, abs=1e-6)


def test_without_votes_agreement_is_undefined_and_not_shown() -> None:
    result = MiningResult(replace(example(), questions=example().questions[1:]))
    assert result.to_dict()["agreement"] is None
    assert "Agreement" not in str(result)


def sources(*standings: Standing, source: str) -> Mined:
    """One question for each standing."""
    questions = tuple(
        MinedQuestion(
            replace(example().questions[0].question, id=f"q{i}"), (MinedDocument("pkg.Queue", one, (source,)),)
        )
        for i, one in enumerate(standings)
    )
    return replace(example(), questions=questions)


def test_targets_confirmed_is_a_share_of_judged_targets_with_wilsons_interval() -> None:
    mined = sources("positive", "positive", "positive", "partial", "unjudged", source="target")
    assert (targets_confirmed(mined).hits, targets_confirmed(mined).n) == (4, 4)  # a part of a kernel is relevant
    found = targets_alone(mined)
    # 3 of 4 (the unjudged one is not in n); Wilson at z = 1.959964:
    # (0.75 + 3.84146/8 +- 1.959964 sqrt(0.75*0.25/4 + 3.84146/64)) / (1 + 3.84146/4)
    # = (1.230182 +- 0.640605) / 1.960365
    assert (found.hits, found.n, found.value) == (3, 4, 0.75)
    assert found.low == pytest.approx(0.300642, abs=1e-6)
    assert found.high == pytest.approx(0.954413, abs=1e-6)


def test_random_documents_that_another_source_names_too_do_not_stand_for_the_rest() -> None:
    # s:size: pkg.Worker (positive) and pkg.clock (negative) by chance only, pkg.other has no ruling that counts;
    # s:both: pkg.clock; s:none: pkg.clock, which bm25 names as well.
    found = random_relevant(example())
    assert (found.hits, found.n) == (1, 3)
    # Looked at: 5 + 3 + 1 + 2 over 4 questions, of 5 documents: 5 - 11/4 = 2.25 are left, a third of it relevant.
    rest = unseen(example())
    assert rest.documents == pytest.approx(2.25)
    assert rest.relevant == pytest.approx(0.75)


def test_a_share_of_nothing_is_undefined_and_has_no_row() -> None:
    mined = replace(example(), questions=())
    result = MiningResult(mined)
    assert targets_confirmed(mined).value is None
    assert result.to_dict()["random_relevant"] == {"hits": 0, "n": 0, "share": None, "low": None, "high": None}
    assert "targets confirmed" not in result.report()


def test_where_everything_was_looked_at_nothing_is_estimated() -> None:
    mined = replace(example(), questions=example().questions[:1])
    assert unseen(mined).documents == 0
    assert "Every document of the corpus was a candidate of every question." in [
        note.text for note in MiningResult(mined).notes
    ]


def test_the_report_is_this(tmp_path: Path) -> None:
    out = MiningResult(example()).save(tmp_path)
    expected = Path(__file__).parent / "data" / "report.md"
    assert (out / "report.md").read_text(encoding="utf-8") == expected.read_text(encoding="utf-8")


def test_as_json_frame_and_html() -> None:
    result = MiningResult(example())
    assert json.loads(json.dumps(result.to_dict()))["by_source"]["all"]["positive"] == 2
    frame = result.to_frame()
    assert frame.columns == [
        "query_id",
        "doc_id",
        "standing",
        "grade",
        "label",
        "sources",
        "agreement",
        "reason",
        "status",
    ]
    assert frame.height == 11
    assert frame.row(4) == (
        "s:size",
        "pkg.other",
        "unjudged",
        None,
        "failed",
        ["random"],
        None,
        "timeout",
        "answerable",
    )
    assert "<table>" in result._repr_html_()
    assert any("Models: 12 calls, $0.2500; 3 answers were kept already." in note.text for note in result.notes)
    assert len(result) == 4


def test_many_reasons_are_cut_short_and_their_number_is_kept() -> None:
    failed = tuple(
        MinedDocument(f"d{i}", "unjudged", ("bm25",), Ruling("failed", reason=f"error {i:02}")) for i in range(25)
    )
    mined = replace(example(), questions=(replace(example().questions[0], documents=failed),))
    # 20 are shown; the other 5 have one document each.
    assert "| 5 further reasons | – | 5 |" in MiningResult(mined).report()
    notes = [note.text for note in MiningResult(mined).notes]
    assert "25 candidates have no ruling that counts (1 of them): failed, error 00." in notes
