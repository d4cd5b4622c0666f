"""Which stored memories a returned item stands for; a judge for rewritten text.

By its id, where the system gave that id on storing one memory, and gave that memory no other id. By its text, where it
equals the content of a stored memory (case and blanks aside). Everything else was rewritten by the system: facts drawn
from a memory, several memories merged into one, a text under an unknown id. A judge reads such an item side by side
with each candidate memory, and the item counts as matched by the judge. An item without a text that no id explains
matches no memory.

An id comes once in an answer; a repetition is dropped and counted by the system's adapter.

The default judge is the similarity of embeddings (`similarity:minilm`, yes above 0.6), where the extra `dense` is
installed, else the overlap of keywords; any judge of Goldproof's can be named. Each candidate is judged alone. Of those
with a yes the one of the highest score counts (grade, else score, else shared words): a returned "lives in Bergen" must
not stand for the older memory "lives in Oslo" because both were near enough. Candidates are the memories that the
item's id came from, or, where the id tells nothing, the expected ones and the five of the pool that share most words.
Where several memories were merged under one id, the bar is lower, since it is known where the item came from: a memory
also counts if at least half of its content words are in the item; and each further one counts only if the item has a
content word of it that the ones before lack. Where the judge says yes to none and one of its rulings cannot be used,
the item is not counted as wrong, since it is not known what it stands for: the query is undefined, or failed with the
judge's reason where the judge failed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from goldproof.closeable import HasClose
from goldproof.embed import minilm
from goldproof.io.scenarios.scenario import MOST_GRADE
from goldproof.jobs.memory.records import Matched, failure_first, no_ruling
from goldproof.judge.batch import Brief, judge_briefs
from goldproof.records.entities import Document, Question
from goldproof.text.tokens import content_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.records import Answered, NoRuling
    from goldproof.judge import Judge, Ruling
    from goldproof.memory import MemoryHit


SIMILARITY = "similarity#least=0.6"
KEYWORDS = "keyword#least=0.5"
NEAREST = 5  # candidates by shared words
MERGED_SHARE = 0.5  # of a memory's content words, for one of several merged


class RewrittenItem(NamedTuple):
    """An item that only a judge can match: its place (row, rank) and the memories that it may stand for.

    merged: its id came from several memories, and it may stand for more than one of them.
    """

    row: int
    rank: int
    hit: MemoryHit
    candidates: tuple[MemoryItem, ...]
    merged: bool = False


class JudgeMatch(NamedTuple):
    """The memories that the judge matched an item with; unread: why it could not tell."""

    memories: tuple[str, ...]
    unread: NoRuling | None = None


def match_rows(rows: Sequence[Answered], *, texts: TextMatcher) -> list[tuple[Matched, ...]]:
    """Return, for each query, its returned items with the memories they stand for, and their grades."""
    matches: list[list[Matched]] = []
    rewritten: list[RewrittenItem] = []
    for place, row in enumerate(rows):
        exact = _ExactMatcher(row)
        matches.append([exact.match(hit) for hit in row.hits])
        rewritten += [
            RewrittenItem(place, rank, hit, exact.candidates(hit, texts), exact.is_merged(hit))
            for rank, (hit, match) in enumerate(zip(row.hits, matches[place], strict=True))
            if match.how == "none" and hit.text
        ]
    for item, judged in zip(rewritten, texts.match(rewritten), strict=True):
        if judged.memories or judged.unread:
            matches[item.row][item.rank] = Matched(item.hit, judged.memories, "judge", unread=judged.unread)
    return [_graded(row, items) for row, items in zip(rows, matches, strict=True)]


class _ExactMatcher:
    """Matches items of one query by id and by equal text."""

    def __init__(self, row: Answered) -> None:
        self._row = row
        self._sources: Mapping[str, tuple[str, ...]] = row.stored.sources
        self._by_text: dict[str, list[str]] | None = None

    def match(self, hit: MemoryHit) -> Matched:
        sources = self._sources.get(hit.doc_id, ())
        if len(sources) == 1 and self._row.stored.ids_of[sources[0]] == 1:
            return Matched(hit, sources, "id")
        same = self._same_text(hit)
        if same:
            return Matched(hit, same, "text")
        if sources and not hit.text:
            return Matched(hit, sources, "id")
        return Matched(hit, (), "none")

    def is_merged(self, hit: MemoryHit) -> bool:
        """Whether the item's id came from several memories."""
        return len(self._sources.get(hit.doc_id, ())) > 1

    def candidates(self, hit: MemoryHit, texts: TextMatcher) -> tuple[MemoryItem, ...]:
        """Return what a rewritten item may stand for: the sources of its id, else the expected and the nearest."""
        sources = self._sources.get(hit.doc_id, ())
        if sources:
            return tuple(memory for memory in self._row.pool if memory.id in sources)
        expected = [memory for memory in self._row.pool if memory.id in self._row.query.expected]
        return texts.near(hit.text or "", self._row.pool, always=expected)

    def _same_text(self, hit: MemoryHit) -> tuple[str, ...]:
        if not hit.text:
            return ()
        if self._by_text is None:
            self._by_text = {}
            for memory in self._row.pool:
                self._by_text.setdefault(_normalised(memory.content), []).append(memory.id)
        same = self._by_text.get(_normalised(hit.text), [])
        sources = self._sources.get(hit.doc_id, ())
        return tuple(memory for memory in same if memory in sources) or tuple(same)


def _normalised(text: str) -> str:
    return " ".join(text.casefold().split())


def _graded(row: Answered, matches: Sequence[Matched]) -> tuple[Matched, ...]:
    """Give each item the highest grade of the memories it stands for, as 0 to 1."""
    grades = row.query.expected
    return tuple(
        replace(match, gain=max((grades.get(memory, 0) for memory in match.memories), default=0) / MOST_GRADE)
        for match in matches
    )


class TextMatcher:
    """Matches rewritten texts by a judge, which is opened when first needed.

    spec: the judge. failures: counts of unusable rulings, by reason.
    """

    def __init__(self, spec: object = None) -> None:
        self._given = spec is not None
        self._spec = _default_spec() if spec is None else spec
        self._judge: Judge | None = None
        self.failures: dict[str, int] = {}

    def check(self) -> None:
        """Open a judge that was named, so that a wrong one is refused early; the default is opened when needed."""
        if self._given:
            self._opened()

    @property
    def judge_name(self) -> str:
        """The judge's spec or key, for the card."""
        return self._spec if isinstance(self._spec, str) else self._opened().key

    def close(self) -> None:
        """Close the files of a judge that was opened here."""
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

    def match(self, items: Sequence[RewrittenItem]) -> list[JudgeMatch]:
        """Return, for each item, the memories it stands for; none where the judge says yes to none."""
        briefs = [self._brief(item, memory) for item in items for memory in item.candidates]
        rulings = iter(judge_briefs(self._opened(), briefs) if briefs else [])
        return [self._read(item, [next(rulings) for _ in item.candidates]) for item in items]

    def _brief(self, item: RewrittenItem, memory: MemoryItem) -> Brief:
        # A model is asked whether the text says it; a score of two texts is taken of the texts themselves.
        is_model = self._opened().key.startswith("llm")
        asked = f"Is the following stated here? {memory.content}" if is_model else memory.content
        return Brief(Question(memory.id, asked), (Document(item.hit.doc_id, item.hit.text or ""),))

    def _read(self, item: RewrittenItem, rulings: Sequence[Ruling]) -> JudgeMatch:
        unusable = [reason for reason in map(no_ruling, rulings) if reason is not None]
        for reason in unusable:
            self.failures[reason.reason] = self.failures.get(reason.reason, 0) + 1
        words = frozenset(_words(item.hit.text or ""))
        held = [
            (memory, ruling)
            for memory, ruling in zip(item.candidates, rulings, strict=True)
            if ruling.sufficient or (item.merged and _share(memory, words) >= MERGED_SHARE)
        ]
        if not held:
            return JudgeMatch((), failure_first(unusable))
        held.sort(key=lambda pair: _weight(pair, words), reverse=True)
        return JudgeMatch(_distinct([memory for memory, _ in held], words) if item.merged else (held[0][0].id,))

    def _opened(self) -> Judge:
        if self._judge is None:
            from goldproof.judge import open_judge  # noqa: PLC0415 - judges are loaded where one is needed

            self._judge = open_judge(self._spec)
        return self._judge


def _weight(pair: tuple[MemoryItem, Ruling], words: frozenset[str]) -> tuple[float, float, int]:
    memory, ruling = pair
    return float(ruling.grade or 0), ruling.score or 0.0, len(words.intersection(_words(memory.content)))


def _share(memory: MemoryItem, words: frozenset[str]) -> float:
    """Return the share of a memory's content words that are in an item."""
    own = _words(memory.content)
    return len(words.intersection(own)) / len(own) if own else 0.0


def _distinct(memories: Sequence[MemoryItem], words: frozenset[str]) -> tuple[str, ...]:
    """Return the first memory, and each further one that explains a word of the item which the ones before lack."""
    distinct, seen = [memories[0].id], set(_words(memories[0].content))
    for memory in memories[1:]:
        own = words.intersection(_words(memory.content))
        if own - seen:
            distinct.append(memory.id)
            seen |= set(_words(memory.content))
    return tuple(distinct)


@lru_cache(maxsize=1 << 15)
def _words(text: str) -> tuple[str, ...]:
    """Return the content words of a text, cached: a memory is compared with many items."""
    return content_words(text)


def _default_spec() -> str:
    return SIMILARITY if minilm.is_installed() else KEYWORDS
