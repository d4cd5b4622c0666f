"""`judgments.jsonl` as `goldproof mine` writes it, a ruling per line: recognised and counted for `goldproof validate`.

Other readers of judgments want a grade in every line; here rulings on several documents, and such as do not count, have
none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.jsonl import BadRecordError, get_id, json_kind, read_objects

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from goldproof.io.complaints import Complaints
    from goldproof.io.jsonl import JsonObject

LABELS = ("yes", "no", "unsupported", "disputed", "abstained", "failed")
_KEYS = {"query_id", "documents", "label", "judge"}


def holds_rulings(names: Iterable[str]) -> bool:
    """Return whether a file whose first record has these keys is one of rulings."""
    return set(names) >= _KEYS


def count_rulings(path: Path, complaints: Complaints) -> dict[str, int]:
    """Count rulings by label; what is wrong with a line is a complaint."""
    counts = dict.fromkeys(("rulings", "on_single_documents", *LABELS), 0)
    for number, record in read_objects(path, complaints):
        try:
            label, size = _checked(record)
        except BadRecordError as error:
            complaints.add(str(error), line=number)
            continue
        counts["rulings"] += 1
        counts["on_single_documents"] += size == 1
        counts[label] += 1
    return {name: count for name, count in counts.items() if count or name == "rulings"}


def _checked(record: JsonObject) -> tuple[str, int]:
    get_id(record, "query")
    documents, label = record.get("documents"), record.get("label")
    if not isinstance(documents, list) or not all(isinstance(one, str) and one for one in documents):
        raise BadRecordError(f"key 'documents' is {json_kind(documents)}, expected a list of ids.")
    if label not in LABELS:
        raise BadRecordError(f"key 'label' is {label!r}, expected {', '.join(LABELS)}.")
    return str(label), len(documents)
