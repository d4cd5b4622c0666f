"""`card.json`: write, read and compare cards; machine facts of `run.json`.

While the artefact is being written its card says `"unfinished": true` and has no counts: they are known at the end.
"""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from goldproof.errors import FileFormatError, InputError
from goldproof.io.json_files import json_text, read_json, write_json
from goldproof.io.text_files import check_file
from goldproof.records.entities import Card
from goldproof.records.keys import content_key

CARD_NAME = "card.json"
MINED = "goldproof.mined"
MINED_BEIR = "goldproof.mined.beir"

T = TypeVar("T")


def sha256_file(path: Path | str) -> str:
    """Return the sha256 (hex) of a file as it stands on disk."""
    with check_file(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def card_key(card: Card) -> str:
    """Return the key of an artefact's origin: schema, inputs, settings and seed."""
    return content_key(_identity(card))


def write_card(path: Path | str, card: Card, *, finished: bool = True) -> None:
    """Write a card, of a finished artefact or of one that was only begun."""
    outputs = {"outputs": dict(sorted(card.outputs.items()))} if card.outputs else {}
    events = {"events": dict(sorted(card.events.items()))} if card.events else {}
    end = {"counts": dict(sorted(card.counts.items())), **outputs, **events} if finished else {"unfinished": True}
    write_json(
        path,
        {
            **_identity(card),
            "licence": card.licence,
            "versions": dict(sorted(card.versions.items())),
            **end,
        },
    )


def read_card(path: Path | str) -> Card:
    """Read a card."""
    record = read_json(path)
    if not isinstance(record, dict):
        raise FileFormatError(path, "is not a card: expected a JSON object.")
    try:
        return Card(
            schema=_checked(record, "schema", str),
            schema_version=_checked(record, "schema_version", int),
            inputs=_checked(record, "inputs", dict),
            settings=_checked(record, "settings", dict),
            seed=record.get("seed"),
            licence=record.get("licence"),
            versions=_checked({"versions": {}} | record, "versions", dict),
            counts=_checked({"counts": {}} | record, "counts", dict),
            outputs=_checked({"outputs": {}} | record, "outputs", dict),
            events=_checked({"events": {}} | record, "events", dict),
        )
    except KeyError as error:
        raise FileFormatError(path, f"is not a card: no key {error.args[0]!r}.") from error
    except TypeError as error:
        raise FileFormatError(path, f"is not a card: {error}.") from error


def labelling_judge(path: Path | str) -> str | None:
    """Return the key of the judge whose labels a file of `goldproof mine` holds; None where no card lists the file."""
    path = Path(path).resolve()
    for folder in path.parents[:3]:  # mined/beir/qrels/test.tsv
        if not (folder / CARD_NAME).is_file():
            continue
        try:
            card = read_card(folder / CARD_NAME)
        except InputError:  # some other tool's
            continue
        judge = card.settings.get("judge")
        if card.schema in (MINED, MINED_BEIR) and path.relative_to(folder).as_posix() in card.outputs:
            return judge if isinstance(judge, str) else None
    return None


def card_differences(old: Card, new: Card) -> list[str]:
    """Return the differences of two cards that change the artefact, one phrase each."""
    before, after = _flat(_identity(old)), _flat(_identity(new))
    return [
        f"{name}: {_short(before.get(name))} there, {_short(after.get(name))} now"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def _identity(card: Card) -> dict[str, object]:
    """Return the fields that decide the artefact as JSON gives them back: a card read equals the card written."""
    identity: dict[str, object] = json.loads(
        json_text(
            {
                "schema": card.schema,
                "schema_version": card.schema_version,
                "inputs": dict(sorted(card.inputs.items())),
                "settings": dict(sorted(card.settings.items())),
                "seed": card.seed,
            }
        )
    )
    return identity


def _flat(value: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat |= _flat(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = item
    return flat


def _short(value: object) -> str:
    if value is None:
        return "nothing"
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}..."


def _checked(record: Mapping[str, object], key: str, kind: type[T]) -> T:
    value = record[key]
    if not isinstance(value, kind):
        raise TypeError(f"{key} {value!r} is not {kind.__name__}")
    return value


def machine_facts() -> dict[str, object]:
    """Return when and on what machine this process runs, and the CPU time it has taken."""
    return {
        "written_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu_seconds": round(time.process_time(), 3),
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
