"""What happens when the code of a question is run: read, run by plain Python, and held against the options."""

from __future__ import annotations

import ast

import pytest

from goldproof.jobs.verify.proof import Proof
from goldproof.jobs.verify.rules.missing_imports import import_lines
from tests.jobs.verify.rules.case_runs import Names, case_of, decided, proofs_of, standings

BAD = "import yaml\nyaml.safe_load('a: b: c')"  # raises yaml.scanner.ScannerError, a YAMLError
GOOD = "import yaml\nx = yaml.safe_load('a: 1')\nprint(x['a'])"  # prints 1
LATE = "import yaml\nx = yaml.safe_load('a: 1')\nprint(x['a'])\nprint(x['b'])"  # prints 1, then a KeyError

# The question, its code, its options, and what is found: the letters that hold, `?` and those that stay open, `!` for a
# premise that is false.
OUTCOMES = [
    (
        "What happens when this code runs?",
        BAD,
        ["It raises a `yaml.YAMLError`.", "It raises a `ValueError`.", "It runs without errors."],
        "A",
    ),
    (
        "What happens when you run the script?",
        BAD,
        ["A ScannerError is raised because of the second colon.", "A TypeError is raised", "No error."],
        "?A",
    ),
    (
        "What is the outcome of running this code?",
        GOOD,
        ["It prints `1`.", "It prints `2`.", "It raises a `KeyError`."],
        "A",
    ),
    ("What happens at runtime?", GOOD, ["The code fails with an exception.", "It runs successfully."], "B"),
    ("Will this code work?", GOOD, ["Yes, it runs without any error.", "No, it raises a `TypeError`."], "A"),
    (
        "Predict the behavior of the following program.",
        LATE,
        [
            "It prints `1` and then raises `KeyError`.",
            "It prints `1`.",
            "It raises a `KeyError`.",
            "Nothing is printed.",
        ],
        "A",
    ),
    (
        "What happens here?",
        LATE,
        ["It prints `2` and then raises `KeyError`.", "It runs without errors", "It prints nothing."],
        "",
    ),
    ("What happens when this code runs?", GOOD, ["Nothing is printed.", "`1` is printed to the console"], "B"),
    (
        "What happens?",
        BAD,
        ["`ValueError` or `TypeError` is raised", "`ValueError` or `yaml.YAMLError` is raised", "An error occurs."],
        "BC",
    ),
    # Words beyond what can be seen: refuted, never confirmed.
    (
        "What happens when this code runs?",
        GOOD,
        ["No error, but the value is cached.", "It raises a `KeyError` and clears the cache"],
        "?A",
    ),
    # The same claim with other reasons: neither can be told from the other.
    (
        "What happens when this code runs?",
        BAD,
        ["A `YAMLError`, because of the first colon.", "A `YAMLError`, because of the second colon.", "No error."],
        "?AB",
    ),
    ("What happens when this code runs?", GOOD, ["The agent is renamed.", "It runs without errors."], "B?A"),
    ("What happens when this code runs?", GOOD, ["It raises a `KeyError`.", "None of the above"], "?B"),
    (
        "Which of the following does NOT happen when the code is run?",
        GOOD,
        ["It prints `1`.", "It raises a `KeyError`."],
        "B",
    ),
]


@pytest.mark.parametrize(("asked", "code", "options", "found"), OUTCOMES)
def test_options_are_decided_by_what_the_code_does(asked: str, code: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=code)) == found


def test_code_that_fails_for_another_reason_breaks_the_question() -> None:
    options = ("It prints `1`.", "It prints `2`.")
    assert (
        decided(case_of("What happens when this code runs?", *options, code="import no_such_module\nprint(1)")) == "!"
    )
    others = ("It raises a `ValueError`.", "It raises a `KeyError`.", "None of the above")
    case = case_of("What happens when this code runs?", *others, code="import yaml\nyaml.safe_load(no_such_name)")
    assert decided(case) == "?C!"


def test_an_error_that_an_option_speaks_of_breaks_nothing() -> None:
    code = "import no_such_module\nprint(1)"
    options = ("It raises a `ModuleNotFoundError`.", "It prints `1`.")
    assert decided(case_of("What happens when this code runs?", *options, code=code)) == "A"
    options = ("It raises an `ImportError`.", "It prints `1`.")
    assert decided(case_of("What happens when this code runs?", *options, code=code)) == "A"
    options = ("An error occurs.", "It prints `1`.")
    assert decided(case_of("What happens when this code runs?", *options, code=code)) == "A"


@pytest.mark.parametrize(
    ("asked", "code", "found"),
    [
        ("Why does this code raise a `YAMLError`?", BAD, "?AB"),
        ("Why does this code raise a `YAMLError`?", GOOD, "?AB!"),
        ("Why does this code fail?", GOOD, "?AB!"),
        ("Why does this code not raise a `YAMLError`?", BAD, "?AB!"),
        ("Why does this code not raise a `YAMLError`?", GOOD, "?AB"),
    ],
)
def test_what_the_question_says_of_its_code_is_a_premise(asked: str, code: str, found: str) -> None:
    assert decided(case_of(asked, "Because of the first colon.", "Because of the space.", code=code)) == found


def test_a_function_that_nobody_calls_is_called() -> None:
    code = "def code_under_test():\n    yaml.safe_load('a: b: c')"
    case = case_of("What happens?", "It raises a `YAMLError`.", "No error.", code=code, section="one")
    assert decided(case) == "A"
    assert "then `code_under_test()`" in proofs_of(case)[0].says
    code = "async def code_under_test():\n    yaml.safe_load('a: b: c')"
    assert decided(case_of("What happens?", "It raises a `YAMLError`.", "No error.", code=code, section="one")) == "A"


def test_a_call_that_the_question_names_is_run_after_its_code() -> None:
    code = "import yaml\ndef load(text):\n    return yaml.safe_load(text)"
    options = ("It raises a `YAMLError`.", "No error.")
    assert decided(case_of("What happens when `load('a: b: c')` is called?", *options, code=code)) == "A"
    assert decided(case_of("What happens when `load('a: b')` is called?", *options, code=code)) == "B"


def test_names_of_the_library_that_the_code_leaves_out_are_imported() -> None:
    case = case_of(
        "What happens?", "It raises a `ValidationError`.", "No error.", code="TypeAdapter(int).validate_python('x')"
    )
    assert decided(case) == "A"
    assert "from pydantic import TypeAdapter" in proofs_of(case)[0].says


def test_where_an_option_speaks_of_a_name_error_the_code_runs_as_it_is() -> None:
    case = case_of(
        "What happens?", "It raises a `NameError`.", "No error.", code="TypeAdapter(int).validate_python('1')"
    )
    assert decided(case) == "A"


def test_code_that_only_defines_things_shows_nothing_unless_it_fails() -> None:
    options = ("It raises a `TypeError`.", "No error.")
    fine = "from pydantic import BaseModel\nclass Car(BaseModel):\n    doors: int"
    assert decided(case_of("What happens?", *options, code=fine)) == "?AB"
    wrong = "class Car(int, str):\n    pass"
    assert decided(case_of("What happens?", *options, code=wrong)) == "A?B"


def test_a_subclass_holds_loosely_beside_the_exact_type() -> None:
    code = "from pydantic import TypeAdapter\nTypeAdapter(int).validate_python('x')"
    case = case_of("What happens?", "It raises a `ValueError`.", "It raises a `ValidationError`.", code=code)
    assert standings(case)["A"] == standings(case)["B"] == "holds"  # the verdict prefers the exact type


# Nothing may be said about these: the code is no program, or it is not what is asked about.
SILENT = [
    ("What happens when this code runs?", "", ["It raises a `ValueError`.", "No error."]),
    ("What happens when this code runs?", "    x = 1\n    return x", ["It raises a `ValueError`.", "No error."]),
    (
        "What happens when this code runs?",
        "agent = make(...)\n...\nagent.run()",
        ["It raises a `ValueError`.", "No error."],
    ),
    ("What happens when this code runs?", "# ...\nprint(1)", ["It raises a `ValueError`.", "No error."]),
    ("What happens when this code runs?", "my_agent.run('hi')", ["It raises a `ValueError`.", "No error."]),
    ("What happens when this code runs?", "def f(x):\n    return x", ["It raises a `ValueError`.", "No error."]),
    (
        "What happens when this code runs?",
        "def f():\n    pass\ndef g():\n    pass",
        ["It raises a `ValueError`.", "No error."],
    ),
    ("What happens if the second line is removed?", GOOD, ["It raises a `NameError`.", "No error."]),
    ("What happens when `3` is added instead of `1`?", GOOD, ["It raises a `ValueError`.", "No error."]),
    ("What happens when `parse('a')` is called?", GOOD, ["It raises a `ValueError`.", "No error."]),
    ("How would you fix this code?", BAD, ["Catch the `YAMLError`.", "It runs without errors."]),
    ("Which change makes this code work?", BAD, ["Quote the value.", "Use `yaml.load`."]),
    ("What is the purpose of this code?", GOOD, ["It prints `1`.", "It loads a file."]),
    ("Which class does this use?", GOOD, ["`ValueError`", "`SafeLoader`"]),
    ("What is the best practice here?", GOOD, ["Use a loader", "No error."]),
    ("Which method should be called next?", GOOD, ["`yaml.dump`", "`close`"]),
    ("How does the agent keep its state?", GOOD, ["In memory.", "On disk."]),
    ("When should you use this pattern?", GOOD, ["Always", "When an error occurs."]),
    ("What happens when this code runs?", "this is not python at all", ["It raises a `ValueError`.", "No error."]),
    ("What happens when this code runs?", GOOD, ["The loader is closed.", "The agent is renamed."]),
    ("Who maintains this library?", GOOD, ["A company", "Volunteers"]),
]


@pytest.mark.parametrize(("asked", "code", "options"), SILENT)
def test_where_the_code_says_nothing_no_rule_speaks(asked: str, code: str, options: list[str]) -> None:
    assert proofs_of(case_of(asked, *options, code=code, section="one" if code.startswith("my_agent") else None)) == ()


def test_a_proof_says_what_it_claims_in_the_script_too() -> None:
    proof = proofs_of(case_of("What happens?", "It raises a `KeyError`, because of b.", "No error.", code=LATE))[0]
    assert isinstance(proof, Proof)
    assert proof.rule == "snippet"
    assert proof.says == "Running the code raises KeyError. The reason that the option gives is not looked at."
    assert proof.says in proof.script
    assert proof.control.negated == {"check": "not", "of": proof.expect}


@pytest.mark.parametrize(
    ("option", "found"),
    [
        ("It prints `1` and then `1`.", "A"),
        ("The code prints `1` followed by `1`, each on its own line.", "A"),
        ("It prints `1` and then `2`.", ""),
        # What is said beyond may change what is printed, so that it refutes nothing.
        ("It prints `1` twice.", "?A"),
        ("It prints `1` for each of the two.", "?A"),
        ("It prints `x` as a number", "?A"),
        ("It prints `1` twice and raises a `KeyError`", ""),
    ],
)
def test_what_is_printed_is_read_as_a_whole(option: str, found: str) -> None:
    case = case_of("What happens when this code runs?", option, "It prints nothing.", code="x = 1\nprint(x)\nprint(x)")
    assert decided(case) == found


@pytest.mark.parametrize(
    ("asked", "asks"),
    [
        ("What is the consequence of loading this text?", True),
        ("What are the consequences of running the code?", True),
        ("Which consequence does the second colon have?", True),
        ("Why is that the consequence?", False),
        ("What is the consequence if the colon is removed?", False),
    ],
)
def test_a_consequence_is_an_outcome(asked: str, asks: bool) -> None:
    case = case_of(asked, "It raises a `YAMLError`.", "No error.", code=BAD)
    assert decided(case) == ("A" if asks else "?AB")


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("print(email.mime.text.MIMEText('a'))", "import email.mime.text"),
        ("email.utils.quote('a')", "import email.utils"),
        ("x = [email.message.Message, email.policy]", "import email.message\nimport email.policy"),
        ("email.nothing.quote('a')", None),
        ("import email\nemail.utils.quote('a')", None),
        ("utils.quote('a')", None),
    ],
)
def test_what_is_used_by_its_whole_path_is_imported_as_a_module(code: str, line: str | None) -> None:
    known = ("email", "email.mime", "email.mime.text", "email.utils", "email.message", "email.policy")
    names = Names(("email",), dict.fromkeys(known, "module"))
    tree = ast.parse(code)
    lines = import_lines(tree, names)
    made = [one for one in lines or () if "." in one and one.startswith("import ")]
    assert made == (line.split("\n") if line else [])


def test_the_short_name_of_the_package_is_imported_as_it() -> None:
    tree = ast.parse("np.array([1])")
    assert import_lines(tree, Names(("numpy",), {"numpy": "module"})) == ("import numpy as np",)
    assert import_lines(tree, Names(("yaml",), {"yaml": "module"})) is None
