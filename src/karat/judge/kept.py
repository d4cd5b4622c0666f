"""Rulings on disk, so that an interrupted run goes on: one file, `KARAT_HOME/rulings.sqlite`.

The key of a ruling is the judge's key with the content of question and documents; a changed text is another ruling.
Only what a judge has said is kept: a failure is tried again. Models' answers are kept elsewhere (`karat.llm`), so this
is for judges that are code of the user's.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson

from karat.core.keys import content_key
from karat.io.home import make_home
from karat.judge.ruling import Evidence, Ruling, Vote
from karat.store.keyed import KeyedStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from karat.core.records import Document, Question

FILE_NAME = "rulings.sqlite"
_AS_KEY = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY


class KeptRulings:
    """The rulings of one judge, by what was judged."""

    def __init__(self, judge_key: str, path: Path | None = None) -> None:
        self._judge_key = judge_key
        self._store = _store(path or make_home() / FILE_NAME)

    def key(self, question: Question, documents: Sequence[Document]) -> bytes:
        """Return the key of a ruling; the order of the documents is part of it."""
        metadata = orjson.dumps(dict(question.metadata), default=str, option=_AS_KEY).decode()
        asked = [question.id, question.text, question.answer, list(question.options), metadata]
        shown = [[document.id, document.title, document.text] for document in documents]
        return bytes.fromhex(content_key("ruling", self._judge_key, asked, shown))

    async def get(self, key: bytes) -> Ruling | None:
        """Return the ruling that is kept, or None."""
        found = (await asyncio.to_thread(self._store.get_many, (key,))).get(key)
        return None if found is None else ruling_from(orjson.loads(found))

    async def put(self, key: bytes, ruling: Ruling) -> None:
        """Keep a ruling; it is on disk when this returns."""
        await asyncio.to_thread(self._store.put_many, {key: orjson.dumps(ruling_record(ruling))})


@cache
def _store(path: Path) -> KeyedStore:
    """Open a file once in a process."""
    return KeyedStore(path)


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
