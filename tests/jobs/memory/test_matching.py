from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory.matching import TextMatcher, match_rows
from goldproof.jobs.memory.records import Answered, Stored
from goldproof.judge import Ruling
from goldproof.memory.system import MemoryHit
from tests.jobs.memory.scripted import memories

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.memory.records import Matched
    from goldproof.records.entities import Document, Question

POOL = ("I live in Oslo.", "My dog is called Bruno.", "I moved to Bergen in May.")


def answered(
    *hits: MemoryHit, sources: Mapping[str, tuple[str, ...]] | None = None, expected: dict[str, int] | None = None
) -> Answered:
    query = Query("q", "Where do I live?", "update", {"m2": 2} if expected is None else expected)
    pool = memories(*POOL)
    given = {f"id-{i}": (f"m{i}",) for i in range(len(pool))} if sources is None else sources
    return Answered(Scenario("s", pool, (query,)), query, pool, Stored(given), k=5, hits=hits)


def matched(row: Answered, judge: object = None) -> list[tuple[tuple[str, ...], str, float]]:
    (found,) = match_rows([row], texts=TextMatcher(judge))
    return [_shown(match) for match in found]


def _shown(match: Matched) -> tuple[tuple[str, ...], str, float]:
    return match.memories, match.how, match.gain


def test_an_id_given_on_storing_decides_whatever_the_text() -> None:
    row = answered(MemoryHit("id-2", 0.9, "user: I moved ..."), MemoryHit("id-0", 0.8))
    assert matched(row) == [(("m2",), "id", 1.0), (("m0",), "id", 0.0)]


def test_a_grade_of_one_is_worth_half() -> None:
    row = answered(MemoryHit("id-2", 0.9), MemoryHit("id-0", 0.8), expected={"m2": 2, "m0": 1})
    assert matched(row) == [(("m2",), "id", 1.0), (("m0",), "id", 0.5)]


def test_equal_text_decides_where_the_id_is_unknown() -> None:
    row = answered(MemoryHit("other", 0.9, "  my dog IS called Bruno. "), sources={})
    assert matched(row) == [(("m1",), "text", 0.0)]


def test_an_id_of_which_nobody_knows_and_no_text_is_nobodys() -> None:
    assert matched(answered(MemoryHit("other", 0.9), sources={})) == [((), "none", 0.0)]


def test_a_rewritten_text_goes_to_the_nearest_memory_by_the_default_judge() -> None:
    row = answered(
        MemoryHit("f1", 0.9, "User moved to Bergen in May"),
        MemoryHit("f2", 0.8, "User lives in Oslo"),
        MemoryHit("f3", 0.7, "The weather is fine"),
        sources={},
    )
    # The old home is not taken for the new one, though both are near to both.
    assert matched(row) == [(("m2",), "judge", 1.0), (("m0",), "judge", 0.0), ((), "none", 0.0)]


def test_an_id_of_merged_memories_is_read_to_see_what_is_left_in_it() -> None:
    merged = {"fact": ("m0", "m2")}
    assert matched(answered(MemoryHit("fact", 0.9, "User moved to Bergen in May"), sources=merged)) == [
        (("m2",), "judge", 1.0)
    ]
    # Without a text there is nothing to read: it stands for all it came from.
    assert matched(answered(MemoryHit("fact", 0.9), sources=merged)) == [(("m0", "m2"), "id", 1.0)]


def test_an_item_of_merged_memories_stands_for_all_that_are_left_in_it() -> None:
    both = MemoryHit("fact", 0.9, "User moved to Bergen in May and has a dog called Bruno")
    assert matched(answered(both, sources={"fact": ("m1", "m2")})) == [(("m2", "m1"), "judge", 1.0)]


def test_a_memory_that_was_split_into_facts_is_read_too() -> None:
    split = {"f1": ("m2",), "f2": ("m2",)}
    row = answered(
        MemoryHit("f1", 0.9, "Moved to Bergen in May"), MemoryHit("f2", 0.8, "Likes the month"), sources=split
    )
    assert matched(row) == [(("m2",), "judge", 1.0), ((), "none", 0.0)]


class Asked:
    """A judge of the user's: says yes where the document holds a word, and remembers what it was asked."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.questions: list[str] = []

    async def __call__(self, question: Question, documents: list[Document]) -> Ruling:
        self.questions.append(question.text)
        return Ruling("yes" if self.word in documents[0].text and self.word in question.text else "no")


def test_a_judge_of_the_users_is_asked_about_each_candidate() -> None:
    judge = Asked("Bergen")
    row = answered(MemoryHit("f1", 0.9, "Bergen it is, he says, in May"), sources={})
    assert matched(row, judge) == [(("m2",), "judge", 1.0)]
    assert judge.questions == [POOL[2]]  # the expected one; no other shares a word


def test_rulings_that_come_to_nothing_are_counted() -> None:
    async def silent(question: Question, documents: list[Document]) -> Ruling:  # noqa: ARG001
        return Ruling("abstained", reason="cannot know")

    texts = TextMatcher(silent)
    match_rows([answered(MemoryHit("f1", 0.9, "moved to Bergen"), sources={})], texts=texts)
    assert texts.failures == {"the judge abstained: cannot know": 1}
