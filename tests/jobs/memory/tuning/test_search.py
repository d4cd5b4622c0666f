"""The search: the same however often it is interrupted, never on the hold-out, never paying twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from optuna.storages import RDBStorage
from optuna.study import load_study
from optuna.trial import TrialState

from goldproof.errors import ConflictError, InputError, MissingExtraError
from goldproof.io.scenarios.scenario import Scenario, Suite
from goldproof.jobs.memory.tuning import search as search_module
from goldproof.jobs.memory.tuning.holdout import both_splits
from goldproof.jobs.memory.tuning.search import tune_suite
from goldproof.jobs.memory.tuning.space import Space
from goldproof.jobs.memory.tuning.study_file import STUDY_FILE, StudyFile
from goldproof.jobs.memory.tuning.trial import FinishedSearch, TrialRecord, try_configuration
from tests.jobs.memory.tuning.made_suites import RULES, suite

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.progress import Progress

SUITE = suite("ash", "birch", "cedar")
TRIALS = 13  # ten are random; the sampler learns from them afterwards
SPACE = Space(sources=("bm25", "dense"), expansion=(), filters_from_query=(), recency_from_query=False)


def tune(folder: Path, *, trials: int = TRIALS, **changed: Any) -> FinishedSearch:  # noqa: ANN401 - any of the settings
    settings: dict[str, Any] = {"rules": RULES, "space": SPACE, "baseline": "dense(minilm)", "seed": 3, **changed}
    return tune_suite(settings.pop("suite", SUITE), trials=trials, folder=folder, **settings)


class Interrupting:
    """Ends the search after some trials, as Ctrl-C would."""

    def __init__(self, after: int) -> None:
        self._after = after

    def __call__(self, progress: Progress) -> None:
        if progress.done == self._after:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> FinishedSearch:
    """A search that nobody disturbed."""
    return tune(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pipelines that were really run."""
    run: list[str] = []
    real = try_configuration

    def counting(number: int, pipeline: str, **more: Any) -> TrialRecord:  # noqa: ANN401
        run.append(pipeline)
        return real(number, pipeline, **more)

    monkeypatch.setattr(search_module, "try_configuration", counting)
    return run


def states(folder: Path) -> list[TrialState]:
    storage = RDBStorage(f"sqlite:///{folder / STUDY_FILE}")
    try:
        return [trial.state for trial in load_study(study_name=None, storage=storage).trials]
    finally:
        storage.remove_session()
        storage.engine.dispose()


def test_the_baseline_is_the_first_trial_and_the_winner_is_no_worse(whole: FinishedSearch) -> None:
    assert whole.trials[0] == whole.baseline
    assert whole.baseline.pipeline == "dense(minilm)"
    assert whole.baseline.choices == {}, "its text is not read back into choices"
    assert all(record.choices for record in whole.trials[1:])
    assert [record.number for record in whole.trials] == list(range(TRIALS))
    # Three of four questions have answers; dense without a floor always returns 3 memories, so that the negative one
    # counts 0, and f1 of the others is 2 * (2/3 * 1) / (2/3 + 1) = 0.8 twice and 2 * (1/3) / (1/3 + 1) = 0.5 once.
    assert whole.baseline.value == pytest.approx((0.8 + 0.8 + 0.5 + 0) / 4)
    assert whole.winner.value is not None
    assert whole.winner.value > 0.6
    assert whole.winner.value == max(record.value for record in whole.trials if record.value is not None)


def test_the_same_search_finds_the_same(whole: FinishedSearch, tmp_path: Path) -> None:
    assert tune(tmp_path) == whole


def test_another_seed_tries_something_else(whole: FinishedSearch, tmp_path: Path) -> None:
    other = tune(tmp_path, seed=4, trials=5)
    assert [record.pipeline for record in other.trials] != [record.pipeline for record in whole.trials[:5]]


def test_an_interrupted_search_goes_on_as_if_it_had_not_been(whole: FinishedSearch, tmp_path: Path) -> None:
    for after in (1, 11):  # within the random trials, and after them
        with pytest.raises(KeyboardInterrupt):
            tune(tmp_path, on_progress=Interrupting(after))
    assert tune(tmp_path) == whole


def test_a_longer_search_begins_with_the_shorter_one(whole: FinishedSearch, tmp_path: Path) -> None:
    tune(tmp_path, trials=4)
    assert tune(tmp_path) == whole


def test_trials_that_were_running_are_told_failed_and_done_again(
    whole: FinishedSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = try_configuration

    def interrupted(number: int, pipeline: str, **more: Any) -> TrialRecord:  # noqa: ANN401
        if number >= 10:  # the sampler learns from then on, so that what it saw matters
            raise KeyboardInterrupt
        return real(number, pipeline, **more)

    monkeypatch.setattr(search_module, "try_configuration", interrupted)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            tune(tmp_path)
    assert states(tmp_path).count(TrialState.RUNNING) == 1
    monkeypatch.setattr(search_module, "try_configuration", real)
    again = tune(tmp_path)
    assert again == whole
    assert states(tmp_path).count(TrialState.FAIL) == 2
    assert TrialState.RUNNING not in states(tmp_path)
    assert again.failed == 0


def test_a_trial_that_was_written_down_is_not_lost_where_optuna_was_not_told(
    tmp_path: Path, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(StudyFile, "_end", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tune(tmp_path, trials=3)
    assert states(tmp_path) == [TrialState.COMPLETE, TrialState.RUNNING]
    once = list(counted)
    assert len(once) == 2
    tuned = tune(tmp_path, trials=2)
    assert counted == once
    assert states(tmp_path) == [TrialState.COMPLETE, TrialState.COMPLETE]
    assert tuned.trials[1].pipeline == once[1]
    assert tuned.trials[1].value is not None


_KILLED = """
import os, signal, sys
from pathlib import Path
from goldproof.jobs.memory.tuning import search
from tests.jobs.memory.tuning.test_search import tune
real = search.try_configuration
def deadly(number, pipeline, **more):
    if number >= 10:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(number, pipeline, **more)
search.try_configuration = deadly
tune(Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_killed_process_loses_nothing_but_its_running_trial(
    whole: FinishedSearch, tmp_path: Path, repo: Path
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path)], cwd=repo, check=False, timeout=120, capture_output=True
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert tune(tmp_path) == whole


def test_what_is_done_is_not_run_again(tmp_path: Path, counted: list[str]) -> None:
    first = tune(tmp_path)
    assert len(counted) == len(set(counted)) == first.distinct
    counted.clear()
    assert tune(tmp_path) == first
    assert counted == []


def test_a_configuration_that_was_tried_has_the_value_it_had(tmp_path: Path, counted: list[str]) -> None:
    # Two values of k, and nothing else to choose: at most three different pipelines with the baseline.
    tiny = replace(SPACE, sources=("bm25",), half_life=None, k=(1, 2))
    tuned = tune(tmp_path, space=tiny, trials=8)
    assert len(counted) <= 3
    assert tuned.repeated == 8 - len(counted)
    for record in tuned.trials:
        if record.repeats is not None:
            earlier = tuned.trials[record.repeats]
            assert (record.pipeline, record.value) == (earlier.pipeline, earlier.value)
            assert earlier.repeats is None


def test_a_configuration_that_cannot_run_fails_with_its_reason_and_the_search_goes_on(tmp_path: Path) -> None:
    space = replace(SPACE, embedders=("minilm", "no.such.module:embed"), half_life=None)
    tuned = tune(tmp_path, space=space, trials=12)
    failed = [record for record in tuned.trials if record.value is None]
    assert failed
    assert tuned.failed == len(failed)
    assert all("no.such.module" in record.pipeline for record in failed)
    assert all("no.such" in record.reason for record in failed)
    assert states(tmp_path).count(TrialState.FAIL) == len(failed)
    assert tuned.winner.value is not None
    assert tune(tmp_path, space=space, trials=12) == tuned


def test_every_trial_is_reported_with_the_best_so_far(whole: FinishedSearch, tmp_path: Path) -> None:
    reports: list[Progress] = []
    tune(tmp_path, trials=4, on_progress=reports.append)
    assert [(one.done, one.total, one.failed) for one in reports] == [(n, 4, 0) for n in range(1, 5)]
    bests = [one.note.split()[1] for one in reports]
    assert bests == sorted(bests)
    assert reports[0].note == f"best {whole.baseline.value:.4f} ({whole.baseline.pipeline})"


def test_the_hold_out_is_not_read(tmp_path: Path) -> None:
    class Sealed:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(f"the hold-out was read: {name}")

    sealed: Any = Sealed()
    locked = Scenario("locked", (sealed,), (sealed,), split="holdout")
    development, holdout = both_splits(replace(SUITE, scenarios=(*SUITE.scenarios, locked)))
    assert holdout.scenarios == (locked,)
    assert len(tune(tmp_path, suite=development, trials=2).trials) == 2


@pytest.mark.parametrize("trials", [0, -1, 1.5, True, "3"])
def test_fewer_than_one_trial_is_refused(tmp_path: Path, trials: Any) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match="expected a whole number of at least 1"):
        tune(tmp_path, trials=trials)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"seed": -1}, "seed -1 is not a whole number"),
        ({"objective": "bleu"}, "unknown objective 'bleu'"),
        ({"baseline": "dens(minilm)"}, "baseline 'dens\\(minilm\\)': unknown stage 'dens'"),
        ({"baseline": "dense(minilm"}, "baseline 'dense\\(minilm':"),
        ({"suite": Suite("empty", ())}, "the development split has no queries"),
    ],
)
def test_wrong_use_is_refused_before_anything_is_written(tmp_path: Path, changed: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        tune(tmp_path / "out", **changed)
    assert not (tmp_path / "out").exists()


def test_a_baseline_that_cannot_be_run_is_refused_and_may_be_mended(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be run: .*no\.such"):
        tune(tmp_path, trials=1, baseline="dense(no.such:embed)")
    assert tune(tmp_path, trials=1, baseline="bm25").baseline.pipeline == "bm25"


def test_a_search_with_other_settings_is_refused_naming_them(tmp_path: Path) -> None:
    tune(tmp_path, trials=1)
    with pytest.raises(ConflictError, match="another seed, objective"):
        tune(tmp_path, trials=1, seed=4, objective="recall")
    with pytest.raises(ConflictError, match="another scenarios"):
        tune(tmp_path, trials=1, suite=suite("ash", "birch"))
    with pytest.raises(ConflictError, match="another space"):
        tune(tmp_path, trials=1, space=replace(SPACE, floor=None))


def test_few_queries_are_remarked(tmp_path: Path, whole: FinishedSearch) -> None:
    assert whole.remarks == ()  # 12 queries
    tuned = tune(tmp_path, trials=1, suite=suite("ash"))
    assert tuned.remarks == ("The development split has 4 queries: with so few, the search mostly learns their noise.",)


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "a b 50%20 {x} what?#me é"  # an address, and a template, would read these otherwise
    tune(folder, trials=1, baseline="bm25")
    assert (folder / STUDY_FILE).is_file()


def test_without_optuna_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingExtraError, match=r"tuning needs the extra 'tune'"):
        tune(tmp_path, trials=1)


def test_importing_the_package_does_not_load_optuna() -> None:
    code = "import sys, goldproof.jobs.memory.tuning; assert 'optuna' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
