"""Compare two retrievers on the bundled dataset, question by question.

Run: python examples/compare_retrievers.py
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import goldproof

demo = Path(str(files("goldproof.data") / "demo"))
result = goldproof.evaluate(
    demo,
    runs={name: demo / "runs" / f"{name}.trec" for name in ("titles", "fulltext")},
    metrics="nDCG@10, SetSuccess@10",
    primary="nDCG@10",
    clusters="topic",  # questions on one topic are not independent
)
print(result)

frame = result.to_frame().filter(metric="nDCG@10").pivot("run", index="id", values="value").drop_nulls()
print(frame.with_columns(gain=frame["fulltext"] - frame["titles"]).sort("gain").head(5))
