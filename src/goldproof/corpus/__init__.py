"""What is searched: Python packages, folders, datasets and files as documents with stable ids."""

from goldproof.corpus.corpus import Corpus, documents_key
from goldproof.corpus.gold_files import read_gold_spans, write_gold_spans
from goldproof.corpus.gold_spans import GoldReading, GoldSpan, LostSpan, gold_for, spans_of
from goldproof.corpus.opening import open_corpus

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
