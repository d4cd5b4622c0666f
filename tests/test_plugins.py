from __future__ import annotations

from collections import OrderedDict

import pytest

from goldproof.errors import InputError, UnknownNameError
from goldproof.plugins import Registry, load_object


def test_a_lazy_target_is_imported_when_first_asked_for() -> None:
    registry: Registry[type] = Registry("shelf")
    registry.register("ordered", "collections:OrderedDict")
    assert registry.get("ordered") is OrderedDict


def test_a_name_can_be_taken_only_once() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("one", 1)
    with pytest.raises(InputError, match="number 'one' is registered twice"):
        registry.register("one", 2)


def test_an_unknown_name_suggests_near_ones() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("three", 3)
    with pytest.raises(UnknownNameError, match="unknown number 'trhee'; did you mean 'three'"):
        registry.get("trhee")


def test_names_are_listed_in_order() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("b", 2)
    registry.register("a", 1)
    assert list(registry) == ["a", "b"]
    assert "a" in registry
    assert "c" not in registry


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("collections", "does not name an object"),
        ("no_such_module:x", "no module named 'no_such_module'"),
        ("collections:OrderedDic", "did you mean 'OrderedDict'"),
    ],
)
def test_a_bad_spec_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_object(spec)


def test_a_dotted_attribute_is_followed() -> None:
    assert load_object("os:path.join") is __import__("os").path.join
