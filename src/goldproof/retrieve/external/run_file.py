"""A ready run file as the source of a pipeline.

Rankings are found by the ids of the questions; where a request has none, the text of a query is taken for its id. The
order is that of the scores, as everywhere: the ranks in the file are not read. A query that the file lacks has no
results, as for trec_eval, and is counted. A query that the file marks as failed is failed, with the file's reason.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from goldproof.errors import InputError
from goldproof.io.text_files import check_file
from goldproof.retrieve.external.hit_ranking import AnswerCounts, already_ordered, gather
from goldproof.retrieve.external.hits import ReturnedDocument
from goldproof.retrieve.stage import Source, stage
from goldproof.user_code.calls import Answer

if TYPE_CHECKING:
    from goldproof.io.datasets.qrels_and_runs import RankingReading
    from goldproof.records.tables import RankingTable
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request


@stage("run", summary="Replays a run that was made before.", path="the file of the run")
class RunFile(Source):
    """The rankings of a file as a source, such as run(bm25.trec)."""

    reads_query: ClassVar[bool] = False

    def __init__(self, path: Path | str) -> None:
        self._path = check_file(Path(path))
        self._counts = AnswerCounts(f"run({path})")
        self._documents: DocumentIndex | None = None
        self._reading: RankingReading | None = None
        self._table: RankingTable | None = None
        self._places: dict[str, int] = {}
        self._reading_remarks: tuple[str, ...] = ()

    @property
    def facts(self) -> dict[str, object]:
        """The file's name and sha256, for the card."""
        from goldproof.io import sha256_file  # noqa: PLC0415 - only a card needs it

        return {"file": self._path.name, "sha256": sha256_file(self._path)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes on what was skipped or missing in the file."""
        return (*self._reading_remarks, *self._counts.remarks())

    def question_ids(self) -> tuple[str, ...]:
        """Return the ids of the file's questions, failed ones included."""
        self._reading = self._read()
        return (*self._reading.table.questions.to_list(), *self._reading.table.failed)

    def _read(self) -> RankingReading:
        from goldproof.io import read_ranking_report  # noqa: PLC0415 - it loads polars

        return read_ranking_report(self._path)

    def index(self, documents: DocumentIndex) -> None:
        """Read the file, unless `question_ids` has just done so."""
        reading, self._reading = self._reading or self._read(), None
        self._table = reading.table
        self._reading_remarks = tuple(f"{self._counts.name}: {remark}" for remark in reading.remarks)
        self._places = {question: i for i, question in enumerate(self._table.questions.to_list())}
        self._documents = documents

    def find(self, request: Request) -> RankingBatch:
        """Look the queries up."""
        if self._table is None or self._documents is None:
            raise InputError(f"{self._counts.name}: nothing is indexed yet; call index first.")
        table = self._table
        ids = request.ids or request.queries
        self._counts.add({"missing": sum(query not in self._places and query not in table.failed for query in ids)})
        answers = [self._answer(table, query) for query in ids]
        return gather(answers, request, documents=self._documents, counts=self._counts, order=already_ordered)

    def _answer(self, table: RankingTable, query: str) -> Answer[list[ReturnedDocument]]:
        if query in table.failed:
            return Answer(None, table.failed[query])
        place = self._places.get(query)
        if place is None:
            return Answer([])
        low, high = int(table.starts[place]), int(table.starts[place + 1])
        rows = zip(table.documents[low:high], table.scores[low:high].tolist(), strict=True)
        hits = (ReturnedDocument(*row) for row in rows)
        return Answer(sorted(hits, key=lambda hit: (hit.score or 0.0, hit.id), reverse=True))
