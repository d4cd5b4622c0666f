"""A context holds an answer, or does not, or the rules cannot say."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.judge import AnswerFinding, find_answer

PRESENT = [
    # answer, context, what is found, how
    ("Columbus, Ohio", "He lives in columbus , Ohio.", "columbus , Ohio", "text"),
    ("the Anglican Communion", "of Anglican Communion", "Anglican Communion", "text"),
    ("Walt Disney Pictures.", "by Walt Disney Pictures in", "Walt Disney Pictures", "text"),
    ("art", "start with art", "art", "text"),
    ("BWV 1033", "the sonata BWV 1033 is", "BWV 1033", "text"),
    ("12th", "the 12th of them", "12th", "text"),
    ("get_proxy", "call get_proxy_url, then get_proxy()", "get_proxy", "identifier"),
    ("`requests.get()`", "use requests.get(url)", "requests.get", "identifier"),
    ("src/app/main.py", "see src/app/main.py", "src/app/main.py", "identifier"),
    ("2019", "On December 31, 2019 it", "2019", "date"),
    ("December 10, 1817", "on 10 December 1817.", "10 December 1817", "date"),
    ("2006", "as of 12/31/06", "12/31/06", "date"),
    ("3 April 2006", "on 03/04/2006", "03/04/2006", "date"),
    ("6,960", "of 6960 people", "6960", "number"),
    ("$25,153,000", "net 25153000", "25153000", "number"),
    ("1.18 trillion", "some $1,180 billion", "$1,180 billion", "number"),
    ("35%", "rose 34.7%", "34.7%", "number"),
    ("0.347", "rose 34.7%", "34.7%", "number"),
    ("34.7%", "a ratio of 0.347", "0.347", "number"),
    ("34.7%", "| % | 34.7 |", "34.7", "number"),
    ("25 bps", "by 0.25%", "0.25%", "number"),
    ("0.12573673870333987", "about 12.6%", "12.6%", "number"),
    ("533.2 million", "(in millions) | $ 533.2 |", "$ 533.2", "number"),
    ("$533.2 million", "| RMB\u2019Million | 9 | 533.2 |", "533.2", "number"),
    ("25153000.0", "| $000 | 25,153 |", "25,153", "number"),
    ("533.2", "was $533.2 million", "$533.2 million", "number"),
    ("(0.4)", "| (0.4) |", "(0.4)", "number"),
    ("2.4", "a loss of (2.4)", "(2.4)", "number"),
    ("25", "the twenty-five of them", "twenty-five", "number"),
    ("twenty-five", "the 25 of them", "25", "number"),
    ("['$533 million']", "at $533 million", "$533 million", "number"),
    ("May", "It may rain in May, they say.", "May", "text"),
    ("May", "It ended. May 2019 was dry.", "May", "text"),
    ("May", "| Month |\n| --- |\n| May |", "May", "text"),
    ("May", "May", "May", "text"),
    ("The Who", "Who knows? The Who played.", "Who", "text"),
    ("US", "US sales rose, they told us.", "US", "text"),
]


@pytest.mark.parametrize(("answer", "context", "found", "how"), PRESENT, ids=[f"{a} in {c}" for a, c, *_ in PRESENT])
def test_an_answer_is_found_by_its_meaning(answer: str, context: str, found: str, how: str) -> None:
    finding = find_answer(answer, context)
    assert (finding.verdict, finding.how) == ("present", how)
    assert finding.span is not None
    assert context[finding.span.start : finding.span.end] == found


ABSENT = [
    ("May", "It may rain."),
    ("May", "It is late. May I go?"),
    ("May", "May it rain"),
    ("May", "a list:\nMay be sold"),
    ("May", "in Mayfair"),
    ("Will", "Sales will rise. \u201cWill they?\u201d"),
    ("The Who", "Who is it, and who pays?"),
    ("art", "start"),
    ("get_proxy", "get_proxy_url"),
    ("get_proxy", "GET_PROXY"),
    ("US", "between us"),
    ("Ohio", ""),
    ("BWV 1033", "BWV 10335"),
    ("2019", "in 20190 or 2018"),
    ("December 10, 1817", "in 1817"),  # not precise enough
    ("December 10, 1817", "in December 1817"),
    ("533", "1,533 and 533,100 and 5.33.1"),
    ("5.1", "version 5.1.2"),
    ("34.72%", "about 35%"),  # not precise enough
    ("34.7%", "of $34.7"),
    ("$533", "for €533"),
    ("24", "was 24.5%"),
    ("489", "was 488.8"),  # a count is not rounded
    ("19%", "by 5% | 19.35"),
    ("533.2 million", "| $ 533.2 |"),  # no scale is stated
    ("533.2 million", "(in thousands) | $ 533.2 |"),
    ("6 million", "(in millions)\n6 Segments"),
    ("1%", "a one-time charge of 5%"),
    ("-2.4", "a rise of 2.4"),
    ("12", "see Note 12"),
    ("['2019', '2018']", "in 2019 only"),
]


@pytest.mark.parametrize(("answer", "context"), ABSENT, ids=[f"{a} in {c}" for a, c in ABSENT])
def test_what_only_looks_alike_is_absent(answer: str, context: str) -> None:
    assert find_answer(answer, context) == AnswerFinding("absent")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty answer"),
        (" . ", "empty answer"),
        ("[]", "empty answer"),
        ("Yes.", "yes or no"),
        ("no", "yes or no"),
        ("TRUE", "yes or no"),
        ("7", "single digit"),
        ("-3", "single digit"),
        ("7.0", "single digit"),
        ("seven", "single digit"),
        ("B", "single letter"),
        ("it", "function word"),
        ("It returns a token where the credentials are valid and nothing at all otherwise.", "long answer"),
        ("It returns a token. Nothing otherwise.", "long answer"),
        ("It returns a token, where there is one, and nothing at all otherwise.", "long answer"),
        ("['2019', '7']", "single digit"),
    ],
)
def test_where_neither_can_be_said_the_rule_abstains(answer: str, reason: str) -> None:
    context = "Yes, no, true: 7, seven or -3 of 2019, B and it."
    assert find_answer(answer, context) == AnswerFinding("abstained", reason=reason)


def test_a_long_answer_that_stands_to_the_word_is_present() -> None:
    answer = "it returns a token where the credentials are valid and nothing at all otherwise"
    assert find_answer(answer, f"Note that\n{answer.upper()}.").verdict == "present"


def test_all_values_of_a_list_must_be_there() -> None:
    context = "| 2019 | 2018 |\nApple 32% and Huawei 13%, by Gillian Chung, Cecilia Cheung and Bobo Chan"
    for answer in ("['2019', '2018']", "32%, 13%", "2019; Apple", "Gillian Chung, Bobo Chan, and Cecilia Cheung"):
        finding = find_answer(answer, context)
        assert (finding.verdict, finding.how) == ("present", "list")
        assert len(finding.spans) == len(answer.replace(", and", ",").replace(";", ",").split(","))
    assert find_answer("32%, 14%", context).verdict == "absent"
    assert find_answer("Columbus, Ohio", "Ohio, not Columbus").verdict == "absent"


def test_an_alias_stands_for_the_answer() -> None:
    context = "He moved to the United States; no more."
    finding = find_answer("U.S.", context, aliases=["America", "United States"])
    assert (finding.verdict, finding.how) == ("present", "alias")
    assert finding.span is not None
    assert context[finding.span.start : finding.span.end] == "United States"


def test_an_alias_that_cannot_be_judged_is_passed_over() -> None:
    assert find_answer("Norway", "There is no more of it.", aliases=["NO", "no", "it"]).verdict == "absent"


CONTEXTS = st.lists(
    st.sampled_from(["Ohio", "art", "1,234", "$ 5.2 million", "(2.4)", "34.7%", "Dec. 10, 1817", "2019", "get_proxy",
                     "| ", "\n", "in millions", "one hundred", "12/31/06", "'", "\u2014"]),
    max_size=8,
).map(" ".join)  # fmt: skip


@given(st.one_of(st.text(max_size=30), CONTEXTS), st.one_of(st.text(max_size=60), CONTEXTS))
def test_a_finding_is_whole_on_any_text(answer: str, context: str) -> None:
    finding = find_answer(answer, context, aliases=[answer[:3]])
    assert bool(finding.spans) == (finding.verdict == "present") == (finding.how is not None)
    assert bool(finding.reason) == (finding.verdict == "abstained")
    assert all(0 <= span.start < span.end <= len(context) for span in finding.spans)


@given(st.integers(10, 10**9), st.sampled_from(["{}", "{:,}", "${:,}", "{} USD", "{}.0", "( {:,} )"]))
def test_a_number_is_found_however_it_is_printed(number: int, form: str) -> None:
    context = f"In all, {form.format(number)} were counted."
    # A small number in brackets is a footnote mark.
    expected = "absent" if "(" in form and number <= 20 else "present"
    assert find_answer(str(number), context).verdict == expected


@given(st.integers(10, 99_999), st.integers(-49, 49))
def test_a_figure_that_rounds_to_the_answer_is_found(number: int, hundredths: int) -> None:
    # 35% is answered by 34.51% to 35.49%; 100% by 99.51%.
    figure = f"{(100 * number + hundredths) / 100:.2f}%"
    assert find_answer(f"{number}%", f"It rose by {figure}.").verdict == "present"


@given(st.integers(10**7, 10**12).filter(lambda number: number % 10), st.integers(3, 6))
def test_a_computed_answer_is_found_in_a_rounded_figure(number: int, digits: int) -> None:
    answer = f"0.{number}"  # seven significant digits or more
    assert find_answer(answer, f"a share of {Decimal(answer):.{digits}f}").verdict == "present"


@pytest.mark.parametrize(
    ("answer", "context", "verdict"),
    [
        ("LlmAgent", "An llmagent is made.", "absent"),
        ("LlmAgent", "Use LlmAgent(name=...).", "present"),
        ("LlmAgent", "Use LlmAgentConfig.", "absent"),
    ],
)
def test_case_counts_for_the_name_of_a_class(answer: str, context: str, verdict: str) -> None:
    assert find_answer(answer, context).verdict == verdict


def test_a_word_that_is_said_to_be_a_name_is_not_the_word() -> None:
    assert find_answer("Progress", "How much progress was made.").verdict == "present"
    assert find_answer("Progress", "How much progress was made.", is_name=True).verdict == "absent"
    found = find_answer("`Progress`", "The class Progress shows bars.", is_name=True)
    assert (found.verdict, found.how) == ("present", "identifier")
