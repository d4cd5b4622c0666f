"""The same question about a thing that belongs elsewhere."""

from __future__ import annotations

import pytest

from goldproof.jobs.build.unanswerables import cross_domain
from goldproof.jobs.build.unanswerables.words import spoken
from tests.jobs.build.unanswerables.pool import pool, report, sample, substitutes


def _made(question: str, company: str = "Quartz Oil") -> set[str]:
    one = report(question, company=company)
    return {found.question for found in cross_domain.propose(one, [""], substitutes=substitutes(), seed=5)}


def test_a_company_is_replaced_by_institutions() -> None:
    assert _made("What was the revenue of Quartz Oil in 2018?") == {
        "What was the revenue of the University of Orle in 2018?",
        "What was the revenue of the Tamble Museum in 2018?",
    }


def test_where_the_pool_knows_no_institution_a_library_stands_for_a_company() -> None:
    known = substitutes([(one, titles) for one, titles in pool() if one.doc_type != "clean_text"])
    one = report("What was the revenue of Quartz Oil in 2018?", company="Quartz Oil")
    made = {found.question for found in cross_domain.propose(one, [""], substitutes=known, seed=5)}
    assert len(made) == 1
    assert made <= {f"What was the revenue of {name} in 2018?" for name in ("flask", "requests", "pytest")}


def test_a_journal_or_a_long_name_is_no_institution() -> None:
    passages = [
        ("Orle Society Transactions", "Orle Society Transactions is a society."),
        ("Museum of the Very Old Stones of Orle", "It is a museum."),
        ("Hale Foundation", "The Hale Foundation is a charity."),
    ]
    text = sample("Where is it?", id="pool:t", passages=passages, doc_type="clean_text", source="wiki")
    known = substitutes(
        [*((one, titles) for one, titles in pool() if one.doc_type == "table"), (text, [t for t, _ in passages])]
    )
    one = report("What was the revenue of Quartz Oil in 2018?", company="Quartz Oil")
    made = {found.question for found in cross_domain.propose(one, [""], substitutes=known, seed=5)}
    assert made == {"What was the revenue of the Hale Foundation in 2018?"}


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue of Quartz Oil's drilling segment in 2018?",
        "What did Quartz Oil pay per share in 2018?",
        "What did the company Quartz Oil earn in 2018?",
        "What were the net earnings attributable to Quartz Oil in 2018?",
        "What was the gross margin of Quartz Oil in 2018?",
        "What were the research and development costs of Quartz Oil in 2018?",
        "What was the exchange rate of Quartz Oil in 2018?",
        "What was the revenue of Quartz Oil from Blockbuster in 2018?",
        "What share of the $107 million did Quartz Oil pay?",
        "What was the revenue of Quartz Oil in 2018" + ", and the cost of it" * 8 + "?",
    ],
)
def test_what_goes_deep_into_its_own_domain_is_left_alone(question: str) -> None:
    assert _made(question) == set()


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("How are sessions kept in the Flask library?", "How are sessions kept in ", " codebase?"),
        ("How are the sessions kept?", "In ", " codebase, how are the sessions kept?"),
    ],
)
def test_a_library_is_replaced_by_the_code_of_a_company(question: str, start: str, end: str) -> None:
    one = sample(question, doc_type="code_config", metadata={"repo": "owner/flask"})
    found = list(cross_domain.propose(one, [], substitutes=substitutes(), seed=5))
    assert len(found) == 1
    assert found[0].details["substitute_domain"] == "table"
    assert found[0].question.startswith(start)
    assert found[0].question.endswith(end)
    owner = found[0].question.removeprefix(start).removesuffix(end)
    assert owner in {"Northfield Power's", "Harbor Light Energy's", "Quartz Oil's", "Bluebird Fuel's"}


@pytest.mark.parametrize(
    "question",
    [
        "How does Flask keep sessions?",
        "What loads the Flask application?",
        "How does the OneReader class keep sessions?",
        "How does the _Reader protocol keep sessions?",
        "How does prepare() keep sessions?",
    ],
)
def test_a_company_does_not_stand_where_only_a_library_can(question: str) -> None:
    one = sample(question, doc_type="code_config", metadata={"repo": "owner/flask"})
    assert list(cross_domain.propose(one, [], substitutes=substitutes(), seed=5)) == []


def test_a_film_has_a_director_and_a_company_is_no_film() -> None:
    passages = [("Low Tide", "Low Tide is a 1999 American drama film.")]
    one = sample("Who is the spouse of the director of Low Tide?", passages=passages, doc_type="clean_text")
    assert list(cross_domain.propose(one, ["Low Tide"], substitutes=substitutes(), seed=5)) == []
    wrote = sample("Where was the author of Low Tide born?", passages=passages, doc_type="clean_text")
    assert list(cross_domain.propose(wrote, ["Low Tide"], substitutes=substitutes(), seed=5))


def test_what_is_located_somewhere_may_be_a_company() -> None:
    passages = [("Orle", "Orle is a small town in northern Italy.")]
    one = sample("Who rules the country where Orle is located?", passages=passages, doc_type="clean_text")
    assert list(cross_domain.propose(one, ["Orle"], substitutes=substitutes(), seed=5))
    born = sample("Who was born in Orle?", passages=passages, doc_type="clean_text")
    assert list(cross_domain.propose(born, ["Orle"], substitutes=substitutes(), seed=5)) == []


def test_in_a_pool_of_one_doc_type_the_other_domain_is_another_source() -> None:
    tables = [(one, titles) for one, titles in pool() if one.doc_type == "table"]
    one = report("What was the revenue of Quartz Oil in 2018?", company="Quartz Oil")
    assert list(cross_domain.propose(one, [""], substitutes=substitutes(tables), seed=5)) == []


def test_a_name_is_spoken_without_its_legal_form_however_that_is_written() -> None:
    assert spoken("Gold Mills Plc") == spoken("Gold Mills PLC") == spoken("Gold Mills, Inc.") == "Gold Mills"
    assert spoken("University of Orle") == "the University of Orle"
