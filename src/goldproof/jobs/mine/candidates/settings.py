"""How many documents are looked at, and how they are found."""

from __future__ import annotations

from dataclasses import dataclass

from goldproof.errors import InputError


@dataclass(frozen=True, slots=True)
class CandidateSettings:
    """Per question, beside the documents that its own file names.

    random: drawn at random. hard: best hits of bm25. dense: best hits of the embedder. depth: how many documents of a
    given run are looked at. seed: of the draw.
    """

    random: int = 5
    hard: int = 5
    dense: int = 0
    embedder: str = "minilm"
    depth: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("random", 0), ("hard", 0), ("dense", 0), ("depth", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise InputError(f"{name} is {value!r}, expected a whole number of documents, {least} or more.")
