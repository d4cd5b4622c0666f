"""A memory service is asked over a real connection; what may have been taken is not sent twice."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.errors import GoldproofError, InputError, SearchFailedError
from goldproof.memory import MemoryHit, open_memory
from goldproof.memory.http import HttpMemory
from goldproof.retrieve.external import http as http_service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reaction = Callable[["Handler"], None]


class Service(ThreadingHTTPServer):
    """A memory of its own behind POST /m/clear, /m/add and /m/search; reactions come first, in turn."""

    daemon_threads = True

    def __init__(self, *reactions: Reaction) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reactions = list(reactions)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.seen_headers: list[dict[str, str]] = []
        self.stored: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/m"

    @property
    def words(self) -> list[str]:
        return [path.rpartition("/")[2] for path, _ in self.calls]

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: clients that go away are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.calls.append((self.path, body))
        self.server.seen_headers.append(dict(self.headers))
        if self.server.reactions:
            self.server.reactions.pop(0)(self)
            return
        word = self.path.partition("?")[0].rpartition("/")[2]
        self.answer(getattr(self, f"on_{word}")(body))

    def on_clear(self, _body: dict[str, Any]) -> object:
        self.server.stored.clear()
        return {}

    def on_add(self, body: dict[str, Any]) -> object:
        self.server.stored.append(body)
        return {"ids": [str(len(self.server.stored))]}

    def on_search(self, body: dict[str, Any]) -> object:
        found = list(enumerate(self.server.stored, start=1))[: body["k"]]
        return {"hits": [{"id": str(i), "score": 1 / i, "text": one["content"]} for i, one in found]}

    def answer(self, value: object, status: int = 200, **headers: str) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay silent."""


@contextmanager
def serving(*reactions: Reaction) -> Iterator[Service]:
    service = Service(*reactions)
    thread = threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.shutdown()
        service.server_close()
        thread.join()


@pytest.fixture(autouse=True)
def quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_service, "FIRST_WAIT", 0.01)


def status(code: int, **headers: str) -> Reaction:
    return lambda handler: handler.answer({"error": "not now"}, code, **headers)


def says(value: object) -> Reaction:
    return lambda handler: handler.answer(value)


def hangs_up(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def is_slow(handler: Handler) -> None:
    time.sleep(0.6)
    handler.answer({"ids": ["late"], "hits": []})


def test_a_conversation_goes_over_the_wire_as_documented() -> None:
    with serving() as service:
        memory = open_memory(service.url)
        memory.clear()
        assert list(memory.add("user", "hello", {"turn": 1})) == ["1"]
        assert list(memory.add("user", "again", {})) == ["2"]
        assert memory.search("q", 1) == [MemoryHit("1", 1.0, "hello", 1.0)]
        memory.search("q", 2, {"role": "user"}, 7)
    assert service.calls == [
        ("/m/clear", {}),
        ("/m/add", {"role": "user", "content": "hello", "metadata": {"turn": 1}}),
        ("/m/add", {"role": "user", "content": "again", "metadata": {}}),
        ("/m/search", {"query": "q", "k": 1}),
        ("/m/search", {"query": "q", "k": 2, "filters": {"role": "user"}, "now": 7}),
    ]


@pytest.mark.parametrize(
    ("answer", "ids"), [({"id": "a"}, ["a"]), ({"ids": []}, []), ({"ids": [1, 2]}, ["1", "2"]), ({"id": None}, [])]
)
def test_ids_may_be_one_several_or_none(answer: object, ids: list[str]) -> None:
    with serving(says(answer)) as service:
        assert list(open_memory(service.url).add("user", "x", {})) == ids


@pytest.mark.parametrize(
    "fault", [status(500), status(502), status(429), status(503, Retry_After="0"), hangs_up, is_slow]
)
def test_searching_and_clearing_are_tried_again(fault: Reaction) -> None:
    with serving(fault, says({}), fault, says({"hits": []})) as service:
        memory = HttpMemory(service.url, timeout=0.3)
        memory.clear()
        assert memory.search("q", 3) == []
        assert service.words == ["clear", "clear", "search", "search"]


@pytest.mark.parametrize("fault", [status(429), status(503, Retry_After="0")])
def test_an_add_that_was_not_taken_is_sent_again(fault: Reaction) -> None:
    with serving(fault, fault) as service:
        assert HttpMemory(service.url).add("user", "x", {}) == ["1"]
        assert service.words == ["add", "add", "add"]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [(status(500), "answered with status 500"), (status(502), "answered with status 502"),
     (hangs_up, "Remote"), (is_slow, "did not answer within 0.3 s")],
)  # fmt: skip
def test_an_add_that_may_have_been_taken_is_not_sent_again(fault: Reaction, reason: str) -> None:
    with serving(fault) as service:
        memory = HttpMemory(service.url, timeout=0.3)
        with pytest.raises(GoldproofError, match=f"{reason}.*; it is not sent again, since it may have arrived"):
            memory.add("user", "x", {})
        assert service.words == ["add"]


def test_an_add_is_not_repeated_over_a_connection_that_was_kept_and_broke() -> None:
    # The search leaves an open connection; were it used for the add, the broken answer would send the add once more.
    with serving(says({"hits": []}), hangs_up) as service:
        memory = HttpMemory(service.url)
        memory.search("q", 1)
        with pytest.raises(GoldproofError, match="not sent again"):
            memory.add("user", "x", {})
        assert service.words == ["search", "add"]


def test_a_service_that_is_not_there_yet_is_tried_again_for_an_add_too() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/m"
    with pytest.raises(GoldproofError, match=r"Connection refused.* \(tried 3 times\)"):
        HttpMemory(url).add("user", "x", {})


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"<html>", "did not answer in JSON .*'<html>'"),
        ([], r'answered add with .*expected \{"ids"'),
        ({"status": "ok"}, r'answered add with .*expected \{"ids"'),
        ({"ids": [1.5]}, "add returned a list .*expected an id, a list of ids"),
    ],
)
def test_an_answer_to_add_of_another_shape_is_told(answer: object, message: str) -> None:
    with serving(says(answer)) as service, pytest.raises(GoldproofError, match=message):
        HttpMemory(service.url).add("user", "x", {})


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"<html>", "did not answer in JSON .*'<html>'"),
        (b"", "did not answer in JSON"),
        ({"hits": None}, "returned None for 'q'"),
        ({"hits": [{"score": 1}]}, "result 1 for 'q' has no id"),
        ({"hits": [{"id": "a", "score": "high"}]}, "for a score"),
        ("text", "returned a str"),
        ({"error": "no index"}, "returned a mapping for 'q'"),
    ],
)
def test_an_answer_to_search_of_another_shape_fails_the_query(answer: object, message: str) -> None:
    with serving(says(answer)) as service, pytest.raises(SearchFailedError, match=message):
        HttpMemory(service.url).search("q", 3)


def test_a_fault_that_stays_fails_with_its_reason() -> None:
    with serving(*[status(500)] * 6, status(404)) as service:
        memory = HttpMemory(service.url)
        with pytest.raises(SearchFailedError, match=r"answered with status 500 \(tried 3 times\)"):
            memory.search("q", 3)
        with pytest.raises(GoldproofError, match=r"answered with status 500 \(tried 3 times\)"):
            memory.clear()
        with pytest.raises(SearchFailedError, match=r"answered with status 404: .*not now"):
            memory.search("q", 3)


def test_secrets_are_sent_and_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_TOKEN", "Bearer s3cret-token")

    def repeats(handler: Handler) -> None:
        handler.answer({"hits": [{"s3cret-token": handler.path}]})

    with serving(repeats, lambda handler: handler.answer({"s3cret-token": "q-s3cret"})) as service:
        memory = open_memory(f'http("{service.url}?key=q-s3cret", header_env=MEMORY_TOKEN)')
        with pytest.raises(SearchFailedError) as failed:
            memory.search("q", 3)
        with pytest.raises(GoldproofError) as refused:
            memory.add("user", "x", {})
    assert service.calls[0][0] == "/m/search?key=q-s3cret"
    assert service.seen_headers[0]["Authorization"] == "Bearer s3cret-token"
    shown = f"{failed.value} {refused.value} {memory.title} {memory.facts} {memory.remarks}"
    assert "s3cret" not in shown
    assert "***" in str(failed.value)


def test_a_wrong_address_is_refused() -> None:
    with pytest.raises(InputError, match="is not an address"):
        HttpMemory("https:///nowhere")
    with pytest.raises(InputError, match="holds a user name"):
        HttpMemory("https://me:pw@host/x")


def test_connections_can_be_closed_and_are_made_anew() -> None:
    with serving() as service:
        memory = HttpMemory(service.url)
        memory.search("q", 1)
        memory.close()
        assert memory.search("q", 1) == []
