"""A memory service over HTTP.

    URL/clear     {}
    URL/add       {"role": "...", "content": "...", "metadata": {...}}
                  answered by {"ids": ["..."]} or {"id": "..."}
    URL/search    {"query": "...", "k": 5, "filters": {...}, "now": ...}
                  answered by {"hits": [{"id": "...", "score": 0.7, "text": "..."}]}, best first

`filters` and `now` are sent only where there are any. Searching and clearing are retried like the calls of a search
service (`goldproof.retrieve.external.http`), and secrets are redacted as there. Adding twice would change the memory,
so `add` is sent again only where it cannot have been taken: the connection was refused, or the answer was 429 or 503;
anything else fails it at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import GoldproofError, SearchFailedError, shown
from goldproof.memory.user_memory import UserMemory
from goldproof.retrieve.external.http import TIMEOUT, JsonService
from goldproof.user_code.calls import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.retrieve import Filters, Moment
    from goldproof.user_code.parameters import Bound


class HttpMemory(UserMemory):
    """A memory behind an address.

    timeout: seconds for one call; 10 unless given here or when the memory is opened. retries: how often a call that can
    recover is made again. header_env: the environment variable that holds the Authorization header; for another header,
    `X-Api-Key=VARIABLE`.
    """

    def __init__(
        self, url: str, *, timeout: float | None = None, retries: int = 2, header_env: str | None = None
    ) -> None:
        self._own_timeout = timeout
        self._service = JsonService(
            url, timeout=TIMEOUT if timeout is None else timeout, retries=retries, header_env=header_env
        )
        self._header_env = header_env
        super().__init__(_Calls(self._service), title=self._service.title)

    @property
    def facts(self) -> dict[str, object]:
        """What a card records: the address, without its query, and which variable holds the header."""
        return {"memory": "http", **self._service.facts, "header_env": self._header_env}

    def _called(self, method: Bound, **values: object) -> object:
        if self._own_timeout is None:
            self._service.timeout = self.timeout or TIMEOUT
        return method(**values)  # its connections keep the time

    def redacted(self, reason: str) -> str:
        """Return a reason without secrets."""
        return self._service.redacted(reason)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._service.close()


class _Calls:
    """The three calls of a memory service, as methods that `UserMemory` can call."""

    def __init__(self, service: JsonService) -> None:
        self._service = service

    def clear(self) -> None:
        try:
            self._service.post({}, path="clear")
        except FailedAnswer as failure:
            raise GoldproofError(str(failure)) from None

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> object:
        service, message = self._service, {"role": role, "content": content, "metadata": metadata}
        try:
            answer = service.parsed(service.post(message, path="add", once=True))
            if not isinstance(answer, dict) or not {"ids", "id"} & set(answer):
                excerpt = shown(service.redacted(repr(answer)))
                raise FailedAnswer(f'{service.title} answered add with {excerpt}; expected {{"ids": ["..."]}}.')
        except FailedAnswer as failure:
            raise GoldproofError(str(failure)) from None
        return answer.get("ids", answer.get("id"))

    def search(self, query: str, k: int, filters: Filters | None = None, now: Moment | None = None) -> object:
        message = {"query": query, "k": k, **({"filters": filters} if filters else {})}
        if now is not None:
            message["now"] = now
        try:
            return self._service.parsed(self._service.post(message, path="search"))
        except FailedAnswer as failure:
            raise SearchFailedError(str(failure)) from None
