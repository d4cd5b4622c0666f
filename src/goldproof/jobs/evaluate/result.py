"""What `goldproof.evaluate` hands back: a study and, where retrievers were run for it, their runs."""

from __future__ import annotations

import re
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from goldproof.io import write_jsonl_ranking
from goldproof.study import Attachment, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.jobs.evaluate.retrieving import RetrievedRuns
    from goldproof.study import Provenance, Study


class EvaluationResult(Result):
    """A result over runs.

    retrieved: the runs that were made for it, None where all were given. left_out: runs whose ids are not those that
    were judged, with the reason.
    """

    def __init__(
        self,
        study: Study,
        *,
        provenance: Provenance,
        remarks: Sequence[str] = (),
        texts: Mapping[str, str] | None = None,
        retrieved: RetrievedRuns | None = None,
        left_out: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(study, provenance=provenance, remarks=remarks, texts=texts, left_out=left_out)
        self.retrieved = retrieved

    @property
    def own_artefacts(self) -> Sequence[str]:
        """Return the names of run files."""
        return ("run.*.jsonl",)

    @property
    def attachments(self) -> Sequence[Attachment]:
        """Return every run that was made, to be scored again without being made again."""
        rankings = {} if self.retrieved is None else self.retrieved.rankings
        files = run_file_names(rankings)
        return [
            Attachment(files[name], partial(write_jsonl_ranking, ranking=ranking)) for name, ranking in rankings.items()
        ]

    @property
    def run_facts(self) -> Mapping[str, object]:
        """Return the latency of each retriever."""
        return {} if self.retrieved is None else self.retrieved.clock()

    def forget_progress(self) -> None:
        """Throw away the answers that were kept for the case of an interruption."""
        if self.retrieved is not None:
            self.retrieved.written()


def run_file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file name for each run: its own name, without what a file name cannot hold."""
    files: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^\w.+-]+", "_", name).strip("_") or "run"
        taken = {file.casefold() for file in files.values()}  # some file systems do not tell A from a
        numbered = (f"run.{plain}{f'-{number}' if number > 1 else ''}.jsonl" for number in count(1))
        files[name] = next(file for file in numbered if file.casefold() not in taken)
    return files
