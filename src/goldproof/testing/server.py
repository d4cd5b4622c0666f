"""The model server: connections, routes, ledger.

A provider is paid for what it answers, whether the client still lives or not: a line of the ledger is written and
flushed before the answer is sent. Errors of status 4xx and 5xx cost nothing and are not in it. Each line: `number`
(which request), `path`, `model`, `content` (hash of what was asked), `nth` (how often that came), `answer` (the step's
name), `whole` (false where the connection was cut), `tokens_in`, `tokens_out`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, create_server, socket
from threading import Thread
from typing import TYPE_CHECKING, Any, TextIO

from goldproof.errors import InputError, reason_of
from goldproof.testing.http import LARGEST_HEAD, HttpError, Incoming, Outgoing, json_answer, read_incoming
from goldproof.testing.openai_format import error_answer, failure_answer, reply_answer, usage
from goldproof.testing.request import Api, BadBodyError, Request, read_request
from goldproof.testing.script import ScriptRunner, echo
from goldproof.testing.steps import FAILURES, CutConnection, ReplyStep, Slow, Step, as_step, reply_to

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter, Task
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from goldproof.testing.openai_format import Usage
    from goldproof.testing.script import Script


ASKED: dict[str, Api] = {"/v1/chat/completions": "chat", "/v1/responses": "responses"}
MODELS = "/v1/models"
HOST = "127.0.0.1"


class ModelServer:
    """A model server for tests, from `start` to `stop`, or as long as a `with` statement lasts.

    script: what it does with each request. None: it echoes the prompt, in the form that was asked for. One step (or
    text, a dict, a pydantic model): the answer to all. A list of them: used in turn, then the last again and again. A
    function, sync or async: gets the Request and returns one of them. port: 0 takes a free one. ledger: a file to which
    a line is added for each answer. keep_requests: whether `requests` is filled; a server that runs for days has no use
    for it.
    """

    def __init__(
        self, script: Script = None, *, port: int = 0, ledger: Path | str | None = None, keep_requests: bool = True
    ) -> None:
        self._wanted, self._port = port, 0
        self._ledger = None if ledger is None else Ledger(ledger)
        self._handler = RequestHandler(script, ledger=self._ledger, keep_requests=keep_requests)
        self._thread: Thread | None = None
        self._stop: Future[None] = Future()

    @property
    def url(self) -> str:
        """The `base_url` for a client."""
        if not self._port:
            raise InputError("the model server is not running: start it, or use it in a `with` statement.")
        return f"http://{HOST}:{self._port}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests, in order."""
        return tuple(self._handler.requests)

    @property
    def calls(self) -> int:
        """Number of requests to the model, failed ones included."""
        return self._handler.calls

    @property
    def answers(self) -> Counter[str]:
        """How often each step was the answer, by its name: `Text`, `RateLimited`, ..."""
        return self._handler.answers.copy()

    @property
    def most_at_once(self) -> int:
        """The highest number of requests that were in flight at the same time."""
        return self._handler.most_at_once

    @property
    def errors(self) -> tuple[str, ...]:
        """Errors that the script raised; such requests are answered with status 400."""
        return tuple(self._handler.errors)

    def start(self) -> Self:
        """Listen; returns when requests can be sent."""
        if self._thread is not None:
            raise InputError("the model server is running already.")
        if self._ledger is not None:
            self._ledger.open()
        listening: Future[int] = Future()
        self._stop = Future()
        self._thread = Thread(target=self._run, args=(listening,), name="goldproof-model-server", daemon=True)
        self._thread.start()
        try:
            self._port = listening.result()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Close every connection and end the thread; requests in flight get no answer."""
        if self._thread is None:
            return
        if not self._stop.done():
            self._stop.set_result(None)
        self._thread.join()
        self._thread, self._port = None, 0
        if self._ledger is not None:
            self._ledger.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self, listening: Future[int]) -> None:
        try:
            asyncio.run(self._serve(listening))
        except OSError as error:
            refusal = InputError(f"the model server cannot listen on {HOST}:{self._wanted}: {error}")
            listening.set_exception(refusal)

    async def _serve(self, listening: Future[int]) -> None:
        until = asyncio.wrap_future(self._stop)
        await serve(self._handler, port=self._wanted, on_listening=listening.set_result, until=until)


class RequestHandler:
    """Answers requests, and remembers them.

    requests: what was asked, in order. answers: how often each step was the answer, by its name. errors: what the
    script raised. All are changed only in the server's own loop.
    """

    def __init__(self, script: Script, *, ledger: Ledger | None, keep_requests: bool) -> None:
        self.requests: list[Request] = []
        self.answers: Counter[str] = Counter()
        self.errors: list[str] = []
        self.calls = self.in_flight = self.most_at_once = 0
        self._runner, self._ledger, self._keep = ScriptRunner(script), ledger, keep_requests
        self._seen: Counter[str] = Counter()

    async def answer(self, incoming: Incoming) -> Outgoing:
        """Return the answer to a request, after the waits that the script wants."""
        if incoming.path == MODELS and incoming.method == "GET":
            return json_answer(200, {"object": "list", "data": [_model()]})
        if incoming.path not in ASKED:
            return error_answer(404, f"Invalid URL ({incoming.method} {incoming.path})")
        if incoming.method != "POST":
            return error_answer(
                405, f"Not allowed to {incoming.method} on {incoming.path}", code="method_not_supported"
            )
        try:
            request = self._noted(incoming)
        except BadBodyError as error:
            return error_answer(400, str(error))
        self.in_flight += 1
        self.most_at_once = max(self.most_at_once, self.in_flight)
        try:
            return await self._scripted(request)
        finally:
            self.in_flight -= 1

    def _noted(self, incoming: Incoming) -> Request:
        """Return the request with its numbers, remembered."""
        path, headers = incoming.path, incoming.headers
        request = read_request(incoming.body, api=ASKED[path], path=path, headers=headers)
        self.calls += 1
        self._seen[request.content] += 1
        request = replace(request, number=self.calls, nth=self._seen[request.content], time=time.time())
        if self._keep:
            self.requests.append(request)
        return request

    async def _scripted(self, request: Request) -> Outgoing:
        try:
            return await self._done(await self._runner.step(request), request)
        except Exception as error:  # noqa: BLE001 - the script is the user's: whatever it raises becomes an answer
            self.errors.append(reason_of(error))
            # Not 500: a client would ask again and again, and the mistake would show late.
            return error_answer(400, f"the script failed: {reason_of(error)}", code="script_failed")

    async def _done(self, step: Step, request: Request) -> Outgoing:
        while isinstance(step, Slow):
            self.answers["Slow"] += 1
            await asyncio.sleep(step.seconds)
            step = _after(step, request)
        cut = step if isinstance(step, CutConnection) else None
        while isinstance(step, Slow | CutConnection):
            step = _after(step, request)
        outgoing = (
            failure_answer(step) if isinstance(step, FAILURES) else self._replied(step, request, whole=cut is None)
        )
        self.answers[type(cut or step).__name__] += 1
        return outgoing if cut is None else replace(outgoing, cut_after=cut.after_bytes)

    def _replied(self, step: ReplyStep, request: Request, *, whole: bool) -> Outgoing:
        reply = reply_to(step, request)
        outgoing = reply_answer(reply, request)
        if self._ledger is not None:
            name = type(step).__name__
            self._ledger.write(request, answer=name, whole=whole, usage=usage(request, reply))
        return outgoing


def _after(step: Slow | CutConnection, request: Request) -> Step:
    return echo(request) if step.then is None else as_step(step.then)


def _model() -> dict[str, object]:
    return {"id": "goldproof-testing", "object": "model", "created": 0, "owned_by": "goldproof"}


async def serve(
    handler: RequestHandler, *, port: int, on_listening: Callable[[int], None], until: asyncio.Future[None]
) -> None:
    """Listen until told to end, then close all connections; OSError where the port is taken.

    on_listening: gets the port.
    """
    connections: dict[Task[None], socket] = {}
    with create_server((HOST, port), backlog=1024) as listener:
        listener.settimeout(0)
        accepting = asyncio.create_task(_accept(listener, handler, connections=connections, until=until))
        on_listening(listener.getsockname()[1])
        await until
        # Accepting ends with one more connection. Were it cancelled, it could lose one that it has just accepted.
        with socket(AF_INET, SOCK_STREAM) as last:
            last.settimeout(0)
            last.connect_ex(listener.getsockname())
            await accepting
    for task in connections:
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
    for connection in connections.values():
        connection.close()  # a task that was cancelled before it began has not done it


async def _accept(
    listener: socket, handler: RequestHandler, *, connections: dict[Task[None], socket], until: asyncio.Future[None]
) -> None:
    while not until.done():
        connection, _ = await asyncio.get_running_loop().sock_accept(listener)
        task = asyncio.create_task(_converse(handler, connection))
        connections[task] = connection
        task.add_done_callback(lambda done: None if until.done() else connections.pop(done))


async def _converse(handler: RequestHandler, connection: socket) -> None:
    """Answer the requests of one connection, one after the other."""
    reader, writer = await asyncio.open_connection(sock=connection, limit=LARGEST_HEAD)
    try:
        while await _exchange(handler, reader, writer):
            pass
        writer.close()
        await writer.wait_closed()
    except ConnectionError:
        pass  # clients that go away are part of tests
    finally:
        writer.transport.abort()


async def _exchange(handler: RequestHandler, reader: StreamReader, writer: StreamWriter) -> bool:
    """Answer one request; False where the connection ends with it."""
    try:
        incoming = await read_incoming(reader, writer)
    except HttpError as error:
        writer.write(error_answer(error.status, str(error)).raw(stays_open=False))
        await writer.drain()
        return False
    if incoming is None:
        return False
    outgoing = await handler.answer(incoming)
    return await _send(outgoing, writer, stays_open=incoming.stays_open)


async def _send(outgoing: Outgoing, writer: StreamWriter, *, stays_open: bool) -> bool:
    raw = outgoing.raw(stays_open=stays_open)
    if outgoing.cut_after is not None:
        raw, stays_open = raw[: min(outgoing.cut_after, len(raw) - 1)], False
    writer.write(raw)
    await writer.drain()
    return stays_open


class Ledger:
    """A file that is appended to, from `open` to `close`."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._file: TextIO | None = None

    def open(self) -> None:
        """Open the file, which is made where there is none."""
        try:
            self._file = self._path.open("a", encoding="utf-8")
        except OSError as error:
            raise InputError(f"the ledger {self._path} cannot be written: {error}") from error

    def write(self, request: Request, *, answer: str, whole: bool, usage: Usage) -> None:
        """Add an answer."""
        line = {
            "number": request.number,
            "path": request.path,
            "model": request.model,
            "content": request.content,
            "nth": request.nth,
            "answer": answer,
            "whole": whole,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
        }
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def read_ledger(path: Path | str) -> list[dict[str, Any]]:
    """Return the lines of a ledger; a last line that is still being written is left out."""
    text = Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
