"""Ages that count from a moment told as a turn, as a time, or both."""

from __future__ import annotations

import numpy as np

from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.retriever import Now
from goldproof.retrieve.stages.ages import Ages


def test_a_now_told_both_ways_counts_by_the_one_that_the_stage_counts_by() -> None:
    documents = DocumentIndex([Document("d", "text", metadata={"turn": 3, "date": "2024-05-01"})])
    both = Now(turn=10, time="2024-05-03")
    ages = {}
    for by in ("turn", "age"):
        stage = Ages("decay", by=by, missing="error")
        stage.index(documents)
        ages[by] = stage.of(np.asarray([0]), both).tolist()
    assert ages == {"turn": [7.0], "age": [2.0]}


def test_a_now_that_is_not_told_in_the_stages_way_leaves_it_with_its_own_or_the_newest() -> None:
    documents = DocumentIndex(
        [Document("d", "text", metadata={"turn": 3}), Document("e", "text", metadata={"turn": 8})]
    )
    newest, own = Ages("decay", by="turn", missing="error"), Ages("decay", by="turn", now=20, missing="error")
    for stage, expected in ((newest, [5.0]), (own, [17.0])):
        stage.index(documents)
        assert stage.of(np.asarray([0]), Now(time="2024-05-03")).tolist() == expected
