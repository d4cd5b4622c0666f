"""The suite is whole: every case can be read, and has an expectation in every version."""

from __future__ import annotations

import pytest

from goldproof.io.cases import read_cases
from goldproof.jobs.verify.finding import VERDICTS
from tests.jobs.verify.suite.expectations import Suite, read_suites

FILES = ("expected.yaml", "adk_expected.yaml", "demo_expected.yaml")
SUITES = [suite for name in FILES for suite in read_suites(name)]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.file.stem)
def test_every_case_has_an_expectation_in_every_version(suite: Suite) -> None:
    read = read_cases([suite.file])
    assert read.problems == ()
    wanted = [(case.id, library) for case in read.cases for library in suite.libraries]
    assert sorted(wanted) == sorted((one.case, one.library) for one in suite.expected)


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.file.stem)
def test_a_valid_case_holds_by_its_key_and_an_incorrect_one_does_not(suite: Suite) -> None:
    keys = {case.id: case.key for case in read_cases([suite.file]).cases}
    for one in suite.expected:
        assert one.verdict in VERDICTS
        if one.holds is None:
            continue
        if one.verdict == "valid":
            assert one.holds == (keys[one.case],), one
        if one.verdict == "incorrect":
            assert keys[one.case] not in one.holds, one
        if one.verdict == "ambiguous":
            assert len(one.holds) > 1, one
            assert keys[one.case] in one.holds, one
