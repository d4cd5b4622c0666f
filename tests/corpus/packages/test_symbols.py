"""Names are found by what somebody types or half remembers, in a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.packages.symbols import words_of
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.corpus.packages import Package
    from tests.corpus.packages.conftest import Open

FILES = {
    "shop/__init__.py": "from .tills.big_till import BigTill\n",
    "shop/tills/__init__.py": "",
    "shop/tills/big_till.py": """
        class _Base:
            def ring(self):
                "Make a noise that customers hear."

        class BigTill(_Base):
            "A till for many coins."
            drawer: int = 1
            def count_coins(self): ...

        class BigTillConfig: ...
        class _BigTill: ...
        """,
    "shop/other/deep/down.py": "class BigTill: ...\ndef big_tilt(): ...\n",
}


@pytest.fixture
def shop(opened: Open) -> Package:
    return opened(FILES)


def found(package: Package, query: str, k: int = 3) -> list[tuple[str, str]]:
    return [(match.path, match.how) for match in package.search(query, k)]


def test_a_whole_path_comes_first_by_definition_or_re_export(shop: Package) -> None:
    assert found(shop, "shop.BigTill", 1) == [("shop.tills.big_till.BigTill", "path")]
    assert found(shop, "shop.other.deep.down.BigTill", 1) == [("shop.other.deep.down.BigTill", "path")]


def test_the_shorter_path_comes_first_and_then_what_only_begins_so(shop: Package) -> None:
    assert found(shop, "BigTill") == [
        ("shop.tills.big_till.BigTill", "end"),
        ("shop.other.deep.down.BigTill", "end"),
        ("shop.tills.big_till.BigTillConfig", "beginning"),
    ]


def test_the_end_of_a_path_is_enough(shop: Package) -> None:
    assert found(shop, "down.BigTill", 1) == [("shop.other.deep.down.BigTill", "end")]
    assert found(shop, "BigTill.count_coins", 1) == [("shop.tills.big_till.BigTill.count_coins", "end")]
    assert found(shop, "shop.BigTill.drawer", 1) == [("shop.tills.big_till.BigTill.drawer", "path")]


def test_letters_may_be_small_or_large(shop: Package) -> None:
    assert found(shop, "bigtill", 1) == [("shop.tills.big_till.BigTill", "letters")]


def test_an_inherited_member_is_found(shop: Package) -> None:
    assert found(shop, "BigTill.ring", 1) == [("shop.tills.big_till._Base.ring", "inherited")]


def test_a_beginning_is_enough(shop: Package) -> None:
    assert found(shop, "BigTi", 1) == [("shop.tills.big_till.BigTill", "beginning")]


def test_words_of_names_and_docstrings_find(shop: Package) -> None:
    assert found(shop, "how do I count the coins?", 1) == [("shop.tills.big_till.BigTill.count_coins", "words")]
    assert found(shop, "noise customers", 1) == [("shop.tills.big_till._Base.ring", "words")]


def test_a_misspelt_name_finds_what_is_near(shop: Package) -> None:
    assert found(shop, "BgiTil", 1) == [("shop.tills.big_till.BigTill", "near")]
    assert found(shop, "count_conis", 1) == [("shop.tills.big_till.BigTill.count_coins", "near")]


def test_public_comes_before_private(opened: Open) -> None:
    package = opened({"shop/__init__.py": "", "shop/_a.py": "def ring(): ...\n", "shop/bb.py": "def ring(): ...\n"})
    assert found(package, "ring") == [("shop.bb.ring", "end"), ("shop._a.ring", "end")]


def test_what_nothing_is_like_finds_nothing(shop: Package) -> None:
    assert shop.search("zzzqqq") == ()
    assert shop.search("") == ()
    assert shop.search("  ?!") == ()


def test_k_bounds_the_answer(shop: Package) -> None:
    assert len(shop.search("till", 2)) == 2
    assert shop.search("till", 2) == shop.search("till", 5)[:2]
    with pytest.raises(InputError, match="k is 0"):
        shop.search("till", 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("LlmAgent", ["llm", "agent"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("run_live_agents", ["run", "live", "agent"]),
        ("How do I pass a class?", ["pass", "class"]),
    ],
)
def test_names_are_cut_into_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words
