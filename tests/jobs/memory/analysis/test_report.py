"""The findings as a report shows them."""

from __future__ import annotations

from goldproof.jobs.memory.analysis.findings import Advice, Diagnosis, ExpectedFinding, Intruder, MissedCriterion
from goldproof.jobs.memory.analysis.report import diagnoses_markdown, remedy_table
from goldproof.report import render

RENT = Diagnosis(
    key="flat/rent",
    scenario="flat",
    query="What is\n the rent?",
    kind="update",
    k=2,
    pool=9,
    came=3,
    unexpected=2,
    missed=(MissedCriterion("Hit@1 = 1", 0.0), MissedCriterion("precision > 0.8", 1 / 3)),
    expected=(
        ExpectedFinding(
            "new", 2, "user", "The rent is 950.", 3, "outranked", "came at 3, behind old", lexical=2, dense=1
        ),
        ExpectedFinding(
            "fees",
            1,
            "user",
            "Heating | water extra.",
            code="not returned",
            reason="fewer than k came",
            dense=4,
            wording="lexical rank none, dense rank 4 of 9: wording mismatch.",
        ),
    ),
    intruders=(
        Intruder(1, "m1", ("old",), "user", "The rent is 900.", 0.7123, marks=("older than all expected",)),
        Intruder(2, "f7", (), "", "Lives in a flat.", None, reference=0.25),
    ),
    remarks=("new came at 3.",),
    remedies=(
        Advice("A", "another may", "fees"),
        Advice("A", "another may", "garage"),
        Advice("F", "it is older"),
    ),
)
CRASHED = Diagnosis("flat/dog", "flat", "Whose dog?", "exact", k=5, pool=9, came=0, error="ValueError: no")
OTHER = Diagnosis(
    "work", "work", "Which desk?", "exact", k=5, pool=1, came=0, missed=(MissedCriterion("recall > 0.9", None),)
)
LEFT = Diagnosis("work/2", "work", "Which chair?", "exact", k=5, pool=1, came=0, analysed=False)

EXPECTED = """\
### flat

**flat/rent** (update): What is the rent?

Missed: `Hit@1 = 1` (0), `precision > 0.8` (0.3333). 3 came, k = 2, 9 stored.

| expected | grade | came at | BM25 rank | minilm rank | why |
| --- | ---: | ---: | ---: | ---: | --- |
| new "The rent is 950." | 2 | 3 | 2 | 1 | outranked: came at 3, behind old. |
| fees "Heating \\| water extra." | 1 | – | – | 4 | not returned: fewer than k came. lexical rank none, dense \
rank 4 of 9: wording mismatch. |

| came at | not expected | role | similarity | remark |
| ---: | --- | --- | ---: | --- |
| 1 | old "The rent is 900." | user | 0.712 | older than all expected |
| 2 | f7 (matches no memory) "Lives in a flat." |  | 0.250 (minilm) |  |

- new came at 3.
- Remedy A (another embedding model): fees, garage: another may.
- Remedy F (newer memories first): it is older.

**flat/dog** (exact): Whose dog?

It failed: ValueError: no

### work

**work** (exact): Which desk?

Missed: `recall > 0.9` (undefined). 0 came, k = 5, 1 stored.

- Nothing that was seen points to a remedy.

1 more query did not pass and was not analysed; the first 2 were.
"""


def test_findings_stand_under_their_scenarios() -> None:
    # The second of `flat` comes after `work` in the run, and stands with its own.
    assert diagnoses_markdown([RENT, OTHER, CRASHED, LEFT]) == EXPECTED


def test_what_is_not_shown_of_many_unexpected_items_is_counted() -> None:
    many = Diagnosis("a", "a", "?", "exact", k=5, pool=99, came=30, unexpected=30, intruders=RENT.intruders)
    assert "\n\n28 more came that were not expected.\n\n" in diagnoses_markdown([many])


def test_a_remedy_that_no_query_points_to_is_left_out_and_the_others_have_their_number_of_queries() -> None:
    assert (
        render(remedy_table([RENT, OTHER, CRASHED, LEFT]), "markdown")
        == """\
### Remedies

| remedy | queries | which |
| --- | ---: | --- |
| A another embedding model | 1 | flat/rent |
| F newer memories first | 1 | flat/rent |

- A query may point to several remedies; try them to see whether they help.
- No remedy in sight for 1 (work).
- 1 failed with an error (flat/dog).
- 1 more query did not pass and was not analysed; the first 2 were.
"""
    )


def test_of_many_queries_the_first_are_named() -> None:
    many = [
        Diagnosis(f"q{i}", "s", "?", "exact", k=5, pool=9, came=0, remedies=(Advice("C", "why", "m"),))
        for i in range(16)
    ]
    (row,) = [row for row in remedy_table(many).rows if row[0].startswith("C ")]
    assert row[1:] == ("16", "q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, +3")


def test_a_remedy_is_titled_by_what_its_evidence_supports() -> None:
    filtered = Advice("B", "the query names role = 'opponent'", choice="a filter on role")
    near = Advice("B", "k = 6 may bring it", "m", choice="a larger k")
    query = Diagnosis("a", "a", "?", "exact", k=5, pool=9, came=2, remedies=(filtered,))
    assert "- Remedy B (a filter on role): the query names role = 'opponent'.\n" in diagnoses_markdown([query])
    assert filtered.to_dict()["title"] == "a filter on role"
    both = Diagnosis("b", "b", "?", "exact", k=5, pool=9, came=5, remedies=(near, filtered, near))
    assert both.title_of("B") == "a larger k or a filter on role"
