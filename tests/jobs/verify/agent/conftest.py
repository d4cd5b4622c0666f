"""A sandbox and the sources of the library, opened once for all tests of the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.verify.agent import Research, open_research
from goldproof.sandbox import open_sandbox, this_interpreter
from tests.jobs.verify.agent.exams import YAML

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.sandbox import Sandbox


@pytest.fixture(autouse=True)
def own_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path))


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox(this_interpreter(("yaml", "pydantic")), workers=1, probe=False) as opened:
        yield opened


@pytest.fixture(scope="session")
def research() -> Research:
    return open_research(YAML)
