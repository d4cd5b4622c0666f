"""The hold-out: one opening per folder, a ledger of openings on this machine, and the key of its content.

`holdout.json` in the folder of a search says when the hold-out was opened, after how many trials, which scenarios it
has (by the sha256 of their content), and which two configurations were compared. From then on the folder's search is
closed: a configuration chosen after the hold-out was seen would be chosen on it. The same command again reads the file
and opens nothing. The opening is written before the hold-out is run: a process that is killed in between has opened it
all the same.

The ledger has a line for each opening:

    {"sha256": ..., "scenarios": [sha256, ...], "opened_at": "2026-03-04T10:00:00+00:00", "by": "goldproof memory tune"}

A hold-out is known by the content of its scenarios, so that a copy of the file, or another folder, does not make it
new, nor does a part of it, or more beside it: an opening counts if it shares one scenario. A line without `scenarios`
counts if it is of the whole. The ledger only grows; a line that cannot be read (a process was killed while writing it)
is skipped. Clearing the caches clears it too, and other machines have their own: the count is a lower bound.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from goldproof.errors import ConflictError, FileFormatError, InputError
from goldproof.io import read_json, write_json
from goldproof.io.storage.home import goldproof_home, make_home
from goldproof.metrics.memory import Criterion
from goldproof.records.keys import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite
    from goldproof.jobs.memory.tuning.trial import FinishedSearch


HOLDOUT_FILE = "holdout.json"
LEDGER_FILE = "holdouts.jsonl"
BY = "goldproof memory tune"
_NEW_FOLDER = "Tune in a new folder, better still with new hold-out scenarios."


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
        """Return the content of `holdout.json`."""
        return asdict(self)

    @property
    def remark(self) -> str:
        """When it was opened, and how often before, in a sentence."""
        opened = f"The hold-out was opened at {self.opened_at}, after {self.trials} trials"
        if not self.opened_before:
            return f"{opened}, for the first time on this machine."
        times = "once" if self.opened_before == 1 else f"{self.opened_before} times"
        return f"{opened}; scenarios of it had been opened {times} before on this machine, so they are no longer new."


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
    content = read_json(path)
    try:
        return Opening(**content)  # type: ignore[arg-type]
    except TypeError as error:
        raise FileFormatError(
            path, "is not the record of an opened hold-out.", hint="Tune in another folder."
        ) from error


def check_still_closed(folder: Path, *, trials: int) -> None:
    """Refuse a longer or shorter search in a folder whose hold-out was opened."""
    opening = read_opening(folder)
    if opening is None or opening.trials == trials:
        return
    raise ConflictError(
        f"{folder / HOLDOUT_FILE}: the hold-out was opened after {opening.trials} trials, so a search of {trials} "
        f"would choose with its result in view.\n  {_NEW_FOLDER}"
    )


def open_holdout(folder: Path, holdout: Suite, *, tuned: FinishedSearch, now: datetime | None = None) -> Opening:
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
        opened_before=count_openings(holdout),
    )
    record_opening(holdout, opened_at=opening.opened_at, by=BY)
    write_json(folder / HOLDOUT_FILE, opening.to_dict())
    return opening


def _check_same(folder: Path, known: Opening, *, tuned: FinishedSearch, sha256: str) -> None:
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
            f"  {_NEW_FOLDER}"
        )


def count_openings(suite: Suite) -> int:
    """Return how often some of these scenarios have been opened before."""
    whole, scenarios = content_of(suite), frozenset(scenario_digests(suite))
    return sum(line.get("sha256") == whole or not scenarios.isdisjoint(_scenarios(line)) for line in _lines())


def record_opening(suite: Suite, *, opened_at: str, by: str) -> None:
    """Add a line to the ledger: these scenarios are opened; by: the command that opens them."""
    digests = scenario_digests(suite)
    line = orjson.dumps({"sha256": content_of(suite), "scenarios": digests, "opened_at": opened_at, "by": by})
    try:
        # A line end comes first, so that half a line before it does no harm; one write, so that the lines of two
        # processes do not mix.
        descriptor = os.open(make_home() / LEDGER_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(descriptor, b"\n" + line + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _unusable(error) from error


def _unusable(error: OSError) -> InputError:
    return InputError(
        f"{goldproof_home() / LEDGER_FILE}: cannot be used ({error.strerror or error}), and no hold-out is opened "
        "without it; set GOLDPROOF_HOME to another folder."
    )


def _scenarios(line: dict[str, object]) -> list[str]:
    digests = line.get("scenarios")
    return [digest for digest in digests if isinstance(digest, str)] if isinstance(digests, list) else []


def _lines() -> Iterator[dict[str, object]]:
    try:
        content = (goldproof_home() / LEDGER_FILE).read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unusable(error) from error
    for line in content.splitlines():
        try:
            content = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(content, dict):
            yield content


def content_of(suite: Suite) -> str:
    """Return the sha256 (hex) of a suite's scenarios, whatever their order, name and split."""
    return hashlib.sha256(b"".join(map(bytes.fromhex, scenario_digests(suite)))).hexdigest()


def scenario_digests(suite: Suite) -> list[str]:
    """Return the sha256 (hex) of each scenario, whatever its name and split; sorted."""
    return sorted(
        hashlib.sha256(_scenario(scenario).encode("utf-8", "surrogatepass")).hexdigest() for scenario in suite.scenarios
    )


def _scenario(scenario: Scenario) -> str:
    """Return the part of a scenario that decides how it is answered and scored, as JSON."""
    return canonical_json([list(map(_record, scenario.memories)), list(map(_record, scenario.queries))])


def _record(record: MemoryItem | Query) -> dict[str, object]:
    """Return the fields that are given; a field that is added to queries one day must not change older digests."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {name: _plain(value) for name, value in values.items() if value is not None and value not in ((), {})}


def _plain(value: object) -> object:
    if isinstance(value, tuple) and any(isinstance(part, Criterion) for part in value):
        return [str(part) for part in value]
    return value
