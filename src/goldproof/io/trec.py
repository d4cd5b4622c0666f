"""TREC qrels (`query 0 document grade`) and runs (`query Q0 document rank score tag`).

Columns are separated by any ASCII blanks. The second column, the rank and the tag are not used: the order of a run is
that of its scores. There is no header. As in trec_eval, a line that begins with `#` is a comment, and what follows the
tag of a run is ignored; both are counted. An id may hold any character but blanks, quotes too; a query id cannot begin
with `#`, a document id can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.core.errors import InputError
from goldproof.io.columns import looks_like_header, shown_names
from goldproof.io.delimited import cut_line, read_delimited
from goldproof.io.layout import Layout
from goldproof.io.replacing import replace_file
from goldproof.io.values import GRADE, SCORE

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.core.arrays import IntArray
    from goldproof.core.tables import JudgmentTable, RankingTable
    from goldproof.io.complaints import Complaints
    from goldproof.io.rows import RowBuffer

_RUN_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
QRELS = Layout("blanks", ("query", "0", "document", "grade"), query=0, document=2, value=3, kind=GRADE, comments=True)
RUN = Layout("blanks", _RUN_COLUMNS, query=0, document=2, value=4, kind=SCORE, comments=True, longer=True)


def read_trec(path: Path, layout: Layout, complaints: Complaints, *, first_line: str) -> RowBuffer:
    """Read a TREC file; its first line has been seen and is used to recognise a header or the other kind of file."""
    fields = cut_line(first_line, "blanks")
    if looks_like_header(fields):
        raise complaints.fatal(
            f"is a header ({shown_names(fields, separator=' ')}), but a TREC file has none.",
            line=1,
            hint="Delete the line.",
        )
    return read_delimited(path, layout, complaints)


def write_trec_run(path: Path | str, ranking: RankingTable, *, tag: str = "goldproof") -> None:
    """Write a run, best score first within each query (ties by document id, descending); scores read back exactly."""
    if ranking.failed:
        raise InputError(
            f"{path}: {len(ranking.failed)} failed queries (first: {next(iter(ranking.failed))!r}) cannot be written: "
            "a TREC run cannot say that a query failed; leave them out of the ranking first."
        )
    refuse_blanks(pl.Series([tag]), what="tag", path=path)
    refuse_ids(ranking.questions, path=path)
    refuse_blanks(ranking.documents, what="document id", path=path)
    frame = pl.DataFrame(
        {
            "query": ranking.questions.gather(_codes(ranking.starts)),
            "code": _codes(ranking.starts),
            "document": ranking.documents,
            "score": ranking.scores,
        }
    ).sort(["code", "score", "document"], descending=[False, True, True])
    ranks = [rank for size in _sizes(ranking.starts) for rank in range(1, size + 1)]
    rows = zip(frame["query"], frame["document"], ranks, frame["score"], strict=True)
    lines = (f"{query} Q0 {document} {rank} {score!r} {tag}\n" for query, document, rank, score in rows)
    replace_file(path, (line.encode("utf-8") for line in lines))


def write_trec_qrels(path: Path | str, judgments: JudgmentTable) -> None:
    """Write judgments; kernels and unanswerable questions have no place in a qrels file."""
    refuse_ids(judgments.questions, path=path)
    refuse_blanks(judgments.documents, what="document id", path=path)
    queries = judgments.questions.gather(_codes(judgments.starts))
    rows = zip(queries, judgments.documents, judgments.grades.tolist(), strict=True)
    replace_file(path, (f"{query} 0 {document} {grade}\n".encode() for query, document, grade in rows))


def _codes(starts: IntArray) -> IntArray:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _sizes(starts: IntArray) -> list[int]:
    sizes: list[int] = np.diff(starts).tolist()
    return sizes


def refuse_ids(questions: pl.Series, *, path: Path | str) -> None:
    """Refuse ids of queries that a TREC file cannot hold: with blanks, or with `#` at the beginning."""
    refuse_blanks(questions, what="query id", path=path)
    bad = questions.filter(questions.str.starts_with("#"))
    if len(bad):
        raise InputError(
            f"{path}: query id {bad[0]!r} cannot be written to a TREC file, where a line that begins with # is a "
            "comment; rename it, or write JSONL or Parquet."
        )


def refuse_blanks(names: pl.Series, *, what: str, path: Path | str) -> None:
    """Refuse names that a TREC file cannot hold."""
    bad = names.filter(names.str.contains(r"[ \t\n\r\x0b\x0c\x00]") | (names == ""))
    if len(bad):
        raise InputError(
            f"{path}: {what} {bad[0]!r} cannot be written to a TREC file, whose columns are separated by blanks; "
            "rename it, or write JSONL or Parquet."
        )
