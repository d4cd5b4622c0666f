"""A name is looked up as Python would, and described without calling it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.sandbox.inside.proof.anywhere import anywhere_seen
from goldproof.sandbox.inside.proof.names import name_seen
from goldproof.sandbox.inside.proof.others import same_seen

if TYPE_CHECKING:
    from pathlib import Path

LIBRARY = "tests.sandbox.proof.sample_library"


def _seen(name: str) -> dict[str, Any]:
    return name_seen(f"{LIBRARY}.{name}")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Plain", "class"),
        ("outer", "function"),
        ("Plain.act", "method"),
        ("Plain.still", "method"),
        ("Plain.size", "property"),
        ("Strict.count", "field"),
        ("Strict.title", "field"),
        ("Point.y", "field"),
        ("Point.x", "field"),
        ("Plain.slotless", "field"),
        ("Colour.RED", "field"),
        ("LIMIT", "attribute"),
        ("wrapped", "function"),
    ],
)
def test_what_a_name_is(name: str, what: str) -> None:
    seen = _seen(name)
    assert (seen["found"], seen["what"]) == (True, what)


def test_a_module_and_a_builtin_are_found() -> None:
    assert name_seen(LIBRARY)["what"] == "module"
    assert name_seen("dict.get")["what"] == "method"
    assert name_seen("ValueError")["qualified"] == "builtins.ValueError"


@pytest.mark.parametrize(
    ("path", "missing", "why"),
    [
        (f"{LIBRARY}.Nope", "Nope", f"no 'Nope' in the module {LIBRARY}"),
        (f"{LIBRARY}.Plain.nope.deeper", "nope", "is not an attribute of the class"),
        (f"{LIBRARY}.Plain.only_on_instances", "only_on_instances", "what __init__ sets on instances is not looked at"),
        ("goldproof_no_such_name.x", "goldproof_no_such_name", "No module named 'goldproof_no_such_name'"),
        ("not a name", "not a name", "is not a dotted name"),
    ],
)
def test_what_is_missing_is_named_with_the_reason(path: str, missing: str, why: str) -> None:
    seen: dict[str, Any] = name_seen(path)
    assert (seen["found"], seen["missing"], seen["failed"]) == (False, missing, False)
    assert why in seen["why"]


def test_a_module_that_lacks_another_package_is_not_called_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "goldproof_half"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "extra.py").write_text("import goldproof_not_installed\nclass Thing: ...\n")
    (package / "loud.py").write_text("raise RuntimeError('not here')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    seen: dict[str, Any] = name_seen("goldproof_half.extra.Thing")
    assert (seen["found"], seen["failed"]) == (False, True)
    assert seen["why"] == "No module named 'goldproof_not_installed'"
    loud: dict[str, Any] = name_seen("goldproof_half.loud.Thing")
    assert (loud["failed"], loud["why"]) == (True, "importing goldproof_half.loud raised RuntimeError: not here")
    assert name_seen("goldproof_half.nothing")["failed"] is False


def test_names_of_a_lazy_module_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = ModuleType("goldproof_lazy")

    def give(name: str) -> object:
        if name == "late":
            return len
        raise AttributeError(name)

    lazy.__getattr__ = give  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, "goldproof_lazy", lazy)
    assert name_seen("goldproof_lazy.late")["found"] is True
    assert name_seen("goldproof_lazy.later")["found"] is False


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("Plain.act", "(times: 'int' = 3) -> 'str'"),
        ("Plain.still", "(a: 'int') -> 'int'"),
        ("Plain.made", "(b: 'int') -> 'Plain'"),
        ("Plain", "(name: 'str', colour: 'Colour', *, size: 'int' = 2) -> 'None'"),
        ("inner", "(value: 'int', *, scale: 'int' = 1) -> 'int'"),
        ("LIMIT", None),
    ],
)
def test_a_signature_has_no_self(name: str, signature: str | None) -> None:
    assert _seen(name)["signature"] == signature


def test_parameters_have_kind_default_and_annotation() -> None:
    first, second = _seen("inner")["parameters"]
    assert first == {
        "name": "value", "kind": "positional or keyword", "required": True, "default": None, "default_repr": None,
        "annotation": "int",
    }  # fmt: skip
    assert (second["kind"], second["required"], second["default"]) == ("keyword only", False, "1")


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("Plain.later", "coroutine"),
        ("Plain.stream", "async generator"),
        ("Plain.act", "plain"),
        ("Plain.size", "plain"),
        ("wrapped", "coroutine"),
        ("partly", "coroutine"),
        ("managed", "plain"),
        ("LIMIT", None),
        ("Plain", "plain"),
    ],
)
def test_async_looks_through_wrappers(name: str, how: str | None) -> None:
    assert _seen(name)["async"] == how


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Strict", {"count": (True, None), "title": (False, "'none'"), "tags": (False, "[]")}),
        ("Point", {"x": (True, None), "y": (False, "2"), "seen": (False, "[]")}),
        ("Pair", {"left": (True, None), "right": (False, "7")}),
        ("Options", {"verbose": (True, None)}),
        ("Colour", {"RED": (False, "'red'"), "BLUE": (False, "'blue'")}),
        ("Plain", {}),
    ],
)
def test_fields_are_read_from_whatever_declares_them(name: str, fields: dict[str, Any]) -> None:
    seen = _seen(name)["fields"]
    assert {key: (one["required"], one["default"]) for key, one in seen.items()} == fields


def test_a_class_has_bases_ancestors_members_and_the_first_line_of_its_text() -> None:
    seen = _seen("Plain")
    assert seen["bases"] == [f"{LIBRARY}.Base"]
    assert seen["mro"] == [f"{LIBRARY}.Plain", f"{LIBRARY}.Base", "abc.ABC", "builtins.object"]
    assert {"act", "size", "still"} <= set(seen["members"])
    assert seen["abstract"] is False
    base = _seen("Base")
    assert (base["abstract"], base["doc"]) == (True, "The base. It has a second sentence.")


def test_the_value_of_an_attribute_is_described() -> None:
    assert _seen("untyped")["value"]["literal"] == "[1, 'two']"


def test_same_objects_have_equal_numbers() -> None:
    seen = same_seen(A="os.path.join", B="posixpath.join", C="os.path.split", D="os.path.goldproof_no_such_name")
    assert seen["groups"] == {"A": 0, "B": 0, "C": 1, "D": None}


def test_anywhere_finds_names_in_modules_and_classes_and_counts_what_it_searched() -> None:
    seen: dict[str, Any] = anywhere_seen("JSONDecoder", packages=("json",))
    assert seen["found"] == ["json.JSONDecoder", "json.decoder.JSONDecoder"]
    assert anywhere_seen("raw_decode", packages=("json",))["found"] == ["json.decoder.JSONDecoder.raw_decode"]
    assert anywhere_seen("goldproof_no_such_name", packages=("json",))["found"] == []
    assert seen["searched"] >= 4
