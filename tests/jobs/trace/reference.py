"""A plain scorer of traces: slow, and so simple that it can be checked by reading it.

It follows the definitions word by word, with sets and loops, and shares no code with the product. Results are told
apart by a function from a result to whatever identifies it, None for a result that is never a duplicate.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]
METRICS = ("CG", "RG", "DCG", "DRG", "AvgGain", "RAG", "DRAG", "SRE", "SRR")
NEED_LABELS = METRICS[:-1]


def by_id(result: Json) -> object:
    return result.get("id")


def score_conversation(
    conversation: Json, *, threshold: int = 2, identity: Callable[[Json], object] = by_id
) -> list[Json]:
    """Return one row per iteration with everything that seed counts and metrics define; [] without a search."""
    turns = conversation["turns"]
    iterations = turns[-1]["iterations"] if turns else []
    searched = [iteration for iteration in iterations if iteration["searches"]]
    groups = _group_labels(searched, identity)
    labelled = any(label is not None for label in groups.values())
    unlabelled_trace = bool(groups) and not labelled
    rows: list[Json] = []
    seen: set[object] = set()
    number = 0
    for i, iteration in enumerate(searched, start=1):
        r = ur = gr = g = blank = 0
        for search in iteration["searches"]:
            for result in search["results"]:
                number += 1
                key = identity(result)
                key = ("alone", number) if key is None else ("key", key)
                r += 1
                if key in seen:
                    continue
                seen.add(key)
                ur += 1
                label = groups[key]
                if label is None:
                    blank += 1
                elif label >= threshold:
                    gr += 1
                    g += label
        rows.append({"i": i, "R": r, "UR": ur, "GR": gr, "Dup": r - ur, "G": g, "unlabelled": blank})
    for row in rows:
        row.update(_metrics(rows[: row["i"]]))
        if unlabelled_trace:
            row.update(dict.fromkeys(NEED_LABELS))
    return rows


def iterations_for_all_good_results(rows: list[Json]) -> float | None:
    """By its own pool: the last iteration that brought something good."""
    if not rows or rows[-1]["CG"] is None or not any(row["GR"] for row in rows):
        return None
    return float(min(max(row["i"] for row in rows if row["GR"]), 100))


def label_conflicts(conversation: Json, identity: Callable[[Json], object] = by_id) -> int:
    """Duplicates that carry another label than the first label of their group."""
    turns = conversation["turns"]
    searched = [iteration for iteration in turns[-1]["iterations"] if iteration["searches"]] if turns else []
    groups = _group_labels(searched, identity)
    seen: set[object] = set()
    conflicts = 0
    for result in _results(searched):
        key = identity(result)
        if key in seen and result.get("gain") is not None and result["gain"] != groups["key", key]:
            conflicts += 1
        if key is not None:
            seen.add(key)
    return conflicts


def _group_labels(searched: list[Json], identity: Callable[[Json], object]) -> dict[object, int | None]:
    """The first label seen in each group, None where it has none."""
    labels: dict[object, int | None] = {}
    for number, result in enumerate(_results(searched), start=1):
        key = identity(result)
        key = ("alone", number) if key is None else ("key", key)
        if labels.get(key) is None:
            labels[key] = result.get("gain")
    return labels


def _results(searched: list[Json]) -> list[Json]:
    return [result for iteration in searched for search in iteration["searches"] for result in search["results"]]


def _metrics(rows: list[Json]) -> Json:
    """The nine metrics at the last of these rows."""
    i = len(rows)
    weights = [1 / math.log2(row["i"] + 1) for row in rows]
    average = [row["G"] / row["R"] if row["R"] else 0.0 for row in rows]
    total = {name: sum(row[name] for row in rows) for name in ("R", "UR", "GR", "Dup", "G")}
    dcg = sum(w * row["G"] for w, row in zip(weights, rows, strict=True))
    return {
        "R@i": total["R"],
        "UR@i": total["UR"],
        "GR@i": total["GR"],
        "DupR@i": total["Dup"],
        "CG": float(total["G"]),
        "RG": total["G"] / i,
        "DCG": dcg,
        "DRG": dcg / i,
        "AvgGain": average[-1],
        "RAG": sum(average) / i,
        "DRAG": sum(w * a for w, a in zip(weights, average, strict=True)) / i,
        "SRE": total["GR"] / total["R"] if total["R"] else 0.0,
        "SRR": total["Dup"] / total["R"] if total["R"] else 0.0,
    }
