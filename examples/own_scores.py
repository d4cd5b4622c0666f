"""Compare scores that another tool computed: write them as CSV, and let Goldproof do the statistics.

Run: python examples/own_scores.py
"""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import goldproof

old = {f"q{i}": 0.60 + 0.01 * (i % 7) for i in range(40)}
new = {f"q{i}": 0.63 + 0.01 * (i % 5) for i in range(40)}

with tempfile.TemporaryDirectory() as folder:
    for name, scores in (("old", old), ("new", new)):
        with Path(folder, f"{name}.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "metric", "value"])
            writer.writerows([question, "faithfulness", value] for question, value in scores.items())
    print(goldproof.compare(f"{folder}/new.csv", f"{folder}/old.csv"))
