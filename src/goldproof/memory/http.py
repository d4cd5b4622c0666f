"""A memory service over HTTP.

URL/clear     {}
    URL/add       {"role": "...", "content": "...", "metadata": {...}}
                  answered by {"ids": ["..."]} or {"id": "..."}
    URL/search    {"query": "...", "k": 5, "filters": {...}, "now": ...}
                  answered by {"hits": [{"id": "...", "score": 0.7, "text": "..."}]}, best first

`filters` and `now` are sent only where there are any. Searching and clearing are tried again as searching a retriever
is (`goldproof.retrieve.external.http`). Adding twice would change the memory, so `add` is sent again only where it
cannot have been taken: the connection was refused, or the answer was 429 or 503; anything else fails it at once. For
the same reason it goes over a new connection: on one that was kept, a request may be lost and nobody would know at
which end.

The query string of the address and the header of `header_env` are sent, and stand in no message and in no card.
"""

from __future__ import annotations

from socket import gaierror
from typing import TYPE_CHECKING

from goldproof.errors import GoldproofError, SearchFailedError, shown
from goldproof.memory.user_memory import UserMemory
from goldproof.retrieve.external.http import LARGEST_ANSWER, Http, RecoverableError, asked_wait, with_retries
from goldproof.retrieve.external.http_connection import Call
from goldproof.retrieve.parallel import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.retrieve.external.http_connection import Reply
    from goldproof.retrieve.retriever import Filters, Moment

NOT_TAKEN = (429, 503)


class HttpMemory(UserMemory):
    """A memory behind an address.

    timeout: seconds for one call. retries: how often a call that can recover is made again. header_env: the environment
    variable that holds the Authorization header; for another header, `X-Api-Key=VARIABLE`.
    """

    def __init__(self, url: str, *, timeout: float = 10.0, retries: int = 2, header_env: str | None = None) -> None:
        self._service = _Service(url, timeout=timeout, retries=retries, header_env=header_env)
        self._header_env = header_env
        super().__init__(self._service, title=self._service.title)

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of it: the address, without its query, and which variable holds the header."""
        return {"memory": "http", **self._service.facts, "header_env": self._header_env}

    def said(self, reason: str) -> str:
        """Return a reason without secrets."""
        return self._service.without_secrets(reason)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._service.close()


class _NotTakenError(RecoverableError):
    """The service says that it did nothing."""


class _Service(Http):
    """The three calls, over the connections, timeouts and secrets of a search service."""

    @property
    def title(self) -> str:
        return self._title

    def clear(self) -> None:
        try:
            self._call("clear", {})
        except FailedAnswer as failure:
            raise GoldproofError(str(failure)) from None

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> object:
        try:
            answer = self._json(self._call("add", {"role": role, "content": content, "metadata": metadata}, once=True))
            if not isinstance(answer, dict) or not {"ids", "id"} & set(answer):
                said = shown(self.without_secrets(repr(answer)))
                raise FailedAnswer(f'{self._title} answered add with {said}; expected {{"ids": ["..."]}}.')
        except FailedAnswer as failure:
            raise GoldproofError(str(failure)) from None
        return answer.get("ids", answer.get("id"))

    def search(self, query: str, k: int, filters: Filters | None = None, now: Moment | None = None) -> object:
        asked = {"query": query, "k": k, **({"filters": filters} if filters else {})}
        try:
            return self._json(self._call("search", {**asked, **({} if now is None else {"now": now})}))
        except FailedAnswer as failure:
            raise SearchFailedError(str(failure)) from None

    def without_secrets(self, text: str) -> str:
        return self._blots.out_of(text)

    def _call(self, word: str, sent: Mapping[str, object], *, once: bool = False) -> bytes:
        import orjson  # noqa: PLC0415 - only where a service is asked

        address = self._address._replace(scheme="", netloc="", fragment="")
        path = address._replace(path=f"{address.path.rstrip('/')}/{word}").geturl()
        call = Call(path, orjson.dumps(sent), self._headers, self._timeout, LARGEST_ANSWER)
        return with_retries(lambda: self._post_once(call) if once else self._post(call), retries=self._retries)

    def _post_once(self, call: Call) -> bytes:
        """Send what must not arrive twice."""
        self._connections.close()
        try:
            return self._post(call)
        except RecoverableError as error:
            if isinstance(error, _NotTakenError) or isinstance(error.__cause__, ConnectionRefusedError | gaierror):
                raise
            raise FailedAnswer(f"{error}; it is not sent again, since it may have arrived.") from error

    def _body(self, reply: Reply) -> bytes:
        if reply.status in NOT_TAKEN:
            wait = asked_wait(reply.headers.get("retry-after"))
            raise _NotTakenError(f"{self._title} answered with status {reply.status}", wait=wait)
        return super()._body(reply)

    def _json(self, body: bytes) -> object:
        import orjson  # noqa: PLC0415 - only where a service is asked

        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError as error:
            said = shown(self.without_secrets(body.decode("utf-8", "replace")))
            raise FailedAnswer(f"{self._title} did not answer in JSON ({error}): {said}.") from error
