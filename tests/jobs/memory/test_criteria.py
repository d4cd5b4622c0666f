"""Rules: which criteria a query is held to, and how a card shows them."""

from __future__ import annotations

import pytest

from goldproof.io.scenarios.scenario import Query
from goldproof.jobs.memory.criteria import Rules, Trigger
from goldproof.metrics.memory import Criterion, parse_criterion

RECALL = parse_criterion("recall > 0.9")
FIRST = parse_criterion("Hit@1 = 1")
RULES = Rules(
    k=3,
    kinds={"semantic": (RECALL, FIRST), "exact": (FIRST,)},
    overall=(Criterion("pass_rate", "=", 1.0),),
    triggers=(Trigger("major", parse_criterion("recall < 80%")), Trigger("major", parse_criterion("f1 < 0.123456789"))),
)


@pytest.mark.parametrize(("kind", "expected"), [("semantic", (RECALL, FIRST)), ("exact", (FIRST,)), ("ocr", ())])
def test_a_query_is_held_to_the_criteria_of_its_kind(kind: str, expected: tuple[Criterion, ...]) -> None:
    assert RULES.criteria_of(Query("q", "?", kind)) == expected


def test_criteria_of_the_query_itself_stand_instead_of_those_of_its_kind() -> None:
    own = (parse_criterion("precision >= 0.5"),)
    assert RULES.criteria_of(Query("q", "?", "semantic", criteria=own)) == own


def test_a_card_shows_rules_as_a_file_has_them() -> None:
    assert RULES.to_dict() == {
        "k": 3,
        "kinds": {"semantic": ["recall > 0.9", "Hit@1 = 1"], "exact": ["Hit@1 = 1"]},
        "overall": ["pass_rate = 1"],
        "triggers": {"critical": [], "major": ["recall < 0.8", "f1 < 0.123456789"]},
    }
