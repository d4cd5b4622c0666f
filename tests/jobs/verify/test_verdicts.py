from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from goldproof.jobs.verify.finding import Remark
from goldproof.jobs.verify.verdicts import find_option, judge_case
from tests.jobs.verify.hand_made import LIBRARY, choice, tried, tries

# key A; others B, C, D. h holds, r refuted, o open -> verdict, and the letters that its reason must name.
TABLE = {
    "h rrr": ("valid", "A"),
    "h rro": ("unproven", "D"),
    "h roo": ("unproven", "CD"),
    "h ooo": ("unproven", "BCD"),
    "h hrr": ("ambiguous", "AB"),
    "h hro": ("ambiguous", "AB"),
    "h hoo": ("ambiguous", "AB"),
    "h hhr": ("ambiguous", "ABC"),
    "h hho": ("ambiguous", "ABC"),
    "h hhh": ("ambiguous", "ABCD"),
    "r rrr": ("incorrect", "A"),
    "r rro": ("incorrect", "A"),
    "r roo": ("incorrect", "A"),
    "r ooo": ("incorrect", "A"),
    "r hrr": ("incorrect", "AB"),
    "r hro": ("incorrect", "AB"),
    "r hoo": ("incorrect", "AB"),
    "r hhr": ("incorrect", "ABC"),
    "r hho": ("incorrect", "ABC"),
    "r hhh": ("incorrect", "ABCD"),
    "o rrr": ("unproven", "A"),
    "o rro": ("unproven", "AD"),
    "o roo": ("unproven", "ACD"),
    "o ooo": ("unproven", "ABCD"),
    "o hrr": ("unproven", "AB"),
    "o hro": ("unproven", "ABD"),
    "o hoo": ("unproven", "ABCD"),
    "o hhr": ("ambiguous", "ABC"),
    "o hho": ("ambiguous", "ABC"),
    "o hhh": ("ambiguous", "ABCD"),
}
WORDS = {"h": "holds", "r": "refuted", "o": "open"}


def test_the_table_is_the_whole_grid() -> None:
    # 3 statuses of the key, times the multisets of 3 others out of 3 statuses: 3 * C(5, 3) = 30.
    grid = {f"{key} {''.join(sorted(others, key='hro'.index))}" for key, *others in product("hro", repeat=4)}
    assert grid == set(TABLE)
    assert len(grid) == 30


@pytest.mark.parametrize("row", TABLE)
def test_the_verdict_follows_from_the_key_and_the_others(row: str) -> None:
    verdict, named = TABLE[row]
    statuses = dict(zip("ABCD", (WORDS[sign] for sign in row.replace(" ", "")), strict=True))
    finding = judge_case(choice("one", "two", "three", "four"), library=LIBRARY, tries=tries(**statuses))
    assert finding.verdict == verdict
    assert {letter: one.status for letter, one in zip("ABCD", finding.options, strict=True)} == statuses
    said = finding.reason.replace(",", " ").replace(".", " ").replace(":", " ").split()
    assert [letter for letter in named if letter not in said] == []
    assert (finding.fix != "") == (verdict in {"incorrect", "ambiguous"})


def test_an_incorrect_case_says_that_nothing_holds_or_that_nothing_is_shown_to() -> None:
    case = choice("one", "two")
    assert "No option holds." in judge_case(case, library=LIBRARY, tries=tries(A="refuted", B="refuted")).reason
    assert "None of the others is shown to hold." in judge_case(case, library=LIBRARY, tries=tries(A="refuted")).reason


def test_the_fix_of_an_incorrect_case_names_the_option_that_holds() -> None:
    finding = judge_case(choice("one", "two"), library=LIBRARY, tries=tries(A="refuted", B="holds"))
    assert finding.fix == "change the key to B, or reword A."


def test_another_option_that_holds_beside_an_open_key_is_remarked() -> None:
    finding = judge_case(choice("one", "two", "three"), library=LIBRARY, tries=tries(B="holds", C="refuted"))
    assert [(one.kind, one.options) for one in finding.remarks] == [("another holds", ("B", "A"))]


@pytest.mark.parametrize("option", ["premise", "snippet"])
def test_a_refuted_premise_breaks_the_case_whatever_the_options_say(option: str) -> None:
    given = [tried(option, "refuted", says="`Loder` exists.", seen="no Loder"), *tries(A="holds", B="refuted")]
    finding = judge_case(choice("one", "two"), library=LIBRARY, tries=given)
    assert finding.verdict == "broken"
    assert "`Loder` exists. Not so: no Loder" in finding.reason
    assert [one.proof.option for one in finding.premises] == [option]
    assert [one.kind for one in finding.remarks if one.broken] == ["premise"]


def test_a_premise_that_holds_or_has_no_verdict_breaks_nothing() -> None:
    for standing in ("confirmed", "supported", "no verdict"):
        given = [tried("premise", standing), *tries(A="holds", B="refuted")]
        assert judge_case(choice("one", "two"), library=LIBRARY, tries=given).verdict == "valid"


def test_a_broken_remark_breaks_the_case_and_another_does_not() -> None:
    case, given = choice("one", "two"), tries(A="holds", B="refuted")
    broken = Remark("contradicts snippet", "the text says x = 1, the snippet x = 2.", broken=True)
    assert judge_case(case, library=LIBRARY, tries=given, remarks=[broken]).reason == broken.text
    kept = judge_case(case, library=LIBRARY, tries=given, remarks=[Remark("duplicate", "as s:2.")])
    assert (kept.verdict, kept.remarks) == ("valid", (Remark("duplicate", "as s:2."),))


def test_a_refutation_goes_before_a_confirmation_and_both_are_said() -> None:
    given = [tried("A", "confirmed", says="It prints 1."), tried("A", "refuted", says="It returns 2.", seen="3")]
    found = find_option("A", "one", tries=given)
    assert found.status == "refuted"
    assert found.reason == "It returns 2. Not so: 3. Another proof confirms: It prints 1: seen."


def test_where_only_a_look_at_some_words_refutes_what_a_deciding_proof_confirms_the_option_is_open() -> None:
    weak = tried("A", "refuted", says="`Loder` exists.", seen="no Loder")
    weak = replace(weak, proof=replace(weak.proof, power="refutes", rule="prose"))
    found = find_option("A", "one", tries=[tried("A", "confirmed", says="It prints 1."), weak])
    assert found.status == "open"
    assert found.reason == "proofs disagree: It prints 1: seen; but `Loder` exists. Not so: no Loder."


@pytest.mark.parametrize(
    ("standing", "why"),
    [("supported", "which alone does not show"), ("no verdict", "no verdict: it timed out"), (None, "no rule applies")],
)
def test_an_open_option_says_why(standing: str | None, why: str) -> None:
    given = [] if standing is None else [tried("A", standing)]  # type: ignore[arg-type]
    found = find_option("A", "one", tries=given)
    assert found.status == "open"
    assert why in found.reason


def test_an_exact_type_goes_before_one_that_holds_by_subclassing() -> None:
    given = [tried("A", "confirmed", exact=False), tried("B", "confirmed"), tried("C", "refuted")]
    finding = judge_case(choice("ValueError", "ValidationError", "KeyError", key="B"), library=LIBRARY, tries=given)
    assert (finding.verdict, finding.holds) == ("valid", ("B",))
    assert [(one.kind, one.options) for one in finding.remarks] == [("exact type", ("B", "A"))]
    other = judge_case(choice("ValueError", "ValidationError", "KeyError", key="A"), library=LIBRARY, tries=given)
    assert other.verdict == "incorrect"
    assert "only by subclassing" in other.reason


def test_two_that_hold_by_subclassing_alone_leave_it_ambiguous() -> None:
    given = [tried("A", "confirmed", exact=False), tried("B", "confirmed", exact=False)]
    assert judge_case(choice("Exception", "ValueError"), library=LIBRARY, tries=given).verdict == "ambiguous"


def test_one_confirmation_that_is_loose_makes_the_option_loose() -> None:
    given = [tried("A", "confirmed", exact=False), tried("A", "confirmed"), tried("B", "confirmed")]
    assert judge_case(choice("one", "two"), library=LIBRARY, tries=given).holds == ("B",)


@pytest.mark.parametrize(
    ("rule", "others", "texts", "verdict"),
    [
        ("keyword (meaning)", "refuted refuted", "a b c", "valid"),
        ("keyword (meaning)", "refuted open", "a b c", "unproven"),  # another may be meant
        ("keyword (meaning)", "refuted supported", "a b c", "unproven"),  # two are accepted
        ("flag (meaning)", "refuted refuted", "a b c", "valid"),
        ("flag (meaning)", "refuted supported", "a b c", "unproven"),
        ("flag (meaning)", "refuted", "a b|None of the above", "unproven"),
        ("import (meaning)", "refuted refuted", "a b c", "valid"),
        ("import (meaning)", "refuted open", "a b c", "unproven"),
        ("flag", "refuted refuted", "a b c", "unproven"),
        ("import", "refuted refuted", "a b c", "unproven"),
        ("names", "refuted refuted", "a b c", "unproven"),  # existence is never lifted
        ("keyword (meaning)", "refuted", "a b|None of the above", "unproven"),  # perhaps none is meant
        ("keyword (meaning)", "refuted", "a b|All of the above", "valid"),
    ],
)
def test_the_only_accepted_keyword_is_the_answer(rule: str, others: str, texts: str, verdict: str) -> None:
    plain, _, derived = texts.partition("|")
    given = [tried("A", "supported", rule=rule)]
    for letter, status in zip("BC", others.split(), strict=False):
        given += [tried(letter, status, rule=rule)] if status != "open" else []  # type: ignore[arg-type]
    finding = judge_case(choice(*plain.split(), *filter(None, [derived])), library=LIBRARY, tries=given)
    assert finding.verdict == verdict


def test_a_lone_option_without_refuted_ones_is_not_lifted() -> None:
    given = [tried("A", "supported", rule="keyword (meaning)")]
    assert judge_case(choice("a"), library=LIBRARY, tries=given).verdict == "unproven"


def test_a_question_of_another_kind_claims_nothing() -> None:
    from dataclasses import replace

    finding = judge_case(replace(choice("a"), kind="question", options={}, key=None), library=LIBRARY, tries=[])
    assert finding.verdict == "unproven"
