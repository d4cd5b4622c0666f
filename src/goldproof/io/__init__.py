"""Reading and writing files: judgments, rankings, datasets, traces, labels, scores, cards."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.atomic_files import replace_file, write_text
    from goldproof.io.datasets.beir import read_documents
    from goldproof.io.datasets.dataset import corpus_ids, dataset_files, read_dataset, read_judgments
    from goldproof.io.datasets.id_lists import read_clusters, read_ids
    from goldproof.io.datasets.labels import Labels, labels_from_object, read_labels
    from goldproof.io.datasets.qrels_and_runs import (
        RankingReading,
        read_ranking,
        read_ranking_report,
        write_jsonl_ranking,
        write_trec_run,
    )
    from goldproof.io.datasets.questions import read_questions
    from goldproof.io.datasets.scores import read_scores, write_scores
    from goldproof.io.diagnostics import Diagnostic
    from goldproof.io.json_files import json_text, read_json, write_json
    from goldproof.io.parquet import judgments_from_frame, ranking_from_frame, write_parquet
    from goldproof.io.storage.cards import card_key, read_card, sha256_file, write_card
    from goldproof.io.storage.output_folder import OutputFolder
    from goldproof.io.traces import read_traces, traces_from_frame, traces_from_records
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "atomic_files": ("replace_file", "write_text"),
            "datasets.beir": ("read_documents",),
            "datasets.dataset": ("corpus_ids", "dataset_files", "read_dataset", "read_judgments"),
            "datasets.id_lists": ("read_clusters", "read_ids"),
            "datasets.labels": ("Labels", "labels_from_object", "read_labels"),
            "datasets.qrels_and_runs": (
                "RankingReading",
                "read_ranking",
                "read_ranking_report",
                "write_jsonl_ranking",
                "write_trec_run",
            ),
            "datasets.questions": ("read_questions",),
            "datasets.scores": ("read_scores", "write_scores"),
            "diagnostics": ("Diagnostic",),
            "json_files": ("json_text", "read_json", "write_json"),
            "parquet": ("judgments_from_frame", "ranking_from_frame", "write_parquet"),
            "storage.cards": ("card_key", "read_card", "sha256_file", "write_card"),
            "storage.output_folder": ("OutputFolder",),
            "traces": ("read_traces", "traces_from_frame", "traces_from_records"),
        },
    )

__all__ = [
    "Diagnostic",
    "Labels",
    "OutputFolder",
    "RankingReading",
    "card_key",
    "corpus_ids",
    "dataset_files",
    "json_text",
    "judgments_from_frame",
    "labels_from_object",
    "ranking_from_frame",
    "read_card",
    "read_clusters",
    "read_dataset",
    "read_documents",
    "read_ids",
    "read_json",
    "read_judgments",
    "read_labels",
    "read_questions",
    "read_ranking",
    "read_ranking_report",
    "read_scores",
    "read_traces",
    "replace_file",
    "sha256_file",
    "traces_from_frame",
    "traces_from_records",
    "write_card",
    "write_json",
    "write_jsonl_ranking",
    "write_parquet",
    "write_scores",
    "write_text",
    "write_trec_run",
]
