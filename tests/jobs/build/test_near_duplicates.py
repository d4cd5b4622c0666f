"""The pool without repeated questions."""

from __future__ import annotations

import pytest

from goldproof.jobs.build.near_duplicates import without_repeats
from goldproof.jobs.build.records import Candidate, PoolEntry
from goldproof.text.near_questions import QuestionIndex


@pytest.mark.parametrize(("threshold", "kept"), [(0.85, ["c", "e"]), (None, ["c", "d", "e"])])
def test_the_pool_without_repeats_lacks_earlier_samples_and_near_duplicates(
    threshold: float | None, kept: list[str]
) -> None:
    earlier = QuestionIndex(threshold or 1.0)
    earlier.keep("z", "Who wrote Emma?")
    questions = {
        "a": "Where is Tarrow?",
        "b": "Who wrote Emma?",
        "c": "What was the revenue in 2018?",
        "d": "What is the revenue for 2018",
        "e": "What was the revenue in 2019?",
    }
    entries = [
        PoolEntry(Candidate(name, "table", "lookup", "D1", "", order), question)
        for order, (name, question) in enumerate(questions.items())
    ]
    distinct = without_repeats(entries, earlier_ids={"a"}, earlier=earlier, threshold=threshold)
    assert [candidate.id for candidate in distinct.candidates] == kept
    assert distinct.left_out == {
        "id is in an earlier benchmark": 1,
        "near-duplicate of a question in an earlier benchmark": 1,
        **({"near-duplicate of another question": 1} if threshold else {}),
    }
    assert distinct.questions.find("What was the revenue in 2018?") == "c"
    assert distinct.questions.find("Where is Tarrow?") is None
