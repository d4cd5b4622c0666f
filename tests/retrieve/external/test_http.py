"""A search service is asked over a real connection, and what can recover is tried again."""

from __future__ import annotations

import gc
import json
import threading
import time
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve import Pipeline, http, open_retriever
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external import http as http_service
from goldproof.retrieve.external.http import Http, asked_wait
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from goldproof.retrieve.ranking import RankingBatch

    Reaction = Callable[["Handler", dict[str, Any]], None]

GOOD = {"hits": [{"id": "b", "score": 2.0, "text": "bread"}, {"id": "a", "score": 1.0}]}


class Service(ThreadingHTTPServer):
    """Reacts to the requests in turn, the last reaction again and again, and remembers what came."""

    daemon_threads = True

    def __init__(self, reactions: list[Reaction]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reactions = reactions
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.clients: list[tuple[str, int]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/search"

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: clients that go away are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            number = len(self.server.requests)
            self.server.requests.append(body)
            self.server.paths.append(self.path)
            self.server.headers.append(dict(self.headers))
            self.server.clients.append(self.client_address)
        reactions = self.server.reactions
        reactions[min(number, len(reactions) - 1)](self, body)

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is theirs
        """Keep the test's output clean."""


def answers(body: object, status: int = 200, **headers: str) -> Reaction:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler, _: handler.answer(raw, status, **headers)


@contextmanager
def service(*reactions: Reaction) -> Iterator[Service]:
    made = Service(list(reactions))
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_service, "FIRST_WAIT", 0.01)


def ask(url: str, *queries: str, k: int = 5, **options: Any) -> tuple[RankingBatch, list[str], Http]:  # noqa: ANN401
    stage, documents = Http(url, **options), DocumentIndex([Document("a"), Document("b")])
    stage.index(documents)
    found = stage.find(Request(queries or ("q",), k))
    stage.close()
    return found, documents.ids(found.documents), stage


def failure(*reactions: Reaction, **options: Any) -> str:  # noqa: ANN401
    with service(*reactions) as running:
        found, _, _ = ask(running.url, **options)
    return found.failed[0]


def test_the_documented_request_and_response() -> None:
    with service(answers(GOOD)) as running:
        stage, documents = Http(running.url + "?index=main"), DocumentIndex([Document("a"), Document("b")])
        stage.index(documents)
        found = stage.find(Request(("what?",), 7, allowed=np.asarray([True, True]), filters={"year": {"gte": 2020}}))
        stage.close()
    assert running.requests == [{"query": "what?", "k": 7, "filters": {"year": {"gte": 2020}}}]
    assert documents.ids(found.documents) == ["b", "a"]
    assert found.scores.tolist() == [2.0, 1.0]


@pytest.mark.parametrize(
    "body",
    [
        {"results": [{"doc_id": "b", "score": 2}, {"_id": "a", "score": 1}]},
        {"documents": [{"id": "b"}, {"id": "a"}]},
        [["b", 2.0], ["a", 1.0]],
        ["b", "a"],
    ],
)
def test_other_usual_answers_are_read(body: object) -> None:
    with service(answers(body)) as running:
        found, ids, _ = ask(running.url)
    assert ids == ["b", "a"]
    assert found.scores.tolist() == [2.0, 1.0]


def test_results_that_do_not_match_the_filters_are_dropped() -> None:
    with service(answers(GOOD)) as running:
        stage, documents = Http(running.url), DocumentIndex([Document("a"), Document("b")])
        stage.index(documents)
        found = stage.find(Request(("q",), 5, allowed=np.asarray([True, False]), filters={"kind": "x"}))
        stage.close()
    assert documents.ids(found.documents) == ["a"]
    assert any("1 results did not match the filters" in remark for remark in stage.remarks)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_status_that_can_recover_is_tried_again(status: int) -> None:
    with service(answers(b"later", status), answers(GOOD)) as running:
        _, ids, _ = ask(running.url)
    assert ids == ["b", "a"]
    assert len(running.requests) == 2


def test_retries_are_bounded_and_counted_in_the_reason() -> None:
    with service(answers(b"down", 500)) as running:
        found, _, _ = ask(running.url, retries=2)
    assert len(running.requests) == 3
    assert found.failed == {0: f"http({running.url}) answered with status 500 (tried 3 times)."}


@pytest.mark.parametrize("status", [400, 401, 404, 422, 501])
def test_a_status_that_cannot_recover_is_not_tried_again(status: int) -> None:
    with service(answers({"detail": "no such index"}, status)) as running:
        found, _, _ = ask(running.url)
    assert len(running.requests) == 1
    assert f"status {status}: " in found.failed[0]
    assert "no such index" in found.failed[0]


def test_retry_after_is_honoured() -> None:
    with service(answers(b"", 429, Retry_After="0.3"), answers(GOOD)) as running:
        start = time.monotonic()
        _, ids, _ = ask(running.url)
        waited = time.monotonic() - start
    assert ids == ["b", "a"]
    assert waited >= 0.3  # a lower bound: it cannot fail on a slow machine


def test_a_server_that_asks_for_an_hour_is_not_waited_for() -> None:
    assert failure(answers(b"", 429, Retry_After="3600")).endswith("status 429, and asks to wait 3600 s.")


def test_retry_after_may_be_a_number_or_a_date() -> None:
    assert asked_wait("2.5") == 2.5
    assert asked_wait("0") == 0.0
    assert asked_wait("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert (asked_wait("Wed, 21 Oct 2099 07:28:00 GMT") or 0.0) > 1e6
    odds = ("soon", "-1", "nan", "inf", "1e9", "", "Fri, 31 Dec 9999 23:59:59 -2359")
    assert [asked_wait(odd) for odd in odds] == [None] * len(odds)
    assert asked_wait(None) is None


def slow(handler: Handler, _: dict[str, Any]) -> None:
    time.sleep(1.0)
    handler.answer(json.dumps(GOOD).encode())


def dripping(handler: Handler, _: dict[str, Any]) -> None:
    """Send a good answer with pauses: no single read of the socket takes long, but all of them do."""
    body = json.dumps(GOOD).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(20 + len(body)))
    handler.end_headers()
    for _byte in range(20):
        handler.wfile.write(b" ")
        time.sleep(0.05)
    handler.wfile.write(body)


def dripping_headers(handler: Handler, _: dict[str, Any]) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for i in range(20):
        handler.wfile.write(b"X-%d: 1\r\n" % i)
        time.sleep(0.05)
    handler.wfile.write(b'Content-Length: 5\r\n\r\n["a"]')


def drips(beginning: bytes, piece: bytes, end: bytes) -> Reaction:
    """Send a piece again and again, in a place where a client reads until a line or a list of lines ends."""

    def drip(handler: Handler, _: dict[str, Any]) -> None:
        handler.wfile.write(beginning)
        for _piece in range(20):
            handler.wfile.write(piece)
            time.sleep(0.05)
        handler.wfile.write(end)

    return drip


LINE, SIZED, CHUNKED = b"HTTP/1.1 200 OK\r\n", b"Content-Length: 5\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"
DRIPS = {
    "status line": drips(b"HTTP/1.1 200 ", b"O", b"\r\n" + SIZED + b'["a"]'),
    "one header": drips(LINE + b"X: ", b"1", b"\r\n" + SIZED + b'["a"]'),
    "100 Continue": drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n", LINE + SIZED + b'["a"]'),
    "chunk size": drips(LINE + CHUNKED, b"0", b'5\r\n["a"]\r\n0\r\n\r\n'),
    "trailers": drips(LINE + CHUNKED + b'5\r\n["a"]\r\n0\r\n', b"X: 1\r\n", b"\r\n"),
}


@pytest.mark.parametrize("reaction", [slow, dripping, dripping_headers, *(pytest.param(DRIPS[k], id=k) for k in DRIPS)])
def test_the_timeout_holds_for_the_whole_call(reaction: Reaction) -> None:
    reason = failure(reaction, timeout=0.3, retries=0)
    assert reason.endswith("did not answer within 0.3 s.")


def test_a_timeout_is_tried_again() -> None:
    with service(slow, answers(GOOD)) as running:
        _, ids, _ = ask(running.url, timeout=0.4)
    assert ids == ["b", "a"]


def cut(handler: Handler, _: dict[str, Any]) -> None:
    handler.close_connection = True


def cut_short(handler: Handler, _: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"hits": [')
    handler.close_connection = True


@pytest.mark.parametrize(("reaction", "said"), [(cut, "RemoteDisconnected"), (cut_short, "IncompleteRead")])
def test_a_cut_connection_is_tried_again_and_named(reaction: Reaction, said: str) -> None:
    with service(reaction, answers(GOOD)) as running:
        _, ids, _ = ask(running.url)
    assert ids == ["b", "a"]
    assert said in failure(reaction, retries=1)


def test_a_refused_connection_is_a_failed_query() -> None:
    with service(answers(GOOD)) as running:
        url = running.url
    found, _, _ = ask(url, retries=1)
    assert "ConnectionRefusedError" in found.failed[0]
    assert found.failed[0].endswith("(tried 2 times).")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>oops</html>", "did not answer in JSON"),
        (b'{"hits": [{"id": "\xff"}]}', "did not answer in JSON"),
        (b"", "did not answer in JSON"),
        ({"error": "x"}, "an object with the keys ['error'] for 'q'; expected {\"hits\": ["),
        (3, "answered with an int for 'q'"),
        ({"hits": [{"name": "a"}]}, "result 1 for 'q' has no id, doc_id or _id"),
        ({"hits": [{"id": "a", "score": "high"}]}, "has a str ('high') for a score"),
        (b'{"hits": [{"id": "a", "score": NaN}]}', "did not answer in JSON"),
    ],
)
def test_an_answer_that_cannot_be_read_fails_without_a_retry(body: object, said: str) -> None:
    with service(answers(body)) as running:
        found, _, _ = ask(running.url)
    assert said in found.failed[0]
    assert len(running.requests) == 1


def endless(handler: Handler, _: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    for _block in range(40):
        handler.wfile.write(b" " * (1 << 20))


def announced(handler: Handler, _: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(1 << 30))
    handler.end_headers()


def one_huge_chunk(handler: Handler, _: dict[str, Any]) -> None:
    handler.wfile.write(LINE + CHUNKED + b"ffffffffffff\r\n")
    for _block in range(40):
        handler.wfile.write(b" " * (1 << 20))


@pytest.mark.parametrize("reaction", [endless, announced, one_huge_chunk])
def test_a_huge_answer_is_not_read_to_its_end(reaction: Reaction) -> None:
    assert failure(reaction).endswith("the answer is larger than 16 MB.")


@pytest.mark.parametrize(
    ("header", "said"), [(b"X: 1\r\n", "got more than 100 headers"), (b"X" * (1 << 16), "got more than 65536 bytes")]
)
def test_endless_headers_are_not_read_to_their_end(header: bytes, said: str) -> None:
    def headers(handler: Handler, _: dict[str, Any]) -> None:
        handler.wfile.write(LINE)
        for _header in range(10_000):
            handler.wfile.write(header)

    assert said in failure(headers, retries=0)


def test_a_redirect_is_not_followed() -> None:
    with service(answers(b"", 308, Location="https://example.org/new?key=secret")) as running:
        found, _, _ = ask(running.url, header_env=None)
    assert found.failed[0].endswith("status 308, a redirect to 'https://example.org/new'; give that address instead.")


@pytest.mark.parametrize("where", ["http://[", "//[::1/x", "", "\x1b[2J"])
def test_a_redirect_to_what_is_no_address_is_a_failed_query(where: str) -> None:
    reason = failure(answers(b"", 302, Location=where))
    assert "status 302, a redirect to '" in reason
    assert reason.isprintable()


SECRET, KEY = "Bearer s3cret-header", "s3cret/query"


@pytest.mark.parametrize(
    "said",
    [
        SECRET,
        "s3cret-header",
        "key=s3cret%2Fquery",
        KEY,
        "s3cret%2fquery",
        "x" * 190 + SECRET + "y" * 50,
        "x" * 45 + SECRET,
        "x" * 45 + KEY,
    ],
)
@pytest.mark.parametrize("how", ["400", "body", "key", "id", "score", "status line", "redirect"])
def test_what_a_server_repeats_of_the_header_and_the_query_is_blotted_out(
    monkeypatch: pytest.MonkeyPatch, said: str, how: str
) -> None:
    monkeypatch.setenv("SEARCH_AUTH", SECRET)
    reactions: dict[str, Reaction] = {
        "400": answers(said.encode(), 400),
        "body": answers(said.encode()),
        "key": answers({said: 1}),
        "id": answers([{"id": [said]}]),
        "score": answers([{"id": "a", "score": said}]),
        "status line": lambda handler, _: bad_line(handler, said.encode()),
        "redirect": answers(b"", 302, Location=f"https://example.org/{said}"),
    }
    with service(reactions[how]) as running:
        found, _, _ = ask(running.url + "?key=s3cret%2Fquery", header_env="SEARCH_AUTH", retries=0)
    assert "s3cret" not in found.failed[0]
    assert found.failed[0].startswith(("http(http://127.0.0.1:", "answered with", "result 1"))


def bad_line(handler: Handler, line: bytes) -> None:
    handler.wfile.write(line + b"\r\n\r\n")
    handler.close_connection = True


def test_a_line_that_is_no_http_reaches_no_terminal_raw() -> None:
    reason = failure(lambda handler, _: bad_line(handler, b"\x1b[2J\x07gone\x9b"), retries=0)
    assert r"BadStatusLine: \x1b[2J\x07gone\x9b" in reason
    assert reason.isprintable()


@pytest.mark.parametrize("size", [b"-5", b"-1", b"-10000", b"zz"])
def test_a_chunk_of_impossible_size_is_tried_again_and_named(size: bytes) -> None:
    def chunked(handler: Handler, _: dict[str, Any]) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\n[]\r\n0\r\n\r\n")
        handler.close_connection = True

    with service(chunked, answers(GOOD)) as running:
        _, ids, _ = ask(running.url)
    assert ids == ["b", "a"]
    assert "IncompleteRead" in failure(chunked, retries=1)


def test_connections_are_used_again() -> None:
    with service(answers(GOOD)) as running:
        stage = Http(running.url, concurrency=1)
        stage.index(DocumentIndex())
        stage.find(Request(("a", "b"), 2))
        stage.find(Request(("c",), 2))
        stage.close()
    assert len(running.requests) == 3
    assert len(set(running.clients)) == 1


def test_connections_are_closed_with_the_stage() -> None:
    with service(answers(GOOD)) as running:
        stage = Http(running.url)
        stage.index(DocumentIndex())
        stage.find(Request(("q",), 2))
        del stage
        gc.collect()  # an open socket would warn here, and warnings are errors
    assert len(running.requests) == 1


def test_a_kept_connection_that_the_server_closed_is_replaced_without_a_retry() -> None:
    def then_closes(handler: Handler, _: dict[str, Any]) -> None:
        handler.answer(json.dumps(GOOD).encode())
        handler.close_connection = True  # without saying so in a header

    with service(then_closes) as running:
        found, _, _ = ask(running.url, "a", "b", "c", retries=0, concurrency=1)
    assert not found.failed
    assert len(running.requests) == 3


def test_many_queries_are_asked_at_once_and_keep_their_order() -> None:
    together = threading.Barrier(3, timeout=10)

    def echo(handler: Handler, body: dict[str, Any]) -> None:
        together.wait()
        handler.answer(json.dumps([body["query"]]).encode())

    with service(echo) as running:
        found, ids, stage = ask(running.url, "x", "a", "y", concurrency=3)
    assert not found.failed
    assert ids == ["x", "a", "y"]
    assert stage.concurrency == 3


def test_the_authorisation_comes_from_the_environment_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_TOKEN", "Bearer s3cret\n")
    with service(answers(b"who are you?", 401)) as running:
        found, _, stage = ask(running.url, header_env="SEARCH_TOKEN")
        ask(running.url, header_env="X-Api-Key=SEARCH_TOKEN")
    assert running.headers[0]["Authorization"] == "Bearer s3cret"
    assert running.headers[1]["X-Api-Key"] == "Bearer s3cret"
    assert "s3cret" not in str(found.failed) + str(stage.facts) + str(stage.remarks)


def test_a_variable_that_is_missing_or_cannot_be_sent_is_an_input_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="'NOT_SET_ANYWHERE' of header_env is not set"):
        Http("http://127.0.0.1:1/", header_env="NOT_SET_ANYWHERE")
    monkeypatch.setenv("SEARCH_TOKEN", "s3cret\r\nX-Other: 1")
    with pytest.raises(InputError, match="cannot be sent as a header") as caught:
        Http("http://127.0.0.1:1/", header_env="SEARCH_TOKEN")
    assert "s3cret" not in str(caught.value)


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with service(answers(GOOD)) as running:
        _, ids, _ = ask(running.url)
    assert ids == ["b", "a"]


def test_a_query_string_of_the_address_is_sent_but_not_shown() -> None:
    with service(answers(b"no", 403)) as running:
        found, _, stage = ask(running.url + "?key=s3cret")
    assert running.paths == ["/search?key=s3cret"]
    assert "s3cret" not in found.failed[0] + str(stage.facts) + str(stage.remarks)
    assert stage.facts["url"] == running.url
    assert stage.facts["sha256"] == sha256(f"{running.url}?key=s3cret".encode()).hexdigest()


@pytest.mark.parametrize("url", ["https://host:port/?key=s3cret", "http://?key=s3cret", "https://host/?key=s3cret é"])
def test_an_address_that_is_refused_is_shown_without_its_query(url: str) -> None:
    with pytest.raises(InputError, match="is not an address") as caught:
        Http(url)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "pipeline",
    [
        http("https://host/search?key=s3cret"),
        http("https://host/search?key=s3cret,of,commas"),
        http("HTTPS://host/search#s3cret", timeout=5),
        open_retriever("https://host/search?key=s3cret"),
        open_retriever("https://host/search?key=s3cret(timeout=5) | top(5)"),
        open_retriever("hybrid(https://host/search?key=s3cret, http(url='https://host/?s3cret')) | top(5)"),
    ],
)
def test_a_pipeline_is_printed_and_recorded_without_the_query_of_its_address(pipeline: Pipeline) -> None:
    pipeline.index([])
    assert "s3cret" not in f"{pipeline} {pipeline!r} {pipeline.facts}"
    assert "host/" in str(pipeline)


@pytest.mark.parametrize("written", ["{}?key=a1", "http({}?key=a1)", "http(url='{}?key=a1') | top(5)"])
def test_the_query_of_an_address_is_sent_however_the_pipeline_is_written(written: str) -> None:
    with service(answers(GOOD)) as running:
        pipeline = open_retriever(written.format(running.url))
        pipeline.index([Document("a"), Document("b")])
        assert [hit.doc_id for hit in pipeline.search("q")] == ["b", "a"]
    assert running.paths == ["/search?key=a1"]


@pytest.mark.parametrize(
    "text",
    [
        "https://host/?key=s3cret | floors(3)",
        "hybrid(https://host/?key=s3cret, bm25",
        "hybrid(bm25 https://host/?key=s3cret)",
        "http('https://host/?key=a, s3cret' 3)",
        "https://host/?key=s3cret(time=5)",
        "bm25 | https://host/?key=s3cret",
        "top(https://host/?key=s3cret)",
        "bm25 | top(5, https://host/?key=s3cret)",
    ],
)
def test_no_message_about_a_pipeline_shows_the_query_of_an_address(text: str) -> None:
    with pytest.raises(InputError) as caught:
        open_retriever(text)
    assert "s3cret" not in str(caught.value)


def test_a_mistake_after_an_address_is_pointed_at_in_its_place() -> None:
    with pytest.raises(InputError) as caught:
        open_retriever("https://host/?key=s3cret | top(5))")
    assert str(caught.value).splitlines()[1:] == ["  https://host/*********** | top(5))", " " * 35 + "^"]


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000/search",
        "ftp://host/x",
        "http://",
        "http://host:port/",
        "http://a b/",
        "http://host/é",
        "http://[",
    ],
)
def test_what_is_no_address_is_an_input_error(url: str) -> None:
    with pytest.raises(InputError, match="is not an address; expected http://HOST:PORT/PATH"):
        Http(url)


def test_a_password_in_the_address_is_refused_without_showing_it() -> None:
    with pytest.raises(InputError, match="header_env") as caught:
        Http("http://me:s3cret@host/search")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "options", [{"timeout": 0}, {"timeout": 1e300}, {"timeout": float("nan")}, {"retries": -1}, {"concurrency": 0}]
)
def test_impossible_settings_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"http: (timeout=|nan cannot be used)"):
        Http("http://127.0.0.1:1/", **options)
