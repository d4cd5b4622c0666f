"""A search service: JSON over HTTP with retries, secrets redacted.

    POST url                {"query": "...", "k": 10, "filters": {...}}        (filters only where there are any)
    200                     {"hits": [{"id": "...", "score": 1.2, "text": "..."}, ...]}, best first

`score` and `text` may be missing; `doc_id` or `_id` may stand for `id`, `results` for `hits`, and the list may stand
alone. Timeouts, broken connections and the statuses of `RECOVERABLE_STATUS` (429, 503, ...) are tried again, after
waits from a quarter of a second on; `Retry-After` is honoured, up to a minute. Any other status, an answer that is not
JSON or of another shape fails the query. Redirects are not followed, and proxies of the environment are not used.

The query string of the address and the header of `header_env` are sent, but appear in no message and in no card, even
where the server repeats them. Redacted are both as a whole, and their parts: the key after `Bearer`, the values of the
query. Each also as it looks quoted in an address, in JSON and in Python, in lower or upper case, and its beginning
where a message was cut. Parts of fewer than 6 characters stay: they are words and numbers that many messages hold.
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
from socket import gaierror
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, quote, quote_plus, unquote, unquote_plus, urlsplit

from goldproof.concurrency import RECOVERABLE_STATUS, Backoff
from goldproof.errors import InputError, kind_of, reason_of, shown
from goldproof.retrieve.external.hit_ranking import AnswerCounts, gather
from goldproof.retrieve.external.hits import ReturnedDocument, read_documents
from goldproof.retrieve.external.http_connection import Call, Connections, TooLargeError
from goldproof.retrieve.language.expression import without_query
from goldproof.retrieve.parallel import ask_all
from goldproof.retrieve.stage import Source, stage
from goldproof.user_code.calls import FailedAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from urllib.parse import SplitResult

    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.external.http_connection import Reply
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request

T = TypeVar("T")
LARGEST_ANSWER = 16 << 20
LONGEST_TIMEOUT = 86400.0
TIMEOUT = 10.0
LIST_KEYS = ("hits", "results", "documents")
EXPECTED = 'expected {"hits": [{"id": "...", "score": 1.0}, ...]}'


@stage(
    "http",
    summary="Asks a search service.",
    url="the address that is asked",
    timeout="seconds for one call from connecting to the last byte; 10 unless given here or with the search",
    retries="how often a call is tried again after a failure that may pass",
    concurrency="how many queries may be asked at once",
    header_env="the environment variable that holds the Authorization header, such as `Bearer ...`; for another "
    "header, `X-Api-Key=VARIABLE`. Its value is never shown",
)
class Http(Source):
    """A search service as a source of a pipeline."""

    def __init__(
        self,
        url: str,
        *,
        timeout: float | None = None,
        retries: int = 2,
        concurrency: int = 4,
        header_env: str | None = None,
    ) -> None:
        self._timeout = timeout
        self._service = JsonService(
            url,
            timeout=TIMEOUT if timeout is None else timeout,
            retries=retries,
            concurrency=concurrency,
            header_env=header_env,
        )
        self.concurrency = concurrency
        self._counts = AnswerCounts(self._service.title)
        self._documents: DocumentIndex | None = None

    @property
    def facts(self) -> dict[str, object]:
        """The address for the card; its query may hold a key, so only the sha256 of the whole is kept."""
        return self._service.facts

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes on what was changed in the answers."""
        return self._counts.remarks(more="filters dropped some of those returned." if self._counts.dropped else "")

    def index(self, documents: DocumentIndex) -> None:
        """Take the documents to compare ids with; the service has its own index."""
        self._documents = documents
        self._counts = AnswerCounts(self._service.title)

    def find(self, request: Request) -> RankingBatch:
        """Ask the service; a query that it cannot answer fails with its reason."""
        if self._documents is None:
            raise InputError(f"{self._service.title}: nothing is indexed yet; call index first.")
        if self._timeout is None:
            self._service.timeout = request.timeout or TIMEOUT
        answers = ask_all(lambda query: self._ask(query, request), request.queries, concurrency=self.concurrency)
        return gather(answers, request, documents=self._documents, counts=self._counts)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._service.close()

    def _ask(self, query: str, request: Request) -> list[ReturnedDocument]:
        message: dict[str, object] = {"query": query, "k": request.k}
        if request.filters:
            message["filters"] = dict(request.filters)
        answer = self._service.parsed(self._service.post(message))
        try:
            return read_documents(_listed(answer, query), query)
        except FailedAnswer as failure:
            raise FailedAnswer(self._service.redacted(str(failure))) from None


def _listed(answer: object, query: str) -> list[Any]:
    if isinstance(answer, dict):
        answer = next((answer[key] for key in LIST_KEYS if key in answer), answer)
    if isinstance(answer, list):
        return answer
    kind = f"an object with the keys {shown(list(answer))}" if isinstance(answer, dict) else kind_of(answer)
    raise FailedAnswer(f"answered with {kind} for {shown(query)}; {EXPECTED}.")


class JsonService:
    """A JSON service behind one address: its header, secrets, timeout and retries.

    The parameters are those of `Http`. concurrency: how many calls the caller makes at once; it is checked here with
    the other settings.
    """

    def __init__(self, url: str, *, timeout: float, retries: int, header_env: str | None, concurrency: int = 1) -> None:
        self._address = _checked_url(url)
        if not 0 < timeout <= LONGEST_TIMEOUT or retries < 0 or concurrency < 1:
            raise InputError(
                f"http: timeout={timeout}, retries={retries}, concurrency={concurrency}; expected a timeout above 0 "
                "and of at most a day (86400), retries of at least 0, and a concurrency of at least 1."
            )
        self.timeout, self._retries = float(timeout), retries
        secret = _secret_header(header_env)
        self._redactor = Redactor(headers=tuple(secret.values()), query=self._address.query)
        self._headers = {
            "Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity",
            "User-Agent": "goldproof", **secret,
        }  # fmt: skip
        self.title = f"http({without_query(url)})"
        self.facts: dict[str, object] = {"url": without_query(url), "sha256": sha256(url.encode()).hexdigest()}
        self._connections = Connections(self._address)

    def post(self, message: Mapping[str, object], *, path: str = "", once: bool = False) -> bytes:
        """Send a message and return the body of the answer; FailedAnswer where none comes.

        path: appended to that of the address. once: the message must not arrive twice. It is sent again only where it
        cannot have been taken (the connection was refused, or the status is 429 or 503), and over a new connection:
        when a kept one breaks, nothing shows whether the server had the request.
        """
        import orjson  # noqa: PLC0415 - only where a service is asked

        target = self._address._replace(scheme="", netloc="", fragment="")
        if path:
            target = target._replace(path=f"{target.path.rstrip('/')}/{path}")
        call = Call(target.geturl() or "/", orjson.dumps(message), self._headers, self.timeout, LARGEST_ANSWER)
        return with_retries(lambda: (self._send_once if once else self._send)(call), retries=self._retries)

    def parsed(self, body: bytes) -> object:
        """Return the JSON value of a body; FailedAnswer where it is none."""
        import orjson  # noqa: PLC0415 - only where a service is asked

        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError as error:
            excerpt = shown(self.redacted(body.decode("utf-8", "replace")))
            raise FailedAnswer(f"{self.title} did not answer in JSON ({error}): {excerpt}.") from error

    def redacted(self, text: str) -> str:
        """Return a text without the secrets of the service."""
        return self._redactor.out_of(text)

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._connections.close()

    def _send_once(self, call: Call) -> bytes:
        self._connections.close()
        try:
            return self._send(call)
        except RecoverableError as error:
            if isinstance(error, NotTakenError) or isinstance(error.__cause__, ConnectionRefusedError | gaierror):
                raise
            raise FailedAnswer(f"{error}; it is not sent again, since it may have arrived.") from error

    def _send(self, call: Call) -> bytes:
        try:
            reply = self._connections.post(call)
        except TimeoutError as error:
            raise RecoverableError(f"{self.title} did not answer within {self.timeout:g} s") from error
        except TooLargeError as error:
            raise FailedAnswer(f"{self.title}: {error}.") from error
        except (OSError, HTTPException) as error:
            raise RecoverableError(f"{self.title}: {_escaped(self.redacted(reason_of(error)))}") from error
        return self._body(reply)

    def _body(self, reply: Reply) -> bytes:
        if 200 <= reply.status < 300:
            return reply.body
        problem = f"{self.title} answered with status {reply.status}"
        if reply.status in RECOVERABLE_STATUS:
            kind = NotTakenError if reply.status in NOT_TAKEN else RecoverableError
            raise kind(problem, wait=asked_wait(reply.headers.get("retry-after")))
        if 300 <= reply.status < 400:
            location = shown(self.redacted(_up_to_query(reply.headers.get("location", ""))), longest=200)
            raise FailedAnswer(f"{problem}, a redirect to {location}; give that address instead.")
        raise FailedAnswer(f"{problem}: {shown(self.redacted(reply.body.decode('utf-8', 'replace')), longest=200)}.")


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


def _escaped(reason: str) -> str:
    """Escape control characters, which a terminal would obey: a line that is no HTTP may hold any."""
    return "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in reason)


def _up_to_query(location: str) -> str:
    """Return where a server redirects to, up to its path: what follows may be a key."""
    return re.split("[?#]", location, maxsplit=1)[0]


FIRST_WAIT = 0.25
LONGEST_WAIT = 60.0
NOT_TAKEN = (429, 503)


class RecoverableError(Exception):
    """A failure that may pass; wait: seconds that the server asked for."""

    def __init__(self, reason: str, *, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


class NotTakenError(RecoverableError):
    """A status by which the server says that it did nothing with the message."""


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
    """Return the seconds of a Retry-After header, which is a number or a date."""
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
    """Removes the secrets of one service from texts."""

    def __init__(self, *, headers: tuple[str, ...], query: str) -> None:
        wholes = {value for value in (*headers, query) if value}
        parts = {part for value in headers for part in value.split()} | {value for _, value in parse_qsl(query)}
        secrets = wholes | {part for part in parts if len(part) >= SHORTEST_PART}
        spellings = {spelling for secret in secrets for spelling in _spellings(secret)}
        # Longest first, since one may be the beginning of another.
        self._spellings = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
        self._whole = re.compile("|".join(map(re.escape, self._spellings)) or "(?!)", re.IGNORECASE)

    def out_of(self, text: str) -> str:
        """Return the text with secrets redacted."""
        text = self._whole.sub("***", text)
        for spelling in self._spellings:
            for length in range(min(len(spelling), len(text)) - 1, SHORTEST_PART - 1, -1):
                text = text.replace(f"{spelling[:length]}...", "***...")
        return text


def _spellings(secret: str) -> set[str]:
    plain = {secret, unquote(secret), unquote_plus(secret), quote(secret, safe=""), quote_plus(secret)}
    return plain | {json.dumps(text)[1:-1] for text in plain} | {repr(text)[1:-1] for text in plain}
