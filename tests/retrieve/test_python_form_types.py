"""The functions of the Python form are typed by the classes of their stages: mypy checks this file.

An ignore that mypy does not need is an error (`warn_unused_ignores`), so each of them holds that a mistake is found.
"""

from __future__ import annotations

from typing import Literal, assert_type

import pytest

from goldproof.errors import InputError
from goldproof.retrieve import Pipeline, bm25, decay, dense, expand, filter_by, filter_from_query, floor, hybrid, top
from goldproof.retrieve.language import Step
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.cutoff import Floor


def test_pipelines_and_steps_have_their_types() -> None:
    assert_type(bm25(k1=1.2), Pipeline)
    assert_type(bm25(k1=1.2) | top(10), Pipeline)
    assert_type(expand({"a": ["b"]}) | bm25() | top(10), Pipeline)
    assert_type(hybrid(bm25(), "recency", method="sum", weights=[1, 2]), Pipeline)
    assert_type(floor(0.3, of="score"), Step)
    assert_type(floor(0.3) | decay("linear", rate=0.1), Step)
    assert_type(filter_by(year=2019, lang=["en"]), Step)
    assert_type(filter_from_query("role", "turn", pronouns=False), Step)


def test_the_attributes_of_a_stage_have_the_types_of_its_parameters() -> None:
    stage = Floor(Bm25(), 0.3)
    assert_type(stage.least, float)
    assert_type(stage.of, Literal["similarity", "score"] | None)


def test_mistakes_are_found_by_the_type_checker_and_when_they_run() -> None:
    with pytest.raises(TypeError):
        bm25(k2=1.2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        bm25(1.2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        floor()  # type: ignore[call-arg]
    with pytest.raises(InputError, match="search is faiss"):
        dense(search="faiss")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="k is ten, expected a whole number"):
        bm25() | top("ten")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="k1 is high, expected a number"):
        Bm25(k1="high")  # type: ignore[arg-type]
