"""The words of a corpus that a query may be widened with.

Content words (`goldproof.text.tokens`) of at least three letters that stand in at least two documents, the most
frequent first; of equally frequent ones, in alphabetical order. Words with figures name things and have no synonyms;
compounds with a hyphen are left out too, since they would only bring back the word that they hold (`wing-body` for
`wing`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.text.tokens import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST_DOCUMENTS = 2
MOST_WORDS = 20_000
_SHORTEST = 3


def vocabulary(texts: Iterable[str], *, least: int = LEAST_DOCUMENTS, most: int = MOST_WORDS) -> tuple[str, ...]:
    """Return the words that stand in at least `least` texts, at most `most`."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word in content_words(text) if is_word(word))
    kept = ((-count, word) for word, count in counts.items() if count >= least)
    return tuple(word for _, word in sorted(kept)[:most])


def is_word(word: str) -> bool:
    """Say whether a word can have synonyms."""
    return len(word) >= _SHORTEST and word.isalpha()
