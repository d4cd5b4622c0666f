"""Where the files that cases name are found, and which are out of reach."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goldproof.io.cases.case import BadCaseError
from goldproof.io.cases.code_files import CodeFiles, first_row_of


def write(path: Path, text: str = "x = 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_nearest_of_several_folders_wins(tmp_path: Path) -> None:
    folder = tmp_path / "repo/benchmarks/quiz"
    folder.mkdir(parents=True)
    far = write(tmp_path / "repo/code/a.py", "far = 1")
    assert CodeFiles().read("code/a.py", folder=folder).path == far
    near = write(folder.parent / "code/a.py", "near = 1")
    found = CodeFiles().read("code/a.py", folder=folder)
    assert found.path == near
    assert found.code.text == "near = 1"
    assert found.code.path == "code/a.py"


def test_a_path_may_lead_up_where_it_leads_somewhere(tmp_path: Path) -> None:
    write(tmp_path / "shared/a.py")
    folder = tmp_path / "quiz"
    folder.mkdir()
    assert CodeFiles().read("../shared/a.py", folder=folder).code.text == "x = 1"
    with pytest.raises(BadCaseError, match="neither in"):
        CodeFiles().read("../../../../../../../../nowhere/a.py", folder=folder)


@pytest.mark.parametrize("path", ["/etc/hostname", "C:\\a.py", "C:a.py", "\\\\host\\share\\a.py", "a\x00b"])
def test_absolute_paths_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(BadCaseError, match="expected a path from the registry's folder"):
        CodeFiles().read(path, folder=tmp_path)


def test_the_root_of_the_file_system_is_out_of_reach(tmp_path: Path) -> None:
    assert os.path.exists("/etc/passwd")  # noqa: PTH110 - else the test says nothing
    with pytest.raises(BadCaseError, match="neither in"):
        CodeFiles().read("etc/passwd", folder=tmp_path)


@pytest.mark.parametrize("path", [".env", ".ssh/key", "code/.secret/a.py"])
def test_hidden_files_are_not_read(tmp_path: Path, path: str) -> None:
    write(tmp_path / path)
    folder = tmp_path / "quiz"
    folder.mkdir()
    with pytest.raises(BadCaseError, match="hidden"):
        CodeFiles().read(path, folder=folder)


def test_a_link_to_a_hidden_file_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "home/.ssh/key")
    folder = tmp_path / "home/quiz"
    folder.mkdir()
    (folder / "innocent.py").symlink_to(tmp_path / "home/.ssh/key")
    with pytest.raises(BadCaseError, match="hidden"):
        CodeFiles().read("innocent.py", folder=folder)


def test_a_registry_in_a_hidden_folder_reads_its_own_files(tmp_path: Path) -> None:
    write(tmp_path / ".cache/quiz/a.py")
    assert CodeFiles().read("a.py", folder=tmp_path / ".cache/quiz").code.text == "x = 1"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"x = '\xff'\n", r"is not UTF-8 text \(line 1\)"),
        (b"", "it is empty"),
        (b"\n # --8<-- [start:a]\n", "it is empty"),
    ],
)
def test_a_file_that_says_nothing_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "a.py").write_bytes(data)
    with pytest.raises(BadCaseError, match=problem):
        CodeFiles().read("a.py", folder=tmp_path)


def test_folders_and_links_that_lead_nowhere_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").mkdir()
    (tmp_path / "b.py").symlink_to(tmp_path / "b.py")
    for name in ("a.py", "b.py", "x" * 5000, "", "."):
        with pytest.raises(BadCaseError, match="neither in"):
            CodeFiles().read(name, folder=tmp_path)


def test_a_byte_order_mark_is_no_part_of_the_code(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert CodeFiles().read("a.py", folder=tmp_path).code.text == "x = 1"


def test_a_file_that_is_no_code_by_its_size_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "a.py").open("wb") as stream:
        stream.truncate((4 << 20) + 1)
    with pytest.raises(BadCaseError, match="larger than 4 MiB"):
        CodeFiles().read("a.py", folder=tmp_path)


def test_what_lies_behind_the_root_of_the_file_system_is_out_of_reach(tmp_path: Path) -> None:
    far = Path(os.__file__).resolve()
    assert far.parts[1] != tmp_path.resolve().parts[1]
    climbing = "/".join([".."] * (len(tmp_path.parts) - 1)) + str(far)
    (tmp_path / "link.py").symlink_to(far)
    for written in (climbing, "link.py"):
        with pytest.raises(BadCaseError, match="outside of every folder"):
            CodeFiles().read(written, folder=tmp_path)


def test_a_section_knows_the_file_that_it_is_cut_from(tmp_path: Path) -> None:
    text = "import os\n# --8<-- [start:a]\nos.sep\n# --8<-- [end:a]\n"
    (tmp_path / "a.py").write_text(text)
    files = CodeFiles()
    cut, whole = (files.read("a.py", folder=tmp_path, section=section).code for section in ("a", None))
    assert (cut.text, cut.whole) == ("os.sep", text)
    assert (whole.text, whole.whole) == ("import os\nos.sep", "")
    assert first_row_of(text, "a") == 1
    assert first_row_of(text, "b") is None
