"""Documents: one per definition, with text that can be searched and judged, and places that are exact."""

from __future__ import annotations

import subprocess
import sys
import tokenize
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from goldproof.corpus.packages import package_corpus
from goldproof.corpus.packages.source_reader import ModuleSource, line_starts

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.corpus.packages import Package
    from goldproof.records.entities import Document
    from tests.corpus.packages.conftest import Install, Open

TILL = '''\
"""Tills."""

import functools
from typing import overload, TYPE_CHECKING

LIMIT: int = 5
"""The most coins."""
plain = 3
_hidden: int = 1


def free(a, /, b: int = 1, *rest: str, c, **more) -> bool:
    """Say it freely."""
    return True


class Till(dict):
    """A till."""

    size: int = 4
    # of the drawer

    @property
    def full(self) -> bool:
        """Is it full?"""
        return self._coins > LIMIT

    @full.setter
    def full(self, value): self._coins = value

    async def ring(self, tune: str) -> None:
        """Ring.

        Loudly.
        """
        secret_of_the_body = tune

    @overload
    def take(self, n: int) -> int: ...
    @overload
    def take(self, n: str) -> str: ...
    def take(self, n):
        return n

    class Drawer:
        """Inside."""
'''


def documents(package: Package) -> dict[str, Document]:
    return {document.id: document for document in package.documents()}


def test_every_kind_has_a_document_in_the_order_of_the_source(opened: Open) -> None:
    found = [(d.id, d.title, d.metadata["kind"]) for d in opened({"shop/__init__.py": TILL}).documents()]
    assert found == [
        ("shop", "shop", "module"),
        ("shop.LIMIT", "LIMIT", "attribute"),
        ("shop.free", "free", "function"),
        ("shop.Till", "Till", "class"),
        ("shop.Till.full", "full", "property"),
        ("shop.Till.ring", "ring", "method"),
        ("shop.Till.take", "take", "method"),
        ("shop.Till.Drawer", "Drawer", "class"),
    ]


def test_the_text_of_a_function_is_its_head_and_its_source(opened: Open) -> None:
    found = documents(opened({"shop/__init__.py": TILL}))
    assert found["shop.free"].text == (
        "function shop.free(a, /, b: int = 1, *rest: str, c, **more) -> bool\n"
        "\n"
        "def free(a, /, b: int = 1, *rest: str, c, **more) -> bool:\n"
        '    """Say it freely."""\n'
        "    return True"
    )
    assert found["shop.Till.ring"].text.startswith(
        "async method shop.Till.ring(tune: str) -> None\n\n    async def ring("
    )
    assert found["shop.Till.full"].text.startswith("property shop.Till.full: bool\n\n    @property\n    def full(self)")
    assert found["shop.LIMIT"].text == 'attribute shop.LIMIT: int\n\nLIMIT: int = 5\n"""The most coins."""'


def test_the_text_of_a_class_has_its_fields_and_one_line_for_each_method(opened: Open) -> None:
    found = documents(opened({"shop/__init__.py": TILL}))["shop.Till"]
    assert (
        found.text
        == '''\
class shop.Till(dict)

class Till(dict):
    """A till."""

    size: int = 4
    # of the drawer

    @property full -> bool: ...  # Is it full?

    def full(value): ...

    async def ring(tune: str) -> None: ...  # Ring.

    def take(n: int) -> int: ...
    def take(n: str) -> str: ...
    def take(n): ...

    class Drawer: ...  # Inside.'''
    )


def test_the_text_of_a_module_lists_what_it_exports_and_defines(opened: Open) -> None:
    package = opened({"shop/__init__.py": '"""All."""\nfrom .till import free, Till as Kasse\n', "shop/till.py": TILL})
    found = documents(package)
    assert found["shop"].text == (
        'module shop\n\n"""All."""\nExports free, Kasse (that is shop.till.Till).\nDefines:\n  module till: Tills.'
    )
    assert "  attribute plain = 3\n" in found["shop.till"].text
    assert "_hidden" not in found["shop.till"].text


def test_places_are_exact_characters_of_the_file(opened: Open, tmp_path: Path) -> None:
    # A byte order mark, Windows line ends, a form feed and characters of several bytes: all must not shift anything.
    source = TILL.replace("Loudly.", "Loudly ♫ \x0c 𝄞 \u2028.").replace("\n", "\r\n")
    package = opened({"shop/__init__.py": b"\xef\xbb\xbf" + source.encode()})
    with tokenize.open(tmp_path / "site" / "shop" / "__init__.py") as stream:
        text = stream.read()
    for document in package.documents():
        start, end = (int(str(document.metadata[name])) for name in ("source_start", "source_end"))
        piece = text[start:end]
        first, last = document.metadata["lines"]  # type: ignore[misc]
        assert piece == "\n".join(text.split("\n")[first - 1 : last])  # type: ignore[has-type]
        if document.metadata["kind"] not in ("class", "module"):
            assert document.text.endswith(piece)
        assert document.title in piece or document.metadata["kind"] == "module"
    assert documents(package)["shop"].metadata["lines"] == [1, 1]


def test_metadata_says_where_it_comes_from(opened: Open) -> None:
    package = opened({"shop/__init__.py": "from .till import Till\n", "shop/till.py": TILL})
    text = documents(package)["shop.till.Till"].text
    assert documents(package)["shop.till.Till"].metadata == {
        "kind": "class", "module": "shop.till", "version": "1.0", "public": True, "source": "shop/till.py",
        "source_start": TILL.index("class Till"), "source_end": len(TILL) - 1, "lines": [17, 46],
        "source_pieces": [[TILL.index("class Till"), TILL.index("\n    @property"), text.index("class Till(dict):")]],
        "exported_as": ["shop.Till"], "bases": ["dict"],
    }  # fmt: skip


def test_what_is_defined_twice_has_one_document(opened: Open) -> None:
    package = opened(
        {
            "shop.py": """
            import sys
            from typing import TYPE_CHECKING
            if sys.platform == "win32":
                def ring(): "On Windows."
            else:
                def ring(): "Elsewhere."
            if TYPE_CHECKING:
                class Till: "For types."
            else:
                class Till: "In truth."
            try:
                from fast import quick
            except ImportError:
                def quick(): "Slowly."
            """
        }
    )
    ids = [d.id for d in package.documents()]
    assert sorted(ids) == ["shop", "shop.Till", "shop.quick", "shop.ring"]


def test_dull_attributes_have_no_document(opened: Open) -> None:
    package = opened(
        {
            "shop.py": """
            import logging
            from typing import TypeVar
            __version__: str = "1"
            T: TypeVar = TypeVar("T")
            logger: logging.Logger = logging.getLogger(__name__)
            bare = 1
            typed: int = 1
            """
        }
    )
    assert [d.id for d in package.documents()] == ["shop", "shop.typed"]


def test_the_corpus_says_what_it_is_and_opens_again_by_its_name(install: Install) -> None:
    install("my-shop", {"shop/__init__.py": TILL, "shop/bad.py": "(", "shop/_p.py": ""})
    corpus = package_corpus("my_shop==1.0.0", {"private": "true"})
    assert corpus.name == "package:my_shop==1.0.0#private=true"
    assert corpus.facts["package"] == "my-shop"
    assert corpus.facts["version"] == "1.0"
    assert corpus.facts["kinds"] == {"attribute": 2, "class": 2, "function": 1, "method": 2, "module": 2, "property": 1}
    assert corpus.remarks == ("shop/bad.py: line 1: '(' was never closed; not read.",)
    assert len({d.id for d in corpus.documents}) == len(corpus)


def test_the_corpus_is_the_same_in_every_process(install: Install) -> None:
    site = install("shop", {"shop/__init__.py": "from .till import *\n", "shop/till.py": TILL, "shop/b.py": TILL})
    program = "from goldproof.corpus.packages import package_corpus as p; print(p('shop', {'private': 'true'}).key())"
    keys = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": str(site), "PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert keys == {package_corpus("shop", {"private": "true"}).key() + "\n"}


@given(st.text(alphabet="ab\n\x0c\u2028é"), st.data())
def test_lines_are_what_newlines_separate(text: str, data: st.DataObject) -> None:
    source = ModuleSource(path=None, relative="", text=text, starts=line_starts(text))  # type: ignore[arg-type]
    lines = text.split("\n")
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    assert source.lines(first, last) == "\n".join(lines[first - 1 : last])


def test_a_module_without_docstring_has_a_file_and_no_place(opened: Open) -> None:
    metadata = documents(opened({"shop.py": "x: int = 1\n"}))["shop"].metadata
    assert metadata == {"kind": "module", "module": "shop", "version": "1.0", "public": True, "source": "shop.py"}


def test_the_facts_name_the_sources_by_their_content(opened: Open, tmp_path: Path) -> None:
    facts = opened({"shop/__init__.py": "", "shop/till.py": TILL}).corpus().facts
    # two modules, an attribute, a function, two classes, a property, two methods
    assert (facts["kind"], facts["files"], facts["documents"]) == ("package", 2, 9)
    assert package_corpus("shop").facts == facts
    (tmp_path / "site" / "shop" / "till.py").write_text(TILL + "# changed\n")
    assert package_corpus("shop").facts["sha256"] != facts["sha256"]
