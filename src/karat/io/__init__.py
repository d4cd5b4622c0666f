"""Reading and writing files: judgments, rankings, datasets, traces, labels, scores, cards."""

from karat.io.beir import read_documents
from karat.io.cards import card_key, read_card, sha256_file, write_card
from karat.io.complaints import Finding
from karat.io.dataset_files import dataset_files
from karat.io.datasets import read_dataset, read_judgments
from karat.io.frames import judgments_from_frame, ranking_from_frame
from karat.io.id_lists import read_clusters, read_ids
from karat.io.json_files import json_text, read_json, write_json
from karat.io.jsonl_ranking import write_jsonl_ranking
from karat.io.labels import Labels, labels_from_object, read_labels
from karat.io.output_folder import OutputFolder
from karat.io.parquet import write_parquet
from karat.io.questions import read_questions
from karat.io.reading import RankingReading, read_ranking, read_ranking_report
from karat.io.replacing import replace_file, write_text
from karat.io.scores import read_scores, write_scores
from karat.io.traces import read_traces, traces_from_frame, traces_from_records
from karat.io.trec import write_trec_qrels, write_trec_run
from karat.io.validation import Validation, validate_file

__all__ = [
    "Finding",
    "Labels",
    "OutputFolder",
    "RankingReading",
    "Validation",
    "card_key",
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
