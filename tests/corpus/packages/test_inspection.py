"""inspect: all that the sources say of one name, by any path that leads to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.corpus.packages import Package
    from tests.corpus.packages.conftest import Open

FILES = {
    "shop/__init__.py": "from .till import Till\nfrom os.path import join\n",
    "shop/base.py": '''
        import abc
        from typing_extensions import deprecated

        class Base(abc.ABC):
            """All of them."""
            shared: int = 1
            def close(self, hard: bool = False) -> None:
                """Close it."""
            def ring(self): ...
            def _inner(self): ...
        ''',
    "shop/till.py": '''
        from functools import cache
        from typing_extensions import deprecated
        from .base import Base

        class Till(Base):
            """A till.

            It rings.
            """
            def __init__(self, size: int, *, colour: str = "red"): self.size = size

            @cache
            async def ring(self, *tunes: str) -> int:
                """Ring."""

            @deprecated("use ring")
            def bell(self): ...

            @property
            def name(self) -> str:
                """.. deprecated:: 2
                """

        class SmallTill(Till): ...
        ''',
}


@pytest.fixture
def shop(opened: Open) -> Package:
    return opened(FILES)


def test_a_class_is_told_whole(shop: Package, tmp_path: Path) -> None:
    found = shop.inspect("shop.Till")
    assert (found.path, found.asked, found.name, found.kind) == ("shop.till.Till", "shop.Till", "Till", "class")
    assert found.docstring == "A till.\n\nIt rings."
    assert found.signature == "Till(size: int, *, colour: str = 'red')"
    assert [(p.name, p.kind, p.required) for p in found.parameters] == [
        ("size", "positional or keyword", True),
        ("colour", "keyword-only", False),
    ]
    assert found.bases == found.ancestors == ("shop.base.Base",)
    assert found.outside_bases == ("abc.ABC",)
    assert found.subclasses == ("shop.till.SmallTill",)
    assert found.exported_as == ("shop.Till",)
    assert (found.module, found.public, found.record, found.fields) == ("shop.till", True, None, ())
    assert found.file == str(tmp_path / "site" / "shop" / "till.py")
    assert (found.source, found.lines) == ("shop/till.py", (6, 23))
    assert found.source_text.startswith("class Till(Base):\n")


def test_members_are_own_ones_then_inherited_ones(shop: Package) -> None:
    found = shop.inspect("shop.till.Till")
    assert [(m.name, m.kind, m.defined_in, m.inherited, m.public) for m in found.members] == [
        ("__init__", "method", "shop.till.Till", False, True),
        ("size", "attribute", "shop.till.Till", False, True),
        ("ring", "method", "shop.till.Till", False, True),
        ("bell", "method", "shop.till.Till", False, True),
        ("name", "property", "shop.till.Till", False, True),
        ("shared", "attribute", "shop.base.Base", True, True),
        ("close", "method", "shop.base.Base", True, True),
        ("_inner", "method", "shop.base.Base", True, False),
    ]
    assert found.members[6].summary == "Close it."


def test_a_method_is_told_with_its_decorators(shop: Package) -> None:
    found = shop.inspect("shop.Till.ring")
    assert (found.signature, found.is_async, found.decorators) == ("ring(*tunes: str) -> int", True, ("@cache",))
    assert found.exported_as == ("shop.Till.ring",)


def test_an_inherited_method_is_found_through_the_class(shop: Package) -> None:
    found = shop.inspect("shop.till.SmallTill.close")
    assert (found.path, found.asked) == ("shop.base.Base.close", "shop.till.SmallTill.close")
    assert found.signature == "close(hard: bool = False) -> None"


def test_a_class_without_init_of_its_own_is_called_by_the_inherited_one(shop: Package) -> None:
    assert shop.inspect("shop.till.SmallTill").signature == "SmallTill(size: int, *, colour: str = 'red')"


def test_deprecations_are_told(shop: Package) -> None:
    assert shop.inspect("shop.Till.bell").deprecated == "deprecated('use ring')"
    assert shop.inspect("shop.Till.name").deprecated == ".. deprecated:: 2"
    assert shop.inspect("shop.Till.ring").deprecated is None


def test_a_module_is_told_with_its_members(shop: Package) -> None:
    found = shop.inspect("shop")
    assert (found.kind, found.signature, [m.path for m in found.members]) == ("module", "", ["shop.base", "shop.till"])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("shop.Tlil", r"unknown name of shop 1\.0 'shop\.Tlil'; did you mean 'shop\.Till'"),
        ("shop.Till.rang", r"did you mean 'shop\.Till\.ring'"),
        ("shop.join", r"it is imported from os\.path\.join, which is not read here"),
        ("shop.Till.register", r"shop\.till\.Till also inherits from abc\.ABC, outside of the package"),
        ("shop.qqqqqq", r"nothing has a name like it"),
        ("", r"nothing has a name like it"),
    ],
)
def test_an_unknown_name_says_what_may_be_meant(shop: Package, path: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        shop.inspect(path)
