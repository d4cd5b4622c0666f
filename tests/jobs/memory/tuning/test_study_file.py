"""Which study files are refused, before anything is written into them, and what is said to help."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import ConflictError, FileFormatError
from goldproof.jobs.memory.tuning.holdout import open_holdout
from goldproof.jobs.memory.tuning.search import tune_suite
from goldproof.jobs.memory.tuning.space import Space
from goldproof.jobs.memory.tuning.study_file import STUDY_FILE
from tests.jobs.memory.tuning.made_suites import RULES, suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from goldproof.jobs.memory.tuning.trial import FinishedSearch

SPACE = Space(sources=("bm25",), expansion=(), filters_from_query=(), half_life=None, recency_from_query=False)
HOLDOUT = suite("oak", split="holdout")
NEW_FOLDER = (
    "\n  The hold-out of this folder was opened (holdout.json): tune in a new folder, better still with new hold-out "
    "scenarios."
)


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def tune(folder: Path, trials: int = 1) -> FinishedSearch:
    return tune_suite(suite("ash"), rules=RULES, space=SPACE, baseline="bm25", trials=trials, seed=1, folder=folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


def damage(path: Path) -> None:
    """Overwrite the second half of a study, as a failing disk would."""
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] + b"\xff" * (len(whole) - len(whole) // 2))


def refused(folder: Path, *, trials: int = 1, kind: type[Exception] = FileFormatError) -> str:
    """Return why a search is refused; the folder is as it was."""
    before = contents(folder)
    with pytest.raises(kind) as caught:
        tune(folder, trials)
    assert contents(folder) == before
    return str(caught.value)


@pytest.mark.parametrize("whole", [True, False])
def test_a_damaged_study_is_to_be_deleted_and_then_the_search_is_made_anew(folder: Path, *, whole: bool) -> None:
    path = folder / STUDY_FILE
    if whole:
        path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    else:
        tune(folder)
        damage(path)
    said = refused(folder)
    assert said.startswith(f"{path}: is not a study that this version of optuna can read (")
    assert said.endswith(f"\n  Delete {path} to search anew, or tune in another folder.")
    assert "--force" not in said
    path.unlink()
    assert len(tune(folder).trials) == 1


def test_a_damaged_study_whose_hold_out_was_opened_needs_a_new_folder(folder: Path) -> None:
    open_holdout(folder, HOLDOUT, tuned=tune(folder))
    damage(folder / STUDY_FILE)
    said = refused(folder)
    assert "is not a study that this version of optuna can read (" in said
    assert said.endswith(NEW_FOLDER)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE alembic_version SET version_num = 'v99.0.0.a'", "is no longer compatible with the table schema"),
        ("ALTER TABLE version_info RENAME COLUMN library_version TO other", "no such column"),
        ("ALTER TABLE studies RENAME COLUMN study_name TO other", "has no column named study_name"),
    ],
)
def test_a_study_of_another_optuna_is_refused_with_the_reason_in_one_line_and_closed(
    folder: Path, statement: str, says: str, open_databases: Callable[[], list[str]]
) -> None:
    tune(folder)
    execute(folder / STUDY_FILE, statement)
    said = refused(folder)
    assert says in said
    assert len(said.splitlines()) == 2
    assert said.endswith("to search anew, or tune in another folder.")
    assert STUDY_FILE not in open_databases()


def test_the_database_of_another_program_is_left_alone_and_nobody_is_told_to_delete_it(folder: Path) -> None:
    execute(folder / STUDY_FILE, "CREATE TABLE notes (text)", "CREATE TABLE pupils (name)")
    assert refused(folder) == (
        f"{folder / STUDY_FILE}: is the database of another program: it has tables such as notes, pupils, not those of "
        "an optuna study.\n  Tune in another folder."
    )


def test_a_database_without_tables_is_begun(folder: Path) -> None:
    (folder / STUDY_FILE).touch()
    assert len(tune(folder).trials) == 1


def test_a_missing_study_whose_hold_out_was_opened_is_not_made_again(folder: Path) -> None:
    open_holdout(folder, HOLDOUT, tuned=tune(folder))
    (folder / STUDY_FILE).unlink()
    said = refused(folder, kind=ConflictError)
    assert said == f"{folder / STUDY_FILE}: is missing, so the search would be made again.{NEW_FOLDER}"


def test_a_study_that_lost_trials_after_the_hold_out_was_opened_is_not_made_whole_again(
    folder: Path, tmp_path: Path
) -> None:
    tune(folder, 1)
    shutil.copy(folder / STUDY_FILE, tmp_path / "earlier.db")
    open_holdout(folder, HOLDOUT, tuned=tune(folder, 3))
    assert len(tune(folder, 3).trials) == 3  # as it was opened, it may be read again
    shutil.copy(tmp_path / "earlier.db", folder / STUDY_FILE)
    said = refused(folder, trials=3, kind=ConflictError)
    assert "holds 1 of the 3 trials after which the hold-out was opened" in said
    assert said.endswith(NEW_FOLDER)


_KILLED = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN")
for number in range(200):
    database.execute("INSERT INTO studies (study_name) VALUES (?)", (f"{number} " + "x" * 400,))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_half_written_is_taken_back_and_the_search_goes_on(folder: Path) -> None:
    first = tune(folder, 2)
    path = folder / STUDY_FILE
    whole = path.read_bytes()
    subprocess.run([sys.executable, "-c", _KILLED, str(path)], check=False, timeout=60)
    assert path.with_name(f"{STUDY_FILE}-journal").stat().st_size > 0
    assert path.read_bytes() != whole
    assert tune(folder, 2) == first
