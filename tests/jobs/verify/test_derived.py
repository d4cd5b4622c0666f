from __future__ import annotations

import pytest

from goldproof.jobs.verify.verdicts import judge_case
from goldproof.jobs.verify.verdicts.derived import Derivation, derivations
from tests.jobs.verify.hand_made import LIBRARY, choice, tries


@pytest.mark.parametrize(
    ("text", "how", "letters"),
    [
        ("All of the above", "all", "ABC"),
        ("All of these.", "all", "ABC"),
        ("all the above options", "all", "ABC"),
        ("All of the above are correct", "all", "ABC"),
        ("None of the above", "none", "ABC"),
        ("None of these options", "none", "ABC"),
        ("None of the above; the name is taken from the function.", "none", "ABC"),
        ("None of the above: it cannot be done.", "none", "ABC"),
        ("None of these, because there is a fixed name", "none", "ABC"),
        ("None of the above - it is a plain text.", "none", "ABC"),
        ("Both A and B", "both", "AB"),
        ("Both (A) and (C) are correct.", "both", "AC"),
        ("A and B", "both", "AB"),
        ("A, B, and C", "both", "ABC"),
        ("Either A or B", "both", "AB"),
        ("A or C", "both", "AC"),
        ("Options A and C", "both", "AC"),
        ("Neither A nor B", "none", "AB"),
        ("Neither of these", "none", "ABC"),
    ],
)
def test_what_an_option_says_about_others(text: str, how: str, letters: str) -> None:
    found = derivations(choice("one", "two", "three", text))
    assert {letter: (one.how, "".join(one.letters)) for letter, one in found.items()} == {"D": (how, letters)}


@pytest.mark.parametrize("text", ["A and C only", "Only A and C", "A and C, only"])
def test_only_speaks_of_the_rest_too(text: str) -> None:
    assert derivations(choice("one", "two", "three", text)) == {"D": Derivation("only", ("A", "C"), ("B",))}


@pytest.mark.parametrize(
    "text",
    [
        "All of the fields",
        "A and Z",
        "Both A and D",
        "None",
        "A",
        "None of the tools run",
        "AND",
        "All of the above except B",
        "All of these are deprecated",
        "None of the above works; only B does.",
        "None of the above, but B comes close",
        "None of the above; all except the first fail.",
        "None of the arguments; it takes a list.",
        "None; the name is taken from the function.",
    ],
)
def test_what_speaks_of_no_other_option_is_not_derived(text: str) -> None:
    assert derivations(choice("one", "two", "three", text)) == {}


def test_letters_that_are_names_in_the_code_are_no_references() -> None:
    assert derivations(choice("x", "y", "A and B", key="A", snippet="class A: pass\nclass B(A): pass")) == {}
    assert derivations(choice("x", "y", "A and B", key="A", asked="What do `A` and `B` print?")) == {}
    assert set(derivations(choice("x", "y", "A and B", key="A", snippet="class Add: pass"))) == {"C"}


# statuses of A, B -> what D, the derived one, comes to
LOGIC = [
    ("All of the above", "hh", "holds"),
    ("All of the above", "hr", "refuted"),
    ("All of the above", "ho", "open"),
    ("All of the above", "ro", "refuted"),
    ("None of the above", "rr", "holds"),
    ("None of the above", "hr", "refuted"),
    ("None of the above", "ro", "open"),
    ("None of the above", "ho", "refuted"),
    ("Both A and B", "hh", "holds"),
    ("Both A and B", "hr", "refuted"),
    ("Either A or B", "hr", "refuted"),
    ("Neither A nor B", "rr", "holds"),
    ("Neither A nor B", "oo", "open"),
]


@pytest.mark.parametrize(("text", "others", "expected"), LOGIC)
def test_a_derived_option_follows_from_the_others(text: str, others: str, expected: str) -> None:
    words = {"h": "holds", "r": "refuted", "o": "open"}
    given = tries(**{letter: words[sign] for letter, sign in zip("AB", others, strict=True)})
    finding = judge_case(choice("one", "two", text, key="C"), library=LIBRARY, tries=given)
    assert finding.options[2].status == expected
    assert finding.options[2].derived == ("A", "B")


def test_proofs_of_a_derived_option_itself_decide_nothing() -> None:
    given = [*tries(A="holds", B="refuted"), *tries(C="holds")]
    assert judge_case(choice("one", "two", "Both A and B"), library=LIBRARY, tries=given).verdict == "valid"


@pytest.mark.parametrize(
    ("texts", "key", "statuses", "verdict"),
    [
        (("one", "two", "All of the above"), "C", "hh", "valid"),
        (("one", "two", "All of the above"), "A", "hh", "ambiguous"),
        (("one", "two", "All of the above"), "C", "hr", "incorrect"),
        (("one", "two", "All of the above"), "C", "ho", "unproven"),
        (("one", "two", "None of the above"), "C", "rr", "valid"),
        (("one", "two", "None of the above"), "A", "rr", "incorrect"),
        (("one", "two", "None of the above"), "A", "hr", "valid"),
        (("one", "two", "three", "Both A and B"), "D", "hhr", "valid"),
        (("one", "two", "three", "Both A and B"), "D", "hhh", "ambiguous"),  # C holds beside it
        (("one", "two", "three", "Both A and B"), "C", "rrh", "valid"),
        (("one", "two", "three", "A and B only"), "D", "hhr", "valid"),
        (("one", "two", "three", "A and B only"), "D", "hhh", "incorrect"),
        (("one", "two", "three", "Both A and B", "All of the above"), "E", "hhh", "valid"),  # covers more
        (("one", "two", "three", "Both A and B", "All of the above"), "D", "hhr", "valid"),
        (("one", "two", "Both A and B", "All of the above"), "C", "hh", "ambiguous"),  # two words for one answer
    ],
)
def test_the_derived_option_that_holds_is_the_answer(
    texts: tuple[str, ...], key: str, statuses: str, verdict: str
) -> None:
    words = {"h": "holds", "r": "refuted", "o": "open"}
    given = tries(**{letter: words[sign] for letter, sign in zip("ABC", statuses, strict=False)})
    assert judge_case(choice(*texts, key=key), library=LIBRARY, tries=given).verdict == verdict


def test_a_key_that_a_derived_option_covers_is_told_to_move() -> None:
    finding = judge_case(choice("one", "two", "All of the above"), library=LIBRARY, tries=tries(A="holds", B="holds"))
    assert finding.fix.startswith("change the key to C")


def test_both_by_subclassing_are_meant_where_both_is_offered() -> None:
    from tests.jobs.verify.hand_made import tried

    given = [tried("A", "confirmed", exact=False), tried("B", "confirmed")]
    case = choice("ValueError", "ValidationError", "Both A and B", key="C")
    assert judge_case(case, library=LIBRARY, tries=given).verdict == "valid"


def test_the_above_with_options_below_means_all_others_and_is_remarked() -> None:
    case = choice("one", "None of the above", "three", key="C")
    finding = judge_case(case, library=LIBRARY, tries=tries(A="refuted", C="holds"))
    assert (finding.verdict, finding.options[1].status) == ("valid", "refuted")
    assert [(one.kind, one.options) for one in finding.remarks] == [("position", ("B",))]


def test_options_that_speak_of_each_other_are_open() -> None:
    case = choice("one", "Both A and C", "Both A and B", key="A")
    finding = judge_case(case, library=LIBRARY, tries=tries(A="holds"))
    assert [one.status for one in finding.options] == ["holds", "open", "open"]


def test_neither_of_two_leaves_the_exact_type_before_the_loose_one() -> None:
    from tests.jobs.verify.hand_made import tried

    given = [*tries(A="refuted", B="refuted"), tried("C", "confirmed", exact=False), tried("D", "confirmed")]
    case = choice("one", "two", "ValueError", "ValidationError", "Neither A nor B", key="D")
    assert judge_case(case, library=LIBRARY, tries=given).holds == ("D", "E")
