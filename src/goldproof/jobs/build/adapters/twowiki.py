"""2WikiMultihopQA: questions over two to four Wikipedia passages, with the chain of facts as triples.

The shape is HotpotQA's (`goldproof.jobs.build.adapters.titled_passages`), but the sentences come without blanks between
them, so one is put where two would touch. The hub's files hold the nested columns as JSON text.
`evidences` (subject, relation, object) is kept in the metadata where it has at most `MOST_TRIPLES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    list_of,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.titled_passages import example_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.build.records import Dropped, Example

MOST_TRIPLES = 8

INFO = AdapterInfo(
    name="2wiki",
    title="2WikiMultihopQA",
    doc_type="clean_text",
    hub_id="xanhho/2WikiMultihopQA",
    revision="612bc5039a457880d9e7d84c3b0a4cf154b70e4f",
    hub_files=("dev.parquet",),
    licence="Apache-2.0",
    citation="Ho et al. (2020). Constructing A Multi-hop QA Dataset for Comprehensive Evaluation of Reasoning Steps. "
    "COLING.",
    homepage="https://github.com/Alab-NII/2wikimultihop",
    needs=(frozenset({"question", "context", "supporting_facts"}),),
)


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    metadata: dict[str, object] = {"type": kind} if (kind := text_of(record.get("type"))) else {}
    triples = read_triples(record.get("evidences"))
    if 0 < len(triples) <= MOST_TRIPLES:
        metadata["evidences"] = triples
    yield example_of(record, adapter=INFO.name, gap=" ", metadata=metadata)


def read_triples(value: object) -> list[list[str]]:
    """Return the triples (subject, relation, object); [] where one of them is something else."""
    triples = []
    for item in list_of(value):
        parts = list(item.values()) if isinstance(item, dict) else item
        words = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
        if len(words) != 3 or words != parts:
            return []
        triples.append(words)
    return triples


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
