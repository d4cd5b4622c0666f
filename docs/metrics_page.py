"""The reference page of all metrics, written from their own definitions and computed on one small example."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics.catalogue import METRICS
from goldproof.metrics.gain.iterations import Iterations
from goldproof.metrics.matching.match import match
from goldproof.metrics.scoring import explain, explain_completion, explain_iterations

if TYPE_CHECKING:
    from goldproof.metrics.catalogue import Definition
    from goldproof.metrics.matching.match import Matched

_INTRO = """\
# Metrics

Every metric with its formula, its conventions and a worked value. Those of rankings equal trec_eval's. This page is
generated from the metrics' own docstrings: `make docs`. `goldproof metrics NAME` prints one on the terminal.

## Names

A name is a family, optional parameters and an optional cutoff, in the spelling of ir_measures: `nDCG@10`, `P(rel=2)@5`,
`nDCG(dcg='exp-log2')@10`, `nDCG(gains={1:1,2:5})@10`, `nDCG(judged_only=True)@10`, `RBP(p=0.9)`, `AP`. The number
after `IPrec@` is a recall, not a rank. Names are case-sensitive. `Success@5` is read as `Hit@5`, `NumRet(rel=1)` as
`NumRelRet`. A foreign name (`MRR`, `Recall@10`, `ndcg_cut_10`, `iprec_at_recall_0.10`) is refused with a hint, because
some of them mean different things in different places.

Metrics of search traces have an iteration where others have a rank: `CG@3` is the value through iteration 3,
`AvgGain_3` the value at iteration 3 alone, and without a number it is the last iteration. They are computed by
`goldproof trace`, those of rankings by `goldproof eval`. All of them are known in score files, gates and `goldproof
compare`.

## Rankings: conventions

- **Which questions count.** Every judged question: those with grades, with a kernel, or marked unanswerable. One that
  the run lacks scores 0 and is counted as missing (trec_eval's `-c`). `--queries both` keeps only questions that the
  run has. Questions of the run without judgments are left out and counted.
- **Order.** Score descending, then document id descending (by UTF-8 bytes), as in trec_eval. The rank column of a TREC
  file is ignored. Scores are compared in double precision, as in trec_eval 10. trec_eval up to 9.0.8 and pytrec_eval
  use single precision: scores that differ only beyond about seven digits are tied there and not here. The report gives
  the share of tied rows.
- **The question itself.** In ArguAna and Quora the questions are documents too, and a retriever finds each of them
  first. BEIR drops a result that has the id of its question. Goldproof does so in a BEIR folder if a run returns a
  question's own id, at least half of these questions are the document of that id, and none has it judged relevant.
  Where ids are numbered (`7`, `q7`, `doc-7`) and may be equal by chance, 80% of the question's words must also be in
  the document. `--ignore-identical-ids` drops such results everywhere, `--no-ignore-identical-ids` nowhere. They are
  dropped before every cutoff and counted in a note; judgments stay. A retriever that is run on the spot is asked for
  `k` documents with the question among them: give `-k 101` for a full `R@100`.
- **Relevant** means a grade of at least 1, or of at least n with `(rel=n)`. Unjudged documents are not relevant. A
  negative grade means pooled but not judged: such a document is unjudged. Grades are whole numbers.
- **No relevant document:** the value is undefined, left out of the mean and counted. trec_eval counts 0 instead; that
  is available by name (`--no-relevant zero`), for questions that have at least one judgment.
- **Unjudged documents.** `unjudged_share` is their part of the results; `bounds` gives the score if they had all been
  judged not relevant, and if they had all been judged relevant with the highest grade. In the second case they join the
  relevant documents of their question, so AP, nDCG, Rprec and Bpref can fall as well as rise.
- **Judged documents only.** With `(judged_only=True)`, unjudged documents are taken out of the ranking before it is cut
  and scored, and what stood below them moves up (condensed lists; Sakai, SIGIR 2007). `--depth` cuts before that. AP,
  ERR, F1, GMAP, Hit, IPrec, P, R, RBP, RR, Rprec, SetAP and nDCG take it. A verdict of better or worse must hold on
  these lists too: [verdicts](../concepts/verdicts.md).
- **Means** are taken over the scored questions, in a fixed order. GMAP alone is a geometric mean.
- **Counts** (NumRet, NumRel, NumRelRet) are described with their mean and interval. They are never tested: neither more
  nor less is better.

## Rankings: the example

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
_TRACES = """\
## Search traces: conventions

- **What is scored.** The last turn of each conversation. An iteration is one in which search was invoked, by one search
  or several; they are numbered from 1, and N is how many there are. One that searched and found nothing counts, with
  R = 0. Results of earlier turns are not duplicates.
- **The sets of iteration i.** R: all results, duplicates included. UR: those that occur for the first time. GR: those
  of UR that are good. Dup: those that occurred before, in this iteration or an earlier one; R = UR + Dup. G_i is the
  sum of the gains of GR. `R@i`, `UR@i`, `GR@i` and `DupR@i` are the totals through iteration i. These counts are
  columns of the output, not metrics.
- **Gain** is the label of a result, 0 to 4. It is **good** from 2 on, unless another threshold is chosen; lower gains
  count nothing. Where occurrences of one result have different labels, the first label seen is taken, and the conflict
  is counted.
- **Unlabelled results** add no gain and are reported, with bounds. Where results came but none is labelled, gains are
  0 if labels beside the trace judge the question (it has at least one label there); else they are undefined, and counts
  and SRR are not.
- **Undefined** are all metrics where nothing was searched, and those with a number beyond N, unless values are carried
  on. So the mean of `CG@5` is over fewer conversations than that of `CG@1`.
- **Discount.** w(i) = 1 / log2(i + 1): w(1) = 1, w(2) = 0.6309, w(3) = 0.5.

## Search traces: the example

The values below are computed on this conversation. Iteration 2 returns `a` again, iteration 4 `d`; `e` is unlabelled;
iteration 3 searched and found nothing.

| iteration | results (gain) | R | UR | GR | Dup | G |
| --- | --- | --- | --- | --- | --- | --- |
| 1 | a (3), b (2), c (1) | 3 | 3 | 2 | 0 | 5 |
| 2 | a (3), d (4), e (-) | 3 | 2 | 1 | 1 | 4 |
| 3 | - | 0 | 0 | 0 | 0 | 0 |
| 4 | d (4), f (2) | 2 | 1 | 1 | 1 | 2 |
"""
_EXAMPLES = {
    "AP": ("AP", "AP@5"),
    "ERR": ("ERR@5", "ERR"),
    "GMAP": ("GMAP",),
    "IPrec": ("IPrec@0.1", "IPrec@0.5", "IPrec@1.0"),
    "NumRel": ("NumRel", "NumRel(rel=2)"),
    "NumRelRet": ("NumRelRet", "NumRelRet(rel=2)"),
    "NumRet": ("NumRet",),
    "RBP": ("RBP", "RBP(p=0.5)@5"),
    "SetAP": ("SetAP",),
    "Bpref": ("Bpref", "Bpref(rel=2)"),
    "F1": ("F1@5", "F1"),
    "P": ("P@5", "P(rel=2)@5", "P"),
    "R": ("R@5", "R"),
    "RR": ("RR", "RR(rel=3)@10"),
    "Rprec": ("Rprec",),
    "nDCG": (
        "nDCG@5",
        "nDCG(dcg='exp-log2')@5",
        "nDCG(gains={2:5})@5",
        "nDCG(norm=False)@5",
        "nDCG(judged_only=True)@5",
        "nDCG",
    ),
}


_TREC_EVAL = {
    "AP": "map, map_cut",
    "Bpref": "bpref",
    "F1": "set_F (without cutoff)",
    "GMAP": "gm_map",
    "Hit": "success",
    "IPrec": "iprec_at_recall (up to 9)",
    "Judged": "1 - unj, over what was retrieved",
    "NumRel": "num_rel, the sum over questions",
    "NumRelRet": "num_rel_ret, the sum over questions",
    "NumRet": "num_ret, the sum over questions",
    "P": "P, set_P",
    "R": "recall, set_recall",
    "RBP": "rbp, with p = 0.9 and grades 0 and 1",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "SetAP": "set_map",
    "nDCG": "ndcg, ndcg_cut",
}


def metrics_page() -> str:
    """Return the page as Markdown."""
    definitions = [METRICS.get(family) for family in METRICS]
    rankings = [definition for definition in definitions if definition.subject == "ranking"]
    traces = [definition for definition in definitions if definition.subject == "trace"]
    return "\n".join([_INTRO, *_rankings(rankings), _TRACES, *_traces(traces)])


def _rankings(definitions: list[Definition]) -> list[str]:
    rows = ["| name | meaning | trec_eval |", "| --- | --- | --- |"]
    rows += [f"| {_link(d)} | {d.summary} | {_TREC_EVAL.get(d.family, '-')} |" for d in definitions]
    matched = _ranking_example()
    explained = {d.help: d.family for d in reversed(definitions)}  # the first of those that share a definition
    sections = [_section(d, _explained_ranking(d, matched), defined_in=explained[d.help]) for d in definitions]
    return ["## Rankings: all metrics", "", *rows, "", *sections]


def _traces(definitions: list[Definition]) -> list[str]:
    rows = ["| name | meaning | better |", "| --- | --- | --- |"]
    rows += [f"| {_link(d)} | {d.summary} | {'higher' if d.higher_is_better else 'lower'} |" for d in definitions]
    iterations = _trace_example()
    sections = [_section(d, _explained_trace(d, iterations)) for d in definitions]
    return ["## Search traces: all metrics", "", *rows, "", *sections]


def _link(definition: Definition) -> str:
    return f"[{definition.shape.example}](#{definition.family.lower()})"


def _section(definition: Definition, sentences: list[str], *, defined_in: str | None = None) -> str:
    family, text = definition.family, definition.help.strip()
    if defined_in not in (None, family):
        see = f"{definition.summary} See [{defined_in}](#{str(defined_in).lower()})."
        text = f"{see}\n\n    {family} = {definition.formula}"
    shown = "\n".join(f"    {sentence}" for sentence in sentences)
    return f"### {family}\n\n{text}\n\nExample:\n\n{shown}\n"


def _explained_ranking(definition: Definition, matched: Matched) -> list[str]:
    names = _EXAMPLES.get(definition.family, (f"{definition.family}@5",))
    index = 1 if definition.kind == "unanswerable" else 0
    return [explain(name, matched, index=index) for name in names]


def _explained_trace(definition: Definition, iterations: Iterations) -> list[str]:
    if definition.kind == "completion":
        return [explain_completion(definition.family, len(iterations.results), pool=int(iterations.good.sum()))]
    return [explain_iterations(definition.shape.spell(i), iterations) for i in (2, 3, None)]


def _trace_example() -> Iterations:
    counts = {"results": [3, 3, 0, 2], "unique": [3, 2, 0, 1], "good": [2, 1, 0, 1], "gain": [5, 4, 0, 2]}
    return Iterations(starts=np.array([0, 4]), **{name: np.array(column) for name, column in counts.items()})


def _ranking_example() -> Matched:
    return match(
        {"question": {"d1": 0, "d2": 2, "d4": 1, "d6": 3, "d9": 1}},
        {"question": {f"d{i}": 7.0 - i for i in range(1, 7)}, "unanswerable": {"d1": 0.2}},
        kernels={"question": [["d2", "d9"], ["d2", "d4", "d6"]]},
        unanswerable=["unanswerable"],
    )
