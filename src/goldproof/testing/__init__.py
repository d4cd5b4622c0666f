"""For tests: a model server on loopback that answers and fails as scripted, and a judge that is always right."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.testing.author import Author
    from goldproof.testing.request import Message, Request, Tool
    from goldproof.testing.script import MALFORMED, PASSING, Faults, echo
    from goldproof.testing.server import ModelServer, read_ledger
    from goldproof.testing.steps import (
        Answer,
        BadRequest,
        CutConnection,
        Empty,
        InvalidJson,
        Json,
        NotFound,
        QuotaSpent,
        RateLimited,
        Refusal,
        SchemaViolation,
        ServerError,
        Slow,
        Step,
        Text,
        ToolCall,
        Unauthorized,
    )
    from goldproof.testing.teacher import Teacher
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "author": ("Author",),
            "request": ("Message", "Request", "Tool"),
            "script": ("Faults", "MALFORMED", "PASSING", "echo"),
            "server": ("ModelServer", "read_ledger"),
            "steps": (
                "Answer",
                "BadRequest",
                "CutConnection",
                "Empty",
                "InvalidJson",
                "Json",
                "NotFound",
                "QuotaSpent",
                "RateLimited",
                "Refusal",
                "SchemaViolation",
                "ServerError",
                "Slow",
                "Step",
                "Text",
                "ToolCall",
                "Unauthorized",
            ),
            "teacher": ("Teacher",),
        },
    )

__all__ = [
    "MALFORMED",
    "PASSING",
    "Answer",
    "Author",
    "BadRequest",
    "CutConnection",
    "Empty",
    "Faults",
    "InvalidJson",
    "Json",
    "Message",
    "ModelServer",
    "NotFound",
    "QuotaSpent",
    "RateLimited",
    "Refusal",
    "Request",
    "SchemaViolation",
    "ServerError",
    "Slow",
    "Step",
    "Teacher",
    "Text",
    "Tool",
    "ToolCall",
    "Unauthorized",
    "echo",
    "read_ledger",
]
