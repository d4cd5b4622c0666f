"""Describe a run to the agent as reproducible text.

The same run is told in the same words every time, on every machine: the next question to the model holds them, and its
answer is found again only by equal words. So there is no time in it, no address of an object, and no path of this
machine: what lies in the environment is told from `site-packages/` on.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.agent.transcript import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.sandbox import Run

# `0x7f...`, and `@ 140...`: an address as `id` writes it.
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b|(?<=[@ ])1\d{14}\b")
_INSTALLED = re.compile(r"(?:/[^\s\"'<>:/]+)+/(?:site|dist)-packages\b/?")
_STANDARD = re.compile(r"(?:/[^\s\"'<>:/]+)+/lib/python3(?:\.\d+|\d+\.zip)/?")
_FOLDER = re.compile(r"(?<![\w.-])(?:/[^\s\"'<>:/]+)+/(?=[^\s\"'<>:/]+\.(?:py|txt|json|ya?ml)\b)")
_OWN = re.compile(r"/tmp/[\w.-]+")  # noqa: S108 - a pattern, not a path that is used
_OBSERVED = 3_000
_WRITTEN = 1_200
_LONG = frozenset({"mro", "awaited", "in_proof"})


def run_text(run: Run) -> str:
    """Return how a run ended and what it observed, as an agent sees it."""
    return "\n".join(_lines(run))


def steady(text: str) -> str:
    """Return a text without what differs from run to run and from machine to machine."""
    there = _STANDARD.sub("lib/", _INSTALLED.sub("site-packages/", text))
    return _ADDRESS.sub("0x...", _OWN.sub("/...", _FOLDER.sub("", there)))


def _lines(run: Run) -> Iterator[str]:
    yield f"ended: {run.ended}{f' ({steady(run.reason)})' if run.reason else ''}"
    for number, one in enumerate(run.observations):
        text = json.dumps(_brief(dict(one)), ensure_ascii=False, default=str)
        yield f"observation {number}: {cut(steady(text), longest=_OBSERVED)}"
    if not run.observations:
        yield "observations: none"
    for name, said in (("stdout", run.stdout), ("stderr", run.stderr)):
        if said.strip():
            yield f"{name}: {cut(steady(said.strip()), longest=_WRITTEN)}"
    if run.blocked:
        yield f"blocked: {steady('; '.join(run.blocked[:3]))}"
    if run.changed:
        yield f"changed code of the library: {', '.join(run.changed[:5])}"


def _brief(value: object) -> object:
    """Return an observation without what is empty, or long and seldom of use."""
    if isinstance(value, dict):
        kept = {name: _brief(one) for name, one in value.items() if name not in _LONG}
        return {name: one for name, one in kept.items() if one not in (None, "", [], {})}
    return [_brief(one) for one in value] if isinstance(value, list | tuple) else value
