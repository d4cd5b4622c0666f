"""For tests: a model server on loopback that answers and fails as it is told."""

from karat.testing.faults import MALFORMED, PASSING, Faults
from karat.testing.ledger import read_ledger
from karat.testing.request import Message, Request, Tool
from karat.testing.script import echo
from karat.testing.server import ModelServer
from karat.testing.steps import (
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
from karat.testing.teacher import Teacher

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
