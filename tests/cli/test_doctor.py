from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from goldproof.cli import doctor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Done


def test_the_extras_are_those_that_can_be_installed(repo: Path) -> None:
    project = tomllib.loads((repo / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        name: {re.split(r"[\[<>=]", package)[0] for package in packages}
        for name, packages in project["optional-dependencies"].items()
        if name != "all"
    }
    assert {extra.name: set(extra.packages) for extra in doctor.EXTRAS} == declared


def test_a_missing_extra_is_named_with_what_it_adds_and_how_to_install_it(
    goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = doctor.installed
    monkeypatch.setattr(doctor, "installed", lambda package: None if package == "vl-convert-python" else real(package))
    line = next(line for line in goldproof("doctor").out.splitlines() if line.startswith("extra report"))
    said = "charts in reports: the plot of `goldproof trace`: pip install 'goldproof[report]'"
    assert line.split(maxsplit=3) == ["extra", "report", "missing", said]
    assert goldproof("doctor", "--json").json["extras"]["report"]["missing"] == ["vl-convert-python"]


def test_the_note_says_which_command_uses_which_extra(goldproof: Callable[..., Done]) -> None:
    note = goldproof("doctor").out.splitlines()[-1]
    assert "`goldproof trace` uses report and dedup" in note
