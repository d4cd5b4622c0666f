"""A search service: JSON over HTTP with retries, secrets redacted.

`goldproof.concurrency` says how long is waited: from a quarter of a second on. `Retry-After` is honoured, up to a
minute.

Blotted out is the whole, and what it is made of: the key after `Bearer`, the values of the query. Each also as it looks
quoted in an address, in JSON and in Python, in small letters or large, and its beginning where a message was cut. Parts
of fewer than 6 characters stay: they are words and numbers that many messages hold.

POST url                {"query": "...", "k": 10, "filters": {...}}        (filters only where there are any)
    200                     {"hits": [{"id": "...", "score": 1.2, "text": "..."}, ...]}, best first

`score` and `text` may be missing; `doc_id` or `_id` may stand for `id`, `results` for `hits`, and the list may stand
alone. 429, 5xx, timeouts and broken connections are tried again; any other status, an answer that is not JSON or of
another shape fails the query. Redirects are not followed, and proxies of the environment are not used.

The query string of the address and the header of `header_env` are sent, and stand in no message and in no card, also
where the server repeats them.
"""

from __future__ import annotations

import json
import os
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar
from urllib.parse import parse_qsl, quote, quote_plus, unquote, unquote_plus, urlsplit

from goldproof.concurrency import RECOVERABLE_STATUS, Backoff
from goldproof.errors import InputError, kind_of, reason_of, shown
from goldproof.retrieve.external.hit_ranking import AnswerCounts, gather
from goldproof.retrieve.external.hits import Item, read_items
from goldproof.retrieve.external.http_connection import Call, Connections, TooLargeError
from goldproof.retrieve.language.expression import without_query
from goldproof.retrieve.parallel import FailedAnswer, ask_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from urllib.parse import SplitResult

    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.external.http_connection import Reply
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request

__all__ = ["RECOVERABLE_STATUS", "RecoverableError", "asked_wait", "with_retries"]
T = TypeVar("T")
FIRST_WAIT = 0.25
LONGEST_WAIT = 60.0


class RecoverableError(Exception):
    """Something that may go better the next time; wait: seconds that the server asked for."""

    def __init__(self, reason: str, *, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


def with_retries(call: Callable[[], T], *, retries: int) -> T:
    """Call until it succeeds, at most `retries` times more."""
    waits = Backoff(FIRST_WAIT, LONGEST_WAIT)
    for attempt in range(1, retries + 2):
        try:
            return call()
        except RecoverableError as error:
            if attempt > retries:
                tried = f" (tried {retries + 1} times)" if retries else ""
                raise FailedAnswer(f"{error}{tried}.") from error
            wait = waits.after(attempt, error.wait)
            if wait is None:
                raise FailedAnswer(f"{error}, and asks to wait {error.wait:.0f} s.") from error
            time.sleep(wait)
    raise FailedAnswer("was not asked.")  # not reached: retries is at least 0


def asked_wait(retry_after: str | None) -> float | None:
    """Return the seconds of a Retry-After header: a number, or a date."""
    if retry_after is None:
        return None
    if retry_after.strip().replace(".", "", 1).isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after).astimezone(UTC)
    except (ValueError, OverflowError):  # no date, or one that is none in UTC
        return None
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)


SHORTEST_PART = 6


class Redactor:
    """Secrets of one service."""

    def __init__(self, *, headers: tuple[str, ...], query: str) -> None:
        wholes = {value for value in (*headers, query) if value}
        parts = {part for value in headers for part in value.split()} | {value for _, value in parse_qsl(query)}
        secrets = wholes | {part for part in parts if len(part) >= SHORTEST_PART}
        looks = {look for secret in secrets for look in _looks(secret)}
        self._looks = sorted(looks, key=lambda look: (-len(look), look))  # one may be the beginning of another
        self._whole = re.compile("|".join(map(re.escape, self._looks)) or "(?!)", re.IGNORECASE)

    def out_of(self, text: str) -> str:
        """Return the text with secrets blotted out."""
        text = self._whole.sub("***", text)
        for look in self._looks:
            for length in range(min(len(look), len(text)) - 1, SHORTEST_PART - 1, -1):
                text = text.replace(f"{look[:length]}...", "***...")
        return text


def _looks(secret: str) -> set[str]:
    plain = {secret, unquote(secret), unquote_plus(secret), quote(secret, safe=""), quote_plus(secret)}
    return plain | {json.dumps(one)[1:-1] for one in plain} | {repr(one)[1:-1] for one in plain}


LARGEST_ANSWER = 16 << 20
LONGEST_TIMEOUT = 86400.0
LIST_KEYS = ("hits", "results", "documents")
EXPECTED = 'expected {"hits": [{"id": "...", "score": 1.0}, ...]}'


class Http:
    """A search service.

    timeout: seconds for one call from connecting to the last byte. retries: how often a call that can recover is made
    again. header_env: the environment variable that holds the Authorization header, such as `Bearer ...`; for another
    header, `X-Api-Key=VARIABLE`. Its value is never shown.
    """

    kind: ClassVar[Literal["source", "step", "query step"]] = "source"

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        concurrency: int = 4,
        header_env: str | None = None,
    ) -> None:
        self._address = _checked_url(url)
        if not 0 < timeout <= LONGEST_TIMEOUT or retries < 0 or concurrency < 1:
            raise InputError(
                f"http: timeout={timeout}, retries={retries}, concurrency={concurrency}; expected a timeout above 0 "
                "and of at most a day (86400), retries of at least 0, and a concurrency of at least 1."
            )
        self.concurrency = concurrency
        self._timeout, self._retries = float(timeout), retries
        secret = _secret_header(header_env)
        self._blots = Redactor(headers=tuple(secret.values()), query=self._address.query)
        self._headers = {
            "Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity",
            "User-Agent": "goldproof", **secret,
        }  # fmt: skip
        self._shown, self._key = without_query(url), sha256(url.encode()).hexdigest()
        self._title = f"http({self._shown})"
        self._tally = AnswerCounts(self._title)
        self._connections = Connections(self._address)
        self._documents: DocumentIndex | None = None

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of it; the query of the address may hold a key, so only its sha256 is kept."""
        return {"url": self._shown, "sha256": self._key}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done to its answers, in sentences."""
        return self._tally.remarks(
            more="the filters were applied to what came." if self._tally.counts["dropped"] else ""
        )

    def index(self, documents: DocumentIndex) -> None:
        """Take the documents to compare ids with; the service has its own index."""
        self._documents = documents
        self._tally = AnswerCounts(self._title)

    def find(self, request: Request) -> RankingBatch:
        """Ask the service; a query that it cannot answer fails with its reason."""
        if self._documents is None:
            raise InputError(f"{self._title}: nothing is indexed yet; call index first.")
        answers = ask_all(lambda query: self._ask(query, request), request.queries, concurrency=self.concurrency)
        return gather(answers, request, documents=self._documents, tally=self._tally)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._connections.close()

    def _ask(self, query: str, request: Request) -> list[Item]:
        import orjson  # noqa: PLC0415 - only where a service is asked

        sent: dict[str, Any] = {"query": query, "k": request.k}
        if request.filters:
            sent["filters"] = dict(request.filters)
        path = self._address._replace(scheme="", netloc="", fragment="").geturl() or "/"
        call = Call(path, orjson.dumps(sent), self._headers, self._timeout, LARGEST_ANSWER)
        body = with_retries(lambda: self._post(call), retries=self._retries)
        try:
            answer = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            said = shown(self._blots.out_of(body.decode("utf-8", "replace")))
            raise FailedAnswer(f"{self._title} did not answer in JSON ({error}): {said}.") from error
        try:
            return read_items(_listed(answer, query), query)
        except FailedAnswer as failure:
            raise FailedAnswer(self._blots.out_of(str(failure))) from None

    def _post(self, call: Call) -> bytes:
        try:
            reply = self._connections.post(call)
        except TimeoutError as error:
            raise RecoverableError(f"{self._title} did not answer within {self._timeout:g} s") from error
        except TooLargeError as error:
            raise FailedAnswer(f"{self._title}: {error}.") from error
        except (OSError, HTTPException) as error:
            raise RecoverableError(f"{self._title}: {_escaped(self._blots.out_of(reason_of(error)))}") from error
        return self._body(reply)

    def _body(self, reply: Reply) -> bytes:
        if 200 <= reply.status < 300:
            return reply.body
        said = f"{self._title} answered with status {reply.status}"
        if reply.status in RECOVERABLE_STATUS:
            raise RecoverableError(said, wait=asked_wait(reply.headers.get("retry-after")))
        if 300 <= reply.status < 400:
            where = shown(self._blots.out_of(_without_query(reply.headers.get("location", ""))), longest=200)
            raise FailedAnswer(f"{said}, a redirect to {where}; give that address instead.")
        raise FailedAnswer(f"{said}: {shown(self._blots.out_of(reply.body.decode('utf-8', 'replace')), longest=200)}.")


def _listed(answer: object, query: str) -> list[Any]:
    if isinstance(answer, dict):
        answer = next((answer[key] for key in LIST_KEYS if key in answer), answer)
    if isinstance(answer, list):
        return answer
    came = f"an object with the keys {shown(list(answer))}" if isinstance(answer, dict) else kind_of(answer)
    raise FailedAnswer(f"answered with {came} for {shown(query)}; {EXPECTED}.")


def _escaped(reason: str) -> str:
    """Return a reason without characters that a terminal would obey: a line that is no HTTP may hold any."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in reason)


def _without_query(address: str) -> str:
    """Return where a server redirects to; whatever follows the path may be a key."""
    return re.split("[?#]", address, maxsplit=1)[0]


def _checked_url(url: str) -> SplitResult:
    if "@" in re.split("[/?#]", url.partition("//")[2], maxsplit=1)[0]:
        raise InputError("http: the address holds a user name; put the Authorization header in an environment variable "
                         "and name that with header_env.")  # fmt: skip
    try:
        address = urlsplit(url)
        usable = address.scheme in ("http", "https") and address.hostname and address.port != 0
        if usable and url.isascii() and all(character > " " for character in url):
            return address
    except ValueError:  # a port that is no number, a bracket that is not closed
        pass
    raise InputError(
        f"http: {without_query(url)!r} is not an address; expected http://HOST:PORT/PATH or https://HOST/PATH."
    )


def _secret_header(header_env: str | None) -> dict[str, str]:
    if header_env is None:
        return {}
    header, _, variable = header_env.rpartition("=")
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InputError(f"http: the environment variable {variable!r} of header_env is not set.")
    if not value.isascii() or not value.isprintable():
        raise InputError(f"http: the environment variable {variable!r} cannot be sent as a header.")
    return {header or "Authorization": value}
