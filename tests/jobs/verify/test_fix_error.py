from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.verify.fix_error import fix_error_proofs, leaks
from goldproof.jobs.verify.fix_layout import FixLayout, fix_layout
from goldproof.jobs.verify.trying import Runs, try_proof
from goldproof.jobs.verify.verdicts import judge_case
from tests.jobs.verify.hand_made import LIBRARY, fix, yaml_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import CaseFinding


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    with yaml_sandbox() as sandbox:
        yield Runs(sandbox.run)


def audited(case: Case, runs: Runs) -> CaseFinding:
    tries = [try_proof(one, runs) for one in fix_error_proofs(case)]
    return judge_case(case, library=LIBRARY, tries=tries, remarks=leaks(case))


BROKEN = "import yaml\n\ndef load(text):\n    return yaml.load(text)\n"
GOOD = "import yaml\n\ndef load(text):\n    return yaml.safe_load(text)\n"
WRONG = "import yaml\n\ndef load(text):\n    return yaml.safe_load(text + '0')\n"
TEST = "import {module}\n\ndef test_load():\n    assert {module}.load('a: 1') == {{'a': 1}}\n"
BOTH = """
import pytest

def test_unfixed_fails():
    import unfixed
    with pytest.raises(TypeError, match="Loader"):
        unfixed.load("a: 1")

@pytest.mark.asyncio
async def test_fixed():
    import fixed
    assert fixed.load("a: 1") == {"a": 1}
"""


@pytest.mark.parametrize("module", ["fixed", "unfixed", "solution"])
def test_the_solution_takes_the_name_that_the_test_imports(module: str, runs: Runs) -> None:
    finding = audited(fix(BROKEN, GOOD, TEST.format(module=module)), runs)
    assert (finding.verdict, finding.holds) == ("valid", ("unfixed", "fixed")), finding.reason


@pytest.mark.parametrize(
    ("unfixed", "fixed", "test", "verdict", "words"),
    [
        (BROKEN, GOOD, BOTH, "valid", "passes its test"),
        (GOOD, GOOD, TEST.format(module="fixed"), "broken", "does not fail as it should"),
        (BROKEN, WRONG, TEST.format(module="fixed"), "incorrect", "test_load failed: AssertionError"),
        (BROKEN, BROKEN, TEST.format(module="fixed"), "incorrect", "test_load failed: TypeError"),
        # The unfixed file fails otherwise than its test says: it drifted.
        (BROKEN.replace("yaml.load(text)", "yaml.lod(text)"), GOOD, BOTH, "broken", "AttributeError"),
        # A test that an empty file passes looks at nothing.
        (BROKEN, GOOD, "def test_nothing():\n    assert 1 + 1 == 2\n", "unproven", "did not flip"),
        (BROKEN, GOOD, "import fixed\n", "unproven", "did not flip"),  # a program that checks nothing
        (BROKEN, GOOD, "import fixed\nassert fixed.load('a: 1') == {'a': 1}\n", "valid", "passes"),  # one that does
        (
            BROKEN,
            GOOD,
            "import helpers.agents\n" + TEST.format(module="fixed"),
            "unproven",
            "'helpers' is not installed",
        ),
        ("import yamml\n", "import yaml\nx = 1\n", "import fixed\n\ndef test_x():\n    assert fixed.x\n", "valid", ""),
        (BROKEN, "import absent\n" + GOOD, TEST.format(module="fixed"), "unproven", "'absent' is not installed"),
        (BROKEN, None, TEST.format(module="unfixed"), "unproven", "fixed is open"),
    ],
)
def test_unfixed_fails_and_fixed_passes(
    unfixed: str, fixed: str | None, test: str, verdict: str, words: str, runs: Runs
) -> None:
    finding = audited(fix(unfixed, fixed, test), runs)
    assert finding.verdict == verdict, finding.reason
    assert words in finding.reason


@pytest.mark.parametrize(
    ("unfixed", "fixed", "verdict"),
    [
        ("import yaml\nyaml.load('a: 1')", "import yaml\nyaml.safe_load('a: 1')", "valid"),
        ("import yaml", "import yaml\nyaml.safe_load('a: 1')", "broken"),
        ("import yaml\nyaml.load('a: 1')", "import yaml\nyaml.lod('a: 1')", "incorrect"),
        ("import absent", "import absent\nx = 1", "unproven"),
        ("import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=1)", "x = 1", "unproven"),
        ("1 / 0", None, "unproven"),
    ],
)
def test_without_a_test_the_files_are_run(unfixed: str, fixed: str | None, verdict: str, runs: Runs) -> None:
    finding = audited(fix(unfixed, fixed), runs)
    assert finding.verdict == verdict, finding.reason


EVERYTHING = """
import unittest
import pytest
from fixed import load

@pytest.fixture
def text():
    return "a: 1"

@pytest.fixture(name="made")
def _made(text, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(text)
    yield path
    path.unlink()

@pytest.fixture(autouse=True)
def always(monkeypatch):
    monkeypatch.setenv("GOLDPROOF_TEST", "1")

class TestLoad:
    def setup_method(self):
        self.text = "b: 2"
    def test_one(self, made):
        import os
        assert load(made.read_text()) == {"a": 1} and os.environ["GOLDPROOF_TEST"] == "1"
    @pytest.mark.parametrize("key, value", [("c", 3), pytest.param("d", 4, id="d")])
    def test_two(self, key, value):
        assert load(f"{key}: {value}") == {key: value} and load(self.text) == {"b": 2}

class Units(unittest.TestCase):
    def setUp(self):
        self.text = "a: 1.0"
    def test_near(self):
        self.assertEqual(load(self.text)["a"], pytest.approx(1.0000001))

def test_prints(capsys):
    print(load("a: 1"))
    assert capsys.readouterr().out == "{'a': 1}\\n"

@pytest.mark.skip(reason="not now")
def test_left_out():
    assert False

async def test_warns():
    import warnings
    with pytest.warns(UserWarning, match="so"):
        warnings.warn("so it is", UserWarning)
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0
    assert "division" in str(caught.value)
"""


def test_what_tests_take_from_pytest_is_there_without_it(runs: Runs) -> None:
    finding = audited(fix(BROKEN, GOOD, EVERYTHING), runs)
    assert finding.verdict == "valid", finding.reason
    first = finding.options[1].tries[0].run.observations[0]["value"]
    assert isinstance(first, dict)
    assert eval(first["literal"]) == {  # noqa: S307 - made by this test
        "TestLoad.test_one": "passed",
        "TestLoad.test_two[0]": "passed",
        "TestLoad.test_two[1]": "passed",
        "Units.test_near": "passed",
        "test_prints": "passed",
        "test_left_out": "skipped: not now",
        "test_warns": "passed",
    }


@pytest.mark.parametrize(
    "test",
    [
        "def test_a(mocker):\n    import fixed\n",
        "import pytest\n\ndef test_a():\n    pytest.nothing_such()\n    import fixed\n",
        "def test_a():\n    open('data.yaml').read()\n    import fixed\n",
        "import pytest\n\n@pytest.mark.skip\ndef test_a():\n    import fixed\n",
    ],
)
def test_what_cannot_be_had_in_the_sandbox_is_no_verdict(test: str, runs: Runs) -> None:
    finding = audited(fix(BROKEN, GOOD, test), runs)
    assert (finding.verdict, finding.holds) == ("unproven", ())


def test_a_file_that_the_test_opens_by_its_path_is_laid_out(runs: Runs) -> None:
    test = "from pathlib import Path\n\ndef test_a():\n    assert 'safe_load' in Path('good.py').read_text()\n"
    assert audited(fix(BROKEN, GOOD, test, files="bad good"), runs).verdict == "valid"


ALIASES = """
import unfixed as u
from fixed import load

class TestA:
    def test_u(self):
        u.load()
    def test_f(self):
        load()
    def test_both(self):
        u.load(load)
"""


@pytest.mark.parametrize(
    ("test", "layout"),
    [
        ("import fixed, yaml", FixLayout("fixed.py", needed=("yaml",))),
        ("from cases.one.fixed import load", FixLayout("fixed.py", needed=("cases", "yaml"))),
        (
            "import importlib\nx = importlib.import_module('unfixed')",
            FixLayout("unfixed.py", needed=("importlib", "yaml")),
        ),
        ("import os, solution, yaml, a.b", FixLayout("", ("solution", "yaml"), needed=("a", "os", "solution", "yaml"))),
        ("not python (", FixLayout(needed=("yaml",))),
        (BOTH, FixLayout("fixed.py", about_unfixed=("test_unfixed_fails",), needed=("pytest", "yaml"))),
        (
            ALIASES,
            FixLayout("fixed.py", about_unfixed=("TestA.test_u",), needed=("yaml",)),
        ),
    ],
)
def test_how_a_test_finds_the_code(test: str, layout: FixLayout) -> None:
    assert fix_layout(fix(BROKEN, GOOD, test)) == layout


def test_files_of_one_name_in_two_folders_are_told_apart(runs: Runs) -> None:
    case = fix(BROKEN, GOOD, TEST.format(module="agent"), files="agent agent")
    assert audited(case, runs).verdict == "valid"


@pytest.mark.parametrize(
    ("asked", "leaked"),
    [
        ("Loading fails.", ""),
        ("Loading fails; use `safe_load`.", "`safe_load`"),
        ("It should call safe_load, say the docs.", "`safe_load`"),
        ("Write return yaml.safe_load(text) there.", "`return yaml.safe_load(text)`"),
        ("The function load of yaml fails on text.", ""),  # known before
        ("Make the loading safe.", ""),  # a plain word
    ],
)
def test_a_description_that_contains_the_fix_leaks(asked: str, leaked: str, runs: Runs) -> None:
    finding = audited(fix(BROKEN, GOOD, TEST.format(module="fixed"), asked=asked), runs)
    assert [one.kind for one in finding.remarks] == (["leak"] if leaked else [])
    assert all(leaked in one.text for one in finding.remarks)
    assert finding.verdict == "valid"


def test_a_name_that_the_test_mentions_is_no_leak() -> None:
    case = fix("x = 1", "create_agent = 2", "import fixed\nfixed.create_agent", asked="Write `create_agent`.")
    assert leaks(case) == ()
    assert len(leaks(fix("x = 1", "create_agent = 2", asked="Write `create_agent`."))) == 1


def test_a_kept_proof_runs_by_hand(tmp_path: Path) -> None:
    import goldproof.sandbox.inside.proof as observer

    (tmp_path / "goldproof_proof").symlink_to(Path(observer.__file__).parent)
    folder = tmp_path / "case" / "verify_fixed.files"
    folder.mkdir(parents=True)
    proof = fix_error_proofs(fix(BROKEN, GOOD, BOTH))[1]
    for name, text in proof.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    script = tmp_path / "case" / "verify_fixed.py"
    for text, expected in ((proof.script, "'passed'"), (proof.control.script, "'failed'")):
        script.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path, check=True)
        assert f'"literal": "{expected}"' in done.stdout
