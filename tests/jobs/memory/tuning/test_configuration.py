"""From choices to pipelines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from optuna import create_study
from optuna.logging import ERROR, get_verbosity, set_verbosity
from optuna.samplers import RandomSampler
from optuna.trial import FixedTrial

from goldproof.jobs.memory.tuning.configuration import configuration
from goldproof.jobs.memory.tuning.space import Range, Space
from goldproof.retrieve.language import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE = Space(k=(1, 5))
ALL = replace(
    SPACE,
    embedders=("minilm", "my.module:embed"),
    score_floor=Range(0.5, 4),
    reranking=("my.module:rerank",),
    expansion=("minilm", "llm:small"),
)
LONG = (
    "dense(minilm) | filter_from_query(role, turn) | decay(exp, half_life=20, missing=keep) "
    "| recent_from_query | top(2)"
)
PLAIN = {"expansion": "off", "filters": "off", "decay": "off", "recency": "off", "has_floor": "off"}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    before = get_verbosity()
    set_verbosity(ERROR)
    yield
    set_verbosity(before)


@pytest.mark.parametrize(
    ("choices", "pipeline"),
    [
        ({"source": "bm25", "k": 3}, "bm25 | top(3)"),
        ({"source": "dense", "k": 5}, "dense(minilm) | top(5)"),
        ({"source": "dense", "k": 5, "has_floor": "on", "floor": 0.35}, "dense(minilm) | floor(0.35) | top(5)"),
        ({"source": "hybrid", "fusion": "rrf", "weight": 0.5, "k": 1}, "hybrid(bm25, dense(minilm)) | top(1)"),
        (
            {"source": "hybrid", "fusion": "sum", "weight": 0.7, "k": 1},
            "hybrid(bm25, dense(minilm), method=sum, weights=[0.3, 0.7]) | top(1)",
        ),
        (
            {"source": "dense", "decay": "on", "half_life": 20, "recency": "on", "filters": "on", "k": 2},
            LONG,
        ),
        ({"source": "bm25", "expansion": "minilm", "k": 2}, "expand(minilm) | bm25 | top(2)"),
    ],
)
def test_choices_become_the_text_of_a_pipeline(choices: dict[str, object], pipeline: str) -> None:
    assert configuration(FixedTrial({**PLAIN, **choices}), SPACE) == pipeline


def test_ages_in_days_are_said_to_be_days() -> None:
    chosen = FixedTrial({**PLAIN, "source": "bm25", "decay": "on", "half_life": 30, "k": 5})
    assert configuration(chosen, replace(SPACE, ages="age")) == (
        "bm25 | decay(exp, half_life=30d, by=age, missing=keep) | top(5)"
    )


def test_fields_that_a_young_conversation_may_lack_do_not_fail_it() -> None:
    chosen = FixedTrial({**PLAIN, "source": "bm25", "filters": "on", "k": 5})
    assert configuration(chosen, replace(SPACE, filters_from_query=("role", "topic"))) == (
        "bm25 | filter_from_query(role, topic, missing=keep) | top(5)"
    )


def test_a_reranker_keeps_as_many_as_are_returned() -> None:
    # rerank keeps 3 unless told otherwise, so that top(5) after it could never return 5.
    chosen = FixedTrial({**PLAIN, "source": "bm25", "reranking": "my.module:rerank", "k": 5})
    text = configuration(chosen, replace(SPACE, reranking=("my.module:rerank",)))
    assert text == "bm25 | rerank(my.module:rerank, keep=5) | top(5)"


def test_bm25_alone_has_no_floor_of_similarity_and_one_of_its_score_only_if_asked() -> None:
    on = {**PLAIN, "source": "bm25", "k": 5, "has_floor": "on", "floor": 0.3, "has_score_floor": "on"}
    assert configuration(FixedTrial({**on, "score_floor": 1.5}), SPACE) == "bm25 | top(5)"
    allowed = replace(SPACE, score_floor=Range(0.5, 4))
    assert configuration(FixedTrial({**on, "score_floor": 1.5}), allowed) == "bm25 | floor(1.5, of=score) | top(5)"


@pytest.mark.parametrize("space", [SPACE, ALL, replace(SPACE, ages="age")])
def test_every_configuration_is_canonical(space: Space) -> None:
    study = create_study(sampler=RandomSampler(seed=1))
    seen = set()
    for _ in range(150):
        trial = study.ask()
        text = configuration(trial, space)
        assert str(parse(text)) == text
        seen.add(text)
        study.tell(trial, 0.0)
    assert len(seen) > 100


def test_a_choice_of_one_is_not_asked_for() -> None:
    only = Space(
        sources=("bm25",), expansion=(), filters_from_query=(), recency_from_query=False, half_life=None, k=(5, 5)
    )
    trial = FixedTrial({})
    assert configuration(trial, only) == "bm25 | top(5)"
    assert trial.params == {}


def test_a_range_that_is_narrower_than_the_grid_is_searched_all_the_same() -> None:
    narrow = replace(SPACE, floor=Range(0.3, 0.32))
    chosen = FixedTrial({**PLAIN, "source": "dense", "k": 5, "has_floor": "on", "floor": 0.31})
    assert configuration(chosen, narrow) == "dense(minilm) | floor(0.31) | top(5)"


def test_the_grid_stays_within_the_range() -> None:
    # From 0.1 by 0.05 the last value below 0.33 is 0.3.
    chosen = FixedTrial({**PLAIN, "source": "dense", "k": 5, "has_floor": "on", "floor": 0.3})
    configuration(chosen, replace(SPACE, floor=Range(0.1, 0.33)))
    assert chosen.distributions["floor"].high == pytest.approx(0.3)  # type: ignore[attr-defined]
