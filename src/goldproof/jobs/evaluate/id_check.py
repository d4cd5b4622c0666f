"""Do the document ids of a run name the documents that were judged?

A run over other chunks, or with `docs/x.md` where the judgments have `x.md`, finds nothing that is judged: its scores
would be 0 and mean nothing. So, before a run is scored:

    corpus known   fewer than 5% of its ids are in it: refused
    qrels only     no result is judged and no id is shared: refused where the ids match without a path, a file extension
                   or a chunk suffix; else the run is scored, but gets no verdict, and a note shows ids of both sides

The corpus is that of the dataset: a BEIR or Cranfield folder, or the documents of a `Dataset` if they are more than
those judged; else what retrievers searched, if it holds judged documents. Runs of more than 100,000 results are checked
on that many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from goldproof.errors import IdMismatchError
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.judgments import Judgments
    from goldproof.jobs.evaluate.runs import Run

CorpusIds: TypeAlias = Callable[[], Iterable[str]]

LEAST_SHARE = 0.05
CHECKED_RESULTS = 100_000
_SHOWN = 3
_ADVICE = (
    "Return the judged ids (own(..., id_field=...) picks another field), keep judgments as spans that survive "
    "re-chunking (--spans), or judge what this run returns (goldproof mine --extend, docs/mining.md)."
)
_EXTENSION = re.compile(
    r"\.(adoc|c|cpp|csv|docx?|gz|h|html?|ipynb|java|jsonl?|js|md|mdx|parquet|pdf|py|rs|rst|tex|ts|tsv|txt|xml|ya?ml)$",
    re.IGNORECASE,
)
_CHUNK_WORD = r"(?:chunk|part|passage|para|paragraph|section|segment|split|page)"
_CHUNK = re.compile(
    rf"(?:\s*[#:@|/_.-]+\s*{_CHUNK_WORD}?|\s+{_CHUNK_WORD})[\s#:_.-]*L?\d+(?:[-:,_]+L?\d+)*$", re.IGNORECASE
)


def check_ids(run: Run, judgments: Judgments, *, name: str, judged_hit: bool, corpus: CorpusIds | None) -> str | None:
    """Refuse a run whose documents are other documents; return a note where nobody can tell whether they are.

    judged_hit: some result is judged for its question. corpus: gives the ids of the documents that exist, if known.
    """
    if corpus is None and judged_hit:
        return None
    returned = _document_ids(run)
    if not returned:
        return None
    if corpus is not None:
        _check_against_corpus(returned, corpus, name=name)
        return None
    judged = judged_ids(judgments)
    if not judged or not judged.isdisjoint(returned):
        return None
    match = _near_match(returned, judged)
    if match is not None:
        raise IdMismatchError(
            f"run {name!r}: none of its {len(returned):,} document ids is judged, but they match without the "
            f"{match.without}. Run: {_some(match.run)}. Judgments: {_some(match.known)}.\n  {_ADVICE}"
        )
    return (
        f"{name}: none of its {len(returned):,} document ids occurs in the judgments, so it gets no verdict. Run: "
        f"{_some(returned)}. Judgments: {_some(judged)}. {_ADVICE}"
    )


def judged_ids(judgments: Judgments) -> set[str]:
    """Return every document that is judged, for any question, alone or in a kernel."""
    grades = judgments.grades
    if isinstance(grades, JudgmentTable):
        judged = set(grades.documents.unique().to_list())
    else:
        judged = {document for documents in grades.values() for document in documents}
    return judged.union(*(kernel for kernels in judgments.kernels.values() for kernel in kernels))


def holds_judged(corpus: Iterable[str], judgments: Judgments) -> bool:
    """Whether at least 5% of the judged documents are in the corpus: then it is the corpus that was judged."""
    judged = judged_ids(judgments)
    return bool(judged) and _share_reached(judged, corpus)


def _check_against_corpus(returned: set[str], corpus: CorpusIds, *, name: str) -> None:
    if _share_reached(returned, corpus()):
        return
    known = set(corpus())
    found = returned & known
    match = _near_match(returned - known, known)
    why = "it searched other documents" if match is None else f"they match without the {match.without}"
    raise IdMismatchError(
        f"run {name!r}: {len(found):,} of its {len(returned):,} document ids are in the corpus, fewer than "
        f"{LEAST_SHARE:.0%}: {why}. Run: {_some(returned - known if match is None else match.run)}. "
        f"Corpus: {_some(known if match is None else match.known)}.\n  {_ADVICE}"
    )


def _share_reached(wanted: set[str], corpus: Iterable[str]) -> bool:
    """Whether 5% of the ids are in the corpus; reads no further than it takes to know."""
    missing = len(wanted) * LEAST_SHARE
    left = set(wanted)
    for document in corpus:
        if document in left:
            left.discard(document)
            missing -= 1
            if missing <= 0:
                return True
    return False


def _document_ids(run: Run) -> set[str]:
    if not isinstance(run, RankingTable):
        return {document for documents in run.values() for document in documents}
    step = max(1, len(run.documents) // CHECKED_RESULTS)
    return set(run.documents.gather_every(step).unique().to_list())


class _Match(NamedTuple):
    """What to take off so that ids match, with ids of both sides that then do."""

    without: str
    run: list[str]
    known: list[str]


def _near_match(returned: set[str], known: set[str]) -> _Match | None:
    """Find the part to take off so that ids match: those of the run, of the other side, or both."""
    for part, take_off in _PARTS.items():
        bare_run, bare_known = _by_bare(returned, take_off), _by_bare(known, take_off)
        matching = {bare: (bare_run[bare], bare) for bare in bare_run.keys() & known}
        matching |= {bare: (bare, bare_known[bare]) for bare in bare_known.keys() & returned}
        if part in _TAKEN_OFF_BOTH:
            # Numbers are no names: a/0 and b/0 are two documents.
            both = (bare for bare in bare_run.keys() & bare_known.keys() if not bare.isdigit())
            matching |= {bare: (bare_run[bare], bare_known[bare]) for bare in both}
        if matching and len(matching) >= LEAST_SHARE * min(len(bare_run), len(bare_known)):
            pairs = [matching[bare] for bare in sorted(matching)[:_SHOWN]]
            return _Match(part, [run for run, _ in pairs], [other for _, other in pairs])
    return None


def _by_bare(ids: set[str], take_off: Callable[[str], str]) -> dict[str, str]:
    """Return bare id -> the first id that it comes from."""
    return {bare: one for one in sorted(ids, reverse=True) if (bare := take_off(one))}


def _without_path(document: str) -> str:
    return re.split(r"[/\\]", document)[-1]


def _without_extension(document: str) -> str:
    return _EXTENSION.sub("", document)


def _without_chunk(document: str) -> str:
    return _CHUNK.sub("", document)


_PARTS: dict[str, Callable[[str], str]] = {
    "path": _without_path,
    "file extension": _without_extension,
    "chunk suffix": _without_chunk,
    "path and file extension": lambda d: _without_extension(_without_path(d)),
    "path and chunk suffix": lambda d: _without_path(_without_chunk(d)),
    "file extension and chunk suffix": lambda d: _without_extension(_without_chunk(d)),
    "path, file extension and chunk suffix": lambda d: _without_extension(_without_path(_without_chunk(d))),
}
# A number at the end may be all that tells two documents apart (doc-1, doc-2): it is taken off one side only.
_TAKEN_OFF_BOTH = frozenset({"path", "file extension", "path and file extension"})


def _some(ids: set[str] | list[str]) -> str:
    return ", ".join(map(repr, sorted(ids)[:_SHOWN] if isinstance(ids, set) else ids))
