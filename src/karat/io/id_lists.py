"""Small files of ids: clusters (id, cluster) and lists of ids to leave out."""

from __future__ import annotations

from pathlib import Path

import orjson

from karat.io.columns import find_columns
from karat.io.complaints import Complaints
from karat.io.jsonl import BadRecordError, get_id, read_objects
from karat.io.opening import check_file, decode_text, read_blocks, read_lines
from karat.io.sniffing import sniff
from karat.io.table_header import check_columns
from karat.io.text_table import read_text_table


def read_clusters(path: Path | str) -> dict[str, str]:
    """Read id -> cluster from a CSV, TSV, JSONL or Parquet table with the columns id and cluster."""
    path = Path(path)
    complaints = Complaints(path)
    table = read_text_table(path, complaints)
    columns = find_columns(table.header, needed=("id", "cluster"))
    check_columns(columns, table.header, complaints=complaints, line=table.header_line)
    clusters: dict[str, str] = {}
    for number, line, fields in table.rows:
        name, cluster = (fields[columns.position[role]] for role in ("id", "cluster"))
        where = f"row {number}: " if line is None else ""
        if name in (None, "") or cluster in (None, ""):
            complaints.add(f"{where}the {'id' if name in (None, '') else 'cluster'} is empty.", line=line)
        if clusters.setdefault(str(name), str(cluster)) != str(cluster):
            complaints.add(
                f"{where}id {str(name)!r} is in cluster {str(cluster)!r}, but was in {clusters[str(name)]!r} before.",
                line=line,
                hint="Put each id in one cluster.",
            )
    return clusters


def read_ids(path: Path | str) -> frozenset[str]:
    """Read ids: one per line, a JSON list, or JSON lines with an `id`; a list of none is allowed."""
    path = Path(path)
    complaints = Complaints(path)
    if check_file(path).stat().st_size == 0:
        return frozenset()
    found = sniff(path)
    if found.format == "json":
        return _json_list(path, complaints)
    if found.format == "jsonl":
        return frozenset(_object_ids(path, complaints))
    if found.format in ("parquet", "yaml"):
        raise complaints.fatal(
            "is not a list of ids.", hint="Expected one id per line, a JSON list, or JSONL with an id."
        )
    return frozenset(line.text.strip() for line in read_lines(path, complaints))


def _json_list(path: Path, complaints: Complaints) -> frozenset[str]:
    text = decode_text(b"".join(block.data for block in read_blocks(path)), path)
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise complaints.fatal(f"is not JSON ({error.msg}).", line=error.lineno) from error
    if not isinstance(found, list):
        raise complaints.fatal("is a JSON document other than a list, expected a list of ids.")
    try:
        return frozenset(get_id({"id": item} if not isinstance(item, dict) else item, "id") for item in found)
    except BadRecordError as error:
        raise complaints.fatal(str(error)) from error


def _object_ids(path: Path, complaints: Complaints) -> list[str]:
    ids: list[str] = []
    for number, record in read_objects(path, complaints):
        try:
            ids.append(get_id(record, "id"))
        except BadRecordError as error:
            complaints.add(str(error), line=number)
    return ids
