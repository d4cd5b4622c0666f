"""The manifest: one CSV row per sample, for people and spreadsheets.

Exactly the columns `id, doc_type, question_type, difficulty, answerable, source_dataset, original_id`; `answerable` is
true or false; fields are quoted as RFC 4180 says, where they need it; lines end with a line feed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.jobs.build.sample import Sample

COLUMNS = ("id", "doc_type", "question_type", "difficulty", "answerable", "source_dataset", "original_id")
_QUOTED = frozenset(',"\r\n')


def manifest_lines(samples: Iterable[Sample]) -> Iterator[bytes]:
    """Yield the manifest: its header, then a line for each sample."""
    yield _line(COLUMNS)
    for sample in samples:
        yield _line(_written(getattr(sample, column)) for column in COLUMNS)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line(values: Iterable[str]) -> bytes:
    return (",".join(map(_quoted, values)) + "\n").encode("utf-8")


def _quoted(value: str) -> str:
    if _QUOTED.isdisjoint(value):
        return value
    return '"' + value.replace('"', '""') + '"'
