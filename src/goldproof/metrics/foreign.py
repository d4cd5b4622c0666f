"""What people call a metric elsewhere, and what it is called here.

Some foreign names have two readings. The hint names them all; guessing one would print a number under a wrong name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.metrics.catalogue import SHAPES

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
    "dcg": {
        "nDCG": "of rankings, over that of the ideal ranking",
        "DCG": "of search traces, discounted by iteration",
    },
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
    cutoff, known = found["cutoff"], set(families)
    if found["word"] in known:
        return f"write {_spell(found['word'], cutoff)}."
    word = found["word"].replace("_", "").lower()
    if word in _READINGS:
        readings = [f"{_spell(family, cutoff)} ({what})" for family, what in _READINGS[word].items()]
        return f"here this is called {' or '.join(readings)}."
    same = sorted(family for family in known if family.lower() == word)
    return f"names are case-sensitive: write {_spell(same[0], cutoff)}." if same else ""


def _spell(family: str, cutoff: str | None) -> str:
    shape = SHAPES.get(family)
    if shape is None:
        return f"{family}@{cutoff}" if cutoff else family
    return shape.spell(cutoff or (shape.usual if shape.cutoff == "required" else None))
