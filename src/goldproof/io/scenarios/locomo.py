"""LoCoMo as scenarios.

A conversation is a scenario, a turn is a memory (id as in the file, such as `D1:3`; role: the speaker; metadata: turn,
counted through the conversation, session, and timestamp where the session has a date). An image is remembered by its
caption, in brackets after the text. A question is asked after everything, and expects its evidence, all of grade 2.

    category                kind
    1 multi-hop             kernel     several turns that answer only together
    2 temporal reasoning    haystack   a turn whose date matters, not the last few turns
    3 open domain           semantic   what bears on the question
    4 single-hop            haystack
    5 adversarial           negative   about something that was never said

A question that expects more than 5 turns asks for at least as many as it expects; with fewer it could not be answered.
A question whose evidence is empty, or names no turn, is left out and counted in the suite's remarks.

Names of turns in evidence are mended: `D8:6; D9:17` is two, `D30:05` is `D30:5`, `D:11:26` is `D11:26`. A name that
still fits no turn of the conversation (`D`) is lost.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import FileFormatError
from goldproof.io.scenarios.published import LeftOut, published_records, spoken_date
from goldproof.io.scenarios.scenario import MOST_GRADE, USUAL_K, MemoryItem, Query, Scenario, Suite
from goldproof.io.storage.cards import sha256_file

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.scenarios.published import PublishedRecord


CATEGORIES: Mapping[str, str] = MappingProxyType(
    {"1": "kernel", "2": "haystack", "3": "semantic", "4": "haystack", "5": "negative"}
)

_SESSION = re.compile(r"session_0*(\d+)")

_DOMAIN = "chat"


def locomo_suite(path: Path, diagnostics: Diagnostics, left_out: LeftOut) -> Suite:
    """Read a LoCoMo file; malformed records are reported to the diagnostics."""
    scenarios: dict[str, Scenario] = {}
    for place, record in enumerate(published_records(path, diagnostics), start=1):
        try:
            scenario = _scenario(record, left_out, name=_name(record, place=place))
            if scenario.id in scenarios:
                raise record.wrong(f"sample_id {scenario.id!r} occurs twice, expected one record for each.")
        except FileFormatError as error:
            diagnostics.report(error.problem, line=error.line, hint=error.hint)
            continue
        if scenario.queries and scenario.memories:
            scenarios[scenario.id] = scenario
        else:
            left_out.note("Conversations without questions, left out")
    if not scenarios and not diagnostics.total:
        raise diagnostics.error("holds no conversation with questions.", hint="Was it cut off, or never written?")
    return Suite("locomo", tuple(scenarios.values()), {path.name: sha256_file(path)}, left_out.remarks)


def _name(record: PublishedRecord, *, place: int) -> str:
    return record.text("sample_id") if "sample_id" in record.values else f"conversation-{place}"


def _scenario(record: PublishedRecord, left_out: LeftOut, *, name: str) -> Scenario:
    if "sample_id" in record.values:
        record.where = f"conversation {name!r}"
    conversation = record.inner(record.values.get("conversation"), what="conversation")
    memories: dict[str, MemoryItem] = {}
    for memory in _memories(conversation, left_out):
        free = _free_id(memory.id, memories)
        left_out.note("Turns with a repeated id, renamed #2 and so on", free != memory.id)
        memories[free] = replace(memory, id=free)
    questions = enumerate(record.listed("qa"), start=1)
    read = (
        _query(record.inner(question, what=f"question {place}"), memories, left_out=left_out, place=place)
        for place, question in questions
    )
    return Scenario(name, tuple(memories.values()), tuple(filter(None, read)), domain=_DOMAIN)


def _free_id(name: str, taken: Container[str]) -> str:
    return next(
        candidate for candidate in chain((name,), (f"{name}#{number}" for number in count(2))) if candidate not in taken
    )


def _memories(conversation: PublishedRecord, left_out: LeftOut) -> Iterator[MemoryItem]:
    turn = 0
    for session, key in _sessions(conversation, left_out):
        date = _date(conversation, f"{key}_date_time", left_out)
        for place, value in enumerate(conversation.listed(key), start=1):
            spoken = conversation.inner(value, what=f"{key}, turn {place}")
            content = _content(spoken)
            turn += 1
            if not content:
                left_out.note("Turns without text or caption, left out")
                continue
            metadata = {"turn": turn, "session": session} | ({"timestamp": date} if date else {})
            name = spoken.text("dia_id") if "dia_id" in spoken.values else f"D{session}:{place}"
            yield MemoryItem(name, spoken.text("speaker"), content, metadata)


def _sessions(conversation: PublishedRecord, left_out: LeftOut) -> list[tuple[int, str]]:
    """Return number and key of each session that has turns, in the order of time."""
    numbers = {key: number[1] for key in conversation.values if (number := _SESSION.fullmatch(key))}
    sessions = sorted((int(number), key) for key, number in numbers.items() if conversation.listed(key))
    left_out.note("Sessions without turns", len(numbers) - len(sessions))
    return sessions


def _date(conversation: PublishedRecord, key: str, left_out: LeftOut) -> str | None:
    value = conversation.values.get(key)
    date = spoken_date(value) if isinstance(value, str) else None
    if date is None:
        left_out.note("Sessions without a readable date")
    return date


def _content(turn: PublishedRecord) -> str:
    text, caption = (str(turn.values.get(key) or "").strip() for key in ("text", "blip_caption"))
    return " ".join(filter(None, (text, f"[shares an image: {caption}]" if caption else "")))


def _query(
    asked: PublishedRecord, memories: Mapping[str, MemoryItem], *, left_out: LeftOut, place: int
) -> Query | None:
    kind = CATEGORIES.get(str(asked.values.get("category")).strip())
    if kind is None:
        left_out.question(f"their category is none of {', '.join(CATEGORIES)}")
        return None
    name, text = f"q{place}", str(asked.values.get("question") or "")
    if not text.strip():
        left_out.question("they have no text")
        return None
    if kind == "negative":
        return Query(name, text, kind)
    named = asked.values.get("evidence")
    evidence = read_evidence(named if isinstance(named, list) else [named or ""], memories)
    left_out.note("Turn names in evidence that were corrected", evidence.mended)
    left_out.note("Names in evidence that match no turn, left out", len(evidence.lost))
    if not evidence.turns:
        left_out.question("their evidence names no turn" if evidence.lost else "they have no evidence")
        return None
    size = len(evidence.turns)
    expected = dict.fromkeys(evidence.turns, MOST_GRADE)
    return Query(name, text, kind, expected, least_k=size if size > USUAL_K else None)


_BETWEEN = re.compile(r"[;,\s]+")

_TURN = re.compile(r"[Dd]:?0*(\d+):0*(\d+)")


class LocomoEvidence(NamedTuple):
    """Turns that the evidence names, how many names were mended, and the names that fit no turn."""

    turns: tuple[str, ...]
    mended: int
    lost: tuple[str, ...]


def read_evidence(entries: Iterable[object], known: Collection[str]) -> LocomoEvidence:
    """Read the evidence of one question. known: ids of the conversation's turns."""
    turns: dict[str, None] = {}
    mended, lost = 0, []
    for entry in entries:
        for name in filter(None, _BETWEEN.split(str(entry))):
            turn = name if name in known else _mend(name)
            if turn not in known:
                lost.append(name)
                continue
            mended += name != turn or name != entry
            turns[turn] = None
    return LocomoEvidence(tuple(turns), mended, tuple(lost))


def _mend(name: str) -> str:
    match = _TURN.fullmatch(name)
    return f"D{match[1]}:{match[2]}" if match else name
