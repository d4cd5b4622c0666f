"""Recipes: what is read, and that everything misspelt is refused with its place."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.jobs.build.recipe import DEFAULT_METHODS, Borrow, Quota, share
from goldproof.jobs.build.recipe_file import bundled_recipes, quick_recipe, read_recipe, with_changes

WHOLE = """
name: mine
seed: 7
sources:
  - {adapter: t2-ragbench, path: t2}
  - {adapter: hotpotqa, hub: hotpotqa/hotpot_qa, revision: main}
  - {adapter: table, path: faq.csv, doc_type: clean_text, columns: {question: q, answer: 01}}
quotas:
  table: {numeric: 50, lookup: 25, comparison: 20, policy: 5}
  clean_text: 100
difficulty: {D1: 30%, D2: 40%, D3: 30%}
strata: {table: company_name}
unanswerable: {share: 10%, methods: {temporal_shift: 100%}, borrow: true}
near_duplicates: null
exclude: [phase1.jsonl]
borrow:
  - {to: table/policy, from: table/lookup, at_most: 5}
corpus: sources
output: a.jsonl
manifest: b.csv
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_key_of_a_recipe_is_read(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path, WHOLE))
    assert (recipe.name, recipe.seed, recipe.total) == ("mine", 7, 200)
    assert [source.path for source in recipe.sources] == [tmp_path / "t2", None, tmp_path / "faq.csv"]
    assert recipe.sources[1].hub == "hotpotqa/hotpot_qa"
    assert recipe.sources[2].options == {"columns": {"question": "q", "answer": "01"}}
    assert recipe.quotas[0] == Quota("table", 100, {"numeric": 50, "lookup": 25, "comparison": 20, "policy": 5})
    assert recipe.quotas[1] == Quota("clean_text", 100)
    assert recipe.difficulty == {"D1": Fraction(3, 10), "D2": Fraction(2, 5), "D3": Fraction(3, 10)}
    assert recipe.unanswerable.share == Fraction(1, 10)
    assert recipe.unanswerable.methods["temporal_shift"] == 1
    assert recipe.unanswerable.borrow
    assert recipe.near_duplicates is None
    assert recipe.exclude == (tmp_path / "phase1.jsonl",)
    assert recipe.borrow == (Borrow("table/policy", "table/lookup", 5),)
    assert (recipe.corpus, recipe.output, recipe.manifest) == ("sources", "a.jsonl", "b.csv")


def test_what_a_recipe_leaves_out_has_its_default() -> None:
    recipe = read_recipe({"name": "n", "sources": [{"adapter": "hotpotqa"}], "quotas": {"clean_text": 3}})
    assert recipe.unanswerable.share == 0
    assert recipe.unanswerable.methods == DEFAULT_METHODS
    assert recipe.near_duplicates == 0.85
    assert (recipe.seed, recipe.corpus, recipe.difficulty, recipe.exclude) == (42, "samples", None, ())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("name: mine\n", ""), "no key 'name'"),
        (("seed: 7", "sed: 7"), "unknown key 'sed'; did you mean 'seed'"),
        (("seed: 7", "seed: seven"), "seed is 'seven', expected a whole number"),
        (("adapter: hotpotqa", "adapter: hotpot"), "unknown adapter 'hotpot'; did you mean 'hotpotqa'"),
        (("{adapter: t2-ragbench, path: t2}", "{path: t2}"), "sources[1]: no key 'adapter'"),
        (("hub: hotpotqa/hotpot_qa, revision: main", "hub: a/b, path: c"), "has both 'path' and 'hub'"),
        (("numeric: 50", "numbers: 50"), "quotas: table: unknown key 'numbers'"),
        (("clean_text: 100", "clean_text: 0"), "quotas: clean_text: the quota is 0, expected 1 to 1,000,000,000"),
        (("clean_text: 100", "clean_text: 1" + 27 * "0"), "expected 1 to 1,000,000,000"),
        (("policy: 5", "policy: 5" + 27 * "0"), "expected 1 to 1,000,000,000"),
        (("strata: {table: company_name}", "strata: " + 1200 * "[" + 1200 * "]"), "expected a mapping"),
        (("clean_text: 100", "clean_text: lots"), "clean_text is 'lots', expected a whole number"),
        (("D3: 30%", "D3: 20%"), "difficulty: the shares sum to 90%"),
        (("D3: 30%", "D4: 30%"), "unknown key 'D4'"),
        (("strata: {table:", "strata: {tables:"), "strata: unknown doc_type 'tables'; did you mean 'table'"),
        (("doc_type: clean_text", "doc_type: clean"), "sources: unknown doc_type 'clean'; did you mean 'clean_text'"),
        (("share: 10%", "share: 110%"), "'110%' is not a share"),
        (("share: 10%", "share: &a [*a]"), "unanswerable: share is [[[[[...]]]]], expected a share such as 10%"),
        (("D1: 30%", f"D1: {1300 * '{a: '}x{1300 * '}'}"), "difficulty: D1 is a mapping, expected a share such as"),
        (("temporal_shift: 100%", "time: 100%"), "unknown key 'time'"),
        (("borrow: true", "borrow: perhaps"), "borrow is 'perhaps', expected true or false"),
        (("near_duplicates: null", "near_duplicates: 1.5"), "near_duplicates is '1.5'"),
        (("to: table/policy", "to: table/polity"), "borrow: unknown quota 'table/polity'"),
        (("from: table/lookup, ", ""), "no key 'from'"),
        (("from: table/lookup", "from: table/lookups"), "borrow: unknown lender 'table/lookups'"),
        (("  clean_text: 100", "  cleantext: 100"), "quotas: unknown doc_type 'cleantext'; did you mean 'clean_text'"),
        (("path: t2}", "path: t2, revision: main}"), "has both 'path' and 'revision'"),
        (("name: mine", "name: ../mine"), "expected a file name without a folder"),
        (("from: table/lookup", "from: table/policy"), "cannot borrow from itself"),
        (("corpus: sources", "corpus: all"), "corpus: unknown name 'all'"),
        (("output: a.jsonl", "output: x/a.jsonl"), "expected a file name without a folder"),
        (("strata: {table: company_name}", "strata: 5"), "strata is '5', expected a mapping"),
        (("exclude: [phase1.jsonl]", "exclude: phase1.jsonl"), "exclude is 'phase1.jsonl', expected a list of names"),
        (
            ("  - {adapter: t2-ragbench, path: t2}", "  - t2-ragbench"),
            "sources[1] is 't2-ragbench', expected a mapping",
        ),
    ],
)
def test_a_wrong_recipe_is_one_sentence_with_its_file_and_line(
    tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    assert change[0] in WHOLE
    path = written(tmp_path, WHOLE.replace(*change))
    with pytest.raises(FileFormatError) as error:
        read_recipe(path)
    assert complaint in str(error.value)
    assert str(error.value).startswith(f"{path}:")


def test_a_recipe_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="expected a recipe with keys such as sources: and quotas:"):
        read_recipe(written(tmp_path, "- a\n- b\n"))


def test_what_is_no_recipe_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="a recipe is a int, expected a name"):
        read_recipe(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("empty", [{"sources": []}, {"quotas": {}}])
def test_a_recipe_has_a_source_and_a_quota(empty: dict[str, object]) -> None:
    whole = {"name": "n", "sources": [{"adapter": "hotpotqa"}], "quotas": {"clean_text": 3}}
    with pytest.raises(InputError, match=f"{next(iter(empty))} is empty, expected at least one"):
        read_recipe({**whole, **empty})


def test_a_key_of_a_python_mapping_is_text() -> None:
    with pytest.raises(InputError, match="quotas is a mapping, expected a mapping whose keys are text"):
        read_recipe({"name": "n", "sources": [{"adapter": "hotpotqa"}], "quotas": {1: 3}})


def test_near_duplicates_are_kept_by_off_too_and_paths_may_be_given_as_such() -> None:
    wanted = {"name": "n", "sources": [{"adapter": "hotpotqa"}], "quotas": {"clean_text": 3}}
    recipe = read_recipe({**wanted, "near_duplicates": "off", "exclude": (Path("a.jsonl"),)})
    assert recipe.near_duplicates is None
    assert recipe.exclude == (Path("a.jsonl"),)


def test_several_tables_of_a_quick_start_are_named_after_their_files() -> None:
    recipe = quick_recipe(sources=["table=x/a.csv", "table=b.csv"], quotas=["clean_text=1"])
    assert [source.options for source in recipe.sources] == [{"name": "a"}, {"name": "b"}]
    alone = quick_recipe(sources=["table=x/a.csv"], quotas=["clean_text=1"])
    assert alone.sources[0].options == {}


def test_an_unknown_name_suggests_the_bundled_recipes() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'quickstart'"):
        read_recipe("quikstart")


@pytest.mark.parametrize("name", bundled_recipes())
def test_every_bundled_recipe_is_well_formed(name: str) -> None:
    recipe = read_recipe(name)
    assert recipe.total == {"ragas-phase1": 500, "ragas-phase2": 300, "quickstart": 42}[name]


def test_the_phases_have_the_quotas_and_file_names_of_the_design() -> None:
    first, second = read_recipe("ragas-phase1"), read_recipe("ragas-phase2")
    assert {quota.doc_type: quota.total for quota in first.quotas} == {"clean_text": 350, "log_ticket": 150}
    assert first.unanswerable.share == Fraction(1, 10)
    assert (first.output, first.manifest) == ("ragas_phase1_500.jsonl", "ragas_phase1_manifest.csv")
    table, code, text = second.quotas
    assert table.question_types == {"numeric": 50, "lookup": 25, "comparison": 20, "policy": 5}
    assert code.question_types == {"howto": 40, "definition": 30, "lookup": 20, "entity": 10}
    assert (text.doc_type, text.total) == ("clean_text", 100)
    assert (second.output, second.manifest) == ("ragas_phase2_300.jsonl", "ragas_phase2_manifest.csv")
    assert [path.name for path in second.exclude] == ["ragas_phase1_500.jsonl"]


def test_a_share_is_read_from_a_percentage_a_number_or_a_fraction() -> None:
    assert share("12.5%") == share("0.125") == share("1/8") == Fraction(1, 8)
    for wrong in ("ten", "101%", "-1%", "1/0", "", "1e-99999999", "1e5", "nan", "1/2%"):
        with pytest.raises(InputError, match="is not a share"):
            share(wrong)


def test_a_quick_recipe_has_the_quotas_that_were_given() -> None:
    recipe = quick_recipe(
        sources=["hotpotqa=a.json", "table=b=c.csv"],
        quotas=["clean_text=5", "table/numeric=3", "table/policy=1"],
        unanswerable="10%",
    )
    assert [(s.adapter, str(s.path)) for s in recipe.sources] == [("hotpotqa", "a.json"), ("table", "b=c.csv")]
    assert recipe.quotas == (Quota("clean_text", 5), Quota("table", 4, {"numeric": 3, "policy": 1}))
    (hub,) = quick_recipe(sources=["hotpotqa=hub:a/b@c0ffee"], quotas=["clean_text=1"]).sources
    assert (hub.path, hub.hub, hub.revision) == (None, "a/b", "c0ffee")
    assert (recipe.name, recipe.seed, recipe.unanswerable.borrow) == ("benchmark", 42, True)


@pytest.mark.parametrize(
    ("sources", "quotas", "complaint"),
    [
        (["hotpotqa"], ["clean_text=1"], "--source hotpotqa: expected ADAPTER=PATH or ADAPTER=hub:ID@REVISION"),
        (["hotpotqa=a"], ["clean_text"], "--quota clean_text: expected DOC_TYPE=N"),
        (["hotpotqa=a"], ["clean_text=x"], "clean_text is 'x', expected a whole number"),
        (["hotpotqa=a"], ["clean_text=1", "clean_text=2"], "clean_text has a quota already"),
        (["hotpotqa=a"], ["table=1", "table/numeric=2"], "table has a quota already"),
        (["hotpotqa=a"], ["table/numeric=2", "table/numeric=2"], "table has a quota already"),
        (["hotpotqa=a"], ["table/numeric=2", "table=1"], "table has a quota already"),
        (["nothing=a"], ["table=1"], "unknown adapter 'nothing'"),
    ],
)
def test_a_wrong_option_of_a_quick_start_is_one_sentence(sources: list[str], quotas: list[str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        quick_recipe(sources=sources, quotas=quotas)


def test_given_sources_replace_those_of_a_recipe_and_keep_what_it_says_of_their_adapter(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path, WHOLE))
    changed = with_changes(recipe, sources=["table=other.csv", "musique=m.jsonl"], seed=9)
    assert [(s.adapter, str(s.path), s.doc_type) for s in changed.sources] == [
        ("table", "other.csv", "clean_text"),
        ("musique", "m.jsonl", None),
    ]
    assert changed.sources[0].options == recipe.sources[2].options
    assert changed.seed == 9
    assert with_changes(recipe, name="n").output is None
