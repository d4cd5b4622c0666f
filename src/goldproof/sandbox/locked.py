"""Levels without bubblewrap, on the host's file system: locks (Landlock, seccomp, limits), or limits only.

Root gives each zygote an unused user; where the interpreter lies in a folder that is closed to others, the zygote first
opens the way to it, in a mount namespace of its own. Scripts work in a private folder of the host.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.sandbox import bootstrap
from goldproof.sandbox.closed_folders import entered
from goldproof.sandbox.launch import Launch
from goldproof.sandbox.users import is_root, unused_user
from goldproof.sandbox.work_folders import make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.sandbox.interpreter import Interpreter
    from goldproof.sandbox.run import Level


@dataclass(frozen=True, slots=True)
class Locked:
    """Locks only."""

    interpreter: Interpreter
    hash_seed: int = 0

    @property
    def level(self) -> Level:
        """Locks."""
        return "locks"

    @property
    def about(self) -> str:
        """The name of the level, for messages."""
        return "locks"

    @contextmanager
    def launch(self, control: int) -> Iterator[Launch]:
        """Return a launch with a new folder."""
        uid = unused_user() if is_root() else None
        readable = [str(path) for path in (entered if is_root() else iter)(self.interpreter.readable)]
        folder = make_folder(uid)
        yield Launch(
            command=(str(self.interpreter.python), *bootstrap.command(control, control)),
            plan={
                "readable": readable,
                "network": False,
                "signals": "self",
                "own_mounts": False,
                "own_user": uid is not None,
            },
            box=folder,
            uid=uid,
            opened=tuple(readable),
            environment={**bootstrap.environment(self.hash_seed), "HOME": folder},
            remove=(folder,),
        )


@dataclass(frozen=True, slots=True)
class Unlocked:
    """Nothing but limits and a supervisor: scripts can do what the caller can."""

    interpreter: Interpreter
    hash_seed: int = 0

    @property
    def level(self) -> Level:
        """Unsafe."""
        return "unsafe"

    @property
    def about(self) -> str:
        """The name of the level, for messages."""
        return "no isolation"

    @contextmanager
    def launch(self, control: int) -> Iterator[Launch]:
        """Return a launch with a new folder."""
        folder = make_folder(None)
        yield Launch(
            command=(str(self.interpreter.python), *bootstrap.command(control, control)),
            plan=None,
            box=folder,
            environment={**bootstrap.environment(self.hash_seed), "HOME": folder},
            remove=(folder,),
        )
