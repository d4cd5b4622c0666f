"""Parse a zygote's answer into a Run. The answer is untrusted data: every field is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

from goldproof.sandbox.channel import LostError
from goldproof.sandbox.run import Ended, Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.sandbox.run import Level, Mode

ENDED = frozenset(get_args(Ended))


def run_of(answer: Mapping[str, object], *, level: Level, mode: Mode) -> Run:
    """Return the Run that an answer tells; LostError where it is not of that form."""
    return Run(
        ended=_ended(answer),
        observations=_observations(answer.get("observations", [])),
        reason=_text(answer, "reason"),
        stdout=_text(answer, "stdout"),
        stderr=_text(answer, "stderr"),
        blocked=_texts(answer, "blocked"),
        changed=_texts(answer, "changed"),
        level=level,
        mode=mode,
        seconds=_number(answer, "seconds"),
        cpu_seconds=_number(answer, "cpu_seconds"),
    )


def _ended(answer: Mapping[str, object]) -> Ended:
    ended = answer.get("ended")
    if ended not in ENDED:
        raise LostError(f"its answer ends with {str(ended)[:50]!r}")
    return cast("Ended", ended)


def _observations(value: object) -> tuple[Mapping[str, object], ...]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise LostError("its observations are not a list of objects")
    return tuple(value)


def _text(answer: Mapping[str, object], key: str) -> str:
    value = answer.get(key, "")
    if not isinstance(value, str):
        raise LostError(f"its {key} is not a text")
    return value


def _texts(answer: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = answer.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise LostError(f"its {key} is not a list of texts")
    return tuple(value)


def _number(answer: Mapping[str, object], key: str) -> float:
    value = answer.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LostError(f"its {key} is not a number")
    return float(value)
