"""Fields of records: read from the sources, and exactly as a separate interpreter gives them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.corpus.packages.model_fields import runtime_fields

if TYPE_CHECKING:
    from goldproof.corpus.packages import Field
    from tests.corpus.packages.conftest import Open

MODELS = '''\
"""Models."""
print("noise on standard output")

from typing import Annotated, Any, ClassVar, Optional
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr


class Mixin:
    mixed: int = 0


class Base(BaseModel):
    model_config = ConfigDict(extra="forbid")
    KIND: ClassVar[str] = "base"
    name: str
    """How it is called."""
    price: float = Field(default=1.5, gt=0, description="In coins.")
    _cache: dict = PrivateAttr(default_factory=dict)
    parts: list[str] = Field(default_factory=list, alias="theParts")
    needed: int = Field(...)
    noted: Annotated[int, Field(description="Noted.", default=7)]

    @property
    def total(self) -> float:
        return self.price


class Child(Base, Mixin):
    price: int = 2
    extra: Optional[Any] = None
    made: dict = Field(default_factory=lambda: {"a": 1})
'''


def shown(fields: tuple[Field, ...]) -> list[tuple[str, bool, str | None, str]]:
    return [(f.name, f.required, f.alias, f.defined_in) for f in fields]


def test_fields_of_a_model_are_read_from_its_source(opened: Open) -> None:
    found = opened({"shop.py": MODELS}).inspect("shop.Child", fields="static")
    assert found.record == "pydantic"
    assert found.fields_from == "static"
    assert [(f.name, f.annotation, f.default, f.required, f.alias, f.description) for f in found.fields] == [
        ("mixed", "int", "0", False, None, ""),
        ("name", "str", None, True, None, "How it is called."),
        ("price", "int", "2", False, None, ""),
        ("parts", "list[str]", "list()", False, "theParts", ""),
        ("needed", "int", None, True, None, ""),
        ("noted", "Annotated[int, Field(description='Noted.', default=7)]", "7", False, None, "Noted."),
        ("extra", "Optional[Any]", "None", False, None, ""),
        ("made", "dict", "(lambda: {'a': 1})()", False, None, ""),
    ]
    assert [f.defined_in for f in found.fields][:3] == ["shop.Mixin", "shop.Base", "shop.Child"]


def test_the_signature_of_a_model_is_made_from_its_fields(opened: Open) -> None:
    found = opened({"shop.py": MODELS}).inspect("shop.Base", fields="static")
    assert found.signature == (
        "Base(*, name: str, price: float = 1.5, parts: list[str] = list(), needed: int, "
        "noted: Annotated[int, Field(description='Noted.', default=7)] = 7)"
    )
    assert [p.name for p in found.parameters if p.required] == ["name", "needed"]


def test_an_interpreter_gives_the_same_fields_in_spite_of_noise(
    opened: Open, capfd: pytest.CaptureFixture[str]
) -> None:
    package = opened({"shop.py": MODELS})
    static = package.inspect("shop.Child", fields="static")
    exact = package.inspect("shop.Child")
    assert exact.fields_from == "runtime"
    assert exact.fields_note == ""
    assert sorted(shown(exact.fields)) == sorted(shown(static.fields))
    by_name = {field.name: field for field in exact.fields}
    assert by_name["parts"].default == "list()"
    assert by_name["noted"].description == "Noted."
    assert by_name["price"].annotation == "int"
    assert capfd.readouterr() == ("", "")
    assert "shop" not in sys.modules


def test_a_module_that_cannot_be_imported_gives_a_reason_and_the_static_fields(opened: Open) -> None:
    package = opened({"shop.py": MODELS + "\nimport module_that_is_not_there\n"})
    found = package.inspect("shop.Base")
    assert found.fields_from == "static"
    assert found.fields_note == "ModuleNotFoundError: No module named 'module_that_is_not_there'"
    assert [field.name for field in found.fields] == ["name", "price", "parts", "needed", "noted"]


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import os; os._exit(3)", "gave no answer: exit code 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt: "),
    ],
)
def test_a_module_that_ends_the_interpreter_gives_a_reason(opened: Open, deed: str, reason: str) -> None:
    found = opened({"shop.py": f"{MODELS}\n{deed}\n"}).inspect("shop.Base")
    assert found.fields_from == "static"
    assert found.fields_note.endswith(reason)


def test_an_import_without_end_is_ended(opened: Open) -> None:
    package = opened({"shop.py": MODELS + "\nimport time; time.sleep(600)\n"})
    found = runtime_fields(package.names, ["shop.Base"], search_path=package.distribution.search_path, timeout=0.5)
    assert list(found.failures) == ["shop.Base"]
    assert "no answer within 0.5 seconds" in found.failures["shop.Base"]


def test_documents_take_exact_fields_on_request(opened: Open) -> None:
    files = {"shop/__init__.py": MODELS, "shop/bad.py": MODELS.replace("print(", "import nowhere_at_all; print(")}
    package = opened(files, options="#fields=runtime")
    texts = {document.id: document.text for document in package.documents()}
    assert "price: In coins." in texts["shop.Base"]
    assert "Base(*, name: str" in texts["shop.bad.Base"]
    assert package.remarks == (
        "shop.bad.Base: fields are read from its source, since ModuleNotFoundError: No module named 'nowhere_at_all'",
        "shop.bad.Child: fields are read from its source, since ModuleNotFoundError: No module named 'nowhere_at_all'",
    )


def test_a_written_init_counts_for_more_than_fields(opened: Open) -> None:
    source = (
        MODELS + "\n\nclass Own(Base):\n    def __init__(self, only: int, **more): ...\n\n\nclass Below(Own): ...\n"
    )
    package = opened({"shop.py": source})
    assert package.inspect("shop.Own").signature == "Own(only: int, **more)"
    assert package.inspect("shop.Below", fields="static").signature == "Below(only: int, **more)"
    assert [field.name for field in package.inspect("shop.Below").fields][:2] == ["name", "price"]


DATACLASSES = """\
import attrs
import dataclasses
from dataclasses import dataclass, field, KW_ONLY
from typing import ClassVar, NamedTuple, TypedDict


@dataclass
class Plain:
    a: int
    b: list = field(default_factory=list)
    c: ClassVar[int] = 3
    _d: int = 4
    e: int = field(init=False, default=5)


@dataclass(frozen=True)
class Mixed(Plain):
    f: int = 6
    _: KW_ONLY
    g: str


@dataclasses.dataclass(kw_only=True, slots=True)
class Keyed:
    h: int
    i: int = field(default=2, kw_only=False)


class NotOne(Plain):
    ignored: int


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Options(TypedDict, total=False):
    colour: str


@attrs.define
class Made:
    x: int
    y: list = attrs.field(factory=list)


class Set:
    def __init__(self, z: int):
        self.z: int = z


@dataclass
class Post:
    z: int

    def __post_init__(self):
        self.more: int = 1
"""


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("Plain", "Plain(a: int, b: list = list(), _d: int = 4)"),
        ("Mixed", "Mixed(a: int, b: list = list(), _d: int = 4, f: int = 6, *, g: str)"),
        ("Keyed", "Keyed(i: int = 2, *, h: int)"),
        ("NotOne", "NotOne(a: int, b: list = list(), _d: int = 4)"),
        ("Pair", "Pair(left: int, right: str = 'r')"),
        ("Options", "Options(*, colour: str)"),
        ("Made", "Made(x: int, y: list = list())"),
        ("Set", "Set(z: int)"),
        ("Post", "Post(z: int)"),
    ],
)
def test_the_signature_of_a_record_is_made_from_its_fields(opened: Open, name: str, signature: str) -> None:
    assert opened({"shop.py": DATACLASSES}).inspect(f"shop.{name}").signature == signature


def test_signatures_of_dataclasses_have_the_parameters_that_python_gives_them(opened: Open) -> None:
    import inspect

    package = opened({"shop.py": DATACLASSES})
    space: dict[str, Any] = {"__name__": "shop_of_the_test"}
    exec(compile(DATACLASSES.replace("(frozen=True)", ""), "shop.py", "exec", dont_inherit=True), space)  # noqa: S102
    for name in ("Plain", "Mixed", "Keyed", "NotOne", "Pair", "Made", "Post"):
        real = inspect.signature(space[name]).parameters.values()
        found = package.inspect(f"shop.{name}").parameters
        assert [(p.name, p.required) for p in found] == [(p.name, p.default is p.empty) for p in real], name
        assert [p.kind for p in found] == [
            "keyword-only" if p.kind is p.KEYWORD_ONLY else "positional or keyword" for p in real
        ]
