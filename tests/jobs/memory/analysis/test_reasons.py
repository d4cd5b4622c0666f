"""Why an expected memory did not come, or came too late."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.memory.analysis.diagnosis import analyse
from goldproof.memory.memory import Memory
from goldproof.retrieve import bm25, dense, filter_by, floor, hybrid, rerank, top
from goldproof.retrieve import own as own_retriever
from tests.jobs.memory.analysis.situations import asked_of, asking, hit, memory, scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.scenarios.scenario import MemoryItem, Query
    from goldproof.jobs.memory.analysis.findings import Diagnosis, ExpectedFinding
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.memory.system import MemoryHit
    from goldproof.retrieve import Pipeline

SHOPS = [
    memory("bread", "Bread at the corner bakery.", "user", turn=1),
    memory("milk", "Milk from the farm.", "assistant", turn=2),
    memory("fish", "Fish on the harbour.", "user", turn=3),
]


def angles(texts: list[str]) -> list[list[float]]:
    """Embed a text as the direction that its first number names, in degrees: cosines are those of the differences."""
    degrees = [math.radians(float(found[0])) if (found := re.search(r"\d+", text)) else 0.0 for text in texts]
    return [[math.cos(one), math.sin(one)] for one in degrees]


def circle(*degrees: int, role: str = "user") -> list[MemoryItem]:
    return [memory(f"d{one}", f"Pointing {one}.", role, turn=place) for place, one in enumerate(degrees, start=1)]


def only(row: ScoredQuery, system: object) -> Diagnosis:
    (diagnosis,) = analyse([row], system=system)
    return diagnosis


def foreign(query: Query, *hits: MemoryHit, k: int = 5, criteria: Sequence[str] = ("recall > 0.9",)) -> Diagnosis:
    return only(scored(query, SHOPS, hits=hits, k=k, criteria=criteria), object())


def own(
    pipeline: Pipeline, stored: Sequence[MemoryItem], expected: dict[str, int], *, k: int = 2, text: str = "Where is 0?"
) -> Diagnosis:
    with Memory(pipeline) as system:
        row = asked_of(system, asking(text, expected), stored, k=k)
        return only(row, system)


def missing(diagnosis: Diagnosis) -> ExpectedFinding:
    """Return the one finding that has a reason."""
    (found,) = [one for one in diagnosis.expected if one.code is not None]
    return found


def because(diagnosis: Diagnosis, letter: str) -> list[str]:
    return [one.because for one in diagnosis.remedies if one.letter == letter]


# Of any system


def test_a_memory_that_does_not_satisfy_the_filters_is_filtered() -> None:
    diagnosis = foreign(asking("bread?", {"bread": 2}, filters={"role": "assistant"}), hit("milk"))
    found = missing(diagnosis)
    assert found.code == "filtered"
    assert found.reason == "the query's filter asks for role = 'assistant', and its role is 'user'"
    assert found.wording == ""  # it was never ranked
    assert because(diagnosis, "B") == ["change or drop the filter"]


def test_a_field_that_the_memory_lacks_is_filtered_too() -> None:
    found = missing(foreign(asking("bread?", {"bread": 2}, filters={"topic": "food"}), hit("milk")))
    assert found.reason == "the query's filter asks for topic = 'food', and it has no topic"


def test_a_memory_that_satisfies_the_filters_is_not_filtered() -> None:
    found = missing(foreign(asking("bread?", {"bread": 2}, filters={"role": "user"}), hit("fish")))
    assert found.code == "not returned"


def test_where_fewer_than_k_came_no_more_is_claimed_of_another_system() -> None:
    found = missing(foreign(asking("bread?", {"bread": 2}), hit("milk"), k=2))
    assert (found.code, found.place, found.own_rank) == ("not returned", None, None)
    assert found.reason == "only 1 of 2 came, so a larger k alone would not bring it; why is not visible from outside"


def test_where_k_came_others_stand_in_its_place() -> None:
    found = missing(foreign(asking("bread?", {"bread": 2}), hit("milk"), hit("fish"), k=2))
    assert (found.code, found.own_rank) == ("outranked", None)
    assert found.reason == '2 came, with milk "Milk from the farm.", fish "Fish on the harbour." in its place'


def test_where_all_that_came_was_expected_k_is_too_small() -> None:
    diagnosis = foreign(asking("food?", {"bread": 2, "milk": 2, "fish": 2}), hit("milk"), hit("fish"), k=2)
    assert missing(diagnosis).reason == "2 came, all of them expected"
    assert "3 memories are expected, and k is only 2" in because(diagnosis, "B")


def test_items_that_match_no_memory_may_be_the_expected_one_in_other_words() -> None:
    diagnosis = foreign(asking("bread?", {"bread": 2}), hit("f1", text="Likes baked goods."), hit("milk"), k=2)
    found = missing(diagnosis)
    assert found.code == "lost in rewriting"
    assert found.reason == (
        '1 of 2 returned items match no stored memory (f1 "Likes baked goods."); it may be among them in other words'
    )


def test_coming_behind_what_was_not_expected_is_too_late_only_where_the_first_places_count() -> None:
    query, came = asking("bread?", {"bread": 2}), (hit("milk"), hit("bread"))
    late = foreign(query, *came, criteria=["Hit@1 = 1"])
    found = missing(late)
    assert (found.code, found.place) == ("outranked", 2)
    assert found.reason == 'came at 2, behind milk "Milk from the farm."'
    assert because(late, "D") == ["it came at 2; re-ranking what came can move it up"]
    (in_time,) = foreign(query, *came, criteria=["precision > 0.9"]).expected
    assert (in_time.code, in_time.place, in_time.reason) == (None, 2, "")


def test_coming_behind_a_lower_grade_is_too_late_and_behind_the_same_is_not() -> None:
    query = asking("bread?", {"bread": 2, "milk": 1, "fish": 2})
    diagnosis = foreign(query, hit("milk"), hit("bread"), hit("fish"), criteria=["relevance_score > 0.99"])
    assert [one.code for one in diagnosis.expected] == ["outranked", None, "outranked"]
    assert diagnosis.expected[2].reason == 'came at 3, behind milk "Milk from the farm."'


# Of Goldproof's own memory, which can be searched again


def test_below_the_floor_both_numbers_are_given_and_the_floor_that_would_do() -> None:
    # cos 60 degrees = 0.5, which is rounded down safely; the others have 0.985 and 0.966.
    diagnosis = own(dense(angles) | floor(0.6), circle(10, 15, 60), {"d60": 2}, k=3)
    found = missing(diagnosis)
    assert (found.code, found.own_rank) == ("below the floor", 3)
    assert found.reason == "its similarity is 0.500, the floor is 0.6; without the floor it ranks 3"
    assert because(diagnosis, "E") == ["a floor of 0.500 or lower would bring it, and everything else above it"]
    assert "A" not in diagnosis.letters  # the system's own rank is within k: the wording is not to blame


def test_below_the_floor_and_beyond_k_a_lower_floor_alone_is_not_enough() -> None:
    diagnosis = own(dense(angles) | floor(0.6), circle(10, 15, 60), {"d60": 2}, k=2)
    assert missing(diagnosis).reason.endswith("without the floor it ranks 3, beyond k = 2")
    assert because(diagnosis, "E") == ["a floor of 0.500 or lower, with k = 3, would bring it"]
    assert because(diagnosis, "B") == ["its rank is 3; k = 3, with a floor of 0.500 or lower, would bring it"]


def test_a_floor_of_scores_is_compared_with_the_score() -> None:
    stored = [memory("rare", "zebra zebra quagga"), memory("common", "zebra and many other words stand in this line")]
    found = missing(own(bm25() | floor(0.1, of="score"), stored, {"common": 2}, text="zebra"))
    assert found.code == "below the floor"
    assert re.fullmatch(r"its score is 0\.0\d\d, the floor is 0.1; without the floor it ranks 2", found.reason)


def test_above_the_floor_and_beyond_k_it_is_outranked_with_its_own_rank() -> None:
    diagnosis = own(dense(angles) | floor(0.3), circle(10, 15, 60), {"d60": 2}, k=2)
    found = missing(diagnosis)
    assert (found.code, found.own_rank) == ("outranked", 3)
    assert found.reason == (
        '2 came, with d10 "Pointing 10.", d15 "Pointing 15." in its place; a deeper search ranks it 3'
    )
    assert because(diagnosis, "B") == ["its rank is 3; k = 3 would bring it"]


def test_a_top_that_cuts_earlier_than_k_is_named() -> None:
    diagnosis = own(dense(angles) | top(1), circle(10, 15, 60), {"d15": 2}, k=1)
    assert missing(diagnosis).reason.endswith("it ranks 2 before top(1)")
    assert because(diagnosis, "B") == ["its rank is 2; k = 2, with top(1) raised as well, would bring it"]


def test_a_filter_of_the_pipeline_is_named() -> None:
    stored = [*circle(10, role="user"), *circle(15, role="assistant")]
    diagnosis = own(dense(angles) | filter_by(role="assistant"), stored, {"d10": 2})
    found = missing(diagnosis)
    assert (found.code, found.own_rank) == ("filtered", 1)
    assert found.reason == "the stage filter drops it at rank 1"
    assert because(diagnosis, "B") == ["change or remove the stage filter"]


def test_a_filter_read_from_the_query_is_named() -> None:
    stored = [*circle(10, role="proponent"), *circle(15, role="opponent")]
    with Memory("bm25 | filter_from_query(role)") as system:
        row = asked_of(system, asking("Where is the opponent pointing?", {"d10": 2}), stored)
        found = missing(only(row, system))
    assert found.code == "filtered"
    assert found.reason == "the stage filter_from_query drops it at rank 2"


def test_what_shares_no_word_is_found_by_no_stage_of_a_lexical_pipeline() -> None:
    diagnosis = own(bm25(), SHOPS, {"bread": 2}, text="Which loaf?")
    found = missing(diagnosis)
    assert (found.code, found.lexical, found.own_rank) == ("not returned", None, None)
    assert found.reason.endswith("no stage of the pipeline finds it at any depth")
    assert found.dense == 1
    assert "G" in diagnosis.letters
    assert "A" not in diagnosis.letters  # it has no embedding model


def test_the_floor_of_a_member_of_a_hybrid_is_found_out() -> None:
    pipeline = hybrid(bm25(), dense(angles) | floor(0.6))
    found = missing(own(pipeline, circle(10, 15, 60), {"d60": 2}, text="Where 0?"))
    assert found.code == "below the floor"
    assert found.reason.startswith("its similarity is 0.500, the floor is 0.6")


def length(query: str, texts: list[str]) -> list[float]:
    return [float(len(text)) + len(query) for text in texts]


@pytest.mark.parametrize(
    ("depth", "advice"),
    [
        (2, "it ranks 3 before the reranker, which reads 2; let it read more"),
        (3, "it ranks 3 before the reranker, which reads 3 and ranked it lower; try another"),
    ],
)
def test_a_reranker_is_not_asked_again_and_what_it_reads_is_said(depth: int, advice: str) -> None:
    stored = [memory("a", "Pointing 10 for long."), memory("b", "Pointing 15 for long."), memory("c", "At 60.")]
    diagnosis = own(dense(angles) | rerank(length, depth=depth, keep=2), stored, {"c": 2})
    found = missing(diagnosis)
    assert found.code == "outranked"
    assert found.reason.endswith("a deeper search ranks it 3 before rerank, which was not run again")
    assert because(diagnosis, "D") == [advice]
    assert because(diagnosis, "B") == []


@pytest.mark.parametrize("by", ["turn", "age"])
def test_a_query_asked_at_a_turn_is_repeated_whatever_ages_count_by(by: str) -> None:
    # Asked at turn 4. By age a turn says nothing, and ages count from the newest memory: 2 days, as by turns 2 + 1.
    stored = [
        memory("d60", "Pointing 60.", turn=1, time="2024-05-01"),
        memory("d10", "Pointing 10.", turn=3, time="2024-05-03"),
    ]
    half_life = "1" if by == "turn" else "1d"
    pipeline = f"dense({__name__}:angles) | decay(half_life={half_life}, by={by}) | floor(0.2, of=score)"
    with Memory(pipeline) as system:
        row = asked_of(system, asking("Where is 0?", {"d60": 2}, asked_at=4), stored)
        found = missing(only(row, system))
    # cos 60 = 0.5, halved 3 times by turns and twice by days
    assert found.code == "below the floor"
    assert found.reason.startswith(f"its score is {0.5 / 2**3 if by == 'turn' else 0.5 / 2**2:.3f}, the floor is 0.2")


def test_a_field_that_no_memory_has_yet_is_filtered_in_the_own_memory_too() -> None:
    stored = [*SHOPS, memory("late", "Bread is dear.", turn=5, topic="food")]
    with Memory(bm25()) as system:
        row = asked_of(system, asking("bread", {"bread": 2}, filters={"topic": "food"}, asked_at=4), stored)
        found = missing(only(row, system))
    assert (found.code, found.reason) == (
        "filtered",
        "the query's filter asks for topic = 'food', and it has no topic",
    )


class Tiring:
    """An embedder that is gone after the run."""

    def __init__(self) -> None:
        self.is_gone = False

    def __call__(self, texts: list[str]) -> list[list[float]]:
        if self.is_gone:
            raise ConnectionError("no route")
        return angles(texts)


def test_a_search_that_cannot_be_repeated_says_why() -> None:
    embedder = Tiring()
    with Memory(dense(embedder) | floor(0.6)) as system:
        row = asked_of(system, asking("Where is 0?", {"d60": 2}), circle(10, 60), k=2)
        embedder.is_gone = True
        found = missing(only(row, system))
    assert (found.code, found.own_rank) == ("not returned", None)
    assert found.reason.startswith(
        "only 1 of 2 came, so a larger k alone would not bring it; it was not searched deeper (EmbeddingFailedError: "
    )
    assert "ConnectionError: no route" in found.reason


def test_a_fault_of_ours_in_the_deeper_search_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise IndexError("ours")

    with Memory(bm25()) as system:
        row = asked_of(system, asking("loaf", {"bread": 2}), SHOPS)
        monkeypatch.setattr("goldproof.jobs.memory.analysis.deeper_search.Request", faulty)
        with pytest.raises(IndexError, match="ours"):
            only(row, system)


class Shelf:
    """A retriever of the user's, which counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def index(self, documents: list[object]) -> None:
        self._documents = documents

    def search(self, query: str, k: int) -> list[tuple[str, float]]:  # noqa: ARG002
        self.asked += 1
        return [("m000002", 1.0)]


def test_a_retriever_of_the_users_is_not_asked_again_and_it_is_said() -> None:
    shelf = Shelf()
    with Memory(own_retriever(shelf)) as system:
        row = asked_of(system, asking("bread?", {"bread": 2}), SHOPS, k=2)
        found = missing(only(row, system))
    assert shelf.asked == 1
    assert found.reason.endswith(
        "it was not searched deeper (a retriever in its pipeline is not Goldproof's own, and may cost something)"
    )


def test_the_system_itself_is_left_as_it_was() -> None:
    with Memory(dense(angles) | floor(0.6)) as system:
        row = asked_of(system, asking("Where is 0?", {"d60": 2}), circle(10, 15, 60), k=3)
        before = system.search("Where is 0?", 3)
        only(row, system)
        assert system.search("Where is 0?", 3) == before
