"""Host side of one zygote: its process, the channel to it, and whether it still answers.

Two signs of a dead host end it: the channel closes, and, where it may, the kernel signals the death of the thread that
started it. Therefore all zygotes are started by one thread that lives as long as they do (`pool.py`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from goldproof.sandbox import bootstrap
from goldproof.sandbox.channel import Channel, LostError
from goldproof.sandbox.ending import end_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.sandbox.launch import Launch, Launcher
    from goldproof.sandbox.limits import Limits
    from goldproof.sandbox.run import Mode

START_SECONDS = 180.0
GRACE_SECONDS = 15.0
END_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Loads:
    """Modules that a zygote loads. limits: those that most runs have."""

    packages: tuple[str, ...]
    imports: tuple[str, ...]
    limits: Limits


class Zygote:
    """A started zygote. said: its first message, when it was ready."""

    def __init__(self, process: subprocess.Popen[bytes], channel: Channel, *, launch: Launch) -> None:
        self.process = process
        self.channel = channel
        self.launch = launch
        self.said: dict[str, object] = {}
        self.mode: Mode = "zygote"

    def run(self, request: Mapping[str, object], *, seconds: float) -> dict[str, object]:
        """Send a request and return its answer; LostError where none comes."""
        return self.channel.ask(request, seconds=seconds + GRACE_SECONDS)

    def close(self) -> None:
        """End it and everything in it."""
        self.channel.hang_up()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=END_SECONDS)  # it clears up by itself
        if self.process.returncode is None:
            end_tree(self.process)
        self.channel.close()
        if self.process.stderr is not None:
            self.process.stderr.close()
        _remove(self.launch)


def _remove(launch: Launch) -> None:
    for folder in launch.remove:
        shutil.rmtree(folder, ignore_errors=True)


def spawn(launcher: Launcher) -> Zygote:
    """Start the process of a zygote; LostError where it cannot be."""
    ours, theirs = socket.socketpair()
    try:
        with ours, theirs, launcher.launch(theirs.fileno()) as launch:
            try:
                return _spawned(launch, ours=ours, theirs=theirs)
            except BaseException:
                _remove(launch)
                raise
    except (OSError, subprocess.SubprocessError) as error:
        raise LostError(str(error)) from error


def _spawned(launch: Launch, *, ours: socket.socket, theirs: socket.socket) -> Zygote:
    process = subprocess.Popen(  # noqa: S603 - the command is ours, or the container that the user names
        launch.command,
        stdin=subprocess.PIPE if launch.over_stdio else subprocess.DEVNULL,
        stdout=subprocess.PIPE if launch.over_stdio else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=launch.environment,
        pass_fds=() if launch.over_stdio else (theirs.fileno(), *launch.pass_fds),
        start_new_session=True,
        cwd="/",
        user=launch.user,
        group=launch.user,
        extra_groups=None if launch.user is None else [],
    )
    if process.stdin is not None and process.stdout is not None:
        channel = Channel(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()))
        process.stdin.close()
        process.stdout.close()
    else:
        descriptor = ours.detach()
        channel = Channel(descriptor, descriptor)
    return Zygote(process, channel, launch=launch)


def greet(zygote: Zygote, *, loads: Loads, mode: Mode) -> None:
    """Send the programs and what to load, and wait until it is ready; LostError says why it is not."""
    try:
        zygote.mode = mode
        zygote.said = _greeted(zygote, {**_setup(zygote.launch), **asdict(loads), "mode": mode})
    except BaseException:
        zygote.close()
        raise


def _setup(launch: Launch) -> dict[str, object]:
    fields = ("box", "own_disk", "uid", "opened", "plan")
    return {name: getattr(launch, name) for name in fields}


def _greeted(zygote: Zygote, setup: dict[str, object]) -> dict[str, object]:
    try:
        said = zygote.channel.ask({"sources": bootstrap.sources(), "setup": setup}, seconds=START_SECONDS)
    except LostError as error:
        raise LostError(_why(zygote, str(error))) from error
    if said.get("ready") is not True:
        raise LostError(f"it could not start: {said.get('reason')}")
    return said


def _why(zygote: Zygote, otherwise: str) -> str:
    """What it wrote to stderr before it died, or what is known otherwise."""
    end_tree(zygote.process)
    stream = zygote.process.stderr
    text = os.read(stream.fileno(), 1 << 16).decode("utf-8", "replace").strip() if stream is not None else ""
    return text.splitlines()[-1][:500] if text else otherwise
