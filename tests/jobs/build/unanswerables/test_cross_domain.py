"""The same question about a thing that belongs elsewhere."""

from __future__ import annotations

import pytest

from karat.jobs.build.unanswerables import cross_domain
from tests.jobs.build.unanswerables.pool import pool, report, sample, substitutes


def _made(question: str, company: str = "Quartz Oil") -> set[str]:
    one = report(question, company=company)
    return {found.question for found in cross_domain.propose(one, [""], substitutes=substitutes(), seed=5)}


def test_a_company_is_replaced_by_a_library_and_by_institutions() -> None:
    made = _made("What was the revenue of Quartz Oil in 2018?")
    libraries = {f"What was the revenue of {name} in 2018?" for name in ("flask", "requests", "pytest")}
    assert len(made & libraries) == 1
    assert made - libraries == {
        "What was the revenue of the University of Orle in 2018?",
        "What was the revenue of the Tamble Museum in 2018?",
    }


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue of Quartz Oil's drilling segment in 2018?",
        "What did Quartz Oil pay per share in 2018?",
        "What did the company Quartz Oil earn in 2018?",
        "What share of the $107 million did Quartz Oil pay?",
        "What was the revenue of Quartz Oil in 2018" + ", and the cost of it" * 8 + "?",
    ],
)
def test_what_goes_deep_into_its_own_domain_is_left_alone(question: str) -> None:
    assert _made(question) == set()


def test_a_library_is_replaced_by_a_company() -> None:
    one = sample(
        "How are sessions kept in the Flask library?", doc_type="code_config", metadata={"repo": "owner/flask"}
    )
    found = list(cross_domain.propose(one, [], substitutes=substitutes(), seed=5))
    assert len(found) == 1
    assert found[0].details["substitute_domain"] == "table"
    assert found[0].question.endswith(" library?")
    assert "Inc" not in found[0].question


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
