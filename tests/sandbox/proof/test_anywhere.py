"""Where a name exists: modules are imported only where their source may bind it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.sandbox.inside.proof.anywhere import anywhere_seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCES = {
    "__init__": "from .loaded import Early\n",
    "loaded": "class Early:\n    def act(self): ...\n",
    "late": "class Late:\n    size: int = 1\n",
    "broken": "import goldproof_not_installed\n\nclass Guarded: ...\n",
    "starred": "from string import *\n",
    "relative": "from .broken import *\n",
    "made": "for one in ('Le', 'Ri'):\n    globals()[one + 'ft'] = one\n",
    "lazy": "import goldproof_not_installed\n\ndef __getattr__(name):\n    globals()[name] = name\n",
    "deep/__init__": "",
    "deep/under": "LIMIT = 3\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = "anywhere_sample"
    for place, source in SOURCES.items():
        path = tmp_path / name / f"{place}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    for one in [one for one in sys.modules if one.partition(".")[0] == name]:
        del sys.modules[one]


@pytest.mark.parametrize(
    ("name", "found", "failed"),
    [
        ("Early", ["Early", "loaded.Early"], []),
        ("act", ["loaded.Early.act"], []),
        ("Late", ["late.Late"], []),
        ("size", ["late.Late.size"], []),
        ("LIMIT", ["deep.under.LIMIT"], []),
        ("under", ["deep.under", "deep.under"], []),
        ("ascii_letters", ["starred.ascii_letters"], []),  # bound by another package's names
        ("Left", ["made.Left"], []),  # spelt nowhere
        ("Guarded", [], ["broken"]),  # it may be there where that package is installed
        ("Nowhere", [], []),  # modules that fail and do not hold the word say nothing against it
    ],
)
def test_a_name_is_found_wherever_it_is_bound(package: str, name: str, found: list[str], failed: list[str]) -> None:
    seen: dict[str, Any] = anywhere_seen(name, packages=(package,))
    assert sorted(set(seen["found"])) == sorted({f"{package}.{one}" for one in found})
    assert seen["failed"] == [f"{package}.{one}" for one in failed]


def test_modules_that_cannot_bind_the_name_are_not_imported(package: str) -> None:
    anywhere_seen("Late", packages=(package,))
    assert f"{package}.late" in sys.modules
    assert f"{package}.deep.under" not in sys.modules


def test_every_module_counts_as_searched(package: str) -> None:
    assert anywhere_seen("Nowhere", packages=(package,))["searched"] == len(SOURCES)
