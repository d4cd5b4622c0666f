"""Hosted embedders, against a real server on loopback: what is sent, what is tried again, what is refused."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.embed.provider_embedder import ProviderEmbedder
from goldproof.errors import EmbeddingFailedError, InputError, MissingExtraError
from tests.embed.embedding_server import EmbeddingServer, Fault

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.embed.embedder import Purpose

OPENAI = "openai:text-embedding-3-small"
GOOGLE = "google:gemini-embedding-001"
SECRET = "sk-very-secret-0123456789"  # noqa: S105 - made up
# len("abc") = 3, so (3, 1) / sqrt(10); len("") is sent as one blank: (1, 1) / sqrt(2)
ABC = np.array([3.0, 1.0]) / np.sqrt(10)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("GOOGLE_API_KEY", SECRET)


def remote(server: EmbeddingServer, name: str = OPENAI, *, timeout: float = 60.0) -> ProviderEmbedder:
    monkeypatched = pytest.MonkeyPatch()
    with monkeypatched.context() as patch:
        patch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        patch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        embedder = ProviderEmbedder(name, timeout=timeout, backoff=0.01)
        _ = embedder.key, embedder._service  # both read the environment when first wanted
    return embedder


@pytest.mark.parametrize("name", [OPENAI, GOOGLE])
def test_vectors_come_back_in_order_and_of_length_1(name: str) -> None:
    with EmbeddingServer() as server:
        found = remote(server, name).embed(["abc", "", "abcdefg"], "document")
    assert found.dtype == np.float32
    assert found[0] == pytest.approx(ABC)
    assert found[1] == pytest.approx(np.array([1.0, 1.0]) / np.sqrt(2))
    assert found[2] == pytest.approx(np.array([7.0, 1.0]) / np.sqrt(50))


@pytest.mark.parametrize(
    ("purpose", "task"),
    [("query", "RETRIEVAL_QUERY"), ("document", "RETRIEVAL_DOCUMENT"), ("code query", "CODE_RETRIEVAL_QUERY")],
)
def test_google_is_told_the_task_of_every_text(purpose: Purpose, task: str) -> None:
    with EmbeddingServer() as server:
        remote(server, GOOGLE).embed(["abc", "de"], purpose)
    (asked,) = server.asked
    assert asked.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert [one["taskType"] for one in asked.body["requests"]] == [task, task]


@pytest.mark.parametrize(
    ("purpose", "sent"),
    [
        ("query", "task: search result | query: abc"),
        ("document", "title: none | text: abc"),
        ("code query", "task: code retrieval | query: abc"),
    ],
)
def test_gemini_embedding_2_is_told_by_a_prefix(purpose: Purpose, sent: str) -> None:
    with EmbeddingServer() as server:
        remote(server, "google:gemini-embedding-2").embed(["abc"], purpose)
    (request,) = server.asked[0].body["requests"]
    assert request["content"]["parts"] == [{"text": sent}]
    assert "taskType" not in request


def test_openai_takes_a_code_query_as_any_text() -> None:
    with EmbeddingServer() as server:
        remote(server).embed(["abc"], "code query")
    (asked,) = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.body["input"] == ["abc"]
    assert asked.body["model"] == "text-embedding-3-small"


def test_google_takes_at_most_100_texts_a_request() -> None:
    with EmbeddingServer() as server:
        found = remote(server, GOOGLE).embed(["a" * (number + 1) for number in range(250)], "document")
    assert [len(asked.body["requests"]) for asked in server.asked] == [100, 100, 50]
    assert np.array_equal(np.argsort(found[:, 0]), np.arange(250))


def test_long_texts_make_small_batches() -> None:
    # 200,000 characters a request: 90,000 twice fit, three times do not
    with EmbeddingServer() as server:
        remote(server).embed(["a" * 90_000, "b" * 90_000, "c" * 90_000, "d" * 300_000, "e"], "document")
    assert [[text[0] for text in asked.body["input"]] for asked in server.asked] == [["a", "b"], ["c"], ["d"], ["e"]]


@pytest.mark.parametrize("name", [OPENAI, GOOGLE])
@pytest.mark.parametrize("fault", [Fault(500), Fault(503), Fault(429), Fault(408), Fault(0)], ids=lambda f: f.status)
def test_what_can_pass_is_tried_again(name: str, fault: Fault) -> None:
    with EmbeddingServer(fault, fault) as server:
        found = remote(server, name).embed(["abc"], "query")
    assert found[0] == pytest.approx(ABC)
    assert len(server.asked) == 3


def test_the_pause_the_server_asks_for_is_kept() -> None:
    with EmbeddingServer(Fault(429, {"Retry-After": "1"})) as server:
        remote(server).embed(["abc"], "query")
    first, second = server.asked
    assert second.at - first.at >= 1.0


def test_a_pause_of_an_hour_is_not_waited_for() -> None:
    with (
        EmbeddingServer(Fault(429, {"Retry-After": "3600"})) as server,
        pytest.raises(EmbeddingFailedError, match=r"text-embedding-3-small: .*429.*\(attempt 1 of 6\)"),
    ):
        remote(server).embed(["abc"], "query")


def test_a_server_that_does_not_answer_is_asked_again() -> None:
    with EmbeddingServer(Fault(500, seconds=1.5)) as server:
        found = remote(server, timeout=0.5).embed(["abc"], "query")
    assert found[0] == pytest.approx(ABC)
    assert len(server.asked) == 2


def test_pauses_are_of_different_length_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    # The pause after the first attempt is 0.01 s times a factor from 0.5 to 1.5: of two embedders it is not the same.
    paused: list[float] = []

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    monkeypatch.setattr("goldproof.embed.provider_embedder.asyncio.sleep", sleep)
    for _ in range(2):
        with EmbeddingServer(Fault(500)) as server:
            remote(server).embed(["abc"], "query")
    assert len(set(paused)) == 2
    assert all(0.005 <= seconds <= 0.015 for seconds in paused)


def test_a_fault_that_stays_is_told_with_the_number_of_attempts() -> None:
    with EmbeddingServer(*[Fault(500)] * 20) as server:
        with pytest.raises(
            EmbeddingFailedError, match=r"^embedder openai:text-embedding-3-small: .*500.*\(attempt 6 of 6\)$"
        ):
            remote(server).embed(["abc"], "query")
        assert len(server.asked) == 6


@pytest.mark.parametrize("name", [OPENAI, GOOGLE])
@pytest.mark.parametrize(("status", "kind"), [(400, EmbeddingFailedError), (401, InputError), (404, InputError)])
def test_what_cannot_pass_is_told_at_once_and_without_the_key(name: str, status: int, kind: type[Exception]) -> None:
    # 400 may be this text alone (too long); a wrong key and an unknown model hold for every request.
    body = {"error": {"message": f"you sent {SECRET}, which is wrong", "code": status, "status": "WRONG"}}
    with EmbeddingServer(Fault(status, body=body)) as server:
        with pytest.raises(kind, match=r"you sent \*\*\*, which is wrong") as caught:
            remote(server, name).embed(["abc"], "query")
        assert len(server.asked) == 1
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_used_up_quota_is_not_tried_again() -> None:
    body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota", "type": "x"}}
    with EmbeddingServer(Fault(429, body=body)) as server:
        with pytest.raises(InputError, match="quota"):
            remote(server).embed(["abc"], "query")
        assert len(server.asked) == 1


@pytest.mark.parametrize("name", [OPENAI, GOOGLE])
def test_too_few_vectors_are_an_error(name: str) -> None:
    with (
        EmbeddingServer(drop=1) as server,
        pytest.raises(EmbeddingFailedError, match=r"shape \(1, 2\); expected 2 rows"),
    ):
        remote(server, name).embed(["a", "b"], "query")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0.0, 0.0], r"text 1 of 1 \('a'\) is all zeros"),
        ([float("nan"), 1.0], "a value that is not finite"),
        ([], "expected 1 rows"),
    ],
)
def test_vectors_that_are_none_are_an_error(row: list[float], message: str) -> None:
    with EmbeddingServer(embed=lambda _: row) as server, pytest.raises(EmbeddingFailedError, match=message):
        remote(server).embed(["a"], "query")


def test_batches_of_different_dimensions_are_an_error() -> None:
    with (
        EmbeddingServer(embed=lambda text: [1.0] * (2 if text == "a" else 3)) as server,
        pytest.raises(InputError, match="different dimensions: 2, 3"),
    ):
        remote(server, GOOGLE).embed(["a"] * 100 + ["b"], "query")


def test_no_text_is_no_request() -> None:
    with EmbeddingServer() as server:
        assert len(remote(server).embed([], "query")) == 0
    assert server.asked == []


def test_it_works_where_an_event_loop_runs_already() -> None:
    async def cell() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return embedder.embed(["abc"], "query")

    with EmbeddingServer() as server:
        embedder = remote(server)
        assert asyncio.run(cell())[0] == pytest.approx(ABC)
        assert asyncio.run(cell())[0] == pytest.approx(ABC)


def test_a_missing_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        ProviderEmbedder(OPENAI).embed(["a"], "query")


def test_the_key_of_vectors_names_another_address_but_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ProviderEmbedder(OPENAI).key == OPENAI
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:pass@localhost:9/v1")
    assert ProviderEmbedder(OPENAI).key == f"{OPENAI} at http://localhost:9/v1"


@pytest.mark.parametrize("name", ["openai:", ":model", "openai"])
def test_half_a_name_is_an_error(name: str) -> None:
    with pytest.raises(InputError, match="expected provider:model"):
        ProviderEmbedder(name)


def test_a_provider_whose_package_is_missing_names_it() -> None:
    with pytest.raises(InputError, match=r"pip install 'pydantic-ai-slim\[cohere\]'"):
        ProviderEmbedder("cohere:embed-v4.0").embed(["a"], "query")


def test_without_the_extra_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(MissingExtraError, match=r"google:gemini-embedding-001 needs .*pip install 'goldproof\[llm\]'"):
        ProviderEmbedder(GOOGLE)


SCRIPT = """
import os, sys
from goldproof.embed.provider_embedder import ProviderEmbedder
print(ProviderEmbedder(sys.argv[1]).embed(["abc"], "query").shape)
"""


def test_nothing_is_printed_and_the_process_ends(tmp_path: Path) -> None:
    with EmbeddingServer() as server:
        environment = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": SECRET, "HOME": str(tmp_path)}
        command = [sys.executable, "-W", "error", "-c", SCRIPT, OPENAI]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=60, cwd=tmp_path, check=False
        )
    assert done.stdout == "(1, 2)\n", done.stderr
    assert done.stderr == ""
