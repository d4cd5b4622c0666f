"""Code is run as a program, as it is written; calls are made as they are given."""

from __future__ import annotations

import logging
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from goldproof.sandbox.inside.proof.calls import call_seen
from goldproof.sandbox.inside.proof.imports import import_seen
from goldproof.sandbox.inside.proof.programs import code_seen


def _call(*given: object, **named: object) -> dict[str, Any]:
    return call_seen(frozenset({__file__}), given, named)


def _code(source: str) -> dict[str, Any]:
    return code_seen(source)


def test_the_value_of_the_last_line_comes_back_where_it_is_an_expression() -> None:
    assert _code("x = 2\nx + 1")["value"]["literal"] == "3"
    assert _code("x = 2\nx += 1")["value"]["literal"] == "None"


def test_code_is_main_and_does_not_inherit_the_observers_future_imports() -> None:
    seen = _code("def f(a: int): ...\nprint(__name__)\nf.__annotations__['a'] is int")
    assert seen["stdout"] == "__main__\n"
    assert seen["value"]["literal"] == "True"


def test_an_exception_has_type_ancestors_message_and_line() -> None:
    error = _code("a = 1\nint('q')\n")["exception"]
    assert error["type"] == "ValueError"
    assert error["mro"][:2] == ["builtins.ValueError", "builtins.Exception"]
    assert error["message"] == "invalid literal for int() with base 10: 'q'"
    assert error["line"] == 2
    assert error["in_proof"] is True


def test_an_exception_from_the_library_is_not_in_the_proof_but_has_the_line_that_led_there() -> None:
    error = _code("import json\n\njson.loads('{')")["exception"]
    assert error["qualified"] == "json.decoder.JSONDecodeError"
    assert (error["line"], error["in_proof"]) == (3, False)


@pytest.mark.parametrize("source", ["def f(:\n", "x = = 1", "return 1", "async def f(): pass\nfor await x in y: pass"])
def test_a_syntax_error_is_raised_by_the_code_itself(source: str) -> None:
    seen = _code(source)
    assert seen["outcome"] == "raised"
    assert (seen["exception"]["type"], seen["exception"]["in_proof"]) == ("SyntaxError", True)


def test_await_at_the_top_level_is_run() -> None:
    seen = _code("import asyncio\nawait asyncio.sleep(0)\nawait asyncio.sleep(0, 'done')")
    assert seen["value"]["literal"] == "'done'"


def test_a_main_that_is_only_defined_does_not_run() -> None:
    assert _code("async def main():\n    print('ran')\n")["stdout"] == ""


def test_a_coroutine_that_code_does_not_await_stays_one() -> None:
    seen = _code("async def main():\n    print('ran')\nmain()")
    assert (seen["stdout"], seen["value"]["type"]) == ("", "coroutine")


def test_leaving_is_neither_returning_nor_raising() -> None:
    assert (_code("exit_code = 3\nraise SystemExit(exit_code)")["outcome"], _code("raise SystemExit(3)")["code"]) == (
        "exited",
        3,
    )
    assert _code("raise SystemExit")["code"] == 0


def test_source_of_what_code_defines_can_be_read_back_and_models_resolve_their_names() -> None:
    seen = _code(
        "from __future__ import annotations\nimport inspect, pickle\nfrom dataclasses import dataclass\n"
        "from pydantic import BaseModel\nclass Item(BaseModel):\n    n: int\n\nclass Box(BaseModel):\n    item: Item\n"
        "@dataclass\nclass D:\n    a: int\n"
        "print(inspect.getsource(Item))\nprint(Box(item={'n': 1}).item.n, pickle.loads(pickle.dumps(D(1))))"
    )
    assert seen["outcome"] == "returned", seen["exception"]
    assert seen["stdout"] == "class Item(BaseModel):\n    n: int\n\n1 D(a=1)\n"


def test_main_is_as_before_afterwards() -> None:
    before = sys.modules["__main__"]
    _code("import sys\nsys.modules['__main__'].x = 1")
    assert sys.modules["__main__"] is before


def test_what_is_written_below_python_stands_in_its_place() -> None:
    seen = _code("import os\nprint('one')\nos.write(1, b'two\\n')\nprint('three')\nos.write(2, b'err')")
    assert (seen["stdout"], seen["stderr"]) == ("one\ntwo\nthree\n", "err")


def test_output_is_captured_after_the_code_replaced_the_stream() -> None:
    seen = _code("import sys, io\nprint('a')\nsys.stdout = io.StringIO()\nprint('hidden')")
    assert seen["stdout"] == "a\n"


@pytest.mark.skipif(sys.platform != "linux", reason="open descriptors are counted in /proc")
def test_descriptors_are_given_back() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        _code("print(1)")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_input_is_empty() -> None:
    assert _code("input()")["exception"]["type"] == "EOFError"


def test_logs_are_what_loggers_let_through() -> None:
    def talk() -> None:
        quiet, loud = logging.getLogger("goldproof.test.quiet"), logging.getLogger("goldproof.test.loud")
        loud.setLevel(logging.DEBUG)
        loud.propagate = False
        loud.addHandler(logging.NullHandler())
        quiet.info("not %s", "seen")
        quiet.warning("seen %d", 1)
        loud.debug("seen too")

    logs = [(one["logger"], one["level"], one["message"]) for one in _call("talk", talk)["logs"]]
    assert logs == [("goldproof.test.quiet", "WARNING", "seen 1"), ("goldproof.test.loud", "DEBUG", "seen too")]


def test_a_log_record_whose_message_cannot_be_made_does_not_change_what_happens() -> None:
    logger = logging.getLogger("goldproof.test.broken")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    assert _call("log", logger.warning, "%d", "text")["outcome"] == "returned"


def test_basic_config_of_code_still_works() -> None:
    code = (
        "import logging\nroot = logging.getLogger()\nroot.handlers.clear()\nlogging.basicConfig(format='%(message)s')\n"
    )
    root = logging.getLogger()
    before = list(root.handlers)
    try:
        assert _code(code + "logging.warning('shown')")["stderr"] == "shown\n"
    finally:
        root.handlers[:] = before


def test_warnings_are_recorded_each_time() -> None:
    def warn() -> None:
        for _ in range(2):
            warnings.warn("old", DeprecationWarning, stacklevel=1)

    assert _call("warn", warn)["warnings"] == [{"category": "DeprecationWarning", "message": "old"}] * 2


def test_a_coroutine_that_comes_back_from_a_call_is_awaited() -> None:
    async def main(x: int) -> int:
        return x

    seen = _call("main", main, 4)
    assert (seen["awaited"], seen["value"]["literal"]) == (True, "4")


def test_a_coroutine_is_awaited_inside_of_a_running_loop_as_well() -> None:
    import asyncio

    async def inner() -> int:
        return 5

    async def outer() -> dict[str, Any]:
        return _call("inner", inner)

    assert asyncio.run(outer())["value"]["literal"] == "5"


def test_what_cannot_be_called_is_the_value_itself() -> None:
    assert _call("limit", 5)["value"]["literal"] == "5"


@pytest.mark.parametrize("given", [(), (sum, [1]), ("only a name",)])
def test_a_call_without_a_name_is_refused(given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="observe takes a name"):
        _call(*given)


def test_an_import_says_what_its_names_are_bound_to() -> None:
    seen = import_seen("from os.path import join as j, sep\nimport json")
    assert seen["bound"] == {"j": "posixpath.join", "sep": "an instance of builtins.str", "json": "json"}


def test_an_import_that_fails_binds_nothing() -> None:
    seen: dict[str, Any] = import_seen("from json import loads, goldproof_no_such_name")
    assert seen["bound"] == {}
    assert seen["exception"]["type"] == "ImportError"
