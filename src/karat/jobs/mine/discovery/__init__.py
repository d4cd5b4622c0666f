"""Agent-driven discovery: an agent answers with search and inspect, and what it used is a candidate kernel."""

from karat.jobs.mine.discovery.corpus_tools import CorpusTools
from karat.jobs.mine.discovery.discovering import Discovery, discover
from karat.jobs.mine.discovery.package_tools import PackageTools
from karat.jobs.mine.discovery.tools import Found, Inspected, Tools

__all__ = ["CorpusTools", "Discovery", "Found", "Inspected", "PackageTools", "Tools", "discover"]
