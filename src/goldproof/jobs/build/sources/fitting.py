"""Is a file one of a dataset, by the first records that can be read; and what to do where it is not.

A file that no adapter at all can read says why by itself: it is empty, it is not UTF-8, its columns are separated by
semicolons.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from goldproof.io.diagnostics import Diagnostic, Diagnostics
from goldproof.io.record_files import read_records, record_format
from goldproof.io.sniffing import sniff
from goldproof.jobs.build.adapters.catalogue import ADAPTERS

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.build.adapters.adapter import Adapter

_HEAD_RECORDS = 20
_SHOWN = 5
_SAVE_ANEW = "Save it with commas between the columns, or as JSON lines."


def misfit(file: Path, adapter: Adapter) -> str | None:
    """Say why this is no file of the dataset, by the first records that can be read; None if it is one."""
    head = _read_head(file)
    if isinstance(head, Diagnostic):
        return head.problem
    needs = adapter.info.needs
    if not needs or any(keys <= record.keys() for record in head for keys in needs):
        return None
    keys = sorted(head[0])
    shown = ", ".join(keys[:_SHOWN]) + (", ..." if len(keys) > _SHOWN else "")
    return f"the first records have {shown or 'no keys'}, but {adapter.info.title} has {_needs(adapter)}."


def advice(name: str, file: Path | None = None) -> str:
    """Say what to do where a source has no file to read; file: the first that cannot be."""
    head = _read_head(file) if file is not None else []
    if isinstance(head, Diagnostic) and head.hint:
        return head.hint
    fitting = [] if file is None or isinstance(head, Diagnostic) else _fitting(file)
    if fitting:
        return f"These records fit the adapter {' or '.join(map(repr, fitting))}."
    return f"Check the path of --source {name}=PATH, or choose the adapter that fits these files."


def _read_head(file: Path) -> list[dict[str, object]] | Diagnostic:
    """Return the first records, or why no adapter at all can read the file."""
    layout = record_format(file)
    if layout is None:
        return Diagnostic(None, "it is empty, or no file of records.")
    if layout in ("csv", "tsv") and _has_semicolons(sniff(file).first_line):
        return Diagnostic(
            1, "its columns look separated by ';', but CSV is read with ',' and TSV with tabs.", _SAVE_ANEW
        )
    complaints = Diagnostics(file, keep=1)
    head = [found.record for found in islice(read_records(file, complaints), _HEAD_RECORDS)]
    if head:
        return head
    first = next(iter(complaints.findings), Diagnostic(None, "there is none."))
    at = f"line {first.line} " if first.line is not None else ""
    return replace(first, problem=f"it holds no record that can be read: {at}{first.problem}")


def _has_semicolons(header: str) -> bool:
    """Say whether a header has one column by its commas or tabs, and three or more by its semicolons."""
    return header.count(";") > 1 and "," not in header and "\t" not in header


def _needs(adapter: Adapter) -> str:
    return " or ".join(" + ".join(sorted(keys)) for keys in adapter.info.needs) or "any columns"


def _fitting(file: Path) -> list[str]:
    """Return the adapters whose dataset has records like these."""
    return [name for name in ADAPTERS if ADAPTERS.get(name).info.needs and not misfit(file, ADAPTERS.get(name))]
