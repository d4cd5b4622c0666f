"""Vectors of a corpus in memory or in a mapped file.

The embedder's own cache holds the vectors of single texts, which makes a second run cheap. A matrix of more than 64 MB
is in addition kept as `indexes/<key>.npy` in GOLDPROOF_HOME (float32, a row per text), so that a search maps it from
disk and processes share its pages. The key is the sha256 of the embedder's key, the purpose and the texts in their
order.

A file is written in pieces under a temporary name and renamed, so that it is there whole or not at all: two processes
that build the same one both write it, and either is right. Before use its header and its length are checked, and its
first and last row are compared with what the embedder returns now; a file that differs is written anew.
"""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import EmbeddingFailedError, InputError, shown
from goldproof.io import replace_file
from goldproof.io.atomic_files import make_folder, remove_leftovers
from goldproof.io.storage.home import make_home
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from goldproof.embed import Embedder, Purpose, Vectors

IN_MEMORY = 64 << 20
_PIECE = 4096
_LAYOUT = 1
# Of a length of 1, and between two embeddings of the same text.
_TOLERANCE = 1e-3


def open_vectors(
    texts: Sequence[str],
    embedder: Embedder,
    *,
    purpose: Purpose = "document",
    in_memory: int = IN_MEMORY,
    on_piece: Callable[[int], None] | None = None,
) -> Vectors:
    """Return a row per text; above `in_memory` bytes they are mapped from a file, written where there is none.

    on_piece: called before each piece with the place of its first text.
    """
    if not texts:
        return np.empty((0, 0), dtype=np.float32)
    ends = embedded([texts[0], texts[-1]], embedder, purpose)
    pieces = _pieces(texts, embedder, purpose=purpose, on_piece=on_piece)
    # An embedder that is not written in a file has a key for this process only, so nothing may be kept under it.
    if len(texts) * ends.shape[1] * 4 <= in_memory or not getattr(embedder, "is_lasting", True):
        return np.concatenate(list(pieces))
    folder = make_home() / "indexes"
    path = folder / f"{_key(texts, embedder, purpose)}.npy"
    vectors = _mapped(path, len(texts), ends=ends)
    if vectors is None:
        make_folder(folder)
        remove_leftovers(folder)
        replace_file(path, _contents(pieces, (len(texts), ends.shape[1])))
        vectors = _mapped(path, len(texts), ends=ends)
    if vectors is None:
        raise InputError(f"{path}: was changed right after it was written; start again.")
    return vectors


def embedded(texts: Sequence[str], embedder: Embedder, purpose: Purpose) -> Vectors:
    """Return a row per text of length 1 (or 0), checked: what is searched must be finite and comparable."""
    try:
        vectors = np.asarray(embedder.embed(texts, purpose), dtype=np.float32)
    except OSError as error:  # such as a lost connection: not to be taken for a failure to write the index
        raise EmbeddingFailedError(f"embedder {embedder.key}: {error}.") from error
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise EmbeddingFailedError(
            f"embedder {embedder.key}: {len(texts)} texts gave an array of shape {vectors.shape}, expected a row each."
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    wrong = np.flatnonzero(~((np.abs(lengths - 1) <= _TOLERANCE) | (lengths == 0)))
    if len(wrong):
        place = int(wrong[0])
        raise EmbeddingFailedError(
            f"embedder {embedder.key}: the vector of {shown(texts[place])} has length {lengths[place]:.6g}, expected 1 "
            f"({len(wrong)} of {len(texts)} such vectors); divide each vector by its length."
        )
    return vectors


def _pieces(
    texts: Sequence[str], embedder: Embedder, *, purpose: Purpose, on_piece: Callable[[int], None] | None
) -> Iterator[Vectors]:
    columns = None
    for start in range(0, len(texts), _PIECE):
        if on_piece is not None:
            on_piece(start)
        piece = embedded(texts[start : start + _PIECE], embedder, purpose)
        if columns not in {None, piece.shape[1]}:
            raise InputError(
                f"embedder {embedder.key}: vectors of {piece.shape[1]} numbers after some of {columns}; "
                "expected the same for every text."
            )
        columns = piece.shape[1]
        yield piece


def _key(texts: Sequence[str], embedder: Embedder, purpose: Purpose) -> str:
    digest = hashlib.sha256(content_key("vectors", _LAYOUT, embedder.key, purpose, len(texts)).encode("ascii"))
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        # With its length, so that no two lists of texts run together into the same bytes.
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.hexdigest()


def _contents(pieces: Iterator[Vectors], shape: tuple[int, int]) -> Iterator[bytes]:
    yield _header(shape)
    for piece in pieces:
        yield piece.astype("<f4", copy=False).tobytes()


def _header(shape: tuple[int, int]) -> bytes:
    stream = BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return stream.getvalue()


def _mapped(path: Path, rows: int, *, ends: Vectors) -> Vectors | None:
    """Map the matrix of the file; None where there is no file, or it does not fit."""
    shape = (rows, ends.shape[1])
    header = _header(shape)
    try:
        with path.open("rb") as stream:
            if stream.read(len(header)) != header or path.stat().st_size != len(header) + 4 * rows * shape[1]:
                return None
        vectors: Vectors = np.memmap(path, dtype="<f4", mode="r", offset=len(header), shape=shape)
    except OSError:
        return None
    # Not NaN-proof by itself: a NaN differs from everything, so it fails the comparison as it should.
    return vectors if bool((np.abs(vectors[[0, -1]] - ends) <= _TOLERANCE).all()) else None
