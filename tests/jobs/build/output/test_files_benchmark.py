"""The files of a benchmark: hashes as written, gold documents as qrels, kernels where several documents are needed."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.io import read_dataset
from goldproof.jobs.build.output.files import (
    BenchmarkNames,
    judged_question,
    manifest_lines,
    needed_sets,
    read_samples,
    write_benchmark,
)
from goldproof.jobs.validate import validate_file
from tests.jobs.build.samples import HOPPED, PLAIN, THREE, UNANSWERABLE, documents_of

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.build.records import Sample

NAMES = BenchmarkNames("small.jsonl", "small_manifest.csv")


def write(folder: Path, *samples: Sample) -> dict[str, str]:
    return write_benchmark(folder, names=NAMES, samples=lambda: samples, documents=lambda: documents_of(*samples))


def test_every_file_is_listed_with_its_sha256(tmp_path: Path) -> None:
    written = write(tmp_path, *THREE)
    assert list(written) == [
        *("small.jsonl", "small_manifest.csv"),
        *("beir/corpus.jsonl", "beir/queries.jsonl", "beir/qrels/test.tsv", "beir/kernels.jsonl"),
    ]
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert files == set(written)
    for name, digest in written.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest


def test_benchmark_and_manifest_hold_the_samples_in_their_order(tmp_path: Path) -> None:
    write(tmp_path, *THREE)
    assert [at.sample for at in read_samples(tmp_path / "small.jsonl")] == list(THREE)
    assert (tmp_path / "small_manifest.csv").read_bytes() == b"".join(manifest_lines(THREE))


def test_the_beir_folder_is_a_dataset_with_answers_marks_and_kernels(tmp_path: Path) -> None:
    write(tmp_path, *THREE)
    dataset = read_dataset(tmp_path / "beir", documents=True)
    assert validate_file(tmp_path / "beir").ok
    assert [q.answer for q in dataset.questions] == ["12.5", "the Tamble", None]
    assert dataset.judgments.unanswerable == {UNANSWERABLE.id}
    assert dataset.judgments.kernels == {HOPPED.id: (("hotpotqa:p1", "hotpotqa:p2"),)}
    assert (tmp_path / "beir/qrels/test.tsv").read_text().splitlines()[1:] == [
        "tatqa:a1\ttatqa:t1\t1",
        "hotpotqa:b2\thotpotqa:p1\t1",
        "hotpotqa:b2\thotpotqa:p2\t1",
    ]


@pytest.mark.parametrize(
    ("field", "clusters"),
    [
        ("doc_type", ["table", "clean_text", "clean_text"]),
        ("source_dataset", ["tatqa", "hotpotqa", "hotpotqa"]),
        ("difficulty", ["D1", "D2", "D3"]),
        ("company", ["Acme"]),
    ],
)
def test_questions_cluster_by_our_fields_and_by_those_of_the_dataset(
    tmp_path: Path, field: str, clusters: list[str]
) -> None:
    write(tmp_path, *THREE)
    assert list(read_dataset(tmp_path / "beir").clusters(field).values()) == clusters


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (PLAIN, ()),
        (HOPPED, (("hotpotqa:p1", "hotpotqa:p2"),)),
        (UNANSWERABLE, ()),
        (replace(HOPPED, kernels=()), (("hotpotqa:p1", "hotpotqa:p2"),)),
        (replace(PLAIN, kernels=()), ()),
        (replace(HOPPED, kernels=(("hotpotqa:p1",), ("hotpotqa:p2",))), (("hotpotqa:p1",), ("hotpotqa:p2",))),
    ],
)
def test_kernels_stand_where_one_document_alone_does_not_settle_it(
    sample: Sample, expected: tuple[tuple[str, ...], ...]
) -> None:
    assert needed_sets(sample) == expected


def test_metadata_of_the_dataset_do_not_hide_our_fields_or_contradict_the_mark() -> None:
    odd = replace(UNANSWERABLE, metadata={"answerable": True, "doc_type": "other", "page": 3})
    metadata = judged_question(odd).question.metadata
    assert "answerable" not in metadata
    assert (metadata["doc_type"], metadata["page"]) == ("clean_text", 3)


def test_the_same_samples_give_the_same_bytes(tmp_path: Path) -> None:
    assert write(tmp_path / "a", *THREE) == write(tmp_path / "b", *THREE)


@pytest.mark.parametrize("manifest", ["x.csv", "X.CSV"])
def test_benchmark_and_manifest_need_two_names(manifest: str) -> None:
    with pytest.raises(InputError, match=r"are both called 'x\.csv'"):
        BenchmarkNames("x.csv", manifest)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "has no name; expected one such as small{ending}."),
        ("  ", "has no name; expected one such as small{ending}."),
        *(
            (name, "expected the name of a file, without a folder, a colon or a line break.")
            for name in ("../x{ending}", "/x{ending}", "a/x{ending}", "a\\x{ending}", "C:x{ending}", "x\n{ending}")
        ),
        *(
            (name, "which is the name of another file of the folder; give it a name of its own.")
            for name in ("card.json", "RUN.JSON", "Distribution.json", "distribution.svg", "report.md", "beir", "BEIR")
        ),
        *(
            (name, "expected a name that does not begin with a point, since such files are hidden.")
            for name in ("..", "{ending}", ".x{ending}")
        ),
        *(
            (name, "expected a name that ends in {ending}, since it is written as plain text.")
            for name in ("x", "x{ending}.gz", "x.json", "x.txt")
        ),
    ],
)
def test_a_name_that_would_destroy_something_is_refused_in_one_sentence(name: str, problem: str) -> None:
    for what, ending in (("the benchmark", ".jsonl"), ("the manifest", ".csv")):
        named = name.format(ending=ending)
        with pytest.raises(InputError) as raised:
            BenchmarkNames(*((named, "m.csv") if ending == ".jsonl" else ("b.jsonl", named)))
        said = str(raised.value)
        assert said.startswith(what)
        assert said.endswith(problem.format(ending=ending))
        assert not named.strip() or repr(named) in said


def test_a_name_may_have_points_and_blanks() -> None:
    assert BenchmarkNames("my set v1.2.jsonl", "card.json.csv").output == "my set v1.2.jsonl"
