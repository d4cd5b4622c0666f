"""Reading and writing files: judgments, rankings, datasets, traces, labels, scores, cards."""

from goldproof.io.beir import read_documents
from goldproof.io.cards import card_key, read_card, sha256_file, write_card
from goldproof.io.complaints import Finding
from goldproof.io.dataset_files import dataset_files
from goldproof.io.datasets import corpus_ids, read_dataset, read_judgments
from goldproof.io.frames import judgments_from_frame, ranking_from_frame
from goldproof.io.id_lists import read_clusters, read_ids
from goldproof.io.json_files import json_text, read_json, write_json
from goldproof.io.jsonl_ranking import write_jsonl_ranking
from goldproof.io.labels import Labels, labels_from_object, read_labels
from goldproof.io.output_folder import OutputFolder
from goldproof.io.parquet import write_parquet
from goldproof.io.questions import read_questions
from goldproof.io.reading import RankingReading, read_ranking, read_ranking_report
from goldproof.io.replacing import replace_file, write_text
from goldproof.io.scores import read_scores, write_scores
from goldproof.io.traces import read_traces, traces_from_frame, traces_from_records
from goldproof.io.trec import write_trec_qrels, write_trec_run
from goldproof.io.validation import Validation, validate_file

__all__ = [
    "Finding",
    "Labels",
    "OutputFolder",
    "RankingReading",
    "Validation",
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
    "validate_file",
    "write_card",
    "write_json",
    "write_jsonl_ranking",
    "write_parquet",
    "write_scores",
    "write_text",
    "write_trec_qrels",
    "write_trec_run",
]
