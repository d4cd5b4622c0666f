"""Clusters: who belongs together, when that means nothing, and the variance of a mean over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import InputError
from goldproof.stats import bootstrap_interval, cohen_dz, design_effect, difference_interval, mean_interval, paired_test
from goldproof.stats.intervals import METHODS
from goldproof.stats.paired import PAIRED_TESTS
from goldproof.stats.samples import Clusters, read_clusters

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray
    from goldproof.stats.paired import PairedTest


def clusters_of(labels: npt.ArrayLike) -> Clusters:
    found = read_clusters(labels, n=np.shape(labels)[0])
    assert found is not None
    return found


@pytest.mark.parametrize(
    "labels",
    [
        ["x", "y", "x"],
        ("x", "y", "x"),
        [7, 3, 7],
        [0.5, 1.5, 0.5],
        [("d", 1), ("d", 2), ("d", 1)],
        [True, False, True],
        np.array(["x", "y", "x"]),
        np.array([7, 3, 7], dtype=np.uint8),
        np.array(["x", 3, "x"], dtype=object),
        np.array(["2026-01-01", "2026-01-02", "2026-01-01"], dtype="datetime64[D]"),
    ],
)
def test_clusters_may_have_any_labels(labels: npt.ArrayLike) -> None:
    clusters = read_clusters(labels, n=3)
    assert clusters is not None
    assert clusters.count == 2
    assert sorted(clusters.sizes.tolist()) == [1.0, 2.0]
    assert sorted(clusters.sums(np.array([1.0, 10.0, 100.0])).tolist()) == [10.0, 101.0]


def test_a_number_and_its_text_are_two_clusters() -> None:
    labels: list[str | int] = [1, "1", 1]
    clusters = read_clusters(labels, n=3)
    assert clusters is not None
    assert clusters.codes.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "labels", [["x", None], [1.0, float("nan")], ["x", float("nan")], np.array([1.0, np.nan]), np.array(["x", None])]
)
def test_a_missing_label_is_refused(labels: npt.ArrayLike) -> None:
    with pytest.raises(InputError, match=r"clusters: a label is (None|nan)\. Give every value a cluster"):
        read_clusters(labels, n=2)


@pytest.mark.parametrize("labels", [["x", "y"], np.zeros((3, 1)), np.zeros(4), []])
def test_clusters_of_another_length_are_refused(labels: npt.ArrayLike) -> None:
    with pytest.raises(InputError, match=r"clusters: found shape .*, expected one label for each of 3"):
        read_clusters(labels, n=3)


def test_labels_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(InputError, match=r"clusters: unhashable .*list"):
        read_clusters([[1], [2]], n=2)


# Clusters of one value each


@pytest.mark.parametrize("labels", [None, ["x", "y", "z"], np.array([4, 2, 9])])
def test_where_every_value_stands_alone_there_are_no_clusters(labels: npt.ArrayLike | None) -> None:
    assert read_clusters(labels, n=3) is None


def test_no_values_have_no_clusters() -> None:
    assert read_clusters([], n=0) is None


ALONE = [f"question {i}" for i in range(12)]
GRADED: FloatArray = np.random.default_rng(1).random((2, 12))
BINARY: FloatArray = np.random.default_rng(3).integers(0, 2, (2, 12)).astype(float)


@pytest.mark.parametrize("test", PAIRED_TESTS)
@pytest.mark.parametrize("kind", ["graded", "binary"])
def test_clusters_of_one_pair_each_change_no_test(test: PairedTest, kind: str) -> None:
    a, b = GRADED if kind == "graded" else BINARY
    if test.startswith("mcnemar") and kind == "graded":
        return
    assert paired_test(a, b, test=test, clusters=ALONE) == paired_test(a, b, test=test)


def test_auto_takes_mcnemar_where_every_pair_is_its_own_cluster() -> None:
    assert paired_test(*BINARY, clusters=ALONE).test == "mcnemar (exact)"


@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("wilson", "tango") and not m.startswith("cluster")])
def test_clusters_of_one_value_each_change_no_interval(method: str) -> None:
    values = GRADED[0]
    assert mean_interval(values, clusters=ALONE, method=method) == mean_interval(values, method=method)
    assert difference_interval(values, clusters=ALONE, method=method) == difference_interval(values, method=method)


def test_clusters_of_one_value_each_change_no_share_no_effect_and_no_resample() -> None:
    assert mean_interval(BINARY[0], clusters=ALONE) == mean_interval(BINARY[0])
    assert difference_interval(BINARY[0] - BINARY[1], clusters=ALONE).method == "tango"
    assert cohen_dz(GRADED[0], clusters=ALONE) == cohen_dz(GRADED[0])
    assert design_effect(GRADED[0], clusters=ALONE) == 1.0
    plain = bootstrap_interval(GRADED[0], lambda rows: float(np.median(rows)))
    assert bootstrap_interval(GRADED[0], lambda rows: float(np.median(rows)), clusters=ALONE) == plain


@pytest.mark.parametrize(
    ("method", "plain"), [("cluster-t", "t"), ("cluster-cr2", "t"), ("cluster-bootstrap", "bootstrap-percentile")]
)
def test_a_cluster_method_is_its_plain_one_where_every_value_stands_alone(method: str, plain: str) -> None:
    assert mean_interval(GRADED[0], clusters=ALONE, method=method) == mean_interval(GRADED[0], method=plain)


# Variances


def test_the_variance_of_a_mean_by_hand() -> None:
    # (0, 2), (4): mean 2, u = (-2, 2); G / (G - 1) * (4 + 4) / 9 = 16 / 9
    # bias-reduced: (4 / (1 - 2/3) + 4 / (1 - 1/3)) / 9 = (12 + 6) / 9 = 2
    clusters, values = clusters_of(["x", "x", "y"]), np.array([0.0, 2.0, 4.0])
    assert clusters.residuals(values).tolist() == [-2.0, 2.0]
    assert clusters.mean_residuals(values).tolist() == [-1.0, 2.0]
    assert clusters.variance(values) == pytest.approx(16 / 9)
    assert clusters.bias_reduced_variance(values) == pytest.approx(2)


def test_equal_sizes_make_both_variances_the_same() -> None:
    values, clusters = np.random.default_rng(5).random(24), clusters_of(np.repeat(np.arange(6), 4))
    assert clusters.bias_reduced_variance(values) == pytest.approx(clusters.variance(values))
    assert clusters.bias_reduced_df == pytest.approx(5)


def test_bias_reduced_degrees_of_freedom_are_those_of_a_quadratic_form_in_independent_values() -> None:
    sizes = np.array([1, 2, 5, 9, 20])
    codes = np.repeat(np.arange(5), sizes)
    total = sizes.sum()
    # Residual sums are A x with x independent; Satterthwaite: trace(B)^2 / trace(B^2), B = A' W A.
    member = (codes[None, :] == np.arange(5)[:, None]).astype(float)
    residual_sums = member - np.outer(sizes, np.ones(total)) / total
    form = residual_sums.T @ np.diag(1 / (1 - sizes / total)) @ residual_sums
    expected = np.trace(form) ** 2 / np.trace(form @ form)
    assert clusters_of(codes).bias_reduced_df == pytest.approx(expected, abs=1e-9)


def test_a_common_offset_costs_no_digits() -> None:
    values, clusters = np.random.default_rng(6).random(30), clusters_of(np.arange(30) // 4)
    assert clusters.variance(values + 1e9) == pytest.approx(clusters.variance(values), rel=1e-5)
