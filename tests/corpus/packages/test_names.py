"""Every path leads to the place of definition; what is public follows the stated rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.corpus.packages.conftest import Open

SHOP = {
    "shop/__init__.py": """
        from typing import TYPE_CHECKING
        from shop._impl import Till, _secret
        from .money import *
        from os.path import join
        if TYPE_CHECKING:
            from .money import hidden_type
        __all__ = ["Till", "Kasse", "Coin", "lazy"]
        __all__ += extra.__all__
        from . import extra
        from ._impl import Till as Kasse
        if TYPE_CHECKING:
            from .lazily import lazy
        def __getattr__(name): ...
        """,
    "shop/_impl.py": "class Till:\n    def ring(self): ...\n    def _jam(self): ...\ndef _secret(): ...\n",
    "shop/money.py": "__all__ = ['Coin']\nclass Coin: ...\nclass Note: ...\nclass hidden_type: ...\n",
    "shop/extra.py": "__all__ = ['Bag']\nclass Bag: ...\nclass Box: ...\nSack = Bag\n",
    "shop/lazily.py": "def lazy(): ...\n",
}


@pytest.mark.parametrize(
    ("path", "defined"),
    [
        ("shop.Till", "shop._impl.Till"),
        ("shop.Kasse", "shop._impl.Till"),
        ("shop.Kasse.ring", "shop._impl.Till.ring"),
        ("shop.Coin", "shop.money.Coin"),
        ("shop.lazy", "shop.lazily.lazy"),
        ("shop.extra.Sack", "shop.extra.Bag"),
        ("shop.join", None),
        ("shop.Note", None),  # not in the __all__ that the star import heeds
        ("shop.nothing", None),
        ("nothing", None),
    ],
)
def test_a_path_leads_to_the_definition(opened: Open, path: str, defined: str | None) -> None:
    assert opened(SHOP).names.resolve(path) == defined


def test_re_exports_are_those_meant_for_users(opened: Open) -> None:
    names = opened(SHOP).names
    assert names.exported_as("shop._impl.Till") == ("shop.Kasse", "shop.Till")
    assert names.exported_as("shop._impl.Till.ring") == ("shop.Kasse.ring", "shop.Till.ring")
    assert names.exported_as("shop.money.Coin") == ("shop.Coin",)
    assert names.exported_as("shop.lazily.lazy") == ("shop.lazy",)
    assert names.exported_as("shop.money.hidden_type") == ()  # imported for types, and not in __all__
    assert names.exported_as("shop._impl._secret") == ()


def test_a_private_definition_is_public_under_its_public_name(opened: Open) -> None:
    found = {d.id for d in opened(SHOP).documents()}
    assert {"shop._impl.Till", "shop._impl.Till.ring"} <= found
    assert not {"shop._impl", "shop._impl._secret", "shop._impl.Till._jam"} & found


def test_names_that_all_does_not_list_are_private(opened: Open) -> None:
    package = opened(SHOP)
    assert {d.id for d in package.documents() if d.metadata["module"] == "shop.money"} == {
        "shop.money",
        "shop.money.Coin",
    }


def test_private_names_tests_and_vendored_modules_come_on_request(opened: Open) -> None:
    files = {
        "shop/__init__.py": "def _hidden(): ...\n",
        "shop/tests/__init__.py": "def check(): ...\n",
        "shop/test_till.py": "",
        "shop/_vendor/six.py": "",
        "shop/vendored/seven.py": "",
        "shop/__main__.py": "",
    }
    assert [d.id for d in opened(files).documents()] == ["shop"]
    every = [d.id for d in opened(files, options="#private=true").documents()]
    assert every == [
        "shop", "shop._hidden", "shop.__main__", "shop._vendor.six", "shop.test_till", "shop.tests",
        "shop.tests.check", "shop.vendored.seven",
    ]  # fmt: skip


def test_all_of_a_submodule_is_followed_in_a_namespace_package(opened: Open) -> None:
    # griffe itself stops at a top module without __all__, as every namespace package is.
    files = {
        "acme/shop/__init__.py": "from . import a\nfrom .a import *\n__all__ = a.__all__ + ['b']\n",
        "acme/shop/a.py": "__all__ = ['One']\nclass One: ...\n",
    }
    assert opened(files).names.exported_as("acme.shop.a.One") == ("acme.shop.One",)


def test_circles_of_imports_and_star_imports_end(opened: Open) -> None:
    package = opened(
        {
            "shop/__init__.py": "from .a import *\nfrom .b import thing\n",
            "shop/a.py": "from .b import *\nfrom .b import thing\nclass A: ...\n",
            "shop/b.py": "from .a import *\nfrom .a import thing\nclass B: ...\n",
        }
    )
    assert package.names.resolve("shop.thing") is None
    assert package.names.resolve("shop.A") == "shop.a.A"
    assert package.names.resolve("shop.B") == "shop.b.B"
    assert {d.id for d in package.documents()} == {"shop", "shop.a", "shop.b", "shop.a.A", "shop.b.B"}


def test_star_imports_bring_what_the_other_branch_of_type_checking_defines(opened: Open) -> None:
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    Coin = int\nelse:\n    class Coin: ...\n"
    names = opened({"shop/__init__.py": "from .money import *\n", "shop/money.py": source}).names
    assert names.resolve("shop.Coin") == "shop.money.Coin"


def test_star_imports_from_outside_are_passed_over(opened: Open) -> None:
    package = opened({"shop/__init__.py": "from os.path import *\nfrom nowhere.atall import *\ndef f(): ...\n"})
    assert [d.id for d in package.documents()] == ["shop", "shop.f"]


def test_a_function_hides_the_submodule_of_its_name_as_at_run_time(opened: Open) -> None:
    package = opened(
        {"shop/__init__.py": "from .ring import ring\n", "shop/ring.py": "def ring(): ...\ndef off(): ...\n"}
    )
    assert package.names.resolve("shop.ring") == "shop.ring.ring"
    assert package.names.resolve("shop.ring.off") == "shop.ring.off"
    assert package.names.exported_as("shop.ring.ring") == ("shop.ring",)
    assert [d.id for d in package.documents()] == ["shop", "shop.ring", "shop.ring.ring", "shop.ring.off"]


def test_ancestors_are_in_the_order_of_python(opened: Open) -> None:
    source = "class A: ...\nclass B(A): ...\nclass C(A): ...\nclass D(B, C): ...\n"
    names = opened({"shop.py": source}).names
    space: dict[str, type] = {}
    exec(source, space)  # noqa: S102 - four lines above
    expected = [f"shop.{cls.__name__}" for cls in space["D"].__mro__[1:-1]]
    assert list(names.ancestors("shop.D")) == expected == ["shop.B", "shop.C", "shop.A"]


def test_classes_that_inherit_in_a_circle_do_no_harm(opened: Open) -> None:
    names = opened({"shop.py": "class A(B): ...\nclass B(A): ...\n"}).names
    assert names.ancestors("shop.A") == ("shop.B",)


def test_an_inherited_member_is_found_where_it_is_defined(opened: Open) -> None:
    files = {
        "shop/__init__.py": "from .b import B\n",
        "shop/a.py": "class A:\n    def f(self): ...\n",
        "shop/b.py": "from . import a\nclass B(a.A): ...\n",
    }
    assert opened(files).names.resolve("shop.B.f") == "shop.a.A.f"


def test_a_stub_defines_what_the_code_imports_from_a_compiled_module(opened: Open) -> None:
    package = opened(
        {
            "shop/__init__.py": "from ._core import total\n",
            "shop/__init__.pyi": "from .types import total\n",
            "shop/_core.abi3.so": b"\x7fELF",
            "shop/types.pyi": """
            from typing import overload
            @overload
            def total(a: int) -> int: ...
            @overload
            def total(a: str) -> str: ...
            """,
        }
    )
    found = package.inspect("shop.total")
    assert (found.path, found.source) == ("shop.types.total", "shop/types.pyi")
    assert found.overloads == ("total(a: int) -> int", "total(a: str) -> str")
