"""Every measure we share with trec_eval meets its reference outputs to the printed digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.metrics import Metric, match, parse_metric, score, unjudged
from goldproof.study.summary import metric_facts

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.metrics import Matched

pytestmark = pytest.mark.realdata

PLAIN = {"map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "Rprec": "Rprec", "bpref": "Bpref"}
PLAIN |= {"set_P": "P", "set_recall": "R", "set_F": "F1", "set_map": "SetAP", "rbp": "RBP(p=0.9)"}
AT_K = {"P": "P", "recall": "R", "map_cut": "AP", "ndcg_cut": "nDCG", "success": "Hit"}


@dataclass(frozen=True)
class Variant:
    """One call of trec_eval: `out` is what it printed; compared: how many of its rows are ours."""

    out: str
    qrels: str
    compared: int
    truncated: bool = False
    rel: int = 1
    depth: int | None = None


# Per query and for the mean: 10 plain measures, 9 cutoffs each of P, recall, map_cut and ndcg_cut, 3 of success, 3 of
# unj and 11 levels of iprec_at_recall: 63 rows; for the mean also gm_map. Without -q only the mean. The default output
# has map, gm_map, Rprec, bpref, recip_rank, 11 levels and 9 cutoffs of P. With -l there is no rbp to compare: it scales
# the grades of each query, whatever the level.
VARIANTS = [
    Variant("out.test", "qrels.test", compared=25),
    Variant("out.test.a", "qrels.test", compared=64),
    Variant("out.test.aq", "qrels.test", compared=4 * 63 + 1),
    Variant("out.test.aqc", "qrels.test", compared=4 * 63 + 1, truncated=True),
    Variant("out.test.aqcM", "qrels.test", compared=4 * 63 + 1, truncated=True, depth=100),
    Variant("out.test.aql", "qrels.rel_level", compared=4 * 62 + 1, rel=2),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: v.out)
def test_the_printed_digits_are_met(realdata: Path, variant: Variant) -> None:
    folder = realdata / "trec_eval"
    matched = matched_as(variant, folder)
    wrong, compared = [], 0
    for line in (folder / variant.out).read_text(encoding="utf-8").splitlines():
        name, query, printed = line.split("\t")
        if name.strip() == "gm_map":
            ours = geometric_mean(matched, rel=variant.rel)
        else:
            values = our_values(name.strip(), matched, rel=variant.rel)
            if values is None:
                continue
            ours = values.mean() if query == "all" else values[matched.questions.index(query)]
        compared += 1
        if f"{ours:.4f}" != printed:
            wrong.append(f"{name.strip()} {query}: trec_eval {printed}, ours {ours:.6f}")
    assert not wrong
    assert compared == variant.compared


@pytest.mark.parametrize("variant", VARIANTS[2:], ids=lambda v: v.out)
def test_the_counts_of_documents_are_met(realdata: Path, variant: Variant) -> None:
    folder = realdata / "trec_eval"
    matched = matched_as(variant, folder)
    ranks = matched.ranks
    counts = {
        "num_ret": score("NumRet", matched).value,
        "num_rel": score(f"NumRel(rel={variant.rel})", matched).value,
        "num_rel_ret": score(f"NumRelRet(rel={variant.rel})", matched).value,
        "num_nonrel_judged_ret": np.bincount(ranks.question[ranks.grade < variant.rel], minlength=ranks.questions),
    }
    printed = [line.split("\t") for line in (folder / variant.out).read_text(encoding="utf-8").splitlines()]
    seen = {(name.strip(), query): value for name, query, value in printed}
    for name, per_question in counts.items():
        for query, count in zip(matched.questions, per_question.tolist(), strict=True):
            assert int(seen[name, query]) == count, (name, query)
        assert int(seen[name, "all"]) == per_question.sum()


def matched_as(variant: Variant, folder: Path) -> Matched:
    lines = (folder / "results.test").read_text(encoding="utf-8").splitlines()
    run: dict[str, dict[str, float]] = {}
    for query, _, document, _, sim, _ in map(str.split, truncated(lines) if variant.truncated else lines):
        run.setdefault(query, {})[document] = float(sim)
    qrels: dict[str, dict[str, int]] = {}
    for query, _, document, grade in map(str.split, (folder / variant.qrels).read_text(encoding="utf-8").splitlines()):
        qrels.setdefault(query, {})[document] = int(grade)
    return match(qrels, run, depth=variant.depth)


def truncated(lines: list[str]) -> list[str]:
    """Rebuild trec_eval's results.trunc: without topic 302, and topic 303 cut in the middle of the file."""
    of_303 = [line for line in lines if line.startswith("303\t")]
    return [line for line in lines if line.startswith("301\t")] + of_303[:84]


def geometric_mean(matched: Matched, *, rel: int) -> float:
    values = value_of(parse_metric("GMAP"), matched, rel=rel)
    average = metric_facts("GMAP", values).average(values)
    assert average is not None
    return average


def our_values(name: str, matched: Matched, *, rel: int) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    if at_recall := re.fullmatch(r"iprec_at_recall_(\d\.\d\d)", name):
        return interpolated(float(at_recall[1]), matched, rel=rel)
    if name == "rbp" and rel > 1:
        return None
    at_k = re.fullmatch(r"(\w+?)_(\d+)", name)
    if at_k and at_k[1] == "unj":
        # unj_k divides by k, where our Judged@k divides by what was retrieved; the count itself is the same.
        return unjudged(matched, k=int(at_k[2])) / int(at_k[2])
    if at_k and at_k[1] in AT_K:
        return value_of(parse_metric(f"{AT_K[at_k[1]]}@{at_k[2]}"), matched, rel=rel)
    return value_of(parse_metric(PLAIN[name]), matched, rel=rel) if name in PLAIN else None


def interpolated(level: float, matched: Matched, *, rel: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    # trec_eval 10 rounds level * R to the nearest number of documents, where 9 and ir_measures round up: take, for each
    # question, the level that asks for as many.
    relevant = score(f"NumRel(rel={rel})", matched).value
    levels = np.floor(level * relevant + 0.5) / relevant
    metrics = [Metric("IPrec", rel=rel, recall=float(taken)) for taken in levels]
    return np.array([score(metric, matched).value[i] for i, metric in enumerate(metrics)])


def value_of(metric: Metric, matched: Matched, *, rel: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if rel > 1 and metric.family != "nDCG":  # -l does not move the gains
        metric = parse_metric(str(metric).replace(metric.family, f"{metric.family}(rel={rel})", 1))
    return score(metric, matched, no_relevant="zero").value
