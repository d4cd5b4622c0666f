"""`check_benchmark`: a benchmark as written passes; each kind of damage is said, and nothing raises."""

from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.io import read_card, sha256_file, write_card, write_json
from goldproof.jobs.build.output.check import CheckReport, check_benchmark
from goldproof.jobs.build.output.check_files import LISTED
from goldproof.jobs.build.output.files import BenchmarkNames, sample_line, write_benchmark
from goldproof.jobs.build.output.report import BuildReport, Distribution, write_distribution
from goldproof.jobs.build.recipe import Quota, Recipe, Unanswerable, distribution_targets
from goldproof.jobs.build.records import Evidence
from goldproof.records.entities import Card
from tests.jobs.build.samples import HOPPED, PLAIN, UNANSWERABLE, documents_of, many

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from goldproof.jobs.build.records import Sample
    from goldproof.records.entities import Document

# Of the three samples two are of hotpotqa, one of them unanswerable; the answer of the third was looked for.
SAMPLES = (replace(PLAIN, metadata={**PLAIN.metadata, "answer_in_gold": "present"}), HOPPED, UNANSWERABLE)
COUNTS = {
    "samples": 3,
    "answerable": 2,
    "unanswerable": 1,
    "documents": 4,
    "answer in gold documents: present": 1,
    "tatqa: records read": 9,
    "tatqa: used": 1,
    "hotpotqa: used": 2,
}
RECIPE = Recipe(
    "small",
    sources=(),
    quotas=(Quota("table", 2), Quota("clean_text", 2, {"multihop": 2})),
    difficulty={"D1": Fraction(1, 2), "D2": Fraction(1, 2), "D3": Fraction(0)},
    unanswerable=Unanswerable(Fraction(1, 4), {"entity_swap": Fraction(1)}),
    seed=1,
)
# As building writes them.
SETTINGS: dict[str, object] = {
    "name": "small",
    "output": "small.jsonl",
    "manifest": "small_manifest.csv",
    "quotas": [
        {"doc_type": "table", "total": 2, "question_types": {}},
        {"doc_type": "clean_text", "total": 2, "question_types": {"multihop": 2}},
    ],
    "difficulty": {"D1": "1/2", "D2": "1/2", "D3": "0"},
    "unanswerable": {"share": "1/4", "methods": {"entity_swap": "1"}, "borrow": False},
}


def build(
    folder: Path,
    samples: Sequence[Sample] = SAMPLES,
    *,
    names: tuple[str, str] = ("small.jsonl", "small_manifest.csv"),
    documents: Sequence[Document] | None = None,
    counts: dict[str, int] = COUNTS,
) -> Path:
    found = documents_of(*samples) if documents is None else documents
    written = write_benchmark(folder, names=BenchmarkNames(*names), samples=lambda: samples, documents=lambda: found)
    report = BuildReport("small", 1, Distribution.of(samples, distribution_targets(RECIPE)))
    written |= write_distribution(folder, report)
    settings = SETTINGS | {"output": names[0], "manifest": names[1]}
    made = Card("goldproof.benchmark", 1, {"tatqa": "0" * 64}, settings, seed=1, counts=counts, outputs=written)
    write_card(folder / "card.json", made)
    return folder


def change_card(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    card = orjson.loads((folder / "card.json").read_bytes())
    change(card)
    write_json(folder / "card.json", card)


def rehash(folder: Path) -> None:
    """Let the card agree with the files, so that only what they say is wrong."""
    change_card(
        folder, lambda card: card.update(outputs={name: sha256_file(folder / name) for name in card["outputs"]})
    )


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return shutil.copytree(built, tmp_path / "copy")


def test_a_benchmark_as_it_was_written_passes(folder: Path) -> None:
    report = check_benchmark(folder)
    assert report == CheckReport(folder, files=9, samples=3)
    assert report.ok
    assert str(report) == f"{folder}: 3 samples, 9 files: everything matches the card"


def test_a_report_says_the_same_in_json(folder: Path) -> None:
    (folder / "small.jsonl").unlink()
    report = check_benchmark(folder)
    found = report.to_dict()
    assert (found["ok"], found["n_problems"], found["problems"]) == (False, report.n_problems, list(report.problems))


def test_a_changed_byte_is_found_by_its_hash(folder: Path) -> None:
    edit(folder / "report.md", "### Document types", "### Kinds")
    (problem,) = check_benchmark(folder).problems
    assert problem.startswith("report.md: has the sha256 ")
    assert problem.endswith("...: it was changed.")


@pytest.mark.parametrize("name", ["small.jsonl", "small_manifest.csv", "beir/corpus.jsonl", "distribution.json"])
def test_a_missing_file_is_named_once(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert check_benchmark(folder).problems == (f"{name}: no such file.",)


def test_a_file_beside_the_benchmark_is_noted_and_one_in_the_beir_folder_is_a_problem(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    (folder / "run.json").write_text("{}")
    (folder / ".hidden").write_text("")
    report = check_benchmark(folder)
    assert report.ok
    assert report.notes == ("notes.txt: not part of the benchmark.",)
    (folder / "beir/qrels/dev.tsv").write_text("q\td\t1\n")
    assert check_benchmark(folder).problems == (
        "beir/qrels/dev.tsv: is not a file of this benchmark, but would be read with it.",
    )


CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "line": (
        lambda f: edit(f / "small.jsonl", '"contexts":["|', '"contexts":7,"x":["|'),
        "small.jsonl:1: key 'contexts' is a number, expected a list of texts.",
    ),
    "id twice": (
        lambda f: edit(f / "small.jsonl", '{"id":"hotpotqa:b2"', '{"id":"tatqa:a1"'),
        "small.jsonl:2: sample 'tatqa:a1' is already on line 1.",
    ),
    "manifest": (
        lambda f: edit(f / "small_manifest.csv", "D2,true", "D1,true"),
        (
            "small_manifest.csv:3: says hotpotqa:b2,clean_text,multihop,D1,true,hotpotqa,b2, expected"
            " hotpotqa:b2,clean_text,multihop,D2,true,hotpotqa,b2, as the benchmark has it."
        ),
    ),
    "qrels": (
        lambda f: edit(f / "beir/qrels/test.tsv", "hotpotqa:b2\thotpotqa:p2\t1\n", ""),
        "beir/qrels/test.tsv:4: says nothing, expected hotpotqa:b2\thotpotqa:p2\t1, as the benchmark has it.",
    ),
    "unanswerable judged": (
        lambda f: edit(
            f / "beir/qrels/test.tsv",
            "b2\thotpotqa:p2\t1\n",
            f"b2\thotpotqa:p2\t1\n{UNANSWERABLE.id}\thotpotqa:p1\t1\n",
        ),
        f"beir/qrels/test.tsv:5: says {UNANSWERABLE.id}\thotpotqa:p1\t1, expected nothing, as the benchmark has it.",
    ),
    "corpus": (
        lambda f: edit(f / "beir/corpus.jsonl", '"_id":"hotpotqa:p1"', '"_id":"hotpotqa:p9"'),
        "small.jsonl:2: sample 'hotpotqa:b2' names the document 'hotpotqa:p1', which is not in the corpus.",
    ),
    "text": (
        lambda f: edit(f / "beir/corpus.jsonl", "| Year | Revenue |\\n| 2019 | 12.5 |", "cut off"),
        "small.jsonl:1: sample 'tatqa:a1' has evidence up to character 34 of 'tatqa:t1', whose text has 7.",
    ),
    "context": (
        lambda f: edit(f / "beir/corpus.jsonl", "Nothing to see.", "Something to see."),
        (
            "small.jsonl:2: sample 'hotpotqa:b2' has a context of 'hotpotqa:p3' that is not the text of that document"
            " in the corpus."
        ),
    ),
    "distribution": (
        lambda f: edit(
            f / "distribution.json", '"actual": 1,\n        "shortfall": 1', '"actual": 2,\n        "shortfall": 0'
        ),
        "distribution.json: doc_type table: actual is 2, but the samples make it 1.",
    ),
    "no distribution": (
        lambda f: write_json(f / "distribution.json", [1]),
        "distribution.json: is not a distribution, expected an object with groups.",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_files_that_disagree_are_named_even_where_the_card_agrees_with_each(folder: Path, change: str) -> None:
    damage, problem = CHANGES[change]
    damage(folder)
    rehash(folder)
    report = check_benchmark(folder)
    assert not report.ok
    assert problem in report.problems


@pytest.mark.parametrize(
    ("sample", "problem"),
    [
        (replace(UNANSWERABLE, ground_truth="x"), "is unanswerable, but has an answer or gold documents."),
        (
            replace(HOPPED, kernels=(("hotpotqa:p3",),)),
            "has 'hotpotqa:p3' in a kernel, but not among its gold documents.",
        ),
        (
            replace(PLAIN, evidence=(Evidence("tatqa:t2", 0, 1),)),
            "has evidence in 'tatqa:t2', which is not among its gold documents.",
        ),
    ],
)
def test_a_sample_that_contradicts_itself_is_named(folder: Path, sample: Sample, problem: str) -> None:
    lines = [sample_line(sample if one.id == sample.id else one) for one in SAMPLES]
    (folder / "small.jsonl").write_bytes(b"".join(lines))
    rehash(folder)
    assert any(found.endswith(problem) for found in check_benchmark(folder).problems)


CARD_CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "seed": (
        lambda card: card.update(seed=2),
        "report.md:3: says '3 samples of 4 wanted; seed 1.', expected it to end with '; seed 2.', as the card has it.",
    ),
    "name": (
        lambda card: card["settings"].update(name="large"),
        "report.md:1: says '# small', expected it to end with '# large', as the card has it.",
    ),
    "quota": (
        lambda card: card["settings"]["quotas"][0].update(total=3),
        "distribution.json: doc_type table: target is 2, but the settings of the card make it 3.",
    ),
    "question type": (
        lambda card: card["settings"]["quotas"][1].update(question_types={}),
        "distribution.json: question_type clean_text/multihop: target is 2, but the settings of the card make it None.",
    ),
    "difficulty": (
        lambda card: card["settings"].update(difficulty={"D1": "1", "D2": "0", "D3": "0"}),
        "distribution.json: difficulty table/D1: target is 1, but the settings of the card make it 2.",
    ),
    "no difficulty": (
        lambda card: card["settings"].update(difficulty=None),
        "distribution.json: difficulty table/D1: target is 1, but the settings of the card make it None.",
    ),
    "unanswerable": (
        lambda card: card["settings"]["unanswerable"].update(share="1/2"),
        "distribution.json: answerable false: target is 1, but the settings of the card make it 2.",
    ),
    "no quotas": (
        lambda card: card["settings"].pop("quotas"),
        "card.json: has settings without the quotas, difficulty and unanswerable of a recipe.",
    ),
    "no share": (
        lambda card: card["settings"]["unanswerable"].update(share="a tenth"),
        "card.json: has settings without the quotas, difficulty and unanswerable of a recipe.",
    ),
    "used": (
        lambda card: card["counts"].update({"hotpotqa: used": 1}),
        "card.json: says 1 for 'hotpotqa: used', but the benchmark makes it 2.",
    ),
    "used in all": (
        lambda card: card["counts"].update({"logqa: used": 5}),
        "card.json: counts 8 samples used, over all sources, but the benchmark holds 3.",
    ),
    "verdict": (
        lambda card: card["counts"].update({"answer in gold documents: absent": 1}),
        "card.json: says 1 for 'answer in gold documents: absent', but the benchmark makes it 0.",
    ),
    "no verdict": (
        lambda card: card["counts"].pop("answer in gold documents: present"),
        "card.json: says 0 for 'answer in gold documents: present', but the benchmark makes it 1.",
    ),
    "no total": (
        lambda card: card["counts"].pop("samples"),
        "small.jsonl: holds 3 samples, but the card says None.",
    ),
    "no documents": (
        lambda card: card["counts"].pop("documents"),
        "beir/corpus.jsonl: holds 4 documents, but the card says None.",
    ),
    "another benchmark": (
        lambda card: card["settings"].update(output="large.jsonl"),
        "card.json: names large.jsonl, but does not list it, so the contents were not compared.",
    ),
}


@pytest.mark.parametrize("change", CARD_CHANGES)
def test_a_card_that_says_something_else_than_the_files_is_found(folder: Path, change: str) -> None:
    edit_card, problem = CARD_CHANGES[change]
    change_card(folder, edit_card)
    assert problem in check_benchmark(folder).problems


def test_a_source_that_is_read_twice_counts_with_both_parts(folder: Path) -> None:
    def halve(card: dict[str, Any]) -> None:
        del card["counts"]["hotpotqa: used"]
        card["counts"] |= {"hotpotqa-1: used": 1, "hotpotqa-2: used": 1}

    change_card(folder, halve)
    assert check_benchmark(folder).ok


def test_the_card_says_which_file_is_which(tmp_path: Path) -> None:
    build(tmp_path, names=("samples.jsonl", "all.csv"))
    (tmp_path / "extra.csv").write_text("a,b\n")
    change_card(tmp_path, lambda card: card["outputs"].update({"extra.csv": sha256_file(tmp_path / "extra.csv")}))
    assert check_benchmark(tmp_path).ok
    edit(tmp_path / "all.csv", "D2,true", "D1,true")
    assert any(problem.startswith("all.csv:3: says ") for problem in check_benchmark(tmp_path).problems)


def test_where_the_card_says_null_the_names_are_guessed(folder: Path) -> None:
    change_card(folder, lambda card: card["settings"].update(output=None, manifest=None))
    assert check_benchmark(folder) == CheckReport(folder, files=9, samples=3)


def test_of_a_long_line_the_part_around_the_first_difference_is_shown(folder: Path) -> None:
    edit(folder / "beir/queries.jsonl", "birthplace of Bo Brown", "birthplace of Bo Browne")
    (problem,) = [one for one in check_benchmark(folder).problems if one.startswith("beir/queries.jsonl:3:")]
    said, expected = problem.removesuffix(", as the benchmark has it.").split(" says ")[1].split(", expected ")
    assert "of Bo Browne?" in said
    assert "of Bo Brown?" in expected
    assert said.startswith("...")
    assert all(len(part) <= 106 for part in (said, expected))


def test_line_ends_are_compared_too_and_shown(folder: Path) -> None:
    manifest = folder / "small_manifest.csv"
    whole = manifest.read_bytes()
    manifest.write_bytes(whole.replace(b"\n", b"\r\n"))
    rehash(folder)
    (problem,) = check_benchmark(folder).problems
    assert problem.startswith("small_manifest.csv:1: says id,")
    assert "original_id\\r, expected" in problem
    manifest.write_bytes(whole[:-1])
    rehash(folder)
    (problem,) = check_benchmark(folder).problems
    assert problem.endswith("hotpotqa,b2\\n, as the benchmark has it.")


def test_totals_are_those_of_the_card(tmp_path: Path) -> None:
    found = check_benchmark(build(tmp_path, counts=COUNTS | {"samples": 4, "unanswerable": 2, "documents": 5})).problems
    assert "small.jsonl: holds 3 samples, but the card says 4." in found
    assert "small.jsonl: holds 1 unanswerable samples, but the card says 2." in found
    assert "beir/corpus.jsonl: holds 4 documents, but the card says 5." in found
    found = check_benchmark(build(tmp_path / "b", counts=COUNTS | {"documents": 5})).problems
    assert found == ("beir/corpus.jsonl: holds 4 documents, but the card says 5.",)


def test_an_unfinished_build_is_said(folder: Path) -> None:
    write_card(folder / "card.json", read_card(folder / "card.json"), finished=False)
    assert check_benchmark(folder).problems == ("card.json: the build was not finished; run the same command again.",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "card.json: no such file."),
        ("", "card.json: is not JSON"),
        ("[]", "card.json: is not a card: expected a JSON object."),
        ("{}", "card.json: is not a card: no key 'schema'."),
        (
            '{"schema": "x", "schema_version": 1, "inputs": {}, "settings": {}}',
            "card.json: lists no outputs, so there is nothing to check against.",
        ),
        (
            '{"schema": "x", "schema_version": 1, "inputs": {}, "settings": {}, "outputs": {"report.md": 5}}',
            "card.json: lists no benchmark with its manifest",
        ),
    ],
)
def test_a_card_that_says_nothing_is_said(folder: Path, text: str | None, problem: str) -> None:
    if text is None:
        (folder / "card.json").unlink()
    else:
        (folder / "card.json").write_text(text)
    # a file that is not one JSON document is named with its line
    assert any(
        found.replace("card.json:1:", "card.json:").startswith(problem) for found in check_benchmark(folder).problems
    )


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    assert check_benchmark(tmp_path / "none").problems == (
        f"{tmp_path / 'none'}: is not a folder, expected one that goldproof build wrote.",
    )


def test_of_many_problems_the_first_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    samples = many(LISTED + 10)
    size = len(samples)
    counts = {"samples": size, "answerable": size, "unanswerable": 0, "documents": 1, "tatqa: used": size}
    build(tmp_path, samples, documents=[*documents_of(samples[0])], counts=counts)
    report = check_benchmark(tmp_path)
    assert (len(report.problems), report.n_problems) == (LISTED, LISTED + 9)  # all but the first name a lost document
    assert str(report).endswith("  ... and 9 more")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_damage_of_the_card_raises(
    built: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = shutil.copytree(built, tmp_path_factory.mktemp("damaged") / "copy")
    card = orjson.loads((folder / "card.json").read_bytes())
    into, key = card, data.draw(st.sampled_from(sorted(card)))
    while isinstance(into[key], dict) and into[key] and data.draw(st.booleans()):  # down to any depth
        into = into[key]
        key = data.draw(st.sampled_from(sorted(into)))
    into[key] = data.draw(st.sampled_from([None, 7, -1, 0.5, "x", "1/0", [], ["a"], {}, {"a": None}, True]))
    write_json(folder / "card.json", card)
    str(check_benchmark(folder))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_damage_raises_and_none_passes(
    built: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = shutil.copytree(built, tmp_path_factory.mktemp("damaged") / "copy")
    names = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "card.json")
    path = data.draw(st.sampled_from(names))
    content = bytearray(path.read_bytes())
    start = data.draw(st.integers(0, len(content) - 1))
    end = data.draw(st.integers(start, min(start + 40, len(content))))
    patch = data.draw(st.binary(max_size=6))
    damaged = bytes(content[:start]) + patch + bytes(content[end:])
    path.write_bytes(damaged)
    report = check_benchmark(folder)
    assert report.ok == (damaged == bytes(content))
    rehash(folder)
    str(check_benchmark(folder))
