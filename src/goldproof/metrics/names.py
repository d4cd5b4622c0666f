"""Parse and print metric names, and explain names of other tools.

The spelling is that of ir_measures: a family, optional parameters, an optional cutoff: `nDCG@10`, `P(rel=2)@5`,
`nDCG(dcg='exp-log2')@10`, `nDCG(gains={1:1,2:5})@10`, `nDCG(judged_only=True)@10`, `RBP(p=0.9)`, `AP`; `IPrec@0.1` is
cut at a recall. Names are case-sensitive. `Success@5` is read as `Hit@5`, `NumRet(rel=2)` as `NumRelRet(rel=2)`. A
parameter that has its default value (`rel=1`, `p=0.8`, `dcg='log2'`, `norm=True`, `judged_only=False`) and a gain that
is its grade are dropped, so that equal metrics have equal names. Printing and parsing are inverse. Metrics of search
traces have an iteration as their cutoff: `CG@3` sums through iteration 3. `AvgGain_3` is the value at iteration 3
alone, hence its other separator.

This module imports neither numpy nor polars: naming a metric must stay cheap.

Some names of other tools have two readings. The hint names them all; guessing one would print a number under a wrong
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.metrics.catalogue import METRICS, SHAPES

if TYPE_CHECKING:
    from goldproof.metrics.catalogue import Shape


ALIASES = {"Success": "Hit"}

LARGEST = 1_000_000_000

DCG_KINDS = ("log2", "exp-log2")

PERSISTENCE = 0.8

_NAME = re.compile(r"(?P<family>[A-Za-z]\w*)\s*(?:\((?P<params>[^()]*)\))?\s*(?:@\s*(?P<cutoff>[^@\s]*))?", re.ASCII)

_OUTSIDE_COMMA = re.compile(r",(?![^(]*\))")

_OUTSIDE_BRACES = re.compile(r",(?![^{]*\})")

# Up to four digits: so many are printed as they are read, without an exponent.
_DECIMAL = re.compile(r"\d+(?:\.\d{0,4}0*)?|\.\d{1,4}0*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as a value: `str(metric)` is its name, and `parse_metric(str(metric)) == metric`.

    cutoff: only the first `cutoff` documents (of a trace: iterations) are seen; None = all. rel: the lowest grade that
    is relevant; None = 1. dcg: the gain of nDCG; None = the grade itself, "exp-log2" = 2 ** grade - 1. judged_only:
    unjudged documents are taken out of the ranking first. p: the persistence of RBP; None = 0.8. recall: the level of
    IPrec. gains: (grade, gain) by rising grade, of grades that are not their own gain. norm: False = DCG itself.
    """

    family: str
    cutoff: int | None = None
    rel: int | None = None
    dcg: str | None = None
    judged_only: bool = False
    p: float | None = None
    recall: float | None = None
    gains: tuple[tuple[int, int], ...] | None = None
    norm: bool = True

    def __str__(self) -> str:
        params = [f"p={self.p}"] if self.p is not None else []
        params += [f"rel={self.rel}"] if self.rel is not None else []
        params += [f"dcg='{self.dcg}'"] if self.dcg is not None else []
        params += [f"gains={{{','.join(f'{grade}:{gain}' for grade, gain in self.gains)}}}"] if self.gains else []
        params += [] if self.norm else ["norm=False"]
        params += ["judged_only=True"] if self.judged_only else []
        inside = f"({', '.join(params)})" if params else ""
        cutoff = self.cutoff if self.recall is None else self.recall
        return f"{self.family}{inside}" + (f"{self._separator}{cutoff}" if cutoff is not None else "")

    @property
    def threshold(self) -> int:
        """The lowest grade that counts as relevant."""
        return 1 if self.rel is None else self.rel

    @property
    def persistence(self) -> float:
        """How likely a reader goes on from one document to the next."""
        return PERSISTENCE if self.p is None else self.p

    @property
    def _separator(self) -> str:
        shape = _known_shape(self.family)
        return "@" if shape is None else shape.separator


def parse_metric(text: str) -> Metric:
    """Read one metric name; InputError says what is wrong with it."""
    name = text.strip()
    match = _NAME.fullmatch(name)
    if match is None:
        if advice := foreign_hint(name, METRICS):
            raise UnknownNameError("metric", name, METRICS, advice=advice)
        raise InputError(
            f"metric {text!r} is not a metric name; expected a family, parameters and a cutoff, "
            "such as nDCG@10 or P(rel=2)@5."
        )
    family, number, separator = _split(match["family"], match["cutoff"])
    if family in ALIASES and number is not None:
        family = ALIASES[family]
    if family == "NumRet" and match["params"]:
        family = "NumRelRet"
    shape = _shape(family, name)
    if shape.cutoff == "recall":
        metric = Metric(family, recall=_recall(number, name=name, shape=shape))
    else:
        metric = Metric(family, _cutoff(number, name=name, shape=shape, separator=separator))
    return _with_parameters(metric, match["params"], name=name, shape=shape)


def parse_metrics(names: str | Iterable[str | Metric]) -> tuple[Metric, ...]:
    """Read a comma list, or several names; a comma inside parentheses does not separate, duplicates are dropped."""
    if not isinstance(names, Iterable):
        raise InputError(f"metrics are given by name, such as 'nDCG@10'; found {names!r}.")
    parts: list[str | Metric] = [names] if isinstance(names, str) else list(names)
    metrics: dict[Metric, None] = {}
    for part in parts:
        if isinstance(part, Metric):
            metrics[part] = None
            continue
        if not isinstance(part, str):
            raise InputError(f"metrics are given by name, such as 'nDCG@10'; found {part!r}.")
        for name in _OUTSIDE_COMMA.split(part):
            if name.strip():
                metrics[parse_metric(name)] = None
    if not metrics:
        raise InputError("no metric is named; expected at least one, such as nDCG@10,R@100.")
    return tuple(metrics)


def _split(word: str, cutoff: str | None) -> tuple[str, str | None, str]:
    """Return family, cutoff and separator: an underscore may belong to the word or separate it."""
    stem, _, number = word.rpartition("_")
    shape = _known_shape(stem) if cutoff is None and _known_shape(word) is None else None
    return (stem, number, "_") if shape is not None and shape.separator == "_" else (word, cutoff, "@")


def _shape(family: str, name: str) -> Shape:
    shape = _known_shape(family)
    if shape is None:
        raise UnknownNameError("metric", name, METRICS, near_to=family, advice=foreign_hint(name, METRICS))
    return shape


def _known_shape(family: str) -> Shape | None:
    if family in SHAPES:
        return SHAPES[family]
    return METRICS.get(family).shape if family in METRICS else None


def _cutoff(text: str | None, *, name: str, shape: Shape, separator: str) -> int | None:
    if text is None:
        if shape.cutoff == "required":
            raise InputError(f"metric {name!r} needs a cutoff: how many documents to look at, such as {shape.example}.")
        return None
    if shape.cutoff == "none":
        raise InputError(f"metric {name!r}: {shape.family} takes no cutoff; write {shape.example}.")
    if shape.separator != separator:
        raise InputError(
            f"metric {name!r}: {shape.family} is the value at one iteration, which is written with "
            f"{shape.separator!r}: {shape.spell(text or shape.usual)}."
        )
    if not _is_count(text):
        raise InputError(
            f"metric {name!r}: cutoff {text!r} is not a whole number from 1 to {LARGEST:,}; "
            f"write it as {shape.example}."
        )
    return int(text)


def _recall(text: str | None, *, name: str, shape: Shape) -> float:
    if text is not None and _DECIMAL.fullmatch(text) and float(text) <= 1:
        return float(text)
    found = "is not cut" if text is None else f"is cut at {text!r}"
    at_rank = f" Precision at rank {text} is P@{text}." if text is not None and _is_count(text) else ""
    raise InputError(
        f"metric {name!r} {found}; {shape.family} is cut at a level of recall from 0 to 1 with at most four "
        f"decimals, such as {shape.example}.{at_rank}"
    )


def _with_parameters(metric: Metric, text: str | None, *, name: str, shape: Shape) -> Metric:
    seen: set[str] = set()
    for part in _OUTSIDE_BRACES.split(text) if text and text.strip() else ():
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in shape.params:
            allowed = ", ".join(shape.params) or "none"
            raise InputError(f"metric {name!r}: unknown parameter {key!r}; {shape.family} takes: {allowed}.")
        if key in seen:
            raise InputError(f"metric {name!r}: parameter {key!r} is given twice; keep one.")
        seen.add(key)
        if key == "rel":
            metric = replace(metric, rel=_threshold(value, name=name))
        elif key == "p":
            metric = replace(metric, p=_persistence(value, name=name))
        elif key == "dcg":
            metric = replace(metric, dcg=_gain(value, name=name))
        elif key == "gains":
            metric = replace(metric, gains=_gains(value, name=name))
        elif key == "norm":
            metric = replace(metric, norm=_yes_or_no(value, name=name, key=key))
        else:
            metric = replace(metric, judged_only=_yes_or_no(value, name=name, key=key))
    if metric.dcg is not None and metric.gains is not None:
        raise InputError(f"metric {name!r}: gains and dcg='{metric.dcg}' both say what a grade is worth; give one.")
    return metric


def _threshold(value: str, *, name: str) -> int | None:
    if not _is_count(value):
        raise InputError(f"metric {name!r}: rel={value} is not a whole number from 1 to {LARGEST:,}, such as rel=2.")
    return int(value) if int(value) != 1 else None


def _persistence(value: str, *, name: str) -> float | None:
    if not (_DECIMAL.fullmatch(value) and 0 < float(value) < 1):
        raise InputError(
            f"metric {name!r}: p={value} is not a number between 0 and 1 with at most four decimals, such as p=0.9."
        )
    return float(value) if float(value) != PERSISTENCE else None


def _gains(value: str, *, name: str) -> tuple[tuple[int, int], ...] | None:
    inside = value[1:-1] if value.startswith("{") and value.endswith("}") else ""
    gains: dict[int, int] = {}
    for pair in inside.split(","):
        grade, _, gain = (piece.strip() for piece in pair.partition(":"))
        if not (_is_grade(grade) and _is_grade(gain)):
            raise InputError(
                f"metric {name!r}: gains={value} is not grades and their gains as whole numbers of 0 or more, such as "
                "gains={1:1,2:5}."
            )
        if int(grade) in gains:
            raise InputError(f"metric {name!r}: gains names grade {grade} twice; keep one.")
        gains[int(grade)] = int(gain)
    return tuple(sorted((grade, gain) for grade, gain in gains.items() if grade != gain)) or None


def _yes_or_no(value: str, *, name: str, key: str) -> bool:
    if value not in {"True", "False"}:
        raise InputError(f"metric {name!r}: {key}={value} is neither True nor False, such as {key}=True.")
    return value == "True"


def _is_count(text: str) -> bool:
    return _is_grade(text) and int(text) >= 1


def _is_grade(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= LARGEST


def _gain(value: str, *, name: str) -> str | None:
    kind = value.strip("'\"")
    if kind not in DCG_KINDS:
        raise UnknownNameError(f"gain in metric {name!r}:", kind, DCG_KINDS)
    return None if kind == "log2" else kind


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
    "meanreciprocalrank": {"RR": "its mean over questions is the MRR"},
    "reciprank": {"RR": "reciprocal rank of the first relevant document"},
    "reciprocalrank": {"RR": "reciprocal rank of the first relevant document"},
    "map": {"AP": "its mean over questions is the MAP"},
    "meanaverageprecision": {"AP": "its mean over questions is the MAP"},
    "mapcut": {"AP": "average precision"},
    "averageprecision": {"AP": "average precision"},
    "gmmap": {"GMAP": "geometric mean over questions of average precision"},
    "setmap": {"SetAP": "precision times recall of all that was retrieved"},
    "rprecision": {"Rprec": "precision after as many documents as are relevant"},
    "iprecatrecall": {"IPrec": "interpolated precision at a level of recall"},
    "rankbiasedprecision": {"RBP": "rank-biased precision"},
    "expectedreciprocalrank": {"ERR": "expected reciprocal rank"},
    "ndcgcut": {"nDCG": "gain = grade, as in trec_eval"},
    "hits": {"Hit": "1 if any relevant document is found"},
    "hitrate": {"Hit": "its mean over questions is the hit rate"},
    "hitratio": {"Hit": "its mean over questions is the hit ratio"},
    "hr": {"Hit": "its mean over questions is the hit rate"},
    "accuracy": {"Hit": "1 if any relevant document is found"},
    "dcg": {
        "nDCG(norm=False)": "of rankings",
        "nDCG": "of rankings, over that of the ideal ranking",
        "DCG": "of search traces, discounted by iteration",
    },
    "iou": {"Jaccard": "intersection over union with the best kernel"},
    "unj": {"Judged": "share of the first k that is judged"},
    "unjudged": {"Judged": "share of the first k that is judged"},
}

_PARTS = re.compile(r"(?P<word>[A-Za-z][A-Za-z0-9_]*?)[_.@]?(?P<cutoff>\d+(?:\.\d+)?)?", re.ASCII)


def foreign_hint(name: str, families: Iterable[str]) -> str:
    """Say what the name may mean here; empty where nothing is known about it."""
    bare = re.sub(r"\([^()]*\)", "", name)
    match = _PARTS.fullmatch(bare.strip())
    if match is None:
        return ""
    cutoff, known = match["cutoff"], set(families)
    if match["word"] in known:
        return f"write {_spell(match['word'], cutoff)}."
    word = match["word"].replace("_", "").lower()
    if word in _READINGS:
        readings = [f"{_spell(family, cutoff)} ({meaning})" for family, meaning in _READINGS[word].items()]
        return f"here this is called {' or '.join(readings)}."
    same = sorted(family for family in known if family.lower() == word)
    return f"names are case-sensitive: write {_spell(same[0], cutoff)}." if same else ""


def _spell(name: str, cutoff: str | None) -> str:
    """Write a family, or one with parameters, with a cutoff that it can have."""
    family, bracket, params = name.partition("(")
    shape = SHAPES.get(family)
    if shape is None:
        return f"{name}@{cutoff}" if cutoff else name
    at_recall = shape.cutoff == "recall"
    if cutoff and (("." in cutoff) != at_recall or (at_recall and float(cutoff) > 1)):
        cutoff = None
    usual = shape.usual if shape.cutoff in {"required", "recall"} else None
    spelt = shape.spell((float(cutoff) if at_recall else cutoff) if cutoff else usual)
    return spelt.replace(family, f"{family}{bracket}{params}", 1)
