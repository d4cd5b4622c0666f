"""From what a user writes to an embedder: a name, `provider:model`, `module:function`, a function or an embedder.

Names: `minilm` and those of plug-ins (entry points `embedder.NAME` of the group `goldproof`: an embedder, its class, or
a function as in `module:function`). Spellings that other tools use for well-known models are understood
(`all-mpnet-base-v2`, `models/text-embedding-004`). Vectors are kept on disk under `GOLDPROOF_HOME/vectors`, unless
`cache=False`.
"""

from __future__ import annotations

from difflib import get_close_matches
from inspect import isclass
from typing import TYPE_CHECKING, Any

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.core.registry import Registry
from goldproof.embed.cache import CachedEmbedder
from goldproof.embed.embedder import Embedder
from goldproof.embed.own import OwnEmbedder
from goldproof.embed.remote import RemoteEmbedder
from goldproof.io.home import make_home

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.embed.cache import Progress

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
    spec: str | Embedder | Callable[..., object], *, cache: bool = True, on_progress: Progress | None = None
) -> Embedder:
    """Return the embedder, with the cache on disk around it where its key is a lasting one.

    on_progress(done, total, cached) is called as a call of `embed` goes on; without a cache it is not.
    """
    embedder = _named(spec) if isinstance(spec, str) else _given(spec)
    is_lasting = not isinstance(embedder, OwnEmbedder) or embedder.is_lasting
    if not cache or not is_lasting or isinstance(embedder, CachedEmbedder):
        return embedder
    return CachedEmbedder(embedder, make_home() / "vectors", on_progress=on_progress)


def _given(target: object) -> Embedder:
    return target if isinstance(target, Embedder) and _is_checked(target) else OwnEmbedder(target)


def _is_checked(target: object) -> bool:
    """Return whether its class says that rows are finite and of length 1; all others may return anything."""
    return getattr(type(target), "is_checked", False) is True


def _named(spec: str) -> Embedder:
    name = _usual_spelling(spec)
    if name in EMBEDDERS:
        found = EMBEDDERS.get(name)
        return _given(found() if isclass(found) else found)
    prefix, colon, rest = name.partition(":")
    if not colon:
        raise UnknownNameError("embedder", spec, (*EMBEDDERS, *_OTHER_SPELLINGS), hint=_HINT)
    if prefix in PROVIDERS:
        return RemoteEmbedder(name)
    try:
        return OwnEmbedder(name)
    except InputError as error:
        near = get_close_matches(prefix, PROVIDERS, n=1, cutoff=0.75)
        if not near:
            raise
        raise InputError(f"{error}\n  Or did you mean {near[0]}:{rest}?") from error


def _usual_spelling(spec: str) -> str:
    if spec in _OTHER_SPELLINGS:
        return _OTHER_SPELLINGS[spec]
    for prefix, replacement in _PREFIXES.items():
        if spec.startswith(prefix):
            return replacement + spec.removeprefix(prefix)
    return spec
