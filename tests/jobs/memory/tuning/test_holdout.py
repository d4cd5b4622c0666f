"""The lock on the hold-out: once per folder, written down before it is read, known again by its content."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import ConflictError, FileFormatError, InputError
from goldproof.io.scenarios.scenario import Scenario
from goldproof.jobs.memory.tuning.holdout import (
    HOLDOUT_FILE,
    LEDGER_FILE,
    Opening,
    both_splits,
    check_still_closed,
    content_of,
    count_openings,
    open_holdout,
    read_opening,
    record_opening,
    scenario_digests,
)
from goldproof.jobs.memory.tuning.search import tune_suite
from goldproof.jobs.memory.tuning.space import Space
from goldproof.jobs.memory.tuning.trial import FinishedSearch, TrialRecord
from tests.jobs.memory.tuning.made_suites import RULES, scenario, suite

if TYPE_CHECKING:
    from pathlib import Path

HOLDOUT = suite("oak", "pine", split="holdout")
BASELINE = TrialRecord(0, "dense(minilm)", 0.5)
WINNER = TrialRecord(2, "bm25 | top(2)", 0.7)
TUNED = FinishedSearch((BASELINE, TrialRecord(1, "bm25", 0.6), WINNER), BASELINE, WINNER, "f1_or_silence")
NOON = datetime(2026, 3, 4, 12, 0, 0, 123, tzinfo=timezone(timedelta(hours=2)))


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / LEDGER_FILE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def test_an_opening_says_when_after_what_and_of_which_scenarios(folder: Path) -> None:
    opening = open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON)
    assert json.loads((folder / HOLDOUT_FILE).read_text("utf-8")) == {
        "opened_at": "2026-03-04T10:00:00+00:00",
        "trials": 3,
        "sha256": content_of(HOLDOUT),
        "scenarios": 2,
        "queries": 8,
        "baseline": "dense(minilm)",
        "winner": "bm25 | top(2)",
        "opened_before": 0,
    }
    assert read_opening(folder) == opening
    assert opening.remark == (
        "The hold-out was opened at 2026-03-04T10:00:00+00:00, after 3 trials, for the first time on this machine."
    )


def test_the_same_command_again_opens_nothing(folder: Path) -> None:
    first = open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON)
    assert open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON + timedelta(days=1)) == first
    assert count_openings(HOLDOUT) == 1


def test_another_folder_is_another_opening_of_the_same_scenarios(folder: Path, tmp_path: Path) -> None:
    open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON)
    (tmp_path / "other").mkdir()
    # Renamed, in another order and under other ids of the scenarios: still the same conversations.
    moved = replace(HOLDOUT, name="copy", scenarios=tuple(replace(s, id=f"x{s.id}") for s in HOLDOUT.scenarios[::-1]))
    again = open_holdout(tmp_path / "other", moved, tuned=TUNED, now=NOON)
    assert again.opened_before == 1
    assert "had been opened once before on this machine" in again.remark
    assert "3 times before" in replace(again, opened_before=3).remark


def test_without_a_time_it_is_now(folder: Path) -> None:
    opened = datetime.fromisoformat(open_holdout(folder, HOLDOUT, tuned=TUNED).opened_at)
    assert timedelta(0) <= datetime.now(UTC) - opened < timedelta(hours=1)


@pytest.mark.parametrize(
    ("tuned", "holdout", "says"),
    [
        (replace(TUNED, winner=BASELINE), HOLDOUT, "another winner"),
        (replace(TUNED, baseline=WINNER), HOLDOUT, "another baseline"),
        (replace(TUNED, trials=TUNED.trials[:2]), HOLDOUT, "another number of trials"),
        (TUNED, suite("oak", split="holdout"), "another hold-out scenarios"),
    ],
)
def test_what_was_opened_is_not_opened_for_something_else(
    folder: Path, tuned: FinishedSearch, holdout: object, says: str
) -> None:
    open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON)
    with pytest.raises(ConflictError, match=says):
        open_holdout(folder, holdout, tuned=tuned)  # type: ignore[arg-type]


def test_after_the_opening_no_more_and_no_fewer_trials_are_made(folder: Path) -> None:
    def tune(trials: int) -> FinishedSearch:
        space = Space(sources=("bm25",), expansion=(), filters_from_query=(), half_life=None, recency_from_query=False)
        return tune_suite(suite("ash"), rules=RULES, space=space, baseline="bm25", trials=trials, seed=1, folder=folder)

    tuned = tune(3)
    open_holdout(folder, HOLDOUT, tuned=tuned)
    assert tune(3) == tuned
    for trials in (2, 4):
        with pytest.raises(ConflictError, match="the hold-out was opened after 3 trials"):
            tune(trials)


def test_a_file_that_is_no_opening_is_refused(folder: Path) -> None:
    (folder / HOLDOUT_FILE).write_text('{"opened": true}', encoding="utf-8")
    with pytest.raises(FileFormatError, match="is not the record of an opened hold-out"):
        read_opening(folder)


def test_a_folder_without_an_opening_is_closed(folder: Path) -> None:
    assert read_opening(folder) is None


def test_the_ledger_survives_half_a_line(own_ledger: Path) -> None:
    record_opening(suite("oak"), opened_at="2026-03-04", by="me")
    with own_ledger.open("ab") as stream:
        stream.write(b'{"sha256": "aa", "ope')
    record_opening(suite("oak"), opened_at="2026-03-05", by="me")
    record_opening(suite("pine"), opened_at="2026-03-05", by="me")
    assert [count_openings(suite(name)) for name in ("oak", "pine", "elm")] == [2, 1, 0]


def test_a_part_that_was_opened_makes_the_whole_known_and_the_whole_its_parts(folder: Path) -> None:
    record_opening(suite("oak"), opened_at="2026-03-04", by="goldproof memory run")
    assert count_openings(suite("pine")) == 0
    assert open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON).opened_before == 1
    assert [count_openings(suite(*names)) for names in (["oak"], ["pine"], ["pine", "elm"], ["elm"])] == [2, 1, 1, 0]


def test_a_line_says_which_scenarios(own_ledger: Path) -> None:
    record_opening(HOLDOUT, opened_at="2026-03-04", by="me")
    assert json.loads(own_ledger.read_text("utf-8")) == {
        "sha256": content_of(HOLDOUT),
        "scenarios": scenario_digests(HOLDOUT),
        "opened_at": "2026-03-04",
        "by": "me",
    }
    assert sorted(scenario_digests(suite("oak")) + scenario_digests(suite("pine"))) == scenario_digests(HOLDOUT)


def test_a_line_without_scenarios_is_of_the_whole(own_ledger: Path) -> None:
    own_ledger.parent.mkdir()
    lines = [{"sha256": content_of(HOLDOUT)}, {"sha256": "aa", "scenarios": 5}, {"scenarios": [[1], None]}, []]
    own_ledger.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert (count_openings(HOLDOUT), count_openings(suite("oak"))) == (1, 0)


def test_whether_a_folder_is_still_closed_is_asked_without_touching_it(folder: Path, tmp_path: Path) -> None:
    check_still_closed(tmp_path / "none", trials=4)
    assert not (tmp_path / "none").exists()
    open_holdout(folder, HOLDOUT, tuned=TUNED, now=NOON)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    check_still_closed(folder, trials=3)
    with pytest.raises(ConflictError, match="after 3 trials, so a search of 4"):
        check_still_closed(folder, trials=4)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_nothing_is_opened_where_it_cannot_be_written_down(folder: Path, own_ledger: Path) -> None:
    own_ledger.mkdir(parents=True)
    with pytest.raises(InputError, match="no hold-out is opened without it"):
        open_holdout(folder, HOLDOUT, tuned=TUNED)
    assert read_opening(folder) is None


def test_a_suite_is_split_as_its_file_says() -> None:
    both = replace(HOLDOUT, scenarios=(*HOLDOUT.scenarios, scenario("ash")))
    development, holdout = both_splits(both)
    assert [one.id for one in development.scenarios] == ["ash"]
    assert [one.id for one in holdout.scenarios] == ["oak", "pine"]
    assert development.name == holdout.name == "made"


@pytest.mark.parametrize(
    ("scenarios", "lacking"),
    [
        (HOLDOUT.scenarios, "development"),
        ((scenario("ash"),), "holdout"),
        ((scenario("ash"), Scenario("empty", (), (), split="holdout")), "holdout"),
        ((), "development"),
    ],
)
def test_a_suite_without_both_splits_is_refused(scenarios: tuple[Scenario, ...], lacking: str) -> None:
    with pytest.raises(InputError, match=f"no scenario with queries has split: {lacking}"):
        both_splits(replace(HOLDOUT, scenarios=scenarios))


@pytest.mark.parametrize("change", ["memory", "metadata", "query", "expected"])
def test_whatever_decides_an_answer_changes_the_content(change: str) -> None:
    one = scenario("oak")
    memory, query = one.memories[0], one.queries[0]
    changed = {
        "memory": replace(one, memories=(replace(memory, content="else"), *one.memories[1:])),
        "metadata": replace(one, memories=(replace(memory, metadata={"turn": 99}), *one.memories[1:])),
        "query": replace(one, queries=(replace(query, text="else"), *one.queries[1:])),
        "expected": replace(one, queries=(replace(query, expected={"0": 1}), *one.queries[1:])),
    }[change]
    as_suite = replace(HOLDOUT, scenarios=(one,))
    assert content_of(replace(as_suite, scenarios=(changed,))) != content_of(as_suite)
    assert content_of(replace(as_suite, scenarios=(replace(one, split="holdout"),))) == content_of(as_suite)


def test_what_a_query_does_not_say_is_no_part_of_the_content() -> None:
    one = scenario("oak")
    unsaid = tuple(replace(query, filters={}) for query in one.queries)  # as good as None
    assert scenario_digests(replace(HOLDOUT, scenarios=(replace(one, queries=unsaid),))) == scenario_digests(
        replace(HOLDOUT, scenarios=(one,))
    )


def test_an_opening_reads_back_as_it_was() -> None:
    opening = Opening("2026-03-04T10:00:00+00:00", 3, "aa", 2, 8, "bm25", "dense(minilm)", 0)
    assert Opening(**opening.to_dict()) == opening  # type: ignore[arg-type]
