"""Candidates: who is looked at for a question, and where each came from."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import IdMismatchError, InputError
from goldproof.io.cases import Case, CodeFile
from goldproof.jobs.mine.candidates import Gathered, draw_documents, gather
from goldproof.jobs.mine.recipe import CandidateSettings
from goldproof.records.entities import Document, Question
from goldproof.records.tables import RankingTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.jobs.mine.records import Candidate

NOTHING = CandidateSettings(random=0, hard=0)
SHOP = {
    "shop/__init__.py": '''
        """A shop."""
        from shop.till import Till as Register, total
        from shop import goods
        __all__ = ["Register", "total", "goods"]
    ''',
    "shop/till.py": '''
        """Tills."""
        from collections import UserDict
        class Drawer(UserDict):
            """A drawer."""
            size: int = 3
            def open(self): "Open it."
        class Till(Drawer):
            """A till."""
            def ring(self): "Ring it."
        def total(items): "Add up."
        _secret = 1
        def _hidden(): "Not for you."
    ''',
    "shop/goods/__init__.py": '"""Goods."""\n',
    "shop/goods/fruit.py": '"""Fruit."""\nclass Apple:\n    """An apple."""\nPear = Apple\n',
}
PLAIN = Corpus(
    "plain",
    (
        Document("d1", "red apples are sweet"),
        Document("d2", "green apples are sour"),
        Document("d3", "yellow bananas"),
        Document("d4", "plain bread"),
        Document("d5", "old cheese"),
    ),
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Return a small package, installed as a wheel would be."""
    info = "shop-1.0.dist-info"
    files = {**SHOP, f"{info}/METADATA": "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n"}
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in files)
    for name, text in files.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return open_corpus("package:shop")


def case(name: str = "s:1", text: str = "apples?", *, targets: Sequence[str] = (), fixed: str | None = None) -> Case:
    code = None if fixed is None else CodeFile("fixed.py", fixed)
    return Case("question", "s", Question(name, text), "cases.yaml:3", targets=tuple(targets), fixed=code)


def found(gathered: Gathered) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.question, one.document, one.sources) for one in gathered.candidates]


def of_source(candidates: Sequence[Candidate], source: str) -> list[str]:
    return [one.document for one in candidates if source in one.sources]


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("shop.till.Till", "shop.till.Till"),
        ("shop.Register", "shop.till.Till"),
        ("shop.Register.ring", "shop.till.Till.ring"),
        ("shop.Register.open", "shop.till.Drawer.open"),
        ("shop.till.total", "shop.till.total"),
        ("shop.goods.fruit.Pear", "shop.goods.fruit.Apple"),
        ("shop.goods", "shop.goods"),
    ],
)
def test_a_target_is_found_by_any_path_that_leads_to_it(shop: Corpus, name: str, document: str) -> None:
    gathered = gather([case(targets=[name])], shop, settings=NOTHING)
    assert found(gathered) == [("s:1", document, ("target",))]
    assert gathered.unresolved == gathered.remarks == ()


@pytest.mark.parametrize(
    ("name", "document", "why"),
    [
        ("shop.till.Drawer.size", "shop.till.Drawer", "shop.till.Drawer.size has no document of its own"),
        ("shop.till._hidden", "shop.till", "shop.till._hidden has no document of its own"),
        ("shop.Register.pop", "shop.till.Till", "pop comes from outside of the package"),
    ],
)
def test_a_target_without_a_document_stands_for_what_is_around_it(
    shop: Corpus, name: str, document: str, why: str
) -> None:
    gathered = gather([case(targets=[name])], shop, settings=NOTHING)
    assert found(gathered) == [("s:1", document, ("target",))]
    expected = f"cases.yaml:3: case 's:1' names {name!r}: {document!r} is looked at, since {why}."
    assert gathered.remarks == (expected,)


@pytest.mark.parametrize("name", ["shop.Registr", "shop.till.Till2", "shop.goods.fruit.Apple.peel", "shop.gone.Till"])
def test_a_target_that_is_misspelt_is_reported_with_near_names(shop: Corpus, name: str) -> None:
    gathered = gather([case(targets=[name])], shop, settings=NOTHING)
    assert gathered.candidates == ()
    (sentence,) = gathered.unresolved
    assert sentence.startswith(f"cases.yaml:3: case 's:1' names {name!r}, which is not in the corpus; ")
    assert "\n" not in sentence


def test_near_names_are_suggested(shop: Corpus) -> None:
    (sentence,) = gather([case(targets=["shop.Registr"])], shop, settings=NOTHING).unresolved
    assert "did you mean 'shop.Register'" in sentence
    (sentence,) = gather([case(targets=["d11"])], PLAIN, settings=NOTHING).unresolved
    assert "did you mean 'd1'?" in sentence


def test_near_names_are_looked_for_only_at_first() -> None:
    gathered = gather([case(targets=[f"d1{number}" for number in range(30)])], PLAIN, settings=NOTHING)
    assert len(gathered.unresolved) == 30
    assert ["in the corpus; " in line for line in gathered.unresolved] == [True] * 20 + [False] * 10
    assert gathered.unresolved[-1] == "cases.yaml:3: case 's:1' names 'd129', which is not in the corpus."


def test_targets_of_other_corpora_are_ids_and_nothing_else() -> None:
    corpus = Corpus("x", (Document("a"), Document("a.b", metadata={"kind": "class"})))
    gathered = gather([case(targets=["a.b", "a.c", "a.b.c"])], corpus, settings=NOTHING)
    assert found(gathered) == [("s:1", "a.b", ("target",))]
    assert len(gathered.unresolved) == 2


def test_a_package_that_is_no_longer_there_is_known_by_its_documents(shop: Corpus) -> None:
    kept = Corpus("package:no-such-package-anywhere", shop.documents, shop.facts)
    gathered = gather([case(targets=["shop.Register", "shop.till.Till.ring", "shop.Gone"])], kept, settings=NOTHING)
    assert found(gathered) == [("s:1", "shop.till.Till", ("target",)), ("s:1", "shop.till.Till.ring", ("target",))]
    assert len(gathered.unresolved) == 1
    assert "names are looked up among the documents only" in gathered.remarks[0]


@pytest.mark.parametrize(
    ("code", "documents"),
    [
        ("from shop import Register", ["shop.till.Till"]),
        ("import shop.till as t\nt.Till()\nt.total([])", ["shop.till.Till", "shop.till.total"]),
        ("import shop\nshop.Register().ring()\nshop.goods.fruit.Pear", ["shop.till.Till", "shop.goods.fruit.Apple"]),
        ("import shop.goods.fruit", ["shop.goods.fruit"]),
        ("from shop.till import *\nTill()\nprint(total, other)", ["shop.till.Till", "shop.till.total"]),
        ("from shop import Register as R\nR.open\nR.pop\nR.x.y", ["shop.till.Till", "shop.till.Drawer.open"]),
        ("from shop import goods\ngoods.fruit.Apple.peel()", ["shop.goods.fruit.Apple"]),
        (
            "def f():\n    try:\n        from shop.till import total\n    except ImportError:\n        pass",
            ["shop.till.total"],
        ),
        ("import os\nfrom collections import UserDict\nfrom shopping import Register", []),
        ("from shop import goods\ngoods = []\ngoods.append(1)", ["shop.goods"]),
    ],
)
def test_imports_of_a_solution_lead_to_documents(shop: Corpus, code: str, documents: list[str]) -> None:
    gathered = gather([case(fixed=code)], shop, settings=NOTHING)
    assert found(gathered) == [("s:1", document, ("import",)) for document in documents]
    assert gathered.unresolved == ()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("from shop import Registr", "shop.Registr"),
        ("import shop.gone", "shop.gone"),
        ("import shop\nshop.goods.Nothing()", "shop.goods.Nothing"),
        ("from shop import goods\ngoods.fruits.Apple()", "shop.goods.fruits"),
    ],
)
def test_an_import_of_the_package_that_leads_nowhere_is_reported(shop: Corpus, code: str, name: str) -> None:
    gathered = gather([case(fixed=code)], shop, settings=NOTHING)
    (sentence,) = gathered.unresolved
    assert sentence.startswith(f"cases.yaml:3: case 's:1': 'fixed.py' imports {name!r}, which is not in the corpus; ")


def test_a_solution_that_is_no_python_is_reported_and_the_rest_goes_on(shop: Corpus) -> None:
    cases = [case("s:1", fixed="def f(:"), case("s:2", fixed="import shop.till")]
    gathered = gather(cases, shop, settings=NOTHING)
    assert found(gathered) == [("s:2", "shop.till", ("import",))]
    assert "'fixed.py' is not looked at for imports, since it is no Python: " in gathered.unresolved[0]


def test_imports_say_nothing_about_a_corpus_that_is_no_package() -> None:
    gathered = gather([case(fixed="import os\nfrom a import b")], PLAIN, settings=NOTHING)
    assert gathered == Gathered(())


def test_hard_negatives_are_the_best_hits_that_are_no_targets() -> None:
    gathered = gather([case(targets=["d1"])], PLAIN, settings=CandidateSettings(random=0, hard=1))
    assert found(gathered) == [("s:1", "d1", ("target",)), ("s:1", "d2", ("bm25",))]


def test_only_the_text_of_a_question_is_searched_for() -> None:
    asked = Question("s:1", "bread?", answer="old cheese", options=("old cheese", "yellow bananas"))
    options = {"A": "old cheese", "B": "yellow bananas"}
    one = Case("multiple_choice", "s", asked, "x", options=options, key="A", explanation="red apples are sweet")
    gathered = gather([one], PLAIN, settings=CandidateSettings(random=0, hard=5, dense=1))
    assert of_source(gathered.candidates, "bm25") == ["d4"]
    assert of_source(gathered.candidates, "dense") == ["d4"]


def test_a_document_stands_once_with_all_its_sources_in_order() -> None:
    run = RankingTable.from_dict({"s:1": {"d3": 2.0, "d1": 1.0, "d2": 3.0}})
    settings = CandidateSettings(random=5, hard=2, dense=1, depth=2)
    gathered = gather([case(targets=["d1"])], PLAIN, settings=settings, runs={"mine": run})
    sources = {one.document: one.sources for one in gathered.candidates}
    assert len(sources) == len(gathered.candidates) == 5
    assert sources["d1"] == ("target",)
    assert sources["d2"] == ("run:mine", "bm25", "dense", "random")
    assert sources["d3"] == ("run:mine", "random")
    assert list(sources)[:3] == ["d1", "d2", "d3"]


def test_of_a_run_ties_go_by_id_from_the_last_and_strangers_are_said() -> None:
    run = RankingTable.from_dict({"s:1": {"d1": 1.0, "d3": 1.0, "gone": 2.0}, "other": {"d5": 1.0}})
    gathered = gather([case()], PLAIN, settings=CandidateSettings(random=0, hard=0, depth=2), runs={"r": run})
    assert found(gathered) == [("s:1", "d3", ("run:r",))]
    assert gathered.remarks == (
        "run r: 1 documents of its first 2 are not in the corpus, such as 'gone'; they are left out.",
    )


def test_a_run_of_other_questions_is_refused() -> None:
    run = RankingTable.from_dict({"other": {"d5": 1.0}})
    with pytest.raises(
        IdMismatchError, match=r"run r: has none of the questions: it has 'other', the cases have 's:1'"
    ):
        gather([case()], PLAIN, settings=NOTHING, runs={"r": run})


def test_a_run_of_other_documents_is_refused() -> None:
    # Before, it was left out with a remark, and --extend judged nothing with exit code 0.
    run = RankingTable.from_dict({"s:1": {"docs/d1.md": 2.0, "docs/d2.md": 1.0}})
    with pytest.raises(IdMismatchError, match=r"none of the 2 documents in its first \d+ is in the corpus") as error:
        gather([case()], PLAIN, settings=NOTHING, runs={"r": run})
    assert "Run: 'docs/d1.md', 'docs/d2.md'. Corpus: 'd1', 'd2', 'd3'." in str(error.value)


def test_random_documents_are_neither_targets_nor_imports_and_each_question_has_its_own_draw(shop: Corpus) -> None:
    settings = CandidateSettings(random=4, hard=0)
    one = case("s:1", targets=["shop.Register"], fixed="from shop import total")
    two = replace(one, question=replace(one.question, id="s:2"))
    alone = gather([one], shop, settings=settings, seed=7)
    both = gather([two, one], shop, settings=settings, seed=7)
    assert [c for c in both.candidates if c.question == "s:1"] == list(alone.candidates)
    draws = {name: of_source([c for c in both.candidates if c.question == name], "random") for name in ("s:1", "s:2")}
    assert all(len(set(draw)) == 4 for draw in draws.values())
    assert not {"shop.till.Till", "shop.till.total"} & {*draws["s:1"], *draws["s:2"]}
    assert draws["s:1"] != draws["s:2"]
    other = gather([one], shop, settings=settings, seed=8)
    assert of_source(other.candidates, "random") != draws["s:1"]


@given(st.integers(0, 12), st.sets(st.integers(0, 9)), st.integers(0, 3))
def test_a_draw_is_as_large_as_it_can_be(many: int, without: set[int], seed: int) -> None:
    documents = [f"d{number}" for number in range(10)]
    left = {f"d{number}" for number in range(10)} - {f"d{number}" for number in without}
    draw = draw_documents("q", documents, many=many, without={f"d{number}" for number in without}, seed=seed)
    assert len(draw) == len(set(draw)) == min(many, len(left))
    assert set(draw) <= left


def test_every_document_is_drawn_equally_often() -> None:
    # 3,000 draws of 2 of the 4 documents that are left: each is expected 1,500 times, standard deviation 27.
    counts = dict.fromkeys(["a", "b", "c", "d", "e"], 0)
    for number in range(3000):
        for document in draw_documents(f"q{number}", list(counts), many=2, without={"c"}, seed=0):
            counts[document] += 1
    assert counts["c"] == 0
    assert all(abs(count - 1500) < 5 * 27 for name, count in counts.items() if name != "c")


def test_settings_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="random is -1"):
        CandidateSettings(random=-1)
    with pytest.raises(InputError, match="depth is 0"):
        CandidateSettings(depth=0)


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(InputError, match="holds no documents"):
        gather([case()], Corpus("x", ()), settings=NOTHING)
