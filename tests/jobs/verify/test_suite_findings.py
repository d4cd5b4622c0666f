from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.verify.finding import CaseFinding, OptionFinding
from goldproof.jobs.verify.suite import suite_remarks
from goldproof.text.near_duplicates import jaccard
from tests.jobs.verify.hand_made import LIBRARY, choice, fix, tried

if TYPE_CHECKING:
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.proof import Standing


def kinds(*cases: Case) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    return {case: [(one.kind, one.cases) for one in remarks] for case, remarks in suite_remarks(cases).items()}


def test_cases_of_their_own_are_not_remarked() -> None:
    assert kinds(choice("one", "two"), choice("three", "four", asked="What else is there?", name="s:2")) == {}


def test_the_same_question_and_options_in_any_order_are_duplicates() -> None:
    one = choice("a `dict`", "a list", asked="What does it return?")
    other = choice("A List.", "a dict", key="B", asked="What does  it return", name="s:2")
    assert kinds(one, other) == {"s:1": [("duplicate", ("s:2",))], "s:2": [("duplicate", ("s:1",))]}


def test_another_snippet_makes_another_question() -> None:
    cases = [choice("1", "2", asked="What is printed?", snippet=f"print({n})", name=f"s:{n}") for n in range(3)]
    assert kinds(*cases) == {}


def test_three_of_a_kind_are_each_told_of_the_others() -> None:
    cases = [choice("1", "2", name=f"s:{n}") for n in range(3)]
    assert {case: len(found) for case, found in kinds(*cases).items()} == {"s:0": 2, "s:1": 2, "s:2": 2}


@pytest.mark.parametrize(
    ("texts", "key", "contradictory"),
    [
        (("a dict", "a list"), "B", True),
        (("a list", "a dict"), "A", True),
        (("a list", "a dict"), "B", False),
        (("a tuple", "a dict"), "A", True),  # what is right there is wrong here
        (("a tuple", "a set"), "A", False),  # both may be right
    ],
)
def test_the_same_question_with_another_right_answer_contradicts(
    texts: tuple[str, ...], key: str, contradictory: bool
) -> None:
    found = kinds(choice("a dict", "a list"), choice(*texts, key=key, name="s:2"))
    assert ("contradictory case" in {kind for one in found.values() for kind, _ in one}) == contradictory


def finding(case: Case, standing: Standing, *, letter: str = "A", **given: object) -> CaseFinding:
    made = tried(letter, standing, script='"""Words."""\nsame()', **given)  # type: ignore[arg-type]
    return CaseFinding(case, LIBRARY, "valid", "", (OptionFinding(letter, "x", "holds", "", (made,)),))


def test_one_claim_that_is_right_here_and_wrong_there_contradicts() -> None:
    one, other = choice("x", "y"), choice("z", "x", asked="Something else altogether?", name="s:2")
    right, wrong = finding(one, "confirmed"), finding(other, "confirmed", letter="B")
    assert {case: found[0].kind for case, found in suite_remarks([one, other], [right, wrong]).items()} == {
        "s:1": "contradictory case",
        "s:2": "contradictory case",
    }
    also_right = finding(other, "confirmed")
    weak = finding(other, "supported", letter="B", power="refutes")
    assert suite_remarks([one, other], [right, also_right]) == suite_remarks([one, other], [right, weak]) == {}


LONG = "Which of the following describes best what happens when the loader meets a tag that it does not know at all"


def test_nearly_the_same_words_are_a_near_duplicate() -> None:
    # 20 different words with the options; one more: 20 / 21 = 0.952.
    found = kinds(choice("it", "raises", asked=LONG), choice("it", "raises", asked=f"{LONG} today", name="s:2"))
    assert found == {"s:1": [("near duplicate", ("s:2",))], "s:2": [("near duplicate", ("s:1",))]}


@pytest.mark.parametrize(
    "words", ["`safe` `full`", "SafeLoader FullLoader", "safe_load full_load", "yaml.load yaml.dump", "3 4"]
)
def test_another_name_or_number_makes_another_question(words: str) -> None:
    one, other = (choice("it", "raises", asked=f"{LONG} {word}", name=word) for word in words.split())
    assert kinds(one, other) == {}
    assert kinds(one, choice("it", "raises", asked=LONG)) == {}


def test_no_near_duplicate_is_missed() -> None:
    # Every pair of sets of words compared, against the few that meet by a rare word.
    base = LONG.split()
    texts = [" ".join(word for place, word in enumerate(base) if place % 19 != drop) for drop in range(19)]
    cases = [choice("it", "raises", asked=text, name=f"s:{number}") for number, text in enumerate(texts)]
    words = [frozenset(f"{text} it raises".lower().split()) for text in texts]
    near = sum(jaccard(one, other) >= 0.9 for one, other in combinations(words, 2))
    told = sum(kind == "near duplicate" for one in kinds(*cases).values() for kind, _ in one)
    assert near > 100
    assert told == 2 * near


def test_files_of_a_fix_are_part_of_the_question() -> None:
    one, same, other = fix("x = 1", "x = 2"), fix("x  = 1", "x = 3"), fix("y = 1", "x = 2")
    cases = [replace(case, question=replace(case.question, id=f"s:{n}")) for n, case in enumerate((one, same, other))]
    assert kinds(*cases) == {"s:0": [("duplicate", ("s:1",))], "s:1": [("duplicate", ("s:0",))]}
