"""Intervals, tests, effect sizes, corrections, power, agreement, judge correction: pure and seeded."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.stats.agreement import cohen_kappa
    from goldproof.stats.bootstrap import bootstrap_interval
    from goldproof.stats.calibration import CorrectedMean, ppi_mean, rogan_gladen
    from goldproof.stats.corrections import bonferroni, holm
    from goldproof.stats.effects import cohen_dz
    from goldproof.stats.interval_methods import units_for_tie
    from goldproof.stats.intervals import difference_interval, mean_interval
    from goldproof.stats.mcnemar import mcnemar_power, mcnemar_sample_size
    from goldproof.stats.paired import PAIRED_TESTS, PairedTest, paired_test
    from goldproof.stats.power_analysis import minimum_detectable_effect, power, sample_size, sample_size_for_half_width
    from goldproof.stats.results import Alternative, Effect, Interval, TestResult, check_alternative
    from goldproof.stats.samples import design_effect, paired_differences
    from goldproof.stats.several_raters import fleiss_kappa, gwet_ac1, krippendorff_alpha
    from goldproof.stats.unpaired import unpaired_test
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "agreement": ("cohen_kappa",),
            "several_raters": ("fleiss_kappa", "gwet_ac1", "krippendorff_alpha"),
            "bootstrap": ("bootstrap_interval",),
            "calibration": ("CorrectedMean", "ppi_mean", "rogan_gladen"),
            "corrections": ("bonferroni", "holm"),
            "effects": ("cohen_dz",),
            "interval_methods": ("units_for_tie",),
            "intervals": ("difference_interval", "mean_interval"),
            "mcnemar": ("mcnemar_power", "mcnemar_sample_size"),
            "paired": ("PAIRED_TESTS", "PairedTest", "paired_test"),
            "power_analysis": ("minimum_detectable_effect", "power", "sample_size", "sample_size_for_half_width"),
            "results": ("Alternative", "Effect", "Interval", "TestResult", "check_alternative"),
            "samples": ("design_effect", "paired_differences"),
            "unpaired": ("unpaired_test",),
        },
    )

__all__ = [
    "PAIRED_TESTS",
    "Alternative",
    "CorrectedMean",
    "Effect",
    "Interval",
    "PairedTest",
    "TestResult",
    "bonferroni",
    "bootstrap_interval",
    "check_alternative",
    "cohen_dz",
    "cohen_kappa",
    "design_effect",
    "difference_interval",
    "fleiss_kappa",
    "gwet_ac1",
    "holm",
    "krippendorff_alpha",
    "mcnemar_power",
    "mcnemar_sample_size",
    "mean_interval",
    "minimum_detectable_effect",
    "paired_differences",
    "paired_test",
    "power",
    "ppi_mean",
    "rogan_gladen",
    "sample_size",
    "sample_size_for_half_width",
    "units_for_tie",
    "unpaired_test",
]
