"""May the study of a folder be used? Asked before anything is written into it.

A file that is damaged, or that another program made, is refused. Where the hold-out was opened, the study must hold
every trial from before that: a search that is made again would be made with its result in view.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from goldproof.errors import ConflictError, FileFormatError
from goldproof.jobs.memory.tuning.holdout import HOLDOUT_FILE, read_opening

if TYPE_CHECKING:
    from pathlib import Path

_TABLES = frozenset({"studies", "version_info"})  # the first that optuna makes
_NEW_FOLDER = "tune in a new folder, better still with new hold-out scenarios."


def check_file(path: Path) -> None:
    """Refuse what is no study, and a missing study of an opened hold-out; nothing is written."""
    if not path.exists():
        if (path.parent / HOLDOUT_FILE).exists():
            raise ConflictError(f"{path}: is missing, so the search would be made again.\n  {advice(path)}")
        return
    try:
        tables = _tables(path)
    except sqlite3.DatabaseError as error:
        raise unreadable(path, str(error)) from error
    if tables and not tables >= _TABLES:
        named = ", ".join(sorted(tables)[:3])
        problem = f"is the database of another program: it has tables such as {named}, not those of an optuna study."
        raise FileFormatError(path, problem, hint="Tune in another folder.")


def check_whole(path: Path, *, done: int) -> None:
    """Refuse a study that lost trials after the hold-out was opened; done: how many it holds."""
    opening = read_opening(path.parent)
    if opening is not None and done < opening.trials:
        raise ConflictError(
            f"{path}: holds {done} of the {opening.trials} trials after which the hold-out was opened, so the search "
            f"would be made again.\n  {advice(path)}"
        )


def _tables(path: Path) -> frozenset[str]:
    """Return the tables of a database; sqlite3.DatabaseError where it is none, or damaged."""
    # What a killed process left half written is taken back by the next one that reads, which must be allowed to write.
    mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as database:
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(str(found))
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return frozenset(name for (name,) in rows)


def unreadable(path: Path, reason: str) -> FileFormatError:
    """Return the error for a file that cannot be read, with the reason that was met."""
    first = reason.partition("\n")[0]  # the SQL that met it comes after
    problem = f"is not a study that this version of optuna can read ({first})."
    return FileFormatError(path, problem, hint=advice(path))


def advice(path: Path) -> str:
    """Say what helps: --force does not, since it removes nothing from a folder of the same settings."""
    if (path.parent / HOLDOUT_FILE).exists():
        return f"The hold-out of this folder was opened ({HOLDOUT_FILE}): {_NEW_FOLDER}"
    return f"Delete {path} to search anew, or tune in another folder."
