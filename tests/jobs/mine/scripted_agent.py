"""An agent that knows where to look: it inspects the two halves of a recipe by name, and cites them.

A model is a spec where `discover` is given; this file is `tests.jobs.mine.scripted_agent:agent`.
"""

from __future__ import annotations

import re

STEPS: tuple[dict[str, object], ...] = (
    {"action": "inspect", "argument": "half-1"},
    {"action": "inspect", "argument": "half-2"},
    {"action": "inspect", "argument": "decoy-0"},
    {"action": "answer", "answer": "stir, then wait", "cited": ["half-1", "half-2", "never-read"]},
)


def agent(prompt: str) -> dict[str, object]:
    """Do what comes next."""
    return STEPS[_step(prompt) - 1]


def lost(prompt: str) -> dict[str, object]:
    """Search for ever."""
    return {"action": "search", "argument": f"galley {_step(prompt)}"}


def broken(prompt: str) -> dict[str, object]:
    """Fail at the second step."""
    if _step(prompt) == 2:
        raise ValueError("no more")
    return {"action": "inspect", "argument": "half-1"}


def _step(prompt: str) -> int:
    """Return which step is asked for."""
    return int(re.findall(r"^Step (\d+) of \d+\.", prompt, re.MULTILINE)[-1])
