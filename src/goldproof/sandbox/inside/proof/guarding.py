"""What a script tries that makes its observations worthless, by an audit hook, which cannot be taken off again.

blocked: attempts to reach the network. The kernel stops them; but then the code behaved otherwise than it would have.
A pair of connected sockets, which event loops make, is none. changed: code of the library replaced in place, and
reaching into the observer: frames and `ctypes`, where the script itself does it (what libraries do of that kind is
theirs), `gc` and tracing, whoever does it.

This is no wall: code in the same process can get around any check in it. It catches what is tried in practice.
"""

from __future__ import annotations

import sys
from sys import _getframe as frame_at
from typing import TYPE_CHECKING, NamedTuple

from .texts import Foreign, cut, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .integrity import Snapshot

_NETWORK = frozenset({
    "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname",
    "socket.getnameinfo", "socket.sendmsg", "socket.sendto",
})  # fmt: skip
_REACHING = frozenset({
    "ctypes.addressof", "ctypes.cdata", "ctypes.cdata/buffer", "ctypes.dlopen", "ctypes.dlsym", "ctypes.string_at",
    "sys._getframe", "code.__new__",
})  # fmt: skip
_NEVER = frozenset({
    "gc.get_objects", "gc.get_referents", "gc.get_referrers", "sys._current_frames", "sys._current_exceptions",
    "sys.addaudithook", "sys.setprofile", "sys.settrace",
})  # fmt: skip
_FAMILIES = frozenset({1, 2, 10})  # unix, inet, inet6
_PARTS = frozenset({"__code__", "__defaults__", "__kwdefaults__"})
_THROUGH = frozenset({"ctypes", "inspect"})
_FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})
_MOST = 20


class Tried(NamedTuple):
    """An audit event. frame: the code that raised it."""

    event: str
    arguments: tuple[Foreign, ...]
    frame: Foreign

    def by(self, guard: Guard) -> bool:
        """Whether it was the script itself, or a module that it reaches through."""
        frame = self.frame
        while frame.f_back is not None and frame.f_globals.get("__name__") in _THROUGH:
            frame = frame.f_back
        file = frame.f_code.co_filename
        return file in guard.files or file.startswith(guard.folder)


class Guard:
    """What was tried so far. files: names of files whose code is the script's own."""

    __slots__ = ("blocked", "changed", "files", "folder", "snapshot")

    def __init__(self, files: set[str], snapshot: Snapshot | None, *, folder: str = "\0") -> None:
        self.blocked: list[str] = []
        self.changed: list[str] = []
        self.files = files
        self.folder = folder  # with a slash; modules that the script brings or writes are its own code too
        self.snapshot = snapshot


def start(guard: Guard) -> Callable[[], None]:
    """Record in a guard from now on; return a function that stops it."""
    watching = [True]

    def hook(event: str, arguments: tuple[Foreign, ...]) -> None:
        if not watching or event not in _HANDLERS:
            return
        watching.clear()  # what the hook itself does is not watched
        try:
            _HANDLERS[event](guard, Tried(event, arguments, frame_at(1)))
        finally:
            watching.append(True)

    sys.addaudithook(hook)
    return watching.clear


def _network(guard: Guard, tried: Tried) -> None:
    if _is_probe(tried.frame):
        return
    shown = tried.arguments[1:] if tried.event in _ON_SOCKETS else tried.arguments
    _note(guard.blocked, f"{tried.event} {text_of(shown)}")


def _socket(guard: Guard, tried: Tried) -> None:
    made_anew = not _has_descriptor(tried.frame) and not _is_probe(tried.frame)
    if int(tried.arguments[1]) in _FAMILIES and made_anew:
        _note(guard.blocked, f"{tried.event} {text_of(tried.arguments[1:])}")


def _has_descriptor(frame: Foreign) -> bool:
    """Whether a socket object is made around a descriptor that exists already, such as one of a pair."""
    return frame.f_globals.get("__name__") == "socket" and frame.f_locals.get("fileno") is not None


def _is_probe(frame: Foreign) -> bool:
    """Whether urllib3 asks, when it is imported, if there is IPv6: it binds a socket and does nothing with it."""
    for one in (frame, frame.f_back):
        if one is not None and one.f_code.co_name == "_has_ipv6":
            return str(one.f_globals.get("__name__")).endswith("urllib3.util.connection")
    return False


def _reaching(guard: Guard, tried: Tried) -> None:
    if tried.by(guard):
        _note(guard.changed, f"the observer, by {tried.event}")
        raise PermissionError(f"{tried.event} is not for proofs")


def _never(guard: Guard, tried: Tried) -> None:
    """What no library does while it is used, and what every way around the other checks goes through."""
    _note(guard.changed, f"the observer, by {tried.event}")
    raise PermissionError(f"{tried.event} is not for proofs")


def _reading(guard: Guard, tried: Tried) -> None:
    """A frame that the script takes from a traceback leads to those of the observer."""
    if tried.arguments[1] in _FRAMES:
        _reaching(guard, tried)


def _replacing(guard: Guard, tried: Tried) -> None:
    """Code of the library that is replaced in place."""
    owner, name = tried.arguments[0], tried.arguments[1]
    if name in _PARTS and guard.snapshot is not None and guard.snapshot.owns(owner):
        _note(guard.changed, f"{owner.__module__}.{owner.__qualname__}.{name}")


def _note(notes: list[str], text: str) -> None:
    if len(notes) < _MOST:
        notes.append(cut(text, 300))


_ON_SOCKETS = frozenset({"socket.bind", "socket.connect", "socket.sendmsg", "socket.sendto"})
_HANDLERS: dict[str, Callable[[Guard, Tried], None]] = {
    **dict.fromkeys(_NETWORK, _network),
    **dict.fromkeys(_REACHING, _reaching),
    **dict.fromkeys(_NEVER, _never),
    "socket.__new__": _socket,
    "object.__getattr__": _reading,
    "object.__setattr__": _replacing,
}
