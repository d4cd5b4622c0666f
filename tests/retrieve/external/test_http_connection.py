"""Connections are kept for the next call, replaced where the server closed them, and never waited for too long."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from goldproof.retrieve.external.http_connection import Call, Connections, Reply, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Talk = Callable[[socket.socket], None]

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def hear(client: socket.socket) -> bytes:
    """Read a request of ours to the end of its body, which is `{}`."""
    heard = b""
    while not heard.endswith(b"{}"):
        piece = client.recv(4096)
        if not piece:
            return b""
        heard += piece
    return heard


class Server:
    """Talks to each connection in turn, as the test says; the last talk again and again."""

    def __init__(self, *talks: Talk) -> None:
        self.talks = talks
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self.finished = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            talk = self.talks[min(self.connections, len(self.talks) - 1)]
            self.connections += 1
            with client:
                talk(client)
            self.finished.set()


@contextmanager
def serving(*talks: Talk) -> Iterator[tuple[Server, Connections]]:
    server = Server(*talks)
    thread = threading.Thread(target=server.serve)
    thread.start()
    connections = Connections(urlsplit(server.url))
    try:
        yield server, connections
    finally:
        connections.close()
        server.socket.shutdown(socket.SHUT_RDWR)
        server.socket.close()
        thread.join()


def post(connections: Connections, *, timeout: float = 10.0, largest: int = 1000) -> Reply:
    return connections.post(Call("/search", b"{}", {"X-Mine": "yes"}, timeout, largest))


def answers(client: socket.socket) -> None:
    while hear(client):
        client.sendall(OK)


def answers_once(client: socket.socket) -> None:
    hear(client)
    client.sendall(OK)


def closes(client: socket.socket) -> None:
    hear(client)


def is_silent(client: socket.socket) -> None:
    hear(client)
    client.recv(1)  # until the other side gives up


def test_a_reply_has_status_headers_in_small_letters_and_body() -> None:
    heard = []

    def teapot(client: socket.socket) -> None:
        heard.append(hear(client))
        client.sendall(b"HTTP/1.1 418 No\r\nX-Kind: Tea\r\nContent-Length: 3\r\n\r\npot")

    with serving(teapot) as (_, connections):
        reply = post(connections)
    assert (reply.status, reply.headers["x-kind"], reply.body) == (418, "Tea", b"pot")
    assert heard[0].startswith(b"POST /search HTTP/1.1\r\n")
    assert b"X-Mine: yes\r\n" in heard[0]


def test_a_connection_is_used_again() -> None:
    with serving(answers) as (server, connections):
        assert [post(connections).body for _ in range(3)] == [b"ok"] * 3
    assert server.connections == 1


def test_a_connection_that_the_server_says_it_closes_is_not_kept() -> None:
    def says_so(client: socket.socket) -> None:
        hear(client)
        client.sendall(OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))

    with serving(says_so) as (server, connections):
        assert [post(connections).body for _ in range(2)] == [b"ok"] * 2
    assert server.connections == 2


def test_a_kept_connection_that_the_server_closed_is_replaced() -> None:
    with serving(answers_once) as (server, connections):
        post(connections)
        assert server.finished.wait(10)
        assert post(connections).body == b"ok"
    assert server.connections == 2


def test_a_new_connection_that_the_server_closes_is_an_error() -> None:
    with serving(closes, answers) as (server, connections):
        with pytest.raises(ConnectionError):
            post(connections)
        assert post(connections).body == b"ok"
    assert server.connections == 2


def test_a_call_that_takes_too_long_is_given_up_and_its_connection_with_it() -> None:
    with serving(is_silent, answers) as (server, connections):
        with pytest.raises(TimeoutError):
            post(connections, timeout=0.05)
        assert post(connections).body == b"ok"
    assert server.connections == 2


def test_a_kept_connection_that_is_silent_is_not_asked_anew_on_another() -> None:
    def once_then_silent(client: socket.socket) -> None:
        answers_once(client)
        is_silent(client)

    with serving(once_then_silent) as (server, connections):
        post(connections)
        with pytest.raises(TimeoutError):
            post(connections, timeout=0.05)
    assert server.connections == 1


def test_an_answer_that_is_too_large_is_not_read_and_its_connection_not_kept() -> None:
    with serving(answers) as (server, connections):
        with pytest.raises(TooLargeError, match="larger than"):
            post(connections, largest=1)
        assert post(connections).body == b"ok"
    assert server.connections == 2
