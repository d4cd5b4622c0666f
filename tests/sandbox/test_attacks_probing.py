"""The probe of a new sandbox: real sandboxes hold, no sandbox breaks, and what could not be tried is not held."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from goldproof.sandbox import Limits, Run, open_sandbox, this_interpreter
from goldproof.sandbox.probing import probe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.sandbox.run import Level

LEVELS = (
    pytest.param(
        "bubblewrap",
        marks=pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: make system-deps"),
    ),
    pytest.param("locks"),
)
CHOSEN = (
    "secret file", "caller environment", "other environments", "loopback", "unix sockets", "write outside", "kill",
    "namespaces", "system calls", "raise limits", "leftover daemon", "memory bomb",
)  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
def test_a_real_sandbox_holds_every_probe(level: Level) -> None:
    with open_sandbox(this_interpreter(), level=level, workers=1, probe=False) as sandbox:
        held, broken = probe(sandbox)
    assert broken == ()
    assert held == CHOSEN


def test_without_isolation_probes_succeed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_CALLER", "words that only the caller knows")
    with open_sandbox(this_interpreter(), level="unsafe", workers=1, probe=False) as sandbox:
        _, broken = probe(sandbox)
    expected = {"secret file", "loopback", "unix sockets", "write outside", "kill"}
    assert {f"{name}: it succeeded" for name in expected} <= set(broken)


@dataclass(frozen=True, slots=True)
class Broken:
    """Runs nothing; says what it was given."""

    run_of_it: Run
    asked: list[Limits | None] = field(default_factory=list)

    def run(
        self,
        script: str,  # noqa: ARG002
        *,
        name: str = "proof.py",  # noqa: ARG002
        files: Mapping[str, str] | None = None,  # noqa: ARG002
        limits: Limits | None = None,
    ) -> Run:
        self.asked.append(limits)
        return self.run_of_it


def test_what_could_not_be_tried_counts_as_broken_with_its_reason() -> None:
    held, broken = probe(Broken(Run("lost", reason="nobody answers")))  # type: ignore[arg-type]
    assert held == ()
    assert broken == tuple(f"{name}: it could not be tried (lost: nobody answers)" for name in CHOSEN)


def test_attacks_after_the_one_that_ended_the_run_were_not_tried() -> None:
    words = "\ngoldproof begins 0\ntried absolute path\nfailed absolute path\n\ngoldproof begins 1\nnothing\n"
    held, broken = probe(Broken(Run("timeout", stdout=words, reason="it ran too long")))  # type: ignore[arg-type]
    assert held == ("secret file",)
    assert len(broken) == len(CHOSEN) - 1
