"""`check_benchmark`: a benchmark as written passes; each kind of damage is said, and nothing raises."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karat.core.records import Card
from karat.io import sha256_file, write_card, write_json
from karat.jobs.build.checking.checking import CheckReport, check_benchmark
from karat.jobs.build.checking.problems import LISTED
from karat.jobs.build.example import Evidence
from karat.jobs.build.output.benchmark_files import BenchmarkNames, write_benchmark
from karat.jobs.build.output.distribution import Distribution
from karat.jobs.build.output.distribution_report import BuildReport, write_distribution
from karat.jobs.build.output.sample_lines import sample_line
from tests.jobs.build.samples import HOPPED, PLAIN, THREE, UNANSWERABLE, documents_of, many

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from karat.core.records import Document
    from karat.jobs.build.sample import Sample

COUNTS = {"samples": 3, "answerable": 2, "unanswerable": 1, "documents": 4}
TARGETS = {"doc_type": {"table": 2, "clean_text": 2}}


def build(
    folder: Path,
    samples: Sequence[Sample] = THREE,
    *,
    documents: Sequence[Document] | None = None,
    counts: dict[str, int] = COUNTS,
) -> Path:
    names = BenchmarkNames("small.jsonl", "small_manifest.csv")
    found = documents_of(*samples) if documents is None else documents
    written = write_benchmark(folder, names=names, samples=lambda: samples, documents=lambda: found)
    written |= write_distribution(folder, BuildReport("small", 1, Distribution.of(samples, TARGETS)))
    card(folder, outputs=written, counts=counts)
    return folder


def card(folder: Path, *, outputs: dict[str, str], counts: dict[str, int] = COUNTS, finished: bool = True) -> None:
    made = Card("karat.benchmark", 1, {"tatqa": "0" * 64}, {}, counts=counts, outputs=outputs)
    write_card(folder / "card.json", made, finished=finished)


def rehash(folder: Path) -> None:
    """Let the card agree with the files, so that only what they say is wrong."""
    outputs = orjson.loads((folder / "card.json").read_bytes())["outputs"]
    card(folder, outputs={name: sha256_file(folder / name) for name in outputs})


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
    assert str(report) == f"{folder}: 3 samples, 9 files: all is as the card says"


def test_a_report_says_the_same_in_json(folder: Path) -> None:
    (folder / "small.jsonl").unlink()
    report = check_benchmark(folder)
    found = report.to_dict()
    assert (found["ok"], found["n_problems"], found["problems"]) == (False, report.n_problems, list(report.problems))


def test_a_changed_byte_is_found_by_its_hash(folder: Path) -> None:
    edit(folder / "report.md", "seed 1", "seed 2")
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
        "small.jsonl:2: sample 'tatqa:a1' stands on line 1 already.",
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
    lines = [sample_line(sample if one.id == sample.id else one) for one in THREE]
    (folder / "small.jsonl").write_bytes(b"".join(lines))
    rehash(folder)
    assert any(found.endswith(problem) for found in check_benchmark(folder).problems)


def test_totals_are_those_of_the_card(tmp_path: Path) -> None:
    found = check_benchmark(build(tmp_path, counts=COUNTS | {"samples": 4, "unanswerable": 2, "documents": 5})).problems
    assert "small.jsonl: holds 3 samples, but the card says 4." in found
    assert "small.jsonl: holds 1 unanswerable samples, but the card says 2." in found
    found = check_benchmark(build(tmp_path / "b", counts=COUNTS | {"documents": 5})).problems
    assert found == ("beir/corpus.jsonl: holds 4 documents, but the card says 5.",)


def test_an_unfinished_build_is_said(folder: Path) -> None:
    card(folder, outputs={}, finished=False)
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
        f"{tmp_path / 'none'}: is not a folder, expected one that karat build wrote.",
    )


def test_of_many_problems_the_first_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    samples = many(LISTED + 10)
    build(tmp_path, samples, documents=[*documents_of(samples[0])], counts={})
    report = check_benchmark(tmp_path)
    assert (len(report.problems), report.n_problems) == (LISTED, LISTED + 9)  # all but the first name a lost document
    assert str(report).endswith("  ... and 9 more")


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
