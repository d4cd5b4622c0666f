"""Python packages as corpora: read statically, searched by name, inspected."""

from karat.corpus.packages.distribution import Distribution, find_distribution
from karat.corpus.packages.inspection import Member, Symbol
from karat.corpus.packages.package import Package, open_package, package_corpus
from karat.corpus.packages.record_fields import Field
from karat.corpus.packages.signatures import Parameter
from karat.corpus.packages.symbols import Match

__all__ = [
    "Distribution",
    "Field",
    "Match",
    "Member",
    "Package",
    "Parameter",
    "Symbol",
    "find_distribution",
    "open_package",
    "package_corpus",
]
