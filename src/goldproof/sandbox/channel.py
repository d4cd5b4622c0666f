"""Host end of the control channel: messages of bounded size, each within a deadline.

The other end is not trusted: it may be slow, silent, dead or send nonsense. All of that is a LostError.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import time
from pathlib import Path

HEAD = 8
LARGEST = 64 << 20


class LostError(Exception):
    """The zygote does not answer as it should."""


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _characters_only(value: object) -> object:
    """Return plain data in which halves of characters (surrogates) are escapes: no file could hold them."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_characters_only(one) for one in value]
    if isinstance(value, dict):
        return {_characters_only(name): _characters_only(one) for name, one in value.items()}
    return value


class Channel:
    """The host's end of a control channel. reader, writer: descriptors, owned; they may be the same."""

    def __init__(self, reader: int, writer: int) -> None:
        self.reader = reader
        self.writer = writer
        for descriptor in (reader, writer):
            os.set_blocking(descriptor, False)

    def ask(self, message: object, *, seconds: float) -> dict[str, object]:
        """Send a message and return the answer."""
        deadline = time.monotonic() + seconds
        self._send(json.dumps(message).encode("ascii"), deadline)
        return self._answer(deadline)

    def hang_up(self) -> None:
        """Tell the other end that the host has hung up. Safe while another thread waits for an answer."""
        if self.reader == self.writer != -1:
            with socket.socket(fileno=os.dup(self.writer)) as end, contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        elif self.writer != -1:
            with Path(os.devnull).open("wb") as null:
                os.dup2(null.fileno(), self.writer, inheritable=False)  # closes it, and the number stays taken

    def close(self) -> None:
        """Close both descriptors, once."""
        for descriptor in sorted({self.reader, self.writer} - {-1}):
            os.close(descriptor)
        self.reader = self.writer = -1

    def _send(self, body: bytes, deadline: float) -> None:
        data = memoryview(len(body).to_bytes(HEAD, "big") + body)
        while data:
            _wait(self.writer, select.POLLOUT, deadline=deadline)
            try:
                data = data[os.write(self.writer, data) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise LostError("it has ended") from error

    def _answer(self, deadline: float) -> dict[str, object]:
        size = int.from_bytes(self._exactly(HEAD, deadline), "big")
        if size > LARGEST:
            raise LostError(f"its answer has {size} bytes; at most {LARGEST} are read")
        try:
            answer = _characters_only(json.loads(self._exactly(size, deadline), parse_constant=_no_number))
        except (ValueError, RecursionError) as error:
            raise LostError("its answer is not JSON") from error
        if not isinstance(answer, dict):
            raise LostError("its answer is not an object")
        return answer

    def _exactly(self, size: int, deadline: float) -> bytes:
        parts = []
        while size:
            _wait(self.reader, select.POLLIN, deadline=deadline)
            try:
                part = os.read(self.reader, min(size, 1 << 20))
            except BlockingIOError:
                continue
            except OSError as error:
                raise LostError("it has ended") from error
            if not part:
                raise LostError("it has ended")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _wait(descriptor: int, event: int, *, deadline: float) -> None:
    poller = select.poll()
    poller.register(descriptor, event)
    if not poller.poll(max(0.0, 1000 * (deadline - time.monotonic()))):
        raise LostError("it did not answer in time")
