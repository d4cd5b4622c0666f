"""Judges measured against people: agreement, cut-offs, probabilities, corrected shares, labels needed."""

from karat.jobs.calibrate.calibrate_judge import calibrate_judge, open_calibration
from karat.jobs.calibrate.result import CalibrationResult

__all__ = ["CalibrationResult", "calibrate_judge", "open_calibration"]
