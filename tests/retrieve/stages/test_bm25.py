"""BM25 by hand, its edges, and its refusals."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from goldproof.errors import InputError, MissingExtraError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.bm25_search import weigh

if TYPE_CHECKING:
    from goldproof.retrieve.ranking import RankingBatch

BACKENDS = ("numpy", "numba")
METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    # One folder for all workers and tests, or each would compile anew.
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path_factory.getbasetemp().parent / "home-of-bm25"))


def indexed(texts: list[str], **settings: Any) -> tuple[Bm25, DocumentIndex]:  # noqa: ANN401
    stage, documents = Bm25(**settings), DocumentIndex(Document(f"d{i:02}", text) for i, text in enumerate(texts))
    stage.index(documents)
    return stage, documents


def rows(found: RankingBatch, query: int = 0) -> list[tuple[int, float]]:
    part = slice(found.starts[query], found.starts[query + 1])
    return list(zip(found.documents[part].tolist(), found.scores[part].tolist(), strict=True))


def ask(texts: list[str], query: str, k: int = 10, **settings: Any) -> list[tuple[int, float]]:  # noqa: ANN401
    return rows(indexed(texts, **settings)[0].find(Request((query,), k)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_scores_by_hand(backend: str) -> None:
    # Lengths 2, 1, 3, mean 2. idf(cat) = ln(1 + (3 - 2 + 0.5) / 2.5) = ln 1.6 = 0.470004
    # d00: tf 1, length 2: 0.470004 * 1 / (1.5 * (0.25 + 0.75 * 2 / 2) + 1) = 0.470004 / 2.5 = 0.188001
    # d02: tf 2, length 3: 0.470004 * 2 / (1.5 * (0.25 + 0.75 * 3 / 2) + 2) = 0.940007 / 4.0625 = 0.231386
    found = ask(["cat dog", "dog", "cat cat bird"], "cat", backend=backend)
    assert [document for document, _ in found] == [2, 0]
    assert [score for _, score in found] == pytest.approx([0.231386, 0.188001], abs=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_token_that_a_query_has_twice_counts_twice(backend: str) -> None:
    once, twice = (ask(["cat", "dog", "dog"], query, backend=backend) for query in ("cat", "cat cat"))
    assert [document for document, _ in twice] == [0]
    assert twice[0][1] == pytest.approx(2 * once[0][1])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("method", METHODS)
def test_a_document_is_found_if_and_only_if_it_has_a_token_of_the_query(backend: str, method: str) -> None:
    # `common` is in all but one document: robertson gives it the weight 0. `bird` is in none.
    texts = ["common", "common rare", "common", "other"]
    found = ask(texts, "common bird", method=method, backend=backend)
    assert sorted(document for document, _ in found) == [0, 1, 2]
    assert all(score >= 0 for _, score in found)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("method", ["robertson", "atire"])
def test_a_token_of_weight_0_in_a_corpus_of_one_still_finds(backend: str, method: str) -> None:
    # Robertson: ln max(1, (1 - 1 + 0.5) / 1.5) = ln 1 = 0. Atire: ln (1 / 1) = 0.
    assert ask(["cat"], "cat", method=method, backend=backend) == [(0, 0.0)]


@pytest.mark.parametrize("method", ["bm25l", "bm25+"])
def test_absent_tokens_count_in_the_score_of_documents_that_are_found(method: str) -> None:
    # bm25+: idf(cat) = ln (3 + 1) / 1; d00 has 1 of mean 1 words: idf * (2.5 / 2.5 + 0.5) = 1.5 idf.
    # `dog` is absent from d00 and adds 0.5 idf(dog), idf(dog) = ln (4 / 2).
    found = dict(ask(["cat", "dog", "dog"], "cat dog", method=method))
    if method == "bm25+":
        assert found[0] == pytest.approx(1.5 * math.log(4) + 0.5 * math.log(2), rel=1e-6)
    # bm25l: idf = ln (4 / (df + 0.5)); c = 1, 2.5 * 1.5 / 3 = 1.25 for present, 2.5 * 0.5 / 2 = 0.625 for absent.
    else:
        assert found[0] == pytest.approx(1.25 * math.log(4 / 1.5) + 0.625 * math.log(4 / 2.5), rel=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 9])
def test_ties_at_the_cut_go_to_the_larger_id(backend: str, k: int) -> None:
    texts = ["cat", "cat", "dog", "cat cat cat", "cat", "cat"]
    # All of the same length but d03, which is longer and has more: it is first.
    found = ask(texts, "cat", k, backend=backend, b=0)
    assert [document for document, _ in found] == [3, 5, 4, 1, 0][:k]


@pytest.mark.parametrize("backend", BACKENDS)
def test_ties_go_by_id_and_not_by_position(backend: str) -> None:
    stage = Bm25(backend=backend)  # type: ignore[arg-type]
    documents = DocumentIndex(Document(name, "cat") for name in ("b", "c", "a", "10", "9"))
    stage.index(documents)
    found = stage.find(Request(("cat",), 3))
    assert documents.ids(found.documents) == ["c", "b", "a"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_only_allowed_documents_are_returned_and_the_cut_comes_after(backend: str) -> None:
    stage, _ = indexed(["cat"] * 6 + ["dog"], backend=backend)
    allowed = np.array([True, False, True, False, False, False, True])
    assert [d for d, _ in rows(stage.find(Request(("cat",), 1, allowed=allowed)))] == [2]
    assert [d for d, _ in rows(stage.find(Request(("cat",), 5, allowed=allowed)))] == [2, 0]
    assert not rows(stage.find(Request(("cat",), 5, allowed=np.zeros(7, dtype=np.bool_))))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("texts", [[], [""], ["", "", ""], ["the of", "..."]])
def test_a_corpus_without_tokens_finds_nothing(backend: str, texts: list[str]) -> None:
    stage, _ = indexed(texts, backend=backend)
    found = stage.find(Request(("cat", "", "the"), 5))
    assert found.starts.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_and_unknown_queries_find_nothing_beside_others_that_do(backend: str) -> None:
    stage, _ = indexed(["cat dog", "", "dog"], backend=backend)
    found = stage.find(Request(("", "bird", "dog", "!?", "cat"), 5))
    assert np.diff(found.starts).tolist() == [0, 0, 2, 0, 1]
    assert stage.find(Request((), 5)).queries == 0
    assert stage.find(Request(("dog",), 0)).queries == 1


def test_a_query_of_stop_words_finds_nothing_unless_they_are_kept() -> None:
    texts = ["to be or not to be", "the cat"]
    assert not ask(texts, "to be or not to be")
    assert [d for d, _ in ask(texts, "to be or not to be", stopwords="none")] == [0]
    assert [d for d, _ in ask(texts, "the cat", stopwords=["CAT"])] == [1]
    assert not ask(texts, "cat", stopwords=["CAT"])


def test_stop_words_do_not_count_in_the_length() -> None:
    plain, wordy = ask(["cat", "bird"], "cat"), ask(["the cat is in it", "bird"], "cat")
    assert plain == wordy


def test_names_are_found_by_their_words_and_words_by_names_unless_tokens_are_plain() -> None:
    texts = ["class LlmAgent(BaseAgent)", "nothing of it"]
    assert [d for d, _ in ask(texts, "agent")] == [0]
    assert [d for d, _ in ask(texts, "llm_agent")] == [0]
    assert not ask(texts, "agent", tokens="words")


def test_stemming_joins_forms_of_a_word_in_the_language_asked_for() -> None:
    assert not ask(["running dogs"], "dog runs")
    assert [d for d, _ in ask(["running dogs"], "dog runs", stem="english")] == [0]
    assert [d for d, _ in ask(["die Häuser"], "Haus", stem="german")] == [0]
    # A name with a sign or digit in it is not stemmed; parts that become one count once.
    assert indexed([""], stem="english")[0].tokens_of("get_names agents.agent") == [
        *("get_names", "get", "name"),
        *("agents.agent", "agent"),
    ]


def test_the_title_is_searched() -> None:
    stage, documents = Bm25(), DocumentIndex([Document("a", "dog", title="Cat"), Document("b", "dog")])
    stage.index(documents)
    assert documents.ids(stage.find(Request(("cat",), 5)).documents) == ["a"]


def test_facts_say_what_was_used() -> None:
    stage, _ = indexed(["cat"], stem="english", stopwords=["b", "a"])
    assert {name: stage.facts[name] for name in stage.facts if name != "bm25s"} == {
        "backend": "numpy",
        "method": "lucene",
        "k1": 1.5,
        "b": 0.75,
        "tokens": "code",
        "stem": "english",
        "stopwords": ["a", "b"],
    }
    assert str(stage.facts["bm25s"]).startswith("0.")


def test_auto_takes_numba_for_a_large_corpus_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert indexed(["cat"] * 3)[0].facts["backend"] == "numpy"
    monkeypatch.setattr(sys.modules["goldproof.retrieve.stages.bm25"], "LARGE", 3)
    assert indexed(["cat"] * 3)[0].facts["backend"] == "numba"
    assert "numba" in indexed(["cat"] * 3)[0].facts
    assert indexed(["cat"] * 3, backend="numpy")[0].facts["backend"] == "numpy"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k1": -1}, "bm25: k1 -1 must be a number of at least 0"),
        ({"k1": math.nan}, "bm25: nan cannot be used in a pipeline; give a finite number"),
        ({"k1": True}, "bm25: k1 is true, expected a number"),
        ({"k1": 1e300}, r"bm25: k1 1e\+300 must be a number of at least 0 and at most 1000"),
        ({"k1": 10**400}, "bm25: 10{400} cannot be used in a pipeline; give a finite number"),
        ({"k1": 0, "method": "bm25+"}, r"bm25: method bm25\+ is not defined for k1=0"),
        ({"b": 1.1}, "bm25: b 1.1 must be a number from 0 to 1"),
        ({"b": "x"}, "bm25: b is x, expected a number"),
        ({"method": "lucen"}, r"bm25: method is lucen, expected lucene, robertson, atire, bm25l or bm25\+"),
        ({"tokens": "coed"}, "bm25: tokens is coed, expected code or words"),
        ({"stem": "englisch"}, "bm25: unknown language for stem 'englisch'; did you mean 'english'"),
        ({"stopwords": "englich"}, "bm25: unknown stopwords 'englich'; did you mean 'english'?"),
        ({"stopwords": {1}}, r"bm25: stopwords \{1\} must be words"),
        ({"backend": "nump"}, "bm25: backend is nump, expected auto, numba or numpy"),
    ],
)
def test_wrong_settings_are_refused_with_what_is_right(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message.replace('?', '[?]')}"):
        Bm25(**settings)


def test_searching_before_indexing_is_refused() -> None:
    with pytest.raises(InputError, match=r"^bm25: there are no documents"):
        Bm25().find(Request(("cat",), 5))


def test_stemming_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    with pytest.raises(MissingExtraError, match=r"stemming needs the extra 'bm25': pip install 'goldproof\[bm25\]'"):
        Bm25(stem="english")


def test_without_numba_auto_is_numpy_and_numba_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["goldproof.retrieve.stages.bm25"], "LARGE", 1)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert indexed(["cat"])[0].facts["backend"] == "numpy"
    with pytest.raises(MissingExtraError, match="bm25 with backend=numba needs the extra 'bm25'"):
        Bm25(backend="numba")


def test_a_process_logs_nothing_shows_no_bar_and_keeps_what_numba_compiled_in_our_folder() -> None:
    script = (
        "import logging, numba; logging.basicConfig(level=logging.DEBUG)\n"
        "logging.getLogger('numba').setLevel(logging.WARNING)\n"
        "before = numba.config.CACHE_DIR\n"
        "from goldproof.records.entities import Document\n"
        "from goldproof.retrieve.stages.bm25 import Bm25\n"
        "from goldproof.retrieve.document_index import DocumentIndex\n"
        "from goldproof.retrieve.stage import Request\n"
        "stage = Bm25(backend='numba'); stage.index(DocumentIndex([Document('a', 'cat')]))\n"
        "assert stage.find(Request(('cat', ''), 3)).documents.tolist() == [0]\n"
        "assert numba.config.CACHE_DIR == before\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert "bm25s" not in done.stdout + done.stderr.lower()
    assert "it/s" not in done.stderr
    assert list((Path(os.environ["GOLDPROOF_HOME"]) / "numba").rglob("*rank_all*.nbc"))


def test_the_backend_is_decided_anew_with_every_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.retrieve.stages.bm25.LARGE", 3)
    stage = Bm25()
    decided = []
    for texts in (["cat dog", "dog bird"], ["cat"], ["cat dog", "bird"]):
        stage.index(DocumentIndex(Document(f"d{i}", text) for i, text in enumerate(texts)))
        decided.append(stage.facts["backend"])
    # 4 weights, 1 and 3; numba from 3 on
    assert decided == ["numba", "numpy", "numba"]


def test_a_word_that_the_documents_before_did_not_have_is_found_after_indexing_again() -> None:
    stage, documents = Bm25(), DocumentIndex([Document("b", "dog")])
    stage.index(DocumentIndex([Document("a", "cat")]))
    assert not len(stage.find(Request(("dog",), 5)).documents)
    stage.index(documents)
    assert documents.ids(stage.find(Request(("dog",), 5)).documents) == ["b"]
    assert not len(stage.find(Request(("cat",), 5)).documents)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k1", [1e-300, 1000])
def test_every_k1_that_is_taken_finds_with_finite_scores(method: str, k1: float) -> None:
    found = ask(["cat dog", "dog", "bird"], "cat dog", method=method, k1=k1)
    assert sorted(document for document, _ in found) == [0, 1]
    assert all(math.isfinite(score) for _, score in found)


def test_weights_that_are_not_finite_are_refused() -> None:
    with pytest.raises(InputError, match=r"bm25: with k1=1.5, b=nan and method=lucene some weights are not finite"):
        weigh([[0], [0, 0]], {"cat": 0}, method="lucene", k1=1.5, b=math.nan)


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_may_be_asked_for_than_any_array_holds(backend: str) -> None:
    assert [d for d, _ in ask(["cat", "dog", "cat"], "cat", 10**30, backend=backend)] == [2, 0]


def in_a_process(home: Path) -> subprocess.CompletedProcess[str]:
    script = (
        "from goldproof.records.entities import Document\n"
        "from goldproof.retrieve.stages.bm25 import Bm25\n"
        "from goldproof.retrieve.document_index import DocumentIndex\n"
        "from goldproof.retrieve.stage import Request\n"
        "stage = Bm25(backend='numba'); stage.index(DocumentIndex([Document('a', 'cat')]))\n"
        "assert stage.find(Request(('cat', ''), 3)).documents.tolist() == [0]\n"
        "from goldproof.retrieve.stages.bm25_kernel import rank_all\n"
        "assert len(rank_all.signatures) == 1\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment["GOLDPROOF_HOME"] = str(home)
    command = [sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "damage"), [("nbi", b""), ("nbi", b"\x93NUMPY"), ("nbc", b""), ("nbc", b"\xff\x00" * 99)]
)
def test_a_damaged_cache_of_numba_is_told_with_its_folder_when_documents_are_indexed(
    tmp_path: Path, suffix: str, damage: bytes
) -> None:
    shared = Path(os.environ["GOLDPROOF_HOME"])
    assert in_a_process(shared).returncode == 0
    shutil.copytree(shared / "numba", tmp_path / "numba")
    kept = list((tmp_path / "numba").rglob(f"*rank_all*.{suffix}"))
    assert kept
    for path in kept:
        path.write_bytes(damage)
    done = in_a_process(tmp_path)
    assert f"InputError: bm25: what numba compiled and kept in {tmp_path / 'numba'} cannot be loaded (" in done.stderr
    assert "delete that folder" in done.stderr
    assert "line 5, in <module>" in done.stderr  # index, not find


# docs/reference/pipelines.md, "Formulas", with k1 = 1.5, b = 0.75, delta = 0.5.
# Of three documents two have x: N = 3, n = 2.
# "x x y": f = 2, L = 3; lengths 3, 1, 2, so M = 2 and 1 - b + b L / M = 0.25 + 0.75 * 1.5 = 1.375, K = 2.0625.
# tf = 2 / 4.0625 = 0.492308, with the factor k1 + 1: 1.230769; c = 2 / 1.375 = 1.454545.
FORMULAS = {
    "lucene": math.log(1 + 1.5 / 2.5) * 2 / 4.0625,
    "robertson": 0.0,  # ln(1.5 / 2.5) is negative
    "atire": math.log(3 / 2) * 2.5 * 2 / 4.0625,
    "bm25l": math.log(4 / 2.5) * 2.5 * (1.454545454 + 0.5) / (1.5 + 1.454545454 + 0.5),
    "bm25+": math.log(4 / 2) * (2.5 * 2 / 4.0625 + 0.5),
}


@pytest.mark.parametrize("method", FORMULAS)
def test_every_method_has_the_formula_of_the_docs(method: str) -> None:
    found = ask(["x x y", "x", "y z"], "x", method=method, stopwords="none")
    assert dict(found)[0] == pytest.approx(FORMULAS[method], abs=1e-6)


@pytest.mark.parametrize(("method", "absent"), [("bm25l", 2.5 * 0.5 / 2.0), ("bm25+", 0.5)])
def test_a_token_that_a_document_lacks_adds_what_the_formula_gives_for_f_0(method: str, absent: float) -> None:
    # bm25l: (k1 + 1) delta / (k1 + delta) = 0.625; bm25+: delta. z is in one document of three.
    texts = ["x x y", "x", "y z"]
    alone = dict(ask(texts, "x", method=method, stopwords="none"))[0]
    both = dict(ask(texts, "x z", method=method, stopwords="none"))[0]
    idf = math.log(4 / 1.5) if method == "bm25l" else math.log(4 / 1)
    assert both - alone == pytest.approx(idf * absent, abs=1e-6)
