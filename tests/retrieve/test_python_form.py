"""Pipelines written in Python are those of the text form."""

from __future__ import annotations

import importlib
import inspect
import re
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import goldproof.retrieve
from goldproof.errors import InputError
from goldproof.records.entities import Document, Hit
from goldproof.retrieve import (
    Pipeline,
    bm25,
    decay,
    expand,
    filter_by,
    filter_from_query,
    floor,
    hybrid,
    own,
    python_form,
    recency,
    recent_from_query,
    top,
)
from goldproof.retrieve.language import Step, parse
from goldproof.retrieve.python_form import STAGE_NAMES
from goldproof.retrieve.stage import BUILT_IN, STAGES, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

# What mypy reads: `floor = step(Floor)`.
TYPED = re.findall(r"^    (\w+) = (source|step)\((\w+)\)$", inspect.getsource(python_form), re.MULTILINE)
FUNCTIONS = tuple(getattr(python_form, name) for name, _, _ in TYPED)


class Mine:
    def search(self, query: str, k: int, filters: object = None) -> list[Hit]:  # noqa: ARG002
        return [Hit("a", 2.0), Hit("b", 1.0)][:k]


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: hybrid(bm25(), recency()) | floor(0.3) | top(5), "hybrid(bm25, recency) | floor(0.3) | top(5)"),
        (lambda: bm25(k1=0.9, stem="english"), "bm25(k1=0.9, stem=english)"),
        (lambda: bm25(k1=1.5, stopwords=["the", "a"]), "bm25(stopwords=[the, a])"),
        (lambda: hybrid("bm25 | top(3)", bm25(), weights=[0.7, 0.3]), "hybrid(bm25|top(3), bm25, weights=[0.7, 0.3])"),
        (lambda: bm25() | decay("exp", half_life=10), "bm25 | decay(exp, half_life=10)"),
        (lambda: bm25() | decay(by="age", half_life="7d"), "bm25 | decay(exp, half_life=7d, by=age)"),
        (lambda: bm25() | (floor(3, of="score") | top(5)), "bm25 | floor(3, of=score) | top(5)"),
        (lambda: "bm25 | top(9)" | floor(3), "bm25 | top(9) | floor(3)"),
        (lambda: recency() | filter_by(lang=["en", "de"], year={"gte": 2019, "lte": 2021}, ok=True),
         "recency | filter(lang=[en, de], year=2019..2021, ok=true)"),
        (lambda: bm25() | filter_from_query("role", "turn") | recent_from_query(),
         "bm25 | filter_from_query(role, turn) | recent_from_query"),
        (lambda: bm25() | filter_from_query("role", pronouns=False) | recent_from_query(by="age", depth=5),
         "bm25 | filter_from_query(role, pronouns=false) | recent_from_query(by=age, depth=5)"),
        (lambda: recency() | filter_by(version="1.10", name="true", day=date(2020, 5, 1)),
         'recency | filter(version="1.10", name="true", day=2020-05-01)'),
    ],
)  # fmt: skip
def test_python_and_text_give_the_same_expression(made: Callable[[], Pipeline], text: str) -> None:
    pipeline = made()
    assert isinstance(pipeline, Pipeline)
    assert pipeline.expression == parse(text)
    assert parse(str(pipeline)) == pipeline.expression


def test_numbers_of_numpy_are_numbers() -> None:
    pipeline = bm25(k1=np.float64(0.9)) | top(np.int64(5))  # type: ignore[arg-type]
    assert str(pipeline) == "bm25(k1=0.9) | top(5)"


def test_a_query_step_stands_before_its_retriever() -> None:
    pipeline = expand({"car": ["automobile"]}) | bm25() | top(5)
    assert isinstance(pipeline, Pipeline)
    assert str(pipeline) == "expand(<builtins:dict>) | bm25 | top(5)"


def test_retrievers_of_the_users_stand_anywhere() -> None:
    for pipeline in (own(Mine()) | top(1), Mine() | top(1), hybrid(Mine(), bm25()) | top(1)):
        pipeline.index([Document("a", "one"), Document("b", "two")])
        assert [hit.doc_id for hit in pipeline.search("one")] == ["a"]


def test_steps_alone_are_no_pipeline() -> None:
    steps = floor(0.3) | top(5)
    assert isinstance(steps, Step)
    assert str(steps) == "floor(0.3) | top(5)"
    with pytest.raises(InputError, match="cannot be part of a pipeline"):
        5 | top(5)
    with pytest.raises(InputError, match=r"floor\(0.3\) needs a retriever before it"):
        hybrid(floor(0.3), bm25())


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: str(f.__name__))
def test_a_function_has_the_parameters_and_defaults_of_its_stage(function: Any) -> None:  # noqa: ANN401
    stage = STAGES.get(STAGE_NAMES.get(function.__name__, function.__name__))
    expected = list(inspect.signature(stage).parameters.values())
    expected = expected if kind_of(stage) == "source" else expected[1:]
    found = list(inspect.signature(function).parameters.values())
    assert [(p.name, p.kind, p.default) for p in found] == [(p.name, p.kind, p.default) for p in expected]
    assert (function.__doc__ or "").startswith(stage.summary)


def test_the_types_of_each_function_are_those_of_its_stage() -> None:
    stages = {name: STAGES.get(STAGE_NAMES.get(name, name)) for name, _, _ in TYPED}
    kinds = {name: "source" if kind_of(stage) == "source" else "step" for name, stage in stages.items()}
    assert [(name, kinds[name], stage.__name__) for name, stage in stages.items()] == TYPED


def test_every_stage_has_its_function() -> None:
    adapters = {"langchain", "llamaindex"}  # of `own`, for texts and files; Python has the object
    assert {STAGE_NAMES.get(name, name) for name, _, _ in TYPED} == set(BUILT_IN) - adapters
    assert {name for name, _, _ in TYPED} <= set(goldproof.retrieve.__all__)


def test_a_name_that_is_no_stage_is_no_function() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'flor'"):
        python_form.flor  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_module_of_a_stage_does_not_hide_the_function_of_the_same_name() -> None:
    for target in BUILT_IN.values():
        importlib.import_module(target.partition(":")[0])
    for function in FUNCTIONS:
        assert getattr(goldproof.retrieve, function.__name__) is function
        assert getattr(python_form, function.__name__) is function
