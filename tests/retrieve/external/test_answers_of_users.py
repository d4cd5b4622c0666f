"""What a retriever of the user's returned, read and put in order."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from goldproof.retrieve.external.hit_ranking import ordered_hits
from goldproof.retrieve.external.hits import ReturnedDocument, read_documents
from goldproof.user_code.calls import FailedAnswer


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_frame_is_not_read_as_the_names_of_its_columns(kind: type) -> None:
    with pytest.raises(FailedAnswer, match="returned a DataFrame"):
        read_documents(kind({"id": ["a"], "score": [1.0]}), "query")


def test_ids_alone_mean_places_and_need_no_remark() -> None:
    ranking = ordered_hits([ReturnedDocument("a"), ReturnedDocument("b")])
    assert [(hit.id, hit.score) for hit in ranking.hits] == [("a", 2.0), ("b", 1.0)]
    assert not ranking.by_place


@pytest.mark.parametrize("scores", [(1.0, 1.0), (0.1, 0.9), (0.5, None)])
def test_scores_that_do_not_tell_the_order_are_replaced_by_places_and_remarked_on(
    scores: tuple[float, float | None],
) -> None:
    ranking = ordered_hits([ReturnedDocument("a", scores[0]), ReturnedDocument("b", scores[1])])
    assert [hit.score for hit in ranking.hits] == [2.0, 1.0]
    assert ranking.by_place


def test_a_document_that_came_twice_keeps_its_best_place() -> None:
    ranking = ordered_hits([ReturnedDocument("a", 3.0), ReturnedDocument("b", 2.0), ReturnedDocument("a", 1.0)])
    assert [(hit.id, hit.score) for hit in ranking.hits] == [("a", 3.0), ("b", 2.0)]
    assert ranking.repeats == 1
