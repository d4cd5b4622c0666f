"""HTTP/1.1 as far as a model server needs it: requests read from a stream, answers as bytes.

Bodies come with a Content-Length or chunked; connections are kept open unless the client asks otherwise.
"""

from __future__ import annotations

import json
from asyncio import IncompleteReadError, LimitOverrunError
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import Mapping, Sequence

LARGEST_BODY = 64 * 2**20
LARGEST_HEAD = 64 * 2**10
JSON = "application/json"
EVENTS = "text/event-stream"


class HttpError(Exception):
    """A malformed request, answered with an error, after which the connection is closed."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it arrived; headers: names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    stays_open: bool


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An answer. cut_after: the connection is closed after so many bytes of it; None: it is sent whole."""

    status: int
    body: bytes
    kind: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_after: int | None = None

    def raw(self, *, stays_open: bool) -> bytes:
        """Return the bytes to send."""
        lines = [
            f"HTTP/1.1 {self.status} {_phrase(self.status)}",
            f"Content-Type: {self.kind}",
            f"Content-Length: {len(self.body)}",
            f"Connection: {'keep-alive' if stays_open else 'close'}",
            *(f"{name}: {value}" for name, value in self.headers.items()),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace") + self.body


def json_answer(status: int, value: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Outgoing:
    """Return an answer whose body is JSON."""
    return Outgoing(status, json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), headers=headers or {})


def event_answer(events: Sequence[Mapping[str, Any]], *, named: bool) -> Outgoing:
    """Return server-sent events: named by their type, or ended by [DONE], as the two forms of OpenAI's have it."""
    lines = [(f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
    return Outgoing(200, "".join(lines + ([] if named else ["data: [DONE]\n\n"])).encode(), kind=EVENTS)


async def read_incoming(reader: StreamReader, writer: StreamWriter) -> Incoming | None:
    """Return the next request of a connection; None where the client has closed it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except IncompleteReadError as error:
        if error.partial.strip():
            raise HttpError(400, "the request ends within its head") from error
        return None
    except LimitOverrunError as error:
        raise HttpError(431, "the head of the request is too large") from error
    lines = head.decode("latin-1").strip("\r\n").split("\r\n")
    method, target, version = _request_line(lines[0])
    headers = dict(_header(line) for line in lines[1:])
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = await _body(reader, headers)
    wish = headers.get("connection", "").lower()
    stays_open = wish != "close" if version == "HTTP/1.1" else wish == "keep-alive"
    return Incoming(method, target.partition("?")[0], headers, body, stays_open)


def _request_line(line: str) -> tuple[str, str, str]:
    parts = line.split(" ")
    if len(parts) != 3 or parts[2] not in {"HTTP/1.1", "HTTP/1.0"}:
        raise HttpError(400, f"{line[:80]!r} is not a request line of HTTP/1.1")
    return parts[0], parts[1], parts[2]


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name or name != name.strip():
        raise HttpError(400, f"{line[:80]!r} is not a header")
    return name.lower(), value.strip()


async def _body(reader: StreamReader, headers: Mapping[str, str]) -> bytes:
    try:
        if "transfer-encoding" in headers:
            return await _chunked(reader, headers)
        return await reader.readexactly(_size(headers.get("content-length", "0"), base=10))
    except IncompleteReadError as error:
        raise HttpError(400, "the request ends within its body") from error
    except LimitOverrunError as error:
        raise HttpError(400, "a line between two chunks is too long") from error


async def _chunked(reader: StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers["transfer-encoding"].lower() != "chunked" or "content-length" in headers:
        raise HttpError(400, "expected a Content-Length, or Transfer-Encoding: chunked")
    body = bytearray()
    while size := _size((await reader.readuntil(b"\r\n")).partition(b";")[0].strip().decode("latin-1"), base=16):
        body += await reader.readexactly(size)
        if await reader.readexactly(2) != b"\r\n" or len(body) > LARGEST_BODY:
            raise HttpError(400, "a chunk is longer than it says, or the body too large")
    while await reader.readuntil(b"\r\n") != b"\r\n":
        pass  # trailers
    return bytes(body)


def _size(text: str, *, base: int) -> int:
    if not text.isascii() or not text.isalnum():
        raise HttpError(400, f"{text[:20]!r} is not the length of a body")
    try:
        size = int(text, base)
    except ValueError as error:
        raise HttpError(400, f"{text[:20]!r} is not the length of a body") from error
    if size > LARGEST_BODY:
        raise HttpError(413, "the body is too large")
    return size


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Status"
