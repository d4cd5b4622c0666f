"""Intervals, tests, effect sizes, corrections, power, agreement, judge correction: pure and seeded."""

from goldproof.stats.agreement import cohen_kappa, krippendorff_alpha
from goldproof.stats.corrections import benjamini_hochberg, bonferroni, holm
from goldproof.stats.design_effect import design_effect
from goldproof.stats.effects import cohen_dz, hedges_gz, odds_ratio, rank_biserial
from goldproof.stats.interval import Interval, difference_interval, mean_interval
from goldproof.stats.intervals.gaffke import units_for_tie
from goldproof.stats.intervals.resampling import bootstrap_interval
from goldproof.stats.judge_correction import CorrectedMean, ppi_mean, rogan_gladen
from goldproof.stats.mcnemar_power import mcnemar_power, mcnemar_sample_size
from goldproof.stats.outcome import Alternative, Effect, TestResult, check_alternative
from goldproof.stats.paired import PAIRED_TESTS, PairedTest, paired_test
from goldproof.stats.paired_power import minimum_detectable_effect, power, sample_size, sample_size_for_half_width
from goldproof.stats.sample import paired_differences
from goldproof.stats.unpaired import unpaired_test

__all__ = [
    "PAIRED_TESTS",
    "Alternative",
    "CorrectedMean",
    "Effect",
    "Interval",
    "PairedTest",
    "TestResult",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_interval",
    "check_alternative",
    "cohen_dz",
    "cohen_kappa",
    "design_effect",
    "difference_interval",
    "hedges_gz",
    "holm",
    "krippendorff_alpha",
    "mcnemar_power",
    "mcnemar_sample_size",
    "mean_interval",
    "minimum_detectable_effect",
    "odds_ratio",
    "paired_differences",
    "paired_test",
    "power",
    "ppi_mean",
    "rank_biserial",
    "rogan_gladen",
    "sample_size",
    "sample_size_for_half_width",
    "units_for_tie",
    "unpaired_test",
]
