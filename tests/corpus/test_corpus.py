"""Corpora by spec."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.corpus.corpus import CORPORA, open_corpus
from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io import read_dataset
from goldproof.plugins import split_options
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from pathlib import Path

RECORDS: list[dict[str, object]] = [
    {"_id": "a", "text": "one", "title": "A", "year": 1999},
    {"_id": "b", "text": "two"},
]


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_options_are_cut_off_only_where_they_look_like_options() -> None:
    assert split_options("folder:a#size=5,by=size") == ("folder:a", {"size": "5", "by": "size"})
    assert split_options("folder:c#") == ("folder:c#", {})
    assert split_options("folder:my#dir/x") == ("folder:my#dir/x", {})
    assert split_options("folder:my#dir#size=5") == ("folder:my#dir", {"size": "5"})


def test_a_path_that_ends_like_options_is_a_path_where_it_exists(tmp_path: Path) -> None:
    folder = tmp_path / "x#size=3"
    folder.mkdir()
    (folder / "a.md").write_text("hello")
    assert len(open_corpus(folder)) == 1


@pytest.mark.parametrize("name", ["docs.jsonl", "docs.json", "docs.jsonl.gz", "docs.parquet", "docs.csv"])
def test_records_of_every_format_become_documents(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        pl.DataFrame(RECORDS).write_parquet(path)
    elif name.endswith("csv"):
        path.write_text("_id,text,title,year\na,one,A,1999\nb,two,,\n")
    elif name.endswith("gz"):
        path.write_bytes(gzip.compress(lines(*RECORDS).encode()))
    else:
        path.write_text(json.dumps(RECORDS) if name.endswith("json") else lines(*RECORDS))
    corpus = open_corpus(f"jsonl:{path}")
    assert [(d.id, d.text, d.title) for d in corpus.documents] == [("a", "one", "A"), ("b", "two", "")]
    assert str(corpus.documents[0].metadata["year"]) == "1999"
    assert open_corpus(path).key() == corpus.key()
    assert (corpus.facts["documents"], corpus.remarks) == (2, ())


def test_a_metadata_field_is_the_metadata(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(lines({"id": 7, "text": "x", "metadata": {"lang": "en"}, "other": 1}))
    assert open_corpus(path).documents == (Document("7", "x", "", {"lang": "en"}),)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"text": "x"}, "no key '_id'"),
        ({"_id": "z"}, r"no key 'text' \(found _id\)"),
        ({"_id": "z", "text": 3}, "key 'text' is a number"),
        ({"_id": "a", "text": "x"}, "document 'a' occurs twice"),
    ],
)
def test_bad_records_are_named_with_their_line(record: dict[str, object], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(lines(RECORDS[0], record))
    with pytest.raises(FileFormatError, match=problem) as raised:
        open_corpus(path)
    assert raised.value.line == 2


def test_documents_without_text_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(lines(RECORDS[0], {"_id": "e", "text": " "}, {"_id": "f", "text": None}))
    assert open_corpus(path).remarks == ("2 documents have no text (the first: e).",)


def test_a_beir_folder_needs_nothing_but_its_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(lines(*RECORDS))
    for spec in (str(tmp_path), f"beir:{tmp_path}", tmp_path, f"dataset:{tmp_path}"):
        assert len(open_corpus(spec)) == 2
    assert open_corpus(tmp_path).facts["kind"] == "beir"


def test_the_documents_of_a_yaml_dataset_are_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "retrieval_dataset.yaml"
    path.write_text("pairs:\n - {id: q, query: x, positive_ctxs: [{fqn: m.f, text: body}]}\n")
    for spec in (f"dataset:{path}", str(path), f"dataset:{tmp_path}", str(tmp_path)):
        assert [d.id for d in open_corpus(spec).documents] == ["m.f"]


def test_judgments_alone_are_no_corpus(tmp_path: Path) -> None:
    path = tmp_path / "x.qrels"
    path.write_text("q 0 d 1\n")
    with pytest.raises(FileFormatError, match="holds no documents"):
        open_corpus(f"dataset:{path}")


def test_a_single_text_file_is_cut_like_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text("# A\n# B\n")
    assert [d.id for d in open_corpus(f"{path}#size=100").documents] == ["guide.md#a", "guide.md#b"]


def test_every_kind_of_file_has_its_sha256_in_the_facts(tmp_path: Path) -> None:
    (tmp_path / "beir" / "qrels").mkdir(parents=True)
    searched = {
        "beir:beir": tmp_path / "beir" / "corpus.jsonl",
        "dataset:beir": tmp_path / "beir" / "corpus.jsonl",
        "jsonl:docs.jsonl": tmp_path / "docs.jsonl",
        "cranfield:cran": tmp_path / "cran" / "cran.all.1400",
        "dataset:cran": tmp_path / "cran" / "cran.all.1400",
        "dataset:pairs.yaml": tmp_path / "pairs.yaml",
    }
    (tmp_path / "cran").mkdir()
    for path in searched.values():
        path.write_text(lines(*RECORDS))
    (tmp_path / "cran" / "cran.all.1400").write_text(".I 1\n.T\nwings .\n.W\nwings .\nthey lift .\n")
    (tmp_path / "pairs.yaml").write_text("pairs:\n - {id: q, query: x, positive_ctxs: [{fqn: m.f, text: body}]}\n")
    for spec, path in searched.items():
        kind, _, place = spec.partition(":")
        facts = open_corpus(f"{kind}:{tmp_path / place}").facts
        assert facts["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert (facts["kind"], facts["files"]) == (kind, 1)


def test_a_dataset_and_its_corpus_have_the_same_documents(tmp_path: Path) -> None:
    beir, cran = tmp_path / "beir", tmp_path / "cran"
    (beir / "qrels").mkdir(parents=True)
    (beir / "corpus.jsonl").write_text(lines({"_id": "a", "text": " A\ntext ", "title": None, "metadata": {"x": 1}}))
    (beir / "qrels" / "test.tsv").write_text("q\ta\t1\n")
    cran.mkdir()
    (cran / "cran.all.1400").write_text(".I 1\n.T\nwings .\n.A\nsmith\n.W\nwings .\nthey lift .\n.I 2\n.W\n")
    (cran / "cran.qry").write_text(".I 001\n.W\nwhat lifts\n")
    (cran / "cranqrel").write_text("1 1 2\n")
    for kind, folder in (("beir", beir), ("cranfield", cran)):
        documents = read_dataset(folder, documents=True).documents
        assert documents == open_corpus(f"{kind}:{folder}").documents
        assert documents == open_corpus(f"dataset:{folder}").documents
        assert documents == open_corpus(folder).documents


def test_documents_and_corpora_are_taken_as_they_are() -> None:
    corpus = open_corpus(Document(str(n), "x") for n in range(3))
    assert len(corpus) == 3
    assert open_corpus(corpus) is corpus
    with pytest.raises(InputError, match="'1' occurs twice"):
        open_corpus([Document("1"), Document("1")])
    with pytest.raises(InputError, match="there are none"):
        open_corpus([])


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([Document("1"), "two"], r"number 2 is a str, expected goldproof\.Document"),
        ([{"id": "1", "text": "x"}], r"number 1 is a dict, expected goldproof\.Document"),
        (Document("1"), "a corpus cannot be a Document"),
        (7, "a corpus cannot be an int"),
        ([Document(1, "x")], "document 1: its id is a int, expected text"),  # type: ignore[arg-type]
        ([Document("1", None)], "document '1': its text is a NoneType, expected text"),  # type: ignore[arg-type]
        ([Document("1", "x", metadata=[])], "its metadata is a list, expected a mapping"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_document_is_refused(given: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        open_corpus(given)  # type: ignore[arg-type]


def test_what_is_wrong_with_a_spec_is_said(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    with pytest.raises(UnknownNameError, match="unknown corpus 'foldr'; did you mean 'folder'"):
        open_corpus("foldr:docs")
    with pytest.raises(FileFormatError, match=r"no such file or folder.*\n.*Did you mean docs"):
        open_corpus(str(tmp_path / "doc"))
    with pytest.raises(FileFormatError, match="no such folder"):
        open_corpus(f"folder:{tmp_path}/nothing")
    with pytest.raises(FileFormatError, match="no such file"):
        open_corpus(f"jsonl:{tmp_path}/nothing.jsonl")
    with pytest.raises(FileFormatError, match=r"holds no corpus\.jsonl"):
        open_corpus(f"beir:{tmp_path}")
    with pytest.raises(FileFormatError, match=r"holds no cran\.all\.1400"):
        open_corpus(f"cranfield:{tmp_path}")
    with pytest.raises(InputError, match="nothing follows folder:"):
        open_corpus("folder:")
    with pytest.raises(InputError, match="spec is empty"):
        open_corpus(" ")
    with pytest.raises(UnknownNameError, match="has no options"):
        open_corpus(f"beir:{tmp_path}#size=3")


def test_every_kind_that_the_documentation_names_is_registered() -> None:
    assert {"beir", "cranfield", "dataset", "folder", "jsonl", "package"} <= set(CORPORA)
