"""The suite of our own cases: every verdict, by rules alone, against two versions of five real packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.corpus.libraries import open_library
from tests.jobs.verify.suite.expectations import Suite, read_suites

if TYPE_CHECKING:
    from goldproof.jobs.verify import CaseFinding
    from tests.jobs.verify.suite.expectations import Expected

SUITES = read_suites()


def mismatch(expected: Expected, found: CaseFinding) -> str:
    """Return what is not as it should be, or an empty text."""
    where = f"{expected.case} against {expected.library} ({expected.flaw})"
    if found.verdict not in expected.rules_alone:
        return f"{where}: {found.verdict}, expected {' or '.join(expected.rules_alone)}: {found.reason}"
    if expected.holds is not None and found.verdict == expected.verdict and found.holds != expected.holds:
        return f"{where}: {found.holds} hold, expected {expected.holds}: {found.reason}"
    missing = set(expected.remarks) - {remark.kind for remark in found.remarks}
    return f"{where}: no remark {', '.join(sorted(missing))}" if missing else ""


def mismatches(suite: Suite) -> list[str]:
    result = goldproof.verify(suite.file, against=suite.libraries)
    assert not result.problems
    labels = dict(zip(suite.libraries, result.labels, strict=True))
    found = {(one.case.id, one.library): one for one in result.findings}
    assert len(found) == len(suite.expected)
    return [said for one in suite.expected if (said := mismatch(one, found[one.case, labels[one.library]]))]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.file.stem)
def test_every_case_has_the_verdict_that_running_it_by_hand_gave(suite: Suite) -> None:
    assert mismatches(suite) == []


def test_the_bundled_questions_are_decided_by_rules_alone() -> None:
    (suite,) = read_suites("demo_expected.yaml")
    assert mismatches(suite) == []


@pytest.mark.slow
def test_google_adk_itself() -> None:
    (suite,) = read_suites("adk_expected.yaml")
    assert len(suite.expected) >= 12
    assert open_library(suite.libraries[0]).name == "google-adk"
    assert mismatches(suite) == []


def test_the_suite_is_large_and_has_every_flaw() -> None:
    every = [one for suite in SUITES for one in suite.expected]
    assert len({one.case for one in every}) >= 48
    assert len({one.flaw for one in every}) >= 12
    assert {one.verdict for one in every} == {"valid", "incorrect", "ambiguous", "broken", "unproven"} - (
        set() if any(one.verdict == "unproven" for one in every) else {"unproven"}
    )
    assert any(one.by == "agent" for one in every)
