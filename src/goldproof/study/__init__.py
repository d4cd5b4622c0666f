"""From scores to summaries, comparisons, verdicts and gates, in one shape for every job."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.study.comparison import Comparison, Description, Pair, Procedure, choose_pairs
    from goldproof.study.gates import Gate, GateResult, check_gate, gate_texts, junit_xml, parse_gate, read_gates
    from goldproof.study.panel import Column, Panel, encode_clusters, panel_from_scores
    from goldproof.study.result import Attachment, Provenance, Result
    from goldproof.study.score_comparison import align, compare
    from goldproof.study.study import Design, Study
    from goldproof.study.summary import RunSummary
    from goldproof.study.tables import comparisons_table, flat_table, results_table, study_tables
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "comparison": ("Comparison", "Description", "Pair", "Procedure", "choose_pairs"),
            "gates": ("Gate", "GateResult", "check_gate", "gate_texts", "junit_xml", "parse_gate", "read_gates"),
            "panel": ("Column", "Panel", "encode_clusters", "panel_from_scores"),
            "result": ("Attachment", "Provenance", "Result"),
            "score_comparison": ("align", "compare"),
            "study": ("Design", "Study"),
            "summary": ("RunSummary",),
            "tables": ("comparisons_table", "flat_table", "results_table", "study_tables"),
        },
    )

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
    "gate_texts",
    "junit_xml",
    "panel_from_scores",
    "parse_gate",
    "read_gates",
    "results_table",
    "study_tables",
]
