"""What every stage must hold.

It is declared whole and once. Indexing starts anew, a query is answered the same in any batch, and facts tell apart.
"""

from __future__ import annotations

import ast
import importlib
import json
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import goldproof.retrieve
from goldproof.records.entities import Document, Hit
from goldproof.retrieve import (
    Pipeline,
    bm25,
    decay,
    dense,
    expand,
    filter_by,
    filter_from_query,
    floor,
    http,
    hybrid,
    recency,
    recent_from_query,
    top,
)
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.http import Http
from goldproof.retrieve.external.run_file import RunFile
from goldproof.retrieve.external.user_retriever import UserRetriever
from goldproof.retrieve.language import Step
from goldproof.retrieve.stage import (
    BUILT_IN,
    STAGES,
    Declared,
    Request,
    concurrency_of,
    kind_of,
    stage_facts,
    stage_remarks,
    stages_of,
)
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.decay import Decay, Recency
from goldproof.retrieve.stages.dense import Dense
from goldproof.retrieve.stages.expand import Expand
from goldproof.retrieve.stages.filter_from_query import FilterFromQuery
from goldproof.retrieve.stages.filters import Filter
from goldproof.retrieve.stages.hybrid import Hybrid
from goldproof.retrieve.stages.recent_from_query import RecentFromQuery
from goldproof.retrieve.stages.rerank import Rerank
from tests.retrieve.external.test_http import service
from tests.retrieve.given import Given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.embed.embedder import Purpose, Vectors
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Stage
    from tests.retrieve.external.test_http import Handler

HOME = Path(goldproof.retrieve.__file__).parent
QUERIES = (
    "green pears",
    "red apples and plums",
    "the latest cherry plum",
    "nothing of it",
    "the last two green apples",
)


def colour_of(text: str) -> dict[str, str]:
    return {"colour": text.split(maxsplit=1)[0]} if text.startswith(("red", "green")) else {}


def documents(texts: Mapping[str, str]) -> tuple[Document, ...]:
    return tuple(
        Document(
            name,
            text,
            metadata={"turn": turn, "year": 2019 + turn % 3, "time": f"2024-05-0{turn + 1}", **colour_of(text)},
        )
        for turn, (name, text) in enumerate(texts.items())
    )


# The second lacks words of the first and has others; shared ids stand at other places and have other texts.
FIRST = documents({"a": "red apples", "b": "green pears", "c": "blue sky and green apples", "d": "a red cherry"})
SECOND = documents(
    {
        "e": "ripe plums",
        "c": "red apples, ripe",
        "x": "cherry plum jam",
        "a": "green pears or plums",
        "y": "green plums",
    }
)


class Letters:
    """An embedder: how often each letter occurs, as a vector of length 1."""

    def __init__(self, columns: int = 26) -> None:
        self.columns = columns
        self.key = f"letters-{columns}"

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002
        counts = np.zeros((len(texts), self.columns), dtype=np.float32)
        for row, text in zip(counts, texts, strict=True):
            for letter in text:
                row[ord(letter) % self.columns] += 1
        unit: Vectors = counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1).astype(np.float32)
        return unit


class Overlap:
    """A retriever of the user's: shared words; it also returns a document that no corpus has."""

    def index(self, documents: Sequence[Document]) -> None:
        self.words = {document.id: set(document.text.split()) for document in documents}

    def search(self, query: str, k: int) -> list[Hit]:
        shared = {name: len(words & set(query.split())) for name, words in self.words.items()}
        hits = [Hit(f"stranger of {query}", 1.0), *(Hit(name, float(n)) for name, n in shared.items() if n)]
        return sorted(hits, key=lambda hit: (hit.score, hit.doc_id), reverse=True)[:k]


class ScriptedModel:
    key = "scripted"

    def ask(self, prompt: str) -> str:
        return "plums\npears" if "apples" in prompt.rpartition("Query:")[2] else "cherry"


def lengths(query: str, texts: Sequence[str]) -> list[float]:
    return [float(len(text) + len(query)) for text in texts]


def answered(handler: Handler, body: dict[str, Any]) -> None:
    scores = {name: float(name in body["query"]) + place for place, name in enumerate("xyzabc")}
    hits = [{"id": name, "score": score} for name, score in sorted(scores.items(), key=lambda pair: -pair[1])]
    handler.answer(json.dumps({"hits": hits[: body["k"]]}).encode())


def sources_and_steps() -> dict[str, Callable[[str, str], Stage]]:
    """By name, what makes the stage; given the address of a service and the path of a run."""
    letters = Letters()
    return {
        "bm25": lambda *_: Bm25(),
        "bm25 stemmed": lambda *_: Bm25(stem="english", method="bm25+"),
        "dense": lambda *_: Dense(letters),
        "hybrid": lambda *_: Hybrid(Bm25(), Dense(letters)),
        "hybrid of unknown documents": lambda *_: Hybrid(
            UserRetriever(Overlap), Dense(letters), method="sum", normalise="zscore"
        ),
        "recency": lambda *_: Recency(half_life=2),
        "own": lambda *_: UserRetriever(Overlap),
        "http": lambda url, _: Http(url),
        "run": lambda _, path: RunFile(path),
        "floor": lambda *_: Floor(Dense(letters), 0.7),
        "filter": lambda *_: Filter(Bm25(), year="2020..2021"),
        "filter_from_query": lambda *_: FilterFromQuery(Bm25(), "colour", missing="keep"),
        "filter_from_query of unknown documents": lambda *_: FilterFromQuery(
            UserRetriever(Overlap), "colour", missing="keep"
        ),
        "recent_from_query": lambda *_: RecentFromQuery(Bm25()),
        "recent_from_query of unknown documents": lambda *_: RecentFromQuery(
            UserRetriever(Overlap), by="age", missing="keep"
        ),
        "decay": lambda *_: Decay(Bm25(), half_life=3),
        "decay by age": lambda *_: Decay(UserRetriever(Overlap), "linear", by="age", missing="keep"),
        "rerank": lambda *_: Rerank(Bm25(), lengths),
        "top": lambda *_: Top(Bm25(), 1),
        "expand": lambda *_: Expand(Bm25(), {"apples": ["plums", "pears"]}),
        "expand by neighbours": lambda *_: Expand(Bm25(), letters, least=0.5),
        "expand by a model": lambda *_: Expand(Bm25(), ScriptedModel()),
    }


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


@pytest.fixture(params=sorted(sources_and_steps()))
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Stage]]:
    run = tmp_path / "a.trec"
    run.write_text("".join(f"q{i} Q0 {name} 1 {n} r\n" for i in range(5) for n, name in enumerate("xcae")))
    maker = sources_and_steps()[request.param]
    with ExitStack() as stack:
        url = stack.enter_context(service(answered)).url if request.param == "http" else ""
        yield lambda: maker(url, str(run))


def indexed(stage: Stage, corpus: Sequence[Document]) -> tuple[Stage, DocumentIndex]:
    documents = DocumentIndex(corpus)
    stage.index(documents)
    return stage, documents


class Came(NamedTuple):
    """What came for a query, to the last bit; similarities as text, since NaN differs from itself."""

    ids: list[str]
    scores: list[float]
    similarities: list[str] | None
    failure: str | None


def rankings(stage: Stage, documents: DocumentIndex, order: Sequence[int] = range(len(QUERIES))) -> dict[int, Came]:
    """What came, by query; order: in which queries are asked."""
    request = Request(tuple(QUERIES[i] for i in order), 4, ids=tuple(f"q{i}" for i in order))
    found = stage.find(request)
    return {i: _ranking(found, documents, place) for place, i in enumerate(order)}


def _ranking(found: RankingBatch, documents: DocumentIndex, query: int) -> Came:
    rows = slice(found.starts[query], found.starts[query + 1])
    similarity = None if found.similarity is None else [repr(one) for one in found.similarity[rows].tolist()]
    return Came(documents.ids(found.documents[rows]), found.scores[rows].tolist(), similarity, found.failed.get(query))


def test_every_stage_takes_part() -> None:
    made = {name.split()[0] for name in sources_and_steps()}
    adapters = {name for name in BUILT_IN if issubclass(STAGES.get(name), UserRetriever)}  # of the same stage
    assert made | adapters == set(BUILT_IN)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_stage_says_what_it_does_and_what_each_parameter_means(name: str) -> None:
    stage = STAGES.get(name)
    assert issubclass(stage, Declared)
    assert kind_of(stage) is not None
    assert stage.summary.endswith(".")
    assert set(stage.docs) == {parameter.name for parameter in stage.signature.parameters}
    assert all(doc and not doc.endswith(".") for doc in stage.docs.values())


def test_the_table_of_stages_names_the_classes_as_they_declare_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STAGES, "_targets", dict(STAGES._targets))
    for path in HOME.rglob("*.py"):
        if "\n@stage(" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(("goldproof", "retrieve", *path.relative_to(HOME).with_suffix("").parts)))
    ours = [stage for stage in map(STAGES.get, STAGES) if stage.__module__.startswith("goldproof.")]
    assert {stage.name: f"{stage.__module__}:{stage.__qualname__}" for stage in ours} == BUILT_IN


def test_a_default_of_a_stage_is_written_once() -> None:
    """No function below a stage, nor its function in Python, has a default of the same name and value."""
    stages = [STAGES.get(name) for name in BUILT_IN]
    once = {
        (parameter.name, repr(parameter.default))
        for stage in stages
        for parameter in stage.signature.parameters
        if parameter.default not in (None, True, False, parameter.empty)
    }
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in HOME.rglob("*.py")]
    again = [written for tree in trees for written in _defaults(tree, but={stage.__name__ for stage in stages})]
    assert len(again) > 10
    assert once
    assert not once.intersection(again)


def _defaults(tree: ast.Module, *, but: set[str]) -> Iterator[tuple[str, str]]:
    """The parameters of functions that have a default; but: classes whose constructors do not count."""
    inits = [body for node in tree.body if isinstance(node, ast.ClassDef) and node.name in but for body in node.body]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node not in inits:
            by_position = [*node.args.posonlyargs, *node.args.args]
            given = zip(reversed(by_position), reversed(node.args.defaults), strict=False)
            for argument, default in (*given, *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)):
                if default is not None:
                    yield argument.arg, ast.unparse(default)


@pytest.mark.parametrize("first", [FIRST, ()], ids=["other documents", "no documents"])
def test_a_stage_that_is_indexed_again_is_as_one_that_never_was(
    make: Callable[[], Stage], first: tuple[Document, ...]
) -> None:
    fresh = rankings(*indexed(make(), SECOND))
    again = make()
    rankings(*indexed(again, first))
    assert rankings(*indexed(again, SECOND)) == fresh
    assert any(ranking.ids for ranking in fresh.values())


def test_a_query_is_answered_the_same_alone_in_a_batch_and_in_another_order(make: Callable[[], Stage]) -> None:
    stage, documents = indexed(make(), SECOND)
    batch = rankings(stage, documents)
    backwards = rankings(stage, documents, range(len(QUERIES))[::-1])
    alone = {i: rankings(stage, documents, [i])[i] for i in range(len(QUERIES))}
    assert batch == backwards == alone


def test_facts_are_values_of_json_and_there_for_every_stage(make: Callable[[], Stage]) -> None:
    stage, _ = indexed(make(), SECOND)
    facts = stage_facts(stage)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert all(isinstance(one, Declared) and one.facts for one in stages_of(stage))


def synonyms(path: Path, text: str) -> Pipeline:
    path.write_text(text)
    return expand(str(path)) | bm25()


def after_bm25(step: Step) -> Pipeline:
    return Pipeline(Step.__ror__(step, bm25()).expression)


@pytest.mark.parametrize(
    "pair",
    [
        lambda: (bm25(), bm25(k1=1.2)),
        lambda: (bm25(stopwords=["a"]), bm25(stopwords=["b"])),
        lambda: (dense(Letters()), dense(Letters(13))),
        lambda: (dense(Letters()), dense(Letters(), code=True)),
        lambda: (after_bm25(floor(0.3)), after_bm25(floor(0.4))),
        lambda: (after_bm25(floor(0.3)), after_bm25(floor(0.3, of="score"))),
        lambda: (after_bm25(top(3)), after_bm25(top(4))),
        lambda: (after_bm25(filter_by(year={"gt": 3})), after_bm25(filter_by(year={"gt": 4}))),
        lambda: (after_bm25(filter_by(year={"gt": 3})), after_bm25(filter_by(year={"gte": 3}))),
        lambda: (after_bm25(filter_by(year=[2019, 9])), after_bm25(filter_by(year=[2019, "9"]))),
        lambda: (
            after_bm25(filter_by(time={"gt": date(2024, 5, 1)})),
            after_bm25(filter_by(time={"gt": date(2024, 5, 2)})),
        ),
        lambda: (after_bm25(filter_by(year=[2019, 2020])), after_bm25(filter_by(year=[2019, 2021]))),
        lambda: (after_bm25(filter_by(year={"lt": float("inf")})), after_bm25(filter_by(year={"lt": 9.5}))),
        lambda: (after_bm25(filter_from_query("year")), after_bm25(filter_from_query("year", "turn"))),
        lambda: (after_bm25(filter_from_query("year")), after_bm25(filter_from_query("year", pronouns=False))),
        lambda: (after_bm25(filter_from_query("year")), after_bm25(filter_from_query("year", missing="keep"))),
        lambda: (after_bm25(recent_from_query()), after_bm25(recent_from_query(by="age"))),
        lambda: (after_bm25(recent_from_query()), after_bm25(recent_from_query(field="year"))),
        lambda: (after_bm25(recent_from_query()), after_bm25(recent_from_query(depth=10))),
        lambda: (after_bm25(recent_from_query()), after_bm25(recent_from_query(current=False))),
        lambda: (after_bm25(recent_from_query()), after_bm25(recent_from_query(missing="keep"))),
        lambda: (after_bm25(decay()), after_bm25(decay("linear"))),
        lambda: (after_bm25(decay(half_life=3)), after_bm25(decay(half_life=4))),
        lambda: (after_bm25(decay("linear", rate=0.1)), after_bm25(decay("linear", rate=0.2))),
        lambda: (after_bm25(decay(by="turn")), after_bm25(decay(by="age"))),
        lambda: (after_bm25(decay(field="turn")), after_bm25(decay(field="year"))),
        lambda: (after_bm25(decay(now=8)), after_bm25(decay(now=9))),
        lambda: (
            after_bm25(decay(by="age", now=datetime(2024, 6, 1, tzinfo=UTC))),
            after_bm25(decay(by="age", now=datetime(2024, 6, 2, tzinfo=UTC))),
        ),
        lambda: (after_bm25(decay(missing="error")), after_bm25(decay(missing="keep"))),
        lambda: (after_bm25(decay(depth=10)), after_bm25(decay(depth=20))),
        lambda: (recency(half_life=3), recency(half_life=4)),
        lambda: (recency(by="turn"), recency(by="age")),
        lambda: (recency(now=8), recency(now=9)),
        lambda: (hybrid(bm25(), recency()), hybrid(bm25(), recency(), method="sum")),
        lambda: (hybrid(bm25(), recency()), hybrid(bm25(), recency(), weights=[1, 2])),
        lambda: (hybrid(bm25(), recency()), hybrid(bm25(), recency(), c=1)),
        lambda: (hybrid(bm25(), recency()), hybrid(bm25(), recency(), normalise="max")),
        lambda: (hybrid(bm25(), recency()), hybrid(bm25(), recency(), depth=9)),
        lambda: (expand({"a": ["b"]}) | bm25(), expand({"a": ["c"]}) | bm25()),
        lambda: (expand({"a": ["b", "c"]}) | bm25(), expand({"a": ["c", "b"]}) | bm25()),
        lambda: (expand({"a": ["b"]}) | bm25(), expand({"c": ["b"]}) | bm25()),
        lambda: (expand({"a": ["b"]}, terms=1) | bm25(), expand({"a": ["b"]}, terms=2) | bm25()),
        lambda: (expand(Letters()) | bm25(), expand(Letters(13)) | bm25()),
        lambda: (expand(Letters()) | bm25(), expand(Letters(), least=0.9) | bm25()),
        lambda: (http("https://host/search?key=one"), http("https://host/search?key=two")),
        lambda: (http("https://host/search"), http("https://host/other")),
    ],
)
def test_facts_tell_two_configurations_apart(pair: Callable[[], tuple[Pipeline, Pipeline]]) -> None:
    found = []
    for pipeline in pair():
        pipeline.index(SECOND)
        found.append(json.dumps(pipeline.facts["stages"], allow_nan=False))
    assert found[0] != found[1]


def test_facts_tell_two_contents_of_a_file_of_synonyms_apart(tmp_path: Path) -> None:
    before = stage_facts(synonyms(tmp_path / "s.yaml", "car: [automobile]\n").stage)
    after = stage_facts(synonyms(tmp_path / "s.yaml", "car: [vehicle]\n").stage)
    again = stage_facts(synonyms(tmp_path / "s.yaml", "car: [automobile]  # as before\n").stage)
    assert before != after
    assert before == again


def test_a_stage_that_has_only_index_and_find_works_and_says_nothing() -> None:
    bare = Given({"q": {"a": 1.0}})
    assert stage_facts(bare) == [{"stage": "given"}]
    assert stage_remarks(bare) == []
    assert concurrency_of(bare) is None
    assert concurrency_of(Top(UserRetriever(lambda query: [query], concurrency=3), 5)) == 3
