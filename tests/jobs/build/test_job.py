"""A build from end to end: exact quotas, the same bytes in any order and process, nothing lost without a reason."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.io import read_card, read_dataset
from goldproof.jobs.build import build, check_benchmark, combine
from goldproof.jobs.build.output.files import read_samples
from goldproof.jobs.build.recipe_file import quick_recipe
from goldproof.jobs.build.records import origin_id
from goldproof.jobs.validate import validate_file
from tests.jobs.build import generated

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.build import BuildResult, Sample
    from goldproof.progress import Progress


@pytest.fixture(scope="module")
def quickstart() -> BuildResult:
    return build("quickstart")


@pytest.fixture
def hotpot(tmp_path: Path) -> Path:
    return generated.write_json(tmp_path / "hotpot.json", generated.hotpotqa(120))


def recipe(source: Path, *, adapter: str = "hotpotqa", **changes: object) -> dict[str, object]:
    found = {"name": "b", "sources": [{"adapter": adapter, "path": str(source)}], "quotas": {"clean_text": 20}}
    return {**found, **changes}


def test_the_quickstart_fills_every_quota(quickstart: BuildResult) -> None:
    samples = list(quickstart)
    assert len(quickstart) == len(samples) == 42
    assert quickstart.shortfalls == ()
    # Difficulties are wishes: of 42 samples 13 are of another one than was aimed at.
    assert quickstart.conclusion == (
        "Built 42 questions from 4 sources; every quota is filled; difficulty targets are short by 13."
    )
    assert Counter(s.doc_type for s in samples) == {"clean_text": 14, "log_ticket": 8, "table": 11, "code_config": 9}
    types = Counter((s.doc_type, s.question_type) for s in samples)
    assert {kind: types["table", kind] for kind in ("numeric", "lookup", "comparison", "policy")} == {
        "numeric": 4,
        "lookup": 3,
        "comparison": 2,
        "policy": 2,
    }
    assert Counter(s.answerable for s in samples) == {True: 38, False: 4}
    assert len({s.id for s in samples}) == 42


def test_unanswerables_keep_their_origin_and_have_no_answer_and_no_gold(quickstart: BuildResult) -> None:
    made = [sample for sample in quickstart if not sample.answerable]
    assert {sample.metadata["unanswerable_method"] for sample in made} == {
        "temporal_shift",
        "entity_swap",
        "negation",
        "cross_domain",
    }
    asked = {sample.question for sample in quickstart if sample.answerable}
    for sample in made:
        assert (sample.ground_truth, sample.difficulty, sample.gold_documents) == ("", "D3", ())
        assert sample.metadata["original_question"] not in asked
        assert sample.question != sample.metadata["original_question"]
        assert sample.contexts
        assert not {"answer_aliases", "original_answer", "answer_in_gold"} & sample.metadata.keys()


def test_every_answerable_sample_has_gold_documents_that_the_corpus_holds(quickstart: BuildResult) -> None:
    texts = {document.id: document.text for document in quickstart.documents()}
    for sample in quickstart:
        assert set(sample.gold_documents) <= texts.keys()
        assert bool(sample.gold_documents) == sample.answerable
        assert [texts[name] for name in sample.context_ids] == list(sample.contexts)
        for span in sample.evidence:
            assert texts[span.document][span.start : span.end].strip()


def test_what_is_saved_is_well_formed_passes_its_check_and_can_be_evaluated(
    quickstart: BuildResult, tmp_path: Path
) -> None:
    folder = quickstart.save(tmp_path / "out")
    assert check_benchmark(folder).ok
    assert validate_file(folder / "beir").ok
    dataset = read_dataset(folder / "beir", documents=True)
    assert len(dataset.questions) == 42
    assert len(dataset.judgments.unanswerable) == 4
    card = read_card(folder / "card.json")
    assert card.counts["samples"] == 42
    assert card.counts["documents"] == len(dataset.documents)
    assert str(tmp_path) not in (folder / "card.json").read_text(encoding="utf-8")
    assert set(card.inputs) == {
        "hotpotqa/places.json",
        "logqa/tickets.jsonl",
        "t2-ragbench/reports.jsonl",
        "coderepoqa/code.jsonl",
    }


def test_saving_again_writes_the_same_bytes_and_another_benchmark_is_refused(
    quickstart: BuildResult, hotpot: Path, tmp_path: Path
) -> None:
    folder = quickstart.save(tmp_path / "out")
    before = content(folder)
    assert content(quickstart.save(folder)) == before
    with pytest.raises(InputError, match="holds something else"):
        build(recipe(hotpot)).save(folder)
    assert content(folder) == before
    build(recipe(hotpot)).save(folder, force=True)
    assert check_benchmark(folder).ok


def content(folder: Path) -> dict[str, bytes]:
    """Return every file but the one that a clock decides."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_neither_the_order_of_records_nor_of_sources_nor_the_process_matters(tmp_path: Path) -> None:
    records = {"hotpotqa": generated.hotpotqa(80), "t2-ragbench": generated.t2_ragbench(80)}
    contents = []
    for number, order in enumerate((list(records), list(reversed(records)))):
        folder = tmp_path / str(number)
        folder.mkdir()
        sources = []
        for adapter in order:
            shuffled = random.Random(number).sample(records[adapter], 80)
            path = generated.write_jsonl(folder / f"{adapter}.jsonl", shuffled)
            sources.append({"adapter": adapter, "path": str(path)})
        text = json.dumps(
            recipe(tmp_path, sources=sources, quotas={"clean_text": 20, "table": {"numeric": 9}}, unanswerable="10%")
        )
        code = f"import json, goldproof; goldproof.build(json.loads({text!r})).save({str(folder / 'out')!r})"
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONHASHSEED": str(number)})
        contents.append(content(folder / "out"))
    names = [
        name for name in contents[0] if name not in ("card.json", "report.md")
    ]  # these name files and their hashes
    assert len(names) >= 7
    assert [name for name in names if contents[0][name] != contents[1][name]] == []


def test_another_seed_chooses_other_samples(hotpot: Path) -> None:
    first, again, other = ({sample.id for sample in build(recipe(hotpot), seed=seed)} for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_nothing_of_an_earlier_phase_is_taken_again(hotpot: Path, tmp_path: Path) -> None:
    earlier = build(recipe(hotpot)).save(tmp_path / "one") / "b.jsonl"
    first = {json.loads(line)["id"] for line in earlier.read_text(encoding="utf-8").splitlines()}
    second = build(recipe(hotpot, exclude=[str(earlier)]))
    assert not first & {sample.id for sample in second}
    assert second.report.left_out["id is in an earlier benchmark"] == 20
    assert second.card().inputs["exclude/b.jsonl"]


def test_two_phases_with_unanswerables_share_neither_a_question_nor_its_altered_twin(tmp_path: Path) -> None:
    source = generated.write_jsonl(tmp_path / "a.jsonl", generated.hotpotqa(200))
    wanted = recipe(source, quotas={"clean_text": 40}, unanswerable={"share": "20%", "borrow": True})
    earlier = build({**wanted, "name": "one"}).save(tmp_path / "one")
    second = build({**wanted, "name": "two", "exclude": [str(earlier / "one_manifest.csv")]}).save(tmp_path / "two")
    result = combine([earlier / "one.jsonl", second / "two.jsonl"], output=tmp_path / "all" / "both.jsonl")
    assert len(result) == 80
    origins = [origin_id(sample.id) for path in (earlier / "one.jsonl", second / "two.jsonl") for sample in read(path)]
    assert len(set(origins)) == 80


def read(path: Path) -> list[Sample]:
    return [found.sample for found in read_samples(path)]


def test_what_one_quota_cannot_give_of_the_unanswerables_another_gives(tmp_path: Path) -> None:
    bare: list[dict[str, object]] = [
        {"id": str(n), "question": f"What colour is the {name}?", "answer": "red", "context": f"The {name} is red."}
        for n, name in enumerate(("door", "roof", "gate", "boat", "lamp", "wall", "sail", "coat", "hat", "sign"))
    ]
    own = generated.write_jsonl(tmp_path / "bare.jsonl", bare)
    t2 = generated.write_jsonl(tmp_path / "t2.jsonl", generated.t2_ragbench(60))
    sources = [{"adapter": "table", "path": str(own)}, {"adapter": "t2-ragbench", "path": str(t2)}]
    wanted = recipe(tmp_path, sources=sources, quotas={"clean_text": 10, "table": 10})
    result = build({**wanted, "unanswerable": {"share": "20%", "borrow": True}})
    made = Counter(sample.doc_type for sample in result if not sample.answerable)
    assert made.total() == 4
    assert made["table"] > 2
    assert len(result) == 20
    assert result.shortfalls == ()
    strict = build({**wanted, "unanswerable": {"share": "20%"}})
    assert sum(not sample.answerable for sample in strict) < 4
    assert any("clean_text" in sentence for sentence in strict.shortfalls)


def test_a_chain_of_similar_earlier_questions_leaves_no_hole(tmp_path: Path) -> None:
    # At 0.5: a ~ b (4 of 5 words), b ~ c (3 of 6), but a and c share 2 of 6.
    a, b, c = ("red green blue house", "red green blue house garden", "blue house garden river")
    records = [{**record, "question": c} if n == 0 else record for n, record in enumerate(generated.hotpotqa(8))]
    source = generated.write_jsonl(tmp_path / "a.jsonl", records)
    questions = tmp_path / "questions.txt"
    questions.write_text(f"{a}\n{b}\n", encoding="utf-8")
    wanted = recipe(source, quotas={"clean_text": 8}, exclude=[str(questions)], near_duplicates=0.5)
    assert "generated000000" not in {sample.original_id for sample in build(wanted)}


def test_an_earlier_question_is_left_out_even_where_near_duplicates_are_kept(tmp_path: Path) -> None:
    records = generated.hotpotqa(5)
    source = generated.write_jsonl(tmp_path / "a.jsonl", records)
    questions = tmp_path / "questions.txt"
    questions.write_text(f"{records[2]['question']}\n", encoding="utf-8")
    result = build(recipe(source, quotas={"clean_text": 5}, exclude=[str(questions)], near_duplicates=None))
    assert len(result) == 4


def test_used_is_counted_for_each_source_of_an_adapter(tmp_path: Path) -> None:
    records = generated.hotpotqa(30)
    one = generated.write_jsonl(tmp_path / "one.jsonl", records[:20])
    two = generated.write_jsonl(tmp_path / "two.jsonl", records[20:])
    sources = [{"adapter": "hotpotqa", "path": str(path)} for path in (one, two)]
    result = build(recipe(tmp_path, sources=sources, quotas={"clean_text": 30}))
    assert [(source.name, source.read, source.used) for source in result.report.sources] == [
        ("hotpotqa-1", 20, 20),
        ("hotpotqa-2", 10, 10),
    ]


def test_a_field_that_no_sample_has_cannot_spread_them(hotpot: Path) -> None:
    with pytest.raises(
        InputError, match="unknown metadata field of clean_text in strata: 'levle'; did you mean 'level'"
    ):
        build(recipe(hotpot, strata={"clean_text": "levle"}))


def test_two_earlier_files_of_one_name_both_stand_on_the_card(hotpot: Path, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ids.txt").write_text(f"hotpotqa:{folder}\n", encoding="utf-8")
    result = build(recipe(hotpot, exclude=[str(tmp_path / "x" / "ids.txt"), str(tmp_path / "y" / "ids.txt")]))
    assert {name for name in result.card().inputs if name.startswith("exclude/")} == {
        "exclude/1-ids.txt",
        "exclude/2-ids.txt",
    }


@pytest.mark.parametrize("name", ["report.md", "card.json", "run.json", "b.jsonl.gz", "beir"])
def test_a_name_that_would_overwrite_another_file_is_refused_before_anything_is_read(hotpot: Path, name: str) -> None:
    with pytest.raises(InputError):
        build(recipe(hotpot, output=name))


def test_documents_that_are_only_named_are_told_and_checked_by_the_answers_that_cite_them(tmp_path: Path) -> None:
    record: dict[str, object] = {
        "question": "How does Flask load a session?",
        "answer": "In `src/flask/sessions.py`, by open_session.",
    }
    source = generated.write_jsonl(tmp_path / "flask.jsonl", [record])
    result = build(recipe(source, adapter="swe-qa", quotas={"code_config": 1}))
    assert any("samples cite documents without a text" in remark for remark in result.remarks)
    assert [document.text for document in result.documents()] == [""]


def test_a_near_duplicate_of_an_earlier_question_is_left_out(tmp_path: Path) -> None:
    records = generated.hotpotqa(30)
    source = generated.write_jsonl(tmp_path / "a.jsonl", records)
    questions = tmp_path / "questions.txt"
    questions.write_text(f"{records[4]['question']}  \n", encoding="utf-8")
    result = build(recipe(source, quotas={"clean_text": 30}, exclude=[str(questions)]))
    assert result.report.left_out == {"near-duplicate of a question in an earlier benchmark": 1}
    assert result.shortfalls == ("clean_text: 29 of 30 answerable: the pool holds 29",)


def test_near_duplicates_within_the_pool_are_one_and_are_kept_if_wished(tmp_path: Path) -> None:
    records = generated.hotpotqa(10)
    again = {**records[0], "_id": "again", "question": str(records[0]["question"]).replace("In which", "In  which")}
    source = generated.write_jsonl(tmp_path / "a.jsonl", [*records, again])
    wanted = {"clean_text": 11}
    assert len(build(recipe(source, quotas=wanted))) == 10
    kept = build(recipe(source, quotas=wanted, near_duplicates=None))
    assert len(kept) == 11
    assert kept.report.left_out == {}


def test_an_id_that_occurs_twice_counts_once(tmp_path: Path) -> None:
    records = generated.hotpotqa(10)
    source = generated.write_jsonl(tmp_path / "a.jsonl", [*records, records[3]])
    result = build(recipe(source, quotas={"clean_text": 10}))
    assert len(result) == 10
    assert result.report.left_out == {"id occurs more than once": 1}


def test_dropped_records_are_counted_by_reason_on_the_card(tmp_path: Path) -> None:
    records = generated.hotpotqa(12)
    del records[0]["context"]
    records[1]["question"] = " "
    records[2]["supporting_facts"] = [["Nowhere", 0]]
    path = generated.write_jsonl(tmp_path / "a.jsonl", records)
    path.write_text(path.read_text(encoding="utf-8") + '{"cut": \n', encoding="utf-8")
    result = build(recipe(path, quotas={"clean_text": 9}))
    assert len(result) == 9
    assert sum(result.report.dropped["hotpotqa"].values()) == 4
    counted = {name: n for name, n in result.card().counts.items() if name.startswith("hotpotqa: dropped: ")}
    assert sum(counted.values()) == 4
    assert len(counted) == 4


def test_borrowing_happens_only_by_a_rule_and_is_reported(tmp_path: Path) -> None:
    source = generated.write_json(tmp_path / "a.json", generated.tatqa(2))  # 2 policy questions
    quotas = {"table": {"policy": 4, "numeric": 2}}
    short = build(recipe(source, adapter="tatqa", quotas=quotas))
    assert short.shortfalls == ("table/policy: 2 of 4 answerable: the pool holds 2",)
    assert short.conclusion.endswith(" from 1 source; 1 quota is short: table/policy by 2.")
    assert [table.title for table in short.tables()] == ["Document types", "Question types", "Answerable"]
    rule = [{"to": "table/policy", "from": "table/lookup", "at_most": 1}]
    lent = build(recipe(source, adapter="tatqa", quotas=quotas, borrow=rule))
    assert Counter(sample.question_type for sample in lent) == {"policy": 2, "numeric": 2, "lookup": 1}
    assert any("1 borrowed from table/lookup" in sentence for sentence in lent.shortfalls)


def test_strata_spread_the_samples_evenly(tmp_path: Path) -> None:
    records = generated.coderepoqa(120)
    for number, record in enumerate(records):
        record["repo"] = "huge/one" if number < 100 else f"small/{number % 4}"
    source = generated.write_jsonl(tmp_path / "a.jsonl", records)
    wanted = recipe(source, adapter="coderepoqa", quotas={"code_config": 20}, strata={"code_config": "repo"})
    result = build(wanted)
    found = Counter(sample.metadata["repo"] for sample in result)
    told = result.report.distribution.explanations
    assert "code_config: 5 of 5 values of repo, 4 to 4 answerable samples each" in told
    assert found == {"huge/one": 4, "small/0": 4, "small/1": 4, "small/2": 4, "small/3": 4}


def test_the_page_of_two_sources_is_one_document(tmp_path: Path) -> None:
    page: dict[str, object] = {
        "id": "X/2009/page_1.pdf-1",
        "filename": "X/2009/page_1.pdf",
        "pre_text": ["net sales rose in the year ."],
        "post_text": ["see note 4 ."],
        "table": [["", "2009"], ["net sales", "$ 120"]],
        "qa": {
            "question": "what were the net sales of x in 2009?",
            "answer": "120",
            "program": "add(100, 20)",
            "exe_ans": 120.0,
            "gold_inds": {"text_0": "net sales rose in the year ."},
        },
    }
    same: dict[str, object] = {
        "id": "finqa_dev_1",
        "context_id": "finqa_dev_ctx_9",
        "question": "By what percentage did the staff of X grow during 2009?",
        "program_answer": "120",
        "original_answer": "120",
        "pre_text": "a heading that only this version has .\nnet sales rose in the year .",
        "table": "|    |           | 2009   |\n|---:|:----------|:-------|\n|  0 | net sales | $ 120  |",
        "post_text": "see note 4 .",
        "file_name": "pdf/X/2009/page_1.pdf",
    }
    one = generated.write_json(tmp_path / "finqa.json", [page])
    two = generated.write_jsonl(tmp_path / "t2.jsonl", [same])
    sources = [{"adapter": "finqa", "path": str(one)}, {"adapter": "t2-ragbench", "path": str(two)}]
    result = build(recipe(tmp_path, sources=sources, quotas={"table": 2}))
    assert {name for sample in result for name in sample.gold_documents} == {"finqa:X/2009/page_1"}
    (document,) = result.documents()
    (marked,) = [sample for sample in result if sample.source_dataset == "finqa"]
    assert [document.text[e.start : e.end].strip() for e in marked.evidence] == ["net sales rose in the year ."]


def test_another_classifier_decides_the_types(hotpot: Path) -> None:
    result = build(recipe(hotpot), classifier=lambda doc_type, question, computation: "lookup")  # noqa: ARG005
    assert {sample.question_type for sample in result} == {"lookup"}


def test_the_corpus_may_hold_every_document_of_the_sources(hotpot: Path) -> None:
    few, all_of_them = (
        {document.id for document in build(recipe(hotpot, corpus=corpus)).documents()}
        for corpus in ("samples", "sources")
    )
    assert few < all_of_them


def test_a_quota_that_no_source_can_fill_is_one_sentence(hotpot: Path) -> None:
    with pytest.raises(
        InputError, match=r"b: no sample fits the quotas \(table\); usable samples by source: hotpotqa 1"
    ):
        build(recipe(hotpot, quotas={"table": 3}))


def test_a_source_of_which_nothing_can_be_used_is_one_sentence(tmp_path: Path) -> None:
    records = [{**record, "supporting_facts": []} for record in generated.hotpotqa(3)]
    source = generated.write_jsonl(tmp_path / "a.jsonl", records)
    with pytest.raises(
        InputError, match=r"source hotpotqa \(a.jsonl\): none of its 3 records can be used; the first was"
    ):
        build(recipe(source))


def test_a_missing_earlier_benchmark_is_found_before_anything_is_read(hotpot: Path) -> None:
    read: list[Progress] = []
    with pytest.raises(InputError, match=r"gone\.jsonl: no such file"):
        build(recipe(hotpot, exclude=["gone.jsonl"]), on_progress=read.append)
    assert read == []


def test_what_no_file_could_hold_is_dropped_with_a_reason(tmp_path: Path) -> None:
    record: dict[str, object] = {
        "id": "1",
        "question": "Which half is left?",
        "answer": "['\\ud800 and more']",
        "context": "Something.",
    }
    source = generated.write_jsonl(tmp_path / "a.jsonl", [record, {**record, "id": "2", "answer": "none"}])
    result = build(recipe(source, adapter="table", quotas={"clean_text": 1}))
    assert [sample.original_id for sample in result] == ["2"]
    assert sum(result.report.dropped["table"].values()) == 1


def test_what_a_killed_build_left_in_the_folder_is_removed(quickstart: BuildResult, tmp_path: Path) -> None:
    folder = quickstart.save(tmp_path / "out")
    leftover = folder / "beir" / "qrels" / ".test.tsv.999999999.0123abcd.tmp"
    leftover.write_text("half")
    quickstart.save(folder)
    assert not leftover.exists()


def test_a_result_shows_itself(quickstart: BuildResult) -> None:
    assert "table/numeric" in quickstart.text(wide=True)
    assert "<table" in quickstart._repr_html_()
    assert quickstart.to_frame().height == 42
    found = quickstart.to_dict()
    assert found["name"] == "quickstart"
    assert json.dumps(found)


ISSUE_SOURCES = ("t2-ragbench=t2_ragbench", "tatqa=tatqa", "swe-qa=swe_qa", "hotpotqa=multihop", "musique=multihop")


@pytest.mark.realdata
@pytest.mark.slow
def test_real_datasets_make_a_benchmark_of_300(realdata: Path, tmp_path: Path) -> None:
    sources = [source.replace("=", f"={realdata}/") for source in ISSUE_SOURCES]
    quotas = ["table/numeric=50", "table/lookup=25", "table/comparison=20", "table/policy=5"]
    quotas += ["code_config/howto=25", "code_config/definition=35", "code_config/lookup=30", "code_config/entity=10"]
    result = build(quick_recipe(sources=sources, quotas=[*quotas, "clean_text=100"], unanswerable="10%"))
    assert len(result) == 300
    assert result.shortfalls == ()
    assert Counter(sample.answerable for sample in result) == {True: 270, False: 30}
    methods = Counter(sample.metadata.get("unanswerable_method") for sample in result if not sample.answerable)
    assert methods == {"temporal_shift": 9, "entity_swap": 9, "negation": 6, "cross_domain": 6}
    assert {sample.source_dataset for sample in result} == {"t2-ragbench", "tatqa", "swe-qa", "hotpotqa", "musique"}
    folder = result.save(tmp_path / "out")
    assert check_benchmark(folder).ok
    assert validate_file(folder / "beir").ok


@pytest.mark.realdata
def test_difficulty_is_within_five_points_where_the_real_pool_allows(realdata: Path) -> None:
    shares = {"D1": "40%", "D2": "35%", "D3": "25%"}
    wanted = recipe(
        realdata / "multihop", adapter="musique", quotas={"clean_text": 50}, difficulty=shares, unanswerable="10%"
    )
    found = Counter(sample.difficulty for sample in build(wanted))
    # The pool holds 20 D1, so 40% of 50 is just there.
    for level, share in (("D1", 40), ("D2", 35), ("D3", 25)):
        assert abs(100 * found[level] / 50 - share) <= 5, found
