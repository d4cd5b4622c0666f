"""Documents drawn at random, to see how often relevance goes unnoticed.

Each question has a draw of its own, from the seed and its id: another question more or less changes nothing for it.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence, Set


def drawn(question: str, documents: Sequence[str], *, many: int, without: Set[str], seed: int) -> tuple[str, ...]:
    """Return `many` documents, fewer where there are fewer. without: those that are looked at for better reasons."""
    if not many:
        return ()
    random = Random(f"{seed}\n{question}")  # noqa: S311 - nothing to be kept secret
    # As many more are drawn as may have to be left out, so that those left over are a fair draw of the others.
    places = random.sample(range(len(documents)), min(len(documents), many + len(without)))
    return tuple(documents[place] for place in places if documents[place] not in without)[:many]
