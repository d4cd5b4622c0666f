"""The metrics of search traces, in the order in which they are shown."""

from __future__ import annotations

FAMILIES = ("CG", "RG", "DCG", "DRG", "AvgGain", "RAG", "DRAG", "SRE", "SRR")
COMPLETION = "IterationsForAllGoodResults"
