"""Values that were computed by hand: the arithmetic stands above each number."""

from __future__ import annotations

from math import log2

import pytest

from goldproof.metrics import Matched, explain, match, score

# Ranking of q: d1 d2 d3 d4 d5 d6 (scores 6 to 1). Grades: d1=0, d2=2, d4=1, d6=3, and d9=1, which is not retrieved.
# d3 and d5 are unjudged. Relevant at rank 2, 4, 6; 4 relevant in all, 1 judged not relevant.
QRELS = {"q": {"d1": 0, "d2": 2, "d4": 1, "d6": 3, "d9": 1}}
RUN = {"q": {f"d{i}": 7.0 - i for i in range(1, 7)}}


def value(name: str, matched: Matched | None = None) -> float:
    return float(score(name, matched or match(QRELS, RUN)).value[0])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Hit@1", 0.0),
        ("Hit@2", 1.0),
        ("Hit(rel=3)@5", 0.0),
        ("Hit(rel=3)@6", 1.0),
        ("P@5", 2 / 5),
        ("P@10", 3 / 10),
        ("P", 3 / 6),
        ("P(rel=2)@5", 1 / 5),
        ("R@5", 2 / 4),
        ("R", 3 / 4),
        ("R(rel=2)@5", 1 / 2),
        ("F1@5", 2 * (2 / 5) * (2 / 4) / (2 / 5 + 2 / 4)),
        ("F1", 2 * (3 / 6) * (3 / 4) / (3 / 6 + 3 / 4)),
        ("RR", 1 / 2),
        ("RR@1", 0.0),
        ("RR(rel=3)", 1 / 6),
        # precision at ranks 2, 4, 6 is 1/2, 2/4, 3/6
        ("AP", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("AP@5", (1 / 2 + 2 / 4) / 4),
        # relevant at rel=2: ranks 2 and 6
        ("AP(rel=2)", (1 / 2 + 2 / 6) / 2),
        # ideal order of grades: 3 2 1 1
        (
            "nDCG",
            (2 / log2(3) + 1 / log2(5) + 3 / log2(7)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4) + 1 / log2(5)),
        ),
        ("nDCG@2", (2 / log2(3)) / (3 / log2(2) + 2 / log2(3))),
        # gains 2^g - 1: 3 at rank 2; ideal 7, 3
        ("nDCG(dcg='exp-log2')@2", (3 / log2(3)) / (7 / log2(2) + 3 / log2(3))),
        # gains of one's own: grade 2 -> 5, grade 3 stays 3, so the ideal order is 5 3 1 1
        ("nDCG(gains={2:5})@2", (5 / log2(3)) / (5 / log2(2) + 3 / log2(3))),
        # grade 1 gains nothing: only d2 and d6 are left, and the ideal order is 3 2
        ("nDCG(gains={1:0})", (2 / log2(3) + 3 / log2(7)) / (3 / log2(2) + 2 / log2(3))),
        # a grade of 0 that gains: d1 at rank 1
        ("nDCG(gains={0:2}, norm=False)@2", 2 / log2(2) + 2 / log2(3)),
        ("nDCG(norm=False)@5", 2 / log2(3) + 1 / log2(5)),
        ("nDCG(dcg='exp-log2', norm=False)@5", 3 / log2(3) + 1 / log2(5)),
        # without d3 and d5: d1 d2 d4 d6
        ("nDCG(norm=False, judged_only=True)@3", 2 / log2(3) + 1 / log2(4)),
        ("RBP", 0.2 * (0.8 + 0.8**3 + 0.8**5)),
        ("RBP@4", 0.2 * (0.8 + 0.8**3)),
        ("RBP(p=0.5, rel=2)", 0.5 * (0.5 + 0.5**5)),
        ("RBP(judged_only=True)@3", 0.2 * (0.8 + 0.8**2)),
        # grades 2, 1, 3 at ranks 2, 4, 6 stop by 3/16, 1/16, 7/16
        ("ERR", 3 / 16 / 2 + 13 / 16 * 1 / 16 / 4 + 13 / 16 * 15 / 16 * 7 / 16 / 6),
        ("ERR@5", 3 / 16 / 2 + 13 / 16 * 1 / 16 / 4),
        ("ERR@1", 0.0),
        # 4 relevant: recall 0.5 takes 2, reached at rank 4; precision there 2/4, at rank 6 3/6
        ("IPrec@0.5", 2 / 4),
        ("IPrec@0.75", 3 / 6),
        # 0.76 * 4 + 0.9 = 3.94, so 3 documents do, as in trec_eval; 0.78 * 4 + 0.9 = 4.02
        ("IPrec@0.76", 3 / 6),
        ("IPrec@0.78", 0.0),
        # rel=2: ranks 2 and 6; recall 1 is reached at rank 6
        ("IPrec(rel=2)@1", 2 / 6),
        ("IPrec(rel=2)@0", 1 / 2),
        ("SetAP", 3 / 6 * 3 / 4),
        ("SetAP(rel=2)", 2 / 6 * 2 / 2),
        ("SetAP(judged_only=True)", 3 / 4 * 3 / 4),
        ("GMAP", (1 / 2 + 2 / 4 + 3 / 6) / 4),
        ("GMAP@5", (1 / 2 + 2 / 4) / 4),
        ("NumRet", 6.0),
        ("NumRel", 4.0),
        ("NumRel(rel=2)", 2.0),
        ("NumRelRet", 3.0),
        ("NumRelRet(rel=3)", 1.0),
        # R = 4: ranks 2 and 4 of the first four
        ("Rprec", 2 / 4),
        ("Rprec(rel=2)", 1 / 2),
        # N = 1 (d1), above all three: each term is 1 - min(1, 4) / min(1, 4) = 0
        ("Bpref", 0.0),
        # rel=2: R = 2, N = 3 (d1, d4, d9). d2: n = 1 -> 1 - 1/2; d6: n = 2 -> 1 - 2/2
        ("Bpref(rel=2)", (1 - 1 / 2 + 0) / 2),
        # d1, d2 of d1 d2 d3; d1 d2 d4 d6 of all six
        ("Judged@3", 2 / 3),
        ("Judged@10", 4 / 6),
    ],
)
def test_one_question(name: str, expected: float) -> None:
    assert value(name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # kernels {d2, d4, d9} and {d3, d8}; first 3: d1 d2 d3
        ("SetRecall@3", 1 / 2),
        ("SetRecall@4", 2 / 3),
        ("SetRecall@10", 2 / 3),
        ("SetSuccess@10", 0.0),
        # {d3, d8} with {d1 d2 d3}: 1 shared, 4 in the union; {d2, d4, d9}: 1 shared, 5 in the union
        ("Jaccard@3", 1 / 4),
        # {d2, d4, d9} with {d1 d2 d3 d4}: 2 shared, 5 in the union
        ("Jaccard@4", 2 / 5),
        # all six retrieved: 2 shared, 7 in the union
        ("Jaccard@10", 2 / 7),
    ],
)
def test_kernels_take_the_best_alternative(name: str, expected: float) -> None:
    matched = match(QRELS, RUN, kernels={"q": [["d2", "d4", "d9"], ["d3", "d8"]]})
    assert value(name, matched) == pytest.approx(expected, abs=1e-12)


def test_a_complete_alternative_is_a_success_from_its_last_document_on() -> None:
    matched = match({}, RUN, kernels={"q": [["d2", "d9"], ["d1", "d4", "d1"]]})
    assert [value(f"SetSuccess@{k}", matched) for k in (1, 3, 4, 5)] == [0.0, 0.0, 1.0, 1.0]


def test_false_surface_looks_only_at_unanswerable_questions() -> None:
    run = {"q": {"d1": 1.0}, "none": {"d1": 0.1}, "silent": {}}
    found = score("FalseSurface@5", match(QRELS, run, unanswerable=["none", "silent", "absent"]))
    # sorted after the judged question: absent, none, silent
    assert found.value.tolist() == [0.0, 0.0, 1.0, 0.0]
    assert found.code.tolist() == [1, 0, 0, 0]
    assert found.reasons == ("question is answerable",)


def test_tied_scores_rank_the_greater_id_first() -> None:
    # b before a, both before c: a stands at rank 2
    assert value("RR", match({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}})) == 1 / 2
    # "d10" < "d9" as text
    assert value("RR", match({"q": {"d10": 1}}, {"q": {"d10": 1.0, "d9": 1.0}})) == 1 / 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("P@5", "P@5 = 0.4000: 2 relevant in the first 5 places -> 2/5"),
        ("R@5", "R@5 = 0.5000: 2 of 4 relevant documents found -> 2/4"),
        ("RR", "RR = 0.5000: the first relevant document is at rank 2 -> 1/2"),
        ("RR@1", "RR@1 = 0.0000: no relevant document in the first 1 -> 0"),
        ("AP", "AP = 0.3750: 3 of 4 relevant documents found -> (1/2 + 2/4 + 3/6)/4"),
        # 2 / log2(3) = 1.2619; ideal 3 + 1.2619
        ("nDCG@2", "nDCG@2 = 0.2961: DCG = 2/log2(3) = 1.2619, ideal 4.2619 -> 1.2619/4.2619"),
        ("F1@5", "F1@5 = 0.4444: 2 relevant in the first 5, 4 relevant in all -> 2*2/(5+4)"),
        ("Judged@3", "Judged@3 = 0.6667: 2 of the first 3 documents are judged -> 2/3"),
        ("SetRecall@3", "SetRecall@3 is undefined: no kernel"),
    ],
)
def test_an_explanation_shows_the_arithmetic(name: str, text: str) -> None:
    assert explain(name, match(QRELS, RUN), index=0) == text


def test_an_explanation_says_that_the_run_lacks_the_question() -> None:
    assert explain("P@5", match(QRELS, {}), index=0) == "P@5 = 0.0000: the run lacks this question"
