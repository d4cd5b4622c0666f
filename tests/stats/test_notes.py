"""Every note is a whole sentence: reports put them one after the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats import (
    bootstrap_interval,
    cohen_dz,
    cohen_kappa,
    difference_interval,
    krippendorff_alpha,
    mean_interval,
    paired_test,
    ppi_mean,
    rogan_gladen,
    unpaired_test,
)

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray

SENTENCE = re.compile(r"[A-Z].*[^.\s]\.", re.DOTALL)


def ratio(rows: FloatArray) -> float:
    return float(rows[0] / rows.max()) if rows.max() > 0 else float("nan")


SKEWED = np.random.default_rng(0).lognormal(0, 1.5, 40)
LABELS = [0, 1] * 15
THREES = np.repeat(np.arange(4), 3)


def notes() -> dict[str, str | None]:
    """The note of every case that has one."""
    return {
        "test, no pairs": paired_test([], []).note,
        "test, no difference": paired_test([0.5, 0.2], [0.5, 0.2]).note,
        "sign-flip, one pair": paired_test([0.5], [0.2]).note,
        "sign-flip, one cluster": paired_test([0.5, 0.6], [0.2, 0.1], clusters=["x", "x"]).note,
        "t, one pair": paired_test([0.5], [0.2], test="t").note,
        "t, one cluster": paired_test([0.5, 0.6], [0.2, 0.1], clusters=["x", "x"], test="t").note,
        "t, equal differences": paired_test([1, 2], [0, 1], test="t").note,
        "t, equal clusters": paired_test([1, 2, 1, 2], [0] * 4, clusters=["x", "x", "y", "y"], test="t").note,
        "wilcoxon, zeros": paired_test([1, 2, 3], [1, 1, 1], test="wilcoxon").note,
        "mcnemar, none differs": paired_test([1, 0], [1, 0]).note,
        "mcnemar, some differ": paired_test([1, 0, 1], [1, 1, 0]).note,
        "unpaired, both empty": unpaired_test([], []).note,
        "unpaired, one empty": unpaired_test([1], []).note,
        "unpaired, equal": unpaired_test([1], [1]).note,
        "mann-whitney, equal": unpaired_test([1], [1], test="mann-whitney").note,
        "d_z, no pairs": cohen_dz([]).note,
        "d_z, no difference": cohen_dz([0.0, 0.0]).note,
        "d_z, one pair": cohen_dz([0.1]).note,
        "d_z, equal": cohen_dz([0.5, 0.5]).note,
        "d_z, one cluster": cohen_dz([0.1, 0.2], clusters=["x", "x"]).note,
        "d_z, equal clusters": cohen_dz([0.1, 0.2, 0.1, 0.2], clusters=["x", "x", "y", "y"]).note,
        "kappa, no items": cohen_kappa([], []).note,
        "kappa, one category": cohen_kappa([1, 1], [1, 1]).note,
        "kappa, full agreement": cohen_kappa([1, 2], [1, 2]).note,
        "alpha, no unit": krippendorff_alpha([]).note,
        "alpha, all equal": krippendorff_alpha([[1, 1], [1, 1]]).note,
        "alpha, one unit": krippendorff_alpha([[1], [2]]).note,
        "alpha, no resamples": krippendorff_alpha([[1, 2], [1, 1]], resamples=0).note,
        "alpha, resamples alike": krippendorff_alpha([[1, 2], [1, 2]]).note,
        "judge, few labels": ppi_mean([1], [1], judge_rest=[1]).note,
        "judge, no rest": ppi_mean(LABELS, LABELS, judge_rest=[]).note,
        "judge, equal labels": ppi_mean([1] * 30, LABELS, judge_rest=[1]).note,
        "judge, rare kind": ppi_mean([1] * 3 + [0] * 60, [1] * 5 + [0] * 58, judge_rest=LABELS).note,
        "judge, at chance": rogan_gladen([1, 1, 0, 0] * 6, [1, 0] * 12, judge_rest=LABELS).note,
        "interval, no values": mean_interval([]).note,
        "interval, one value": mean_interval([0.3]).note,
        "interval, equal": mean_interval([0.3, 0.3]).note,
        "interval, one cluster": mean_interval([0.3, 0.4], clusters=["x", "x"]).note,
        "interval, equal clusters": mean_interval([0.1, 0.5, 0.3, 0.3], clusters=[0, 0, 1, 1]).note,
        "interval, few values": mean_interval([0.3, 0.4]).note,
        "interval, few differ": mean_interval([0.0] * 20 + [0.5]).note,
        "interval, skewed": mean_interval(SKEWED).note,
        "interval, rare kind": mean_interval([1] * 20 + [0]).note,
        "interval, bootstrap-t": mean_interval([0.0] * 9 + [0.5], method="bootstrap-t").note,
        "interval, few clusters": mean_interval(SKEWED[:12], clusters=THREES).note,
        "interval, one large cluster": mean_interval(SKEWED, clusters=[0] * 28 + list(range(1, 13))).note,
        "interval, skewed clusters": mean_interval(np.repeat(SKEWED, 2), clusters=np.repeat(np.arange(40), 2)).note,
        "difference, none differs": difference_interval([0.0] * 20).note,
        "difference, none differs, unbounded": difference_interval([0.0] * 20, bounded=False).note,
        "bootstrap, no rows": bootstrap_interval([], ratio).note,
        "bootstrap, one row": bootstrap_interval([1.0], ratio).note,
        "bootstrap, many undefined": bootstrap_interval([1.0, 0.0, 0.0, 0.0], ratio).note,
        "bootstrap, some undefined": bootstrap_interval([1.0, 2.0, 3.0, 0.0], ratio).note,
    }


def test_a_note_starts_with_a_capital_letter_and_ends_with_a_full_stop() -> None:
    found = notes()
    assert {case: note for case, note in found.items() if note is None or not SENTENCE.fullmatch(note)} == {}
