"""Column and key aliases, and the check that a table has the columns it needs.

Case, blanks and hyphens do not matter (`query-id`, `Query ID` and `query_id` are one name). Where a file has several
names for the same role, the first in the table wins: a run with both `query_id` and `query` keeps the text apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from goldproof.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.io.diagnostics import Diagnostics


ALIASES: Mapping[str, tuple[str, ...]] = {
    "query": ("query_id", "qid", "q_id", "queryid", "question_id", "topic_id", "topic", "query", "question"),
    "document": (
        *("doc_id", "docid", "docno", "document_id", "documentid", "corpus_id", "corpusid", "passage_id", "pid"),
        *("fqn", "document", "doc"),
    ),
    "grade": ("grade", "relevance", "rel", "label", "gain", "score"),
    "score": ("score", "similarity", "relevance_score"),
    "id": ("id", "query_id", "qid", "q_id", "queryid", "question_id", "query", "question"),
    "metric": ("metric", "measure"),
    "value": ("value", "score"),
    "cluster": ("cluster", "cluster_id", "group"),
    "run": ("run", "system", "run_id", "model"),
    "status": ("status",),
    "reason": ("reason",),
    "results": ("results", "hits", "docs", "documents"),
    "error": ("error",),
    # traces of searches, and labels beside them
    "labelled": (
        *("doc_id", "docid", "docno", "document_id", "documentid", "corpus_id", "corpusid", "passage_id", "pid"),
        *("fqn", "document", "doc", "id", "url"),
    ),
    "conversation": ("conversation_id", "conversation", "session_id", "session"),
    "turn": ("turn", "turn_index"),
    "iteration": ("iteration", "iteration_index", "step"),
    "search": ("search", "search_index"),
    "rank": ("rank",),
    "question_id": ("question_id", "query_id", "qid", "topic_id"),
    "question_text": ("question", "question_text"),
    "search_query": ("query", "search_query", "query_text"),
    "result_id": (
        *("id", "doc_id", "docid", "docno", "document_id", "documentid", "corpus_id", "corpusid"),
        *("passage_id", "pid"),
    ),
    "url": ("url", "link", "uri"),
    "title": ("title",),
    "snippet": ("snippet", "content", "text", "summary", "description"),
    "type": ("type", "result_type"),
    "gain": ("gain", "grade", "label"),
}

_PLAIN_WORDS = ("turn", "search", "rank", "url", "title", "snippet", "type")  # roles that prose speaks of, too

_TELLING_NAMES = frozenset(alias for role, names in ALIASES.items() if role not in _PLAIN_WORDS for alias in names)

_SHOWN_NAMES = 10

_SHOWN_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Columns:
    """Position of each role's column, unused names, roles that are missing, and names that occur twice."""

    position: Mapping[str, int]
    unused: tuple[str, ...]
    missing: tuple[str, ...]
    twice: tuple[str, ...]


def normal_name(name: str) -> str:
    """Return a column name in normal form, for comparison."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def find_columns(header: Iterable[str], *, needed: Iterable[str], optional: Iterable[str] = ()) -> Columns:
    """Find the columns that play the needed and optional roles; a role without other names is the name of a column."""
    names = list(header)
    normal = [normal_name(name) for name in names]
    position: dict[str, int] = {}
    twice: list[str] = []
    roles = [*needed, *optional]
    for role in roles:
        aliases = ALIASES.get(role, (normal_name(role),))
        alias = next((a for a in aliases if a in normal and normal.index(a) not in position.values()), None)
        if alias is None:
            continue
        position[role] = normal.index(alias)
        if normal.count(alias) > 1:
            twice.append(names[position[role]])
    return Columns(
        position=position,
        unused=tuple(name for i, name in enumerate(names) if i not in position.values()),
        missing=tuple(role for role in needed if role not in position),
        twice=tuple(twice),
    )


def find_key(record: Mapping[str, object], role: str) -> str | None:
    """Return the key of a JSON object that plays a role, or None."""
    return _find_key(tuple(record), role)


@lru_cache(maxsize=1024)  # the objects of a file mostly have the same keys
def _find_key(keys: tuple[str, ...], role: str) -> str | None:
    exact = next((alias for alias in ALIASES[role] if alias in keys), None)
    if exact is not None:
        return exact
    by_normal = {normal_name(key): key for key in keys}
    return next((by_normal[alias] for alias in ALIASES[role] if alias in by_normal), None)


def looks_like_header(fields: Iterable[str]) -> bool:
    """Return whether at least two of the fields are names of columns."""
    return sum(normal_name(field) in _TELLING_NAMES for field in fields) >= 2


def shown_names(names: Sequence[str], *, separator: str = ", ") -> str:
    """Return column names for a message: the first few, long ones cut."""
    short = [shortened(name, longest=_SHOWN_LENGTH) for name in names[:_SHOWN_NAMES]]
    rest = [f"... ({len(names)} in all)"] if len(names) > _SHOWN_NAMES else []
    return separator.join([*short, *rest])


def check_columns(columns: Columns, header: Sequence[str], *, diagnostics: Diagnostics, line: int | None) -> None:
    """Refuse a table that lacks a needed column, or has one twice."""
    shown = shown_names(header)
    if columns.missing and not columns.position and line is not None:
        example = ", ".join(ALIASES[role][0] for role in columns.missing)
        raise diagnostics.error(
            f"is not a header (found {shown}), but the first line must name the columns.",
            line=line,
            hint=f"Put a line above it, such as: {example}.",
        )
    if columns.missing:
        lacking = " and ".join(
            f"{role} ({', '.join(ALIASES[role][:4])}, ...)" if role in ALIASES else role for role in columns.missing
        )
        raise diagnostics.error(
            f"no column for {lacking}; found {shown}.",
            line=line,
            hint="Rename or add the column.",
        )
    if columns.twice:
        raise diagnostics.error(f"column {columns.twice[0]!r} occurs twice.", line=line, hint="Rename one of them.")
