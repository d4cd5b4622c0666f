"""HTTP/1.1 as clients of all kinds speak it."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from goldproof.testing import CutConnection, ModelServer

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = b'{"model": "m", "messages": [{"role": "user", "content": "hello"}]}'
POST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"
WHOLE = POST + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def connect(server: ModelServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", urlsplit(server.url).port or 0), timeout=10)


def said(server: ModelServer, *pieces: bytes) -> bytes:
    """Return all that comes back; the client says that nothing more comes from it."""
    with connect(server) as connection:
        for piece in pieces:
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def contents(raw: bytes) -> list[str]:
    """Return the contents of the answers in what came back."""
    bodies = [part.partition(b"\r\n\r\n")[2] for part in raw.split(b"HTTP/1.1 200 OK")[1:]]
    return [json.loads(body)["choices"][0]["message"]["content"] for body in bodies]


def test_a_connection_is_kept_for_the_next_request(server: ModelServer) -> None:
    assert contents(said(server, WHOLE, WHOLE, WHOLE)) == ["hello"] * 3


def test_requests_may_come_in_any_pieces(server: ModelServer) -> None:
    assert contents(said(server, *(WHOLE[at : at + 7] for at in range(0, len(WHOLE), 7)))) == ["hello"]


def test_a_body_may_come_in_chunks_with_extensions_and_trailers(server: ModelServer) -> None:
    chunks = b"%x;why=not\r\n%s\r\n%X\r\n%s\r\n0\r\nX-After: 1\r\n\r\n" % (20, BODY[:20], len(BODY) - 20, BODY[20:])
    request = POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks
    assert contents(said(server, request, request)) == ["hello"] * 2


def test_a_client_that_asks_before_it_sends_is_told_to_go_on(server: ModelServer) -> None:
    head = POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY)
    with connect(server) as connection:
        connection.sendall(head)
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(BODY)
        assert b"hello" in connection.recv(65536)


@pytest.mark.parametrize(
    "head",
    [
        POST + b"Connection: close\r\n",
        POST.replace(b"HTTP/1.1", b"HTTP/1.0"),
    ],
)
def test_the_connection_is_closed_where_the_client_wants_it(server: ModelServer, head: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY)
        raw = b"".join(iter(lambda: connection.recv(65536), b""))  # ends only if the server closes
    assert contents(raw) == ["hello"]
    assert b"Connection: close" in raw


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /v1/models HTTP/2.0\r\n\r\n", 400),
        (POST + b"no colon\r\n\r\n", 400),
        (POST + b" folded: yes\r\n\r\n", 400),
        (POST + b"Content-Length: -1\r\n\r\n", 400),
        (POST + b"Content-Length: ten\r\n\r\n", 400),
        (POST + b"Content-Length: 99999999999\r\n\r\n", 413),
        (POST + b"Content-Length: 10\r\n\r\nshort", 400),
        (POST + b"Transfer-Encoding: gzip\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 70_000 + b"\r\n", 400),
        (b"GET /v1/mod", 400),
        (POST + b"X: " + b"x" * 70_000 + b"\r\n\r\n", 431),
    ],
)
def test_what_is_no_request_is_told_and_ends_the_connection(server: ModelServer, request_: bytes, status: int) -> None:
    raw = said(server, request_)
    assert raw.startswith(b"HTTP/1.1 %d " % status)
    assert json.loads(raw.partition(b"\r\n\r\n")[2])["error"]["message"]
    assert server.calls == 0
    assert contents(said(server, WHOLE)) == ["hello"]  # others are served on


@pytest.mark.parametrize("sent", [0, 1, 50, 10**6])
def test_a_cut_answer_ends_after_so_many_bytes_and_is_never_whole(sent: int) -> None:
    with ModelServer() as server:
        whole = said(server, WHOLE)
    with ModelServer(CutConnection(after_bytes=sent)) as server:
        cut = said(server, WHOLE)
        assert len(cut) == min(sent, len(whole) - 1)
        assert server.answers == {"CutConnection": 1}


def test_words_that_are_no_text_on_the_wire_are_still_answered(server: ModelServer) -> None:
    body = b'{"model": "m", "messages": [{"role": "user", "content": "\\ud800 \\u00e9"}]}'
    raw = said(server, POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert contents(raw) == ["? é"]
