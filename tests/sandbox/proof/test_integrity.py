"""A library whose code was replaced is found out; what it does to itself is no change."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from goldproof.sandbox.inside.proof import stamps
from goldproof.sandbox.inside.proof.integrity import Snapshot, take_snapshot

_SOURCE = """
LIMIT = 3
registry = {}
_cache = None

class Loader:
    WIDTH = 80
    def load(self): return 1
    @property
    def size(self): return 2
    @staticmethod
    def still(): return 3
    class Inner:
        def deep(self): return 4

def load(): return Loader().load()
"""


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("goldproof_lib")
    exec(_SOURCE, vars(module))  # noqa: S102 - a library made for this test
    monkeypatch.setitem(sys.modules, "goldproof_lib", module)
    return module


def _replacement(*_: object) -> int:
    return 9


@pytest.fixture(params=["by stamps", "by values"], autouse=True)
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreters without stamps find the same."""
    if request.param == "by values":
        monkeypatch.setattr(stamps, "known", lambda: False)
    elif not stamps.known():
        pytest.skip("this Python has no stamps")


def test_an_untouched_library_has_no_changes(library: ModuleType) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    library.load()
    assert snapshot.changes() == []


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("", "load"),
        ("", "Loader"),
        ("", "LIMIT"),
        ("Loader", "load"),
        ("Loader", "size"),
        ("Loader", "still"),
        ("Loader", "WIDTH"),
    ],
)
def test_what_is_replaced_is_named(library: ModuleType, owner: str, name: str) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    setattr(getattr(library, owner) if owner else library, name, _replacement)
    assert snapshot.changes() == [f"goldproof_lib.{owner}.{name}" if owner else f"goldproof_lib.{name}"]


def test_what_is_removed_is_named(library: ModuleType) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    del library.Loader.load
    assert snapshot.changes() == ["goldproof_lib.Loader.load"]


def test_classes_inside_of_classes_are_watched(library: ModuleType) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    library.Loader.Inner.deep = _replacement
    assert snapshot.changes() == ["goldproof_lib.Loader.Inner.deep"]


def test_a_mock_is_a_change_while_it_lasts(library: ModuleType) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    with mock.patch.object(library.Loader, "load"):
        assert snapshot.changes() == ["goldproof_lib.Loader.load"]
    with mock.patch.object(library.Loader, "invented", create=True):
        assert snapshot.changes() == ["goldproof_lib.Loader.invented"]
    assert snapshot.changes() == []


def test_a_function_of_a_script_that_is_added_is_a_change(library: ModuleType) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    exec("def __eq__(self, other): return True", space)  # noqa: S102 - a script
    snapshot = take_snapshot(("goldproof_lib",))
    library.Loader.__eq__ = space["__eq__"]
    assert "goldproof_lib.Loader.__eq__" in snapshot.changes()


def test_registries_caches_and_late_imports_are_no_change(library: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    library.registry["a"] = 1
    vars(library)["_cache"] = {"b": 2}
    monkeypatch.setitem(sys.modules, "goldproof_lib.late", ModuleType("goldproof_lib.late"))
    vars(library).update(late=sys.modules["goldproof_lib.late"], lazily=sys.modules["json"].loads)
    assert snapshot.changes() == []


def test_other_packages_may_change(library: ModuleType) -> None:
    snapshot = take_snapshot(("goldproof_li",))
    vars(library)["load"] = _replacement
    assert snapshot.changes() == []


def test_using_pydantic_does_not_change_it() -> None:
    import pydantic

    snapshot = take_snapshot(("pydantic",))

    class Later(pydantic.BaseModel):
        other: Other

    class Other(pydantic.BaseModel):
        n: int = 1

    Later.model_rebuild()
    Later(other=Other()).model_dump_json()
    Later.model_json_schema()
    pydantic.TypeAdapter(list[Other]).validate_python([{"n": 2}])
    assert snapshot.changes() == []


def test_a_namespace_that_the_library_wrote_to_is_still_watched(library: ModuleType) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    vars(library)["_cache"] = {"b": 2}
    assert snapshot.changes() == []
    vars(library)["load"] = _replacement
    assert snapshot.changes() == ["goldproof_lib.load"]
    assert snapshot.changes() == ["goldproof_lib.load"]


def test_another_module_of_the_same_name_is_named(library: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = take_snapshot(("goldproof_lib",))
    snapshot.settle()
    assert snapshot.changes() == []
    monkeypatch.setitem(sys.modules, "goldproof_lib", ModuleType("goldproof_lib"))
    assert snapshot.changes() == ["goldproof_lib (another module)"]
    monkeypatch.setitem(sys.modules, "goldproof_lib", library)
    assert snapshot.changes() == []


def test_settling_forgives_no_change_of_the_library(library: ModuleType) -> None:
    snapshot: Snapshot = take_snapshot(("goldproof_lib",))
    library.Loader.WIDTH = 81
    snapshot.settle()
    assert snapshot.changes() == ["goldproof_lib.Loader.WIDTH"]
