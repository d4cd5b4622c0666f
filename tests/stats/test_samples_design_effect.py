from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from goldproof.stats import design_effect


def test_equal_values_within_clusters_count_once_per_cluster() -> None:
    # 3 clusters of 2: x = 0, 0, 3, 3, 6, 6; mean 3; u = -6, 0, 6; V = 3/2 * 72 / 36 = 3; s^2/n = 36/5 / 6 = 1.2
    assert design_effect([0, 0, 3, 3, 6, 6], clusters=[0, 0, 1, 1, 2, 2]) == pytest.approx(2.5)


def test_clusters_of_one_change_nothing() -> None:
    # V = n/(n-1) * sum (x - mean)^2 / n^2 = s^2 / n
    assert design_effect([0.1, 0.5, 0.9, 0.2], clusters=[3, 1, 4, 2]) == pytest.approx(1)


def test_it_is_the_ratio_of_statsmodels_variances() -> None:
    rng = np.random.default_rng(3)
    clusters = rng.integers(0, 12, 100)
    values = rng.normal(size=12)[clusters] + rng.normal(size=100)
    model = sm.OLS(values, np.ones(100))
    clustered = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}).bse[0]
    plain = model.fit().bse[0]
    # statsmodels scales by G / (G - 1) * (n - 1) / (n - k), and k = 1
    assert design_effect(values, clusters=clusters) == pytest.approx((clustered / plain) ** 2)


@pytest.mark.parametrize(("values", "clusters"), [([], []), ([1.0], [0]), ([2.0, 2.0], [0, 1]), ([1.0, 2.0], [0, 0])])
def test_where_nothing_can_be_told_it_is_one(values: list[float], clusters: list[int]) -> None:
    assert design_effect(values, clusters=clusters) == 1
