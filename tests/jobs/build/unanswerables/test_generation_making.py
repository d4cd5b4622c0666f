"""From a proposal to the sample."""

from __future__ import annotations

from dataclasses import replace

from goldproof.jobs.build.unanswerables.generation import propose, unanswerable_sample
from tests.jobs.build.unanswerables.pool import pool, substitutes


def test_nothing_answers_it_and_what_came_with_the_original_stays() -> None:
    one, titles = pool()[0]
    for found in propose(one, titles, substitutes=substitutes(), seed=1):
        made = unanswerable_sample(one, found)
        assert (made.id, made.original_id) == ("pool:c0:unanswerable", "c0")
        assert (made.answerable, made.ground_truth, made.difficulty) == (False, "", "D3")
        assert (made.gold_documents, made.kernels, made.evidence) == ((), (), ())
        assert (made.contexts, made.context_ids) == (one.contexts, one.context_ids)
        assert (made.doc_type, made.question_type) == (one.doc_type, one.question_type)
        assert made.question == found.question != one.question
        assert made.metadata["original_question"] == one.question
        assert made.metadata["unanswerable_method"] == found.method
        assert made.metadata["substituted"]
        assert made.metadata["substitute"]
        assert made.metadata["company_name"] == "Northfield Power"


def test_what_the_metadata_tells_of_the_answer_goes() -> None:
    one, titles = pool()[0]
    told = {
        **one.metadata,
        "answer_aliases": ["12"],
        "original_answer": "$12",
        "program": "add(1, 11)",
        "scale": "million",
    }
    with_answer = replace(one, metadata={**told, "table_rows": 4})
    found = next(propose(with_answer, titles, substitutes=substitutes(), seed=1))
    made = unanswerable_sample(with_answer, found)
    assert set(made.metadata) == {
        "company_name",
        "company_sector",
        "table_rows",
        "original_question",
        "unanswerable_method",
        *found.details,
    }
