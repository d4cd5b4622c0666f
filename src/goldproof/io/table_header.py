"""The header of a table: which columns it must have, and what is said when it has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.columns import ALIASES, find_columns, shown_names
from goldproof.io.delimited import cut_line
from goldproof.io.layout import Layout, Separator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.columns import Columns
    from goldproof.io.complaints import Complaints
    from goldproof.io.values import ValueKind


def table_layout(first_line: str, separator: Separator, *, kind: ValueKind, complaints: Complaints) -> Layout:
    """Return the layout that a header line describes."""
    header = [name.strip() for name in cut_line(first_line, separator)]
    columns = find_columns(header, needed=("query", "document", kind.name))
    check_columns(columns, header, complaints=complaints, line=1)
    at = columns.position
    return Layout(
        separator,
        tuple(header),
        query=at["query"],
        document=at["document"],
        value=at[kind.name],
        kind=kind,
        header=True,
    )


def check_columns(columns: Columns, header: Sequence[str], *, complaints: Complaints, line: int | None) -> None:
    """Refuse a table that lacks a column, or has one twice."""
    shown = shown_names(header)
    if columns.missing and not columns.position and line is not None:
        example = ", ".join(ALIASES[role][0] for role in columns.missing)
        raise complaints.fatal(
            f"is not a header (found {shown}), but the first line must name the columns.",
            line=line,
            hint=f"Put a line above it, such as: {example}.",
        )
    if columns.missing:
        lacking = " and ".join(f"{role} ({', '.join(ALIASES[role][:4])}, ...)" for role in columns.missing)
        raise complaints.fatal(
            f"no column for {lacking}; found {shown}.",
            line=line,
            hint="Rename or add the column.",
        )
    if columns.twice:
        raise complaints.fatal(f"column {columns.twice[0]!r} occurs twice.", line=line, hint="Rename one of them.")
