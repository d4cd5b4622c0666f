"""The observer: what proofs import as `goldproof_proof`. Standard library only; Python 3.9 and later."""

from __future__ import annotations

from .observing import (
    observe,
    observe_anywhere,
    observe_code,
    observe_command,
    observe_import,
    observe_keyword,
    observe_name,
    observe_same,
)

__all__ = [
    "observe",
    "observe_anywhere",
    "observe_code",
    "observe_command",
    "observe_import",
    "observe_keyword",
    "observe_name",
    "observe_same",
]
