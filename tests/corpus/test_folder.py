"""Folders as corpora: what is read, what is skipped, and ids that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.corpus import open_corpus
from goldproof.corpus.folder import source_text
from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.retrieve.document_index import searched_text

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.corpus.corpus import Corpus
    from goldproof.records.entities import Document


def write(folder: Path, **files: str | bytes) -> Path:
    """Write files; in names `__` stands for a slash and `_dot_` for a point."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def ids(corpus: Corpus) -> list[str]:
    return [document.id for document in corpus.documents]


def by_id(corpus: Corpus) -> dict[str, Document]:
    return {document.id: document for document in corpus.documents}


def said(corpus: Corpus, words: str) -> str:
    return next(remark for remark in corpus.remarks if words in remark)


def test_ids_are_paths_with_the_heading_or_symbol(tmp_path: Path) -> None:
    write(
        tmp_path,
        b__guide_dot_md="Intro\n# Use it\na\n## Options\nb\n# More\n## Options\nc\n",
        a_dot_py="import os\n\ndef f():\n    pass\n",
    )
    assert ids(open_corpus(f"folder:{tmp_path}")) == [
        "a.py",
        "a.py#f",
        "b/guide.md",
        "b/guide.md#use-it",
        "b/guide.md#options",
        "b/guide.md#more",
        "b/guide.md#options-1",
    ]


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.html"])
def test_a_heading_is_searched_once_and_the_second_part_of_a_section_knows_it(name: str, tmp_path: Path) -> None:
    words = "some words of it. " * 6
    (tmp_path / name).write_text(
        {
            "a.md": f"# Queues\n\nOn them.\n\n## Leases\n\n{words}\n",
            "a.rst": f"Queues\n======\n\nOn them.\n\nLeases\n------\n\n{words}\n",
            "a.html": f"<h1>Queues</h1><p>On them.</p><h2>Leases</h2><p>{words}</p>",
        }[name]
    )
    found = open_corpus(f"folder:{tmp_path}#size=80").documents
    assert [(d.id, d.title) for d in found] == [
        (f"{name}#queues", name),
        (f"{name}#leases", "Queues"),
        (f"{name}#leases~2", "Queues > Leases"),
    ]
    assert [searched_text(d).count("Queues") for d in found] == [1, 1, 1]
    assert [searched_text(d).count("Leases") for d in found] == [0, 1, 1]
    assert found[1].metadata["headings"] == ["Queues", "Leases"]


def test_a_document_says_where_it_stands(tmp_path: Path) -> None:
    write(tmp_path, guide_dot_md="# A\r\n\r\n## B\r\nline\r\n")
    found = by_id(open_corpus(f"folder:{tmp_path}"))["guide.md#b"]
    # "# A\r\n\r\n" has 7 characters; "## B\r\nline" 10 more.
    assert found.text == "## B\r\nline"
    assert found.title == "A"
    assert dict(found.metadata) == {
        "source": "guide.md",
        "start": 7,
        "end": 17,
        "first_line": 3,
        "last_line": 4,
        "kind": "section",
        "language": "markdown",
        "headings": ["A", "B"],
    }


def test_an_id_does_not_change_when_other_parts_of_the_file_do(tmp_path: Path) -> None:
    write(tmp_path, guide_dot_md="# A\na\n# B\nb\n")
    before = by_id(open_corpus(tmp_path))
    write(tmp_path, guide_dot_md="# New\n" + "long text " * 400 + "\n# A\na\n## Deep\n# B\nb\n")
    after = by_id(open_corpus(tmp_path))
    assert {name: after[name].text for name in before} == {name: document.text for name, document in before.items()}


def test_parts_of_a_long_piece_are_numbered(tmp_path: Path) -> None:
    write(tmp_path, a_dot_md="# Long\n" + "Some words. " * 20, my__file_dot_md="x")
    assert ids(open_corpus(f"folder:{tmp_path}#size=100"))[:3] == ["a.md#long", "a.md#long~2", "a.md#long~3"]


def test_blanks_of_a_path_are_written_as_percent_20_in_the_id(tmp_path: Path) -> None:
    (tmp_path / "my file.md").write_text("# A b\n")
    (document,) = open_corpus(tmp_path).documents
    assert (document.id, document.metadata["source"]) == ("my%20file.md#a-b", "my file.md")


def test_hidden_built_and_installed_folders_are_not_entered(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_dot_md="a",
        _dot_git__x_dot_md="x",
        node_modules__x_dot_md="x",
        build__x_dot_md="x",
        src__build__y_dot_md="a package called build",
        my__pyvenv_dot_cfg="",
        my__lib__x_dot_py="x = 1",
    )
    corpus = open_corpus(tmp_path)
    assert {document.metadata["source"] for document in corpus.documents} == {"a.md", "src/build/y.md"}
    assert said(corpus, "builds, caches").startswith("3 skipped")
    assert said(corpus, "hidden") == "1 skipped: hidden (.git/)."


def test_a_gitignore_is_respected(tmp_path: Path) -> None:
    write(
        tmp_path,
        _dot_gitignore="# made\n*.log\n/site/\ndrafts/old.md\nprivate.*\n*.py[co]\n",
        a_dot_log="x",
        site__x_dot_md="x",
        sub__site__y_dot_md="y",
        drafts__old_dot_md="x",
        drafts__new_dot_md="y",
        sub__private_dot_md="x",
    )
    corpus = open_corpus(tmp_path)
    assert {d.metadata["source"] for d in corpus.documents} == {"sub/site/y.md", "drafts/new.md"}
    assert said(corpus, "named in a .gitignore").startswith("4 skipped")


def test_a_line_of_a_gitignore_that_is_no_pattern_is_said(tmp_path: Path) -> None:
    write(tmp_path, sub___dot_gitignore="[z-a].md\n[[:alpha:]].md\nb.md\n", sub__a_dot_md="a", sub__b_dot_md="b")
    corpus = open_corpus(tmp_path)
    assert ids(corpus) == ["sub/a.md"]
    assert said(corpus, "not respected") == (
        "2 not respected: a line of a .gitignore that cannot be read as a pattern "
        "(the first: sub/.gitignore, '[z-a].md')."
    )


def test_links_in_a_circle_are_survived(tmp_path: Path) -> None:
    write(tmp_path, sub__a_dot_md="a")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    (tmp_path / "same.md").symlink_to(tmp_path / "sub" / "a.md")
    corpus = open_corpus(tmp_path)
    assert len(corpus) == 1
    assert said(corpus, "a link").startswith("4 skipped")


def test_a_link_that_leads_out_is_followed_once(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", b_dot_md="b")
    inside = write(tmp_path / "inside", a_dot_md="a")
    (inside / "one").symlink_to(outside)
    (inside / "two").symlink_to(outside)
    (outside / "back").symlink_to(inside)
    assert [d.metadata["source"] for d in open_corpus(inside).documents] == ["a.md", "one/b.md"]


def test_what_cannot_be_read_as_text_is_counted(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_dot_md="a",
        binary_dot_txt=b"\x00\x01\x02",
        broken_dot_txt=b"\xff\xfea",
        empty_dot_md=" \n\n",
        data_dot_csv="a,b\n",
        odd_dot_xyz="x",
        large_dot_md="x" * 2000,
    )
    corpus = open_corpus(f"folder:{tmp_path}#largest=1000")
    assert len(corpus) == 1
    assert [remark.split(" (")[0] for remark in corpus.remarks] == [
        "2 skipped: binary, or not in the encoding that it says",
        "1 skipped: data rather than text or code",
        "1 skipped: empty",
        "1 skipped: larger than 1000 bytes",
        "1 skipped: no known kind of text or code",
    ]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\ufeff# Ä\n".encode(), "# Ä"),
        ("# Ä\n".encode("utf-16"), "# Ä"),
        ("\ufeff# Ä\n".encode("utf-16-be"), "# Ä"),
        ("# Ä\n".encode("latin-1"), "# Ä"),
    ],
)
def test_encodings_are_recognised(data: bytes, text: str, tmp_path: Path) -> None:
    write(tmp_path, a_dot_md=data)
    corpus = open_corpus(tmp_path)
    (document,) = corpus.documents
    assert (document.text, document.metadata["start"]) == (text, 0)
    assert bool(corpus.remarks) == (data == "# Ä\n".encode("latin-1"))


def test_files_of_a_pattern_are_taken_whatever_their_kind(tmp_path: Path) -> None:
    write(tmp_path, a_dot_md="a", b_dot_xyz="b", sub__c_dot_md="c")
    found = open_corpus(f"folder:{tmp_path}#files=*.xyz;sub/*")
    assert [d.metadata["source"] for d in found.documents] == ["b.xyz", "sub/c.md"]


def test_python_that_does_not_parse_is_said(tmp_path: Path) -> None:
    write(tmp_path, a_dot_py="import (\n\nx = 1\n")
    assert "does not parse" in open_corpus(tmp_path).remarks[0]


def test_facts_change_with_a_file_and_not_with_the_place(tmp_path: Path) -> None:
    one, two = (write(tmp_path / name, a_dot_md="a", b_dot_md="b") for name in ("one", "two"))
    first, second = open_corpus(one), open_corpus(two)
    assert first.facts == second.facts
    assert first.key() == second.key()
    assert (first.facts["files"], first.facts["documents"], first.facts["size"]) == (2, 2, 1500)
    write(two, a_dot_md="A")
    assert open_corpus(two).facts["sha256"] != first.facts["sha256"]


def test_spans_are_of_the_text_that_source_text_gives(tmp_path: Path) -> None:
    write(tmp_path, a_dot_html="<h1>T</h1><p>x<p>y", b_dot_md="\ufeff# A\r\n\r\nb")
    for document in open_corpus(tmp_path).documents:
        text = source_text(tmp_path / str(document.metadata["source"]))
        start, end = document.metadata["start"], document.metadata["end"]
        assert isinstance(start, int)
        assert isinstance(end, int)
        assert text[start:end] == document.text


def test_an_empty_folder_and_one_of_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="the folder is empty"):
        open_corpus(f"folder:{tmp_path}")
    write(tmp_path, a_dot_bin="x")
    with pytest.raises(FileFormatError, match=r"no file that can be read: 1 skipped: no known kind .*a\.bin"):
        open_corpus(f"folder:{tmp_path}")
    with pytest.raises(FileFormatError, match=r"no file named \*\.md"):
        open_corpus(f"folder:{tmp_path}#files=*.md")


def test_wrong_options_are_refused_with_near_names(tmp_path: Path) -> None:
    write(tmp_path, a_dot_md="a")
    with pytest.raises(UnknownNameError, match="did you mean 'overlap'"):
        open_corpus(f"folder:{tmp_path}#overlaps=3")
    with pytest.raises(InputError, match="size=big: expected a whole number"):
        open_corpus(f"folder:{tmp_path}#size=big")
    with pytest.raises(InputError, match="given twice"):
        open_corpus(f"folder:{tmp_path}#size=100,size=200")


def test_files_that_were_cut_are_counted_unless_the_cutting_was_chosen(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# One\n\nfirst\n\n# Two\n\nsecond\n")
    (folder / "b.md").write_text("# Three\n\nthird\n")
    # one heading a piece: 2 + 1
    assert open_corpus(f"folder:{folder}").remarks == (
        "2 files were cut into 3 documents (notes#by=file keeps them whole).",
    )
    assert open_corpus(f"folder:{folder}#by=file").remarks == ()
    assert open_corpus(f"folder:{folder}#by=headings").remarks == ()
    assert open_corpus(f"folder:{folder / 'b.md'}").remarks == ()
