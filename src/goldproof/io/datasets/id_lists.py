"""Small files of ids: clusters (id, cluster), and lists of ids to leave out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from goldproof.io.columns import check_columns, find_columns, normal_name, shown_names
from goldproof.io.delimited import cut_line, cut_records
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.json_files import BadRecordError, get_id, read_objects
from goldproof.io.record_files import read_text_table
from goldproof.io.text_files import check_file, decode_text, read_blocks, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.delimited import Separator

_ID_HEADERS = {"id", "query_id", "qid", "q_id", "queryid", "question_id"}


def read_clusters(path: Path | str) -> dict[str, str]:
    """Read id -> cluster from a CSV, TSV, JSONL or Parquet table with the columns id and cluster."""
    path = Path(path)
    return cluster_table(path, Diagnostics(path))


def cluster_table(path: Path, diagnostics: Diagnostics) -> dict[str, str]:
    """Read id -> cluster, reporting bad rows to `diagnostics`."""
    table = read_text_table(path, diagnostics)
    columns = find_columns(table.header, needed=("id", "cluster"))
    check_columns(columns, table.header, diagnostics=diagnostics, line=table.header_line)
    clusters: dict[str, str] = {}
    for number, line, fields in table.rows:
        name, cluster = (fields[columns.position[role]] for role in ("id", "cluster"))
        where = f"row {number}: " if line is None else ""
        if name in (None, "") or cluster in (None, ""):
            diagnostics.report(f"{where}the {'id' if name in (None, '') else 'cluster'} is empty.", line=line)
            continue
        if clusters.setdefault(str(name), str(cluster)) != str(cluster):
            diagnostics.report(
                f"{where}id {str(name)!r} is in cluster {str(cluster)!r}, but was in {clusters[str(name)]!r} before.",
                line=line,
                hint="Put each id in one cluster.",
            )
    return clusters


def read_ids(path: Path | str) -> frozenset[str]:
    """Read ids: one per line, a JSON list, JSON lines with an `id`, or the id column of a CSV or TSV with a header.

    A list of none is allowed.
    """
    path = Path(path)
    diagnostics = Diagnostics(path)
    if check_file(path).stat().st_size == 0:
        return frozenset()
    sniffed = sniff(path)
    if sniffed.format == "json":
        return _json_list(path, diagnostics)
    if sniffed.format == "jsonl":
        return frozenset(_object_ids(path, diagnostics))
    if sniffed.format in ("parquet", "yaml"):
        raise diagnostics.error(
            "is not a list of ids.", hint="Expected one id per line, a JSON list, or JSONL with an id."
        )
    separator = _table_separator(sniffed.first_line)
    if separator is not None:
        return frozenset(_column_ids(path, separator, diagnostics))
    return frozenset(line.text.strip() for line in read_lines(path, diagnostics))


def _table_separator(first_line: str) -> Separator | None:
    """Return the separator if the first line is a header with an id; a lone `id` is a header as well."""
    separators: tuple[Separator, ...] = ("\t", ",")
    return next((s for s in separators if set(map(normal_name, cut_line(first_line, s))) & _ID_HEADERS), None)


def _column_ids(path: Path, separator: Separator, diagnostics: Diagnostics) -> Iterator[str]:
    records = cut_records(path, separator, diagnostics)
    header = [name.strip() for name in next(records).fields]
    columns = find_columns(header, needed=("id",))
    check_columns(columns, header, diagnostics=diagnostics, line=1)
    for line, fields in records:
        if len(fields) != len(header):
            diagnostics.report(
                f"found {len(fields)} columns, expected {len(header)} ({shown_names(header)}).", line=line
            )
            continue
        name = fields[columns.position["id"]].strip()
        if not name:
            diagnostics.report("the id is empty.", line=line)
        yield name


def _json_list(path: Path, diagnostics: Diagnostics) -> frozenset[str]:
    text = decode_text(b"".join(block.data for block in read_blocks(path)), path)
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise diagnostics.error(f"is not JSON ({error.msg}).", line=error.lineno) from error
    if not isinstance(document, list):
        raise diagnostics.error("is a JSON document other than a list, expected a list of ids.")
    try:
        return frozenset(get_id({"id": item} if not isinstance(item, dict) else item, "id") for item in document)
    except BadRecordError as error:
        raise diagnostics.error(str(error)) from error


def _object_ids(path: Path, diagnostics: Diagnostics) -> list[str]:
    ids: list[str] = []
    for number, record in read_objects(path, diagnostics):
        try:
            ids.append(get_id(record, "id"))
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
    return ids
