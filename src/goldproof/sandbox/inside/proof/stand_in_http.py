"""HTTP without a network: what httpx, requests and urllib ask is answered from a table.

It replaces where these libraries send. Where one of them is itself the library under test that counts as a change: use
its own means then (`httpx.MockTransport`).
"""

from __future__ import annotations

import io
import json
import urllib.request
from contextlib import ExitStack, contextmanager
from email.message import Message
from typing import TYPE_CHECKING
from urllib.response import addinfourl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .texts import Foreign

_NOT_FOUND = (404, b"not found", "text/plain")


@contextmanager
def fake_http(responses: Foreign) -> Iterator[list[tuple[str, str]]]:
    """Answer requests until the block ends. Yields a list of (method, address) that grows with what is asked.

    responses: address -> answer (the address may end in `*`), or a function of (method, address). An answer is a text,
    bytes, something that becomes JSON, or (status, answer). Other addresses get 404.
    """
    asked: list[tuple[str, str]] = []

    def answer(method: str, address: str) -> tuple[int, bytes, str]:
        asked.append((method, address))
        return _answer(responses(method, address) if callable(responses) else _listed(responses, address))

    with ExitStack() as stack:
        for replace in (_urllib, _httpx, _requests):
            replace(answer, stack)
        yield asked


def _listed(responses: Mapping[str, Foreign], address: str) -> Foreign:
    if address in responses:
        return responses[address]
    starts = (key for key in responses if key.endswith("*") and address.startswith(key[:-1]))
    return next((responses[key] for key in starts), None)


def _answer(given: Foreign) -> tuple[int, bytes, str]:
    if given is None:
        return _NOT_FOUND
    status, body = given if isinstance(given, tuple) else (200, given)
    if isinstance(body, (bytes, str)):
        return status, body if isinstance(body, bytes) else body.encode(), "text/plain; charset=utf-8"
    return status, json.dumps(body).encode(), "application/json"


def _replaced(stack: ExitStack, owner: Foreign, name: str, value: Foreign) -> None:
    stack.callback(setattr, owner, name, getattr(owner, name))
    setattr(owner, name, value)


def _urllib(answer: Callable[[str, str], tuple[int, bytes, str]], stack: ExitStack) -> None:
    def open_(_: Foreign, request: Foreign, data: Foreign = None) -> Foreign:  # noqa: ARG001
        status, body, kind = answer(request.get_method(), request.full_url)
        headers = Message()
        headers["Content-Type"] = kind
        made = addinfourl(io.BytesIO(body), headers, request.full_url, status)
        made.msg = "OK" if status < 400 else "Error"  # type: ignore[attr-defined]
        return made

    _replaced(stack, urllib.request.OpenerDirector, "_open", open_)


def _httpx(answer: Callable[[str, str], tuple[int, bytes, str]], stack: ExitStack) -> None:
    try:
        import httpx  # noqa: PLC0415 - only where it is there
    except ImportError:
        return

    def handle(_: Foreign, request: Foreign) -> Foreign:
        status, body, kind = answer(request.method, str(request.url))
        return httpx.Response(status, content=body, headers={"Content-Type": kind}, request=request)

    async def handle_async(transport: Foreign, request: Foreign) -> Foreign:
        return handle(transport, request)

    _replaced(stack, httpx.HTTPTransport, "handle_request", handle)
    _replaced(stack, httpx.AsyncHTTPTransport, "handle_async_request", handle_async)


def _requests(answer: Callable[[str, str], tuple[int, bytes, str]], stack: ExitStack) -> None:
    try:
        import requests  # type: ignore[import-untyped, unused-ignore]  # noqa: PLC0415
        from requests.adapters import HTTPAdapter  # type: ignore[import-untyped, unused-ignore]  # noqa: PLC0415
    except ImportError:
        return

    def send(_: Foreign, request: Foreign, **__: Foreign) -> Foreign:
        status, body, kind = answer(request.method, request.url)
        made = requests.Response()
        made.status_code, made.url, made.request = status, request.url, request
        made.headers["Content-Type"] = kind
        made.encoding = "utf-8"
        made.raw = io.BytesIO(body)
        return made

    _replaced(stack, HTTPAdapter, "send", send)
