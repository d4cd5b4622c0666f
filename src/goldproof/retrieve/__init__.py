"""Retrieval: stages put together to pipelines, by text, YAML or Python; running them; retrievers of the user's."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.retrieve.filtering.filter_options import parse_filters
    from goldproof.retrieve.opening import open_named, open_retriever, open_retrievers
    from goldproof.retrieve.pipeline import Pipeline
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
    from goldproof.retrieve.running.answers import Progress
    from goldproof.retrieve.running.asking import Search, run_questions
    from goldproof.retrieve.running.retrieving import Retrieved, Watcher, retrieve

__all__ = [
    "Filters",
    "Moment",
    "Pipeline",
    "Progress",
    "Retrieved",
    "Retriever",
    "Search",
    "Watcher",
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

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "filtering.filter_options": ("parse_filters",),
        "opening": ("open_named", "open_retriever", "open_retrievers"),
        "pipeline": ("Pipeline",),
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
        "retriever": ("Filters", "Moment", "Retriever"),
        "running.answers": ("Progress",),
        "running.asking": ("Search", "run_questions"),
        "running.retrieving": ("Retrieved", "Watcher", "retrieve"),
    },
)
