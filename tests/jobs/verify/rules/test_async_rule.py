"""What must be awaited."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.async_rule import RULE
from tests.jobs.verify.rules.proving import prover


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        ("Is `httpx.AsyncClient.get` a coroutine function?", ("Yes", "No"), "A confirmed, B refuted"),
        ("Is `httpx.Client.get` asynchronous?", ("Yes", "No"), "A refuted, B confirmed"),
        ("Must `AsyncClient.aclose` be awaited?", ("Yes, it must be awaited", "No"), "A confirmed, B refuted"),
        ("Is `httpx.Response.aiter_bytes` an async generator?", ("Yes", "No"), "A confirmed, B refuted"),
        ("Is `httpx.Response.aiter_bytes` synchronous or asynchronous?",
         ("A coroutine function", "An async generator", "A regular function"), "A refuted, B confirmed, C refuted"),
        ("Which method of `httpx.AsyncClient` must be awaited?", ("aclose", "`build_request()`"),
         "A confirmed, B refuted"),
        ("Is `httpx.get` a coroutine function?",
         ("Yes, it is asynchronous and has to be awaited.", "No, it is a regular function."), "A refuted, B confirmed"),
        ("Does `httpx.AsyncClient.get` have to be awaited?",
         ("No, it is a synchronous method", "Yes, it is a coroutine function"), "A refuted, B confirmed"),
        ("Is `httpx.Client.get` an async method?",
         ("Yes, it must be awaited", "No, it does not need to be awaited", "No, it is not asynchronous"),
         "A refuted, C confirmed"),  # that it is not awaited is less than that it is plain
        ("Is `httpx.Response.aiter_bytes` a coroutine function?",
         ("No, it is an async generator", "No, it is not a coroutine", "No, it is a plain function"),
         "A confirmed, B confirmed, C refuted"),
        ("Is `httpx.AsyncClient.get` synchronous?", ("No, it is a coroutine", "Yes", "No"),
         "A confirmed, B refuted, C confirmed"),
        ("What kind of function is `httpx.Response.aiter_bytes`?",
         ("A coroutine function that returns a list when awaited", "An async generator function that yields bytes",
          "A regular function", "A generator function"), "A refuted, B confirmed, C refuted, D refuted"),
        ("What kind of method is `httpx.AsyncClient.get`?",
         ("A coroutine", "A coroutine function that is slow", "A plain method.", "A class method", "One for tests"),
         "A confirmed, B supported, C refuted"),
        ("What kind of function is `httpx.Response.iter_bytes`?", ("A generator function", "A coroutine function"),
         "A supported, B refuted"),
        ("Which of these is a coroutine function?", ("`httpx.AsyncClient.post`", "`httpx.Client.post`"),
         "A confirmed, B refuted"),
    ],
)  # fmt: skip
def test_what_is_awaited_is_read(question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover("httpx").standings(RULE, question, *options) == expected


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Is `fetch_all` a coroutine function?", ("Yes", "No")),
        ("Is `httpx.AsyncClient.get` a coroutine function?", ("Yes, but only over HTTP/2", "It uses threads")),
        # What follows does not fit the answer, or says more.
        ("Is `httpx.AsyncClient.get` a coroutine function?",
         ("Yes, it is a regular function", "No, it is asynchronous", "No, it returns a future", "Yes, from 2.0 on")),
        ("Is `httpx.AsyncClient.get` an async generator?", ("Yes, it is a coroutine", "Yes, a synchronous function")),
        ("What kind of function is `fetch_all`?", ("A coroutine", "A regular function")),
        ("What kind of function is `httpx.get` best used in?", ("A coroutine", "A regular function")),
        ("Why is `httpx.AsyncClient.get` asynchronous?", ("For speed", "For fun")),
    ],
)  # fmt: skip
def test_the_rule_is_silent(question: str, options: tuple[str, ...]) -> None:
    assert prover("httpx").proofs(RULE, question, *options) == []
