"""What is installed: beside Goldproof, or in an environment that the user names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries import open_library
from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tests.corpus.libraries.conftest import MakeWheel


def test_a_bare_name_is_what_is_installed_beside_goldproof() -> None:
    library = open_library("pyyaml")
    assert (library.name, library.origin, library.import_names[0]) == ("PyYAML", "installed", "yaml")
    assert library.label == f"PyYAML=={library.version}"
    assert library.interpreter.python == Path(sys.executable)
    assert Path(sys.prefix) in library.interpreter.readable
    assert "pydantic" in library.distributions


def test_the_sources_of_an_editable_install_may_be_read_where_it_is_under_test(repo: Path) -> None:
    library = open_library("goldproof")
    assert repo / "src" in library.interpreter.readable
    assert "editable" in library.remarks[0]
    assert not any((repo / "src").is_relative_to(place) for place in open_library("pyyaml").interpreter.readable)


def test_a_misspelt_name_is_told_what_is_near() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown library 'pydanti'; did you mean 'pydantic'"):
        open_library("pydanti")


def test_an_environment_is_named_by_its_folder_or_its_interpreter(make_wheel: MakeWheel) -> None:
    make_wheel("kiosk", "1.0")
    made = open_library("kiosk==1.0").interpreter.python
    for place in (made.parents[1], made):
        library = open_library(f"kiosk @ {place}")
        assert (library.origin, library.label, library.version) == ("environment", "kiosk==1.0", "1.0")
        assert library.interpreter.python == made
        assert library.interpreter.readable == (Path(sys.base_prefix), made.parents[1])
    with pytest.raises(UnknownNameError, match=r"library 'stall @ "):
        open_library(f"stall @ {made}")
    with pytest.raises(InputError, match=r"write NAME @ "):
        open_library(str(made.parents[1]))


def test_a_place_that_is_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"does not exist"):
        open_library(f"kiosk @ {tmp_path / 'nothing'}")
    with pytest.raises(InputError, match=r"neither an environment .* nor a project"):
        open_library(f"kiosk @ {tmp_path}")
