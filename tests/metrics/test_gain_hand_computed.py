"""Good-gain values that were computed by hand: the arithmetic stands above each number."""

from __future__ import annotations

import numpy as np
import pytest

from goldproof.metrics import METRICS
from goldproof.metrics.gain.iterations import Iterations, discount
from goldproof.metrics.scoring import explain_completion, explain_iterations

# Results with their gains, per iteration:
#   1: a 3, b 2, c 1          R = 3, UR = 3, GR = 2 (a, b), Dup = 0, G = 3 + 2 = 5
#   2: a 3, d 4, e unlabelled R = 3, UR = 2, GR = 1 (d),    Dup = 1, G = 4
#   3: nothing                R = 0, UR = 0, GR = 0,        Dup = 0, G = 0
#   4: d 4, f 2, f 2          R = 3, UR = 1, GR = 1 (f),    Dup = 2, G = 2
# A second conversation searched twice and found nothing, then g 4:
#   1: nothing, 2: nothing, 3: g 4 with R = UR = GR = 1, G = 4
# A third did not search.
ITERATIONS = Iterations(
    starts=np.array([0, 4, 7, 7]),
    results=np.array([3, 3, 0, 3, 0, 0, 1]),
    unique=np.array([3, 2, 0, 1, 0, 0, 1]),
    good=np.array([2, 1, 0, 1, 0, 0, 1]),
    gain=np.array([5, 4, 0, 2, 0, 0, 4]),
)
# w = 1 / log2(i + 1): 1 / 1, 1 / 1.584963, 1 / 2, 1 / 2.321928
W1, W2, W3, W4 = 1.0, 0.6309297536, 0.5, 0.4306765581


def first(iterations: Iterations) -> Iterations:
    """Only the first conversation."""
    columns = (iterations.results, iterations.unique, iterations.good, iterations.gain)
    return Iterations(np.array([0, 4]), *(column[:4] for column in columns))


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        # 5, 5 + 4, 5 + 4 + 0, 5 + 4 + 0 + 2; then 0, 0, 4
        ("CG", [5, 9, 9, 11, 0, 0, 4]),
        # 5/1, 9/2, 9/3, 11/4; 0/1, 0/2, 4/3
        ("RG", [5, 4.5, 3, 2.75, 0, 0, 4 / 3]),
        # 5*1 = 5; + 4*0.6309297536 = 7.5237190144; + 0; + 2*0.4306765581 = 8.3850721306; 4*0.5 = 2
        ("DCG", [5, 7.5237190144, 7.5237190144, 8.3850721306, 0, 0, 2]),
        # 5/1, 7.5237190144/2, 7.5237190144/3, 8.3850721306/4; 2/3
        ("DRG", [5, 3.7618595072, 2.5079063381, 2.0962680327, 0, 0, 2 / 3]),
        # 5/3, 4/3, R = 0 counts 0, 2/3; R = 0 twice, 4/1
        ("AvgGain", [5 / 3, 4 / 3, 0, 2 / 3, 0, 0, 4]),
        # (5/3)/1, (5/3 + 4/3)/2 = 3/2, (3 + 0)/3, (3 + 0 + 2/3)/4 = (11/3)/4; 4/3
        ("RAG", [5 / 3, 1.5, 1, 11 / 12, 0, 0, 4 / 3]),
        # 5/3*1; (5/3 + 4/3*0.6309297536)/2 = (1.6666666667 + 0.8412396715)/2 = 1.2539531691; 2.5079063381/3;
        # (2.5079063381 + 2/3*0.4306765581)/4 = (2.5079063381 + 0.2871177054)/4; 4*0.5/3
        ("DRAG", [5 / 3, 1.2539531691, 0.8359687794, 0.6987560109, 0, 0, 2 / 3]),
        # 2/3, (2 + 1)/(3 + 3), 3/6, (3 + 1)/(6 + 3); R@i = 0 counts 0, 1/1
        ("SRE", [2 / 3, 3 / 6, 3 / 6, 4 / 9, 0, 0, 1]),
        # 0/3, 1/6, 1/6, (1 + 2)/9; R@i = 0 counts 0, 0/1
        ("SRR", [0, 1 / 6, 1 / 6, 3 / 9, 0, 0, 0]),
    ],
)
def test_two_conversations(family: str, expected: list[float]) -> None:
    assert METRICS.get(family).kernel(ITERATIONS).tolist() == pytest.approx(expected, abs=1e-9)


def test_the_weights_of_the_first_iterations() -> None:
    assert discount(np.array([1, 2, 3, 4])).tolist() == pytest.approx([W1, W2, W3, W4], abs=1e-10)
    # log2(8) = 3, log2(1024) = 10
    assert discount(np.array([7, 1023])).tolist() == [1 / 3, 1 / 10]


def test_discounted_gain_of_the_issue() -> None:
    # G = 5, 4, 2; 5*1 + 4*0.6309 + 2*0.5 = 8.5237
    found = Iterations(
        np.array([0, 3]), np.array([2, 2, 1]), np.array([2, 2, 1]), np.array([2, 1, 1]), np.array([5, 4, 2])
    )
    assert METRICS.get("DCG").kernel(found)[-1] == pytest.approx(8.523719, abs=1e-6)
    assert explain_iterations("DCG", found) == "DCG = 8.5237: G = 5, 4, 2; 5*1 + 4*0.6309 + 2*0.5 = 8.5237"


def test_completion_is_capped_and_never_is_the_cap() -> None:
    # complete by 1, 4, 99, 100, 101, 5000, never
    found = METRICS.get("IterationsForAllGoodResults").kernel(np.array([1, 4, 99, 100, 101, 5000, 0]))
    assert found.tolist() == [1, 4, 99, 100, 100, 100, 100]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CG@2", "CG@2 = 9.0000: G = 5, 4; 5 + 4 = 9"),
        ("CG", "CG = 11.0000: G = 5, 4, 0, 2; 5 + 4 + 0 + 2 = 11"),
        ("RG@3", "RG@3 = 3.0000: G = 5, 4, 0; (5 + 4 + 0)/3 = 3"),
        ("DCG@2", "DCG@2 = 7.5237: G = 5, 4; 5*1 + 4*0.6309 = 7.5237"),
        ("DRG@2", "DRG@2 = 3.7619: G = 5, 4; (5*1 + 4*0.6309)/2 = 3.7619"),
        ("AvgGain_2", "AvgGain_2 = 1.3333: at iteration 2 G = 4 and |R| = 3; 4/3 = 1.3333"),
        ("AvgGain_3", "AvgGain_3 = 0.0000: iteration 3 found nothing; G/|R| counts 0"),
        ("RAG@2", "RAG@2 = 1.5000: G/|R| = 5/3, 4/3; (1.6667 + 1.3333)/2 = 1.5"),
        ("RAG@3", "RAG@3 = 1.0000: G/|R| = 5/3, 4/3, 0/0 (0/0 counts 0); (1.6667 + 1.3333 + 0)/3 = 1"),
        ("DRAG@2", "DRAG@2 = 1.2540: G/|R| = 5/3, 4/3; (1.6667*1 + 1.3333*0.6309)/2 = 1.254"),
        ("SRE", "SRE = 0.4444: GR = 4 and R = 9 through iteration 4; 4/9 = 0.4444"),
        ("SRR@2", "SRR@2 = 0.1667: DupR = 1 and R = 6 through iteration 2; 1/6 = 0.1667"),
        ("SRR@5", "SRR@5 is undefined: search was invoked in 4 iterations"),
    ],
)
def test_an_explanation_shows_the_arithmetic(name: str, text: str) -> None:
    assert explain_iterations(name, first(ITERATIONS)) == text


def test_a_long_explanation_shows_the_first_terms() -> None:
    ones = np.ones(9, dtype=np.int64)
    found = Iterations(np.array([0, 9]), ones, ones, ones, 2 * ones)
    # nine iterations of gain 2
    assert explain_iterations("CG", found) == (
        "CG = 18.0000: G = 2, 2, 2, 2, 2, 2, ...; 2 + 2 + 2 + 2 + 2 + 2 + ... = 18"
    )


@pytest.mark.parametrize(
    ("completed", "pool", "text"),
    [
        (4, 4, "4.0000: a pool of 4 good results was complete by iteration 4"),
        (1, 1, "1.0000: a pool of 1 good result was complete by iteration 1"),
        (120, 2, "100.0000: a pool of 2 good results was complete by iteration 120; counts 100"),
        (0, 3, "100.0000: of a pool of 3 good results not all appeared; counts 100"),
    ],
)
def test_completion_is_explained(completed: int, pool: int, text: str) -> None:
    name = "IterationsForAllGoodResults"
    assert explain_completion(name, completed, pool=pool) == f"{name} = {text}"
