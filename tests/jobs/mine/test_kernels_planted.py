"""Planted kernels are found, all of them where the bounds allow it; and nothing else is ever called a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.jobs.mine.kernels import KernelOutcome, KernelSettings, find_kernels
from goldproof.judge.judge import Ruling
from tests.jobs.mine.kernel_truth import QUESTION, PlantedJudge, bm25_search, corpus, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.entities import Document, Question

DOCUMENTS = corpus(9)
SEARCH = bm25_search(DOCUMENTS.values())
IDS = sorted(DOCUMENTS)
GENEROUS = KernelSettings(steps=9, size=9, alternatives=100, rulings=10_000)


@st.composite
def truths(draw: st.DrawFn) -> list[frozenset[str]]:
    """Return sets of one to four documents, none within another."""
    drawn = draw(st.lists(st.frozensets(st.sampled_from(IDS), min_size=1, max_size=4), min_size=1, max_size=4))
    return [one for one in dict.fromkeys(drawn) if not any(other < one for other in drawn)]


@st.composite
def bounds(draw: st.DrawFn) -> KernelSettings:
    return KernelSettings(
        steps=draw(st.integers(0, 5)),
        per_step=draw(st.integers(1, 4)),
        seeds=draw(st.integers(1, 4)),
        size=draw(st.integers(1, 9)),
        alternatives=draw(st.integers(0, 5)),
        rulings=draw(st.integers(1, 40)),
    )


starts = st.lists(st.sampled_from(IDS), max_size=5)
quoting = st.sampled_from(["kernel", "all", "none"])


def look(judge: PlantedJudge, start: list[str], chosen: KernelSettings, *, singles: bool) -> KernelOutcome:
    known = {frozenset({one}): Ruling("yes" if frozenset({one}) in judge.kernels else "no") for one in IDS}
    return run(
        find_kernels(
            QUESTION,
            start=[DOCUMENTS[one] for one in start],
            judge=judge,
            search=SEARCH,
            settings=chosen,
            known=known if singles else None,
        )
    )


@given(truth=truths(), start=starts, quotes=quoting, names=st.booleans(), singles=st.booleans())
@settings(max_examples=60)
def test_exactly_the_planted_kernels_are_found(
    truth: list[frozenset[str]], start: list[str], quotes: str, names: bool, singles: bool
) -> None:
    judge = PlantedJudge(truth, names_missing=names, quotes=quotes)
    outcome = look(judge, start, GENEROUS, singles=singles)
    assert {frozenset(kernel) for kernel in outcome.kernels} == set(truth)
    assert len(outcome.kernels) == len(truth)
    assert (outcome.unverified, outcome.exhausted, outcome.bounded, outcome.failed) == ((), True, "", 0)


@given(
    truth=truths(),
    start=starts,
    quotes=quoting,
    names=st.booleans(),
    singles=st.booleans(),
    chosen=bounds(),
    failing=st.sampled_from([0.0, 0.1, 0.4, 1.0]),
    salt=st.integers(0, 1000),
)
@settings(max_examples=150)
def test_whatever_is_called_a_kernel_is_one(
    truth: list[frozenset[str]],
    start: list[str],
    quotes: str,
    names: bool,
    singles: bool,
    chosen: KernelSettings,
    failing: float,
    salt: int,
) -> None:
    judge = PlantedJudge(truth, names_missing=names, quotes=quotes, failing=failing, salt=salt)
    outcome = look(judge, start, chosen, singles=singles)
    assert {frozenset(kernel) for kernel in outcome.kernels} <= set(truth)
    assert all(any(kernel <= set(ids) for kernel in truth) for ids in outcome.unverified)
    assert len(outcome.rulings) <= chosen.rulings
    assert [one.documents for one in outcome.rulings] == judge.asked
    assert len(set(judge.asked)) == len(judge.asked), "a set was asked about twice"
    assert all(len(one.documents) <= chosen.size for one in outcome.rulings)
    assert outcome.failed == sum(one.ruling.label == "failed" for one in outcome.rulings)
    assert outcome.exhausted == (outcome.bounded == "")
    assert all(list(ids) == sorted(set(ids)) for ids in outcome.kernels + outcome.unverified)


@given(truth=truths(), start=starts, failing=st.sampled_from([0.0, 0.2]), chosen=bounds())
@settings(max_examples=20)
def test_the_same_search_has_the_same_outcome(
    truth: list[frozenset[str]], start: list[str], failing: float, chosen: KernelSettings
) -> None:
    first, second = (look(PlantedJudge(truth, failing=failing), start, chosen, singles=False) for _ in range(2))
    assert first == second


class Fickle(PlantedJudge):
    """Says yes or no as it likes, though always the same of the same set: more documents may make it a no."""

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        await super().judge(question, documents)
        return Ruling("yes" if self._fails(self.asked[-1]) else "no", missing=f"own{self.salt % 9}")


@given(start=starts, share=st.sampled_from([0.2, 0.5, 0.9]), salt=st.integers(0, 1000), chosen=bounds())
@settings(max_examples=100)
def test_with_a_judge_that_contradicts_itself_every_kernel_still_rests_on_rulings(
    start: list[str], share: float, salt: int, chosen: KernelSettings
) -> None:
    outcome = look(Fickle([], failing=share, salt=salt), start, chosen, singles=False)
    ruled = {frozenset(one.documents): one.ruling.label for one in outcome.rulings}
    for kernel in map(frozenset, outcome.kernels):
        assert ruled[kernel] == "yes"
        assert all(ruled[kernel - {one}] == "no" for one in kernel if len(kernel) > 1)
        assert not any(frozenset(other) < kernel for other in outcome.kernels)
    for loose in map(frozenset, outcome.unverified):
        assert ruled[loose] == "yes"
        assert not any(frozenset(kernel) <= loose for kernel in outcome.kernels)
