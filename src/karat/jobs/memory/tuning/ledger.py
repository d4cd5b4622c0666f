"""How often a hold-out has been opened on this machine: `holdouts.jsonl` in `KARAT_HOME`, a line per opening.

A hold-out is known by the content of its scenarios, so that a copy of the file, or another folder, does not make it
new. The ledger only grows; a line that cannot be read (a process was killed while writing it) is passed over. Clearing
the caches clears it too, and other machines have their own: the count is a lower bound.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import orjson

from karat.core.errors import InputError
from karat.io.home import karat_home, make_home

if TYPE_CHECKING:
    from collections.abc import Iterator

LEDGER_FILE = "holdouts.jsonl"


def openings(sha256: str) -> int:
    """Return how often the hold-out of this content has been opened before."""
    return sum(line.get("sha256") == sha256 for line in _lines())


def record_opening(sha256: str, *, opened_at: str, by: str) -> None:
    """Write down one opening; by: what opened it."""
    line = orjson.dumps({"sha256": sha256, "opened_at": opened_at, "by": by})
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
        f"{karat_home() / LEDGER_FILE}: cannot be used ({error.strerror or error}), and no hold-out is opened without "
        "it; set KARAT_HOME to another folder."
    )


def _lines() -> Iterator[dict[str, object]]:
    try:
        content = (karat_home() / LEDGER_FILE).read_bytes()
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
