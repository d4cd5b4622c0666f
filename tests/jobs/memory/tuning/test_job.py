"""`goldproof.tune_memory`: any memory may be the baseline, and the result says whether to switch."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from goldproof import Memory, run_memory, tune_memory
from goldproof.errors import ConflictError, InputError
from goldproof.io.scenarios.scenario import Suite
from goldproof.jobs.memory.records import NoRuling
from goldproof.jobs.memory.tuning import search as search_module
from goldproof.jobs.memory.tuning.comparison import HoldoutComparison
from goldproof.jobs.memory.tuning.holdout import count_openings
from goldproof.jobs.memory.tuning.space import Space
from goldproof.jobs.memory.tuning.trial import value_of
from goldproof.retrieve import open_retriever
from tests.jobs.memory.tuning.made_suites import RULES, scenario, suite
from tests.memory.test_http import serving

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.jobs.memory.tuning.result import TuneResult

HELD = suite(*(f"h{i}" for i in range(8)), split="holdout")
SUITE = Suite("made", (*suite("ash", "birch").scenarios, *HELD.scenarios))
# One memory for each query: of the three with an answer two expect two, so that recall is (0.5 + 0.5 + 1) / 3 = 2/3.
ONE = Space(
    sources=("bm25",),
    half_life=None,
    filters_from_query=(),
    recency_from_query=False,
    expansion=(),
    k=(1, 1),
    floor=None,
)
WORDS = {"panels on the roof": "panel", "the guitar and the concert": "guitar", "when does the train leave": "train"}


class Perfect:
    """Answers the made scenarios without a mistake, under ids of its own."""

    asked: ClassVar[list[str]] = []

    def __init__(self) -> None:
        self.texts: list[str] = []

    def clear(self) -> None:
        self.texts = []

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> str:  # noqa: ARG002
        self.texts.append(content)
        return f"own-{len(self.texts)}"

    def search(self, query: str, k: int) -> list[dict[str, object]]:  # noqa: ARG002
        self.asked.append(query)
        word = WORDS.get(query, "nothing has this")
        return [{"id": f"own-{i}", "text": text} for i, text in enumerate(self.texts, 1) if word in text.casefold()]


class Broken(Perfect):
    """Fails on every query."""

    def search(self, query: str, k: int) -> list[dict[str, object]]:  # noqa: ARG002
        raise RuntimeError("no connection")


class HalfBroken(Perfect):
    """Fails on one kind of query."""

    def search(self, query: str, k: int) -> list[dict[str, object]]:
        if "train" in query:
            raise RuntimeError("no connection")
        return super().search(query, k)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    Perfect.asked.clear()


def tuned(out: Path, baseline: object, *, scenarios: object = SUITE, **more: Any) -> TuneResult:  # noqa: ANN401
    named = {"trials": 2, "objective": "recall", "space": ONE, "criteria": RULES, **more}
    return tune_memory(scenarios, out=out, baseline=baseline, **named)


@pytest.mark.parametrize(
    "baseline", [Perfect, Perfect(), f"{__name__}:Perfect"], ids=["a class", "an object", "module:Class"]
)
def test_a_baseline_that_is_no_pipeline_is_filled_and_scored_on_both_splits(tmp_path: Path, baseline: object) -> None:
    result = tuned(tmp_path / "out", baseline)
    assert result.tuned.baseline.value == 1.0
    assert result.mean("recall", "baseline") == 1.0
    assert result.mean("recall", "tuned") == pytest.approx(2 / 3)
    alone = run_memory(SUITE, baseline, split="holdout", criteria=RULES, self_check=False)
    assert [row.values for row in result.runs["baseline"].rows] == [
        row.values for row in next(iter(alone.runs.values())).rows
    ]


def test_a_baseline_that_is_no_pipeline_is_no_trial_and_stands_in_every_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = tuned(out, f"{__name__}:Perfect", trials=3)
    assert [record.pipeline for record in result.tuned.trials] == ["bm25 | top(1)"] * 3
    assert result.tuned.baseline.number is None
    trials = json.loads((out / "trials.json").read_text())
    assert (trials["baseline"]["trial"], trials["baseline"]["pipeline"]) == (None, f"{__name__}:Perfect")
    assert trials["counts"]["trials"] == 3
    card = json.loads((out / "card.json").read_text())
    assert card["settings"]["baseline"]["memory"] == f"{__name__}:Perfect"
    assert card["settings"]["baseline"]["source"]
    assert json.loads((out / "holdout.json").read_text())["baseline"] == f"{__name__}:Perfect"
    assert "so it was scored outside of the search" in (out / "report.md").read_text()


def test_a_service_may_be_the_baseline(tmp_path: Path) -> None:
    with serving() as service:
        result = tuned(tmp_path / "out", service.url)
        assert service.words.count("clear") == len(SUITE.scenarios)
    assert result.tuned.baseline.pipeline == f"http({service.url})"
    assert result.tuned.baseline.number is None


def test_a_pipeline_is_the_first_trial_however_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "memory.yaml"
    file.write_text("retrievers:\n  mine: bm25 | top(2)\n")
    for place, baseline in enumerate(
        ["bm25 | top(2)", open_retriever("bm25 | top(2)"), file, str(file), Memory("bm25 | top(2)")]
    ):
        result = tuned(tmp_path / str(place), baseline)
        assert (result.tuned.trials[0].pipeline, result.tuned.baseline.number) == ("bm25 | top(2)", 0)


def test_a_memory_that_derives_from_ours_is_run_as_it_is(tmp_path: Path) -> None:
    class Silent(Memory):
        def search_many(self, queries: Any, *args: Any, **named: Any) -> Any:  # noqa: ANN401, ARG002
            return [replace(one, hits=()) for one in super().search_many(queries)]

    result = tuned(tmp_path / "out", Silent("bm25"))
    assert result.tuned.baseline.number is None
    assert result.mean("recall", "baseline") == 0


@pytest.mark.parametrize("baseline", [Broken, f"{__name__}:Broken"])
def test_a_baseline_that_fails_on_everything_is_refused_and_the_hold_out_stays_closed(
    tmp_path: Path, baseline: object
) -> None:
    with pytest.raises(InputError, match=r"failed on all 8 development queries.*no connection[\s\S]*stays closed"):
        tuned(tmp_path / "out", baseline)
    assert not (tmp_path / "out").exists()
    assert count_openings(HELD) == 0


@pytest.mark.parametrize(
    ("baseline", "says"),
    [
        ("nowhere_at_all:Thing", "baseline 'nowhere_at_all:Thing': .*nowhere_at_all"),
        (object(), "baseline object: .*neither stores nor searches"),
        ("bm25 | tpo(2)", r"baseline 'bm25 \| tpo\(2\)': .*tpo"),
    ],
)
def test_a_baseline_that_cannot_be_opened_is_refused_before_anything_is_written(
    tmp_path: Path, baseline: object, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        tuned(tmp_path / "out", baseline)
    assert not (tmp_path / "out").exists()
    assert count_openings(HELD) == 0


def test_what_a_baseline_fails_on_is_counted_and_said(tmp_path: Path) -> None:
    result = tuned(tmp_path / "out", HalfBroken)
    assert result.tuned.baseline.failed_queries == 2
    assert result.tuned.baseline.value == pytest.approx(2 / 3)  # 1, 1 and 0 in each of two scenarios
    assert "baseline: 2 of 8 development queries failed and count 0." in [note.text for note in result.notes]


def test_an_interrupted_search_does_not_ask_its_baseline_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(search_module, "try_configuration", killed)
        with pytest.raises(KeyboardInterrupt):
            tuned(tmp_path / "out", f"{__name__}:Perfect")
    assert len(Perfect.asked) == 8
    result = tuned(tmp_path / "out", f"{__name__}:Perfect")
    assert len(Perfect.asked) == 8 + 32  # the hold-out of 8 scenarios with 4 queries; development is not asked again
    assert result.tuned.baseline.value == 1.0


def test_the_same_folder_with_another_baseline_is_refused(tmp_path: Path) -> None:
    tuned(tmp_path / "out", f"{__name__}:Perfect")
    with pytest.raises(ConflictError):
        tuned(tmp_path / "out", f"{__name__}:HalfBroken")


def first_lines(out: Path) -> tuple[str, str]:
    yaml = (out / "memory.yaml").read_text().splitlines()[0]
    report = (out / "report.md").read_text().splitlines()[2]
    return yaml.removeprefix("# "), report.strip("*")


def test_a_worse_configuration_says_keep_the_baseline_everywhere(tmp_path: Path) -> None:
    result = tuned(tmp_path / "out", Perfect)
    # recall 2/3 against 1 in each of 8 scenarios: the sign-flip over clusters has p = 2 / 2^8 = 0.0078
    worse = "tuned is worse than baseline on recall by 0.3333 on the hold-out (24 queries)"  # all differences are equal
    assert result.advice.text == f"Keep the baseline: {worse}."
    assert result.conclusion == result.advice.text
    assert (result.advice.switch, result.advice.verdict) == (False, "worse")
    assert first_lines(tmp_path / "out") == (result.advice.text, result.advice.text)
    assert result.conclusion == result.advice.text
    assert " ".join(str(result).partition("\n\n")[0].split()) == result.advice.text
    assert result.to_dict()["advice"] == result.advice.to_dict()
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["advice"]["switch"] is False
    with Memory(tmp_path / "out" / "memory.yaml") as memory:
        assert memory.title == "bm25 | top(1)"


def test_a_better_configuration_says_switch(tmp_path: Path) -> None:
    result = tuned(tmp_path / "out", "nothing")
    better = "tuned is better than baseline on recall by 0.6667 on the hold-out (24 queries)"
    assert result.advice.text == f"Switch to the tuned configuration: {better}."
    assert (result.advice.switch, result.advice.verdict) == (True, "better")
    assert first_lines(tmp_path / "out") == (result.advice.text, result.advice.text)


@pytest.mark.parametrize(
    ("baseline", "says"),
    [
        ("nothing", "recall 0.6667 against 0.0000, difference +0.6667"),
        (Perfect, "recall 0.6667 against 1.0000, difference -0.3333"),
    ],
)
def test_a_gain_that_is_not_shown_keeps_the_baseline(tmp_path: Path, baseline: object, says: str) -> None:
    few = Suite("few", (scenario("ash"), scenario("h1", split="holdout"), scenario("h2", split="holdout")))
    result = tuned(tmp_path / "out", baseline, scenarios=few)  # two scenarios: no p below 0.5
    unsure = "Keep the baseline: it is too early to tell whether tuned or baseline is better on the hold-out: "
    assert result.advice.text.startswith(f"{unsure}{says}")
    assert (result.advice.switch, result.advice.verdict) == (False, "undecided")


def test_where_the_baseline_wins_on_development_it_is_kept(tmp_path: Path) -> None:
    result = tuned(tmp_path / "out", "bm25 | top(2)")
    assert result.advice.text == "Keep the baseline: none of 1 other configuration scored higher on development."
    assert first_lines(tmp_path / "out")[0] == result.advice.text


def test_a_query_that_a_judge_left_undecided_has_no_value_and_no_place_in_the_gain(tmp_path: Path) -> None:
    result = tuned(tmp_path / "out", "nothing", trials=1)
    rows = result.runs["baseline"].rows
    open_one = replace(rows[0], outcome=None, undecided=NoRuling("the judge abstained", failed=False))
    assert value_of(open_one, "recall") is None
    assert value_of(replace(rows[1], undecided=NoRuling("the judge failed", failed=True)), "pass_rate") is None
    runs = {"tuned": result.runs["tuned"].rows, "baseline": (open_one, *rows[1:])}
    gain = HoldoutComparison("recall", development=runs, holdout=runs).optimism[2]
    # 24 queries with an answer, one left out, of 2/3 on the mean: (16 - 0.5) / 23
    assert gain.holdout.value == pytest.approx(15.5 / 23)
    assert gain.holdout.n == 23
