"""SWE-QA: gold are the files that an answer cites."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import LocalSource, RecordPlace
from goldproof.jobs.build.adapters.swe_qa import ADAPTER
from goldproof.jobs.build.records import Dropped, Example
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from pathlib import Path

ANSWER = "`src/tool/run.py` (lines 2-3) calls `help()` in `src/tool/text.md`; see line 1 of `run.py`."
PINS = "https://github.com/acme/tool 1234567\n\nhttps://github.com/acme/other.git abcdef0\n"
FORTY = "0123456789abcdef0123456789abcdef01234567"


def write(folder: Path, name: str, *records: object) -> None:
    (folder / "repo_commit.txt").write_text(PINS, encoding="utf-8")
    (folder / name).write_bytes(b"\n".join(map(orjson.dumps, records)))


def read(folder: Path, **options: object) -> list[Example | Dropped]:
    files = tuple(sorted(folder.glob("*.json*")))
    adapt = ADAPTER.open(LocalSource(folder, files, options))
    return [
        each
        for path in files
        for number, record in read_records(path)
        for each in adapt(record, RecordPlace(path, number))
    ]


def one(folder: Path, **options: object) -> Example:
    [found] = read(folder, **options)
    assert isinstance(found, Example), found
    return found


def check_out(folder: Path, *, head: str = "") -> Path:
    files = {"src/tool/run.py": "import os\ndef run():\n    help()\n", "src/tool/text.md": "# Help\r\n"}
    for path, text in files.items():
        target = folder / "checkouts" / "tool" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    if head:
        (folder / "checkouts" / "tool" / ".git").mkdir()
        (folder / "checkouts" / "tool" / ".git" / "HEAD").write_text(f"{head}\n", encoding="utf-8")
    return folder / "checkouts"


def test_without_a_checkout_documents_are_names(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "What runs?", "answer": ANSWER})
    found = one(tmp_path)
    prefix = "acme/tool@1234567/"
    assert found.documents == (
        Document(f"{prefix}src/tool/run.py", title="src/tool/run.py"),
        Document(f"{prefix}src/tool/text.md", title="src/tool/text.md"),
    )
    assert found.gold == tuple(document.id for document in found.documents)
    assert found.evidence == ()
    assert found.metadata == {
        "repo": "acme/tool",
        "commit": "1234567",
        "file_path": "src/tool/run.py",
        "language": "python",
        "citations": [
            {"path": "src/tool/run.py", "first": 2, "last": 3},
            {"path": "src/tool/run.py", "first": 1, "last": 1},
            {"path": "src/tool/text.md", "first": None, "last": None},
        ],
        "unresolved": [],
    }


def test_a_checkout_gives_texts_and_evidence(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "What runs?", "answer": f"{ANSWER} And `src/gone.py`, `none.py`."})
    found = one(tmp_path, checkouts=str(check_out(tmp_path)))
    run, text = found.documents
    assert run.text == (
        "```python\n# File: src/tool/run.py\n# Repository: acme/tool\n\nimport os\ndef run():\n    help()\n\n```"
    )
    assert text.text.endswith("\n\n# Help\r\n\n```")
    assert [run.text[span.start : span.end] for span in found.evidence] == ["def run():\n    help()", "import os"]
    assert found.metadata["unresolved"] == ["src/gone.py", "none.py"]


def test_a_checkout_without_the_cited_file_drops_the_record(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": "In `src/gone.py`."})
    [found] = read(tmp_path, checkouts=check_out(tmp_path))
    assert isinstance(found, Dropped)
    assert (found.reason, found.detail) == ("cited file does not exist", "src/gone.py")


def test_a_repository_that_is_not_checked_out_drops_its_records(tmp_path: Path) -> None:
    write(tmp_path, "other.jsonl", {"question": "a?", "answer": ANSWER})
    assert read(tmp_path, checkouts=check_out(tmp_path)) == [Dropped("no checkout of its repository", "acme/other")]


def test_a_checkout_of_another_commit_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": ANSWER})
    folder = check_out(tmp_path, head=FORTY)
    with pytest.raises(InputError, match="is at commit 0123456789ab, but the dataset's answers are about 1234567"):
        read(tmp_path, checkouts=folder)


def test_a_checkout_of_the_same_commit_is_read(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": ANSWER, "commit_id": FORTY})
    found = one(tmp_path, checkouts=check_out(tmp_path, head=FORTY))
    assert found.gold[0] == f"acme/tool@{FORTY}/src/tool/run.py"


@pytest.mark.parametrize("folder", ["nowhere", 7, ["a"]])
def test_checkouts_must_be_a_folder(tmp_path: Path, folder: object) -> None:
    with pytest.raises(InputError, match="expected a folder that holds a checkout per repository"):
        ADAPTER.open(LocalSource(tmp_path, (), {"checkouts": folder}))


def test_a_link_out_of_the_checkout_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": "In `src/link.py`."})
    folder = check_out(tmp_path)
    (tmp_path / "secret.py").write_text("secret", encoding="utf-8")
    (folder / "tool" / "src" / "link.py").symlink_to(tmp_path / "secret.py")
    [found] = read(tmp_path, checkouts=folder)
    assert isinstance(found, Dropped)


def test_the_record_may_name_its_repository_and_commit(tmp_path: Path) -> None:
    write(tmp_path, "test.jsonl", {"question": "a?", "answer": ANSWER, "repo": "new/thing", "commit_id": FORTY})
    assert one(tmp_path).gold[0] == f"new/thing@{FORTY}/src/tool/run.py"


@pytest.mark.parametrize("repo", ["../..", "./x", "a/b/c", "/etc"])
def test_a_repository_is_never_a_way_out_of_the_folder(tmp_path: Path, repo: str) -> None:
    write(tmp_path, "unheard.jsonl", {"question": "a?", "answer": ANSWER, "repo": repo})
    assert read(tmp_path, checkouts=check_out(tmp_path)) == [Dropped("repository not known", "file unheard.jsonl")]


@pytest.mark.parametrize("name", ["tool", "acme/tool", "acme__tool"])
def test_checkouts_are_found_by_their_usual_names(tmp_path: Path, name: str) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": ANSWER})
    folder = check_out(tmp_path)
    (folder / "tool").rename(tmp_path / "moved")
    (folder / name).parent.mkdir(exist_ok=True)
    (tmp_path / "moved").rename(folder / name)
    assert len(one(tmp_path, checkouts=folder).evidence) == 2


def test_the_commit_of_a_branch_is_looked_up(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": ANSWER})
    folder = check_out(tmp_path, head="ref: refs/heads/main")
    assert one(tmp_path, checkouts=folder).evidence
    (folder / "tool" / ".git" / "refs" / "heads").mkdir(parents=True)
    (folder / "tool" / ".git" / "refs" / "heads" / "main").write_text(FORTY, encoding="utf-8")
    with pytest.raises(InputError, match=r"git -C .*tool checkout 1234567"):
        read(tmp_path, checkouts=folder)


def test_published_commits_are_known_and_file_names_may_have_parts_and_underscores(tmp_path: Path) -> None:
    (tmp_path / "scikit_learn-00000-of-00001.jsonl").write_bytes(orjson.dumps({"question": "a?", "answer": ANSWER}))
    assert one(tmp_path).gold[0] == "scikit-learn/scikit-learn@adb1ae7/src/tool/run.py"


def test_what_cannot_be_used_has_its_reason(tmp_path: Path) -> None:
    write(
        tmp_path,
        "tool.jsonl",
        {"question": " ", "answer": ANSWER},
        {"question": "a?", "answer": None},
        {"question": "a?", "answer": "Nothing is cited."},
        {"question": "a?", "answer": "In `run.py` (line 3)."},
    )
    write(tmp_path, "unheard.jsonl", {"question": "a?", "answer": ANSWER})
    dropped = [each for each in read(tmp_path) if isinstance(each, Dropped)]
    assert [each.reason for each in dropped] == [
        "no question",
        "no answer",
        "answer cites no file",
        "cited files only by their bare names",
        "repository not known",
    ]
    assert dropped[3].detail == "run.py"


def test_a_stray_closing_tag_is_cut(tmp_path: Path) -> None:
    write(tmp_path, "tool.jsonl", {"question": "a?", "answer": f"{ANSWER}\n</start_of_answer>"})
    assert one(tmp_path).answer == ANSWER


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(["question", "answer", "repo", "commit_id"]),
        st.none() | st.integers() | st.text() | st.lists(st.text()) | st.sampled_from([ANSWER, "a/b", "tool", "x"]),
    )
)
def test_odd_records_never_raise(tmp_path: Path, record: dict[str, object]) -> None:
    adapt = ADAPTER.open(LocalSource(tmp_path, ()))
    [found] = adapt(record, RecordPlace(tmp_path / "flask.jsonl", 1))
    assert found.gold if isinstance(found, Example) else found.reason


@pytest.mark.realdata
def test_the_real_files_give_these_counts_and_reasons(realdata: Path) -> None:
    folder = realdata / "swe_qa"
    bare, none = "cited files only by their bare names", "answer cites no file"
    expected = {
        "flask": {"": 47, bare: 1},
        "pytest": {"": 46, bare: 1, none: 1},
        "requests": {"": 40, bare: 7, none: 1},
    }
    files = tuple(sorted(folder.glob("*.jsonl")))
    adapt = ADAPTER.open(LocalSource(folder, files))
    counts = {
        path.stem: Counter(
            each.reason if isinstance(each, Dropped) else ""
            for number, record in read_records(path)
            for each in adapt(record, RecordPlace(path, number))
        )
        for path in files
    }
    assert counts == expected


@pytest.mark.realdata
def test_first_middle_and_last_real_record(realdata: Path) -> None:
    found = read(realdata / "swe_qa")
    first, middle, last = found[0], found[72], found[143]
    assert isinstance(first, Example)
    assert isinstance(middle, Example)
    assert isinstance(last, Example)
    assert first.original_id == "311cf8522ceb5dcf"
    assert first.question.startswith("What is the relationship between the ASCII-only encoding control parameter")
    assert first.gold == (
        "pallets/flask@85c5d93/src/flask/json/provider.py",
        "pallets/flask@85c5d93/tests/test_json.py",
    )
    assert first.metadata["citations"] == [
        {"path": "src/flask/json/provider.py", "first": 144, "last": 148},
        {"path": "tests/test_json.py", "first": 48, "last": 54},
    ]
    assert middle.original_id == "329405b0eab7dfa7"
    assert middle.gold == (
        "pytest-dev/pytest@5989efe/testing/python/collect.py",
        "pytest-dev/pytest@5989efe/testing/test_assertion.py",
        "pytest-dev/pytest@5989efe/src/_pytest/assertion/__init__.py",
    )
    assert last.original_id == "7a5291b5f7f0db0a"
    assert last.gold == ("psf/requests@46e939b/tests/test_requests.py", "psf/requests@46e939b/tests/conftest.py")
    assert last.metadata["citations"] == [
        {"path": "tests/test_requests.py", "first": None, "last": None},
        {"path": "tests/conftest.py", "first": 25, "last": 27},
    ]


@pytest.mark.realdata
def test_no_real_answer_keeps_a_stray_tag_and_all_documents_have_folders_or_are_of_the_root(realdata: Path) -> None:
    examples = [each for each in read(realdata / "swe_qa") if isinstance(each, Example)]
    assert not [each for each in examples if "start_of_answer" in each.answer]
    bare = {document.title for each in examples for document in each.documents if "/" not in document.title}
    assert bare == {"CHANGES.rst", "pyproject.toml"}
    assert len({each.original_id for each in examples}) == 133
