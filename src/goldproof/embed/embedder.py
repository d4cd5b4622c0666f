"""Embedder, the registry of embedders, `open_embedder()`, and checks of vectors.

An embedder is anything with a `key` and an `embed`. The key is its identity: the same key, text and purpose always give
the same vector, so vectors can be kept on disk under it.

Names: `minilm` and those of plug-ins (entry points `embedder.NAME` of the group `goldproof`: an embedder, its class, or
a function as in `module:function`). Spellings that other tools use for well-known models are understood
(`all-mpnet-base-v2`, `models/text-embedding-004`). Vectors are kept on disk under `GOLDPROOF_HOME/vectors`, unless
`cache=False`.

Vectors are checked: one row for each text, numbers that are finite, every row of the same dimension. A row of zeros has
no direction: it stays as it is where the user's own function made it (a bag of words knows none of a text's), and its
cosine with everything is 0; from a model it is an error. A bad vector fails the texts of its call, not those of others.
"""

from __future__ import annotations

from inspect import isclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from goldproof.errors import EmbeddingFailedError, UnknownNameError, shown
from goldproof.io.storage.home import make_home
from goldproof.plugins import Registry
from goldproof.progress import OnProgress, ignore
from goldproof.user_code.user_object import UserObject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


Vectors: TypeAlias = npt.NDArray[np.float32]

Purpose = Literal["query", "document", "code query"]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def key(self) -> str:
        """The model with all that changes its vectors: name, revision, weights, settings."""

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, float32, of length 1 (so that a dot product is a cosine)."""


EMBEDDERS: Registry[Any] = Registry("embedder")

EMBEDDERS.register("minilm", "goldproof.embed.minilm:MiniLm")

PROVIDERS = (
    *("google", "google-cloud", "openai", "sentence-transformers", "cohere", "voyageai", "bedrock"),
    # These speak OpenAI's protocol.
    *("azure", "alibaba", "deepseek", "fireworks", "github", "heroku", "litellm", "moonshotai", "nebius", "ollama"),
    *("openrouter", "ovhcloud", "together", "vercel", "vllm"),
)

_OTHER_SPELLINGS = {
    "all-mpnet-base-v2": "sentence-transformers:all-mpnet-base-v2",
    "bge-small-en-v1.5": "sentence-transformers:BAAI/bge-small-en-v1.5",
    "gemini-embedding-001": "google:gemini-embedding-001",
    "text-embedding-004": "google:text-embedding-004",
    "text-embedding-3-large": "openai:text-embedding-3-large",
    "text-embedding-3-small": "openai:text-embedding-3-small",
}

_PREFIXES = {
    "models/": "google:",
    "sentence-transformers/": "sentence-transformers:",
    "BAAI/": "sentence-transformers:BAAI/",
}

_HINT = "An embedder is a name, provider:model (google:gemini-embedding-001) or module:function of your own."


def open_embedder(
    spec: str | Embedder | Callable[..., object], *, cache: bool = True, on_progress: OnProgress = ignore
) -> Embedder:
    """Return the embedder, with the cache on disk around it where its key is a lasting one.

    on_progress: called as a call of `embed` goes on; without a cache it is not.
    """
    from goldproof.embed.cache import CachedEmbedder  # noqa: PLC0415 - it imports this module
    from goldproof.embed.user_embedder import UserEmbedder  # noqa: PLC0415 - it imports this module

    embedder = _named(spec) if isinstance(spec, str) else _from_object(spec)
    is_lasting = not isinstance(embedder, UserEmbedder) or embedder.is_lasting
    if not cache or not is_lasting or isinstance(embedder, CachedEmbedder):
        return embedder
    return CachedEmbedder(embedder, make_home() / "vectors", on_progress=on_progress)


def _from_object(target: object) -> Embedder:
    from goldproof.embed.user_embedder import UserEmbedder  # noqa: PLC0415 - it imports this module

    return target if isinstance(target, Embedder) and _is_checked(target) else UserEmbedder(target)


def _is_checked(target: object) -> bool:
    """Return whether its class guarantees finite rows of length 1; others may return anything."""
    return getattr(type(target), "is_checked", False) is True


def _named(spec: str) -> Embedder:
    from goldproof.embed.provider_embedder import ProviderEmbedder  # noqa: PLC0415 - it imports this module
    from goldproof.embed.user_embedder import UserEmbedder  # noqa: PLC0415 - it imports this module

    name = _usual_spelling(spec)
    if name in EMBEDDERS:
        target = EMBEDDERS.get(name)
        return _from_object(target() if isclass(target) else target)
    prefix, colon, _ = name.partition(":")
    if not colon:
        raise UnknownNameError("embedder", spec, (*EMBEDDERS, *_OTHER_SPELLINGS), hint=_HINT)
    if prefix in PROVIDERS:
        return ProviderEmbedder(name)
    return UserEmbedder(UserObject.of(name, near=PROVIDERS))


def _usual_spelling(spec: str) -> str:
    if spec in _OTHER_SPELLINGS:
        return _OTHER_SPELLINGS[spec]
    for prefix, replacement in _PREFIXES.items():
        if spec.startswith(prefix):
            return replacement + spec.removeprefix(prefix)
    return spec


def checked_vectors(vectors: object, texts: Sequence[str], *, where: str, zeros: bool = False) -> Vectors:
    """Return the rows as float32 of length 1; where: their embedder, for messages; zeros: a row may be all 0."""
    rows = _matrix(vectors, len(texts), where=where)
    empty = ~rows.any(axis=1)
    for problem, bad in (
        ("has a value that is not finite", ~np.isfinite(rows).all(axis=1)),
        ("is all zeros, so it has no direction", empty & (not zeros)),
    ):
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            text = f"text {row + 1} of {len(texts)} ({shown(texts[row])})"
            raise EmbeddingFailedError(f"{where}: the vector of {text} {problem}.")
    # Divided by the largest first: squares of very large or small numbers would leave the range.
    rows /= np.where(empty, 1.0, np.abs(rows).max(axis=1))[:, None]
    rows /= np.where(empty, 1.0, np.sqrt((rows * rows).sum(axis=1)))[:, None]
    return rows.astype(np.float32)


def _matrix(values: object, count: int, *, where: str) -> npt.NDArray[np.float64]:
    expected = f"expected {count} rows of numbers, one for each text"
    try:
        rows = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbeddingFailedError(f"{where}: returned {_described(values)}; {expected}, all of one length.") from error
    if rows.ndim != 2 or len(rows) != count or not rows.shape[1]:
        raise EmbeddingFailedError(f"{where}: returned {_described(values)} of shape {rows.shape}; {expected}.")
    return rows


def _described(vectors: object) -> str:
    kind = type(vectors).__name__
    return f"a {kind} of rows of different lengths" if _is_ragged(vectors) else f"a {kind}"


def _is_ragged(vectors: object) -> bool:
    if not isinstance(vectors, list | tuple):
        return False
    return len({len(row) for row in vectors if hasattr(row, "__len__")}) > 1
