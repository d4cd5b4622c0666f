"""An OpenAI-compatible model server on loopback, in a thread of its own: it answers and fails as a script says."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.testing.desk import Desk
from goldproof.testing.ledger import Ledger
from goldproof.testing.listening import HOST, serve

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from goldproof.testing.request import Request
    from goldproof.testing.script import Script


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
        self._desk = Desk(script, ledger=self._ledger, keep_requests=keep_requests)
        self._thread: Thread | None = None
        self._stop: Future[None] = Future()

    @property
    def url(self) -> str:
        """Where it is asked: the `base_url` of a client."""
        if not self._port:
            raise InputError("the model server is not running: start it, or use it in a `with` statement.")
        return f"http://{HOST}:{self._port}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """What was asked, in order."""
        return tuple(self._desk.requests)

    @property
    def calls(self) -> int:
        """How many requests came to the model, those included that failed."""
        return self._desk.calls

    @property
    def answers(self) -> Counter[str]:
        """How often each step was the answer, by its name: `Text`, `RateLimited`, ..."""
        return self._desk.answers.copy()

    @property
    def most_at_once(self) -> int:
        """The highest number of requests that were in flight at the same time."""
        return self._desk.most_at_once

    @property
    def errors(self) -> tuple[str, ...]:
        """What the script raised; such requests are answered with status 400."""
        return tuple(self._desk.errors)

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
            told = InputError(f"the model server cannot listen on {HOST}:{self._wanted}: {error}")
            listening.set_exception(told)

    async def _serve(self, listening: Future[int]) -> None:
        until = asyncio.wrap_future(self._stop)
        await serve(self._desk, port=self._wanted, on_listening=listening.set_result, until=until)
