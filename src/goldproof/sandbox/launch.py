"""Launch of a zygote at an isolation level: its command, and the setup that it receives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from goldproof.sandbox import bootstrap

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from goldproof.sandbox.run import Level


@dataclass(frozen=True, slots=True)
class Launch:
    """One start of a zygote.

    command: what to run. plan: for the locks; None for limits only. box: the folder where scripts work, as it is called
    inside; None where the zygote makes one. own_disk: the box is a file system of its own. uid: who the zygote shall
    become, None where it stays. user: whom the command itself is started as. opened: paths that the zygote opens to
    that user, where they lie in closed folders; None: its interpreter. over_stdio: the channel is stdin and stdout.
    pass_fds: descriptors that the command takes besides the channel. remove: folders to be removed at the end.
    """

    command: tuple[str, ...]
    plan: dict[str, object] | None
    box: str | None
    own_disk: bool = False
    uid: int | None = None
    user: int | None = None
    opened: tuple[str, ...] | None = ()
    environment: dict[str, str] = field(default_factory=lambda: dict(bootstrap.ENVIRONMENT))
    over_stdio: bool = False
    pass_fds: tuple[int, ...] = ()
    remove: tuple[str, ...] = ()


class Launcher(Protocol):
    """Makes launches, one per zygote."""

    @property
    def level(self) -> Level:
        """The level it starts zygotes at."""

    @property
    def about(self) -> str:
        """A few words for messages: what it starts them with."""

    def launch(self, control: int) -> AbstractContextManager[Launch]:
        """Return a launch; control: the zygote's end of the channel. What it holds open is closed afterwards."""
