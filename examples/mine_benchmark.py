"""Mine the bundled example: which documents really answer which question; then compare bm25 and MiniLM on it.

Run: python examples/mine_benchmark.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import goldproof

mined = goldproof.mine("example")
print(mined)

for question in mined.mined.questions:
    for kernel in question.kernels:
        if len(kernel) > 1:
            print(f"{question.question.id}: needs {' + '.join(kernel)}")

with TemporaryDirectory() as folder:
    mined.save(Path(folder) / "mined")
    result = goldproof.evaluate(
        Path(folder) / "mined" / "beir",
        retrievers={"bm25": "bm25", "dense": "dense(minilm)"},
        metrics="nDCG@10, R@10, SetSuccess@10",
        primary="nDCG@10",
        baseline="bm25",
    )
    print(result)
