"""For tests: a model server on loopback that answers and fails as it is told."""

from goldproof.testing.faults import MALFORMED, PASSING, Faults
from goldproof.testing.ledger import read_ledger
from goldproof.testing.request import Message, Request, Tool
from goldproof.testing.script import echo
from goldproof.testing.server import ModelServer
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

__all__ = [
    "MALFORMED",
    "PASSING",
    "Answer",
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
