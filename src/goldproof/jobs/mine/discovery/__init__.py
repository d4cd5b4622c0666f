"""Agent-driven discovery: an agent answers with search and inspect, and what it used is a candidate kernel."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.mine.discovery.corpus_tools import CorpusTools
    from goldproof.jobs.mine.discovery.discovering import Discovery, discover
    from goldproof.jobs.mine.discovery.package_tools import PackageTools
    from goldproof.jobs.mine.discovery.tools import Found, Inspected, Tools

__all__ = ["CorpusTools", "Discovery", "Found", "Inspected", "PackageTools", "Tools", "discover"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "corpus_tools": ("CorpusTools",),
        "discovering": ("Discovery", "discover"),
        "package_tools": ("PackageTools",),
        "tools": ("Found", "Inspected", "Tools"),
    },
)
