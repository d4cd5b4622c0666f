"""Limits of an agent per case; its cost is bounded by the model's budget."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """Limits for one case.

    steps: actions in all. seconds: of the wall clock, looked at between steps. runs: of scripts in the sandbox, proofs
    and their controls included. script_chars: the longest script or file. proofs: delivered for one option,
    those that are refused before they run not counted. files: that are kept between steps.
    """

    steps: int = 24
    seconds: float = 300.0
    runs: int = 24
    script_chars: int = 20_000
    proofs: int = 4
    files: int = 8
