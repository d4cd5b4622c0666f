"""Tables of two raters, and kappa with the pairs of one question taken together."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from goldproof.stats import cohen_kappa
from goldproof.stats.agreement import clustered_kappa, confusion


def test_the_table_has_the_truth_in_its_rows() -> None:
    assert confusion([0, 0, 1, 2], [0, 1, 1, 0], categories=3).tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize(("weights", "theirs"), [(None, None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_the_value_is_that_of_statsmodels(weights: str | None, theirs: str | None) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 4, 60)
    said = np.clip(truth + rng.integers(-1, 2, 60), 0, 3)
    found = clustered_kappa(
        truth.tolist(),
        said.tolist(),
        categories=4,
        clusters=[f"q{i // 3}" for i in range(60)],
        weights=weights,  # type: ignore[arg-type]
    )
    table = confusion(truth.tolist(), said.tolist(), categories=4)
    assert found.value == pytest.approx(cohens_kappa(table, wt=theirs).kappa)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high  # type: ignore[operator]


def test_items_alone_in_their_clusters_have_the_plain_interval() -> None:
    truth, said = [0, 1, 0, 1, 1, 0], [0, 1, 1, 1, 0, 0]
    alone = clustered_kappa(truth, said, categories=2, clusters=list("abcdef"))
    assert alone == cohen_kappa(truth, said, categories=[0, 1])


def test_the_interval_is_that_of_resampled_clusters() -> None:
    # The same resamples, counted one by one.
    truth, said = [0, 1, 1, 0, 1, 0, 0, 1], [0, 1, 0, 0, 1, 1, 0, 1]
    clusters = list("aabbccdd")
    found = clustered_kappa(truth, said, categories=2, clusters=clusters, seed=3)
    generator = np.random.default_rng(3)
    drawn = []
    for _ in range(10):
        for times in generator.multinomial(4, np.full(4, 0.25), size=200):
            rows = [i for i in range(8) for _ in range(times["abcd".index(clusters[i])])]
            drawn.append(cohen_kappa([truth[i] for i in rows], [said[i] for i in rows]).value)
    known = [value for value in drawn if value is not None]
    assert found.low == pytest.approx(np.quantile(known, 0.025))
    assert found.high == pytest.approx(np.quantile(known, 0.975))


def test_pairs_that_repeat_each_other_widen_the_interval() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat(rng.integers(0, 2, 30), 10)
    said = np.where(np.repeat(rng.random(30) < 0.8, 10), truth, 1 - truth)
    clusters = [f"q{i // 10}" for i in range(300)]
    wide = clustered_kappa(truth.tolist(), said.tolist(), categories=2, clusters=clusters)
    plain = cohen_kappa(truth.tolist(), said.tolist())
    assert wide.high - wide.low > 2 * (plain.high - plain.low)  # type: ignore[operator]


def test_one_cluster_has_no_interval() -> None:
    found = clustered_kappa([0, 1, 0], [0, 1, 1], categories=2, clusters=["q", "q", "q"])
    assert (found.low, found.high) == (None, None)
    assert found.note is not None
    assert "one cluster" in found.note
