"""Validate a file: its kind, counts and everything that is wrong with it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.validate.job import Validation, validate_file
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "job": ("Validation", "validate_file"),
        },
    )

__all__ = ["Validation", "validate_file"]
