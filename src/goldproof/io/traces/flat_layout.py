"""Which column of a flat table of results is what.

`conversation` and `iteration` are needed, and something that tells results apart: an id, a URL, a title or a snippet.
`turn`, `search`, `rank`, `query`, `question`, `question_id`, `cluster`, `error`, `type` and `gain` may be there; names
have the aliases of `goldproof.io.columns`. `score` is not used, nor is a column without a name (pandas writes its index
so). Every other column is a field of the result; where it is another name of a column, it fills the gaps of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.core.traces import RESULT_COLUMNS
from goldproof.io.columns import ALIASES, find_columns, normal_name, shown_names
from goldproof.io.table_header import check_columns
from goldproof.io.traces.result_plan import ROLES, UNUSED_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.columns import Columns
    from goldproof.io.complaints import Complaints

NEEDED = ("conversation", "iteration")
NUMBERS = ("turn", "iteration", "search", "rank")
FILLED = (
    *("cluster", "question_id", "question_text", "search_query"),
    *(ROLES[column] for column in RESULT_COLUMNS),
    "gain",
)
OPTIONAL = ("turn", "search", "rank", "error", *FILLED)


@dataclass(frozen=True, slots=True)
class FlatLayout:
    """Role -> name of the column; the names of the columns that are fields, and those of them that fill gaps."""

    names: Mapping[str, str]
    fields: tuple[str, ...]
    spares: Mapping[str, tuple[str, ...]]

    @property
    def read(self) -> list[str]:
        """The columns that are read."""
        return [*self.names.values(), *self.fields]


def flat_columns(header: Sequence[str]) -> Columns:
    """Find the columns of a flat table."""
    return find_columns(header, needed=NEEDED, optional=OPTIONAL)


def is_flat(header: Sequence[str]) -> bool:
    """Say whether these are the columns of a trace."""
    return not flat_columns(header).missing


def flat_layout(header: Sequence[str], complaints: Complaints, *, line: int | None) -> FlatLayout:
    """Return which column is what, or refuse a table that lacks one or has one twice."""
    columns = flat_columns(header)
    check_columns(columns, header, complaints=complaints, line=line)
    names = {role: header[position] for role, position in columns.position.items()}
    if not any(ROLES[column] in names for column in RESULT_COLUMNS if column != "type"):
        raise complaints.fatal(
            f"no column for a result (id, url, title, snippet); found {shown_names(header)}.",
            line=line,
            hint="Rename or add the column.",
        )
    used = set(names.values())
    named = [name for name in header if normal_name(name)]
    fields = [name for name in named if name not in used and normal_name(name) not in UNUSED_NAMES]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise complaints.fatal(f"column {twice!r} occurs twice.", line=line, hint="Rename one of them.")
    return FlatLayout(names, tuple(fields), _spares(names, fields))


def _spares(names: Mapping[str, str], fields: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the fields that are other names of a column, in the order of the aliases."""
    known = {normal_name(name): name for name in fields}
    found = {role: tuple(known[alias] for alias in ALIASES[role] if alias in known) for role in names if role in FILLED}
    return {role: spares for role, spares in found.items() if spares}
