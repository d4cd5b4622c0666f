"""Reading what `search_many(queries, k)` returned: the answers of the queries, in their order.

It may be a sequence with one answer per query, a mapping {query: answer}, or a `RankingTable` whose questions are the
queries' texts, or their places in the batch as text ("0", "1", ...).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from goldproof.errors import kind_of
from goldproof.records.tables import RankingTable
from goldproof.retrieve.attempts import Answer, FailedAnswer, attempt
from goldproof.retrieve.foreign.hits import Item, read_items

if TYPE_CHECKING:
    from collections.abc import Iterable

EXPECTED = "expected one list of results per query, {query: results}, or a RankingTable of the queries"


def read_many(returned: object, queries: tuple[str, ...], *, id_field: str | None = None) -> list[Answer[list[Item]]]:
    """Return the answer of each query; FailedAnswer where the whole cannot be read."""
    if isinstance(returned, RankingTable):
        return _of_table(returned, queries)
    if isinstance(returned, Mapping):
        lacking = next((query for query in queries if query not in returned), None)
        if lacking is not None:
            raise FailedAnswer(f"search_many returned a mapping without {lacking!r}; {EXPECTED}.")
        return _read_each(((returned[query], query) for query in queries), id_field)
    if isinstance(returned, str | bytes) or not isinstance(returned, Sequence):
        raise FailedAnswer(f"search_many returned {kind_of(returned)}; {EXPECTED}.")
    if len(returned) != len(queries):
        raise FailedAnswer(f"search_many returned {len(returned)} answers for {len(queries)} queries; {EXPECTED}.")
    return _read_each(zip(returned, queries, strict=True), id_field)


def _read_each(answers: Iterable[tuple[Any, str]], id_field: str | None) -> list[Answer[list[Item]]]:
    return [attempt(lambda pair: read_items(pair[0], pair[1], id_field=id_field), pair) for pair in answers]


def _of_table(table: RankingTable, queries: tuple[str, ...]) -> list[Answer[list[Item]]]:
    documents, scores = table.documents.to_list(), table.scores.tolist()
    bounds = pairwise(table.starts.tolist())
    known: dict[str, Answer[list[Item]]] = {
        question: Answer(read_items(zip(documents[low:high], scores[low:high], strict=True), question))
        for question, (low, high) in zip(table.questions.to_list(), bounds, strict=True)
    }
    known.update({question: Answer(None, reason) for question, reason in table.failed.items()})
    by_place = not any(query in known for query in queries)
    names = [str(i) for i in range(len(queries))] if by_place else list(queries)
    lacking = next((name for name in names if name not in known), None)
    if lacking is not None:
        raise FailedAnswer(f"search_many returned a table without {lacking!r}; {EXPECTED}.")
    return [known[name] for name in names]
