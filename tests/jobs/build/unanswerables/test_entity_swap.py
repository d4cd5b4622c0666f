"""The same question about another thing of its kind."""

from __future__ import annotations

import pytest

from karat.jobs.build.unanswerables import entity_swap
from tests.jobs.build.unanswerables.pool import pool, report, sample, substitutes

_ENERGY = {"Northfield Power", "Harbor Light Energy, Inc.", "Quartz Oil", "Bluebird Fuel"}
_TOWN = ("Orle", "Orle is a small town in northern Italy.")
_ACTRESS = ("Ada Green", "Ada Green (born 1950) is an American actress and singer.")
_FILM = ("Low Tide (film)", "Low Tide is a 1999 American drama film directed by Tom Hale.")


def _companies(question: str, company: str) -> list[str]:
    one = report(question, company=company)
    return [found.question for found in entity_swap.propose(one, [""], substitutes=substitutes(), seed=3)]


def _titles(question: str, *passages: tuple[str, str]) -> list[str]:
    one = sample(question, passages=passages, doc_type="clean_text")
    titles = [title for title, _ in passages]
    return [found.question for found in entity_swap.propose(one, titles, substitutes=substitutes(), seed=3)]


def test_a_company_is_replaced_by_the_others_as_people_write_them() -> None:
    made = _companies("What was the net income of Quartz Oil in 2019?", "Quartz Oil")
    # the slug "silent-slug-corp" was never written out, so it is not offered
    assert set(made) == {f"What was the net income of {n} in 2019?" for n in _ENERGY - {"Quartz Oil"}}


@pytest.mark.parametrize(
    ("question", "company", "pattern"),
    [
        ("What was Quartz Oil's net income in 2019?", "Quartz Oil", "What was {}'s net income in 2019?"),
        ("What was Gold Mills' net income in 2019?", "Gold Mills", "What was {}'s net income in 2019?"),
        ("What did the Gold Mills Group, Inc. earn?", "gold-mills-group-inc", "What did {} earn?"),
        ("What did The Gold Mills Company earn?", "Gold Mills", "What did {} earn?"),
        ("What does the Gold Mills report say?", "Gold Mills", "What does the {} report say?"),
        ("What did gold-mills-inc earn in 2019?", "gold-mills-inc", "What did {} earn in 2019?"),
        ("Did Gold Mills sell more than Gold Mills bought?", "Gold Mills", "Did {} sell more than {} bought?"),
    ],
)
def test_possessives_articles_and_every_mention_follow(question: str, company: str, pattern: str) -> None:
    made = _companies(question, company)
    assert "Gold" not in " ".join(made)
    assert set(made) <= {pattern.format(name, name) for name in _ENERGY}
    assert len(made) >= 3


@pytest.mark.parametrize(
    ("question", "company"),
    [
        ("What did Entergy Arkansas, Inc. earn in 2019?", "Entergy"),
        ("What did Entergy earn from Entergy Texas in 2019?", "Entergy"),
        ("What share of the $107 million did Quartz Oil pay?", "Quartz Oil"),
        ("What was the net income in 2019?", "Quartz Oil"),
        ("How many Gold Mills-operated shops did Gold Mills close?", "Gold Mills"),
        ("What were the freight revenues of Quartz Oil in 2019?", "Quartz Oil"),
        ("In the report of Quartz Oil, an energy company, what were sales in 2019?", "Quartz Oil"),
        ("What were sales of Quartz Oil in the Energy sector in 2019?", "Quartz Oil"),
        ("What did Quartz Oil lease from Peel Limited in 2019?", "Quartz Oil"),
        ("How old was John B. Hill of Quartz Oil in 2019?", "Quartz Oil"),
        ("What did Quartz Oil sell to Harbor Light, Inc. in 2019?", "Quartz Oil"),
    ],
)
def test_a_part_of_a_longer_name_a_quoted_figure_and_no_name_give_nothing(question: str, company: str) -> None:
    assert _companies(question, company) == []


def test_an_actress_is_replaced_by_actresses_and_a_town_by_towns() -> None:
    assert set(_titles("In which state was Ada Green born?", _ACTRESS)) == {
        "In which state was Lena Frost born?",
        "In which state was Mary Stone born?",
    }
    assert _titles("Which river flows through Orle?", _TOWN) == ["Which river flows through Pemberwick?"]
    assert "Who directed Red Harvest Moon?" in _titles("Who directed Low Tide?", _FILM)


@pytest.mark.parametrize(
    "question",
    [
        "Who is older, Ada Green or Lena Frost?",
        "Are Ada Green and Lena Frost both actresses?",
        "Which award did Ada Green, a singer from Ohio, win?",
        "Ada Green is an actress from which state?",
        "Did Ada Green sing in Low Tide with Tom Hale?",
        "Which award did Mary Ada Green win?",
        "Who is the husband of Ada Green?",
    ],
)
def test_comparisons_descriptions_and_second_names_give_nothing(question: str) -> None:
    assert _titles(question, _ACTRESS) == []


def test_the_only_identifier_is_replaced_by_one_of_another_repository() -> None:
    code = next(one for one, _ in pool() if one.id == "pool:flask")
    made = [found.question for found in entity_swap.propose(code, [], substitutes=substitutes(), seed=3)]
    assert set(made) == {
        "How does the CookieJarView class parse headers?",
        "How does the TerminalOutput class parse headers?",
    }


@pytest.mark.parametrize(
    "question",
    [
        "How does the HeaderReader class of flask's parser read headers?",
        "How does the HeaderReader class use the Skip class?",
        "How does the HeaderReader class call Visitor.visit?",
        "How do HeaderReader and CookieJarView share headers?",
        "Why is ValueError raised for headers?",
    ],
)
def test_other_names_of_code_tie_an_identifier_to_its_place(question: str) -> None:
    one = sample(question, doc_type="code_config", metadata={"repo": "owner/flask"})
    made = [found.question for found in entity_swap.propose(one, [], substitutes=substitutes(), seed=3)]
    assert made == []


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("How are redirects followed in the requests library?", True),
        ("How does requests's redirect handling work?", True),
        ("How are concurrent requests handled?", False),
    ],
)
def test_a_library_named_like_a_common_word_must_stand_as_a_name(question: str, *, made: bool) -> None:
    one = sample(question, doc_type="code_config", metadata={"repo": "psf/requests"})
    assert bool(list(entity_swap.propose(one, [], substitutes=substitutes(), seed=3))) is made


@pytest.mark.parametrize(
    ("question", "other", "made"),
    [
        ("Which error came up on web-2?", "What started on db-7?", "Which error came up on db-7?"),
        ("Why was message 5512 rejected?", "Where is message 90817 now?", "Why was message 90817 rejected?"),
        ("When did user carol log in?", "Was user dave refused?", "When did user dave log in?"),
        ("What did 10.4.0.17 ask for?", "Did 192.0.2.7 connect?", "What did 192.0.2.7 ask for?"),
        ("Which error came up on web-2?", "Where is message 90817 now?", None),
        ("Which error came up?", "What started on db-7?", None),
    ],
)
def test_what_a_log_names_is_replaced_by_the_same_kind_from_another_log(
    question: str, other: str, made: str | None
) -> None:
    one = sample(question, id="pool:a", passages=[("", "a line")], doc_type="log_ticket")
    two = sample(other, id="pool:b", passages=[("", "another line")], doc_type="log_ticket")
    known = substitutes([(one, [""]), (two, [""])])
    found = [each.question for each in entity_swap.propose(one, [""], substitutes=known, seed=3)]
    assert found == ([made] if made else [])
