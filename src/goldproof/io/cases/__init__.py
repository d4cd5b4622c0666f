"""Cases of benchmark registries, and questions of other files, for mining and proving."""

from goldproof.io.cases.case import Case, Cases, CodeFile, Kind
from goldproof.io.cases.reading import read_cases

__all__ = ["Case", "Cases", "CodeFile", "Kind", "read_cases"]
