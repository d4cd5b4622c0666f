"""A dataset: questions, the documents they are asked of (where known), and what is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.core.records import Document, Question
    from goldproof.core.tables import JudgmentTable


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Questions, documents and judgments that belong together.

    questions may be empty where only judgments are known (a bare qrels file). remarks: what was passed over in its
    files, in sentences. beir: the BEIR folder that it was read from.
    """

    name: str
    judgments: JudgmentTable
    questions: tuple[Question, ...] = ()
    documents: tuple[Document, ...] = ()
    remarks: tuple[str, ...] = ()
    beir: Path | None = None

    def clusters(self, field: str | None = None) -> dict[str, str]:
        """Return question -> cluster, from a metadata field or from the questions' own `cluster`."""
        if field is None:
            return {q.id: q.cluster for q in self.questions if q.cluster is not None}
        if not self.questions:
            raise InputError(
                f"{self.name}: no questions, so no field {field!r} to cluster by; give --clusters FILE instead."
            )
        known = {name for q in self.questions for name in q.metadata}
        if field == "cluster" and any(q.cluster is not None for q in self.questions):
            return self.clusters()
        if field not in known:
            raise UnknownNameError(f"metadata field in {self.name}", field, known)
        return {q.id: str(q.metadata[field]) for q in self.questions if q.metadata.get(field) is not None}
