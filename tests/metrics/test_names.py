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
)
def test_printing_and_parsing_are_inverse(
    family: str, cutoff: int, rel: int | None, exponential: bool, bare: bool
) -> None:
    shape = SHAPES[family]
    metric = Metric(
        family,
        None if shape.cutoff == "none" or (bare and shape.cutoff == "optional") else cutoff,
        rel if "rel" in shape.params else None,
        "exp-log2" if exponential and "dcg" in shape.params else None,
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
        ("dcg@10", ["nDCG@10 (", "DCG@10 ("]),
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
