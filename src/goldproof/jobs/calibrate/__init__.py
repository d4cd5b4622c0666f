"""Judges measured against people: agreement, cut-offs, probabilities, corrected shares, labels needed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.calibrate.job import calibrate_judge, open_calibration
    from goldproof.jobs.calibrate.result import CalibrationResult
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "job": ("calibrate_judge", "open_calibration"),
            "result": ("CalibrationResult",),
        },
    )

__all__ = ["CalibrationResult", "calibrate_judge", "open_calibration"]
