"""Cases for mining and verifying: benchmark registries, and questions of other files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.cases.case import Case, Cases, CodeFile, Kind
    from goldproof.io.cases.case_files import read_cases
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "case": ("Case", "Cases", "CodeFile", "Kind"),
            "case_files": ("read_cases",),
        },
    )

__all__ = ["Case", "Cases", "CodeFile", "Kind", "read_cases"]
