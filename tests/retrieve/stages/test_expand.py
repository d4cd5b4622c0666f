"""Query expansion: from a list, from a model, from neighbours among the words of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.records.entities import Document
from goldproof.records.keys import content_key
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.expand import Expand, is_inflection, read_terms, vocabulary
from tests.retrieve.given import Given, ask, documents_of, names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.embed.embedder import Purpose, Vectors


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


class Scripted:
    """A model whose answers are written down; an exception is raised."""

    key = "scripted"

    def __init__(self, **answers: str | Exception) -> None:
        self.answers = answers
        self.prompts: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        answer = next(said for word, said in self.answers.items() if f"Query: {word}" in prompt)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Compass:
    """An embedder of the plane: words have directions, in degrees."""

    key = "compass"
    directions: ClassVar = {
        "car": 0,
        "cars": 5,
        "automobile": 20,
        "vehicle": 40,
        "truck": 45,
        "banana": 180,
        "fruit": 170,
    }

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002 - the same for all
        angles = np.radians([self.directions.get(text, 270) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def indexed(expand: Expand, *texts: str) -> Expand:
    expand.index(DocumentIndex(Document(str(i), text) for i, text in enumerate(texts * 2)))
    return expand


def test_synonyms_of_a_list_are_added_in_the_order_of_the_query() -> None:
    expand = Expand(Given({}), {"car": ["automobile", "vehicle"], "new york": ["NYC"], "old": "ancient"})
    assert (
        expand.expanded("Old cars in New York, one car")
        == "Old cars in New York, one car ancient NYC automobile vehicle"
    )


def test_at_most_terms_are_added_and_none_that_the_query_has() -> None:
    expand = Expand(Given({}), {"car": ["Vehicle", "automobile", "motor car", "Automobile"]}, terms=2)
    assert expand.expanded("vehicle or car") == "vehicle or car automobile motor car"


def test_a_query_without_a_listed_word_stays_as_it_is() -> None:
    assert Expand(Given({}), {"car": ["vehicle"]}).expanded("bananas") == "bananas"


def test_the_source_is_asked_the_longer_query() -> None:
    documents = documents_of("a", "b")
    expand = Expand(Given({"car vehicle": {"a": 1.0}, "car": {"b": 1.0}}), {"car": ["vehicle"]})
    expand.index(documents)
    assert names(expand.find(ask("car")), documents) == ["a"]


def test_a_list_may_be_a_yaml_file(tmp_path: Path) -> None:
    path = tmp_path / "synonyms.yaml"
    path.write_text("car: [automobile, vehicle]\nno: nope\n", encoding="utf-8")
    assert Expand(Given({}), str(path)).expanded("no car") == "no car nope automobile vehicle"


@pytest.mark.parametrize(
    ("text", "said"), [("- car\n", "is not a mapping"), ("car: {a: b}\n", "car is a mapping, expected a list of words")]
)
def test_a_file_that_is_no_list_of_synonyms_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "synonyms.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=said):
        Expand(Given({}), str(path))


def test_a_model_is_asked_and_its_words_added() -> None:
    model = Scripted(car="1. automobile\n2. **car**\n- motor vehicle\n")
    assert Expand(Given({}), model, terms=3).expanded("car") == "car automobile motor vehicle"
    assert "up to 3 other words" in model.prompts[0]


def test_a_model_that_fails_costs_one_query() -> None:
    documents = documents_of("a", "b")
    model = Scripted(car="vehicle", plane=ValueError("no answer in 60 s"), ship="boat", tram="bus")
    source = Given({"car vehicle": {"a": 1.0}, "ship boat": {"b": 1.0}}, failed={"tram bus": "down"})
    expand = Expand(source, model)
    expand.index(documents)
    found = expand.find(Request(("plane", "car", "tram", "ship"), 5, ids=("1", "2", "3", "4")))
    assert found.failed == {
        0: "expand: ModelFailedError: model scripted: ValueError: no answer in 60 s",
        2: "down",
    }
    assert [names(found, documents, i) for i in range(4)] == [[], ["a"], [], ["b"]]
    assert source.asked[0].ids == ("2", "3", "4")


def test_where_the_model_fails_always_the_source_is_not_asked() -> None:
    source = Given({})
    expand = Expand(source, Scripted(car=OSError("down")))
    expand.index(documents_of("a"))
    assert expand.find(ask("car")).failed == {0: "expand: ModelFailedError: model scripted: OSError: down"}
    assert source.asked == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("lift, drag; thrust", ["lift", "drag", "thrust"]),
        ("Here are some synonyms:\n\n- lift\n* drag\n3) thrust.", ["lift", "drag", "thrust"]),
        ("Synonyms: lift, drag", ["lift", "drag"]),
        ('```json\n["lift", "drag"]\n```', ["lift", "drag"]),
        ("`lift`\n**drag**\n\u201cthrust\u201d", ["lift", "drag", "thrust"]),
        ("std::vector\nit's", ["std::vector", "it's"]),
        ("", []),
        ("None.", []),
        ("lift\n" + "There is no other good word for this query, I am afraid to say so " * 2, ["lift"]),
    ],
)
def test_a_model_may_answer_in_lines_or_commas(answer: str, expected: list[str]) -> None:
    assert read_terms(answer) == expected


def test_neighbours_are_words_of_the_corpus_the_nearest_first() -> None:
    # From car (0 degrees): automobile 20 (0.94), vehicle 40 (0.77), truck 45 (0.71); least 0.75 leaves truck out.
    expand = indexed(Expand(Given({}), Compass(), least=0.75), "automobile vehicle truck banana", "car cars")
    assert expand.expanded("car") == "car automobile vehicle"
    assert (
        indexed(Expand(Given({}), Compass(), least=0.7), "truck automobile").expanded("car") == "car automobile truck"
    )


def test_a_word_of_the_query_that_the_corpus_lacks_has_neighbours_too() -> None:
    expand = indexed(Expand(Given({}), Compass(), least=0.6), "automobile fruit")
    assert expand.expanded("a car or a banana") == "a car or a banana fruit automobile"


def test_terms_are_the_best_of_all_words() -> None:
    # banana - fruit 10 degrees, car - automobile 20, car - vehicle 40
    expand = indexed(Expand(Given({}), Compass(), least=0.6, terms=2), "automobile fruit vehicle")
    assert expand.expanded("car banana") == "car banana fruit automobile"


def test_a_query_has_the_same_neighbours_alone_and_in_a_batch() -> None:
    source = Given({})
    expand = indexed(Expand(source, Compass()), "automobile fruit vehicle")
    queries = ("car", "banana", "truck car")
    expand.find(Request(queries, 3))
    assert source.asked[0].queries == tuple(expand.expanded(query) for query in queries)


def test_minilm_knows_that_a_car_is_an_automobile() -> None:
    texts = ["the automobile was red", "a red automobile and bananas", "bananas, seldom red"]
    expand = Expand(Given({}), "minilm", least=0.8)
    expand.index(DocumentIndex(Document(str(i), text) for i, text in enumerate(texts)))
    assert expand.expanded("my car") == "my car automobile"
    assert expand.facts["words"] == 3


def test_a_corpus_without_words_gives_no_neighbours() -> None:
    expand = Expand(Given({}), Compass())
    expand.index(DocumentIndex())
    assert expand.expanded("car") == "car"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("wing", "wings", True),
        ("compress", "compressed", True),
        ("body", "bodies", True),
        ("supersonic", "hypersonic", False),
        ("lift", "drag", False),
        ("car", "automobile", False),
        ("as", "at", False),
    ],
)
def test_an_inflection_differs_by_its_ending(one: str, other: str, expected: bool) -> None:
    assert is_inflection(one, other) is is_inflection(other, one) is expected


def test_the_vocabulary_is_the_content_words_of_two_documents_the_most_frequent_first() -> None:
    texts = ["The wing of a B52 stalls", "wing and tail", "tail, wing, 1950 of", "a b52 of 1950 stalls at once"]
    assert vocabulary(texts) == ("wing", "stalls", "tail")
    assert vocabulary(texts, most=1) == ("wing",)
    assert vocabulary(texts, least=3) == ("wing",)


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"terms": 0}, "terms is 0"), ({"least": 1.5}, "at most 1"), ({"least": "high"}, "least is high")],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=f"expand: .*{said}"):
        Expand(Given({}), {"car": ["vehicle"]}, **settings)


def test_a_card_says_how_queries_were_expanded() -> None:
    assert Expand(Given({}), Scripted()).facts == {"model": "scripted", "prompt": "expand-1", "terms": 5}
    content = content_key([[["car"], ["vehicle"]]])
    assert Expand(Given({}), {"Car": ["vehicle"]}).facts == {"synonyms": 1, "sha256": content, "terms": 5}
