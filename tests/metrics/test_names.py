"""Metric names: what is read, what is refused, and what the refusal suggests."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.metrics import METRICS, Metric, parse_metric, parse_metrics
from goldproof.metrics.catalogue import SHAPES


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("nDCG@10", Metric("nDCG", 10)),
        (" P(rel=2)@5 ", Metric("P", 5, 2)),
        ("nDCG(dcg='exp-log2')@10", Metric("nDCG", 10, None, "exp-log2")),
        ('nDCG(dcg="exp-log2")@10', Metric("nDCG", 10, None, "exp-log2")),
        ("nDCG(dcg=exp-log2)", Metric("nDCG", None, None, "exp-log2")),
        ("nDCG(dcg='log2')@10", Metric("nDCG", 10)),
        ("nDCG(judged_only=True)@10", Metric("nDCG", 10, judged_only=True)),
        ("P(rel=2, judged_only=True)@5", Metric("P", 5, 2, judged_only=True)),
        ("AP(judged_only=False)", Metric("AP")),
        ("P(rel=1)@5", Metric("P", 5)),
        ("P()@5", Metric("P", 5)),
        ("AP", Metric("AP")),
        ("Bpref(rel=3)", Metric("Bpref", None, 3)),
        ("Success@5", Metric("Hit", 5)),
        ("Success(rel=2)@5", Metric("Hit", 5, 2)),
        ("RBP(p=0.95)@20", Metric("RBP", 20, p=0.95)),
        ("RBP(p=.5, rel=2)", Metric("RBP", None, 2, p=0.5)),
        ("RBP(p=0.80, rel=1)", Metric("RBP")),
        ("IPrec@0.1", Metric("IPrec", recall=0.1)),
        ("IPrec(rel=2)@0.10", Metric("IPrec", None, 2, recall=0.1)),
        ("IPrec@1", Metric("IPrec", recall=1.0)),
        ("NumRet", Metric("NumRet")),
        ("NumRet(rel=1)", Metric("NumRelRet")),
        ("NumRet(rel=2)", Metric("NumRelRet", None, 2)),
        ("NumRelRet(rel=1)", Metric("NumRelRet")),
        ("nDCG(gains={0:0, 1:1, 2:5})@10", Metric("nDCG", 10, gains=((2, 5),))),
        ("nDCG(gains={3:1,1:2},judged_only=True)", Metric("nDCG", judged_only=True, gains=((1, 2), (3, 1)))),
        ("nDCG(gains={0:0,1:1})@10", Metric("nDCG", 10)),
        ("nDCG(norm=False)@10", Metric("nDCG", 10, norm=False)),
        ("nDCG(norm=True)@10", Metric("nDCG", 10)),
        ("CG@3", Metric("CG", 3)),
        ("CG", Metric("CG")),
        ("DCG()@2", Metric("DCG", 2)),
        ("AvgGain_3", Metric("AvgGain", 3)),
        (" AvgGain_12 ", Metric("AvgGain", 12)),
        ("AvgGain", Metric("AvgGain")),
        ("IterationsForAllGoodResults", Metric("IterationsForAllGoodResults")),
    ],
)
def test_a_name_is_read_as_its_parts(text: str, metric: Metric) -> None:
    assert parse_metric(text) == metric


@given(
    family=st.sampled_from(sorted(SHAPES)),
    cutoff=st.integers(1, 10**6),
    rel=st.one_of(st.none(), st.integers(2, 99)),
    exponential=st.booleans(),
    bare=st.booleans(),
    norm=st.booleans(),
    share=st.integers(1, 9999).filter(lambda n: n != 8000).map(lambda n: n / 10_000),
    gains=st.dictionaries(st.integers(0, 99), st.integers(0, 10**9), max_size=4),
)
def test_printing_and_parsing_are_inverse(
    family: str,
    cutoff: int,
    rel: int | None,
    exponential: bool,
    bare: bool,
    norm: bool,
    share: float,
    gains: dict[int, int],
) -> None:
    shape = SHAPES[family]
    at_rank = shape.cutoff == "required" or (shape.cutoff == "optional" and not bare)
    other = tuple(sorted((grade, gain) for grade, gain in gains.items() if grade != gain))
    metric = Metric(
        family,
        cutoff if at_rank else None,
        rel if "rel" in shape.params else None,
        "exp-log2" if exponential and "dcg" in shape.params else None,
        p=share if "p" in shape.params else None,
        recall=share if shape.cutoff == "recall" else None,
        gains=(other or None) if "gains" in shape.params and not exponential else None,
        norm=norm or "norm" not in shape.params,
    )
    assert parse_metric(str(metric)) == metric


@pytest.mark.parametrize("family", ["CG", "RG", "DCG", "DRG", "RAG", "DRAG", "SRE", "SRR"])
def test_through_an_iteration_is_written_with_an_at_sign(family: str) -> None:
    assert str(Metric(family, 3)) == f"{family}@3"


def test_at_an_iteration_is_written_with_an_underscore() -> None:
    assert str(Metric("AvgGain", 3)) == "AvgGain_3"
    assert str(Metric("AvgGain")) == "AvgGain"


def test_a_metric_that_nobody_registered_prints_all_the_same() -> None:
    assert str(Metric("Mine", 3)) == "Mine@3"


def test_a_list_keeps_order_drops_duplicates_and_splits_only_outside_parentheses() -> None:
    gains = "nDCG(gains={1:2,2:5}, judged_only=True)@5"
    assert tuple(map(str, parse_metrics(f"{gains},R@100"))) == (gains, "R@100")
    expected = ("nDCG@10", "R@100", "P(rel=2)@5", "Hit@5")
    assert tuple(map(str, parse_metrics("nDCG@10, R@100,P(rel=2)@5,Success@5,Hit@5,nDCG(dcg='log2')@10,"))) == expected
    assert tuple(map(str, parse_metrics(["nDCG@10,R@100", Metric("P", 5, 2), "Hit@5", "R@100"]))) == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Recall@10", ["R@10", "Hit@10", "SetRecall@10"]),
        ("recall_10", ["R@10", "Hit@10"]),
        ("success_5", ["Hit@5", "SetSuccess@5"]),
        ("Success", ["Hit@10", "SetSuccess@10"]),
        ("MRR", ["RR (", "MRR"]),
        ("MRR@10", ["RR@10"]),
        ("recip_rank", ["RR ("]),
        ("MAP", ["AP ("]),
        ("map_cut_100", ["AP@100"]),
        ("NDCG@10", ["nDCG@10", "case-sensitive"]),
        ("ndcg_cut_10", ["nDCG@10"]),
        ("ndcg", ["nDCG", "case-sensitive"]),
        ("Precision@5", ["P@5"]),
        ("precision@5", ["P@5"]),
        ("P_5", ["P@5"]),
        ("HitRate@3", ["Hit@3"]),
        ("hit@3", ["Hit@3"]),
        ("SetP", ["P (", "number retrieved"]),
        ("IoU@5", ["Jaccard@5"]),
        ("unj_10", ["Judged@10"]),
        ("bpref", ["Bpref"]),
        ("CG_3", ["write CG@3."]),
        ("CG3", ["write CG@3."]),
        ("cg@3", ["CG@3", "case-sensitive"]),
        ("avg_gain_3", ["AvgGain_3", "case-sensitive"]),
        ("AvgGain3", ["write AvgGain_3."]),
        ("AvgGain_3@3", ["'AvgGain'"]),
        ("iterations_for_all_good_results", ["IterationsForAllGoodResults", "case-sensitive"]),
        ("IterationsForAllGoodResults_3", ["write IterationsForAllGoodResults."]),
        ("dcg@10", ["nDCG(norm=False)@10 (", "nDCG@10 (", "DCG@10 ("]),
        ("hit_rate@5", ["Hit@5"]),
        ("hr@10", ["Hit@10"]),
        ("recall_100", ["R@100"]),
        ("ndcg_cut.10", ["nDCG@10"]),
        ("recall.100", ["R@100"]),
        ("P.5", ["P@5"]),
        ("mean_reciprocal_rank@10", ["RR@10"]),
        ("average_precision", ["AP ("]),
        ("gm_map", ["GMAP ("]),
        ("set_map", ["SetAP ("]),
        ("rbp@10", ["write RBP@10."]),
        ("err@20", ["write ERR@20."]),
        ("num_rel_ret", ["write NumRelRet."]),
        ("iprec_at_recall_0.10", ["IPrec@0.1 ("]),
        ("iprec@0.10", ["write IPrec@0.1."]),
        ("iprec@10", ["write IPrec@0.1."]),
        ("SSR@3", ["'SRR'"]),
        ("nDCGG@10", ["'nDCG'"]),
        ("SetSucces@5", ["'SetSuccess'"]),
    ],
)
def test_a_foreign_name_is_refused_with_what_it_is_called_here(text: str, parts: list[str]) -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse_metric(text)
    for part in (repr(text), *parts):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Hit", "needs a cutoff"),
        ("P(judged_only=1)@5", "judged_only=1 is neither True nor False"),
        ("Judged(judged_only=True)@5", "unknown parameter 'judged_only'"),
        ("Hit", "Hit@10"),
        ("Judged", "Judged@10"),
        ("P@0", "from 1 to"),
        ("P@-1", "from 1 to"),
        ("P@1.5", "from 1 to"),
        ("P@", "from 1 to"),
        ("P@k", "'k'"),
        ("P@\u0665", "from 1 to"),
        ("Rprec@10", "takes no cutoff"),
        ("P(rel=0)@5", "rel=0"),
        ("P(rel=x)@5", "rel=x"),
        ("P(rel=2,rel=3)@5", "given twice"),
        ("P(dcg='log2')@5", "takes: rel"),
        ("Jaccard(rel=2)@5", "takes: none"),
        ("nDCG(rel=2)@5", "takes: dcg"),
        ("NumRet(p=2)", "NumRelRet takes: rel"),
        ("NumRet@5", "takes no cutoff"),
        ("RBP(p=1)", "p=1 is not a number between 0 and 1"),
        ("RBP(p=x)", "p=x is not"),
        ("RBP(p=0.00001)", "at most four decimals"),
        ("IPrec", "is not cut; IPrec is cut at a level of recall"),
        ("IPrec@10", "such as IPrec@0.1"),
        ("IPrec@", "is cut at ''"),
        ("nDCG(gains=5)@5", "such as gains={1:1,2:5}"),
        ("nDCG(gains={})@5", "such as gains={1:1,2:5}"),
        ("nDCG(gains={1:0.5})@5", "whole numbers"),
        ("nDCG(gains={1:-1})@5", "whole numbers"),
        ("nDCG(gains={1:2,1:3})@5", "names grade 1 twice"),
        ("nDCG(gains={2:5},dcg='exp-log2')@5", "both say what a grade is worth"),
        ("nDCG(norm=no)@5", "norm=no is neither True nor False"),
        ("nDCG(dcg='ln')@5", "'ln'"),
        ("AvgGain@3", "written with '_': AvgGain_3."),
        ("AvgGain@", "AvgGain_3."),
        ("AvgGain_0", "from 1 to"),
        ("AvgGain_x", "'x'"),
        ("AvgGain_", "write it as AvgGain_3"),
        ("CG@0", "write it as CG@3"),
        ("CG(rel=2)@3", "takes: none"),
        ("IterationsForAllGoodResults@3", "takes no cutoff; write IterationsForAllGoodResults."),
        ("", "not a metric name"),
        ("@5", "not a metric name"),
        ("P(rel=2@5", "not a metric name"),
        ("P@5@6", "not a metric name"),
        ("n DCG@5", "not a metric name"),
    ],
)
def test_a_malformed_name_says_what_was_expected(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_metric(text)
    assert part in str(caught.value)


@pytest.mark.parametrize("nothing", ["", " , ", [], [""]])
def test_an_empty_list_is_refused(nothing: str | list[str]) -> None:
    with pytest.raises(InputError, match="no metric is named"):
        parse_metrics(nothing)


def test_something_else_than_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="found 5"):
        parse_metrics([5])  # type: ignore[list-item]


def test_registry_and_shapes_know_the_same_families() -> None:
    assert set(METRICS) >= set(SHAPES)
    assert all(METRICS.get(family).shape is SHAPES[family] for family in SHAPES)


def test_naming_a_metric_loads_neither_numpy_nor_polars() -> None:
    code = (
        "import sys; from goldproof.metrics import parse_metrics; "
        "print(*parse_metrics('nDCG@10,P(rel=2)@5,AvgGain_3'));"
        "print([m for m in ('numpy', 'polars') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["nDCG@10", "P(rel=2)@5", "AvgGain_3", "[]"]
