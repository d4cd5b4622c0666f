"""Rulings on sets of documents: each set is asked about once, and only so many times in all.

A set is shown to the judge in the order of its ids, so that the same set is always the same question, however it came
about: a model's kept answer then serves every path that leads to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.mine.mined import SetRuling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.judge.judge import Judge, Ruling
    from goldproof.records.entities import Document, Question


class Rulings:
    """All that is ruled about sets of documents for one question. known: what was ruled before, at no cost."""

    def __init__(
        self, question: Question, *, judge: Judge, most: int, known: Mapping[frozenset[str], Ruling] | None = None
    ) -> None:
        self._question = question
        self._judge = judge
        self._most = most
        self._known = dict(known or {})
        self._asked: list[SetRuling] = []
        self._refused = False

    async def on(self, documents: Sequence[Document], *, why: str) -> Ruling | None:
        """Return the ruling on these documents together; None where it would be one too many."""
        ids = frozenset(document.id for document in documents)
        if ids in self._known:
            return self._known[ids]
        if len(self._asked) >= self._most:
            self._refused = True
            return None
        ordered = sorted(documents, key=lambda document: document.id)
        ruling = await self._judge.judge(self._question, ordered)
        self._known[ids] = ruling
        self._asked.append(SetRuling(tuple(document.id for document in ordered), ruling, why))
        return ruling

    def sufficient(self) -> list[frozenset[str]]:
        """Return the sets that are ruled sufficient so far, in the order of the rulings."""
        return [ids for ids, ruling in self._known.items() if ids and ruling.sufficient]

    def kernels(self) -> list[frozenset[str]]:
        """Return those of them of which no member is spare."""
        return [ids for ids in self.sufficient() if self.proven(ids)]

    def proven(self, ids: Iterable[str]) -> bool:
        """Return whether no member is spare: each set without one of them is ruled a no.

        A single document is not spare: whether a question needs no context at all is asked elsewhere.
        """
        members = frozenset(ids)
        smaller = (self._known.get(members - {one}) for one in sorted(members)) if len(members) > 1 else ()
        return all(ruling is not None and ruling.sufficient is False for ruling in smaller)

    @property
    def asked(self) -> tuple[SetRuling, ...]:
        """Every ruling that was asked for, in order."""
        return tuple(self._asked)

    @property
    def failed(self) -> int:
        """How many of them came without an outcome."""
        return sum(one.ruling.sufficient is None for one in self._asked)

    @property
    def refused(self) -> bool:
        """Whether a ruling was wanted that would have been one too many."""
        return self._refused
