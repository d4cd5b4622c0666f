"""Newest first where the query asks for the latest (English).

    recent, recently, lately, latest, newest, most recent, just now, what's new     the newest first
    last two, last 3, latest three, the two most recent, last couple of             and that many only
    last argument, last message, did I last mention, said last                      `last` only with such words
    current, currently, now at the end of a clause, right now, these days, ...      what holds now (`current`)

`last` has many other meanings, so it counts only before a number that is followed by no unit of time ("the last two
years" is a period), before a word for something said, stored or done, before a verb of speaking, and after one. "Last
year", "at last", "last name" and "how long did it last" ask for nothing new. `recent` does not count before `years`,
`studies` and the like, nor `recently` after an article ("the recently opened bridge"); `current` not after `electric`
and the like. A range that is only vague ("last few") has no number.

Of a query that asks for the latest (`latest_wanted`) the first `depth` documents of the source are put newest first,
those of the same age in the source's order; "last two" also leaves out all but two. Documents after the first `depth`
stay behind them. So a floor before this step says what is still on the topic: without one, the newest of the first
`depth` come, however little they have to do with the query. Other queries are asked for k, and nothing is changed.

Ages are counted as in `ages`, from the request's `now`. The scores of the reordered documents are the same scores,
handed out anew, highest first; one that is not below the one before it is lowered by a millionth, so that the order
shows in them. The similarity of a document stays with it.

A document without a turn or time is refused when the corpus is indexed; with missing="keep" it comes after those that
have one. An unknown document has no metadata: it makes a query for the latest fail, or with missing="keep" comes after
them too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.checks import whole_number
from goldproof.retrieve.ranking import RankingPart, merged, strictly_falling, subrequest
from goldproof.retrieve.stage import Step, param, stage
from goldproof.retrieve.stages.ages import BY_DOC, FIELD_DOC, MISSING_DOC, Ages
from goldproof.retrieve.stages.query_words import NOUNS, VERBS, query_words, singulars, text_at, word_set
from goldproof.text.tokens import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request
    from goldproof.retrieve.stages.query_words import Word

_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), start=2)}
_MOST = 1000
_LATEST = frozenset({"latest", "newest"})
_UNITS = word_set(
    "second minute hour day night week weekend fortnight month quarter year decade century season digit letter "
    "character page chapter line word name row column percent"
)
_THINGS = NOUNS | word_set(
    "thing one time update change item entry note version order booking appointment meeting session conversation chat "
    "call ticket exchange discussion speaker image screenshot scan photo receipt invoice document error decision topic "
    "memory visit trip purchase payment reading measurement result commit attempt mention"
)
_RECENT_OTHER = word_set(
    "year decade century month week day time history past memory study research event survey paper report news "
    "development finding data figure statistic poll"
)
_ARTICLES = word_set("the a an this that these those his her their its")
_CURRENTS = word_set("electric electrical ocean direct alternating river air water sea strong tidal")
_CURRENT_OTHER = frozenset({"account", "accounts", "events", "affairs"})
_NOW_PHRASES = (
    ("right", "now"),
    ("these", "days"),
    ("at", "the", "moment"),
    ("at", "present"),
    ("as", "of", "now"),
    ("up", "to", "date"),
    ("as", "of", "today"),
)
_NOT_NOW = word_set("until till by before for from even")


@dataclass(frozen=True, slots=True)
class Latest:
    """A request for the newest first; count: how many at most (None: as many as there are)."""

    count: int | None = None


def latest_wanted(query: str, *, current: bool = True) -> Latest | None:
    """Return the request where a query asks for the latest, else None; current: whether `now` asks for it."""
    words = [word for word in query_words(query) if not word.quoted]
    requests = [request for at in range(len(words)) if (request := _latest_at(words, at)) is not None]
    if requests:
        return next((request for request in requests if request.count is not None), requests[0])
    return Latest() if current and any(_now_at(words, at) for at in range(len(words))) else None


def _latest_at(words: Sequence[Word], at: int) -> Latest | None:
    """Return the request that the word at a place makes, with those around it."""
    text = words[at].text
    if text == "last":
        return _last(words, at)
    if text in _LATEST:
        return Latest(_count(words, at))
    if text == "recent":
        most = text_at(words, at - 1) == "most"
        other = not most and any(form in _RECENT_OTHER for form in singulars(text_at(words, at + 1)))
        return None if other else Latest(_count(words, at, first=at - 1 if most else at))
    if text == "recently":
        return None if text_at(words, at - 1) in _ARTICLES else Latest()
    if text == "lately" or (text == "now" and text_at(words, at - 1) == "just"):
        return Latest()
    return Latest() if text == "what" and _is_new(words, at) else None


def _last(words: Sequence[Word], at: int) -> Latest | None:
    before, after = text_at(words, at - 1), text_at(words, at + 1)
    if before == "at" or _joined(words, at + 1):
        return None
    number = _count(words, at)
    if number is not None or after in ("few", "couple"):
        counted = at if _number(before) is not None else _after_count(words, at)
        return None if _is_unit(words, counted + 1) else Latest(number)
    if any(form in _THINGS for form in singulars(after)) or (after in VERBS and before != "the"):
        return Latest()
    ends = at + 1 == len(words) or words[at + 1].begins_clause or after in FUNCTION_WORDS
    return Latest() if before in VERBS and ends else None


def _count(words: Sequence[Word], at: int, *, first: int | None = None) -> int | None:
    """Return the number right after a word ("last two") or right before it ("the two latest")."""
    before = _number(text_at(words, (at if first is None else first) - 1))
    if before is not None:
        return None if _is_unit(words, at + 1) else before
    if text_at(words, at + 1) == "couple":
        return 2
    after = _number(text_at(words, at + 1))
    return None if after is None or (_is_unit(words, at + 2) and words[at].text != "last") else after


def _after_count(words: Sequence[Word], at: int) -> int:
    """Return the place of the last word of a number: of `two`, or of `couple of`."""
    return at + 2 if text_at(words, at + 1) == "couple" and text_at(words, at + 2) == "of" else at + 1


def _number(text: str) -> int | None:
    if text.isdecimal() and text.isascii() and len(text) <= 4:
        return int(text) if 1 <= int(text) <= _MOST else None
    return _NUMBERS.get(text)


def _is_unit(words: Sequence[Word], at: int) -> bool:
    return any(form in _UNITS for form in singulars(text_at(words, at)))


def _is_new(words: Sequence[Word], at: int) -> bool:
    """Say whether this is `what's new` or `what is new`."""
    place = at + 1 if words[at].possessive else at + 2
    is_there = words[at].possessive or text_at(words, at + 1) == "is"
    return (
        is_there and text_at(words, place) == "new" and text_at(words, place + 1) in ("", "with", "on", "about", "in")
    )


def _now_at(words: Sequence[Word], at: int) -> bool:
    text = words[at].text
    if text == "currently":
        return text_at(words, at - 1) not in _ARTICLES
    if text == "current":
        return text_at(words, at - 1) not in _CURRENTS and text_at(words, at + 1) not in {"", "of", *_CURRENT_OTHER}
    if text == "now" and at > 0 and text_at(words, at - 1) not in _NOT_NOW:
        return at + 1 == len(words) or words[at + 1].begins_clause or text_at(words, at - 1) == "right"
    return any(tuple(word.text for word in words[at : at + len(phrase)]) == phrase for phrase in _NOW_PHRASES)


def _joined(words: Sequence[Word], at: int) -> bool:
    """Say whether a hyphen joins this word to the one before: "last-minute"."""
    return at < len(words) and words[at].gap == "-"


@stage("recent_from_query", summary="Puts the newest documents first where the query asks for the latest.")
class RecentFromQuery(Step):
    """Put the newest first where the query asks for the latest."""

    by: Literal["turn", "age"] = param(BY_DOC, default="turn")
    field: str | None = param(FIELD_DOC, default=None)
    depth: int = param("how many of the source's documents are put newest first", default=20)
    current: bool = param("whether words such as `current` and `now` ask for the latest too", default=True)
    missing: Literal["error", "keep"] = param(MISSING_DOC, default="error")

    def __post_init__(self) -> None:
        self.ages = Ages(self.name, by=self.by, field=self.field, missing=self.missing)
        whole_number(self.depth, "depth", stage=self.name)
        self._lock = Lock()  # queries may be asked in several threads
        self._asked: set[str] = set()
        self._for_latest: set[str] = set()

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card."""
        return {**self.ages.facts, "depth": self.depth, "current": self.current}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many queries asked for the latest, and how many documents are newer than now."""
        latest, asked = len(self._for_latest), len(self._asked)
        remark = f"{self.name}: {latest} of {asked} different queries ask for the latest; answered newest first."
        return (*((remark,) if latest else ()), *self.ages.remarks)

    def index(self, documents: DocumentIndex) -> None:
        """Read the ages, and get the source ready."""
        self.ages.index(documents)
        self._asked, self._for_latest = set(), set()
        super().index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Return the source's documents, for some queries newest first."""
        wanted = [latest_wanted(query, current=self.current) for query in request.queries]
        latest = [i for i, newest in enumerate(wanted) if newest is not None]
        others = [i for i, newest in enumerate(wanted) if newest is None]
        with self._lock:
            self._asked.update(request.queries)
            self._for_latest.update(request.queries[i] for i in latest)
        parts = [RankingPart(others, self.source.find(subrequest(request, others)))] if others else []
        if latest:
            asked = subrequest(request, latest)
            ranking = self.source.find(replace(asked, k=max(request.k, self.depth)))
            counts = [newest.count for newest in wanted if newest is not None]
            parts.append(RankingPart(latest, self._newest_first(ranking, request, counts=counts)))
        return merged(parts, len(request.queries))

    def asks_for(self, query: str) -> Latest | None:
        """Return the request of a query, None where it does not ask for the latest."""
        return latest_wanted(query, current=self.current)

    def _newest_first(self, ranking: RankingBatch, request: Request, *, counts: Sequence[int | None]) -> RankingBatch:
        """Put the first `depth` rows of each query newest first, and keep as many as it asks for."""
        ages = self.ages.of(ranking.documents, request.now)
        if self.missing == "error" and np.isnan(ages).any():
            ranking, ages = self.ages.fail_unknown(ranking, ages, self.documents)
            ranking = replace(ranking, failed=dict(sorted(ranking.failed.items())))
        rank, query_of_row = ranking.rank_of_row, ranking.query_of_row
        behind = rank > self.depth
        # Those behind, and those without an age, keep the source's order.
        keys = np.where(behind | np.isnan(ages), np.inf, ages)
        order = np.lexsort((rank, keys, behind, query_of_row))
        most = np.asarray([request.k if count is None else min(count, request.k) for count in counts], dtype=np.int64)
        reordered = replace(
            ranking,
            documents=ranking.documents[order],
            scores=_falling_scores(ranking),
            similarity=None if ranking.similarity is None else ranking.similarity[order],
        )
        return reordered.kept(rank <= most[query_of_row])


def _falling_scores(ranking: RankingBatch) -> FloatArray:
    """Return the scores of each query, highest first, with no two the same."""
    scores, bounds = ranking.scores, ranking.starts.tolist()
    falling = [score for low, high in pairwise(bounds) for score in strictly_falling(scores[low:high].tolist())]
    return np.asarray(falling, dtype=np.float64)
