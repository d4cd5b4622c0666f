"""A user's retriever in any shape is searched with one line, and what it does wrong is said."""

from __future__ import annotations

import hashlib
import sys
import threading
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.records.entities import Document, Hit
from goldproof.records.tables import RankingTable
from goldproof.retrieve import own
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.user_retriever import UserRetriever
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.ranking import RankingBatch

CORPUS = [Document("a", "apple"), Document("b", "bread"), Document("c", "corn")]


def ready(target: object, **options: object) -> tuple[UserRetriever, DocumentIndex]:
    stage, documents = UserRetriever(target, **options), DocumentIndex(CORPUS)  # type: ignore[arg-type]
    stage.index(documents)
    return stage, documents


def rankings(found: RankingBatch, documents: DocumentIndex) -> list[list[tuple[str, float]]]:
    ids, scores, bounds = documents.ids(found.documents), found.scores.tolist(), found.starts.tolist()
    pairs = list(zip(ids, scores, strict=True))
    return [pairs[low:high] for low, high in pairwise(bounds)]


def first(target: object, k: int = 10, **options: object) -> list[tuple[str, float]]:
    stage, documents = ready(target, **options)
    found = stage.find(Request(("q",), k))
    assert not found.failed, found.failed
    return rankings(found, documents)[0]


def failure(returned: object) -> str:
    stage, _ = ready(lambda query, k: returned)  # noqa: ARG005 - the shape of a search function
    return stage.find(Request(("why?",), 5)).failed[0]


class Indexed:
    """The whole seam: search with filters, index, search_many."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.calls: list[tuple[str, object]] = []

    def index(self, documents: list[Document]) -> None:
        self.documents = documents

    def search(self, query: str, k: int, filters: object = None) -> list[Hit]:
        self.calls.append((query, filters))
        return [Hit(d.id, 1 / (i + 1)) for i, d in enumerate(self.documents)][:k]


def made() -> Indexed:
    return Indexed()


class OnlyQuery:
    def search(self, query: str) -> list[str]:
        return [query, "a", "b"]


class Positional:
    def search(self, query: str, how_many: int) -> list[str]:
        return [query, *"abc"][:how_many]


class Named:
    def search(self, query: str, *, verbose: bool = False, top_k: int = 1) -> list[str]:
        return [f"{query}{verbose}", *"abc"][:top_k]


class Swallows:
    def search(self, *args: object, **named: object) -> list[str]:
        return [str(args), str(sorted(named)), "a"]


@pytest.mark.parametrize(
    ("target", "ids"),
    [
        (Indexed(), ["a", "b"]),
        (Indexed, ["a", "b"]),
        (OnlyQuery(), ["q", "a"]),
        (Positional(), ["q", "a"]),
        (Named(), ["qFalse", "a"]),
        (Swallows(), ["('q', 2)", "[]"]),
        (made, ["a", "b"]),
        (lambda documents: lambda query, k: [d.id for d in documents], ["a", "b"]),  # noqa: ARG005
        (lambda query, k: ["b", "a"], ["b", "a"]),  # noqa: ARG005
        (lambda query: ["b", "a"], ["b", "a"]),  # noqa: ARG005
        (lambda question, limit=7: ["b", question, str(limit)], ["b", "q"]),
    ],
)
def test_the_ways_to_search_are_recognised_and_cut_at_k(target: object, ids: list[str]) -> None:
    assert [doc_id for doc_id, _ in first(target, k=2)] == ids


def test_a_module_and_object_is_imported_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_search_of_today.py").write_text("def find(query, k):\n    return [('b', 2.0), ('a', 1.0)]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    assert first("my_search_of_today:find") == [("b", 2.0), ("a", 1.0)]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import nothing_of_that_name\nfind = 1", "no module named 'nothing_of_that_name'"),
        ("raise ValueError('no licence')", "ValueError: no licence"),
        ("fined = 1", "did you mean 'fined'"),
        ("find = 3", "is an int; expected an object with search"),
    ],
)
def test_an_object_that_cannot_be_had_is_an_input_error(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"broken_module_{abs(len(code))}"
    (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(InputError, match="own") as caught:
        UserRetriever(f"{name}:find")
    assert said in str(caught.value)


class NeedsPath:
    def __init__(self, path: str) -> None:
        self.path = path

    def search(self, query: str, k: int) -> list[str]:
        return [query] * k


class AsyncOnly:
    async def ainvoke(self, query: str) -> list[str]:
        return [query]


class AsyncSearch:
    async def search(self, query: str, k: int) -> list[str]:
        return [query] * k


class SearchOfSomethingElse:
    def search(self, query: str, search_type: str) -> list[str]:
        return [query, search_type]


class NoQuery:
    def search(self, *, index: str = "") -> list[str]:
        return [index]


async def async_search(query: str, k: int) -> list[str]:
    return [query] * k


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (NeedsPath, "requires 'path'"),
        (AsyncOnly(), "whose ainvoke is async"),
        (AsyncSearch(), "whose search is async"),
        (async_search, "is async"),
        (SearchOfSomethingElse(), "requires 'search_type'"),
        (NoQuery(), "takes no query"),
        (object(), "expected an object with search"),
        (3, "is an int; expected"),
    ],
)
def test_an_object_about_which_nothing_fits_is_an_input_error_at_once(target: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        UserRetriever(target)


def test_a_factory_that_crashes_or_makes_no_retriever_is_an_input_error() -> None:
    def crashes() -> object:
        raise OSError("no such index")

    with pytest.raises(InputError, match="making it failed with OSError: no such index"):
        ready(crashes)
    with pytest.raises(InputError, match=r"is a dict; expected an object with search"):
        ready(dict)


class Database:
    """`index` writes a record here: it must not be called with the corpus."""

    index_calls = 0

    def index(self, name: str, record: dict[str, str]) -> None:
        raise AssertionError(name, record)

    def search(self, query: str, k: int) -> list[str]:
        return [query] * min(k, 1)


def test_an_index_method_that_takes_something_else_is_left_alone() -> None:
    assert first(Database()) == [("q", 1.0)]


def test_index_is_not_called_without_a_corpus() -> None:
    target = Indexed()
    target.documents = [Document("mine")]
    stage = UserRetriever(target)
    stage.index(DocumentIndex())
    assert [d.id for d in target.documents] == ["mine"]


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ([Hit("a", 2.0), Hit("b", 1.0)], [("a", 2.0), ("b", 1.0)]),
        ([("a", 2.0), ("b", 1)], [("a", 2.0), ("b", 1.0)]),
        ([["a", 2.0, "text"], ["b", 1.0, "text"]], [("a", 2.0), ("b", 1.0)]),
        (["a", "b"], [("a", 2.0), ("b", 1.0)]),
        ([7, 1, 0], [("7", 3.0), ("1", 2.0), ("0", 1.0)]),
        (np.asarray([7, 8]), [("7", 2.0), ("8", 1.0)]),
        (np.asarray(["a", "b"]), [("a", 2.0), ("b", 1.0)]),
        ([{"id": "a", "score": 2}, {"doc_id": "b", "score": 1.5}, {"_id": 3, "score": 1}],
         [("a", 2.0), ("b", 1.5), ("3", 1.0)]),
        ([{"metadata": {"source": "a"}, "score": 3.0}], [("a", 3.0)]),
        ({"a": 1.0, "b": 2.0}, [("b", 2.0), ("a", 1.0)]),
        ((hit for hit in [("a", np.float32(2.0))]), [("a", 2.0)]),
        ([], []),
        ({}, []),
    ],
)  # fmt: skip
def test_every_usual_shape_of_results_is_read(returned: object, expected: list[tuple[str, float]]) -> None:
    assert first(lambda query, k: returned) == expected  # noqa: ARG005


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (None, "returned None for 'why?'; expected ids, (id, score) pairs, Hits"),
        ("a", "returned a str ('a') for 'why?'"),
        (3, "returned an int (3) for 'why?'"),
        ([0.9], "result 1 for 'why?' is a float without an id"),
        ([("a", 1.0), (0.9, "b")], "result 2 for 'why?' begins with a float ((0.9, 'b')), not with an id"),
        ([("a", "high")], "result 1 for 'why?' has a str ('high') for a score"),
        ([("a", float("nan"))], "result 1 for 'why?' has the score nan"),
        ([("a", float("inf"))], "result 1 for 'why?' has the score inf"),
        ([("a", True)], "has a bool (True) for a score"),
        ([True], "has a bool (True) for an id"),
        ([""], "has a str ('') for an id"),
        ([("a", 1.0, "t", 4)], "is a tuple of 4"),
        ([{"name": "a"}], "has no id, doc_id or _id (its keys: ['name'])"),
        ({"hits": ["a"]}, "returned a mapping for 'why?' that has a list (['a']) for a score"),
        ((["a", "b"], [2.0, 1.0]), "result 1 for 'why?' has a str ('b') for a score"),
    ],
)
def test_a_wrong_shape_fails_the_query_with_one_clear_sentence(returned: object, said: str) -> None:
    reason = failure(returned)
    assert said in reason
    assert "expected ids, (id, score) pairs" in reason


def test_an_exception_fails_its_query_only() -> None:
    def search(query: str, k: int) -> list[str]:
        if query == "bad":
            raise ConnectionResetError("gone\naway")
        return [query][:k]

    stage, documents = ready(search)
    found = stage.find(Request(("a", "bad", "b"), 3))
    assert found.failed == {1: "ConnectionResetError: gone away"}
    assert rankings(found, documents) == [[("a", 1.0)], [], [("b", 1.0)]]


@pytest.mark.parametrize("concurrency", [1, 3])
def test_an_interrupt_passes(concurrency: int) -> None:
    def search(query: str, k: int) -> list[str]:
        raise KeyboardInterrupt(query, k)

    stage, _ = ready(search, concurrency=concurrency)
    with pytest.raises(KeyboardInterrupt):
        stage.find(Request(("a", "b", "c"), 3))


def test_the_order_returned_counts_where_scores_are_distances() -> None:
    # Distances rise with the rank: three results, so 3, 2, 1.
    stage, documents = ready(lambda query, k: [("b", 0.1), ("c", 0.2), ("a", 0.9)])  # noqa: ARG005
    assert rankings(stage.find(Request(("q",), 3)), documents) == [[("b", 3.0), ("c", 2.0), ("a", 1.0)]]
    assert "1 of 1 queries are scored by rank" in stage.remarks[0]


def test_scores_that_are_all_the_same_leave_the_order_but_a_tie_among_others_is_a_tie() -> None:
    assert first(lambda query, k: [("a", 1.0), ("b", 1.0)]) == [("a", 2.0), ("b", 1.0)]  # noqa: ARG005
    # 2 > 1 = 1: the tied ones stand by document id descending.
    tied = first(lambda query, k: [("b", 2.0), ("a", 1.0), ("c", 1.0)])  # noqa: ARG005
    assert tied == [("b", 2.0), ("c", 1.0), ("a", 1.0)]


def test_a_repeated_document_keeps_its_best_place_and_is_counted() -> None:
    stage, documents = ready(lambda query, k: [("b", 3.0), ("a", 2.0), ("b", 1.0)])  # noqa: ARG005
    assert rankings(stage.find(Request(("q",), 3)), documents) == [[("b", 3.0), ("a", 2.0)]]
    assert stage.remarks == (f"{stage.title}: 1 results repeated a document (1 of 1 queries); the best rank was kept.",)


def test_documents_that_are_not_in_the_corpus_are_kept_and_said() -> None:
    stage, documents = ready(lambda query, k: ["x", "y"])  # noqa: ARG005
    assert rankings(stage.find(Request(("q",), 3)), documents) == [[("x", 2.0), ("y", 1.0)]]
    assert any("none of the 2 results is in the corpus; if the ids" in remark for remark in stage.remarks)


def test_what_does_not_match_the_filters_is_never_returned() -> None:
    asked = []

    def search(query: str, k: int) -> list[str]:
        asked.append(k)
        return [query, "a", "b", "c"]

    stage, documents = ready(search)
    allowed = np.asarray([False, False, True])
    found = stage.find(Request(("q",), 2, allowed=allowed, filters={"kind": "grain"}))
    assert rankings(found, documents) == [[("c", 1.0)]]
    assert asked == [100]  # it takes no filters, so more is asked for than the two wanted
    assert any("3 results did not match the filters" in remark for remark in stage.remarks)


def test_filters_are_given_to_a_retriever_that_takes_them() -> None:
    target = Indexed()
    stage, _ = ready(target)
    stage.find(Request(("q",), 2, allowed=np.ones(3, dtype=np.bool_), filters={"kind": "grain"}))
    stage.find(Request(("p",), 2))
    assert target.calls == [("q", {"kind": "grain"}), ("p", None)]


class Many(Indexed):
    def __init__(self, answer: Callable[[list[str]], object]) -> None:
        super().__init__()
        self.answer = answer

    def search_many(self, queries: list[str], k: int) -> object:
        del k
        return self.answer(queries)


TABLE = RankingTable.from_dict({"p": {"a": 1.0, "b": 2.0}, "q": {"c": 1.0}}, failed={"r": "Crash: x"})


@pytest.mark.parametrize(
    "answer",
    [
        lambda queries: [["b", "a"], ["c"], []][: len(queries)],
        lambda queries: {query: {"p": ["b", "a"], "q": ["c"], "r": []}[query] for query in queries},
        lambda queries: RankingTable.from_dict({"p": {"b": 2.0, "a": 1.0}, "q": {"c": 1.0}, "r": {}}),  # noqa: ARG005
        lambda queries: RankingTable.from_dict({"0": {"b": 2.0, "a": 1.0}, "1": {"c": 1.0}, "2": {}}),  # noqa: ARG005
    ],
)
def test_many_queries_are_asked_in_one_call_where_the_retriever_can(answer: Callable[[list[str]], object]) -> None:
    target = Many(answer)
    stage, documents = ready(target)
    found = stage.find(Request(("p", "q", "r"), 5))
    assert [[doc_id for doc_id, _ in one] for one in rankings(found, documents)] == [["b", "a"], ["c"], []]
    assert target.calls == []
    assert stage.concurrency is None


def test_failures_in_a_table_stay_failures() -> None:
    stage, _ = ready(Many(lambda queries: TABLE))  # noqa: ARG005
    assert stage.find(Request(("p", "q", "r"), 5)).failed == {2: "Crash: x"}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda queries: 1 / 0, "ZeroDivisionError"),  # noqa: ARG005
        (lambda queries: [["a"]], "returned 1 answers for 2 queries"),  # noqa: ARG005
        (lambda queries: {"p": []}, "a mapping without 'q'"),  # noqa: ARG005
        (lambda queries: 3, "search_many returned an int"),  # noqa: ARG005
        (lambda queries: RankingTable.from_dict({"p": {}}), "a table without 'q'"),  # noqa: ARG005
    ],
)
def test_where_a_batch_fails_each_query_is_asked_alone_and_that_is_said(
    answer: Callable[[list[str]], object], said: str
) -> None:
    target = Many(answer)
    stage, documents = ready(target)
    found = stage.find(Request(("p", "q"), 1))
    assert rankings(found, documents) == [[("a", 1.0)], [("a", 1.0)]]
    assert [query for query, _ in target.calls] == ["p", "q"]
    assert said in stage.remarks[-1]


def test_threads_ask_at_once_and_answers_keep_their_order() -> None:
    together = threading.Barrier(3, timeout=10)

    def search(query: str, k: int) -> list[str]:
        together.wait()  # passes only when three are asked at once
        return [query][:k]

    stage, documents = ready(search, concurrency=3)
    found = stage.find(Request(("x", "a", "y"), 1))
    assert rankings(found, documents) == [[("x", 1.0)], [("a", 1.0)], [("y", 1.0)]]
    assert stage.concurrency == 3


def test_several_threads_may_search_one_stage_and_meet_the_same_unknown_documents() -> None:
    stage, documents = ready(lambda query, k: [f"stranger {i}" for i in range(50)])  # noqa: ARG005
    threads = [threading.Thread(target=stage.find, args=(Request(("q",), 50),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert documents.unknown_documents == 50


def test_fewer_than_k_is_said_of_a_retriever_that_takes_no_k() -> None:
    stage, _ = ready(lambda query: ["a"])  # noqa: ARG005
    stage.find(Request(("q",), 2))
    assert any("got fewer documents than asked for; it does not take k" in remark for remark in stage.remarks)


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.one_of(st.none(), st.floats(-5, 5))), max_size=12))
def test_first_places_come_first_whatever_the_scores(pairs: list[tuple[str, float | None]]) -> None:
    ranked = first(lambda query, k: pairs, k=20)  # noqa: ARG005
    ids = [doc_id for doc_id, _ in ranked]
    scores = [score for _, score in ranked]
    assert sorted(ids) == sorted({doc_id for doc_id, _ in pairs})
    assert scores == sorted(scores, reverse=True)
    if len(set(scores)) == len(scores):  # no ties: exactly the order in which they came
        assert ids == list(dict.fromkeys(doc_id for doc_id, _ in pairs))


def test_concurrency_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="own: concurrency is 0"):
        UserRetriever(Indexed(), concurrency=0)


def test_the_card_knows_the_code_of_the_retriever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_search_on_a_card.py").write_text("def find(query, k):\n    return []\n")
    monkeypatch.syspath_prepend(tmp_path)
    facts = UserRetriever("my_search_on_a_card:find").facts
    content = (tmp_path / "my_search_on_a_card.py").read_bytes()
    assert facts == {
        "target": "own(my_search_on_a_card:find)",
        "source": hashlib.sha256(content).hexdigest(),
        "id_field": None,
    }
    assert UserRetriever(Indexed).facts["source"] == hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    assert UserRetriever(Indexed()).facts["source"] is None  # two objects of a class may differ in what no file says
    assert UserRetriever(str.split).facts["source"] is None


def test_an_id_that_utf_8_cannot_hold_fails_its_query_only() -> None:
    pipeline = own(lambda query, k: ["a\ud800"] if query == "bad" else ["b"])  # noqa: ARG005 - the shape of a search
    pipeline.index([Document("b")])
    table = pipeline.search_many({"1": "bad", "2": "good"})
    assert list(table.failed) == ["1"]
    assert "result 1 for 'bad' has the id 'a\\ud800', which UTF-8 cannot hold" in table.failed["1"]
    assert table.questions.to_list() == ["2"]
