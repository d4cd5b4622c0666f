"""Languages by name, by file name, and their comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.languages import (
    _NAMES,
    Comment,
    comment_of,
    detect_language,
    language_of_file,
    language_of_name,
)

BY_FILE = {
    # the table that every builder of code questions starts from
    "a.py": "python", "a.js": "javascript", "a.ts": "typescript", "a.java": "java", "a.go": "go", "a.rs": "rust",
    "a.cpp": "cpp", "a.c": "c", "a.rb": "ruby", "a.yml": "yaml", "a.yaml": "yaml", "a.json": "json", "a.toml": "toml",
    # and the usual ones beyond it
    "a.tsx": "tsx", "a.jsx": "javascript", "a.kt": "kotlin", "a.swift": "swift", "a.cs": "csharp", "a.php": "php",
    "a.sh": "bash", "a.sql": "sql", "a.html": "html", "a.css": "css", "a.xml": "xml", "a.ini": "ini", "a.cfg": "ini",
    "a.md": "markdown", "a.rst": "rst", "a.h": "c", "a.hpp": "cpp", "a.scala": "scala", "a.tf": "hcl",
    "a.ipynb": "json",
    "Dockerfile": "dockerfile", "deploy/Dockerfile": "dockerfile", "Dockerfile.dev": "dockerfile",
    "Makefile": "makefile", "CMakeLists.txt": "cmake", "Gemfile": "ruby", "go.mod": "go", "Jenkinsfile": "groovy",
}  # fmt: skip


@pytest.mark.parametrize(("name", "language"), BY_FILE.items())
def test_a_file_is_known_by_its_name(name: str, language: str) -> None:
    assert language_of_file(name) == language


def test_only_the_real_suffix_counts() -> None:
    assert language_of_file("x.c") == "c"
    assert language_of_file("x.cpp") == "cpp"
    assert language_of_file("x.py.txt") == "text"
    assert language_of_file("types.d.ts") == "typescript"
    assert language_of_file("happy") is None
    assert language_of_file("a.rs/notes") is None
    assert language_of_file("archive.tar.gz") is None


def test_case_matters_only_where_a_language_makes_it_matter() -> None:
    assert language_of_file("SETUP.PY") == "python"
    assert language_of_file("x.C") == "cpp"
    assert language_of_file("x.H") == "cpp"


def test_folders_and_line_references_do_not_hide_the_name() -> None:
    assert language_of_file("src\\win\\main.cs") == "csharp"
    assert language_of_file("src/app.py:12-40") == "python"
    assert language_of_file("src/app.go#L12-L40") == "go"


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("C++", "cpp"),
        ("JS", "javascript"),
        ("golang", "go"),
        ("Shell", "bash"),
        ("PYTHON", "python"),
        ("c#", "csharp"),
        ("Objective-C", "objectivec"),
        ("Jupyter Notebook", "json"),
        (" yml ", "yaml"),
        ("Terraform", "hcl"),
    ],
)
def test_a_language_is_known_by_its_other_names(name: str, language: str) -> None:
    assert language_of_name(name) == language


def test_a_language_that_is_not_listed_is_taken_at_its_word() -> None:
    assert language_of_name("Visual Prolog") == "visual-prolog"


@pytest.mark.parametrize("name", ["", "  ", "unknown", "None", "N/A", "null", "`rm`", "a/b"])
def test_a_field_that_names_no_language_says_nothing(name: str) -> None:
    assert language_of_name(name) is None


def test_the_field_comes_before_the_file_name_and_that_before_the_content() -> None:
    assert detect_language("Go", file_path="a.py", content="#!/bin/sh") == "go"
    assert detect_language("unknown", file_path="a.py", content="#!/bin/sh") == "python"
    assert detect_language(None, file_path="run", content="#!/bin/sh") == "bash"
    assert detect_language(17, file_path="run", content="some words") == "text"
    assert detect_language() == "text"


def test_comments_are_written_the_language_s_own_way() -> None:
    assert comment_of("python") == Comment("#")
    assert comment_of("go") == Comment("//")
    assert comment_of("sql") == Comment("--")
    assert comment_of("ini") == Comment(";")
    assert comment_of("html") == Comment("<!--", "-->")
    assert comment_of("css") == Comment("/*", "*/")
    assert comment_of("markdown") == Comment("<!--", "-->")


@pytest.mark.parametrize("language", ["json", "text", "csv", "visual-prolog"])
def test_some_languages_have_no_comment(language: str) -> None:
    assert comment_of(language) is None


def test_every_known_language_names_itself() -> None:
    assert all(language_of_name(language) == language for language in set(_NAMES.values()))


@given(st.text(), st.text(), st.text(max_size=200))
def test_there_is_always_a_language_that_can_follow_a_fence(name: str, file_path: str, content: str) -> None:
    language = detect_language(name, file_path=file_path, content=content)
    assert language
    assert not set(language) & set("` \n\t")
