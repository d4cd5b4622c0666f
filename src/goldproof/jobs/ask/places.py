"""Where questions are drafted from: passages in a stratified order, and pairs of documents that share an entity.

Strata. A document belongs to a group (the metadata field of `--by`; else the folder of its `source`, where it has one)
and to one of three bands of length (the terciles of the corpus). Within a stratum the order is random by the seed; the
i-th of its N documents, counted from 0, gets the number (i + u) / N, u random per stratum, and all documents are sorted
by that. So any beginning of the order has the strata in the proportions of the corpus, and drafting more questions
begins with the same documents.

Passages. A document longer than `PASSAGE` characters is cut into passages at paragraphs, lines or blanks. Only the
first `LONGEST` characters are used: a judge reads no more. Each round over the corpus takes another passage of every
document, and then begins again, up to `VISITS` times per passage.

Pairs. An entity is a name (capitalised words; a single one only if no document writes it small) or a rare word of
`LEAST_LETTERS` letters or more. An inverted index of the first `INDEXED` documents of the order lists the documents of
each; those in 2 to `most_shared` documents link pairs of documents from different sources: names of several words
first, then of one, then rare words. A document is in `PAIRS_EACH` pairs at most.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from goldproof.errors import UnknownNameError
from goldproof.jobs.ask.records import Passage, Place
from goldproof.judge.prompts import LONGEST
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.records.keys import content_key
from goldproof.text.spans import find_words
from goldproof.text.tokens import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from goldproof.records.entities import Document

PASSAGE: Final = 8_000
VISITS: Final = 5
LEAST_TEXT: Final = 20
LEAST_LETTERS: Final = 7
INDEXED: Final = 20_000
REPORTED: Final = 1_000
PAIRS_EACH: Final = 2
TOP: Final = "(top)"
UNGROUPED: Final = "(none)"
_BANDS: Final = ("short", "medium", "long")
_CAPITAL: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
_NAME: Final = re.compile(rf"\b[{_CAPITAL}][\w'\u2019-]+(?:[ \t][{_CAPITAL}][\w'\u2019-]+){{0,3}}")
_SMALL: Final = re.compile(rf"\b[^\W\d_{_CAPITAL}][^\W\d_]*\b")
_BREAKS: Final = ("\n\n", "\n", " ")
T = TypeVar("T")


class Strata(NamedTuple):
    """The stratum of every document by its id, what is grouped by beside the length, and what its bands mean."""

    of: Mapping[str, str]
    group: str
    bands: str

    def counts(self) -> dict[str, int]:
        """Return how many documents each stratum has, by name."""
        return dict(sorted(Counter(self.of.values()).items()))


def make_strata(documents: Sequence[Document], *, by: str | None = None) -> Strata:
    """Give every document its stratum. by: a metadata field; None for the folder of the source."""
    if by is not None and not any(by in document.metadata for document in documents):
        known = {str(name) for document in documents for name in document.metadata}
        raise UnknownNameError("metadata field of the documents (--by)", by, known)
    lengths = sorted(len(document.text) for document in documents)
    cuts = [lengths[len(lengths) * part // 3] for part in (1, 2)]
    groups = {document.id: _group(document, by) for document in documents}
    one = len(set(groups.values())) == 1
    of = {}
    for document in documents:
        band = _BANDS[sum(len(document.text) >= cut for cut in cuts)]
        of[document.id] = band if one else f"{groups[document.id]}, {band}"
    group = "" if one else "folder and " if by is None else f"{by} and "
    return Strata(of, group, f"short below {cuts[0]:,} characters, long from {cuts[1]:,}")


def _group(document: Document, by: str | None) -> str:
    if by is not None:
        value = document.metadata.get(by)
        return UNGROUPED if value is None or value == "" else str(value)
    source = document.metadata.get("source")
    return source.rpartition("/")[0] or TOP if isinstance(source, str) else UNGROUPED


def stratified(items: Iterable[T], *, name: Callable[[T], str], stratum: Callable[[T], str], seed: int) -> list[T]:
    """Return the items in an order of which every beginning has the strata in their proportions."""
    members: dict[str, list[T]] = defaultdict(list)
    for item in items:
        members[stratum(item)].append(item)
    numbered: list[tuple[float, str, T]] = []
    for of, items_of in members.items():
        start = _random(seed, "stratum", of)
        shuffled = sorted(items_of, key=lambda item: content_key(seed, name(item)))
        numbered += [((place + start) / len(shuffled), name(item), item) for place, item in enumerate(shuffled)]
    return [item for _, _, item in sorted(numbered, key=lambda each: each[:2])]


def _random(*parts: object) -> float:
    """Return a number from 0 to 1 that these parts decide."""
    return int(content_key(*parts)[:13], 16) / 16**13


def passages_of(document: Document) -> list[Passage]:
    """Return the passages of a document; none where it has no text to speak of."""
    text = document.text[:LONGEST]
    passages, start = [], 0
    while start < len(text):
        end = _end_of_passage(text, start)
        if len(text[start:end].strip()) >= LEAST_TEXT:
            passages.append(Passage(document, start, end))
        start = end
    return passages


def _end_of_passage(text: str, start: int) -> int:
    end = start + PASSAGE
    if end >= len(text):
        return len(text)
    for mark in _BREAKS:
        if (found := text.rfind(mark, start + PASSAGE // 2, end)) > 0:
            return found + len(mark)
    return end


def single_places(documents: Sequence[Document], strata: Strata, *, seed: int) -> Iterator[Iterator[Place]]:
    """Yield rounds over the corpus; each yields at most one place of every document."""
    ordered = _in_order(documents, strata, seed=seed)
    turn = 0
    while ordered:
        yield _round(ordered, strata, turn=turn, seed=seed)
        turn += 1
        ordered = [each for each in ordered if turn < VISITS * len(passages_of(each))]


def _in_order(documents: Sequence[Document], strata: Strata, *, seed: int) -> list[Document]:
    return stratified(documents, name=lambda each: each.id, stratum=lambda each: strata.of[each.id], seed=seed)


def _round(documents: Sequence[Document], strata: Strata, *, turn: int, seed: int) -> Iterator[Place]:
    for document in documents:
        passages = passages_of(document)
        first = int(_random(seed, "passage", document.id) * len(passages))
        yield Place((passages[(first + turn) % len(passages)],), strata.of[document.id])


class _Link(NamedTuple):
    """An entity, and the documents that mention it. tier: 0 a name of several words, 1 of one, 2 a rare word."""

    entity: str
    documents: list[int]
    tier: int


def pair_places(
    documents: Sequence[Document], strata: Strata, *, seed: int, on_progress: OnProgress = ignore
) -> list[Place]:
    """Return pairs of documents that share an entity, in the order in which they are asked about."""
    documents = _in_order(documents, strata, seed=seed)[:INDEXED]
    links = _links(documents, most=most_shared(len(documents)), on_progress=on_progress)
    used: Counter[int] = Counter()
    pairs: set[tuple[int, int]] = set()
    tiers: list[list[Place]] = [[], [], []]
    links.sort(key=lambda link: (link.tier, content_key(seed, link.entity)))
    for link in links:
        free = sorted(link.documents, key=lambda number: content_key(seed, link.entity, documents[number].id))
        while len(free := [number for number in free if used[number] < PAIRS_EACH]) > 1:
            first = free.pop(0)
            second = next((number for number in free if _fit(documents[first], documents[number])), None)
            if second is None or (pair := (min(first, second), max(first, second))) in pairs:
                continue
            free.remove(second)
            pairs.add(pair)
            used.update(pair)
            passages = tuple(_passage_around(documents[number], link.entity) for number in (first, second))
            tiers[link.tier].append(Place(passages, strata.of[documents[first].id], link.entity))
    return [
        place
        for tier in tiers
        for place in stratified(tier, name=lambda each: str(each.key), stratum=_stratum, seed=seed)
    ]


def most_shared(documents: int) -> int:
    """Return in how many documents an entity may occur that links two of them."""
    return min(10, max(2, documents // 5))


def _stratum(place: Place) -> str:
    return place.stratum


def _links(documents: Sequence[Document], *, most: int, on_progress: OnProgress) -> list[_Link]:
    """Return the entities that 2 to `most` documents share."""
    named: dict[str, list[int]] = {}
    small: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        text = document.text[:LONGEST]
        _post(named, {_bare_name(name) for name in _NAME.findall(text)}, number, most=most)
        _post(small, set(_SMALL.findall(text)), number, most=most)
        if not (number + 1) % REPORTED or number + 1 == len(documents):
            on_progress(Progress("documents searched for names", number + 1, len(documents)))
    links = [
        _Link(name, numbers, tier=0 if " " in name else 1)
        for name, numbers in named.items()
        if 2 <= len(numbers) <= most and name and (" " in name or name.lower() not in small)
    ]
    links += [
        _Link(word, numbers, tier=2)
        for word, numbers in small.items()
        if 2 <= len(numbers) <= most and len(word) >= LEAST_LETTERS
    ]
    return links


def _post(index: dict[str, list[int]], terms: set[str], number: int, *, most: int) -> None:
    """Note a document under its terms; of a term with too many only that is kept."""
    for term in terms:
        numbers = index.setdefault(term, [])
        if len(numbers) <= most:
            numbers.append(number)


def _bare_name(name: str) -> str:
    """Return a name without the words that begin a sentence; empty where nothing else is left."""
    words = name.split()
    while words and words[0].lower() in FUNCTION_WORDS:
        words.pop(0)
    return " ".join(words).removesuffix("'s").removesuffix("\u2019s") if len("".join(words)) > 2 else ""


def _fit(first: Document, second: Document) -> bool:
    """Return whether two documents may be asked about together: not pieces of one source, and not the same text."""
    source = first.metadata.get("source")
    return (source is None or source != second.metadata.get("source")) and first.text != second.text


def _passage_around(document: Document, entity: str) -> Passage:
    """Return the passage that mentions an entity; the first where none mentions it as a whole."""
    passages = passages_of(document)
    for passage in passages:
        if entity in document.text[passage.start : passage.end]:
            return passage
    return next((each for each in passages if find_words(entity, document.text[each.start : each.end])), passages[0])
