"""Random traces in every format, and tables as plain values, for comparison."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import polars as pl
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.records.traces import TraceTable

Record = dict[str, Any]

texts = st.text(alphabet='abcé ,"', min_size=1, max_size=6).map(str.strip).filter(bool)
results = st.fixed_dictionaries(
    {"id": st.sampled_from(["a", "b", "c", "7", "08"])},
    optional={
        "url": texts,
        "title": texts,
        "snippet": texts,
        "type": st.sampled_from(["web", "file"]),
        "gain": st.integers(0, 4),
        "fields": st.fixed_dictionaries({}, optional={"author": texts, "path": texts}),
    },
)
searches = st.one_of(
    st.fixed_dictionaries({"results": st.lists(results, max_size=3)}, optional={"query": texts}),
    st.fixed_dictionaries({"error": texts}, optional={"query": texts}),
)
iterations = st.fixed_dictionaries({"searches": st.lists(searches, min_size=1, max_size=2)})
turns = st.fixed_dictionaries(
    {"iterations": st.lists(iterations, max_size=3)}, optional={"question": texts, "question_id": texts}
)
bodies = st.one_of(
    st.fixed_dictionaries({"turns": st.lists(turns, min_size=1, max_size=2)}, optional={"cluster": texts}),
    st.fixed_dictionaries({"error": texts}),
)


@st.composite
def traces(draw: st.DrawFn) -> list[Record]:
    """Return conversations as JSON objects."""
    found = draw(st.lists(bodies, min_size=1, max_size=4))
    return [{"conversation_id": f"c{number}", **body} for number, body in enumerate(found)]


def flat_rows(conversations: Iterable[Record]) -> list[Record]:
    """Return the same conversations, one row per result."""
    return [row for conversation in conversations for row in _conversation_rows(conversation)]


def _conversation_rows(conversation: Record) -> list[Record]:
    base = {"conversation": conversation["conversation_id"], "cluster": conversation.get("cluster")}
    if "error" in conversation:
        return [{**base, "turn": 1, "error": conversation["error"]}]
    return [row for number, turn in enumerate(conversation["turns"], 1) for row in _turn_rows(base, turn, number)]


def _turn_rows(base: Record, turn: Record, number: int) -> list[Record]:
    base = {**base, "turn": number, "question": turn.get("question"), "question_id": turn.get("question_id")}
    rows = [
        {**base, "iteration": 3 * i + 2, "search": s, "query": search.get("query"), **row}
        for i, iteration in enumerate(turn["iterations"])
        for s, search in enumerate(iteration["searches"])
        for row in _search_rows(search)
    ]
    return rows or [base]


def _search_rows(search: Record) -> list[Record]:
    found = search.get("results", [])
    rows = [{"rank": r, **result, **result.get("fields", {})} for r, result in enumerate(found, 1)]
    return rows or [{"error": search.get("error")}]


COLUMNS = {
    "conversation": pl.String,
    "turn": pl.Int32,
    "iteration": pl.Int64,
    "search": pl.Int64,
    "rank": pl.Int64,
    **dict.fromkeys(
        ["query", "question", "question_id", "cluster", "error", "id", "url", "title", "snippet", "type"], pl.String
    ),
    "gain": pl.Int8,
    "author": pl.String,
    "path": pl.String,
}


def flat_frame(conversations: Iterable[Record]) -> pl.DataFrame:
    """Return the rows as a frame."""
    rows = [{name: row.get(name) for name in COLUMNS} for row in flat_rows(conversations)]
    return pl.DataFrame(rows, schema=COLUMNS)


def csv_text(rows: Iterable[Record]) -> str:
    """Return the rows as CSV."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(COLUMNS), extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def plain(tables: Iterable[TraceTable]) -> list[Record]:
    """Return tables as values that can be compared: one entry per conversation."""
    return [conversation for table in tables for conversation in _plain(table)]


def _plain(table: TraceTable) -> list[Record]:
    results = table.results
    rows = [
        {name: value for name, value in row.items() if value is not None}
        | ({"gain": int(gain)} if gain >= 0 else {})
        | ({"fields": fields} if fields else {})
        for row, gain, fields in zip(
            results.columns.to_dicts() if results.columns.width else [{}] * len(results),
            results.gains,
            results.fields if results.fields is not None else [None] * len(results),
            strict=True,
        )
    ]
    failed_searches = set(table.failed_searches.tolist())

    def search(number: int) -> Record:
        start, stop = table.result_starts[number : number + 2]
        return {"query": table.queries[number], "failed": number in failed_searches, "results": rows[start:stop]}

    def iteration(number: int) -> list[Record]:
        start, stop = table.search_starts[number : number + 2].tolist()
        return [search(s) for s in range(start, stop)]

    return [
        {
            "id": name,
            "cluster": table.clusters[c],
            "question": table.questions[c],
            "text": table.texts[c],
            "failed": table.failed.get(name),
            "iterations": [iteration(i) for i in range(*table.iteration_starts[c : c + 2].tolist())],
        }
        for c, name in enumerate(table.conversations.to_list())
    ]


def expected(conversations: Iterable[Record]) -> list[Record]:
    """Return what `plain` gives for conversations of the generator above, said without any reader."""

    def result(found: Record) -> Record:
        return {key: value for key, value in found.items() if value != {}}

    def search(found: Record) -> Record:
        results = [result(each) for each in found.get("results", [])]
        return {"query": found.get("query"), "failed": "error" in found, "results": results}

    def conversation(found: Record) -> Record:
        turn = found.get("turns", [{}])[-1]
        return {
            "id": found["conversation_id"],
            "cluster": found.get("cluster"),
            "question": turn.get("question_id", found["conversation_id"]),
            "text": turn.get("question"),
            "failed": found.get("error"),
            "iterations": [[search(s) for s in i["searches"]] for i in turn.get("iterations", [])],
        }

    return [conversation(found) for found in conversations]
