"""Options of every job that runs retrievers, declared once: how many documents, which of them, as of when."""

from typing import TYPE_CHECKING, Annotated

from goldproof.options import Option

if TYPE_CHECKING:
    from goldproof.retrieve.retriever import Filters, Moment


def _parse_filters(texts: list[str]) -> "Filters | None":
    from goldproof.retrieve.stages.filters import parse_filters  # noqa: PLC0415 - only who filters needs it

    return parse_filters(texts)


K = Annotated[int, Option("Documents to retrieve per question.", "N", flag="-k --k", minimum=1)]
Filter = Annotated[
    "Filters | None",
    Option(
        "Search only documents with this metadata: FIELD=A, FIELD=A,B (either) or FIELD=2019..2021. "
        "Repeatable; all must match.",
        "FIELD=VALUE",
        flag="--filter",
        type=list[str],
        parse=_parse_filters,
    ),
]
Now = Annotated[
    "Moment | None",
    Option("The present, for stages that use a document's age (default: the newest document).", "TURN|DATE", type=str),
]
Timeout = Annotated[
    float | None,
    Option(
        "Time limit per call of your code or a service; a question that exceeds it fails, the run goes on.",
        "SECONDS",
    ),
]
Fresh = Annotated[bool, Option("Start over: ignore the answers that an interrupted run kept.")]
