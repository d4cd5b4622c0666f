"""What counts as a sample, a difference and a cluster."""

from __future__ import annotations

import numpy as np
import pytest

from karat.core.errors import InputError
from karat.stats.sample import cluster_codes, finite_values, paired_differences


def test_rounding_is_not_a_difference() -> None:
    assert paired_differences([0.1 + 0.2, 0.5], [0.3, 0.25]).tolist() == [0.0, 0.25]


def test_inputs_are_not_changed() -> None:
    a, b = np.array([0.1 + 0.2, 1.0]), np.array([0.3, 0.0])
    paired_differences(a, b)
    assert a.tolist() == [0.1 + 0.2, 1.0]
    assert b.tolist() == [0.3, 0.0]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, -1e200])
def test_a_value_that_is_no_number_is_refused_with_its_place(bad: float | None) -> None:
    with pytest.raises(InputError, match="a: position 1 holds"):
        finite_values([0.0, bad], name="a")  # type: ignore[arg-type]


def test_text_and_tables_are_refused() -> None:
    with pytest.raises(InputError, match="a: expected numbers"):
        finite_values(["x"], name="a")
    with pytest.raises(InputError, match="found 2 dimensions"):
        finite_values([[1.0]], name="a")


def test_pairs_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="a has 2 values and b has 1"):
        paired_differences([1, 2], [1])


@pytest.mark.parametrize("labels", [["x", "y", "x"], [7, 3, 7], [("d", 1), ("d", 2), ("d", 1)], [True, False, True]])
def test_clusters_may_have_any_labels(labels: list[object]) -> None:
    column = np.empty(3, dtype=object)
    column[:] = labels
    clusters = cluster_codes(column, n=3)
    assert clusters.count == 2
    assert sorted(clusters.sums(np.array([1.0, 10.0, 100.0])).tolist()) == [10.0, 101.0]


@pytest.mark.parametrize("labels", [["x", None], [1.0, float("nan")]])
def test_a_missing_cluster_is_refused(labels: list[object]) -> None:
    with pytest.raises(InputError, match="clusters: a label is"):
        cluster_codes(labels, n=2)  # type: ignore[arg-type]


def test_clusters_of_another_length_are_refused() -> None:
    with pytest.raises(InputError, match="one label for each of 3"):
        cluster_codes(["x", "y"], n=3)
