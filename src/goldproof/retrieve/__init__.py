"""Retrieval pipelines from text, YAML or Python; users' retrievers; runs over many questions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.retrieve.pipeline import Pipeline, open_named, open_retriever, open_retrievers
    from goldproof.retrieve.python_form import (
        bm25,
        decay,
        dense,
        expand,
        filter_by,
        filter_from_query,
        floor,
        http,
        hybrid,
        own,
        recency,
        recent_from_query,
        rerank,
        run_file,
        top,
    )
    from goldproof.retrieve.retriever import Filters, Moment, Retriever
    from goldproof.retrieve.run import Retrieved, Search, retrieve, run_questions
    from goldproof.retrieve.stages.filters import parse_filters
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "python_form": (
                "bm25",
                "decay",
                "dense",
                "expand",
                "filter_by",
                "filter_from_query",
                "floor",
                "http",
                "hybrid",
                "own",
                "recency",
                "recent_from_query",
                "rerank",
                "run_file",
                "top",
            ),
            "pipeline": ("Pipeline", "open_named", "open_retriever", "open_retrievers"),
            "retriever": ("Filters", "Moment", "Retriever"),
            "run": ("Retrieved", "Search", "retrieve", "run_questions"),
            "stages.filters": ("parse_filters",),
        },
    )

__all__ = [
    "Filters",
    "Moment",
    "Pipeline",
    "Retrieved",
    "Retriever",
    "Search",
    "bm25",
    "decay",
    "dense",
    "expand",
    "filter_by",
    "filter_from_query",
    "floor",
    "http",
    "hybrid",
    "open_named",
    "open_retriever",
    "open_retrievers",
    "own",
    "parse_filters",
    "recency",
    "recent_from_query",
    "rerank",
    "retrieve",
    "run_file",
    "run_questions",
    "top",
]
