"""Cases of benchmark registries, and questions of other files, for mining and proving."""

from karat.io.cases.case import Case, Cases, CodeFile, Kind
from karat.io.cases.reading import read_cases

__all__ = ["Case", "Cases", "CodeFile", "Kind", "read_cases"]
