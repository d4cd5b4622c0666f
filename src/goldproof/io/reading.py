"""Reading the rows of judgments and rankings from whatever file they are in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.complaints import SKIP_HINT, Complaints, Finding
from goldproof.io.delimited import read_delimited
from goldproof.io.jsonl import read_jsonl_judgments
from goldproof.io.jsonl_ranking import read_jsonl_ranking
from goldproof.io.layout import Layout, Separator
from goldproof.io.opening import check_file
from goldproof.io.parquet import read_parquet_rows
from goldproof.io.sniffing import Sniffed, sniff
from goldproof.io.table_header import table_layout
from goldproof.io.trec import QRELS, RUN, read_trec
from goldproof.io.values import GRADE, SCORE

if TYPE_CHECKING:
    from goldproof.core.errors import FileFormatError
    from goldproof.core.tables import RankingTable
    from goldproof.io.rows import RowBuffer
    from goldproof.io.values import ValueKind

SKIP_KEEPS = 20
_THREE_COLUMNS = Layout(
    "blanks", ("query", "document", "grade"), query=0, document=1, value=2, kind=GRADE, comments=True
)
_SEPARATORS: dict[str, Separator] = {"csv": ",", "tsv": "\t", "blanks": "blanks"}
_READABLE_JUDGMENTS = (
    "Readable: TREC qrels (query 0 document grade), TSV or CSV with a header (query_id, doc_id, grade), JSONL, "
    "Parquet, retrieval_dataset.yaml, a BEIR folder; text may be gzipped."
)
_READABLE_RANKINGS = (
    "Readable: TREC runs (query Q0 document rank score tag), TSV or CSV with a header (query_id, doc_id, score), "
    "JSONL, Parquet; text may be gzipped."
)


class RankingReading(NamedTuple):
    """A ranking, how many lines or results were left out as bad, the first of them, and what else was passed over."""

    table: RankingTable
    skipped: int
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()


def read_ranking(path: Path | str, *, skip_bad: bool = False) -> RankingTable:
    """Read a ranking from a file of any known format; `read_ranking_report` also says what was left out."""
    return read_ranking_report(path, skip_bad=skip_bad).table


def read_ranking_report(path: Path | str, *, skip_bad: bool = False) -> RankingReading:
    """Read a ranking, leaving out bad lines (or bad results of a line) if asked to, and say how many there were."""
    complaints = Complaints(Path(path), keep=SKIP_KEEPS if skip_bad else None, hint=SKIP_HINT)
    rows = ranking_rows(Path(path), complaints)
    table = rows.ranking(complaints)
    if complaints.total and not len(table.questions) and not rows.failed:
        first = complaints.findings[0]
        raise complaints.fatal(
            f"every line is bad ({complaints.total}); the first: {first.problem}",
            line=first.line,
            hint=_READABLE_RANKINGS,
        )
    return RankingReading(table, complaints.total, complaints.findings, complaints.remarks)


def judgment_rows(path: Path, complaints: Complaints, *, sniffed: Sniffed | None = None) -> RowBuffer:
    """Read the rows of a judgment file."""
    found = sniffed or sniff(check_file(path))
    if found.format == "jsonl":
        return read_jsonl_judgments(path, complaints)
    if found.format == "blanks" and not found.header and found.width == 3:
        return read_delimited(path, _THREE_COLUMNS, complaints)
    if found.format == "blanks" and found.width == RUN.width and not found.header:
        raise complaints.fatal(
            "is a TREC run (6 columns), expected judgments.", line=1, hint="Give it as a run (--run NAME=FILE)."
        )
    return _table_rows(path, found, kind=GRADE, trec=QRELS, complaints=complaints, readable=_READABLE_JUDGMENTS)


def ranking_rows(path: Path, complaints: Complaints, *, sniffed: Sniffed | None = None) -> RowBuffer:
    """Read the rows of a ranking file."""
    found = sniffed or sniff(check_file(path))
    if found.format == "jsonl":
        return read_jsonl_ranking(path, complaints)
    if found.format == "blanks" and found.width == QRELS.width and not found.header:
        raise complaints.fatal(
            "is a TREC qrels file (4 columns), expected a run.", line=1, hint="Give it as judgments (--qrels FILE)."
        )
    if found.format == "blanks" and found.width == 3 and not found.header:
        raise complaints.fatal(
            "has 3 columns and no header, so the third may be a rank or a score.",
            line=1,
            hint="Put a line above it that names the columns, such as: query_id doc_id score, separated as the rest.",
        )
    return _table_rows(path, found, kind=SCORE, trec=RUN, complaints=complaints, readable=_READABLE_RANKINGS)


def _table_rows(
    path: Path, found: Sniffed, *, kind: ValueKind, trec: Layout, complaints: Complaints, readable: str
) -> RowBuffer:
    if found.format == "parquet":
        return read_parquet_rows(path, kind, complaints)
    if found.format in ("csv", "tsv") or (found.header and found.width == 3):
        layout = table_layout(found.first_line, _SEPARATORS[found.format], kind=kind, complaints=complaints)
        return read_delimited(path, layout, complaints)
    if found.format == "blanks" and found.width >= 3:
        return read_trec(path, trec, complaints, first_line=found.first_line)
    raise unknown_format(found, complaints, readable=readable)


def unknown_format(found: Sniffed, complaints: Complaints, *, readable: str) -> FileFormatError:
    """Return the error for a file whose content is not recognised."""
    if found.format == "json":
        return complaints.fatal("is one JSON document, expected one JSON object per line.", hint=readable)
    shown = found.first_line if len(found.first_line) <= 60 else found.first_line[:57] + "..."
    return complaints.fatal(f"is not recognised (it begins {shown!r}).", hint=readable)
