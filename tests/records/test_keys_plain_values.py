from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from goldproof.records.keys import canonical_json


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": 1, "a": [None, True, "x"]}, '{"a":[null,true,"x"],"b":1}'),
        ({"c", "a", "b"}, '{"set":["\\"a\\"","\\"b\\"","\\"c\\""]}'),
        (b"\x00\xff", '{"bytes":"00ff"}'),
        (date(2024, 5, 1), '"2024-05-01"'),
        (datetime(2024, 5, 1, 12, tzinfo=UTC), '"2024-05-01T12:00:00+00:00"'),
        (time(12, 30), '"12:30:00"'),
        (timedelta(hours=1), '"1:00:00"'),
        (Decimal("1.10"), '"1.10"'),
        (PurePosixPath("a/b"), '"a/b"'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (MappingProxyType({"a": 1}), '{"a":1}'),
        (range(3), "[0,1,2]"),
        (np.array([1, 2]), "[1,2]"),
        (10**30, "1" + "0" * 30),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_what_json_does_not_know_has_a_form_of_its_own(value: object, written: str) -> None:
    assert canonical_json(value) == written


def test_what_has_no_form_is_an_error() -> None:
    round_about: list[Any] = []
    round_about.append(round_about)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value, problem in ((object(), "it holds a object"), ({1: 1, "1": 2}, "not supported between")):
        with pytest.raises(TypeError, match=problem):
            canonical_json(value)
    for value, problem in ((round_about, "Circular"), (deep, "nested too deeply")):
        with pytest.raises(ValueError, match=problem):
            canonical_json(value)


def test_a_set_is_written_the_same_in_any_process() -> None:
    code = "from goldproof.records.keys import canonical_json; print(canonical_json({'a', 'b', 'c', 'd', ('e', 1)}))"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
