"""Attempts that make observations worthless are recorded; what real libraries do is not."""

from __future__ import annotations

import pytest

from tests.sandbox.proof.proving import prove

_HEAD = (
    "from goldproof_proof import observe, observe_code, observe_name, observe_keyword\nimport goldproof_proof, sys\n"
)


def test_an_ordinary_proof_is_neither_blocked_nor_changed() -> None:
    done = prove(_HEAD + "import asyncio, yaml\nobserve('load', yaml.safe_load, 'a: 1')\nobserve('s', asyncio.sleep, 0)",  # noqa: E501
                 packages=("yaml",))  # fmt: skip
    assert done.message["ended"] == "finished", done.message
    assert (done.message["blocked"], done.message["changed"]) == ([], [])
    assert done.observations[0]["value"]["literal"] == "{'a': 1}"


@pytest.mark.parametrize(
    ("code", "event"),
    [
        ("import socket; socket.socket()", "socket.__new__"),
        ("import socket; socket.socket(socket.AF_UNIX)", "socket.__new__"),
        ("import _socket; _socket.socket(2, 2, 0)", "socket.__new__"),
        ("import socket; socket.getaddrinfo('localhost', 1)", "socket.getaddrinfo"),
        (
            "import urllib.request as u\ntry: u.urlopen('http://127.0.0.1:9/', timeout=1)\nexcept OSError: pass",
            "socket",
        ),
    ],
)
def test_reaching_for_the_network_is_recorded(code: str, event: str) -> None:
    blocked = prove(_HEAD + f"observe_code({code!r})").message["blocked"]
    assert blocked, "nothing was recorded"
    assert blocked[0].startswith(event)


def test_a_pair_of_connected_sockets_and_looking_for_ipv6_are_no_attempts() -> None:
    code = "import socket, asyncio\na, b = socket.socketpair()\na.close(); b.close()\nasyncio.run(asyncio.sleep(0))"
    assert prove(_HEAD + f"observe_code({code!r})").message["blocked"] == []
    probe = "import urllib3.util.connection"
    assert prove(_HEAD + f"observe_code({probe!r})").message["blocked"] == []


@pytest.mark.parametrize(
    ("attack", "name"),
    [
        ("import yaml\nyaml.safe_load = lambda text: 'forged'", "yaml.safe_load"),
        (
            "import yaml\nyaml.SafeLoader.get_single_data = lambda self: 'forged'",
            "yaml.loader.SafeLoader.get_single_data",
        ),
        ("import yaml\nyaml.safe_load.__code__ = (lambda stream: 'forged').__code__", "yaml.safe_load.__code__"),
        ("import yaml\nyaml.dump.__defaults__ = (1, 2)", "yaml.dump.__defaults__"),
        ("import builtins\nbuiltins.repr = lambda x: 'forged'", "builtins.repr"),
        ("import builtins\nbuiltins.type = lambda x: int", "builtins.type"),
        ("import builtins\nbuiltins.all = lambda x: True\nbuiltins.map = None", "builtins.all"),
        ("import inspect\ninspect.signature = lambda x: 'forged'", "inspect.signature"),
        (
            "import json\njson.JSONEncoder.iterencode = lambda *a, **k: ['forged']",
            "json.encoder.JSONEncoder.iterencode",
        ),
        ("try:\n    import gc; gc.get_objects()\nexcept Exception: pass", "the observer, by gc.get_objects"),
        ("try:\n    sys._getframe()\nexcept Exception: pass", "the observer, by sys._getframe"),
        ("try:\n    sys.settrace(lambda *a: None)\nexcept Exception: pass", "the observer, by sys.settrace"),
        (
            "try:\n    import ctypes; ctypes.string_at(id(1), 1)\nexcept Exception: pass",
            "the observer, by ctypes.string_at",
        ),
        (
            "try:\n    1 / 0\nexcept ArithmeticError as e:\n    try: e.__traceback__.tb_frame\n    except OSError: pass",  # noqa: E501
            "the observer, by object.__getattr__",
        ),
    ],
)
def test_replacing_the_library_or_the_ground_of_the_observer_is_found_out(attack: str, name: str) -> None:
    done = prove(f"{_HEAD}{attack}\nimport yaml\nobserve('load', yaml.safe_load, 'a: 1')", packages=("yaml",))
    assert name in done.message["changed"], done.message


def test_a_patch_that_is_undone_after_the_observation_is_found_out() -> None:
    script = (
        "import yaml\nfrom unittest import mock\nwith mock.patch('yaml.safe_load', return_value=3):\n"
        "    observe('load', yaml.safe_load, 'a: 1')\n"
    )
    assert prove(_HEAD + script, packages=("yaml",)).message["changed"] == ["yaml.safe_load"]


def test_a_patch_that_the_observed_call_undoes_is_found_out() -> None:
    script = (
        "import yaml\nreal = yaml.safe_load\nyaml.safe_load = lambda text: 3\n"
        "def call():\n    value = yaml.safe_load('a: 1')\n    yaml.safe_load = real\n    return value\nobserve('load', call)\n"  # noqa: E501
    )
    assert prove(_HEAD + script, packages=("yaml",)).message["changed"] == ["yaml.safe_load"]


def test_the_public_functions_give_no_way_to_what_is_behind_them() -> None:
    names = "('__globals__', '__closure__', '__code__', '__wrapped__', '__self__', '__func__', 'func')"
    script = f"found = [n for n in {names} if hasattr(observe, n)]\nobserve('found', lambda: found)\n"
    assert prove(_HEAD + script).last["value"]["literal"] == "[]"


def test_a_script_finds_none_of_the_observers_modules_loaded() -> None:
    loaded = "[n for n in sys.modules if n.startswith(('goldproof_inside', 'goldproof_proof.'))]"
    script = _HEAD + f"observe('loaded', lambda: {loaded})"
    assert prove(script).last["value"]["literal"] == "['goldproof_proof.stand_ins']"


def test_printing_or_patching_the_public_names_forges_nothing() -> None:
    script = _HEAD + (
        "print('PASS')\nprint('{\"ended\": \"finished\"}')\nobserve('real', lambda: 1)\n"
        "goldproof_proof.observe = lambda *a: None\nsys.modules['goldproof_proof'] = None\nsys.stdout = None\n"
    )
    done = prove(script)
    assert [one["value"]["literal"] for one in done.observations] == ["1"]
    assert done.message["ended"] == "finished"
    assert done.printed.startswith("PASS")


def test_an_object_that_equals_everything_has_no_literal() -> None:
    script = (
        _HEAD
        + "class Any:\n    def __eq__(self, other): return True\n    def __repr__(self): return '3'\nobserve('any', Any)"  # noqa: E501
    )
    value = prove(script).last["value"]
    assert (value["literal"], value["type"]) == (None, "Any")


@pytest.mark.slow
def test_using_google_adk_reaches_nothing_and_changes_nothing() -> None:
    script = _HEAD + (
        "from google.adk.agents import LlmAgent\nobserve('agent', lambda: LlmAgent(name='a', model='m').name)\n"
        "observe_keyword('google.adk.agents.LlmAgent', 'instruction')\nobserve_name('google.adk.agents.LlmAgent')\n"
    )
    done = prove(script, packages=("google.adk", "google.adk.agents"))
    assert (done.message["blocked"], done.message["changed"]) == ([], [])
    assert done.observations[1]["outcome"] == "accepted"
