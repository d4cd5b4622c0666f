"""Combining benchmarks: order and fields kept, repeats named and refused, the same bytes every time."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import ConflictError, FileFormatError, InputError
from goldproof.io import read_card, read_dataset, write_card
from goldproof.jobs.build.combination import combine
from goldproof.jobs.build.job import build
from goldproof.jobs.build.output.files import manifest_lines, read_samples, sample_line
from goldproof.jobs.build.phases import LISTED, Phase, PhaseRepeats, PhaseSample, merged_documents
from goldproof.jobs.build.recipe_file import quick_recipe
from goldproof.jobs.validate import validate_file
from goldproof.records.entities import Card, Document
from tests.jobs.build.samples import HOPPED, PLAIN, THREE, UNANSWERABLE, many, write_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.build.records import Sample

FIRST, SECOND = many(3, prefix="a"), many(2, prefix="b")


def phase(path: Path, *samples: Sample) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_lines(path, *map(sample_line, samples))


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    return [phase(tmp_path / "one.jsonl", *FIRST, *THREE), phase(tmp_path / "two.jsonl", *SECOND)]


def out(tmp_path: Path) -> Path:
    return tmp_path / "all" / "both.jsonl"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refusal(paths: list[Path], **options: object) -> str:
    folder = paths[0].parent
    before = content(folder)
    with pytest.raises(InputError) as raised:
        combine(paths, output=out(folder), **options)  # type: ignore[arg-type]
    assert content(folder) == before, "something was written"
    return str(raised.value)


def test_samples_stand_in_the_order_of_the_files_and_keep_their_fields(tmp_path: Path, two: list[Path]) -> None:
    result = combine(two, output=out(tmp_path))
    assert result.conclusion == "Combined 8 questions from 2 benchmarks."  # 3 + 3 and 2
    assert (str(result).splitlines()[0], result.to_dict()["conclusion"]) == (result.conclusion,) * 2
    found = [at.sample for at in read_samples(out(tmp_path))]
    assert [replace(s, metadata={k: v for k, v in s.metadata.items() if k != "benchmark_phase"}) for s in found] == [
        *(*FIRST, *THREE, *SECOND)
    ]
    assert [s.metadata["benchmark_phase"] for s in found] == ["one"] * 6 + ["two"] * 2


def test_a_field_of_the_dataset_called_phase_does_not_hide_where_a_sample_came_from(tmp_path: Path) -> None:
    trial = replace(FIRST[0], metadata={"phase": "III", "benchmark_phase": None})
    combine([phase(tmp_path / "a.jsonl", trial), phase(tmp_path / "b.jsonl", *SECOND)], output=out(tmp_path))
    assert next(read_samples(out(tmp_path))).sample.metadata == {"phase": "III", "benchmark_phase": "a"}


def test_what_is_combined_again_keeps_its_first_phase(tmp_path: Path, two: list[Path]) -> None:
    combine(two, output=out(tmp_path))
    third = phase(tmp_path / "three.jsonl", *many(1, prefix="c"))
    result = combine([out(tmp_path), third], output=tmp_path / "three_of_them.jsonl")
    found = [at.sample.metadata["benchmark_phase"] for at in read_samples(result.files.output)]
    assert found == ["one"] * 6 + ["two"] * 2 + ["three"]
    assert result.phases == {"both": 8, "three": 1}


def test_the_manifest_holds_every_sample(tmp_path: Path, two: list[Path]) -> None:
    result = combine(two, output=out(tmp_path))
    assert result.files.manifest == tmp_path / "all" / "both_manifest.csv"
    assert result.files.manifest.read_bytes() == b"".join(manifest_lines((*FIRST, *THREE, *SECOND)))


def test_names_can_be_chosen(tmp_path: Path, two: list[Path]) -> None:
    combine(two, output=tmp_path / "ragas_combined_800.jsonl", manifest=tmp_path / "ragas_manifest_800.csv")
    names = {path.name for path in tmp_path.iterdir()} - {path.name for path in two}
    assert names == {"ragas_combined_800.jsonl", "ragas_manifest_800.csv", "ragas_combined_800.card.json"}


def test_the_card_names_inputs_counts_and_outputs(tmp_path: Path, two: list[Path]) -> None:
    result = combine(two, output=out(tmp_path), beir=tmp_path / "all" / "beir")
    card = read_card(result.files.card)
    digest = {name: hashlib.sha256(data).hexdigest() for name, data in content(tmp_path).items()}
    assert card.inputs == {"phase one": digest["one.jsonl"], "phase two": digest["two.jsonl"]}
    assert card.outputs == {
        name.removeprefix("all/"): value
        for name, value in digest.items()
        if name.startswith("all/") and not name.endswith("card.json")
    }
    by_type = {"doc_type table": 6, "doc_type clean_text": 2}
    by_source = {"source_dataset tatqa": 6, "source_dataset hotpotqa": 2}
    by_phase = {"phase one": 6, "phase two": 2}
    assert card.counts == {"samples": 8, "answerable": 7, "unanswerable": 1} | by_type | by_source | by_phase


def built(path: Path, *samples: Sample, licence: str | None, corpus: Sequence[Document] = ()) -> Path:
    """Write a phase as building does, with a card that lists it."""
    phase(path, *samples)
    outputs = {path.name: "0" * 64}
    if corpus:
        lines = [orjson.dumps({"_id": d.id, "title": d.title, "text": d.text}) for d in corpus]
        (path.parent / "beir").mkdir()
        write_lines(path.parent / "beir/corpus.jsonl", *lines)
        outputs["beir/corpus.jsonl"] = "0" * 64
    write_card(path.parent / "card.json", Card("goldproof.benchmark", 1, {}, {}, licence=licence, outputs=outputs))
    return path


def test_the_card_joins_the_licences_of_the_phases(tmp_path: Path, two: list[Path]) -> None:
    first = built(tmp_path / "p1/p1.jsonl", *FIRST, licence="HotpotQA: CC-BY-SA-4.0; LogQA: not stated")
    second = built(tmp_path / "p2/p2.jsonl", *many(1, prefix="d"), licence="HotpotQA: CC-BY-SA-4.0; TAT-QA: CC-BY-4.0")
    result = combine([first, second, two[1]], output=out(tmp_path))
    both = "HotpotQA: CC-BY-SA-4.0; LogQA: not stated; TAT-QA: CC-BY-4.0; two: unknown"
    assert read_card(result.files.card).licence == both
    # combined again, it is found on the card that combining wrote
    third = built(tmp_path / "p3/p3.jsonl", *many(1, prefix="e"), licence=None)
    again = combine([out(tmp_path), third], output=tmp_path / "again.jsonl")
    assert read_card(again.files.card).licence == f"{both}; p3: unknown"


@pytest.mark.parametrize("text", ['{"name": "not a card"}', "not JSON", None])
def test_a_card_of_something_else_says_nothing_about_a_phase(tmp_path: Path, two: list[Path], text: str | None) -> None:
    if text is None:
        write_card(
            tmp_path / "card.json", Card("goldproof.run", 1, {}, {}, licence="MIT", outputs={"run.trec": "0" * 64})
        )
    else:
        (tmp_path / "card.json").write_text(text)
    result = combine(two, output=out(tmp_path), beir=tmp_path / "beir")
    assert read_card(result.files.card).licence == "one: unknown; two: unknown"


def test_the_same_files_give_the_same_bytes_wherever_they_stand(tmp_path: Path) -> None:
    folders = [tmp_path / "x", tmp_path / "deeper" / "y"]
    for folder in folders:
        paths = [phase(folder / "one.jsonl", *FIRST), phase(folder / "two.jsonl", *SECOND)]
        combine(paths, output=out(folder), beir=folder / "beir")
    assert content(folders[0]) == content(folders[1])


def test_the_same_command_may_be_given_again_but_another_needs_force(tmp_path: Path, two: list[Path]) -> None:
    combine(two, output=out(tmp_path))
    before = content(tmp_path)
    combine(two, output=out(tmp_path))
    assert content(tmp_path) == before
    with pytest.raises(
        ConflictError, match=r"both\.jsonl: holds something else \(settings\.near_duplicates: 0\.85 there, 0\.5 now\)"
    ):
        combine(two, output=out(tmp_path), near_duplicates=0.5)
    assert content(tmp_path) == before
    combine(two, output=out(tmp_path), near_duplicates=0.5, force=True)


def test_files_of_somebody_else_are_not_replaced(tmp_path: Path, two: list[Path]) -> None:
    out(tmp_path).parent.mkdir()
    out(tmp_path).write_text("mine")
    assert "exists already, without a card of this job" in refusal(two)


def test_a_beir_folder_is_rebuilt_from_the_contexts(tmp_path: Path, two: list[Path]) -> None:
    combine(two, output=out(tmp_path), beir=tmp_path / "beir")
    found = validate_file(tmp_path / "beir")
    assert found.ok, found.findings
    dataset = read_dataset(tmp_path / "beir", documents=True)
    assert [q.id for q in dataset.questions] == [s.id for s in (*FIRST, *THREE, *SECOND)]
    assert dataset.judgments.unanswerable == {UNANSWERABLE.id}
    assert dataset.judgments.kernels == {HOPPED.id: HOPPED.kernels}
    texts = {document.id: document.text for document in dataset.documents}
    assert texts["hotpotqa:p3"] == "Nothing to see."
    assert dataset.clusters("benchmark_phase")["b:1"] == "two"


def test_documents_are_taken_once_in_their_longest_version_gold_ones_by_name_at_least() -> None:
    longer = replace(PLAIN, id="x", contexts=("a longer text than the one of the other sample, by far",))
    lost = replace(PLAIN, id="y", contexts=(), context_ids=(), gold_documents=("tatqa:t1", "tatqa:lost"))
    bare = replace(PLAIN, id="z", contexts=("No id.",), context_ids=(), gold_documents=())
    found = list(merged_documents((), lambda: [lost, PLAIN, longer, longer, bare]))
    assert found[:2] == [Document("tatqa:lost", ""), Document("tatqa:t1", longer.contexts[0])]
    assert [(d.id.partition(":")[0], d.text) for d in found[2:]] == [("tatqa", "No id.")]


def test_titles_come_from_the_corpus_that_the_card_of_a_phase_names(tmp_path: Path, two: list[Path]) -> None:
    titled = [Document("a:d0", FIRST[0].contexts[0], title="Report"), Document("a:d9", "Alone.", title="Other")]
    first = built(tmp_path / "p1/p1.jsonl", FIRST[0], licence=None, corpus=titled)
    combine([first, two[1]], output=out(tmp_path), beir=tmp_path / "all" / "docs")
    found = {d.id: d for d in read_dataset(tmp_path / "all" / "docs", documents=True).documents}
    assert [found[document.id] for document in titled] == titled
    assert "b:1" in {q.id for q in read_dataset(tmp_path / "all" / "docs").questions}
    # combined again, titles come from the folder that combining wrote, whatever it is called
    third = phase(tmp_path / "three.jsonl", *many(1, prefix="c"))
    combine([out(tmp_path), third], output=tmp_path / "again.jsonl", beir=tmp_path / "beir")
    again = {d.id: d for d in read_dataset(tmp_path / "beir", documents=True).documents}
    assert [again[document.id] for document in titled] == titled


def test_a_build_is_combined_with_its_titles(tmp_path: Path, two: list[Path]) -> None:
    folder = build("quickstart").save(tmp_path / "quickstart")
    result = combine([folder / "quickstart.jsonl", two[1]], output=out(tmp_path), beir=tmp_path / "beir")
    found = {d.id: d for d in read_dataset(tmp_path / "beir", documents=True).documents}
    corpus = read_dataset(folder / "beir", documents=True).documents
    assert any(document.title for document in corpus)
    assert all(found[document.id] == document for document in corpus)
    assert read_card(result.files.card).licence == f"{read_card(folder / 'card.json').licence}; two: unknown"


def test_where_no_corpus_stands_beside_a_phase_the_lack_of_titles_is_said(tmp_path: Path, two: list[Path]) -> None:
    first = built(tmp_path / "p1/p1.jsonl", FIRST[0], licence=None, corpus=[Document("a:d0", FIRST[0].contexts[0])])
    moved = phase(tmp_path / "moved.jsonl", *many(1, prefix="c"))
    result = combine([first, two[1], moved], output=out(tmp_path), beir=tmp_path / "beir")
    (remark,) = result.remarks
    assert remark.startswith("no corpus file beside two.jsonl, moved.jsonl: in the BEIR folder, documents")
    assert remark.endswith(" have no titles.")
    assert result.to_dict()["remarks"] == list(result.remarks)
    assert combine([first, two[1], moved], output=tmp_path / "plain.jsonl").remarks == ()


def test_the_beir_folder_and_the_card_of_a_phase_are_not_overwritten(tmp_path: Path, two: list[Path]) -> None:
    first = built(tmp_path / "p1/p1.jsonl", FIRST[0], licence=None, corpus=[Document("a:d0", FIRST[0].contexts[0])])
    before = content(tmp_path)
    for output, beir in ((out(tmp_path), first.parent / "beir"), (first.parent / "card.json", tmp_path / "beir")):
        with pytest.raises(InputError, match="is an input or named twice"):
            combine([first, two[1]], output=output, beir=beir, force=True)
    assert content(tmp_path) == before


def test_without_a_gold_document_there_is_no_beir_folder(tmp_path: Path) -> None:
    bare = [replace(s, gold_documents=(), kernels=()) for s in (*FIRST, *SECOND)]
    paths = [phase(tmp_path / "a.jsonl", *bare[:3]), phase(tmp_path / "b.jsonl", *bare[3:])]
    assert "no sample names a gold document" in refusal(paths, beir=tmp_path / "beir")


def test_an_id_that_stands_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    again = replace(FIRST[1], question="Something else entirely, on another day?")
    paths = [phase(tmp_path / "one.jsonl", *FIRST), phase(tmp_path / "two.jsonl", *SECOND, again)]
    assert refusal(paths).splitlines()[:2] == [
        "1 sample repeats another; nothing was written.",
        f"  {paths[1]}:3: id 'a:1' is also in {paths[0]}:2.",
    ]


def test_an_id_that_stands_twice_in_one_file_is_refused_too(tmp_path: Path) -> None:
    paths = [phase(tmp_path / "one.jsonl", *FIRST, FIRST[0]), phase(tmp_path / "two.jsonl", *SECOND)]
    assert f"{paths[0]}:4: id 'a:0' is also in {paths[0]}:1." in refusal(paths)


def test_a_question_that_nearly_repeats_one_of_another_phase_is_refused_with_both_places(tmp_path: Path) -> None:
    near = replace(SECOND[0], question=HOPPED.question.replace("Which river", "Which  river") + " ")
    paths = [phase(tmp_path / "one.jsonl", *FIRST, HOPPED), phase(tmp_path / "two.jsonl", near)]
    _, told, _, advice = refusal(paths).splitlines()
    assert advice == "  Questions that are only alike are allowed with --near-duplicates off."
    assert told == (
        f"  {paths[1]}:1: the question of 'b:0' nearly repeats that of 'hotpotqa:b2' in {paths[0]}:4: {near.question!r}"
    )
    assert len(combine(paths, output=out(tmp_path), near_duplicates=None)) == 5


def test_many_repeats_are_counted_and_the_first_are_named(tmp_path: Path) -> None:
    samples = many(LISTED + 4, prefix="a")
    paths = [phase(tmp_path / "one.jsonl", *samples), phase(tmp_path / "two.jsonl", *samples)]
    first, *listed, more, advice = refusal(paths).splitlines()
    assert first == f"{LISTED + 4} samples repeat another; nothing was written."
    assert len(listed) == LISTED
    assert more == "  ... and 4 more."
    assert advice == "  Leave them out of one of the files; goldproof build --exclude FILE does."


def test_what_was_built_to_exclude_an_earlier_phase_can_be_combined_with_it(tmp_path: Path) -> None:
    """The message above says that --exclude leaves out what combining refuses."""
    source = f"hotpotqa={Path(str(files('goldproof.data'))) / 'quickstart' / 'places.json'}"
    folders: list[Path] = []
    for name in ("first", "second"):
        recipe = quick_recipe(
            sources=[source], quotas=["clean_text=9"], unanswerable="30%", name=name, seed=len(folders)
        )
        earlier = [folder / "first.jsonl" for folder in folders]
        folders.append(build(recipe, exclude=earlier).save(tmp_path / name))
    paths = [folder / f"{folder.name}.jsonl" for folder in folders]
    assert len(combine(paths, output=out(tmp_path))) == 18


def test_what_a_phase_holds_twice_itself_is_its_own_affair_but_still_found_by_later_ones() -> None:
    # b has 3 of 4 words in common with a (0.75), c 3 of 5 with b (0.6), but only 2 of 5 with a (0.4).
    words = ["alpha beta gamma", "alpha beta gamma delta", "beta delta epsilon gamma"]
    a, b, c = (replace(FIRST[0], id=f"q{n}", question=f"{text}?") for n, text in enumerate(words))
    told = {}
    for threshold in (0.6, 0.7):
        repeats = PhaseRepeats(threshold)
        for number, (name, sample) in enumerate([("p1", a), ("p1", b), ("p2", c)], start=1):
            repeats.add(PhaseSample(Phase(name, Path(name)), number, sample))
        told[threshold] = repeats.listed
    assert told[0.7] == []
    (sentence,) = told[0.6]
    assert "'q2' nearly repeats that of 'q1' in p1:2" in sentence


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), max_size=12))
def test_a_question_of_an_earlier_phase_is_found_whatever_stands_between(pairs: list[tuple[int, int]]) -> None:
    # Questions are the same or have nothing in common, so that the plain rule is: the text was in an earlier phase.
    repeats, seen, expected = PhaseRepeats(0.9), set[tuple[int, int]](), 0
    for line, (number, text) in enumerate(sorted(pairs, key=lambda pair: pair[0])):
        sample = replace(PLAIN, id=f"s{line}", question="word" + "x" * text + "?")
        repeats.add(PhaseSample(Phase(f"p{number}", Path("f")), line, sample))
        expected += any((earlier, text) in seen for earlier in range(number))
        seen.add((number, text))
    assert repeats.total == expected


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = [phase(tmp_path / "p1" / "b.jsonl", *FIRST), phase(tmp_path / "p2" / "b.jsonl", *SECOND)]
    assert combine(paths, output=out(tmp_path)).phases == {"p1/b": 3, "p2/b": 2}


def test_a_file_from_elsewhere_with_the_common_fields_only_can_be_combined(tmp_path: Path) -> None:
    record = {
        k: v for k, v in orjson.loads(sample_line(PLAIN)).items() if k in list(orjson.loads(sample_line(PLAIN)))[:10]
    }
    other = write_lines(tmp_path / "other.jsonl", orjson.dumps(record))
    result = combine([phase(tmp_path / "one.jsonl", *SECOND), other], output=out(tmp_path), beir=tmp_path / "beir")
    assert result.phases == {"one": 2, "other": 1}
    assert validate_file(tmp_path / "beir").ok


@pytest.mark.parametrize(
    ("output", "manifest"),
    [("one.jsonl", None), ("new.jsonl", "two.jsonl"), ("new.jsonl", "new.jsonl"), ("new.jsonl", "new.card.json")],
)
def test_no_input_is_overwritten_and_no_output_twice(
    tmp_path: Path, two: list[Path], output: str, manifest: str | None
) -> None:
    before = content(tmp_path)
    named = None if manifest is None else tmp_path / "sub" / ".." / manifest
    (tmp_path / "sub").mkdir()
    with pytest.raises(InputError, match="is an input or named twice"):
        combine(two, output=tmp_path / output, manifest=named, force=True)
    assert content(tmp_path) == before


def test_a_damaged_line_is_named_and_nothing_is_written(tmp_path: Path, two: list[Path]) -> None:
    two[1].write_bytes(two[1].read_bytes() + b'{"id": 4\n')
    with pytest.raises(FileFormatError, match=r"two\.jsonl:3: is not JSON"):
        combine(two, output=out(tmp_path))
    assert not out(tmp_path).parent.exists()


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([], "there is 0 benchmark to combine"),
        (["one"], "there is 1 benchmark to combine"),
        (["one", "one"], "is given twice"),
        (["one", "none"], "no such file"),
    ],
)
def test_two_different_files_are_needed(tmp_path: Path, two: list[Path], names: list[str], problem: str) -> None:
    assert len(two) == 2
    with pytest.raises(InputError, match=problem):
        combine([tmp_path / f"{name}.jsonl" for name in names], output=out(tmp_path))


@pytest.mark.parametrize("threshold", [0, -1, 1.5])
def test_a_similarity_is_above_0_and_at_most_1(two: list[Path], threshold: float) -> None:
    assert "expected a similarity above 0" in refusal(two, near_duplicates=threshold)


def test_outputs_that_would_be_one_file_of_the_beir_folder_are_refused(tmp_path: Path, two: list[Path]) -> None:
    folder = tmp_path / "beir"
    with pytest.raises(InputError, match="named twice"):
        combine(two, output=folder / "corpus.jsonl", beir=folder)
    with pytest.raises(InputError, match="named twice"):
        combine(two, output=out(tmp_path), manifest=folder / "queries.jsonl", beir=folder)
    assert not folder.exists()


def test_an_id_that_no_qrels_can_hold_is_found_before_anything_is_written(tmp_path: Path, two: list[Path]) -> None:
    odd = phase(tmp_path / "odd.jsonl", replace(PLAIN, id="a b\tc", question="Something else, on another day?"))
    with pytest.raises(InputError, match="cannot be written to qrels"):
        combine([two[0], odd], output=out(tmp_path), beir=tmp_path / "beir")
    assert not out(tmp_path).exists()
    assert not (tmp_path / "beir").exists()


def test_a_link_to_a_benchmark_is_followed_to_its_corpus(tmp_path: Path, two: list[Path]) -> None:
    built = build("quickstart").save(tmp_path / "quickstart")
    link = tmp_path / "link.jsonl"
    link.symlink_to(built / "quickstart.jsonl")
    combine([link, two[1]], output=out(tmp_path), beir=tmp_path / "beir")
    assert any(document.title for document in read_dataset(tmp_path / "beir", documents=True).documents)
