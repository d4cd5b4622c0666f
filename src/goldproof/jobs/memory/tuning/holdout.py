"""The lock on the hold-out: it is opened once per folder, when the search is over.

`holdout.json` says when, after how many trials, which scenarios (by the sha256 of their content), and which two
configurations were compared. From then on the folder's search is closed: a configuration that was chosen after the
hold-out was seen would be chosen on it. The same command again reads the file and opens nothing.

The opening is written down before the hold-out is run. A process that is killed in between has opened it all the same.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from goldproof.errors import ConflictError, FileFormatError, InputError
from goldproof.io.json_files import read_json, write_json
from goldproof.jobs.memory.tuning.content import content_of
from goldproof.jobs.memory.tuning.ledger import openings, record_opening

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.tuning.trial import Tuned

HOLDOUT_FILE = "holdout.json"
BY = "goldproof memory tune"


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening of a hold-out; opened_before: how often some of its scenarios had been, on this machine."""

    opened_at: str
    trials: int
    sha256: str
    scenarios: int
    queries: int
    baseline: str
    winner: str
    opened_before: int

    def to_dict(self) -> dict[str, object]:
        """Return the shape of `holdout.json`."""
        return asdict(self)

    @property
    def remark(self) -> str:
        """What a reader should know, in a sentence."""
        said = f"The hold-out was opened at {self.opened_at}, after {self.trials} trials"
        if not self.opened_before:
            return f"{said}, for the first time on this machine."
        times = "once" if self.opened_before == 1 else f"{self.opened_before} times"
        return f"{said}; scenarios of it had been opened {times} before on this machine, so they are no longer new."


def both_splits(suite: Suite) -> tuple[Suite, Suite]:
    """Return development and hold-out; InputError where either is empty."""
    parts = {
        split: tuple(scenario for scenario in suite.scenarios if scenario.split == split)
        for split in ("development", "holdout")
    }
    for split, scenarios in parts.items():
        if not any(scenario.queries for scenario in scenarios):
            raise InputError(
                f"{suite.name}: no scenario with queries has split: {split}; tuning needs both development and holdout "
                "scenarios, fixed beforehand."
            )
    return replace(suite, scenarios=parts["development"]), replace(suite, scenarios=parts["holdout"])


def read_opening(folder: Path) -> Opening | None:
    """Return how the hold-out of a folder was opened; None where it is closed."""
    path = folder / HOLDOUT_FILE
    if not path.exists():
        return None
    found = read_json(path)
    try:
        return Opening(**found)  # type: ignore[arg-type]
    except TypeError as error:
        raise FileFormatError(
            path, "is not the record of an opened hold-out.", hint="Tune in another folder."
        ) from error


def check_still_closed(folder: Path, *, trials: int) -> None:
    """Refuse a longer or shorter search where the hold-out has been seen."""
    opening = read_opening(folder)
    if opening is None or opening.trials == trials:
        return
    raise ConflictError(
        f"{folder / HOLDOUT_FILE}: the hold-out was opened after {opening.trials} trials, so a search of {trials} "
        "would choose with its result in view.\n  Tune in a new folder, better still with new hold-out scenarios."
    )


def open_holdout(folder: Path, holdout: Suite, *, tuned: Tuned, now: datetime | None = None) -> Opening:
    """Open the hold-out, or return how it was opened before; another hold-out or another winner is refused."""
    sha256 = content_of(holdout)
    known = read_opening(folder)
    if known is not None:
        _check_same(folder, known, tuned=tuned, sha256=sha256)
        return known
    opening = Opening(
        opened_at=(now or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds"),
        trials=len(tuned.trials),
        sha256=sha256,
        scenarios=len(holdout.scenarios),
        queries=holdout.queries,
        baseline=tuned.baseline.pipeline,
        winner=tuned.winner.pipeline,
        opened_before=openings(holdout),
    )
    record_opening(holdout, opened_at=opening.opened_at, by=BY)
    write_json(folder / HOLDOUT_FILE, opening.to_dict())
    return opening


def _check_same(folder: Path, known: Opening, *, tuned: Tuned, sha256: str) -> None:
    differ = [
        name
        for name, old, new in (
            ("hold-out scenarios", known.sha256, sha256),
            ("winner", known.winner, tuned.winner.pipeline),
            ("baseline", known.baseline, tuned.baseline.pipeline),
            ("number of trials", known.trials, len(tuned.trials)),
        )
        if old != new
    ]
    if differ:
        raise ConflictError(
            f"{folder / HOLDOUT_FILE}: a hold-out was opened here with another {', another '.join(differ)}.\n"
            "  Tune in a new folder, better still with new hold-out scenarios."
        )
