"""Settings of an audit: prover, limits and isolation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast, get_args

from goldproof.errors import InputError, UnknownNameError
from goldproof.sandbox import Limits
from goldproof.sandbox.run import Level

if TYPE_CHECKING:
    from goldproof.llm import Model

ProverName = Literal["rules", "agent"]


@dataclass(frozen=True, slots=True)
class Isolating:
    """Isolation of scripts. level: none for the best that holds. container: a command that scripts are run by.

    unsafe: run them without isolation, if nothing holds. workers: how many at once; none for one per core.
    """

    level: Level | None = None
    container: str | None = None
    unsafe: bool = False
    workers: int | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.level is not None and self.level not in get_args(Level):
            raise UnknownNameError("isolation", str(self.level), get_args(Level))
        if self.workers is not None and self.workers < 1:
            raise InputError(f"workers is {self.workers}, expected 1 or more.")
        if not 0 < self.limits.seconds <= 3600:
            raise InputError(f"seconds is {self.limits.seconds:g}, expected above 0 and at most 3600 for one proof.")


@dataclass(frozen=True, slots=True, eq=False)
class Proving:
    """The prover. model: of the agent, which sees only what rules leave open. steps: at most so many for a case."""

    prover: ProverName = "rules"
    model: Model | None = None
    steps: int = 24

    def __post_init__(self) -> None:
        check_prover(self.prover, has_model=self.model is not None)
        if self.steps < 1:
            raise InputError(f"steps is {self.steps}, expected 1 or more.")


def check_prover(prover: str, *, has_model: bool) -> ProverName:
    """Return the prover, or say what does not fit; before a model is opened, which may take a while."""
    if prover not in get_args(ProverName):
        raise UnknownNameError("prover", str(prover), get_args(ProverName))
    if prover == "agent" and not has_model:
        raise InputError("the prover 'agent' needs a model; name one, such as --model google:gemini-3-pro-preview.")
    if prover == "rules" and has_model:
        raise InputError("a model is only asked by the prover 'agent'; give --prover agent, or no model.")
    return cast("ProverName", prover)
