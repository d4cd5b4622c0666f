"""The measures of memory by name, and the other names under which people know them. Loads none of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = (
    "precision",
    "recall",
    "f1",
    "Hit@1",
    "set_success",
    "relevance_score",
    "relevance_of_hits",
    "similarity",
    "false_surface",
    "ordering",
    "tokens",
    "f1_or_silence",
)
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "f1_score": "f1",
        "hit@1": "Hit@1",
        "hit_at_1": "Hit@1",
        "relevance": "relevance_score",
        "setsuccess": "set_success",
        "falsesurface": "false_surface",
    }
)
