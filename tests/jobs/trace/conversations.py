"""Conversations for tests, from plain lists.

A result is `("d1", 3)` for the document d1 with gain 3 (None: no label), by default known by its URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Json = dict[str, Any]
Labelled = tuple[str, int | None]


def result(name: str, gain: int | None = None, *, by: str = "url") -> Json:
    """One result; by: `url` makes an address of the name, `id` takes it as it is."""
    known = {"url": name if "://" in name else f"https://x.example/{name}"} if by == "url" else {"id": name}
    return known if gain is None else {**known, "gain": gain}


def searched(results: Iterable[Labelled], *, by: str = "url", error: str | None = None) -> Json:
    """An iteration of one search."""
    search: Json = {"query": "q", "results": [result(*one, by=by) for one in results]}
    return {"searches": [search if error is None else {**search, "error": error}]}


THOUGHT: Json = {"searches": []}


def talk(conversation: str, *iterations: Sequence[Labelled] | Json, by: str = "url", **more: object) -> Json:
    """A conversation of one turn; an iteration is a list of results, or written out. more: cluster, question."""
    laid_out = [one if isinstance(one, dict) else searched(one, by=by) for one in iterations]
    turn = {"iterations": laid_out, **{k: v for k, v in more.items() if k in ("question", "question_id")}}
    rest = {k: v for k, v in more.items() if k not in turn}
    return {"conversation_id": conversation, **rest, "turns": [turn]}


def failed(conversation: str, why: str = "timeout") -> Json:
    """A conversation on which the system crashed."""
    return {"conversation_id": conversation, "error": why}


def write(path: Path, conversations: Iterable[Json]) -> Path:
    """Write JSON lines."""
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in conversations))
    return path
