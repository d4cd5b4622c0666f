"""Python packages as corpora: read statically, searched by name, inspected."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.corpus.packages.distribution import Distribution, find_distribution
    from goldproof.corpus.packages.inspection import Member, Symbol
    from goldproof.corpus.packages.package import Package, open_package, package_corpus
    from goldproof.corpus.packages.signatures import Field, Parameter
    from goldproof.corpus.packages.symbols import Match
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "distribution": ("Distribution", "find_distribution"),
            "inspection": ("Member", "Symbol"),
            "package": ("Package", "open_package", "package_corpus"),
            "signatures": ("Field", "Parameter"),
            "symbols": ("Match",),
        },
    )

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
