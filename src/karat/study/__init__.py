"""Scores in, summaries, comparisons, verdicts and gates out: one shape for every job."""

from karat.study.align import align
from karat.study.compare_scores import compare
from karat.study.comparison import Comparison, Procedure
from karat.study.description import Description
from karat.study.design import Design
from karat.study.flat_table import flat_table
from karat.study.gates import Gate, GateResult, check_gate, parse_gate
from karat.study.junit import junit_xml
from karat.study.pairs import Pair, choose_pairs
from karat.study.panel import Column, Panel, encode_clusters, panel_from_scores
from karat.study.result import Attachment, Provenance, Result
from karat.study.study import Study
from karat.study.summary import RunSummary
from karat.study.tables import comparisons_table, results_table, study_tables

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
