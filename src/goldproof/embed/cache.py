"""Cache of vectors on disk, one file per model under `GOLDPROOF_HOME/vectors`: no text is embedded twice.

A vector is kept as float32 bytes under the sha256 of its text, with the purpose. The file is a `KeyedStore`: several
processes may share it, and a killed one loses at most the batch it was working on. Where two processes embed the same
text at once, both go on with the vector that was stored first.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from goldproof.closeable import Closeable
from goldproof.errors import EmbeddingFailedError, InputError
from goldproof.io.storage import KeyedStore
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.embed.embedder import Embedder, Purpose, Vectors

_TEXTS_PER_LOOKUP = 4096
_BATCH_SIZE = 256
_STORED = np.dtype("<f4")


class CachedEmbedder(Closeable):
    """An embedder with a cache on disk around another embedder.

    folder: where the file of vectors lies. The size of a batch is the embedder's own `batch_size`, if it has one.
    on_progress: called as a call of `embed` goes on, with the texts that have their vector.
    """

    is_checked: ClassVar[bool] = True

    def __init__(self, embedder: Embedder, folder: Path | str, *, on_progress: OnProgress = ignore) -> None:
        self._embedder = embedder
        self._key = embedder.key
        self._batch_size = int(getattr(embedder, "batch_size", _BATCH_SIZE))
        self._on_progress = on_progress
        self._width = 0
        self._store = KeyedStore(Path(folder) / vector_file(self._key))

    @property
    def key(self) -> str:
        """The key of the embedder behind."""
        return self._key

    @property
    def path(self) -> Path:
        """The file of vectors."""
        return self._store.path

    @property
    def local_model(self) -> Embedder | None:
        """The model itself where it runs on this machine, so that asking it again costs nothing but time."""
        return self._embedder if getattr(self._embedder, "is_local", False) else None

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, from disk where it is there."""
        count = _ProgressCount(len(texts), self._on_progress)
        starts = range(0, len(texts), _TEXTS_PER_LOOKUP)
        parts = [self._embed_part(texts[start : start + _TEXTS_PER_LOOKUP], purpose, count=count) for start in starts]
        return np.concatenate(parts) if parts else self._embedder.embed((), purpose)

    def close(self) -> None:
        """Close the file; the next call of `embed` opens it again."""
        self._store.release()

    def _embed_part(self, texts: Sequence[str], purpose: Purpose, *, count: _ProgressCount) -> Vectors:
        keys = [_vector_key(text, purpose) for text in texts]
        stored = self._store.get_many(keys)
        self._check(stored.values())
        times = Counter(keys)
        count.add(sum(times[key] for key in stored), cached=True)
        missing = [(key, text) for key, text in dict(zip(keys, texts, strict=True)).items() if key not in stored]
        for start in range(0, len(missing), self._batch_size):
            fresh = self._embed_batch(missing[start : start + self._batch_size], purpose)
            stored.update(fresh)
            count.add(sum(times[key] for key in fresh), cached=False)
        joined = np.frombuffer(b"".join(stored[key] for key in keys), dtype=_STORED)
        return joined.reshape(len(keys), -1).astype(np.float32)

    def _embed_batch(self, batch: list[tuple[bytes, str]], purpose: Purpose) -> dict[bytes, bytes]:
        """Embed and store some texts; return the vectors that are on disk then."""
        vectors = self._embedder.embed([text for _, text in batch], purpose)
        if vectors.ndim != 2 or len(vectors) != len(batch):
            raise EmbeddingFailedError(
                f"{self._key}: returned shape {vectors.shape}; expected {len(batch)} rows, one for each text."
            )
        rows = {key: row.astype(_STORED).tobytes() for (key, _), row in zip(batch, vectors, strict=True)}
        self._check(rows.values())
        self._store.put_many(rows)
        stored = self._store.get_many(rows)
        self._check(stored.values())
        return stored

    def _check(self, rows: Iterable[bytes]) -> None:
        """Refuse vectors of another length than those before."""
        for row in rows:
            self._width = self._width or len(row)
            if len(row) != self._width:
                size, expected = len(row) / _STORED.itemsize, self._width / _STORED.itemsize
                raise InputError(
                    f"{self.path}: a vector of {size:g} numbers among vectors of {expected:g}, all of {self._key!r}.\n"
                    "  The model has changed under its name, or the file is damaged: delete the file and run again."
                )


class _ProgressCount:
    """Counts the texts that are done, and reports them."""

    def __init__(self, total: int, on_progress: OnProgress) -> None:
        self._total = total
        self._on_progress = on_progress
        self._done = self._cached = 0

    def add(self, texts: int, *, cached: bool) -> None:
        self._done += texts
        self._cached += texts if cached else 0
        self._on_progress(Progress("texts embedded", self._done, self._total, cached=self._cached))


def vector_file(key: str) -> str:
    """Return the file name of a model: a readable part, and a hash that is unique."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", key.partition(" (")[0])[:40].strip("-.")
    return f"{readable}-{content_key(key)[:32]}.sqlite"


def _vector_key(text: str, purpose: Purpose) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() + purpose.encode("ascii")
