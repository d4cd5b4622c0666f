"""HotpotQA: questions over two Wikipedia passages, with eight distractors and supporting sentences.

Read as published on its own page (`_id`, lists) and on the hub (`id`, objects of lists). Its sentences carry their
own leading blanks, and some continue the one before ("Rolling Stone" + '" said'): they are joined as they are.
The test split has neither answers nor facts and is dropped record by record; so are facts that point outside the given
passages, which the full-wiki setting has in plenty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    text_of,
    without_options,
)
from goldproof.jobs.build.adapters.titled_passages import example_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.build.records import Dropped, Example

INFO = AdapterInfo(
    name="hotpotqa",
    title="HotpotQA",
    doc_type="clean_text",
    hub_id="hotpotqa/hotpot_qa",
    revision="1908d6afbbead072334abe2965f91bd2709910ab",
    hub_files=("distractor/validation-*.parquet",),
    licence="CC-BY-SA-4.0",
    citation="Yang et al. (2018). HotpotQA: A Dataset for Diverse, Explainable Multi-hop Question Answering. EMNLP.",
    homepage="https://hotpotqa.github.io/",
    needs=(frozenset({"question", "context", "supporting_facts"}),),
)


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    metadata = {key: text for key in ("type", "level") if (text := text_of(record.get(key)))}
    yield example_of(record, adapter=INFO.name, gap="", metadata=metadata)


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
