"""The same question about another thing of its kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldproof.jobs.build.unanswerables import entity_swap
from tests.jobs.build.unanswerables.pool import Titled, pool, report, sample, substitutes

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
        ("What did The Gold Mills Company earn?", "gold-mills-company", "What did {} earn?"),
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
        "How does the CookieJarView class close a stream?",
        "How does the TerminalOutput class close a stream?",
    }


@pytest.mark.parametrize(
    "question",
    [
        "How does the HeaderReader class of flask's parser close a stream?",
        "How does the HeaderReader class use the Skip class?",
        "How does the HeaderReader class call Visitor.visit?",
        "How do HeaderReader and CookieJarView share streams?",
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
        ("How does Requests follow redirects?", True),
        ("How are redirects followed in Requests?", True),
        ("How does the loader find the Requests application instance?", False),
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


@pytest.mark.parametrize(
    "question",
    [
        "How does the HeaderReader class parse headers?",
        "How does the ReprFuncArgs class close functions?",
        "Why does the test_accessmarker class use a marker?",
        "Why does the GuessJSONUTF class look for UTF?",
        "How does the VisitorOne class close files, sockets, pools, threads, locks, queues, logs, pipes, ports, hosts?",
    ],
)
def test_an_identifier_that_the_question_describes_is_not_replaced(question: str) -> None:
    one = sample(question, doc_type="code_config", metadata={"repo": "owner/flask"})
    assert list(entity_swap.propose(one, [], substitutes=substitutes(), seed=3)) == []


def test_a_library_that_is_left_unsaid_can_be_another_one() -> None:
    one = sample("Where is a stream closed?", doc_type="code_config", metadata={"repo": "owner/flask"})
    made = list(entity_swap.propose(one, [], substitutes=substitutes(), seed=3))
    assert {found.question for found in made} == {
        "In `requests`, where is a stream closed?",
        "In `pytest`, where is a stream closed?",
    }
    assert {found.joined for found in made} == {(("requests",),), (("pytest",),)}
    assert {found.details["substituted"] for found in made} == {"owner/flask"}


def test_words_of_one_library_alone_keep_its_questions() -> None:
    asked = [
        sample(f"Where is blueprint {n} kept?", id=f"pool:b{n}", doc_type="code_config", metadata={"repo": "o/flask"})
        for n in "abcd"
    ]
    flask: list[Titled] = [(one, []) for one in asked]
    known = substitutes([*pool(), *flask])
    assert list(entity_swap.propose(asked[0], [], substitutes=known, seed=3)) == []
    # three questions are too few to tell
    few = substitutes([*pool(), *flask[:3]])
    assert list(entity_swap.propose(asked[0], [], substitutes=few, seed=3))


@pytest.mark.parametrize(
    "question",
    [
        "What was the net income of Quartz Oil on February 28, 2019?",
        "What was the net income of Quartz Oil from Impella in 2019?",
        "What was the Global Financing income of Quartz Oil in 2019?",
        "What was the net income in 2019, as reported in Quartz Oil's 2019 report?",
    ],
)
def test_what_belongs_to_one_company_is_not_asked_of_another(question: str) -> None:
    assert _companies(question, "Quartz Oil") == []
    assert _companies("What was the Net Sales figure of Quartz Oil on December 31, 2019?", "Quartz Oil")


def test_a_company_is_not_asked_about_the_time_before_it() -> None:
    young = replace(
        report("What was the revenue of Young Power in 2019?", company="Young Power", id="pool:young"),
        metadata={"company_name": "Young Power", "company_sector": "Energy", "company_founded": "2013 (1901)"},
    )
    known = substitutes([*pool(), (young, [""])])
    for year, others in ((2013, {"Young Power"}), (2012, set())):
        one = report(f"What was the revenue of Quartz Oil in {year}?", company="Quartz Oil")
        made = {found.question for found in entity_swap.propose(one, [""], substitutes=known, seed=3)}
        assert made == {f"What was the revenue of {n} in {year}?" for n in (_ENERGY | others) - {"Quartz Oil"}}


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("Who directed the film Low Tide?", True),
        ("Who directed the silent film Low Tide?", False),
        ("Who directed Low Tide in Manchuria?", False),
    ],
)
def test_a_told_kind_and_a_second_name_tie_a_title(question: str, *, made: bool) -> None:
    assert bool(_titles(question, _FILM)) is made


def test_nobody_is_said_to_have_died() -> None:
    assert _titles("Where did Ada Green live when she died?", _ACTRESS) == []
    assert _titles("In which town has Ada Green died?", _ACTRESS) == []
