"""Scores in, summaries, comparisons, verdicts and gates out: one shape for every job."""

from goldproof.study.align import align
from goldproof.study.compare_scores import compare
from goldproof.study.comparison import Comparison, Procedure
from goldproof.study.description import Description
from goldproof.study.design import Design
from goldproof.study.flat_table import flat_table
from goldproof.study.gates import Gate, GateResult, check_gate, parse_gate
from goldproof.study.junit import junit_xml
from goldproof.study.pairs import Pair, choose_pairs
from goldproof.study.panel import Column, Panel, encode_clusters, panel_from_scores
from goldproof.study.result import Attachment, Provenance, Result
from goldproof.study.study import Study
from goldproof.study.summary import RunSummary
from goldproof.study.tables import comparisons_table, results_table, study_tables

__all__ = [
    "Attachment",
    "Column",
    "Comparison",
    "Description",
    "Design",
    "Gate",
    "GateResult",
    "Pair",
    "Panel",
    "Procedure",
    "Provenance",
    "Result",
    "RunSummary",
    "Study",
    "align",
    "check_gate",
    "choose_pairs",
    "compare",
    "comparisons_table",
    "encode_clusters",
    "flat_table",
    "junit_xml",
    "panel_from_scores",
    "parse_gate",
    "results_table",
    "study_tables",
]
