"""Main program of the zygote: drop privileges, load the library, then fork for every request.

The host sends the setup, then requests; every request is answered once. When the host is gone, so is the zygote, and
with it (it is process 1, or the reaper) whatever still runs.
"""

# ruff: noqa: PTH102, PTH106, PTH118 - plain names and descriptors cost no import
from __future__ import annotations

import gc
import os
import resource
import site
import sys
from typing import TYPE_CHECKING, Any, NoReturn, Optional

from . import frames, leftovers
from .becoming import become
from .child import TOKEN, Ends, Task, import_all, live
from .loading import in_time, load_library, load_observers
from .packing import pack
from .places import complete, confine, make_box, prepare
from .reaching import open_ways
from .supervisor import HostGoneError, Seen, Streams, Watch, judge

if TYPE_CHECKING:
    from collections.abc import Callable


class Zygote:
    """reader, writer: the control channel. setup: what the host wants, as it was sent."""

    def __init__(self, reader: int, writer: int, *, setup: dict[str, Any]) -> None:
        self.reader = reader
        self.writer = writer
        self.setup = setup
        self.box: str = setup["box"]
        self.cold: bool = setup["mode"] == "cold"
        self.prepared: dict[str, Callable[[str], list[str]]] = {}
        self.snapshot: Any = None

    def start(self, modules: list[str]) -> dict[str, Any]:
        """Load everything; what is said to the host."""
        load_observers(modules)
        said: dict[str, Any] = {"failed": [], "skipped": [], "threads": 1}
        if not self.cold:
            said = load_library(self.setup["packages"], imports=self.setup["imports"])
            self.snapshot = self._take_snapshot()
        self._locks(self.setup["limits"])
        self._prepare_runner()
        os.umask(0o077)
        gc.disable()
        gc.collect()
        gc.freeze()
        pack()
        return {**said, "ready": True, "uid": os.getuid(), "pid": os.getpid()}

    def _take_snapshot(self) -> Any:  # noqa: ANN401
        from ..proof import integrity  # noqa: PLC0415, TID252

        return integrity.take_snapshot(tuple(self.setup["packages"]))

    @staticmethod
    def _prepare_runner() -> None:
        from ..proof import runner  # noqa: PLC0415, TID252

        runner.prepare()

    def _late(self) -> Any:  # noqa: ANN401
        """In a cold child: the library is imported behind the locks. What else it needs the script imports itself."""
        if self.cold:
            import_all(self.setup["packages"])
            self.snapshot = self._take_snapshot()
        return self.snapshot

    def _locks(self, limits: dict[str, Any]) -> Callable[[str], list[str]]:
        """The prepared locks for these limits; most runs have the same."""
        key = repr(sorted(limits.items()))
        if key not in self.prepared:
            if len(self.prepared) > 16:
                self.prepared.clear()
            self.prepared[key] = prepare(self.setup["plan"], limits)
        return self.prepared[key]

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one script; the Run, as plain data."""
        from ..proof import runner  # noqa: PLC0415, TID252

        limits = request["limits"]
        workdir = os.path.join(self.box, "proof")
        os.mkdir(workdir, 0o700)
        task = Task(
            workdir,
            request["files"],
            apply=self._locks(limits),
            late=self._late,
            run=lambda snapshot: runner.run_script(request["script"], name=request["name"], snapshot=snapshot),
        )
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        token = os.urandom(TOKEN)
        seen = self._forked(task, token=token, limits=limits)
        leftovers.empty(self.box)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            **judge(seen, token=token, limits=limits),
            "stdout": seen.out.decode("utf-8", "replace"),
            "stderr": seen.err.decode("utf-8", "replace"),
            "seconds": seen.seconds,
            "cpu_seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "clear": seen.clear,
        }

    def _forked(self, task: Task, *, token: bytes, limits: dict[str, Any]) -> Seen:
        pipes = [os.pipe() for _ in range(4)]  # stdout, stderr, message; and the token, which goes the other way
        os.write(pipes[3][1], token)
        (out, out_end), (err, err_end), (message, message_end), (token_end, mine) = pipes
        ends = Ends(out_end, err_end, message=message_end, token=token_end)
        streams = Streams(out, err, message)
        pid = os.fork()
        if pid == 0:
            live(task, ends=ends, closing=(*streams, mine, *{self.reader, self.writer}))
        for descriptor in (*ends, mine):
            os.close(descriptor)
        try:
            for descriptor in streams:
                os.set_blocking(descriptor, False)
            watch = Watch(pid, streams=streams, limits=limits, host=self.reader)
            return watch.until_end(box=self.box, own_disk=self.setup["own_disk"])
        finally:
            for descriptor in streams:
                os.close(descriptor)

    def loop(self) -> None:
        """Answer until the host is gone."""
        while True:
            answer = self.answer(frames.receive(self.reader))
            frames.send(self.writer, answer)
            if not answer["clear"]:
                return  # a process that cannot be killed: this sandbox is not used again


def main(reader: int, writer: int, *, setup: dict[str, Any], modules: list[str]) -> NoReturn:
    """Run the zygote; never returns."""
    try:
        _silence()
        setup["box"] = setup["box"] or make_box(setup["uid"])
        if os.getuid() == 0:
            open_ways(setup["opened"])
        become(setup["uid"])
        os.chdir(setup["box"])
        site.main()
        sys.path[:] = [path for path in sys.path if path]
        setup["plan"] = complete(setup["plan"])
        confine(setup["plan"], box=setup["box"])
        zygote = Zygote(reader, writer, setup=setup)
        with in_time():
            said = zygote.start(modules)
        frames.send(writer, said)
        zygote.loop()
    except (EOFError, HostGoneError, BrokenPipeError, ConnectionResetError):
        pass
    except BaseException as error:  # noqa: BLE001 - the last thing it can do is to say why
        frames.send(writer, {"ready": False, "ended": "lost", "reason": f"{type(error).__name__}: {error}"[:1000]})
    finally:
        leftovers.kill_all()
        _remove(setup["box"])
        os._exit(0)


def _remove(box: Optional[str]) -> None:  # noqa: UP045
    try:
        if box:
            leftovers.empty(box)
            os.rmdir(box)
    except OSError:  # a mount point cannot be removed, and goes with its namespace
        pass


def _silence() -> None:
    """What libraries print while they are imported goes nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for target in (0, 1, 2):
        os.dup2(null, target)
    os.close(null)
