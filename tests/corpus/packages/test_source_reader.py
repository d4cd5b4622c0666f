"""Sources are read as Python reads them; what cannot be read is said and passed over."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from tests.corpus.packages.conftest import Open


def test_nothing_of_the_package_is_imported(opened: Open) -> None:
    package = opened({"shop/__init__.py": "raise SystemExit('was run')\n", "shop/till.py": "def open_till(): ...\n"})
    assert [d.id for d in package.documents()] == ["shop", "shop.till", "shop.till.open_till"]
    assert "shop" not in sys.modules


def test_a_syntax_error_is_a_remark_and_the_rest_is_read(opened: Open) -> None:
    package = opened({"shop/__init__.py": "", "shop/bad.py": "def f(:\n", "shop/good.py": "def g(): ...\n"})
    assert {d.id for d in package.documents()} == {"shop", "shop.good", "shop.good.g"}
    assert package.remarks == ("shop/bad.py: line 1: invalid syntax; not read.",)


def test_children_of_a_package_that_cannot_be_read_are_read(opened: Open) -> None:
    package = opened({"shop/__init__.py": "def f(:\n", "shop/good.py": "from . import nothing\ndef g(): ...\n"})
    assert {d.id for d in package.documents()} == {"shop.good", "shop.good.g"}
    assert len(package.remarks) == 1


def test_a_package_of_which_nothing_can_be_read_is_an_error(opened: Open) -> None:
    with pytest.raises(InputError, match=r"package shop 1\.0: no module can be read: shop/__init__\.py: line 1"):
        opened({"shop/__init__.py": "def f(:\n"}).documents()


def test_bytes_that_are_no_text_are_a_remark(opened: Open) -> None:
    package = opened({"shop/__init__.py": "", "shop/odd.py": b"name = '\xff\xfe'\n", "shop/null.py": b"a = 1\x00\n"})
    assert {d.id for d in package.documents()} == {"shop"}
    assert len(package.remarks) == 2
    assert all(remark.endswith("; not read.") for remark in package.remarks)
    assert [remark.partition(":")[0] for remark in package.remarks] == ["shop/null.py", "shop/odd.py"]


def test_a_coding_line_is_heeded(opened: Open) -> None:
    source = "# -*- coding: latin-1 -*-\ndef pay():\n    '''Zahl schön.'''\n".encode("latin-1")
    package = opened({"shop/__init__.py": source})
    assert package.inspect("shop.pay").docstring == "Zahl schön."
    assert package.remarks == ()


def test_an_invalid_escape_in_a_source_warns_nobody(opened: Open, capsys: pytest.CaptureFixture[str]) -> None:
    # Warnings are errors in these tests, so reading would fail.
    package = opened({"shop/__init__.py": "PATTERN: str = '\\d'\n"})
    assert [d.id for d in package.documents()] == ["shop", "shop.PATTERN"]
    assert capsys.readouterr() == ("", "")


def test_a_folder_without_init_is_read_as_python_would_import_it(opened: Open) -> None:
    package = opened({"shop/__init__.py": "", "shop/plain/till.py": "def ring(): ...\n"})
    assert package.inspect("shop.plain.till.ring").kind == "function"


def test_a_missing_extra_is_named(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    package = opened({"shop/__init__.py": ""})
    really_import = builtins.__import__

    def without_griffe(name: str, *arguments: object, **named: object) -> object:
        if name == "griffe":
            raise ImportError(name)
        return really_import(name, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_griffe)
    with pytest.raises(MissingExtraError, match=r"reading Python packages needs the extra 'verify'"):
        package.documents()
