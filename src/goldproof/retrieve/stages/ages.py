"""The age of each document, in turns or days.

Ages count from the request's `now`, else from the stage's, else from the newest document of the corpus; never from the
clock. A document after now has age 0, and `remarks` counts those. By age a bare number below 10^8 is refused as `now`:
as seconds since 1970 it would lie before every document.

A document that has no turn or time is refused when the corpus is indexed, or (missing="keep") has no age. A document
that is not in the corpus has no metadata, and no age either.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Literal

import numpy as np

from goldproof.errors import InputError
from goldproof.retrieve.document_index import document_value, field_names
from goldproof.retrieve.retriever import Now
from goldproof.retrieve.stages.times import DAY, parse_duration, parse_time, parse_turn

if TYPE_CHECKING:
    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.records.entities import Document
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.retriever import Moment

# Parameters that every stage with ages has.
BY_DOC = "how age is counted: in turns of a conversation, or in days"
FIELD_DOC = "the metadata field that holds the turn or the date, if not a usual one"
NOW_DOC = "what ages are counted from; the newest document unless given here or with the search"
MISSING_DOC = "what happens to a document without a turn or date: an error, or it is kept"
TIME_FIELDS = ("time", "timestamp", "date", "created_at")
# Seconds since 1970 have 9 digits since 1973; a smaller number is a turn or a count of days.
_LEAST_TIME = 1e8
_EXPECTED = {"turn": "a number", "age": "an ISO date or seconds since 1970"}


class Ages:
    """The ages of the indexed documents, for one stage.

    field: the name of the metadata field; None means `turn`, or the first of `time`, `timestamp`, `date`, `created_at`.
    """

    def __init__(
        self,
        stage: str,
        *,
        by: Literal["turn", "age"],
        field: str | None = None,
        now: Moment | None = None,
        missing: Literal["error", "keep"],
    ) -> None:
        self._stage = stage
        self._by = by
        self._missing = missing
        self._fields = (field,) if field else (("turn",) if by == "turn" else TIME_FIELDS)
        self._now = None if now is None else self._moment(now)
        self._now_fact = now.isoformat() if isinstance(now, date) else float(now) if isinstance(now, float) else now
        self._moments: FloatArray = np.empty(0, dtype=np.float64)
        self._earliest_now = math.inf

    @property
    def name(self) -> str:
        """The field or fields that are read, for messages."""
        return " or ".join(repr(field) for field in self._fields)

    @property
    def facts(self) -> dict[str, object]:
        """The settings of the ages, for the card; `now` as it was given, a date as text."""
        return {"by": self._by, "fields": list(self._fields), "now": self._now_fact, "missing": self._missing}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many documents are newer than the earliest now of the requests, in a sentence."""
        newer = int(np.count_nonzero(self._moments > self._earliest_now))
        if not newer:
            return ()
        newer_documents = (
            "1 document is newer than now and counts"
            if newer == 1
            else f"{newer} documents are newer than now and count"
        )
        return (f"{self._stage}: {newer_documents} as age 0.",)

    def index(self, documents: DocumentIndex) -> None:
        """Read the moments of all documents."""
        self._earliest_now = math.inf
        self._moments = np.asarray([self._read(document) for document in documents.corpus], dtype=np.float64)
        lacking = np.flatnonzero(np.isnan(self._moments))
        if len(lacking) and self._missing == "error":
            raise self._lacking(documents, lacking)
        if self._by == "age" and len(lacking) < documents.size:
            self._refuse_years()

    def of(self, documents: IntArray, now: Moment | None = None) -> FloatArray:
        """Return the age of each document, given by position, in turns or days; NaN where it has none."""
        ages = np.full(len(documents), np.nan)
        known = documents < len(self._moments)
        start = self._start(now)
        self._earliest_now = min(self._earliest_now, start)
        ages[known] = np.maximum(0.0, start - self._moments[documents[known]])
        return ages

    def fail_unknown(
        self, ranking: RankingBatch, ages: FloatArray, documents: DocumentIndex
    ) -> tuple[RankingBatch, FloatArray]:
        """Fail the queries that returned a document without an age, and leave out their rows."""
        query_of_row, failed = ranking.query_of_row, dict(ranking.failed)
        for row in np.flatnonzero(np.isnan(ages)).tolist():
            name = documents.at(int(ranking.documents[row])).id
            failed.setdefault(
                int(query_of_row[row]),
                f"{self._stage}: document {name!r} is not in the corpus, so its age is unknown; say missing=keep to "
                "keep it.",
            )
        fine = ~np.isin(query_of_row, list(failed))
        return replace(ranking.kept(fine), failed=failed), ages[fine]

    def moments(self) -> FloatArray:
        """Return the turn of each document of the corpus, or its time in days since 1970; NaN where it has none."""
        return self._moments

    def length(self, half_life: object, default: float) -> float:
        """Return a half-life in turns or days."""
        if half_life is None:
            return default
        seconds = parse_duration(half_life) if self._by == "age" else None
        length = parse_turn(half_life) if self._by == "turn" else None if seconds is None else seconds / DAY
        if length is None or not 0 < length < math.inf:
            expected = "a number of turns" if self._by == "turn" else "a duration such as 7d, 12h or 2w"
            raise InputError(f"{self._stage}: half_life is {half_life!r}, expected {expected}, above 0.")
        return length

    def _start(self, now: Moment | None) -> float:
        if isinstance(now, Now):
            now = now.turn if self._by == "turn" else now.time
        if now is not None:
            return self._moment(now)
        if self._now is not None:
            return self._now
        known = self._moments[~np.isnan(self._moments)]
        return float(known.max()) if len(known) else np.nan

    def _moment(self, now: Moment) -> float:
        moment = self._parse(now)
        if self._by == "age" and (bare := parse_turn(now)) is not None and abs(bare) < _LEAST_TIME:
            raise InputError(
                f"{self._stage}: now is {now!r}, a number of fewer than 9 digits, but ages count by age; expected a "
                "date such as 2024-05-01 or seconds since 1970, or say by=turn."
            )
        if moment is None:
            raise InputError(
                f"{self._stage}: now is {now!r}, but ages count by {self._by}; expected {_EXPECTED[self._by]}."
            )
        return moment

    def _read(self, document: Document) -> float:
        for name in self._fields:
            value = document_value(document, name)
            if value is None or value == "":
                continue
            moment = self._parse(value)
            if moment is None:
                raise InputError(
                    f"{self._stage}: document {document.id!r}: {name} is {value!r}, expected {_EXPECTED[self._by]}."
                )
            return moment
        return np.nan

    def _parse(self, value: object) -> float | None:
        if self._by == "turn":
            return parse_turn(value)
        seconds = parse_time(value)
        return None if seconds is None else seconds / DAY

    def _refuse_years(self) -> None:
        """Refuse bare years, which as seconds since 1970 would all be one evening."""
        known = self._moments[~np.isnan(self._moments)] * DAY
        if ((known >= 1900) & (known <= 2100)).all():
            raise InputError(
                f"{self._stage}: {self.name} holds numbers from {known.min():g} to {known.max():g}, which look like "
                "years; as times they would be seconds since 1970. Give dates such as 2019-01-01, or say by=turn."
            )

    def _lacking(self, documents: DocumentIndex, lacking: IntArray) -> InputError:
        if len(lacking) == documents.size:
            names = ", ".join(field_names(documents.corpus)[:12])
            return InputError(
                f"{self._stage}: no document has the field {self.name}; the fields are {names}. "
                "Name the right one with field=..., or say by=turn or by=age."
            )
        first = documents.at(int(lacking[0])).id
        share = f"{len(lacking)} of {documents.size}"
        return InputError(
            f"{self._stage}: document {first!r} has no field {self.name} ({share} have none). "
            "Add it, or say missing=keep."
        )


# Low enough that a score times what is left is no subnormal number, whose last digits are gone.
FAR = 500.0


def halved(ages: FloatArray, half_life: float) -> FloatArray:
    """Return 0.5 ** (age / half_life) of each age; NaN where there is none.

    Beyond 500 half-lives it falls as 1 / age instead, since the power would vanish and with it the order of old
    documents.
    """
    with np.errstate(over="ignore"):
        lives = ages / half_life
    return np.exp2(-np.minimum(lives, FAR)) * FAR / np.maximum(lives, FAR)
