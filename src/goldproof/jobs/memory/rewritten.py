"""Matching what a memory system rewrote: a judge reads a returned text and a stored memory side by side.

The default judge is the similarity of embeddings (`similarity:minilm`, yes above 0.6), where the extra `dense` is
installed, else the overlap of keywords; any judge of Goldproof's can be named. Each candidate is judged alone. Of those
with a yes the one of the highest score counts (grade, else score, else shared words): a returned "lives in Bergen" must
not stand for the older memory "lives in Oslo" because both were near enough. Candidates are the memories that the
item's id came from, or, where the id tells nothing, the expected ones and the five of the pool that share most words.
Where several memories were merged under one id, the bar is lower, since it is known where the item came from: those
count as well of whose content words at least half stand in it; and each further one counts, if the item has a content
word of it that those before do not have. Where the judge says yes to none and its ruling on a candidate cannot be used,
nobody knows what the item is, and it is not counted as wrong: the query is undefined, and where the judge failed it has
failed, with the judge's reason.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from goldproof.closeable import HasClose
from goldproof.embed import minilm
from goldproof.jobs.memory.scored import no_ruling
from goldproof.judge.batch import Brief, judge_briefs
from goldproof.records.entities import Document, Question
from goldproof.text.tokens import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.matching import Doubtful
    from goldproof.jobs.memory.scored import NoRuling
    from goldproof.judge import Judge, Ruling

SIMILARITY = "similarity#least=0.6"
KEYWORDS = "keyword#least=0.5"
NEAREST = 5
HALF = 0.5


class Reading(NamedTuple):
    """What the judge made of an item; unread: why nobody knows."""

    memories: tuple[str, ...]
    unread: NoRuling | None = None


class TextMatcher:
    """Matches texts by a judge, which is opened when first needed.

    spec: the judge. failures: rulings that came to nothing, by reason.
    """

    def __init__(self, spec: object = None) -> None:
        self._given = spec is not None
        self._spec = _default_spec() if spec is None else spec
        self._judge: Judge | None = None
        self.failures: dict[str, int] = {}

    def check(self) -> None:
        """Refuse a judge that cannot be opened before anything is run; the default one is opened when it is needed."""
        if self._given:
            self._opened()

    @property
    def judge_name(self) -> str:
        """Who judges, for the card."""
        return self._spec if isinstance(self._spec, str) else self._opened().key

    def close(self) -> None:
        """Let go of the files of the judge that was opened here."""
        opened: object = self._judge if isinstance(self._spec, str) else None
        if isinstance(opened, HasClose):
            opened.close()

    def near(
        self, text: str, pool: Sequence[MemoryItem], *, always: Sequence[MemoryItem] = ()
    ) -> tuple[MemoryItem, ...]:
        """Return the memories that a text may stand for: those of `always`, and the nearest by shared words."""
        wanted = frozenset(_words(text))
        shared = {memory.id: len(wanted.intersection(_words(memory.content))) for memory in pool}
        nearest = sorted((memory for memory in pool if shared[memory.id]), key=lambda m: -shared[m.id])[:NEAREST]
        kept = {memory.id: memory for memory in (*always, *nearest)}
        return tuple(kept.values())

    def match(self, items: Sequence[Doubtful]) -> list[Reading]:
        """Return, for each item, the memories it stands for; none where the judge says yes to none."""
        briefs = [self._brief(item, memory) for item in items for memory in item.candidates]
        rulings = iter(judge_briefs(self._opened(), briefs) if briefs else [])
        return [self._read(item, [next(rulings) for _ in item.candidates]) for item in items]

    def _brief(self, item: Doubtful, memory: MemoryItem) -> Brief:
        # A model is asked whether the text says it; a score of two texts is taken of the texts themselves.
        is_model = self._opened().key.startswith("llm")
        asked = f"Is the following stated here? {memory.content}" if is_model else memory.content
        return Brief(Question(memory.id, asked), (Document(item.hit.doc_id, item.hit.text or ""),))

    def _read(self, item: Doubtful, rulings: Sequence[Ruling]) -> Reading:
        unusable = [why for why in map(no_ruling, rulings) if why is not None]
        for why in unusable:
            self.failures[why.reason] = self.failures.get(why.reason, 0) + 1
        words = frozenset(_words(item.hit.text or ""))
        held = [
            (memory, ruling)
            for memory, ruling in zip(item.candidates, rulings, strict=True)
            if ruling.sufficient or (item.merged and _share(memory, words) >= HALF)
        ]
        if not held:
            # A failure may be gone when the run is repeated, so it is named before what the judge left open.
            return Reading((), min(unusable, key=lambda why: not why.failed, default=None))
        held.sort(key=lambda pair: _weight(pair, words), reverse=True)
        return Reading(_distinct([memory for memory, _ in held], words) if item.merged else (held[0][0].id,))

    def _opened(self) -> Judge:
        if self._judge is None:
            from goldproof.judge.judge import open_judge  # noqa: PLC0415 - judges are loaded where one is needed

            self._judge = open_judge(self._spec)
        return self._judge


def _weight(pair: tuple[MemoryItem, Ruling], words: frozenset[str]) -> tuple[float, float, int]:
    memory, ruling = pair
    return float(ruling.grade or 0), ruling.score or 0.0, len(words.intersection(_words(memory.content)))


def _share(memory: MemoryItem, words: frozenset[str]) -> float:
    """Return how many of a memory's content words stand in an item."""
    own = _words(memory.content)
    return len(words.intersection(own)) / len(own) if own else 0.0


def _distinct(memories: Sequence[MemoryItem], words: frozenset[str]) -> tuple[str, ...]:
    """Return the first memory, and each further one of which the item has a word that the others lack."""
    found, seen = [memories[0].id], set(_words(memories[0].content))
    for memory in memories[1:]:
        own = words.intersection(_words(memory.content))
        if own - seen:
            found.append(memory.id)
            seen |= set(_words(memory.content))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _words(text: str) -> tuple[str, ...]:
    """Return the content words of a text; a memory is looked at for every item that may stand for it."""
    return content_words(text)


def _default_spec() -> str:
    return SIMILARITY if minilm.is_installed() else KEYWORDS
