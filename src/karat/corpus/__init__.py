"""What is searched: Python packages, folders, datasets and files as documents with stable ids."""

from karat.corpus.corpus import Corpus, documents_key
from karat.corpus.gold_files import read_gold_spans, write_gold_spans
from karat.corpus.gold_spans import GoldReading, GoldSpan, LostSpan, gold_for, spans_of
from karat.corpus.opening import open_corpus

__all__ = [
    "Corpus",
    "GoldReading",
    "GoldSpan",
    "LostSpan",
    "documents_key",
    "gold_for",
    "open_corpus",
    "read_gold_spans",
    "spans_of",
    "write_gold_spans",
]
