"""Kernels: what is found, what it costs, and what is never claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import BudgetSpentError, InputError, SearchFailedError
from goldproof.jobs.mine.kernels import KernelOutcome, KernelSettings, check_kernel, find_kernels
from goldproof.judge.judge import Ruling
from goldproof.records.entities import Document, Question
from tests.jobs.mine.kernel_truth import QUESTION, PlantedJudge, bm25_search, corpus, run

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENTS = corpus(8)
SEARCH = bm25_search(DOCUMENTS.values())
ONE_SEED = KernelSettings(seeds=1, per_step=1)


def kernels(*ids: str) -> list[frozenset[str]]:
    return [frozenset(one.split()) for one in ids]


def documents(ids: str) -> list[Document]:
    return [DOCUMENTS[one] for one in ids.split()]


def find(
    judge: PlantedJudge,
    start: str = "d0",
    settings: KernelSettings = ONE_SEED,
    known: dict[frozenset[str], Ruling] | None = None,
) -> KernelOutcome:
    return run(
        find_kernels(QUESTION, start=documents(start), judge=judge, search=SEARCH, settings=settings, known=known)
    )


def test_the_seeds_own_example_is_found_with_three_rulings() -> None:
    judge = PlantedJudge(kernels("d0 d5"))
    settings = KernelSettings(seeds=1, per_step=1, alternatives=0)
    outcome = find(judge, settings=settings)
    assert outcome.kernels == (("d0", "d5"),)
    # {d0}: no, "own5 detail5" is missing; {d0, d5}: yes. Without d5: known; without d0: no.
    assert [(one.documents, one.why, one.ruling.label) for one in outcome.rulings] == [
        (("d0",), "seed", "no"),
        (("d0", "d5"), "expand", "yes"),
        (("d5",), "minimise", "no"),
    ]
    assert outcome.added == (("d5", "expansion"),)
    assert outcome.bounded == "alternatives"
    assert not outcome.exhausted


def test_what_the_evidence_quotes_is_tried_first() -> None:
    start = "d0 d1 d2 d3 d4 d5"
    settings = KernelSettings(seeds=6, alternatives=0)
    quoted = find(PlantedJudge(kernels("d1 d4")), start, settings)
    one_by_one = find(PlantedJudge(kernels("d1 d4"), quotes="none"), start, settings)
    assert quoted.kernels == one_by_one.kernels == (("d1", "d4"),)
    # six: yes; {d1, d4}: yes; {d1}: no; {d4}: no
    assert len(quoted.rulings) == 4
    # six: yes; without d5, without d4 (no), d3, d2, d1 (no), d0: six more, of which the last is {d1, d4}; {d1}; {d4}
    assert len(one_by_one.rulings) == 9


def test_a_document_that_is_known_to_suffice_alone_is_a_kernel_at_no_cost() -> None:
    judge = PlantedJudge(kernels("d3"))
    outcome = find(judge, settings=KernelSettings(alternatives=0), known={frozenset({"d3"}): Ruling("yes")})
    assert outcome.kernels == (("d3",),)
    assert judge.asked == []


def test_a_known_set_is_a_kernel_only_if_every_smaller_one_is_known_to_be_too_small() -> None:
    known = {
        frozenset({"d1", "d2"}): Ruling("yes"),
        frozenset({"d1"}): Ruling("no"),
        frozenset({"d2"}): Ruling("no"),
        frozenset({"d3", "d4"}): Ruling("yes"),
        frozenset({"d3"}): Ruling("no"),
    }
    outcome = find(PlantedJudge([]), settings=KernelSettings(alternatives=0), known=known)
    assert outcome.kernels == (("d1", "d2"),)
    assert outcome.unverified == (("d3", "d4"),)
    assert outcome.rulings == ()


def test_alternatives_are_found_by_banning_members_and_members_of_what_is_found_then() -> None:
    judge = PlantedJudge(kernels("d0 d1", "d0 d2", "d4 d5 d6", "d7"))
    outcome = find(judge, settings=KernelSettings(steps=20, size=20, alternatives=20, rulings=1000))
    assert sorted(outcome.kernels) == [("d0", "d1"), ("d0", "d2"), ("d4", "d5", "d6"), ("d7",)]
    assert outcome.exhausted
    assert outcome.bounded == ""


def test_no_more_alternatives_are_looked_for_than_allowed() -> None:
    judge = PlantedJudge(kernels("d0", "d1", "d2", "d3"))
    outcome = find(judge, settings=KernelSettings(steps=9, alternatives=1))
    assert len(outcome.kernels) == 2
    assert outcome.bounded == "alternatives"


def test_a_search_that_comes_to_its_end_without_a_yes_is_exhausted() -> None:
    outcome = find(PlantedJudge([]), settings=KernelSettings(steps=9, size=20))
    assert outcome.kernels == ()
    assert outcome.exhausted
    assert outcome.rulings[-1].documents == tuple(DOCUMENTS)  # everything, together


@pytest.mark.parametrize(
    ("settings", "bound", "rulings"),
    [
        (KernelSettings(steps=2, per_step=1, seeds=1), "steps", 3),  # 1, 2, 3 documents
        (KernelSettings(steps=9, per_step=1, seeds=1, size=2), "size", 2),  # 1, 2 documents
        (KernelSettings(steps=9, per_step=1, seeds=1, rulings=4), "rulings", 4),
        (KernelSettings(steps=0), "steps", 1),
    ],
)
def test_the_bound_that_ended_the_search_is_named(settings: KernelSettings, bound: str, rulings: int) -> None:
    outcome = find(PlantedJudge([]), settings=settings)
    assert (outcome.bounded, len(outcome.rulings), outcome.exhausted) == (bound, rulings, False)


@pytest.mark.parametrize(
    ("names", "start", "informed"),
    [
        (True, "d0", True),
        (False, "d0", False),
        (True, "zzz", False),  # nothing to start from, nothing asked: nobody named anything
    ],
)
def test_a_search_is_informed_where_the_judge_says_after_every_no_what_is_missing(
    names: bool, start: str, informed: bool
) -> None:
    judge = PlantedJudge(kernels("d0 d1 d2 d3 d4 d5 d6 d7"), names_missing=names)
    question = QUESTION if start == "d0" else Question("q", start)
    settings = KernelSettings(steps=2, per_step=1, seeds=1)
    first = documents(start) if start in DOCUMENTS else ()
    outcome = run(find_kernels(question, start=first, judge=judge, search=SEARCH, settings=settings))
    assert outcome.informed == informed
    assert outcome.bounded == ("steps" if start == "d0" else "")


class SilentOnce(PlantedJudge):
    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        ruling = await super().judge(question, documents)
        return Ruling("no") if len(self.asked) == self.salt else ruling


@pytest.mark.parametrize("when", [1, 2, 3])
def test_one_no_that_names_nothing_makes_a_search_blind(when: int) -> None:
    outcome = find(
        SilentOnce(kernels("d0 d1 d2 d3 d4 d5 d6 d7"), salt=when), settings=KernelSettings(steps=2, per_step=1, seeds=1)
    )
    assert (len(outcome.rulings), outcome.bounded, outcome.informed) == (3, "steps", False)


def test_a_search_is_blind_where_it_was_in_one_expansion_of_several() -> None:
    # {d0}: no, named; {d0, d5}: yes; {d5}: no. Without d0, from {d5}: the fourth ruling names nothing.
    settings = KernelSettings(steps=2, per_step=1, seeds=1)
    assert find(SilentOnce(kernels("d0 d5", "d1 d2 d3 d4 d6"), salt=99), settings=settings).informed
    outcome = find(SilentOnce(kernels("d0 d5", "d1 d2 d3 d4 d6"), salt=4), settings=settings)
    assert outcome.kernels == (("d0", "d5"),)
    assert not outcome.informed


def test_a_set_is_not_called_minimal_when_no_more_rulings_may_be_asked_for() -> None:
    # {d0}: no; {d0, d5}: yes; that {d5} does not suffice is never asked
    outcome = find(PlantedJudge(kernels("d0 d5")), settings=KernelSettings(seeds=1, per_step=1, rulings=2))
    assert outcome.kernels == ()
    assert outcome.unverified == (("d0", "d5"),)
    assert outcome.bounded == "rulings"


class FailsOn(PlantedJudge):
    """Comes to no ruling on one set."""

    without: tuple[str, ...] = ()

    def _fails(self, ids: tuple[str, ...]) -> bool:
        return ids == self.without


@pytest.mark.parametrize("label", ["failed", "unsupported", "disputed", "abstained"])
def test_a_set_is_not_called_minimal_on_a_ruling_without_an_outcome(label: str) -> None:
    judge = FailsOn(kernels("d0 d5"), instead=label)  # type: ignore[arg-type]
    judge.without = ("d5",)
    outcome = find(judge, settings=KernelSettings(seeds=1, per_step=1, alternatives=0))
    assert outcome.kernels == ()
    assert outcome.unverified == (("d0", "d5"),)
    assert outcome.failed == 1


def test_expansion_goes_on_over_a_ruling_without_an_outcome() -> None:
    judge = FailsOn(kernels("d0 d5"))
    judge.without = ("d0",)
    outcome = find(judge, settings=KernelSettings(seeds=1, steps=9, alternatives=0))
    # {d0} has no outcome, so that what is found with d0 in it is proven for d5 only
    assert outcome.unverified == (("d0", "d5"),)
    assert outcome.failed == 1


def test_words_that_are_named_again_are_searched_for_deeper_and_beside() -> None:
    # d1 is what the judge names, and it is banned by not being in the corpus: d6 and d7 must still be reached
    there = {one: document for one, document in DOCUMENTS.items() if one != "d1"}
    judge = PlantedJudge(kernels("d0 d1", "d0 d6 d7"))
    settings = KernelSettings(seeds=1, per_step=2, steps=4, alternatives=0)
    outcome = run(
        find_kernels(
            QUESTION,
            start=[DOCUMENTS["d0"]],
            judge=judge,
            search=bm25_search(there.values()),
            settings=settings,
        )
    )
    assert outcome.kernels == (("d0", "d6", "d7"),)


def test_without_a_start_the_question_is_searched_for() -> None:
    outcome = find(PlantedJudge(kernels("d2")), start="", settings=KernelSettings(steps=9))
    assert outcome.kernels == (("d2",),)


def test_all_of_the_start_is_tried_where_the_search_finds_nothing() -> None:
    async def nothing(_words: str, _many: int, _banned: frozenset[str]) -> list[Document]:
        return []

    judge = PlantedJudge(kernels("d0 d4", "d2 d3"))
    start = documents("d0 d1 d2 d3 d4")
    settings = KernelSettings(seeds=1, per_step=1)
    outcome = run(find_kernels(QUESTION, start=start, judge=judge, search=nothing, settings=settings))
    assert sorted(outcome.kernels) == [("d0", "d4"), ("d2", "d3")]
    assert outcome.exhausted
    assert outcome.added == ()


def test_a_judge_that_names_what_is_missing_costs_one_search_a_step() -> None:
    asked = []

    async def counting(words: str, many: int, banned: frozenset[str]) -> list[Document]:
        asked.append(words)
        return list(await SEARCH(words, many, banned))

    judge = PlantedJudge(kernels("d0 d5 d6"))
    settings = KernelSettings(seeds=1, per_step=1, alternatives=0)
    outcome = run(find_kernels(QUESTION, start=documents("d0"), judge=judge, search=counting, settings=settings))
    assert outcome.kernels == (("d0", "d5", "d6"),)
    assert asked == ["own5 detail5", "own6 detail6"]


def test_where_nothing_is_found_nothing_is_asked() -> None:
    judge = PlantedJudge(kernels("d2"))
    stranger = Question("q", "zzz")
    outcome = run(find_kernels(stranger, start=(), judge=judge, search=SEARCH))
    assert outcome == KernelOutcome(exhausted=True)
    assert judge.asked == []


def test_a_search_that_fails_is_not_exhausted() -> None:
    async def failing(words: str, many: int, banned: frozenset[str]) -> list[Document]:
        if "own5" in words:
            raise SearchFailedError("no connection")
        return list(await SEARCH(words, many, banned))

    judge = PlantedJudge(kernels("d0 d5"))
    settings = KernelSettings(seeds=1, steps=9, alternatives=9)
    outcome = run(find_kernels(QUESTION, start=documents("d0"), judge=judge, search=failing, settings=settings))
    assert outcome.kernels == (("d0", "d5"),)  # by the question's own words
    assert (outcome.exhausted, outcome.bounded) == (False, "search failed")


class Spent(PlantedJudge):
    async def judge(self, question: Question, documents: object) -> Ruling:  # noqa: ARG002
        raise BudgetSpentError("no more")


def test_a_spent_budget_passes_through() -> None:
    with pytest.raises(BudgetSpentError):
        find(Spent([]))


def test_a_proposed_set_is_judged_and_minimised() -> None:
    judge = PlantedJudge(kernels("d0 d5"))
    outcome = run(check_kernel(QUESTION, documents=documents("d3 d0 d5 d0"), judge=judge))
    assert outcome.kernels == (("d0", "d5"),)
    assert [one.why for one in outcome.rulings] == ["agent", "minimise", "minimise", "minimise"]
    assert outcome.exhausted


def test_a_proposed_set_that_does_not_suffice_is_no_kernel() -> None:
    judge = PlantedJudge(kernels("d0 d5"))
    outcome = run(check_kernel(QUESTION, documents=documents("d0 d3"), judge=judge))
    assert (outcome.kernels, outcome.unverified, len(outcome.rulings)) == ((), (), 1)
    assert run(check_kernel(QUESTION, documents=(), judge=judge)) == KernelOutcome(exhausted=True)


def test_a_proposed_set_keeps_to_the_number_of_rulings() -> None:
    judge = PlantedJudge(kernels("d0 d5"))
    outcome = run(check_kernel(QUESTION, documents=documents("d0 d5"), judge=judge, settings=KernelSettings(rulings=2)))
    assert (outcome.unverified, outcome.bounded) == ((("d0", "d5"),), "rulings")


@pytest.mark.parametrize(
    ("wrong", "value"), [("steps", -1), ("per_step", 0), ("size", True), ("rulings", 1.5), ("seeds", 0)]
)
def test_settings_that_allow_nothing_are_refused(wrong: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{wrong} is .*, expected a whole number of at least"):
        KernelSettings(**{wrong: value})  # type: ignore[arg-type]
