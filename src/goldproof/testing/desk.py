"""What the server does with one request, without sockets: routes, the script, the counts and the ledger."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.core.wording import reason_of
from goldproof.testing.answering import failed, refused, said
from goldproof.testing.request import Api, BadBodyError, Request, read_request
from goldproof.testing.saying import say
from goldproof.testing.script import Player, echo
from goldproof.testing.steps import FAILURES, CutConnection, Said, Slow, Step, as_step
from goldproof.testing.tokens import usage
from goldproof.testing.wire import Incoming, Outgoing, json_answer

if TYPE_CHECKING:
    from goldproof.testing.ledger import Ledger
    from goldproof.testing.script import Script

ASKED: dict[str, Api] = {"/v1/chat/completions": "chat", "/v1/responses": "responses"}
MODELS = "/v1/models"


class Desk:
    """Answers requests, and remembers them.

    requests: what was asked, in order. answers: how often each step was the answer, by its name. errors: what the
    script raised. All are changed only in the server's own loop.
    """

    def __init__(self, script: Script, *, ledger: Ledger | None, keep_requests: bool) -> None:
        self.requests: list[Request] = []
        self.answers: Counter[str] = Counter()
        self.errors: list[str] = []
        self.calls = self.in_flight = self.most_at_once = 0
        self._player, self._ledger, self._keep = Player(script), ledger, keep_requests
        self._seen: Counter[str] = Counter()

    async def answer(self, incoming: Incoming) -> Outgoing:
        """Return the answer to a request, after the waits that the script wants."""
        if incoming.path == MODELS and incoming.method == "GET":
            return json_answer(200, {"object": "list", "data": [_model()]})
        if incoming.path not in ASKED:
            return refused(404, f"Invalid URL ({incoming.method} {incoming.path})")
        if incoming.method != "POST":
            return refused(405, f"Not allowed to {incoming.method} on {incoming.path}", code="method_not_supported")
        try:
            request = self._noted(incoming)
        except BadBodyError as error:
            return refused(400, str(error))
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
            return await self._done(await self._player.step(request), request)
        except Exception as error:  # noqa: BLE001 - the script is the user's: whatever it raises becomes an answer
            self.errors.append(reason_of(error))
            # Not 500: a client would ask again and again, and the mistake would show late.
            return refused(400, f"the script failed: {reason_of(error)}", code="script_failed")

    async def _done(self, step: Step, request: Request) -> Outgoing:
        while isinstance(step, Slow):
            self.answers["Slow"] += 1
            await asyncio.sleep(step.seconds)
            step = _after(step, request)
        cut = step if isinstance(step, CutConnection) else None
        while isinstance(step, Slow | CutConnection):
            step = _after(step, request)
        outgoing = failed(step) if isinstance(step, FAILURES) else self._said(step, request, whole=cut is None)
        self.answers[type(cut or step).__name__] += 1
        return outgoing if cut is None else replace(outgoing, cut_after=cut.after_bytes)

    def _said(self, step: Said, request: Request, *, whole: bool) -> Outgoing:
        saying = say(step, request)
        outgoing = said(saying, request)
        if self._ledger is not None:
            name = type(step).__name__
            self._ledger.write(request, answer=name, whole=whole, usage=usage(request, saying))
        return outgoing


def _after(step: Slow | CutConnection, request: Request) -> Step:
    return echo(request) if step.then is None else as_step(step.then)


def _model() -> dict[str, object]:
    return {"id": "goldproof-testing", "object": "model", "created": 0, "owned_by": "goldproof"}
