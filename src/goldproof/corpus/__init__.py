"""Corpora: Python packages, folders, datasets and files as documents with stable ids."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.corpus.corpus import Corpus, documents_key, open_corpus
    from goldproof.corpus.gold_spans import (
        GoldReading,
        GoldSpan,
        LostSpan,
        gold_for,
        read_gold_spans,
        spans_of,
        write_gold_spans,
    )
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "corpus": ("Corpus", "documents_key", "open_corpus"),
            "gold_spans": (
                "GoldReading",
                "GoldSpan",
                "LostSpan",
                "gold_for",
                "read_gold_spans",
                "spans_of",
                "write_gold_spans",
            ),
        },
    )

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
