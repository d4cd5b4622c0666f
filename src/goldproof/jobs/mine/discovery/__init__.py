"""Agent-driven discovery: an agent answers with search and inspect, and what it used is a candidate kernel."""

from goldproof.jobs.mine.discovery.corpus_tools import CorpusTools
from goldproof.jobs.mine.discovery.discovering import Discovery, discover
from goldproof.jobs.mine.discovery.package_tools import PackageTools
from goldproof.jobs.mine.discovery.tools import Found, Inspected, Tools

__all__ = ["CorpusTools", "Discovery", "Found", "Inspected", "PackageTools", "Tools", "discover"]
