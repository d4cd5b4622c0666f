"""Result of one script: how it ended, and what it observed.

finished   it ran to its end and its observations arrived
crashed    the script itself raised, or died of a signal
exited     it ended early, by `sys.exit` or `os._exit`, before its observations were sent
timeout, memory, output, files    it used more than it may
forged     its message was not made by the observer
lost       the sandbox broke, not the script

Only what finished, without an attempt that was blocked and without a change to what is observed, counts as observed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Ended = Literal["finished", "crashed", "exited", "timeout", "memory", "output", "files", "forged", "lost"]
Mode = Literal["zygote", "cold"]
Level = Literal["bubblewrap", "locks", "container", "unsafe"]


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a script.

    observations: what it observed, in order, as plain data (docs/reference/observations.md says their form).
    reason: one sentence where it did not finish. stdout, stderr: what it wrote outside of observations, cut at the
    limit. blocked: attempts to reach the network that were stopped. changed: what the script replaced or reached
    into: names of the library, the observer, builtins.
    """

    ended: Ended
    observations: tuple[Mapping[str, object], ...] = ()
    reason: str = ""
    stdout: str = ""
    stderr: str = ""
    blocked: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    level: Level = "unsafe"
    mode: Mode = "cold"
    seconds: float = field(default=0.0, compare=False)
    cpu_seconds: float = field(default=0.0, compare=False)

    @property
    def counts(self) -> bool:
        """Whether its observations may be compared with a claim."""
        return self.ended == "finished" and not self.blocked and not self.changed

    @property
    def why_not(self) -> str:
        """Why its observations do not count; empty where they do."""
        if self.ended != "finished":
            return self.reason or self.ended
        if self.blocked:
            return f"it tried to reach the network: {self.blocked[0]}"
        return f"it changed what is observed: {', '.join(self.changed[:3])}" if self.changed else ""
