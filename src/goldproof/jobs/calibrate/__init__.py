"""Judges measured against people: agreement, cut-offs, probabilities, corrected shares, labels needed."""

from goldproof.jobs.calibrate.job import calibrate_judge, open_calibration
from goldproof.jobs.calibrate.result import CalibrationResult

__all__ = ["CalibrationResult", "calibrate_judge", "open_calibration"]
