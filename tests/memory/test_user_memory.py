"""Memories of the user's, in every shape that is understood; what is not is refused in one sentence."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from goldproof.errors import GoldproofError, InputError, SearchFailedError
from goldproof.memory import MemoryHit, open_memory
from goldproof.memory.returned import text_id
from goldproof.memory.system import SearchesMany
from goldproof.memory.user_memory import UserMemory
from goldproof.records.entities import Hit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Native:
    """The seam itself; answers with what it is told to answer, and writes down how it was called."""

    def __init__(self, answer: object = (), added: object = None) -> None:
        self.answer, self.added = answer, added
        self.calls: list[tuple[Any, ...]] = []

    def clear(self) -> None:
        self.calls.append(("clear",))

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> object:
        self.calls.append(("add", role, content, metadata))
        return f"id-{len(self.calls)}" if self.added is None else self.added

    def search(self, query: str, k: int, filters: object = None, now: object = None) -> object:
        self.calls.append(("search", query, k, filters, now))
        return self.answer


@dataclass
class ManagedHit:
    id: int
    score: float
    content: str


@dataclass
class Manager:
    """A memory manager with add_interaction and search_memories."""

    stored: list[tuple[str, str, dict[str, object]]] = field(default_factory=list)
    asked: list[object] = field(default_factory=list)

    def clear(self) -> None:
        self.stored = []

    def add_interaction(self, role: str, content: str, metadata: dict[str, object] | None = None) -> int:
        self.stored.append((role, content, metadata or {}))
        return len(self.stored) - 1

    def search_memories(
        self, query: str, top_k: int = 3, filter_metadata: dict[str, object] | None = None
    ) -> list[ManagedHit]:
        self.asked.append((query, top_k, filter_metadata))
        return [ManagedHit(i, 0.9 - i / 10, content) for i, (_, content, _) in enumerate(self.stored)][:top_k]


def test_the_seam_is_called_as_it_stands() -> None:
    target = Native([Hit("id-2", 0.5, "x")])
    memory = open_memory(target)
    memory.clear()
    assert list(memory.add("user", "x", {"turn": 1})) == ["id-2"]
    assert memory.search("q", 3, {"turn": 1}, 7) == [MemoryHit("id-2", 0.5, "x", 0.5)]
    memory.search("q", 3)
    assert target.calls == [
        ("clear",),
        ("add", "user", "x", {"turn": 1}),
        ("search", "q", 3, {"turn": 1}, 7),
        ("search", "q", 3, None, None),
    ]


def test_a_memory_manager_is_called_by_its_own_names() -> None:
    target = Manager()
    memory = open_memory(target)
    memory.clear()
    assert [list(memory.add("user", text, {})) for text in ("a", "b")] == [["0"], ["1"]]
    assert memory.search("q", 2, {"role": "user"}) == [MemoryHit("0", 0.9, "a", 0.9), MemoryHit("1", 0.8, "b", 0.8)]
    assert target.asked == [("q", 2, {"role": "user"})]


def test_a_memory_is_asked_query_by_query_so_that_each_has_its_own_time() -> None:
    assert not isinstance(open_memory(Manager()), SearchesMany)


@pytest.mark.parametrize("name", ["k", "top_k", "limit", "n"])
def test_k_has_any_of_the_usual_names(name: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def search(self, query, *, {name}=99):\n    return [str({name})]", scope)  # noqa: S102 - a parameter's name
    kind = type("Named", (Native,), {"search": scope["search"]})
    (hit,) = open_memory(kind()).search("q", 4)
    assert hit.text == "4"


def test_parameters_without_a_default_are_given_none() -> None:
    class Strict(Native):
        def search(self, query: str, k: int, filters: object, now: object) -> object:  # type: ignore[override]
            self.calls.append((query, k, filters, now))
            return []

    target = Strict()
    assert open_memory(target).search("q", 2) == []
    assert target.calls == [("q", 2, None, None)]


@pytest.mark.parametrize(
    ("add", "called"),
    [
        (lambda _self, role, content: [role, content], ["user", "x"]),
        (lambda _self, role, content, *, metadata: [role, content, *metadata], ["user", "x", "turn"]),
        (lambda _self, role, content, meta: [role, content, *meta], ["user", "x", "turn"]),
        (lambda _self, who, what, more: [who, what, *more], ["user", "x", "turn"]),
        (lambda _self, *, content, role, metadata=None: [content, role, *metadata], ["x", "user", "turn"]),
        (lambda _self, content, role: [content, role], ["x", "user"]),
        (lambda _self, role, content, **rest: [role, content, *rest], ["user", "x", "metadata"]),
        (lambda _self, *args: [args[0], args[1], *args[2]], ["user", "x", "turn"]),
        (lambda _self, role, content, weight=1: [role, content, str(weight)], ["user", "x", "1"]),
        (lambda _self, text: [text], ["x"]),
        (lambda _self, message: [message], ["x"]),
        (lambda _self, anything: [anything], ["x"]),
        (lambda _self, text="": [text], ["x"]),
        (lambda _self, text, weight=1: [text, str(weight)], ["x", "1"]),
        (lambda _self, text, role="system": [text, role], ["x", "user"]),
        (lambda _self, text, role: [text, role], ["x", "user"]),
        (lambda _self, fact, metadata=None: [fact, *metadata], ["x", "turn"]),
        (lambda _self, fact, metadata: [fact, *metadata], ["x", "turn"]),
        (lambda _self, text, speaker=None, meta=None: [text, speaker, *meta], ["x", "user", "turn"]),
        (lambda _self, text, **rest: [text, *rest], ["x", "metadata"]),
    ],
)
def test_add_is_given_what_it_takes(add: Callable[..., object], called: list[str]) -> None:
    memory = open_memory(type("Adding", (Native,), {"add": add})())
    assert list(memory.add("user", "x", {"turn": 1})) == called


def test_an_add_without_metadata_is_remarked() -> None:
    memory = open_memory(type("Adding", (Native,), {"add": lambda _self, _role, _content: "1"})())
    assert memory.remarks == (f"{memory.title}: add() takes no metadata; none was given.",)
    alone = open_memory(type("Adding", (Native,), {"add": lambda _self, _text: "1"})())
    assert alone.remarks == (f"{alone.title}: add() takes neither role nor metadata; it was given the text alone.",)


@pytest.mark.parametrize(
    ("returned", "ids"),
    [
        ("a", ["a"]),
        (7, ["7"]),
        (UUID(int=1), ["00000000-0000-0000-0000-000000000001"]),
        (None, []),
        (True, []),
        ([], []),
        (["a", "b", "a"], ["a", "b"]),
        (("a", 2), ["a", "2"]),
        ({"id": "a"}, ["a"]),
        ({"memory_id": 3}, ["3"]),
        ({"id": None}, []),
        ({"ids": ["a", "b"]}, ["a", "b"]),
        ({"results": [{"id": "a", "event": "ADD"}, {"id": "b", "event": "UPDATE"}]}, ["a", "b"]),
        ({"results": [{"id": "a", "event": "DELETE"}, {"id": "b", "event": "NONE"}, {"id": "c", "event": "noop"}]}, []),
        ({"results": []}, []),
        (SimpleNamespace(id="a"), ["a"]),
        ([SimpleNamespace(id="a"), {"id": 2}], ["a", "2"]),
    ],
)
def test_ids_are_read_from_whatever_add_returns(returned: object, ids: list[str]) -> None:
    memory = UserMemory(type("Adding", (Native,), {"add": lambda _s, _r, _c, _m: returned})())
    assert memory.add("user", "x", {}) == ids


@pytest.mark.parametrize("returned", [{"message": "ok"}, 1.5, b"x", object(), {"results": [{"status": "PENDING"}]}])
def test_an_add_that_returns_no_id_that_can_be_read_is_told(returned: object) -> None:
    memory = UserMemory(type("Adding", (Native,), {"add": lambda _s, _r, _c, _m: returned})(), title="theirs")
    with pytest.raises(GoldproofError, match=r"^theirs: add returned .*expected an id, a list of ids"):
        memory.add("user", "x", {})


PLAIN = MemoryHit("id-1", 0.5, "x", 0.5)


@pytest.mark.parametrize(
    "answer",
    [
        [PLAIN],
        [("id-1", 0.5)],
        [("id-1", 0.5, "x")],
        {"id-1": 0.5},
        [{"id": "id-1", "score": 0.5, "content": "x"}],
        [{"id": "id-1", "score": 0.5, "memory": "x"}],
        [{"memory_id": "id-1", "score": 0.5, "text": "x"}],
        {"results": [{"id": "id-1", "score": 0.5, "memory": "x"}], "relations": []},
        {"memories": [{"id": "id-1", "score": 0.5, "memory": "x"}]},
        [SimpleNamespace(id="id-1", score=0.5, content="x")],
        [SimpleNamespace(id=None, score=0.5, memory="x", metadata={"id": "id-1"})],
        [(SimpleNamespace(id="id-1", page_content="x", metadata={}), 0.5)],
        (one for one in [("id-1", 0.5)]),
    ],
)
def test_memories_are_read_in_every_shape(answer: object) -> None:
    memory = open_memory(Native(answer))
    memory.add("user", "x", {})
    assert memory.search("q", 3) == [PLAIN]


@pytest.mark.parametrize(
    "answer",
    [
        [{"memory": "She lives in Lyon", "score": 0.5}],
        [SimpleNamespace(content="She lives in Lyon", score=0.5)],
        [("She lives in Lyon", 0.5)],
        [({"text": "She lives in Lyon", "metadata": {"source": "chat"}}, 0.5)],
    ],
)
def test_a_memory_without_an_id_is_named_after_its_text(answer: object) -> None:
    memory = open_memory(Native(answer, added=[]))
    memory.add("user", "x", {})
    assert memory.search("q", 3) == [MemoryHit(text_id("She lives in Lyon"), 0.5, "She lives in Lyon", 0.5)]


def test_bare_text_is_an_id_where_add_returned_it_and_else_a_text() -> None:
    memory = open_memory(Native(["id-1", "Lyon"]))
    memory.add("user", "x", {})
    known, unknown = memory.search("q", 3)
    assert (known.doc_id, known.text) == ("id-1", "x")
    assert (unknown.doc_id, unknown.text) == (text_id("Lyon"), "Lyon")


def test_the_text_of_an_id_that_stands_for_several_things_is_not_guessed() -> None:
    memory = open_memory(Native(["same"], added="same"))
    memory.add("user", "x", {})
    memory.add("user", "y", {})
    (hit,) = memory.search("q", 3)
    assert (hit.doc_id, hit.text) == ("same", None)


def test_what_was_known_is_forgotten_with_clear() -> None:
    memory = open_memory(Native(["id-1"]))
    memory.add("user", "x", {})
    memory.clear()
    (hit,) = memory.search("q", 3)
    assert hit.text == "id-1"  # no longer an id that is known


def test_without_scores_places_count_and_nothing_is_remarked() -> None:
    memory = open_memory(Native(["a", "b", "c"], added=["a", "b", "c"]))
    memory.add("user", "x", {})
    # Place i of 3 scores 3 - i + 1.
    assert [(hit.doc_id, hit.score, hit.similarity) for hit in memory.search("q", 3)] == [
        ("a", 3.0, None),
        ("b", 2.0, None),
        ("c", 1.0, None),
    ]
    assert memory.remarks == ()


def test_where_some_scores_are_missing_places_stand_for_all() -> None:
    memory = UserMemory(Native([("a", 0.9), ("b", None)]), title="theirs")
    assert [(hit.score, hit.similarity) for hit in memory.search("q", 3)] == [(2.0, None), (1.0, None)]
    assert memory.remarks == ("theirs: for 1 of 1 queries some scores were missing; ranks were used instead.",)


def test_scores_that_rise_keep_the_order_and_are_no_similarities() -> None:
    memory = UserMemory(Native([("a", 0.1), ("b", 0.4)]), title="theirs")
    assert [(hit.text, hit.score, hit.similarity) for hit in memory.search("q", 3)] == [
        ("a", 0.1, None),
        ("b", 0.4, None),
    ]
    (remark,) = memory.remarks
    assert remark.startswith("theirs: for 1 of 1 queries scores rose with the rank; the order was kept")


def test_only_a_score_from_minus_1_to_1_is_a_similarity_unless_it_is_called_so() -> None:
    answer = [{"id": "a", "score": 12.0, "text": "A"}, {"id": "b", "score": 0.4, "text": "B"},
              {"id": "c", "score": 0.3, "text": "C", "similarity": 0.7}, MemoryHit("d", 0.2, "D", 0.6)]  # fmt: skip
    found = open_memory(Native(answer)).search("q", 4)
    assert [hit.similarity for hit in found] == [None, 0.4, 0.7, 0.6]


def test_a_memory_that_comes_twice_keeps_its_first_place() -> None:
    memory = UserMemory(Native([("a", 0.9), ("b", 0.8), ("a", 0.7)]), title="theirs")
    assert [hit.text for hit in memory.search("q", 5)] == ["a", "b"]
    assert memory.remarks == ("theirs: 1 result repeated a memory; only the first counts.",)


def test_more_than_k_are_kept_since_they_were_returned() -> None:
    assert len(open_memory(Native([("a", 3.0), ("b", 2.0), ("c", 1.0)])).search("q", 1)) == 3


class Unfiltered(Native):
    """Finds everything, newest first, and knows no filters."""

    def search(self, query: str, k: int) -> object:  # type: ignore[override]
        self.calls.append(("search", query, k))
        added = [call for call in self.calls if call[0] == "add"]
        return [{"text": call[2], "score": 1.0} for call in reversed(added)][:k]


def test_filters_that_cannot_be_passed_are_applied_to_what_came_and_remarked() -> None:
    target = Unfiltered(added=[])
    memory = UserMemory(target, title="theirs")
    for turn, role in enumerate(("user", "assistant", "user"), start=1):
        memory.add(role, f"said {turn}", {"turn": turn})
    assert [hit.text for hit in memory.search("q", 1, {"role": "user"})] == ["said 3"]
    assert [hit.text for hit in memory.search("q", 5, {"role": "user", "turn": {"lte": 2}})] == ["said 1"]
    # At least 100 are asked for, since some will be dropped.
    assert target.calls[-1] == ("search", "q", 100)
    assert memory.remarks == (
        "theirs: search() takes no filters; for 2 of 2 queries Goldproof applied them to what came.",
    )


def test_a_rewritten_memory_cannot_be_filtered_and_stays() -> None:
    class Rewriting(Native):
        def search(self, query: str, k: int) -> object:  # type: ignore[override]
            return [("a summary", 0.5), ("said", 0.4)][:k] if query else []

    memory = UserMemory(Rewriting(added=[]), title="theirs")
    memory.add("user", "said", {})
    assert [hit.text for hit in memory.search("q", 5, {"role": "assistant"})] == ["a summary"]
    assert memory.remarks[-1].endswith("applied them to what came, except to 1 result that it had rewritten.")


def test_a_merged_memory_matches_where_one_of_its_sources_does() -> None:
    class Merging(Native):
        def search(self, query: str, k: int) -> object:  # type: ignore[override]
            return ["m"][:k] if query else []

    memory = UserMemory(Merging(added="m"))
    memory.add("user", "x", {})
    memory.add("assistant", "y", {})
    assert len(memory.search("q", 5, {"role": "assistant"})) == 1
    assert memory.search("q", 5, {"role": "moderator"}) == []


class Waiting(Native):
    async def clear(self) -> None:  # type: ignore[override]
        await asyncio.sleep(0)
        super().clear()

    async def add(self, role: str, content: str, metadata: Mapping[str, object]) -> object:
        await asyncio.sleep(0)
        return super().add(role, content, metadata)

    async def search(self, query: str, k: int, filters: object = None, now: object = None) -> object:
        await asyncio.sleep(0)
        return super().search(query, k, filters, now)


def test_async_methods_are_awaited_also_inside_a_running_loop() -> None:
    target = Waiting([("id-2", 0.5)])

    def use() -> list[Hit]:
        memory = open_memory(target)
        memory.clear()
        memory.add("user", "x", {})
        return list(memory.search("q", 3, {"role": "user"}))

    async def notebook() -> list[Hit]:
        return use()

    assert use() == [MemoryHit("id-2", 0.5, "x", 0.5)]
    target.calls.clear()
    assert asyncio.run(notebook()) == [MemoryHit("id-2", 0.5, "x", 0.5)]
    assert [call[0] for call in target.calls] == ["clear", "add", "search"]


@pytest.mark.parametrize("name", ["reset", "delete_all"])
def test_other_names_of_clear_are_accepted(name: str) -> None:
    called: list[str] = []
    kind = type("Other", (), {"add": Native.add, "search": Native.search, name: lambda _self: called.append(name)})
    open_memory(kind()).clear()
    assert called == [name]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"clear": None}, r"is an object without clear\(\), .* give its class \(.*:Bad\) or a function that makes one"),
        ({"add": None}, "searches but stores nothing .*a retriever is put under Goldproof's memory by own"),
        ({"search": None}, r"is a Bad that has add alone; expected an object with add\(text\)"),
        ({"add": None, "search": None}, "is a Bad that neither stores nor searches; expected"),
        (
            {"add": lambda _self, messages, user_id=None: None},  # noqa: ARG005
            "add takes a list of messages, as mem0's does; wrap the object",
        ),
        ({"add": lambda _self: None}, r"add\(\) takes no role; expected add\(text\) or add\(role, content, metadata\)"),
        ({"add": lambda _self, text, user: None}, "add requires 'user', which is not known here"),  # noqa: ARG005
        ({"add": lambda _self, role, content, metadata, user: None}, "add requires 'user', which is not known"),  # noqa: ARG005
        ({"search": lambda _self: None}, r"search\(\) takes no query"),
        ({"search": lambda _self, query, *, user: None}, "search requires 'user', which is not known here"),  # noqa: ARG005
        ({"clear": lambda _self, user: None}, "clear requires 'user', which is not known here"),  # noqa: ARG005
    ],
)
def test_an_object_of_another_shape_is_refused_in_one_sentence(body: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        open_memory(type("Bad", (Native,), body)())
    assert "\n" not in str(refused.value)
    assert "Bad" in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "returned None for 'q'"),
        ("text", "returned a str"),
        ([1.5], "result 1 for 'q' is a float without an id"),
        ([{"score": 1.0}], r"result 1 for 'q' has no id, doc_id or _id \(its keys: \['score'\]\)"),
        ([("a", "high")], r"result 1 for 'q' has a str \('high'\) for a score"),
        ([("a", float("nan"))], "result 1 for 'q' has the score nan"),
        ({"hits": "none"}, "returned a str"),
        ([Hit("a", 1.0, 5)], r"result 1 for 'q' has an int \(5\) for a text; expected text, or no text at all"),  # type: ignore[arg-type]
        ([MemoryHit("a", 1.0, b"x")], r"result 1 for 'q' has a bytes \(b'x'\) for a text"),  # type: ignore[arg-type]
        (["a", ("b", 0.5, ["x"])], r"result 2 for 'q' has a list \(\['x'\]\) for a text"),
        ([{"id": "a", "memory": 1.5}], r"result 1 for 'q' has a float \(1.5\) for a text"),
        ([{"memory": {"text": "x"}}], r"result 1 for 'q' has a dict .* for a text"),
        ([SimpleNamespace(id="a", content=["x"])], r"result 1 for 'q' has a list \(\['x'\]\) for a text"),
        ([(SimpleNamespace(id="a", text=3), 0.5)], r"result 1 for 'q' has an int \(3\) for a text"),
    ],
)
def test_an_answer_that_cannot_be_read_fails_the_query_with_the_reason(answer: object, message: str) -> None:
    with pytest.raises(SearchFailedError, match=f"^theirs: {message}"):
        UserMemory(Native(answer), title="theirs").search("q", 3)


HALF = "caf\ud83d"  # the first half of a pair, as a text that was cut in the middle has it


@pytest.mark.parametrize(
    "answer",
    [
        [HALF],
        {HALF: 0.5},
        [("a", 0.5), (HALF, 0.4)],
        [("a", 0.5, HALF)],
        [Hit("a", 0.5, HALF)],
        [Hit(HALF, 0.5, "x")],
        [{"id": "a", "memory": HALF}],
        [{"memory": HALF}],
        [{"id": HALF, "memory": "x"}],
        {"results": [{"id": "a", "memory": HALF}]},
        [SimpleNamespace(id="a", score=0.5, content=HALF)],
        [SimpleNamespace(node=SimpleNamespace(node_id="a", text=HALF), score=0.5)],
    ],
)
def test_half_a_surrogate_pair_in_an_answer_fails_the_query(answer: object) -> None:
    with pytest.raises(SearchFailedError, match=r"^theirs: .* for 'q' .*'caf\\ud83d'.* UTF-8 cannot hold") as failed:
        UserMemory(Native(answer), title="theirs").search("q", 3)
    assert str(failed.value).encode()  # the reason can be written


@pytest.mark.parametrize("returned", [HALF, ["a", HALF], {"ids": [HALF]}, {"results": [{"id": HALF, "memory": "x"}]}])
def test_half_a_surrogate_pair_in_an_id_that_add_returns_is_told(returned: object) -> None:
    with pytest.raises(
        GoldproofError, match=r"^theirs: add returned the id 'caf\\ud83d', which has half a surrogate pair"
    ):
        UserMemory(Native(added=returned), title="theirs").add("user", "x", {})


def test_a_method_where_a_text_might_stand_is_no_text() -> None:
    class Item:
        id, score = "id-1", 0.5

        def text(self) -> str:
            return "never called"

    memory = open_memory(Native([Item()]))
    memory.add("user", "x", {})
    assert memory.search("q", 3) == [PLAIN]


def test_a_whole_pair_is_a_text_like_any_other() -> None:
    memory = open_memory(Native([{"id": "a", "memory": "🍅 it is"}]))
    assert [hit.text for hit in memory.search("q", 3)] == ["🍅 it is"]


def test_what_the_system_raises_passes_as_it_is() -> None:
    class Crashing(Native):
        def search(self, query: str, k: int) -> object:  # type: ignore[override]
            raise ZeroDivisionError(f"{query} {k}")

    with pytest.raises(ZeroDivisionError, match="q 3"):
        open_memory(Crashing()).search("q", 3)


def test_what_cannot_be_said_in_json_is_refused_before_the_system_is_told() -> None:
    target = Native()
    with pytest.raises(InputError, match=r"metadata\.x is a set"):
        open_memory(target).add("user", "x", {"x": {1}})
    assert target.calls == []


class Slow:
    """A memory whose first call of add takes long."""

    def __init__(self) -> None:
        self.stored: list[str] = []
        self.calls = 0

    def clear(self) -> None:
        self.stored = []

    def add(self, role: str, content: str) -> None:  # noqa: ARG002 - as memories are told
        self.calls += 1
        if self.calls == 1:
            time.sleep(1.0)
        self.stored.append(content)

    def search(self, query: str, k: int) -> list[str]:  # noqa: ARG002 - as memories are asked
        return self.stored[:k]


def test_a_call_that_is_late_never_stores_in_the_conversation_after_it() -> None:
    memory = open_memory(Slow(), timeout=0.2)
    with pytest.raises(GoldproofError, match=r"took longer than 0\.2 s"):
        memory.add("user", "of the first conversation", {})
    with pytest.raises(GoldproofError, match="1 earlier call took too long and may still store something"):
        memory.clear()
    time.sleep(1.2)
    memory.clear()
    memory.add("user", "of the second", {})
    assert [hit.text for hit in memory.search("conversation", 5)] == ["of the second"]


def test_a_timeout_is_given_to_a_copy_of_a_memory_that_is_open() -> None:
    memory = open_memory(Slow())
    limited = open_memory(memory, timeout=3)
    assert isinstance(memory, UserMemory)
    assert isinstance(limited, UserMemory)
    assert (limited.timeout, memory.timeout) == (3.0, None)
