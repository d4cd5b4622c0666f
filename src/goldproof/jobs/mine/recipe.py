"""What is to be mined: which questions, from which corpus, who judges, and who is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_JUDGE = "answer"


@dataclass(frozen=True, slots=True)
class Looking:
    """Who is looked at, per question, beside the documents that the question's own metadata name.

    random: documents drawn at random. hard: best hits of bm25. dense: best hits of the embedder. discover: a model that
    searches the corpus itself, as an agent, to answer the question. runs: run files whose first `depth` documents are
    looked at.
    """

    random: int = 5
    hard: int = 5
    dense: int = 0
    embedder: str = "minilm"
    discover: str | None = None
    runs: tuple[Path, ...] = ()
    depth: int = 10

    def __post_init__(self) -> None:
        for name in ("random", "hard", "dense"):
            value = getattr(self, name)
            if not _is_whole(value, least=0):
                raise InputError(f"{name} is {value!r}, expected a whole number of documents, 0 or more.")
        if not _is_whole(self.depth, least=1):
            raise InputError(f"depth is {self.depth!r}, expected a whole number of documents, 1 or more.")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is to be mined.

    cases: files or folders of questions. corpus, judge: their specs. kernels: whether the minimal sets that suffice are
    looked for. no_context: whether each question is also asked with no context at all, to flag those that answer
    themselves; only judges that are models can. candidates: a file of candidates to be judged, in place of cases.
    exclude: a list of ids of questions to leave out, such as `exclude.txt` of `goldproof verify`.
    """

    cases: tuple[Path, ...] = ()
    corpus: str | None = None
    judge: str = DEFAULT_JUDGE
    looking: Looking = field(default_factory=Looking)
    kernels: bool = False
    no_context: bool = True
    candidates: Path | None = None
    exclude: Path | None = None
    seed: int = 0


def _is_whole(value: object, *, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
