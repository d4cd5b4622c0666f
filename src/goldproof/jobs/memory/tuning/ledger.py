"""How often a hold-out has been opened on this machine: `holdouts.jsonl` in `GOLDPROOF_HOME`, a line per opening.

    {"sha256": ..., "scenarios": [sha256, ...], "opened_at": "2026-03-04T10:00:00+00:00", "by": "goldproof memory tune"}

A hold-out is known by the content of its scenarios, so that a copy of the file, or another folder, does not make it
new, nor does a part of it, or more beside it: an opening counts if it shares one scenario. A line without `scenarios`
counts if it is of the whole. The ledger only grows; a line that cannot be read (a process was killed while writing it)
is passed over. Clearing the caches clears it too, and other machines have their own: the count is a lower bound.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import orjson

from goldproof.errors import InputError
from goldproof.io.storage.home import goldproof_home, make_home
from goldproof.jobs.memory.tuning.content import content_of, scenario_digests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.scenarios.scenario import Suite

LEDGER_FILE = "holdouts.jsonl"


def openings(suite: Suite) -> int:
    """Return how often some of these scenarios have been opened before."""
    whole, scenarios = content_of(suite), frozenset(scenario_digests(suite))
    return sum(line.get("sha256") == whole or not scenarios.isdisjoint(_scenarios(line)) for line in _lines())


def record_opening(suite: Suite, *, opened_at: str, by: str) -> None:
    """Write down that these scenarios are opened; by: what opens them."""
    digests = scenario_digests(suite)
    line = orjson.dumps({"sha256": content_of(suite), "scenarios": digests, "opened_at": opened_at, "by": by})
    try:
        # Begins with a line end of its own, so that half a line before it does no harm; one write, so that two
        # processes do not mix theirs.
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
        f"without "
        "it; set GOLDPROOF_HOME to another folder."
    )


def _scenarios(line: dict[str, object]) -> list[str]:
    found = line.get("scenarios")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _lines() -> Iterator[dict[str, object]]:
    try:
        content = (goldproof_home() / LEDGER_FILE).read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unusable(error) from error
    for line in content.splitlines():
        try:
            found = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(found, dict):
            yield found
