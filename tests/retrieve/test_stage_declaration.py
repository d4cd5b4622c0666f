"""A stage is declared once, by its class: its name, place, parameters, meanings and checks follow from it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Literal

import pytest

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve import bm25, open_retriever
from goldproof.retrieve.python_form import step
from goldproof.retrieve.stage import STAGES, QueryStep, Source, Step, kind_of, param, stage
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.cutoff import Floor

if TYPE_CHECKING:
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request


@pytest.fixture(autouse=True)
def _own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STAGES, "_targets", dict(STAGES._targets))


def test_a_stage_of_ones_own_is_a_word_of_the_language_and_a_typed_function() -> None:
    @stage("backwards", summary="Keeps the last documents.")
    class Backwards(Step):
        keep: int = param("how many are kept", kw_only=False)
        by: Literal["rank", "score"] = param("what the last is counted by", default="rank")

        def __post_init__(self) -> None:
            if self.keep < 1:
                raise InputError(f"{self.name}: keep is {self.keep}, expected 1 or more.")

        def find(self, request: Request) -> RankingBatch:
            ranking = self.source.find(request)
            return ranking.kept(ranking.rank_of_row > len(ranking.documents) - self.keep)

    backwards = step(Backwards)
    written = bm25() | backwards(1)
    read = open_retriever("bm25 | backwards(1)")
    for pipeline in (written, read):
        pipeline.index([Document("a", "red red apples"), Document("b", "red pears and plums")])
        assert [hit.doc_id for hit in pipeline.search("red apples")] == ["b"]
        assert pipeline.facts["stages"] == [
            {"stage": "bm25", **Bm25.facts.fget(pipeline.stage.source)},  # type: ignore[attr-defined]
            {"stage": "backwards", "keep": 1, "by": "rank"},
        ]
    assert str(written) == "bm25 | backwards(1)"
    assert inspect.signature(Backwards).parameters["by"].default == "rank"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("bm25 | backwards", "keep is missing; it is written backwards(keep)."),
        ("bm25 | backwards(two)", "keep is two, expected a whole number"),
        ("bm25 | backwards(0)", "backwards: keep is 0, expected 1 or more."),
        ("backwards(1)", "backwards(1) needs a retriever before it"),
    ],
)
def test_messages_follow_from_the_declaration(text: str, problem: str) -> None:
    @stage("backwards", summary="Keeps the last documents.")
    class Backwards(Step):
        keep: int = param("how many are kept", kw_only=False)

        def __post_init__(self) -> None:
            if self.keep < 1:
                raise InputError(f"{self.name}: keep is {self.keep}, expected 1 or more.")

        def find(self, request: Request) -> RankingBatch:
            return self.source.find(request)

    with pytest.raises(InputError) as caught:
        open_retriever(text)
    assert problem in str(caught.value)


def test_a_class_says_where_it_may_stand_by_its_base() -> None:
    class Old:
        kind = "step"

    assert [kind_of(cls) for cls in (Source, Step, QueryStep, Old, object)] == [
        *("source", "step", "query step", "step", None)
    ]


def test_a_class_without_a_base_is_refused() -> None:
    class Bare:
        pass

    with pytest.raises(InputError, match="stage 'bare': Bare is not a stage; derive it from Source, Step or QueryStep"):
        stage("bare", summary="Does nothing.")(Bare)  # type: ignore[type-var]


def test_arguments_from_python_are_converted_as_those_of_a_text() -> None:
    floor = Floor(Bm25(), 1)
    assert (floor.least, type(floor.least)) == (1.0, float)
    with pytest.raises(
        InputError, match=r"floor: least is <builtins:object>, expected a number; it is written floor\("
    ):
        Floor(Bm25(), object())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown parameter of floor 'leats'; did you mean 'least'"):
        Floor(Bm25(), leats=1)  # type: ignore[call-arg]


def test_the_same_class_may_be_declared_again_and_another_may_not_take_its_name() -> None:
    @stage("again", summary="Finds nothing.")
    class Again(Source):
        def find(self, request: Request) -> RankingBatch:
            raise NotImplementedError

    stage("again", summary="Finds nothing, too.")(Again)  # as in a notebook whose cell is run again
    STAGES.register("again", f"{Again.__module__}:{Again.__qualname__}")  # its entry point
    with pytest.raises(InputError, match="retriever 'bm25' is registered twice"):

        @stage("bm25", summary="Finds nothing.")
        class Other(Source):
            def find(self, request: Request) -> RankingBatch:
                raise NotImplementedError
