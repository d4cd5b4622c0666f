"""The Sandbox interface: run untrusted scripts, and report how well they are isolated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from goldproof.sandbox.limits import Limits
    from goldproof.sandbox.run import Level, Run


@dataclass(frozen=True, slots=True)
class Isolation:
    """Isolation of a sandbox, as its own probes found it.

    level: what it was built with. held: attacks that were tried at the start and failed. broken: those that succeeded
    (only `unsafe` has any). notes: in sentences, why no better level was reached, as whom scripts run.
    """

    level: Level
    held: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


class Sandbox(Protocol):
    """Runs scripts. Its methods may be called from several threads; it is closed once."""

    @property
    def isolation(self) -> Isolation:
        """The isolation of the scripts."""

    def run(
        self,
        script: str,
        *,
        name: str = "proof.py",
        files: Mapping[str, str] | None = None,
        limits: Limits | None = None,
    ) -> Run:
        """Run a script in an empty folder of its own; never raises for what it does. files: name -> text, put there."""

    def close(self) -> None:
        """End all processes and remove all folders."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
