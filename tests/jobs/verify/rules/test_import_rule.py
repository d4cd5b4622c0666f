"""Which import works."""

from __future__ import annotations

import pytest

from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

IMPORTS = [
    (
        "Which is the correct import statement for `BaseModel`?",
        [
            "from pydantic import BaseModel",
            "from pydantic.models import BaseModel",
            "`from pydantic.core import BaseModel`",
        ],
        "A",
    ),
    (
        "Which import is correct?",
        ["`from yaml import safe_load`", "```python\nfrom yaml import load_safe\n```", "import pyyaml"],
        "A",
    ),
    ("How do you import `BaseModel`?", ["`from pydantic import BaseModel`", "`from pydantic import Base`"], "A"),
    # Two paths to one name both hold.
    (
        "Which import gives `BaseModel`?",
        ["from pydantic import BaseModel", "from pydantic.main import BaseModel", "from pydantic import Model"],
        "AB",
    ),
    # It works, and binds another name.
    ("Which import gives `BaseModel`?", ["from pydantic import Field", "from pydantic import BaseModel"], "B"),
    ("Where can `SafeLoader` be imported from?", ["`yaml`", "`yaml.loading`", "`yaml.loader`"], "AC"),
    ("From which module is `BaseModel` imported?", ["pydantic", "pydantic.v3"], "A"),
    ("Which of the following imports fails?", ["`from yaml import safe_load`", "`from yaml import load_safe`"], "B"),
    ("Which import is invalid?", ["`from yaml import safe_load`", "`from yaml import load_safe`"], "B"),
    ("Which of these imports does NOT work?", ["`import yaml`", "`import yaml.nothing`"], "B"),
    # Which of them is needed does not follow from their working.
    (
        "You want to load YAML safely. Which import do you need?",
        ["`from yaml import safe_load`", "`from yaml import dump`", "`from yaml import nothing`"],
        "?AB",
    ),
    (
        "Which import statement is likely missing?",
        ["from yaml.tools import SafeLoader", "from yaml import SafeLoader", "None of the above"],
        "B?C",
    ),
    (
        "Which import is correct?",
        ["Use `from yaml import safe_load` at the top", "Use `from yaml import load_safe` at the top"],
        "?A",
    ),
]


@pytest.mark.parametrize(("asked", "options", "found"), IMPORTS)
def test_options_are_held_against_what_can_be_imported(asked: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options)) == found


def test_the_control_of_an_import_is_one_that_cannot_work_or_is_known_to() -> None:
    proof = proofs_of(case_of("Which import is correct?", "from yaml import safe_load", "import nothing"))[0]
    assert "from yaml import goldproof_no_such_name" in proof.control.script
    assert "import yaml" in proof.control.refuting


@pytest.mark.parametrize("options", [["The first one", "The second"], ["`safe_load`", "`load`"]])
def test_options_that_are_no_imports_are_left_alone(options: list[str]) -> None:
    assert proofs_of(case_of("Which import is correct?", *options)) == ()


@pytest.mark.parametrize(
    ("asked", "options", "rules"),
    [
        (
            "Which import gives you the loader?",
            ["`from yaml import SafeLoader`", "`from yaml.load import SafeLoader`", "`from yaml import Loading`"],
            ["import (meaning)", "import (meaning)", "import"],
        ),
        # No name that most of them import; more than an import; or the question is of another form.
        ("Which import gives you the loader?", ["`from yaml import A`", "`from yaml import B`"], ["import", "import"]),
        (
            "Which import gives you the loader?",
            ["Use `from yaml import A` first", "`from yaml.b import A`", "`import C.b`", "`import B`"],
            ["import", "import", "import", "import"],
        ),
        ("Which import fails here?", ["`from yaml import A`", "`from yaml.b import A`"], ["import", "import"]),
        ("Which import is correct?", ["`from yaml import A`", "`from yaml.b import A`"], ["import", "import"]),
    ],
)
def test_places_of_one_name_are_told_from_other_imports(asked: str, options: list[str], rules: list[str]) -> None:
    assert [proof.rule for proof in proofs_of(case_of(asked, *options))] == rules
