"""The optuna study on disk, and whether it may be used.

A file that is damaged, or that another program made, is refused. Where the hold-out was opened, the study must hold
every trial from before that: a search that is repeated would be made with its result in view.

A trial is done once its outcome is written, as one attribute of the trial; should the process end before optuna is
told, it is told on the next opening. A trial without that attribute was lost: optuna is told FAIL, and it is run again.
Its number here is the count of trials done before it, not optuna's own number. A sampler's proposal depends on the
trials done and on its seed, which is derived from the seed of the search and that number; so an interrupted search is
the same as an uninterrupted one.
"""

from __future__ import annotations

import json
import sqlite3
import warnings
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import ConflictError, FileFormatError, MissingExtraError
from goldproof.jobs.memory.tuning.configuration import configuration, rounded
from goldproof.jobs.memory.tuning.holdout import HOLDOUT_FILE, read_opening
from goldproof.jobs.memory.tuning.trial import TrialRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import ModuleType

    from optuna.samplers import BaseSampler
    from optuna.storages import RDBStorage
    from optuna.study import Study
    from optuna.trial import FrozenTrial, Trial

    from goldproof.jobs.memory.tuning.space import Space

STUDY_FILE = "study.db"
_NAME = "goldproof memory tune"
_SETTINGS = "settings"
_TOLD = "told"
_STARTUP = 10  # random trials before the sampler learns
_TABLES = frozenset({"studies", "version_info"})  # the first that optuna makes


def check_file(path: Path) -> None:
    """Refuse a file that is no study, and a missing study whose hold-out was opened; nothing is written."""
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
    # Reading rolls back what a killed process left half written, and must be allowed to write for that.
    mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as database:
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(str(verdict))
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return frozenset(name for (name,) in rows)


def unreadable(path: Path, reason: str) -> FileFormatError:
    """Return the error for a file that optuna cannot read, with the reason."""
    first = reason.partition("\n")[0]  # the SQL that met it comes after
    problem = f"is not a study that this version of optuna can read ({first})."
    return FileFormatError(path, problem, hint=advice(path))


def advice(path: Path) -> str:
    """Return what to do next; --force does not help, since it removes nothing from a folder of the same settings."""
    if (path.parent / HOLDOUT_FILE).exists():
        next_step = "tune in a new folder, better still with new hold-out scenarios."
        return f"The hold-out of this folder was opened ({HOLDOUT_FILE}): {next_step}"
    return f"Delete {path} to search anew, or tune in another folder."


def load_optuna() -> ModuleType:
    """Import optuna, which is heavy, where it is used."""
    try:
        import optuna  # noqa: PLC0415 - heavy, and an extra
    except ImportError as error:
        raise MissingExtraError("tuning", "tune") from error
    return optuna


@contextmanager
def open_study(folder: Path, settings: Mapping[str, object]) -> Iterator[StudyFile]:
    """Open the study of a folder, or begin one; a study of other settings is refused, naming what differs."""
    optuna = load_optuna()
    path = folder / STUDY_FILE
    check_file(path)
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        storage = _open_storage(path)
        try:
            yield _loaded(storage, settings, path=path)
        finally:
            storage.remove_session()
            storage.engine.dispose()
    finally:
        optuna.logging.set_verbosity(verbosity)


class StudyFile:
    """The trials of one search."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._tell_interrupted()

    def records(self) -> list[TrialRecord]:
        """Return the trials that are done, in their order."""
        done = [trial for trial in self._study.get_trials(deepcopy=False) if _is_done(trial)]
        return [_record(number, trial) for number, trial in enumerate(done)]

    def ask(self, number: int, *, space: Space, seed: int) -> tuple[Trial, str]:
        """Begin the next trial, and return it with its pipeline."""
        self._study.sampler = _sampler(seed, number)
        trial = self._study.ask()
        return trial, configuration(trial, space)

    def tell(self, trial: Trial, record: TrialRecord) -> None:
        """End a trial; until then it counts as lost."""
        trial.set_user_attr(_TOLD, _told(record))
        self._end(trial, record.value)

    def add_baseline(self, record: TrialRecord) -> None:
        """Add the baseline as the first trial; it has a value and no choices, so the sampler learns nothing from it."""
        from optuna.trial import TrialState, create_trial  # noqa: PLC0415 - heavy, and an extra

        self._study.add_trial(
            create_trial(state=TrialState.COMPLETE, value=record.value, user_attrs={_TOLD: _told(record)})
        )

    def _tell_interrupted(self) -> None:
        """End the trials that were running when the process ended: with their value, or as lost."""
        from optuna.trial import TrialState  # noqa: PLC0415 - heavy, and an extra

        for trial in self._study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
            self._end(trial.number, trial.user_attrs.get(_TOLD, {}).get("value"))

    def _end(self, trial: Trial | int, value: float | None) -> None:
        from optuna.trial import TrialState  # noqa: PLC0415 - heavy, and an extra

        if value is None:
            self._study.tell(trial, state=TrialState.FAIL)
        else:
            self._study.tell(trial, value)


def _sampler(seed: int, number: int) -> BaseSampler:
    from optuna.samplers import TPESampler  # noqa: PLC0415 - heavy, and an extra

    trial_seed = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
    with warnings.catch_warnings():
        # Choices depend on each other (no fusion without hybrid); `group` handles that, and is called experimental.
        warnings.simplefilter("ignore")
        return TPESampler(seed=trial_seed, multivariate=True, group=True, n_startup_trials=_STARTUP)


def _open_storage(path: Path) -> RDBStorage:
    from optuna.exceptions import StorageInternalError  # noqa: PLC0415 - heavy, and an extra
    from optuna.storages import RDBStorage as Storage  # noqa: PLC0415 - heavy, and an extra
    from sqlalchemy.engine import URL  # noqa: PLC0415 - heavy, and an extra
    from sqlalchemy.exc import DatabaseError  # noqa: PLC0415 - heavy, and an extra
    from sqlalchemy.pool import NullPool  # noqa: PLC0415 - heavy, and an extra

    url = URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)
    try:
        # Optuna takes the address for a template. Without a pool, a storage that cannot be opened leaves nothing open.
        return Storage(url.replace("{", "{{").replace("}", "}}"), engine_kwargs={"poolclass": NullPool})
    except (DatabaseError, RuntimeError, StorageInternalError) as error:
        raise unreadable(path, str(error.__cause__ or error)) from error


def _loaded(storage: RDBStorage, settings: Mapping[str, object], *, path: Path) -> StudyFile:
    """Return the study of a storage, a new one where it has none."""
    from optuna import create_study  # noqa: PLC0415 - heavy, and an extra
    from optuna.exceptions import StorageInternalError  # noqa: PLC0415 - heavy, and an extra

    try:
        study = create_study(storage=storage, study_name=_NAME, direction="maximize", load_if_exists=True)
        _check_settings(study, settings, path)
        loaded = StudyFile(study)
    except StorageInternalError as error:
        raise unreadable(path, str(error.__cause__ or error)) from error
    check_whole(path, done=len(loaded.records()))
    return loaded


def _check_settings(study: Study, settings: Mapping[str, object], path: Path) -> None:
    """Write the settings into a new study, or compare them with those of an old one."""
    new = {name: json.loads(json.dumps(value)) for name, value in settings.items()}  # as they come back from the file
    old = study.user_attrs.get(_SETTINGS)
    if old is None or not study.get_trials(deepcopy=False):  # nothing was tried with the old settings
        study.set_user_attr(_SETTINGS, new)
        return
    differ = [name for name in new if old.get(name) != new[name]]
    if differ:
        raise ConflictError(f"{path}: holds a search with another {', '.join(differ)}.\n  {advice(path)}")


def _is_done(trial: FrozenTrial) -> bool:
    return trial.state.is_finished() and _TOLD in trial.user_attrs


def _told(record: TrialRecord) -> dict[str, object]:
    """Return the outcome of a trial as one attribute, since each attribute is a transaction of its own."""
    return {
        "value": record.value,
        "pipeline": record.pipeline,
        "reason": record.reason,
        "repeats": record.repeats,
        "failed_queries": record.failed_queries,
    }


def _record(number: int, trial: FrozenTrial) -> TrialRecord:
    told = trial.user_attrs[_TOLD]
    return TrialRecord(
        number=number,
        pipeline=told["pipeline"],
        value=trial.value,
        reason=told["reason"],
        repeats=told["repeats"],
        failed_queries=told["failed_queries"],
        choices=rounded(trial.params),
    )
