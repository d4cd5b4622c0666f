"""How a script ends, and what is sent of it."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from goldproof.sandbox.inside.proof.encoding import encode
from tests.sandbox.proof.proving import PROOF, prove

_HEAD = "from goldproof_proof import observe, observe_name, observe_code, observe_command, observe_anywhere\n"


@pytest.mark.parametrize(
    ("script", "ended", "reason"),
    [
        ("observe('one', sum, [1])", "finished", ""),
        ("1 / 0", "crashed", "the script raised ZeroDivisionError: division by zero"),
        ("x = = 1", "crashed", "the script raised SyntaxError: invalid syntax (proof.py, line 2)"),
        ("import sys\nsys.exit(0)", "exited", "the script ended itself by sys.exit(0)"),
        ("raise KeyboardInterrupt", "crashed", "the script raised KeyboardInterrupt: "),
        (
            "observe_name(3)",
            "crashed",
            "the script raised TypeError: observe_name takes a dotted path as text; found int",
        ),
    ],
)
def test_how_a_script_ends(script: str, ended: str, reason: str) -> None:
    message = prove(_HEAD + script).message
    assert (message["ended"], message["reason"]) == (ended, reason)


def test_observations_come_in_order_with_those_before_a_crash() -> None:
    done = prove(_HEAD + "observe('one', len, 'a')\nobserve('two', len, 'ab')\n1 / 0")
    assert [one["name"] for one in done.observations] == ["one", "two"]
    assert done.message["ended"] == "crashed"


def test_a_script_is_main_and_may_await() -> None:
    done = prove(
        _HEAD
        + "import asyncio\nawait asyncio.sleep(0)\nif __name__ == '__main__':\n    observe('ran', lambda: __file__[-8:])"  # noqa: E501
    )
    assert done.last["value"]["literal"] == "'proof.py'"


def test_output_outside_of_observations_is_not_captured() -> None:
    done = prove(_HEAD + "print('outside')\nobserve('inside', print, 'inside')")
    assert (done.printed.strip(), done.last["stdout"]) == ("outside", "inside\n")


def test_a_script_finds_files_beside_it() -> None:
    script = "open('beside.py', 'w').write('x = 4')\nimport beside\nobserve('x', beside.x)"
    assert prove(_HEAD + script).last["value"]["literal"] == "4"


def test_anywhere_searches_the_packages_under_test() -> None:
    seen = prove(_HEAD + "observe_anywhere('SafeLoader')", packages=("yaml",)).last
    assert seen["found"] == ["yaml.SafeLoader", "yaml.loader.SafeLoader"]


def test_a_command_is_run_and_its_options_are_read() -> None:
    seen = prove(_HEAD + "observe_command('python', '-m', 'json.tool', '--help')").last
    assert (seen["outcome"], seen["code"]) == ("exited", 0)
    assert {"--sort-keys", "--indent", "-h"} <= set(seen["options"])
    assert "\x1b" not in seen["stdout"]


def test_a_console_script_is_found_by_its_name_and_one_that_is_not_there_is_missing() -> None:
    script = "observe_command('pygmentize', '-h')\nobserve_command('goldproof-no-such-command', '--help')"
    found, missing = prove(_HEAD + script).observations
    assert found["code"] == 0
    assert (missing["outcome"], missing["options"]) == ("missing", [])


def test_a_command_that_fails_says_so() -> None:
    seen = prove(_HEAD + "observe_command('python', '-m', 'json.tool', '--goldproof-no-such-option')").last
    assert (seen["outcome"], seen["code"]) == ("exited", 2)


def test_the_encoder_writes_what_json_reads() -> None:
    data = {"a": [1, 2.5, True, False, None, 'ü\n"\u2028'], "b": {"c": ()}, "n": float("nan"), "o": object()}
    assert json.loads(encode(data)) == {"a": data["a"], "b": {"c": []}, "n": None, "o": None}


def _by_hand(python: str, folder: Path) -> list[dict[str, object]]:
    shutil.copytree(PROOF, folder / "proofs" / "goldproof_proof", ignore=shutil.ignore_patterns("__pycache__"))
    script = folder / "proofs" / "case" / "verify_option_A.py"
    script.parent.mkdir()
    script.write_text(
        "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).resolve().parents[1]))\n"
        + _HEAD
        + "from goldproof_proof import observe_import, observe_keyword, observe_same\n"
        "observe('sum', sum, [1, 2])\nobserve_code('import asyncio\\nawait asyncio.sleep(0)\\nprint(1)')\n"
        "observe_name('json.JSONEncoder')\nobserve_keyword('json.JSONEncoder', 'indent')\n"
        "observe_import('from json import loads')\nobserve_same(A='json.loads', B='json.dumps')\n"
        "observe_command('python', '-m', 'json.tool', '-h')\n"
    )
    done = subprocess.run(
        [python, "-W", "error", "-B", str(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


_SHAPE = [("call", "returned"), ("code", "returned"), ("name", None), ("keyword", "accepted"), ("import", "returned"),
          ("same", None), ("command", "exited")]  # fmt: skip


def test_a_kept_script_that_is_run_by_hand_prints_what_it_observed(tmp_path: Path) -> None:
    seen = _by_hand(sys.executable, tmp_path)
    assert [(one["kind"], one.get("outcome")) for one in seen] == _SHAPE


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13"])
def test_other_versions_of_python_observe_the_same(version: str, tmp_path: Path) -> None:
    managed = [str(one) for one in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    python = managed[0] if managed else shutil.which(f"python{version}")
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    seen = _by_hand(python, tmp_path)
    assert [(one["kind"], one.get("outcome")) for one in seen] == _SHAPE


def test_the_observer_is_written_for_python_3_9_with_the_standard_library_and_its_own_modules_only() -> None:
    own = {path.stem for path in PROOF.glob("*.py")}
    late = {"google", "pydantic", "httpx", "requests"}  # by stand-ins, inside of functions
    for path in sorted(PROOF.glob("*.py")):
        tree = ast.parse(path.read_text(), feature_version=(3, 9))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                assert node.level == 1, path.name
                names = [str(node.module)] if node.module else [one.name for one in node.names]
                assert set(names) <= own, f"{path.name}: {names}"
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names = [str(node.module)] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                tops = {str(name).partition(".")[0] for name in names}
                assert tops <= sys.stdlib_module_names | (late if path.name.startswith("stand_in_") else set()), (
                    path.name
                )
