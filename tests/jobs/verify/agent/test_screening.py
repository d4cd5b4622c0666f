"""Screening: scripts as engineers write them pass, and each complaint can be acted on."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from goldproof.errors import InputError
from goldproof.jobs.verify.agent.action import Action
from goldproof.jobs.verify.agent.delivering import Rules, make_proof
from goldproof.jobs.verify.agent.exam import Exam
from goldproof.jobs.verify.agent.screening.relevance import unrelated
from goldproof.jobs.verify.agent.screening.screen import screen, screen_file
from goldproof.jobs.verify.agent.strength import is_weak, shows_existence
from goldproof.jobs.verify.agent.subject import control_value, read_subject

EXAM = Exam("What?", {"A": "it works"}, ("A",), {})
UNCHANGED = "line 2: yaml is imported and may not be changed: observe it as it is, or subclass it."
RELOAD = "line 1: importlib.reload may not be imported by a proof; use an import statement or observe_import."
ROOTS = ("yaml", "pydantic", "google.adk")
HONEST = {
    "a field of a model": """
        from pydantic import BaseModel, Field
        from goldproof_proof import observe
        SUBJECT = "gt"
        def build():
            class Model(BaseModel):
                size: int = Field(**{SUBJECT: 3})
            return Model(size=2)
        observe("build", build)
    """,
    "a coroutine": """
        import asyncio
        from google.adk.agents import LlmAgent
        from goldproof_proof import observe
        SUBJECT = "name"
        async def main():
            agent = LlmAgent(name=SUBJECT)
            return await agent.run_async(SUBJECT)
        observe("runs", main)
    """,
    "errors as values": """
        import yaml
        from goldproof_proof import observe
        SUBJECT = "["
        def attempt():
            try:
                return yaml.safe_load(SUBJECT)
            except yaml.YAMLError as error:
                return type(error).__name__
        observe("attempt", attempt)
    """,
    "code with a place for it": '''
        from textwrap import dedent
        from goldproof_proof import observe_code
        SUBJECT = "safe_load"
        observe_code(dedent(f"""
            import yaml
            print(yaml.{SUBJECT}("a: 1") == {{"a": 1}})
        """))
    ''',
    "code in a variable": """
        from goldproof_proof import observe_code
        SUBJECT = "yaml.safe_load('1')"
        CODE = "import yaml\\nRESULT"
        observe_code(CODE.replace("RESULT", SUBJECT))
    """,
    "membership": """
        import inspect, yaml
        from goldproof_proof import observe
        SUBJECT = "Loader"
        observe("takes it", lambda: SUBJECT in inspect.signature(yaml.load).parameters)
    """,
    "a value that was made before": """
        import yaml
        from goldproof_proof import observe
        SUBJECT = "a: 1"
        result = yaml.safe_load(SUBJECT)
        observe("result", lambda: result["a"])
    """,
    "an attribute by name": """
        import yaml
        from goldproof_proof import observe
        SUBJECT = "safe_load"
        observe("has it", hasattr, yaml, SUBJECT)
    """,
    "an object that is changed": """
        from pydantic import BaseModel
        from goldproof_proof import observe
        SUBJECT = 5
        class Model(BaseModel):
            size: int = 0
        model = Model()
        model.size = SUBJECT
        observe("reads back", lambda: model.size)
    """,
    "a stand-in": """
        from unittest.mock import MagicMock
        from google.adk.agents import LlmAgent
        from goldproof_proof import observe
        SUBJECT = "tools"
        observe("agent", lambda: LlmAgent(name="a", model=MagicMock(), **{SUBJECT: []}))
    """,
    "the namespace as a whole": """
        import os
        import google.adk.agents
        from goldproof_proof import observe
        os.environ["GOOGLE_API_KEY"] = "none"
        SUBJECT = "planner"
        if __name__ == "__main__":
            observe("agent", google.adk.agents.LlmAgent, name="a", **{SUBJECT: None})
    """,
    "several names": """
        from goldproof_proof import observe_name, observe_keyword, observe_anywhere
        SUBJECT = "load"
        for name in [SUBJECT]:
            observe_name(f"yaml.{name}")
        observe_keyword("yaml." + SUBJECT, "Loader")
        observe_anywhere(SUBJECT)
    """,
    "a subclass": """
        import yaml
        from goldproof_proof import observe
        SUBJECT = "!x 1"
        class Loader(yaml.SafeLoader):
            pass
        Loader.add_constructor("!x", lambda loader, node: "made")
        observe("loads", yaml.load, SUBJECT, Loader=Loader)
    """,
    "stand-ins of ours": """
        import yaml
        from goldproof_proof import observe
        from goldproof_proof.stand_ins import fixed_clock
        SUBJECT = "2001-01-01"
        with fixed_clock(0):
            observe("loads", yaml.safe_load, SUBJECT)
    """,
    "a command": """
        from goldproof_proof import observe_command
        SUBJECT = "--port"
        observe_command("adk", "web", SUBJECT, "--help")
    """,
}


def screened(text: str, *, subjects: tuple[str, ...] | None = None, exam: Exam = EXAM) -> str:
    subject = read_subject(dedent(text))
    texts = (str(subject.value),) if subjects is None else subjects
    return screen(subject.tree, exam=exam, roots=ROOTS, subjects=texts, expect={"check": "works"})


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_script_passes(name: str) -> None:
    assert screened(HONEST[name]) == ""


def test_code_of_the_question_may_do_what_scripts_may_not() -> None:
    code = "import yaml\nsetattr(yaml, 'x', 1)\nprint(yaml.x)"
    text = f"from goldproof_proof import observe_code\nSUBJECT = {code!r}\nobserve_code(SUBJECT)\n"
    assert (
        screened(text)
        == "in the code that is run: line 2: setattr may change the library; assign to an object of your own instead."
    )
    shown = Exam(f"What does it print?\n```python\n{code}\n```", {"A": "1"}, ("A",), {})
    assert screened(text, exam=shown) == ""


def test_long_code_is_read_as_well() -> None:
    code = "import yaml\n" + "x = 1\n" * 2_000 + "exec('1')\n"
    text = f"from goldproof_proof import observe_code\nSUBJECT = {code!r}\nobserve_code(SUBJECT)\n"
    assert screened(text).startswith("in the code that is run: line 2002: exec")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("from yaml import *", "line 1: from yaml import * hides what is imported; name it."),
        ("import json as a\nimport yaml as a", "a is imported as two different things."),
        ("open(3, 'wb')", "line 1: open of a number writes to a channel of the process."),
        ("open('/proc/self/fd/3', 'wb')", "line 1: '/proc/self/fd/3' leads to the channels of the process."),
        ("import yaml\ndel yaml.load", UNCHANGED),
        ("import yaml\nfor yaml.x in []: pass", UNCHANGED),
        ("x = print.__self__.__setattr__", "line 1: __setattr__ reaches behind the library."),
        ("f = setattr", "line 1: setattr may change the library; assign to an object of your own instead."),
        ("import subprocess", "line 1: subprocess may not be imported by a proof; use observe_command."),
        ("from importlib import reload", RELOAD),
        ("import importlib.metadata", ""),
        ("x.__class__.y = 1", "line 1: a class or module may not be changed: observe it as it is, or subclass it."),
        ("x =", "it is not Python: invalid syntax (<unknown>, line 1)."),
    ],
)  # fmt: skip
def test_files_beside_a_script_are_held_to_the_same(text: str, why: str) -> None:
    assert screen_file(text, roots=ROOTS) == why


@pytest.mark.parametrize(
    ("option", "script", "said"),
    [
        ("`yaml.safe_load` returns a list", "yaml.safe_load('1')", ""),
        ("`yaml.safe_load` returns a list", "observe_name('yaml.safe_load')", ""),
        (
            "`yaml.load` returns a list",
            "yaml.safe_load('1')  # load",
            "it uses none of the names in the option (load).",
        ),
        ("`yaml.load` returns a list", "observe('load', f)", "it uses none of the names in the option (load)."),
        ("It returns a list", "anything", ""),
        ("Use `Config(interval=5)`", "Other(interval=5)", ""),
        ("Use `Config(interval=5)`", "Other(freq=5)", "it uses none of the names in the option (Config, interval)."),
    ],
)
def test_a_proof_must_use_a_name_of_its_option(option: str, script: str, said: str) -> None:
    assert unrelated(option, tree=ast.parse(script), claim="{}") == said


def test_setting_up_the_library_is_refused_unless_it_is_asked_about() -> None:
    text = """
        import yaml
        from goldproof_proof import observe
        SUBJECT = "1"
        yaml.SafeLoader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value) + 1)
        observe("loads", yaml.safe_load, SUBJECT)
    """
    assert "line 5: yaml.SafeLoader.add_constructor changes the library for what comes after it" in screened(text)
    asked = Exam("What does `add_constructor` do?", {"A": "1"}, ("A",), {})
    assert screened(text, exam=asked) == ""


def test_the_control_replaces_one_literal_and_nothing_else() -> None:
    text = "# größer: é\nx = 'a: 1'; SUBJECT = 'a: 1'; y = 'a: 1'\r\nz = SUBJECT\n"
    subject = read_subject(text)
    assert subject.value == "a: 1"
    assert subject.replaced("b: ü") == "# größer: é\nx = 'a: 1'; SUBJECT = 'b: ü'; y = 'a: 1'\r\nz = SUBJECT\n"
    several = read_subject('SUBJECT = """one\ntwo"""\nx = 1\n')
    assert several.replaced(["x"]) == "SUBJECT = ['x']\nx = 1\n"


@pytest.mark.parametrize(
    ("value", "impossible"),
    [
        ("load", "goldproof_no_such_name"),
        ("yaml.load", "yaml.goldproof_no_such_name"),
        ("a: 1", None),
        ("--port", None),
        (3, None),
        ("", None),
    ],
)
def test_only_a_name_can_be_impossible(value: object, impossible: str | None) -> None:
    assert read_subject(f"SUBJECT = {value!r}").impossible == impossible


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SUBJECT = f()",
        "SUBJECT = 1\nSUBJECT = 2",
        "SUBJECT = other = 1",
        "if True:\n    SUBJECT = 1",
        "SUBJECT = 1\ndef f():\n    global SUBJECT\n    SUBJECT = 2",
        "SUBJECT = 1\nfor SUBJECT in []: pass",
        "SUBJECT = 1\ndel SUBJECT",
        "SUBJECT: int = 1",
        "SUBJECT = 1\n(SUBJECT := 2)",
    ],
)
def test_subject_is_one_literal_bound_once(text: str) -> None:
    with pytest.raises(InputError, match="SUBJECT"):
        read_subject(text)


def test_subject_may_be_given_beside_the_script() -> None:
    assert read_subject("x = SUBJECT", given="'a'").script == "SUBJECT = 'a'\nx = SUBJECT"
    assert read_subject("x = SUBJECT", given="yaml.load").value == "yaml.load"


def test_the_literal_of_a_control() -> None:
    text, number = read_subject("SUBJECT = 'a'"), read_subject("SUBJECT = 5")
    assert [control_value(one, text) for one in ("'b'", "b", "5", "f(1)")] == ["b", "b", "5", "f(1)"]
    assert control_value("6", number) == 6
    for given in ("'6'", "True", "x", "5"):
        with pytest.raises(InputError, match="control is"):
            control_value(given, number)
    with pytest.raises(InputError, match="the same as SUBJECT"):
        control_value("'a'", text)


def test_a_value_that_is_no_name_needs_a_control() -> None:
    script = "import yaml\nfrom goldproof_proof import observe\nSUBJECT = 5\nobserve('x', yaml.dump, SUBJECT)\n"
    action = Action(action="prove", option="A", script=script, expect='{"check": "returns", "literal": "5"}')
    with pytest.raises(InputError, match="SUBJECT is no name, so that you must give `control`"):
        make_proof(action, script, files={}, rules=Rules(EXAM, ROOTS, 1_000))


@pytest.mark.parametrize(
    ("expect", "weak"),
    [
        ({"check": "found"}, True),
        ({"check": "accepts"}, True),
        ({"check": "works"}, False),
        ({"check": "not", "of": {"check": "found"}}, False),
        ({"check": "all", "of": [{"check": "found"}, {"check": "what", "is": "class"}]}, True),
        ({"check": "all", "of": [{"check": "found"}, {"check": "inherits", "from": "X"}]}, False),
        ({"check": "any", "of": [{"check": "found"}, {"check": "inherits", "from": "X"}]}, True),
    ],
)
def test_existence_is_weak(expect: dict[str, object], weak: bool) -> None:
    assert is_weak(expect) is weak


@pytest.mark.parametrize(
    ("line", "existence"),
    [
        ("observe('x', hasattr, yaml, SUBJECT)", True),
        ("observe('x', getattr, yaml, SUBJECT)", True),
        ("observe('x', lambda: hasattr(yaml, SUBJECT))", True),
        ("observe('x', lambda: SUBJECT in dir(yaml))", True),
        ("observe_import(f'from yaml import {SUBJECT}')", True),
        ("observe('x', lambda: getattr(yaml, SUBJECT)('a: 1'))", False),
        ("observe('x', yaml.safe_load, SUBJECT)", False),
        ("observe_code(f'import yaml; yaml.{SUBJECT}')", False),
    ],
)
def test_looking_whether_something_is_there_shows_no_more(line: str, existence: bool) -> None:
    text = f"import yaml\nfrom goldproof_proof import observe, observe_code, observe_import\nSUBJECT = 'load'\n{line}\n"
    assert screened(text) == ""
    tree = read_subject(text).tree
    assert shows_existence({"check": "works"}, tree, roots=ROOTS) is existence
    assert shows_existence({"check": "returns", "literal": "True"}, tree, roots=ROOTS) is existence
    assert shows_existence({"check": "raises"}, tree, roots=ROOTS) is False


@pytest.mark.parametrize("levels", [500, 1_000, 4_000])
def test_what_is_too_deep_to_be_read_is_refused_on_every_python(levels: int) -> None:
    chain = f"yaml{'.a' * levels}"
    assert screen_file(chain, roots=ROOTS).startswith(("it is nested too deeply", "it is not Python: maximum"))
    deep = f"import yaml\nfrom goldproof_proof import observe\nSUBJECT = 'x'\nobserve('x', {chain}, SUBJECT)\n"
    action = Action(action="prove", option="A", script=deep, expect='{"check": "works"}')
    with pytest.raises(InputError, match=r"cannot be read|nested too deeply"):
        make_proof(action, deep, files={}, rules=Rules(EXAM, ROOTS, 20_000))
