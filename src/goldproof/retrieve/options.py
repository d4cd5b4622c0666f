"""Options of every job that runs retrievers, declared once: how many documents, which of them, as of when."""

from typing import TYPE_CHECKING, Annotated

from goldproof.options import Option

if TYPE_CHECKING:
    from goldproof.retrieve.retriever import Filters, Moment


def _parse_filters(texts: list[str]) -> "Filters | None":
    from goldproof.retrieve.stages.filters import parse_filters  # noqa: PLC0415 - only who filters needs it

    return parse_filters(texts)


K = Annotated[int, Option("How many documents a retriever is asked for.", "N", flag="-k --k", minimum=1)]
Filter = Annotated[
    "Filters | None",
    Option(
        "Search only documents whose metadata match: FIELD=A, FIELD=A,B (any of them) or FIELD=2019..2021. "
        "Repeatable; all must hold.",
        "FIELD=VALUE",
        flag="--filter",
        type=list[str],
        parse=_parse_filters,
    ),
]
Now = Annotated[
    "Moment | None",
    Option("What ages are counted from (default: the newest document).", "TURN|DATE", type=str),
]
Timeout = Annotated[
    float | None,
    Option(
        "How long code of yours or a service may take for one call; the question then fails, and the run goes on.",
        "SECONDS",
    ),
]
Fresh = Annotated[bool, Option("Ask again what an interrupted run has answered already.")]
