"""What `goldproof validate` says of a file whose kind it cannot tell: the sentences that the readers would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.errors import FileFormatError
from goldproof.io.columns import ALIASES, find_columns, shown_names
from goldproof.io.complaints import Complaints
from goldproof.io.reading import unknown_format
from goldproof.io.table_header import check_columns

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.sniffing import Sniffed

_READABLE = (
    "Readable: TREC qrels and runs, TSV or CSV with a header, JSONL, Parquet, retrieval_dataset.yaml, a BEIR folder; "
    "text may be gzipped."
)
_NEEDED = (("query", "document", "grade"), ("query", "document", "score"), ("id", "metric", "value"))
_FEWEST_COLUMNS = 3


def unrecognised(path: Path, sniffed: Sniffed, names: tuple[str, ...]) -> FileFormatError:
    """Return the error for a file that is none of the kinds; names: its columns, or the keys of its first object."""
    complaints = Complaints(path)
    if sniffed.format == "json":
        return unknown_format(sniffed, complaints, readable=_READABLE)
    line = 1 if sniffed.format not in ("parquet", "jsonl") else None
    lacking = _lacking(names)
    if lacking:
        what = "key" if sniffed.format == "jsonl" else "column"
        roles = " or ".join(f"{role} ({', '.join(ALIASES[role][:4])}, ...)" for role in lacking)
        problem = f"no {what} for {roles}; found {shown_names(names)}."
        return complaints.fatal(problem, line=line, hint=f"Rename or add the {what}.")
    if line is not None and len(names) >= _FEWEST_COLUMNS:
        return _no_header(names, complaints)
    shown = shown_names(names) if line is None and names else repr(sniffed.first_line[:60])
    return complaints.fatal(
        f"neither judgments nor a ranking nor scores can be recognised (found {shown}).",
        hint="Say which with --kind judgments, --kind ranking, --kind scores, --kind traces or --kind clusters.",
    )


def _lacking(names: tuple[str, ...]) -> list[str]:
    """Return the columns of which any would make the table complete, or none where it lacks more than one."""
    missing = [find_columns(names, needed=needed).missing for needed in _NEEDED]
    return list(dict.fromkeys(roles[0] for roles in missing if len(roles) == 1))


def _no_header(names: tuple[str, ...], complaints: Complaints) -> FileFormatError:
    needed = _NEEDED[1]
    try:
        check_columns(find_columns(names, needed=needed), names, complaints=complaints, line=1)
    except FileFormatError as error:
        return error
    return complaints.fatal("is not recognised.", hint=_READABLE)
