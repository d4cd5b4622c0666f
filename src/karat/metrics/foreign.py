"""What people call a metric elsewhere, and what it is called here.

Some foreign names have two readings. The hint names them all; guessing one would print a number under a wrong name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from karat.metrics.catalogue import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterable

_PRECISION = {"P": "share of the first k that is relevant"}
_RECALL = {
    "R": "share of the relevant documents found",
    "Hit": "1 if any relevant document is found, which some call Recall@K",
    "SetRecall": "share of a kernel found",
}
_SUCCESS = {
    "Hit": "1 if any relevant document is found",
    "SetSuccess": "1 if every document of a kernel is found, which some call Success@K",
}
_READINGS: dict[str, dict[str, str]] = {
    "recall": _RECALL,
    "success": _SUCCESS,
    "precision": _PRECISION,
    "prec": _PRECISION,
    "setp": {"P": "without a cutoff it divides by the number retrieved"},
    "setr": {"R": "without a cutoff it looks at all that was retrieved"},
    "setf": {"F1": "without a cutoff it looks at all that was retrieved"},
    "f": {"F1": "harmonic mean of precision and recall"},
    "fscore": {"F1": "harmonic mean of precision and recall"},
    "mrr": {"RR": "its mean over questions is the MRR"},
    "reciprank": {"RR": "reciprocal rank of the first relevant document"},
    "map": {"AP": "its mean over questions is the MAP"},
    "mapcut": {"AP": "average precision"},
    "ndcgcut": {"nDCG": "gain = grade, as in trec_eval"},
    "hits": {"Hit": "1 if any relevant document is found"},
    "hitrate": {"Hit": "its mean over questions is the hit rate"},
    "accuracy": {"Hit": "1 if any relevant document is found"},
    "iou": {"Jaccard": "intersection over union with the best kernel"},
    "unj": {"Judged": "share of the first k that is judged"},
    "unjudged": {"Judged": "share of the first k that is judged"},
}
_PARTS = re.compile(r"(?P<word>[A-Za-z][A-Za-z0-9_]*?)[_.@]?(?P<cutoff>\d+)?", re.ASCII)


def foreign_hint(name: str, families: Iterable[str]) -> str:
    """Say what the name may mean here; empty where nothing is known about it."""
    bare = re.sub(r"\([^()]*\)", "", name)
    found = _PARTS.fullmatch(bare.strip())
    if found is None:
        return ""
    word = found["word"].replace("_", "").lower()
    suffix = f"@{found['cutoff']}" if found["cutoff"] else ""
    if word in _READINGS:
        readings = [f"{_spell(family, suffix)} ({what})" for family, what in _READINGS[word].items()]
        return f"here this is called {' or '.join(readings)}."
    same = [family for family in families if family.lower() == word]
    return f"names are case-sensitive: write {same[0]}{suffix}." if same else ""


def _spell(family: str, suffix: str) -> str:
    return family + (suffix or ("@10" if SHAPES[family].cutoff == "required" else ""))
