from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.records.entities import Score
from goldproof.records.tables import ScoreTable
from goldproof.study import Panel, encode_clusters, panel_from_scores
from goldproof.study.panel import ABSENT

values = st.one_of(
    st.tuples(st.just("scored"), st.floats(-1, 1), st.none()),
    st.tuples(st.just("undefined"), st.none(), st.just("no relevant document")),
    st.tuples(st.just("failed"), st.none(), st.sampled_from(["timeout", "crash"])),
)
rows = st.dictionaries(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["q1", "q2", "q3"]), st.sampled_from(["P@5", "RR"])), values
)


@given(rows)
def test_scores_come_back_whatever_is_missing(
    table: dict[tuple[str, str, str], tuple[str, float | None, str | None]],
) -> None:
    given_rows = [
        Score(run, question, metric, value, status, reason)  # type: ignore[arg-type]
        for (run, question, metric), (status, value, reason) in table.items()
    ]
    back = panel_from_scores(ScoreTable.from_records(given_rows)).to_scores().to_records()
    assert sorted(map(repr, back)) == sorted(map(repr, given_rows))


def test_a_question_that_a_run_lacks_is_absent_not_zero() -> None:
    laid_out = panel_from_scores(
        ScoreTable.from_records([Score("a", "q1", "RR", 1.0), Score("b", "q1", "RR", 1.0), Score("b", "q2", "RR", 0.5)])
    )
    assert laid_out.column("a", "RR").status.tolist() == [0, ABSENT]


def test_two_scores_for_one_question_are_refused() -> None:
    twice = ScoreTable.from_records([Score("a", "q1", "RR", 1.0), Score("a", "q1", "RR", 0.5)])
    with pytest.raises(InputError, match="run 'a' has more than one RR for question 'q1'"):
        panel_from_scores(twice)


def test_a_question_in_two_clusters_is_refused() -> None:
    torn = ScoreTable.from_records([Score("a", "q1", "RR", 1.0, cluster="x"), Score("b", "q1", "RR", 1.0, cluster="y")])
    with pytest.raises(InputError, match=r"question 'q1' is in the clusters \['x', 'y'\]"):
        panel_from_scores(torn)


def test_a_question_without_a_cluster_is_one_of_its_own() -> None:
    codes = encode_clusters(pl.Series(["x", None, "x", None, "y"]))
    assert codes[0] == codes[2]
    assert len(np.unique(codes)) == 4


def test_unknown_names_are_refused() -> None:
    laid_out: Panel = panel_from_scores(ScoreTable.from_records([Score("bm25", "q1", "RR", 1.0)]))
    with pytest.raises(InputError, match="did you mean 'bm25'"):
        laid_out.column("bm52", "RR")
    with pytest.raises(InputError, match="unknown metric 'AP'"):
        laid_out.column("bm25", "AP")
