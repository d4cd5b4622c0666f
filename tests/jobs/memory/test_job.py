"""Everything is opened and checked before any system is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import ConflictError, InputError
from goldproof.io import OutputFolder
from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory import run_memory
from tests.jobs.memory.scripted import Scripted, memories, suite

if TYPE_CHECKING:
    from pathlib import Path

SUITE = suite(Scenario("s", memories("a", "b"), (Query("q", "1", "exact", {"m0": 2}),)))


def test_a_claimed_folder_of_the_same_run_is_written_and_of_another_refused_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    with OutputFolder(tmp_path / "out") as folder:
        result = run_memory(SUITE, systems={"x": Scripted({"1": ["a"]})}, self_check=False, claimed=folder)
        assert result.runs["x"].rows[0].passed
        result.save(folder)
    asked_later = Scripted({"1": ["a"]})
    with OutputFolder(tmp_path / "out") as folder, pytest.raises(ConflictError, match="holds something else"):
        run_memory(SUITE, systems={"x": asked_later}, k=3, self_check=False, claimed=folder)
    assert asked_later.asked == []


def test_a_misspelt_gate_is_refused_before_anything_is_asked() -> None:
    system = Scripted({"1": ["a"]})
    with pytest.raises(InputError, match="recal"):
        run_memory(SUITE, system, fail_if=["recal < 0.9"])
    assert system.asked == []
