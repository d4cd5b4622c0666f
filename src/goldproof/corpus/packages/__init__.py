"""Python packages as corpora: read statically, searched by name, inspected."""

from goldproof.corpus.packages.distribution import Distribution, find_distribution
from goldproof.corpus.packages.inspection import Member, Symbol
from goldproof.corpus.packages.package import Package, open_package, package_corpus
from goldproof.corpus.packages.record_fields import Field
from goldproof.corpus.packages.signatures import Parameter
from goldproof.corpus.packages.symbols import Match

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
