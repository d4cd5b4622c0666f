"""Rulings on disk, so that an interrupted run goes on: one file, `GOLDPROOF_HOME/rulings.sqlite`.

The key of a ruling is the judge's key with all that question and documents hold, since the judge is given all of it: a
changed text, or other metadata, is another ruling. Metadata that cannot be written down have no key, and such a ruling
is not kept. Only what a judge has said is: a failure is tried again. Models' answers are kept elsewhere
(`goldproof.llm`), so this is for judges that are code of the user's.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, fields
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import orjson

from goldproof.core.closing import Closing
from goldproof.core.keys import content_key
from goldproof.core.plain_values import write_down
from goldproof.io.home import make_home
from goldproof.judge.ruling import Evidence, Ruling, Vote
from goldproof.store.keyed import KeyedStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from goldproof.core.records import Document, Question

FILE_NAME = "rulings.sqlite"
_STORES: WeakValueDictionary[Path, KeyedStore] = WeakValueDictionary()
_LOCK = Lock()


class KeptRulings(Closing):
    """The rulings of one judge, by what was judged."""

    def __init__(self, judge_key: str, path: Path | None = None) -> None:
        self._judge_key = judge_key
        self._store = _store(path or make_home() / FILE_NAME)

    def key(self, question: Question, documents: Sequence[Document]) -> bytes | None:
        """Return the key of a ruling, None where there is none; the order of the documents is part of it."""
        try:
            judged = write_down([_values(question), [_values(document) for document in documents]])
        except (TypeError, ValueError):
            return None
        return bytes.fromhex(content_key("ruling", self._judge_key, judged))

    async def get(self, key: bytes) -> Ruling | None:
        """Return the ruling that is kept, or None."""
        found = (await asyncio.to_thread(self._store.get_many, (key,))).get(key)
        return None if found is None else ruling_from(orjson.loads(found))

    def close(self) -> None:
        """Let go of the file; the next ruling opens it again."""
        self._store.release()

    async def put(self, key: bytes, ruling: Ruling) -> None:
        """Keep a ruling; it is on disk when this returns."""
        await asyncio.to_thread(self._store.put_many, {key: orjson.dumps(ruling_record(ruling))})


def _values(record: Question | Document) -> list[object]:
    """Return all that a record holds, also what it may come to hold one day."""
    return [getattr(record, field.name) for field in fields(record)]


def _store(path: Path) -> KeyedStore:
    """Return this process's store of a file, which ends with the last judge that uses it."""
    with _LOCK:
        store = _STORES.get(path)
        if store is None:
            store = _STORES[path] = KeyedStore(path)
        return store


def ruling_record(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as plain JSON values; `ruling_from` reads it back."""
    return asdict(ruling)


def ruling_from(record: Mapping[str, Any]) -> Ruling:
    """Return the ruling of a record."""
    return Ruling(
        label=record["label"],
        grade=record["grade"],
        evidence=tuple(Evidence(**each) for each in record["evidence"]),
        missing=record["missing"],
        reason=record["reason"],
        votes=tuple(Vote(**{**each, "quotes": tuple(each["quotes"])}) for each in record["votes"]),
        agreement=record["agreement"],
        score=record.get("score"),
    )
