"""The container level: the zygote runs by the user's container command, with the library of its image.

The channel is stdin and stdout, since that is all a container passes on. The program that starts the container keeps
the few variables it needs to find its daemon and its images; the zygote starts itself again without any of them.
"""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.sandbox import bootstrap
from goldproof.sandbox.launch import Launch
from goldproof.sandbox.users import FIRST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.sandbox.run import Level

NEEDED = (
    *("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
    *(
        "DOCKER_HOST",
        "DOCKER_CONFIG",
        "DOCKER_CONTEXT",
        "CONTAINER_HOST",
        "CONTAINERS_CONF",
        "DBUS_SESSION_BUS_ADDRESS",
    ),
)


@dataclass(frozen=True, slots=True)
class Container:
    """Launches zygotes in a container.

    prefix: a command line, e.g. `podman run --rm -i --network=none IMAGE`. python: its name in the image.
    """

    prefix: str
    python: str = "python3"
    hash_seed: int = 0

    @property
    def level(self) -> Level:
        """Container."""
        return "container"

    @property
    def about(self) -> str:
        """The container's command, for messages."""
        return f"the container ({self.prefix})"

    @contextmanager
    def launch(self, control: int) -> Iterator[Launch]:  # noqa: ARG002 - the channel is stdin and stdout
        """Return a launch."""
        yield Launch(
            command=(
                *_words(self.prefix),
                self.python,
                *bootstrap.command(0, 1, scrub=bootstrap.environment(self.hash_seed)),
            ),
            plan={"readable": None, "network": False, "signals": None},
            box=None,
            uid=FIRST,
            opened=None,
            environment={name: os.environ[name] for name in NEEDED if name in os.environ},
            over_stdio=True,
        )


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"--container {command!r}: cannot be parsed ({error}); quote it as for a shell.") from error
    if not words:
        raise InputError("--container is empty; give a command such as 'podman run --rm -i --network=none IMAGE'.")
    return words
