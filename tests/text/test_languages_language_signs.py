"""Languages by the content of a snippet."""

from __future__ import annotations

import pytest

from goldproof.text.languages import language_of_content

SNIPPETS = {
    "python": ["#!/usr/bin/env python3\nprint(1)", "def f(a: int,\n      b) -> int:\n    return a", "import os\nx = 1",
               "from a.b import c\n", "class A(B):\n    x = 1", "@decorated\nasync def f():\n    pass"],
    "bash": ["#!/bin/sh\necho hi", "#!/usr/bin/env -S bash -e\ntrue"],
    "javascript": ["#!/usr/bin/env node\n1", "function add(a, b) {\n  return a + b;\n}", "const x = () => 1;",
                   "import a from 'a'\n"],
    "typescript": ["export interface A {\n  b: string\n}", "const f = (a: number) => a;"],
    "go": ["package main\n\nfunc main() {}\n"],
    "java": ["package a.b;\n\nclass C {}", "public class A {}", "  private int size(int a) throws X {\n  }"],
    "csharp": ["using System;\n\nnamespace A { class B {} }"],
    "c": ["#include <stdio.h>\nint main(void) { return 0; }"],
    "cpp": ["#include <vector>\nstd::vector<int> v;"],
    "rust": ["pub fn main() -> u8 {\n    1\n}", "fn f() {\n    let mut x = 1;\n}"],
    "kotlin": ["fun main(args: Array<String>) {\n}"],
    "ruby": ["def add(a, b)\n  a + b\nend"],
    "php": ["<?php\necho 1;"],
    "sql": ["SELECT a\nFROM b\nWHERE c = 1", "CREATE TABLE a (b INT)", "-- all\nINSERT INTO a VALUES (1)"],
    "html": ["<!DOCTYPE html>\n<p>", "<html lang='en'>"],
    "xml": ["<?xml version='1.0'?>\n<a/>"],
    "json": ['{"a": [1, 2]}', "[]"],
    "yaml": ["---\na: 1\n", "services:\n  web:\n    image: x\n    ports:\n      - 80\n"],
    "toml": ["[tool.x]\na = 1\nb = ['c']\n"],
    "ini": ["[core]\neditor = vim or so\n"],
    "dockerfile": ["# base\nFROM debian:12\nRUN true\n"],
    "css": [".a, #b {\n  color: red;\n}"],
    "diff": ["--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"],
}  # fmt: skip


@pytest.mark.parametrize(("language", "snippet"), [(name, text) for name, texts in SNIPPETS.items() for text in texts])
def test_a_plain_sign_tells_the_language(language: str, snippet: str) -> None:
    assert language_of_content(snippet) == language


@pytest.mark.parametrize(
    "prose",
    [
        "",
        "   \n",
        "Please select a file from the list, then update it.",
        "How do I import numpy?",
        "{not json}",
        "Note: this is prose.\nIt goes on here.",
        "The class of problems: hard.",
        "Define a function",
        "x",
        "1,2\n3,4\n",
        "Dear all:\n\nthe package main was late.",
        "[1] A footnote\nand its text",
    ],
)
def test_prose_and_odd_texts_show_no_language(prose: str) -> None:
    assert language_of_content(prose) is None


@pytest.mark.parametrize("text", ["def f(" * 5000, "public " * 5000, "SELECT " * 5000, "a " * 20000, "[" * 50000])
def test_long_texts_that_almost_show_a_sign_do_not_hang(text: str) -> None:
    assert language_of_content(text) is None
