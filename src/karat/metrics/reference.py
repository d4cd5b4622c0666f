"""The reference page of all metrics, written from their own definitions and computed on one small example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.metrics.catalogue import METRICS
from karat.metrics.explanation import explain
from karat.metrics.matched import match

if TYPE_CHECKING:
    from karat.metrics.definition import Definition
    from karat.metrics.matched import Matched

_INTRO = """\
# Metrics

This page is generated from the metrics' own docstrings: `make docs`.

## Names

A name is a family, optional parameters and an optional cutoff, in the spelling of ir_measures: `nDCG@10`, `P(rel=2)@5`,
`nDCG(dcg='exp-log2')@10`, `AP`. Names are case-sensitive. `Success@5` is read as `Hit@5`. A foreign name (`MRR`,
`Recall@10`, `ndcg_cut_10`) is refused with a hint, because some of them mean different things in different places.

## Conventions

- **Which questions count.** Every judged question: those with grades, with a kernel, or marked unanswerable. One that
  the run lacks scores 0 and is counted as missing (trec_eval's `-c`). `--queries both` keeps only questions that the
  run has. Questions of the run without judgments are left out and counted.
- **Order.** Score descending, then document id descending (by UTF-8 bytes), as in trec_eval. The rank column of a TREC
  file is ignored. Scores are compared in double precision; trec_eval itself compares single precision, so scores that
  differ only beyond about seven digits are tied there and not here. The report says which share of the rows was tied.
- **Relevant** means a grade of at least 1, or of at least n with `(rel=n)`. Unjudged documents are not relevant. A
  negative grade means pooled but not judged: such a document is unjudged. Grades are whole numbers.
- **No relevant document:** the value is undefined, left out of the mean and counted. trec_eval counts 0 instead; that
  is available by name (`--no-relevant zero`), for questions that have at least one judgment.
- **Unjudged documents.** `unjudged_share` is their part of the results; `bounds` gives the score if they had all been
  judged not relevant, and if they had all been judged relevant with the highest grade. In the second case they join the
  relevant documents of their question, so AP, nDCG, Rprec and Bpref can fall as well as rise.
- **Means** are taken over the scored questions, in a fixed order.

## The example

The values below are computed on this question. `d3` and `d5` are unjudged, `d9` was not retrieved. It has two kernels,
`{d2, d9}` and `{d2, d4, d6}`; `FalseSurface` is shown for a second question that has no answer.

| rank | document | grade |
| --- | --- | --- |
| 1 | d1 | 0 |
| 2 | d2 | 2 |
| 3 | d3 | - |
| 4 | d4 | 1 |
| 5 | d5 | - |
| 6 | d6 | 3 |
| - | d9 | 1 |
"""
_EXAMPLES = {
    "AP": ("AP", "AP@5"),
    "Bpref": ("Bpref", "Bpref(rel=2)"),
    "F1": ("F1@5", "F1"),
    "P": ("P@5", "P(rel=2)@5", "P"),
    "R": ("R@5", "R"),
    "RR": ("RR", "RR(rel=3)@10"),
    "Rprec": ("Rprec",),
    "nDCG": ("nDCG@5", "nDCG(dcg='exp-log2')@5", "nDCG"),
}


_TREC_EVAL = {
    "AP": "map, map_cut",
    "Bpref": "bpref",
    "F1": "set_F (without cutoff)",
    "Hit": "success",
    "Judged": "1 - unj, over what was retrieved",
    "P": "P, set_P",
    "R": "recall, set_recall",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "nDCG": "ndcg, ndcg_cut",
}


def metrics_page() -> str:
    """Return the page as Markdown."""
    definitions = [METRICS.get(family) for family in METRICS]
    rows = ["| name | meaning | trec_eval |", "| --- | --- | --- |"]
    rows += [
        f"| [{d.shape.example}](#{d.family.lower()}) | {d.summary} | {_TREC_EVAL.get(d.family, '-')} |"
        for d in definitions
    ]
    matched = _example()
    sections = [_section(definition, matched) for definition in definitions]
    return "\n".join([_INTRO, "## All metrics", "", *rows, "", *sections])


def _section(definition: Definition, matched: Matched) -> str:
    names = _EXAMPLES.get(definition.family, (f"{definition.family}@5",))
    index = 1 if definition.kind == "unanswerable" else 0
    shown = "\n".join(f"    {explain(name, matched, index=index)}" for name in names)
    return f"### {definition.family}\n\n{definition.help.strip()}\n\nExample:\n\n{shown}\n"


def _example() -> Matched:
    return match(
        {"question": {"d1": 0, "d2": 2, "d4": 1, "d6": 3, "d9": 1}},
        {"question": {f"d{i}": 7.0 - i for i in range(1, 7)}, "unanswerable": {"d1": 0.2}},
        kernels={"question": [["d2", "d9"], ["d2", "d4", "d6"]]},
        unanswerable=["unanswerable"],
    )
