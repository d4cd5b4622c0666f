"""What holds for every proposal, whatever the method, and for the pool of substitutes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.unanswerables import substitutes as substitutes_module
from goldproof.jobs.build.unanswerables.generation import propose
from goldproof.jobs.build.unanswerables.words import core_words
from tests.jobs.build.unanswerables.pool import pool, report, sample, substitutes

if TYPE_CHECKING:
    import pytest

_FRAMES = [
    "What was the {item} of {name} in {year}?",
    "What was {name}'s {item} in {year}?",
    "What was the percentage change in {item} for {name} from {year} to {next}?",
    "As of December 31, {year}, what was the {item} of {name}?",
    "What was the {item} of the {name} Group, Inc. in fiscal {year}, as reported in the {next} report?",
]
_ITEMS = ["net income", "total revenue", "rent expense", "Net revenue", "cash, net"]
_NAMES = ["Quartz Oil", "Gold Mills", "Aon", "T. Rowe Price", "S&P Global", "3M", "Cal-Maine Foods"]


@given(
    frame=st.sampled_from(_FRAMES),
    item=st.sampled_from(_ITEMS),
    name=st.sampled_from(_NAMES),
    year=st.integers(2008, 2018),
    seed=st.integers(0, 5),
)
def test_a_made_question_differs_and_is_a_clean_sentence(
    frame: str, item: str, name: str, year: int, seed: int
) -> None:
    one = report(frame.format(item=item, name=name, year=year, next=year + 1), company=name)
    made = list(propose(one, [""], substitutes=substitutes(), seed=seed))
    assert {found.method for found in made} >= {"temporal_shift", "entity_swap", "cross_domain"}
    for found in made:
        assert found.question != one.question
        assert found.question.endswith("?")
        assert "  " not in found.question
        assert found.question[0].isupper() or not found.question[0].isalpha()
        assert not {"the the", "a the", "''s"} & {found.question[n : n + 7] for n in range(len(found.question))}
        assert set(found.others).isdisjoint(word for group in found.joined if len(group) == 1 for word in group)
        if found.method in {"entity_swap", "cross_domain"}:
            assert not set(core_words(name)) <= set(core_words(found.question))


@given(text=st.text(max_size=60), seed=st.integers(0, 2))
def test_any_question_is_survived(text: str, seed: int) -> None:
    one = sample(text, passages=[("Orle", "Orle is a town.")], doc_type="clean_text", metadata={"company_name": "Orle"})
    assert all(found.question.strip() for found in propose(one, ["Orle"], substitutes=substitutes(), seed=seed))


def test_an_unanswerable_is_not_negated_again() -> None:
    one = replace(report("What was the net income of Quartz Oil in 2018?", company="Quartz Oil"), answerable=False)
    assert list(propose(one, [""], substitutes=substitutes(), seed=1)) == []


def test_a_question_with_a_slug_is_only_used_where_the_slug_goes() -> None:
    one = report("What was the net income of gold-mills-inc in 2018?", company="gold-mills-inc")
    made = list(propose(one, [""], substitutes=substitutes(), seed=1))
    assert {found.method for found in made} == {"entity_swap", "cross_domain"}
    assert not any("gold-mills" in found.question for found in made)


def test_a_question_that_reads_badly_gives_nothing() -> None:
    said = report("The net income of Quartz Oil in 2018 was what?", company="Quartz Oil")
    assert list(propose(said, [""], substitutes=substitutes(), seed=1)) == []
    text = "Who was born where the man lives who rules the town where Orle lies?"
    tangled = sample(text, passages=[("Orle", "Orle is a town.")], doc_type="clean_text")
    assert list(propose(tangled, ["Orle"], substitutes=substitutes(), seed=1)) == []


def test_substitutes_and_proposals_do_not_depend_on_the_order_of_the_pool() -> None:
    titled = pool()
    first = substitutes(titled)
    made = [found for one, titles in titled for found in propose(one, titles, substitutes=first, seed=9)]
    for number in range(3):
        shuffled = random.Random(number).sample(titled, len(titled))
        again = substitutes(shuffled)
        assert again == first
        assert [found for one, titles in titled for found in propose(one, titles, substitutes=again, seed=9)] == made


def test_of_each_kind_a_bounded_number_stays_whatever_came_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(substitutes_module, "AT_MOST", 5)
    titled = [
        (report(f"What did Quartz{n} Oil earn in 2018?", company=f"Quartz{n} Oil", id=f"pool:{n}"), [""])
        for n in range(60)
    ]
    kept = substitutes(titled).of("company")
    assert len(kept) == 5
    assert substitutes(titled[::-1]).of("company") == kept


def test_another_seed_makes_other_proposals() -> None:
    one, titles = pool()[0]
    made = [[found.question for found in propose(one, titles, substitutes=substitutes(), seed=n)] for n in range(4)]
    assert any(other != made[0] for other in made[1:])


_SCRIPT = """
from goldproof.jobs.build.unanswerables.generation import propose
from tests.jobs.build.unanswerables.pool import pool, substitutes
for one, titles in pool():
    for found in propose(one, titles, substitutes=substitutes(), seed=1):
        print(found.key, found.question, found.joined, found.others)
"""


def test_the_hash_seed_of_the_process_does_not_matter() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(outputs) == 1
    assert next(iter(outputs)).count("\n") > 20
