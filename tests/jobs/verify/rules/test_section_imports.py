"""Sections of files: what they take from the file around them."""

from __future__ import annotations

import pytest

from goldproof.io.cases import Case, CodeFile
from goldproof.jobs.verify.rules.section_imports import section_imports
from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

HEAD = "import json as js\nfrom yaml import safe_load, safe_dump\nimport os.path\n"
SECTION = "# --8<-- [start:one]\n{code}\n# --8<-- [end:one]\n"
OPTIONS = ("It prints `1`.", "It prints `2`.", "It raises a `KeyError`.")


def section(code: str, *, head: str = HEAD, after: str = "", options: tuple[str, ...] = OPTIONS) -> Case:
    from dataclasses import replace

    whole = f"{head}\n{SECTION.format(code=code)}\n{after}"
    return replace(
        case_of("What happens when this code runs?", *options, code=code),
        snippet=CodeFile("snippets.py", code, "one", whole),
    )


def lines(case: Case, *names: str) -> tuple[str, ...]:
    return section_imports(case.snippet, names)


def test_the_imports_of_the_file_count_each_by_itself() -> None:
    case = section("print(safe_load('a: 1')['a'])")
    assert lines(case, "safe_load") == ("from yaml import safe_load",)
    assert lines(case, "js", "os", "safe_load") == ("import json as js", "from yaml import safe_load", "import os.path")
    assert lines(case, "other") == ()
    assert decided(case) == "A"
    assert "with `from yaml import safe_load` of its file before it" in proofs_of(case)[0].says


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("", "from yaml import safe_load"),  # too late
        ("def load():\n    from yaml import safe_load\n", ""),  # not on the outermost level
        ("from yaml import safe_load\nsafe_load = len\n", ""),  # bound anew
        ("from .loading import safe_load\n", ""),  # a file that is not shown
        ("from yaml import *\n", ""),
        ("from yaml import (\n", ""),  # no Python
    ],
)
def test_other_bindings_of_the_file_do_not_count(head: str, after: str) -> None:
    assert lines(section("print(safe_load('a: 1'))", head=head, after=after), "safe_load") == ()


def test_the_last_import_of_a_name_counts() -> None:
    head = "from json import loads as load\nfrom yaml import safe_load as load\n"
    assert lines(section("load('1')", head=head), "load") == ("from yaml import safe_load as load",)


def test_what_the_section_binds_itself_is_not_imported() -> None:
    case = section("def safe_load(text):\n    return {'a': 2}\nprint(safe_load('a: 1')['a'])")
    assert decided(case) == "B"
    assert "before it" not in proofs_of(case)[0].says


def test_a_file_without_sections_has_no_imports_of_its_own() -> None:
    assert section_imports(CodeFile("a.py", "x", None, HEAD), ("safe_load",)) == ()
    assert section_imports(CodeFile("a.py", "x", "two", HEAD), ("safe_load",)) == ()
    assert section_imports(None, ("safe_load",)) == ()


def test_where_an_option_speaks_of_a_name_error_such_a_section_is_left_alone() -> None:
    options = ("It prints `1`.", "It raises a `NameError`.")
    assert proofs_of(section("print(safe_load('a: 1')['a'])", options=options)) == ()
    assert decided(section("print(safe_loud('a: 1')['a'])", options=options)) == "B"


def test_imports_for_the_future_stay_at_the_top() -> None:
    case = section("from __future__ import annotations\nprint(safe_load('a: 1')['a'])")
    assert decided(case) == "A"


# Whether a name was left out or forgotten: beside others of its own module it was forgotten.
@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from yaml import safe_dump\nprint(safe_load('a: 1')['a'])", "!"),
        ("from yaml import safe_dump as dump, SafeLoader\nprint(safe_load('a: 1')['a'])", "!"),
        ("import yaml\nprint(safe_load('a: 1')['a'])", "A"),
        ("from pydantic import Field\nprint(safe_load('a: 1')['a'])", "A"),
        ("print(safe_load('a: 1')['a'])", "A"),
        ("from yaml import *\nprint(safe_load('a: 1')['a'])", "A"),
        ("from yaml import safe_dump\nfrom yaml.nodes import Node\nprint(Node)\nprint(safe_load('a: 1')['a'])", "!"),
    ],
)
def test_a_name_that_is_missing_beside_others_of_its_module_was_forgotten(code: str, found: str) -> None:
    case = case_of("What happens when this code runs?", *OPTIONS, code=code, section="one")
    assert decided(case) == found


def test_options_that_are_code_use_the_imports_of_the_file_too() -> None:
    from dataclasses import replace

    case = section("config = safe_load('a: 1')")
    asked = replace(
        case, asked="Which of these lines works?", options={"A": "`print(config['a'])`", "B": "`print(config['b'])`"}
    )
    assert decided(asked) == "A"
