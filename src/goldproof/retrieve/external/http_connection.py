"""Kept HTTP/1.1 connections with a deadline per call.

The timeouts of `http.client` hold for each read of the socket; a server that sends a byte now and then would never be
cut off. Here every read is given only what is left of the whole call. Proxies of the environment are not used.

urllib3 reads the same way: a status line, headers, the size of a chunk or trailers that drip outlive its total timeout.
"""

from __future__ import annotations

import io
import ssl
import time
import weakref
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from urllib.parse import SplitResult

CHUNK = 1 << 16


class TooLargeError(Exception):
    """The answer is larger than allowed."""


class Reply(NamedTuple):
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Call(NamedTuple):
    """What is sent to an address: with which headers, and how long and how large the answer may be."""

    path: str
    body: bytes
    headers: Mapping[str, str]
    timeout: float
    largest: int


class Connections:
    """Connections to one host: taken for a call, and given back if they can serve again."""

    def __init__(self, address: SplitResult) -> None:
        self._host, self._port = address.hostname or "", address.port
        self._context = ssl.create_default_context() if address.scheme == "https" else None
        self._idle: list[HTTPConnection] = []
        self._lock = Lock()
        weakref.finalize(self, _close_all, self._idle)  # so that they need not be closed

    def post(self, call: Call) -> Reply:
        """Send a call; a kept connection that the server has closed meanwhile is replaced once."""
        deadline = time.monotonic() + call.timeout
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            try:
                return self._exchange(kept, call, deadline)
            except (ConnectionError, HTTPException):
                pass  # closed while it was idle: not a failure of this call
        return self._exchange(self._new(_left(deadline)), call, deadline)

    def close(self) -> None:
        """Close the connections that are kept."""
        with self._lock:
            _close_all(self._idle)

    def _new(self, timeout: float) -> HTTPConnection:
        if self._context is None:
            return HTTPConnection(self._host, self._port, timeout=timeout)
        return HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)

    def _exchange(self, connection: HTTPConnection, call: Call, deadline: float) -> Reply:
        try:
            reply, reusable = _exchange(connection, call, deadline)
        except BaseException:
            connection.close()
            raise
        if reusable:
            with self._lock:
                self._idle.append(connection)
        else:
            connection.close()
        return reply


def _close_all(connections: list[HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


def _exchange(connection: HTTPConnection, call: Call, deadline: float) -> tuple[Reply, bool]:
    if connection.sock is None:
        connection.connect()
    connection.sock.settimeout(_left(deadline))
    connection.request("POST", call.path, body=call.body, headers=dict(call.headers))
    connection.response_class = lambda sock, *_, **named: _Response(  # type: ignore[assignment]
        _Until(sock, deadline), **named  # type: ignore[arg-type]
    )  # fmt: skip
    response = connection.getresponse()
    body = _read(response, call.largest)
    reply = Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
    return reply, not response.will_close


def _read(response: HTTPResponse, largest: int) -> bytes:
    if (response.length or 0) > largest:
        raise TooLargeError(_too_large(largest))
    pieces, size = [], 0
    while piece := response.read(CHUNK):
        size += len(piece)
        if size > largest:
            raise TooLargeError(_too_large(largest))
        pieces.append(piece)
    if response.length:  # what is still to come of what was announced
        raise IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _too_large(largest: int) -> str:
    return f"the answer is larger than {largest >> 20} MB"


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left


class _Response(HTTPResponse):
    """A response whose chunks have a size of at least 0; `http.client` takes -1 for all that ever comes."""

    def _read_next_chunk_size(self) -> int:
        size: int = super()._read_next_chunk_size()  # type: ignore[misc]
        if size < 0:
            raise IncompleteRead(b"")
        return size


class _Until:
    """A socket of which `http.client` needs only a file to read from."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock, self._deadline = sock, deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._sock, self._deadline))


class _Reader(io.RawIOBase):
    """Reads of a socket, each with what is left of the call."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        super().__init__()
        self._sock, self._deadline = sock, deadline
        # Their file, since it keeps the socket open where the server closes after this answer.
        self._file = sock.makefile("rb", buffering=0)

    def close(self) -> None:
        self._file.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._sock.settimeout(_left(self._deadline))
        return self._file.readinto(buffer) or 0
