"""Small files of ids: clusters (id, cluster), and lists of ids to leave out.

A list of ids is one of

    plain lines       ids; a line with a blank in it is a question as well, since our ids have none
    a JSON list       ids, or objects as in JSON lines
    JSON lines        an id (`id`, `query_id`, ... `_id`) and perhaps the question (`question`, `text`)
    a CSV or TSV      with a header that has an id, and perhaps a question

An object without an id has its question as id. A list of none is allowed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import orjson

from goldproof.io.columns import check_columns, find_columns, normal_name, shown_names
from goldproof.io.delimited import cut_line, cut_records, rows_below
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.json_files import BadRecordError, NumberedRecord, id_under, json_kind, read_objects
from goldproof.io.record_files import read_text_table
from goldproof.io.text_files import check_file, decode_text, read_blocks, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.delimited import Separator
    from goldproof.io.json_files import JsonObject

_ID_NAMES = ("id", "query_id", "qid", "q_id", "queryid", "question_id", "_id")
_QUESTION_NAMES = ("question", "text")


class ListedId(NamedTuple):
    """An id of a list, and its question where the list has it."""

    id: str
    question: str | None = None


def read_clusters(path: Path | str, *, column: str = "cluster") -> dict[str, str]:
    """Read id -> cluster from a CSV, TSV, JSONL or Parquet table with the columns id and cluster, or another one."""
    path = Path(path)
    return cluster_table(path, Diagnostics(path), column=column)


def cluster_table(path: Path, diagnostics: Diagnostics, *, column: str = "cluster") -> dict[str, str]:
    """Read id -> cluster, reporting bad rows to `diagnostics`."""
    table = read_text_table(path, diagnostics)
    columns = find_columns(table.header, needed=("id", column))
    check_columns(columns, table.header, diagnostics=diagnostics, line=table.header_line)
    clusters: dict[str, str] = {}
    for number, line, fields in table.rows:
        name, cluster = (fields[columns.position[role]] for role in ("id", column))
        where = f"row {number}: " if line is None else ""
        if name in (None, "") or cluster in (None, ""):
            diagnostics.report(f"{where}the {'id' if name in (None, '') else column} is empty.", line=line)
            continue
        if clusters.setdefault(str(name), str(cluster)) != str(cluster):
            diagnostics.report(
                f"{where}id {str(name)!r} is in {column} {str(cluster)!r}, but was in {clusters[str(name)]!r} before.",
                line=line,
                hint=f"Put each id in one {column}.",
            )
    return clusters


def read_ids(path: Path | str) -> frozenset[str]:
    """Read the ids of a list."""
    return frozenset(listed.id for listed in read_listed(path, questions=False))


def read_listed(path: Path | str, *, questions: bool = True) -> Iterator[ListedId]:
    """Yield the ids of a list with their questions. questions: one that is not text is refused, else ignored."""
    path = check_file(path)
    if path.stat().st_size == 0:
        return
    diagnostics, sniffed = Diagnostics(path), sniff(path)
    if sniffed.format in ("parquet", "yaml"):
        raise diagnostics.error(
            "is not a list of ids.", hint="Expected one id per line, a JSON list, or JSONL with an id."
        )
    separator = _table_separator(sniffed.first_line)
    if sniffed.format == "json":
        records = _json_list(path, diagnostics)
    elif sniffed.format == "jsonl":
        records = read_objects(path, diagnostics)
    elif separator is not None:
        records = _table(path, separator, diagnostics)
    else:
        for text in (line.text.strip() for line in read_lines(path, diagnostics)):
            yield ListedId(text, text if any(map(str.isspace, text)) else None)
        return
    for number, record in records:
        try:
            yield _listed(record, questions=questions)
        except BadRecordError as error:
            if sniffed.format == "json":
                diagnostics.report(f"element {number}: {error}", line=None, unit="element")
            else:
                diagnostics.report(str(error), line=number)


def _listed(record: JsonObject, *, questions: bool) -> ListedId:
    keys = {normal_name(key): key for key in record}
    name = next((name for name in (*_ID_NAMES, "query", *_QUESTION_NAMES) if name in keys), None)
    if name is None:
        raise BadRecordError(f"no key 'id' and no 'question' (found {shown_names(list(record)) or 'no key'}).")
    key = next((keys[name] for name in _QUESTION_NAMES if name in keys), None)
    question = None if key is None else record[key]
    if questions and question is not None and not isinstance(question, str):
        raise BadRecordError(f"key {key!r} is {json_kind(question)}, expected the text of a question.")
    return ListedId(id_under(keys[name], record), question if isinstance(question, str) and question else None)


def _table_separator(first_line: str) -> Separator | None:
    """Return the separator if the first line is a header with an id; a lone `id` is a header as well."""
    separators: tuple[Separator, ...] = ("\t", ",")
    return next(
        (s for s in separators if not set(_ID_NAMES).isdisjoint(map(normal_name, cut_line(first_line, s)))), None
    )


def _table(path: Path, separator: Separator, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    records = cut_records(path, separator, diagnostics)
    header = [name.strip() for name in next(records).fields]
    names = list(map(normal_name, header))
    at = names.index(next(name for name in _ID_NAMES if name in names))
    if names.count(names[at]) > 1:
        raise diagnostics.error(f"column {header[at]!r} occurs twice.", line=1, hint="Rename one of them.")
    for line, fields in rows_below(header, records, diagnostics):
        yield NumberedRecord(line, {name: field.strip() for name, field in zip(header, fields, strict=True)})


def _json_list(path: Path, diagnostics: Diagnostics) -> Iterator[NumberedRecord]:
    text = decode_text(b"".join(block.data for block in read_blocks(path)), path)
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise diagnostics.error(f"is not JSON ({error.msg}).", line=error.lineno) from error
    if not isinstance(document, list):
        raise diagnostics.error("is a JSON document other than a list, expected a list of ids.")
    for number, item in enumerate(document, start=1):
        yield NumberedRecord(number, item if isinstance(item, dict) else {"id": item})
