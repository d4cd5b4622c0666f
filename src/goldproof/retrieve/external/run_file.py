"""A ready run file as the source of a pipeline.

Rankings are found by the ids of the questions; where a request has none, the text of a query is taken for its id. The
order is that of the scores, as everywhere: the ranks in the file are not read. A query that the file lacks has no
results, as for trec_eval, and is counted. A query that the file marks as failed is failed, with the file's reason.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from goldproof.errors import InputError
from goldproof.io.text_files import check_file
from goldproof.retrieve.external.hit_ranking import AnswerCounts, as_they_are, gather
from goldproof.retrieve.external.hits import Item
from goldproof.retrieve.parallel import Answer

if TYPE_CHECKING:
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request


class RunFile:
    """The rankings of a file, such as run(bm25.trec)."""

    kind: ClassVar[Literal["source", "step", "query step"]] = "source"

    def __init__(self, path: str) -> None:
        self._path = check_file(Path(path))
        self._tally = AnswerCounts(f"run({path})")
        self._documents: DocumentIndex | None = None
        self._table: RankingTable | None = None
        self._place: dict[str, int] = {}
        self._read: tuple[str, ...] = ()

    @property
    def facts(self) -> dict[str, object]:
        """What a card records of it."""
        from goldproof.io import sha256_file  # noqa: PLC0415 - only a card needs it

        return {"file": self._path.name, "sha256": sha256_file(self._path)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was passed over, in sentences."""
        return (*self._read, *self._tally.remarks())

    def index(self, documents: DocumentIndex) -> None:
        """Read the file."""
        from goldproof.io import read_ranking_report  # noqa: PLC0415 - it loads polars

        reading = read_ranking_report(self._path)
        self._table = reading.table
        self._read = tuple(f"{self._tally.name}: {remark}" for remark in reading.remarks)
        self._place = {question: i for i, question in enumerate(self._table.questions.to_list())}
        self._documents = documents

    def find(self, request: Request) -> RankingBatch:
        """Look the queries up."""
        if self._table is None or self._documents is None:
            raise InputError(f"{self._tally.name}: nothing is indexed yet; call index first.")
        table = self._table
        ids = request.ids or request.queries
        self._tally.add({"missing": sum(one not in self._place and one not in table.failed for one in ids)})
        answers = [self._answer(table, one) for one in ids]
        return gather(answers, request, documents=self._documents, tally=self._tally, arrange=as_they_are)

    def _answer(self, table: RankingTable, query: str) -> Answer[list[Item]]:
        if query in table.failed:
            return Answer(None, table.failed[query])
        place = self._place.get(query)
        if place is None:
            return Answer([])
        low, high = int(table.starts[place]), int(table.starts[place + 1])
        rows = zip(table.documents[low:high], table.scores[low:high].tolist(), strict=True)
        return Answer(sorted((Item(*row) for row in rows), key=lambda i: (i.score or 0.0, i.id), reverse=True))
