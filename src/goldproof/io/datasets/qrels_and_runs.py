"""Qrels and runs in any format; TREC and JSON lines written.

TREC: columns are separated by any ASCII blanks. The second column, the rank and the tag are not used: the order of a
run is that of its scores. There is no header. As in trec_eval, a line that begins with `#` is a comment, and what
follows the tag of a run is ignored; both are counted. An id may hold any character but blanks, quotes too; a query id
cannot begin with `#`, a document id can.

JSON lines of a run:

    {"query_id": "q1", "doc_id": "d1", "score": 12.5}
    {"query_id": "q1", "results": [{"doc_id": "d1", "score": 12.5}, ...]}
    {"query_id": "q1", "results": ["d1", "d2"]}        best first; scores are made up: n, n - 1, ... 1
    {"query_id": "q1", "error": "timeout"}             the system failed on this question; null and false: it did not

One JSON object, {query: {document: number}}, as ranx saves runs and qrels: see `goldproof.io.datasets.nested_json`.

A line has one of these forms. Of a bad result only that result is left out with --skip-bad; a question of which nothing
is left is failed, with the reason, and not one for which the system returned nothing.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import orjson
import polars as pl

from goldproof.errors import InputError, shortened
from goldproof.io.atomic_files import replace_file
from goldproof.io.columns import find_key, looks_like_header, shown_names
from goldproof.io.datasets.nested_json import holds_nested, read_nested
from goldproof.io.delimited import Layout, Separator, cut_line, cut_records, read_delimited, table_layout
from goldproof.io.diagnostics import SKIP_HINT, Diagnostic, Diagnostics
from goldproof.io.file_layout import Sniffed, sniff
from goldproof.io.json_files import (
    BadRecordError,
    JsonObject,
    NumberedRecord,
    get_failure,
    get_id,
    get_value,
    json_kind,
    read_objects,
)
from goldproof.io.parquet import read_parquet_rows
from goldproof.io.rows import RowCollector
from goldproof.io.text_files import check_file
from goldproof.io.values import GRADE, SCORE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.errors import FileFormatError
    from goldproof.io.rows import RowBuffer
    from goldproof.io.values import ValueKind
    from goldproof.records.arrays import IntArray
    from goldproof.records.tables import RankingTable


SKIP_KEEPS = 20
_THREE_COLUMNS = Layout(
    "blanks", ("query", "document", "grade"), query=0, document=1, value=2, kind=GRADE, comments=True
)
_SEPARATORS: dict[str, Separator] = {"csv": ",", "tsv": "\t", "blanks": "blanks"}
_READABLE_JUDGMENTS = (
    "Readable: TREC qrels (query 0 document grade), TSV or CSV with a header (query_id, doc_id, grade), JSONL, "
    "JSON ({query: {document: grade}}), Parquet, retrieval_dataset.yaml, a BEIR folder; text may be gzipped."
)
_READABLE_RANKINGS = (
    "Readable: TREC runs (query Q0 document rank score tag), TSV or CSV with a header (query_id, doc_id, score), "
    "JSONL, JSON ({query: {document: score}}), Parquet; text may be gzipped."
)
_RUN_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
QRELS = Layout("blanks", ("query", "0", "document", "grade"), query=0, document=2, value=3, kind=GRADE, comments=True)
RUN = Layout("blanks", _RUN_COLUMNS, query=0, document=2, value=4, kind=SCORE, comments=True, longer=True)


class RankingReading(NamedTuple):
    """A ranking, how many lines or results were left out as bad, the first of them, and remarks."""

    table: RankingTable
    skipped: int
    findings: tuple[Diagnostic, ...]
    remarks: tuple[str, ...] = ()


def read_ranking(path: Path | str, *, skip_bad: bool = False) -> RankingTable:
    """Read a ranking from a file of any known format; `read_ranking_report` also counts what was left out."""
    return read_ranking_report(path, skip_bad=skip_bad).table


def read_ranking_report(path: Path | str, *, skip_bad: bool = False) -> RankingReading:
    """Read a ranking, leaving out bad lines (or bad results of a line) if asked to, with their count."""
    diagnostics = Diagnostics(Path(path), keep=SKIP_KEEPS if skip_bad else None, hint=SKIP_HINT)
    rows = ranking_rows(Path(path), diagnostics)
    table = rows.ranking(diagnostics)
    if diagnostics.total and not len(table.questions) and not rows.failed:
        first = diagnostics.findings[0]
        raise diagnostics.error(
            f"every line is bad ({diagnostics.total}); the first: {first.problem}",
            line=first.line,
            hint=_READABLE_RANKINGS,
        )
    return RankingReading(table, diagnostics.total, diagnostics.findings, diagnostics.remarks)


def judgment_rows(path: Path, diagnostics: Diagnostics, *, sniffed: Sniffed | None = None) -> RowBuffer:
    """Read the rows of a judgment file."""
    sniffed = sniffed or sniff(check_file(path))
    if holds_nested(path, sniffed):
        return read_nested(path, GRADE, diagnostics)
    if sniffed.format == "jsonl":
        return read_jsonl_judgments(path, diagnostics)
    if sniffed.format == "blanks" and not sniffed.header and sniffed.width == 3:
        return read_delimited(path, _THREE_COLUMNS, diagnostics)
    if sniffed.format == "blanks" and sniffed.width == RUN.width and not sniffed.header:
        raise diagnostics.error(
            "is a TREC run (6 columns), expected judgments.", line=1, hint="Give it as a run (--run NAME=FILE)."
        )
    return _table_rows(path, sniffed, kind=GRADE, trec=QRELS, diagnostics=diagnostics, readable=_READABLE_JUDGMENTS)


def ranking_rows(path: Path, diagnostics: Diagnostics, *, sniffed: Sniffed | None = None) -> RowBuffer:
    """Read the rows of a ranking file."""
    sniffed = sniffed or sniff(check_file(path))
    if holds_nested(path, sniffed):
        return read_nested(path, SCORE, diagnostics)
    if sniffed.format == "jsonl":
        return read_jsonl_ranking(path, diagnostics)
    if sniffed.format == "blanks" and sniffed.width == QRELS.width and not sniffed.header:
        raise diagnostics.error(
            "is a TREC qrels file (4 columns), expected a run.", line=1, hint="Give it as judgments (--qrels FILE)."
        )
    if sniffed.format == "blanks" and sniffed.width == 3 and not sniffed.header:
        raise diagnostics.error(
            "has 3 columns and no header, so the third may be a rank or a score.",
            line=1,
            hint="Put a line above it that names the columns, such as: query_id doc_id score, separated as the rest.",
        )
    rows = _table_rows(path, sniffed, kind=SCORE, trec=RUN, diagnostics=diagnostics, readable=_READABLE_RANKINGS)
    if sniffed.format == "blanks" and not sniffed.header:
        rows.on_repeats = partial(_refuse_several_runs, path, diagnostics)
    return rows


def _refuse_several_runs(path: Path, diagnostics: Diagnostics) -> None:
    """Refuse a TREC file of several runs, known by their tags: leaving out repeats would mix them."""
    records = cut_records(path, "blanks", Diagnostics(path, keep=0))
    whole = (record.fields for record in records if len(record.fields) >= RUN.width and record.fields[0][0] != "#")
    tags = list(dict.fromkeys(fields[RUN.width - 1] for fields in whole))
    if len(tags) > 1:
        raise diagnostics.error(
            f"the file holds {'two' if len(tags) == 2 else f'{len(tags):,}'} runs (tags {shown_names(tags)}).",
            hint="Split it by its last column, and give each run on its own: --run NAME=FILE.",
        )


def _table_rows(
    path: Path, sniffed: Sniffed, *, kind: ValueKind, trec: Layout, diagnostics: Diagnostics, readable: str
) -> RowBuffer:
    if sniffed.format == "parquet":
        return read_parquet_rows(path, kind, diagnostics)
    if sniffed.format in ("csv", "tsv") or (sniffed.header and sniffed.width == 3):
        layout = table_layout(sniffed.first_line, _SEPARATORS[sniffed.format], kind=kind, diagnostics=diagnostics)
        return read_delimited(path, layout, diagnostics)
    if sniffed.format == "blanks" and sniffed.width >= 3:
        return read_trec(path, trec, diagnostics, first_line=sniffed.first_line)
    raise unknown_format(sniffed, diagnostics, readable=readable)


def unknown_format(sniffed: Sniffed, diagnostics: Diagnostics, *, readable: str) -> FileFormatError:
    """Return the error for a file whose content is not recognised."""
    if sniffed.format == "json":
        return diagnostics.error(
            "is one JSON document, expected one JSON object per line, or {query: {document: number}}.", hint=readable
        )
    shown = shortened(sniffed.first_line, longest=60)
    return diagnostics.error(f"is not recognised (it begins {shown!r}).", hint=readable)


def read_trec(path: Path, layout: Layout, diagnostics: Diagnostics, *, first_line: str) -> RowBuffer:
    """Read a TREC file; its first line is used to recognise a header or the other kind of file."""
    fields = cut_line(first_line, "blanks")
    if looks_like_header(fields):
        raise diagnostics.error(
            f"is a header ({shown_names(fields, separator=' ')}), but a TREC file has none.",
            line=1,
            hint="Delete the line.",
        )
    return read_delimited(path, layout, diagnostics)


def read_jsonl_judgments(path: Path, diagnostics: Diagnostics) -> RowBuffer:
    """Read judgments from JSON lines."""
    collected = RowCollector(GRADE)
    for number, record in read_objects(path, diagnostics):
        try:
            collected.add(get_id(record, "query"), get_id(record, "document"), get_value(record, GRADE), line=number)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
    return collected.buffer()


def read_jsonl_ranking(path: Path, diagnostics: Diagnostics) -> RowBuffer:
    """Read a ranking from JSON lines."""
    reader = _RankingReader(diagnostics)
    for line in read_objects(path, diagnostics):
        query: str | None = None
        try:
            query = get_id(line.record, "query")
            reader.add(query, line)
        except BadRecordError as error:
            diagnostics.report(str(error), line=line.number)
            if query is not None:
                reader.drop(query, str(error), line=line.number)
    return reader.collected.buffer()


class _FirstLine(NamedTuple):
    """The first line of a query; a `whole` line is the only one of its query, others add one result to it."""

    line: int
    whole: bool


class _RankingReader:
    """Collects the rows of a ranking line by line."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.collected = RowCollector(SCORE)
        self._diagnostics = diagnostics
        self._seen: dict[str, _FirstLine] = {}

    def add(self, query: str, entry: NumberedRecord) -> None:
        """Add the results or the failure of one line."""
        line, record = entry
        failure, results = get_failure(record), _results(record)
        if failure is not None or results is not None:
            _check_one_statement(record, failure=failure, results=results)
        self._check_once(query, _FirstLine(line, whole=failure is not None or results is not None))
        if failure is not None:
            self.collected.failed[query] = failure
        elif results is None:
            self.collected.add(query, get_id(record, "document"), get_value(record, SCORE), line=line)
        else:
            self._add_results(query, results, line=line)

    def drop(self, query: str, problem: str, *, line: int) -> None:
        """Remember that a line or result of the query was left out."""
        self.collected.dropped.setdefault(query, f"line {line}: {problem}")

    def _check_once(self, query: str, now: _FirstLine) -> None:
        first = self._seen.setdefault(query, now)
        if first is not now and (first.whole or now.whole):
            raise BadRecordError(f"query {query!r} is ranked twice (first at line {first.line}).")

    def _add_results(self, query: str, results: list[object], *, line: int) -> None:
        if not results:
            self.collected.empty.append(query)
        _check_one_kind(results)
        first: dict[str, int] = {}
        for position, result in enumerate(results, start=1):
            try:
                document, score = _hit(result, made_up=len(results) + 1 - position)
                before = first.setdefault(document, position)
                if before != position:
                    raise BadRecordError(
                        f"document {document!r} is listed twice for query {query!r} (first as result {before})."
                    )
            except BadRecordError as error:
                problem = f"result {position}: {error}"
                self._diagnostics.report(problem, line=line, unit="result")
                self.drop(query, problem, line=line)
                continue
            self.collected.add(query, document, score, line=line)


def _results(record: JsonObject) -> list[object] | None:
    """Return the list of results, or None where the line holds one result or an error."""
    key = find_key(record, "results")
    results = None if key is None else record[key]
    if isinstance(results, list):
        return results
    if results is not None:
        raise BadRecordError(f"key {key!r} is {json_kind(results)}, expected a list.")
    if key is not None and find_key(record, "document") is None and not _has(record, "error"):
        raise BadRecordError(
            f"key {key!r} is null, expected a list: [] where nothing was returned; where the system failed, "
            "give the reason as 'error'."
        )
    return None


def _check_one_statement(record: JsonObject, *, failure: str | None, results: list[object] | None) -> None:
    """Refuse an ambiguous line of two statements. An empty list beside an error is none."""
    document = find_key(record, "document") if _has(record, "document") else None
    listed = find_key(record, "results")
    if failure is not None and (results or document):
        beside = document or listed
        raise BadRecordError(f"has both an error ({failure[:60]!r}) and {beside!r}: did the system fail or not?")
    if failure is None and document is not None:
        raise BadRecordError(f"has both {document!r} and {listed!r}, expected one result or a list of results.")


def _has(record: JsonObject, role: str) -> bool:
    key = find_key(record, role)
    return key is not None and record[key] not in (None, False)


def _check_one_kind(results: list[object]) -> None:
    objects = sum(isinstance(result, dict) for result in results)
    ids = sum(isinstance(result, str | int) for result in results)
    if objects and ids:
        raise BadRecordError(
            f"the results mix ids ({ids}) and objects with scores ({objects}), which cannot be ranked together."
        )


def _hit(result: object, *, made_up: int) -> tuple[str, float]:
    if isinstance(result, dict):
        return get_id(result, "document"), get_value(result, SCORE)
    if not isinstance(result, str | int) or isinstance(result, bool):
        raise BadRecordError(f"is {json_kind(result)}, expected an id, or an object with doc_id and score.")
    return get_id({"doc_id": result}, "document"), float(made_up)


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


def _codes(starts: IntArray) -> IntArray:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _sizes(starts: IntArray) -> list[int]:
    sizes: list[int] = np.diff(starts).tolist()
    return sizes


def refuse_ids(questions: pl.Series, *, path: Path | str) -> None:
    """Refuse query ids that a TREC file cannot hold: with blanks, or with `#` at the beginning."""
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


def write_jsonl_ranking(path: Path | str, ranking: RankingTable) -> None:
    """Write a line per question, best document first; a question that failed keeps its reason."""
    replace_file(path, _lines(ranking))


def _lines(ranking: RankingTable) -> Iterator[bytes]:
    bounds, scores = ranking.starts.tolist(), ranking.scores.tolist()
    for i, question in enumerate(ranking.questions):
        rows = range(bounds[i], bounds[i + 1])
        documents = ranking.documents[bounds[i] : bounds[i + 1]].to_list()
        results = [{"doc_id": d, "score": scores[row]} for d, row in zip(documents, rows, strict=True)]
        yield orjson.dumps({"query_id": question, "results": results}, option=orjson.OPT_APPEND_NEWLINE)
    for question, reason in ranking.failed.items():
        yield orjson.dumps({"query_id": question, "error": reason}, option=orjson.OPT_APPEND_NEWLINE)
