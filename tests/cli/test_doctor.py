from __future__ import annotations

import os
import re
import tomllib
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from goldproof.cli import doctor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def cache_row(done: Done) -> list[str]:
    return next(line for line in done.out.splitlines() if line.startswith("cache folder")).split(maxsplit=3)[2:]


def test_the_cache_folder_is_written_to_and_nothing_is_left_there(
    goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "not" / "there" / "yet"
    monkeypatch.setenv("GOLDPROOF_HOME", str(home))
    done = goldproof("doctor")
    assert done.code == 0
    state, detail = cache_row(done)
    assert (state, detail.startswith(f"{home}, "), "GB free" in detail) == ("works", True, True)
    assert not [path for path in home.iterdir() if path.name.startswith("doctor-")]
    cache = goldproof("doctor", "--json").json["cache"]
    assert cache["problem"] is None
    assert cache["free_bytes"] > 0


@pytest.mark.parametrize("below", [False, True])
def test_a_file_in_place_of_the_cache_folder_is_said_and_ends_with_2(
    goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, below: bool
) -> None:
    (tmp_path / "file").write_text("")
    home = tmp_path / "file" / "below" if below else tmp_path / "file"
    monkeypatch.setenv("GOLDPROOF_HOME", str(home))
    done = goldproof("doctor")
    assert (done.code, "Traceback" in done.err) == (2, False)
    state, detail = cache_row(done)
    assert state == "BROKEN"
    assert detail.startswith(f"{home}: ")
    assert "set GOLDPROOF_HOME to a" in detail
    assert goldproof("doctor", "--json").json["cache"] == {"problem": detail, "free_bytes": None}


NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Act as a user whom permissions bind; root they do not."""
    user = os.geteuid()
    if user:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_folder_that_may_not_be_written_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as made:  # others may not enter pytest's own
        home = Path(made).resolve()
        monkeypatch.setenv("GOLDPROOF_HOME", str(home))
        assert doctor.cache_state().state == "works"  # made and tagged
        home.chmod(0o555)
        try:
            with unprivileged():
                found = doctor.cache_state()
        finally:
            home.chmod(0o700)
    why = f"{home}: cannot be written (Permission denied); set GOLDPROOF_HOME to a folder that can be."
    assert (found.state, found.detail) == ("BROKEN", why)


def test_a_home_where_nothing_can_be_made_is_said(
    goldproof: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", "/proc/goldproof")  # where nobody can make a folder, not even root
    done = goldproof("doctor")
    assert (done.code, cache_row(done)[0], "Traceback" in done.err) == (2, "BROKEN", False)


def test_a_nearly_full_disk_is_a_warning() -> None:
    state = doctor.CacheState("/home/cache", free=300_000_000)
    assert (state.state, state.detail) == ("low", "/home/cache, 0.3 GB free; the disk is nearly full")
    assert doctor.CacheState("/home/cache", free=2_000_000_000).state == "works"
