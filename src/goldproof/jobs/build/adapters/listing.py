"""The adapters as a table: what can be read, where it comes from, and what may be done with it."""

from __future__ import annotations

from goldproof.jobs.build.adapters.catalogue import ADAPTERS, get_adapter
from goldproof.report import Heading, Table


def adapters_table() -> Table:
    """Return every adapter with its dataset, doc_type, hub id and licence."""
    headings = tuple(Heading(name, "left") for name in ("adapter", "dataset", "doc_type", "hub", "licence"))
    infos = [get_adapter(name).info for name in ADAPTERS]
    rows = tuple((info.name, info.title, info.doc_type, info.hub_id or "", info.licence) for info in infos)
    return Table(headings, rows)
