"""What a `.gitignore` keeps out is what git says it does."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.folder_files import SkippedFiles, folder_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILES = (
    *("a.md", "keep.md", "!odd.md", "#hash.md", "a b.md", "end .md", "foo/a.md", "foo/keep.md", "foo/bar/a.md"),
    *("foo/bar/keep.md", "foo/bar/foo/a.md", "a/b/a.md", "a/x/b/a.md", "a/b.md", "bar/foo/keep.md", "bar/[x]/foo.md"),
    *("bar/[x]/a.md", "bar/x/a.md", "bar/b*/b.md", "bar/bb/b.md"),
)


def taken_by_git(root: Path) -> list[str]:
    """Return the files that git would add."""
    command = ["git", "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"]
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    found = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in found if name.endswith(".md"))


def taken(root: Path) -> list[str]:
    return sorted(file.relative for file in folder_files(root, SkippedFiles()))


def write(root: Path, rules: Mapping[str, str]) -> Path:
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")
    for folder, lines in rules.items():
        (root / folder / ".gitignore").write_text(lines)
    return root


@pytest.mark.parametrize(
    "rules",
    [
        {"": "*\n!*/\n!keep.md\n"},
        {"": "*.md\n!keep.md\n"},
        {"": "foo/*\n!foo/keep.md\n"},
        {"": "foo/**\n!foo/keep.md\n"},
        {"": "/foo/\n!/foo/keep.md\n"},  # a folder that is ignored has no exceptions
        {"": "/*\n!/foo/\n", "foo": "*\n!bar/\n!bar/**\n"},
        {"": "*.md\n", "foo": "!*/\n", "a": "!b.md\n"},  # an exception for a folder is none for its files
        {"": "foo/\n", "foo": "!keep.md\n"},  # the second is never read
        {"": "a/**/b\n**/foo/keep.md\n"},
        {"": "**/\n!foo/\n"},
        {"": "foo/**/\n"},
        {"": "\\!odd.md\n\\#hash.md\n# a comment\na\\ b.md\nend\\ .md   \n"},
        {"": "[!a].md\n?.md\nke[a-f]p.md\n"},
        {"": "/\n//\n!\n\n  \nfoo\\\n[z-a]\n"},  # none of them is a pattern
        {"bar": "/[[]x]/\nx/foo.md\n/b*/\n!/bb\n"},
        {"bar/[x]": "/foo.md\n", "bar/b*": "*\n"},
        {"": "\ufeffkeep.md\r\nfoo/bar/\r\n"},
    ],
)
def test_the_files_that_git_would_add_are_taken(rules: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, rules)
    assert taken(tmp_path) == taken_by_git(tmp_path)


LINES = (
    *("*", "*/", "!*/", "*.md", "!*.md", "foo", "foo/", "!foo", "!foo/", "/foo", "/foo/", "foo/*", "foo/**", "foo/*/"),
    *("!foo/*/", "!foo/**/", "**/foo", "!foo/keep.md", "!/foo/keep.md", "keep.md", "!keep.md", "a/**/b", "!a/**"),
    *("**", "**/", "/*", "!/foo", "!/a/", "[ab]", "[!a]*", "?", "a/b", "!a/b/", "bar/", "/**/a.md", "**foo", "x\\"),
)


@pytest.mark.parametrize("seed", range(40))
def test_any_lines_in_any_folders_mean_what_they_mean_to_git(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    folders = ["", *draw.sample(["foo", "foo/bar", "a", "a/x", "bar", "bar/[x]"], 2)]
    write(tmp_path, {folder: "\n".join(draw.sample(LINES, draw.randint(1, 4))) for folder in folders})
    assert taken(tmp_path) == taken_by_git(tmp_path)


@pytest.mark.parametrize("pattern", ["*a" * 25 + "b", "**/a/" * 12 + "z", "*" * 9])
def test_a_pattern_that_could_take_for_ever_is_named_and_not_respected(pattern: str, tmp_path: Path) -> None:
    (tmp_path / ("a" * 120 + ".md")).write_text("text")
    (tmp_path / ".gitignore").write_text(f"{pattern}\nkeep.md\n")
    (tmp_path / "keep.md").write_text("text")
    assert taken(tmp_path) == ["a" * 120 + ".md"]
