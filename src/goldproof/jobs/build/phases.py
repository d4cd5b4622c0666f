"""Earlier benchmarks: what they exclude from a build, and reading several as the phases of a combined one.

Phases. Each sample gets `benchmark_phase` in its metadata: the name of its file, unless an earlier `combine` has set
it. No other field of a sample changes; a field `phase` is its dataset's own.

Repeats. An id must occur once over all phases. A question is compared with those of earlier phases only: repeats within
a phase were decided when that phase was built.

Documents. A context without an id is identified by its content. Where phases hold a document in two versions, the
longest is taken, of equals one that has a title, then the first by its beginning. A gold document that is no context of
any sample has a name and no text.

Cards. The card is `card.json`, as `goldproof build` writes it, or `<name>.card.json`, as `goldproof combine` does, and
lists the file among its outputs. A card that does not, or that cannot be read, belongs to something else.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError, counted, shown
from goldproof.io import read_card, read_documents, sha256_file
from goldproof.io.datasets.beir import CORPUS
from goldproof.io.datasets.id_lists import read_listed
from goldproof.io.storage.cards import CARD_NAME
from goldproof.io.text_files import check_file, file_stem
from goldproof.jobs.build.adapters.adapter import passage_id
from goldproof.jobs.build.output.files import read_samples
from goldproof.jobs.build.records import origin_id
from goldproof.records.entities import Document
from goldproof.text.near_questions import EQUAL, QuestionIndex, exact_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from goldproof.jobs.build.records import Sample
    from goldproof.records.entities import Card

PHASE = "benchmark_phase"


@dataclass(frozen=True, slots=True)
class Phase:
    """One file of a combined benchmark."""

    name: str
    path: Path


class PhaseSample(NamedTuple):
    """A sample of the combined benchmark, with its phase and line."""

    phase: Phase
    line: int
    sample: Sample


def name_phases(paths: Sequence[Path | str]) -> tuple[Phase, ...]:
    """Return the phases in their order; files of one name are distinguished by their folders."""
    if len(paths) < 2:
        raise InputError(f"there is {len(paths)} benchmark to combine, expected two or more.")
    files = [check_file(path) for path in paths]
    for number, path in enumerate(files):
        if any(path.samefile(other) for other in files[:number]):
            raise InputError(f"{path}: is given twice; name each benchmark once.")
    names = [file_stem(path) for path in files]
    if len(set(names)) < len(names):
        names = [f"{path.resolve().parent.name}/{name}" for path, name in zip(files, names, strict=True)]
    if len(set(names)) < len(names):
        raise InputError(f"the benchmarks have the names {', '.join(names)}; give each a name of its own.")
    return tuple(Phase(name, path) for name, path in zip(names, files, strict=True))


def phase_samples(phases: Sequence[Phase]) -> Iterator[PhaseSample]:
    """Yield the samples of all phases, one at a time, in the order of the phases and of their lines."""
    for phase in phases:
        for line, sample in read_samples(phase.path):
            first = sample.metadata.get(PHASE)
            name = first if isinstance(first, str) and first else phase.name
            yield PhaseSample(phase, line, replace(sample, metadata={**sample.metadata, PHASE: name}))


_HEAD = 32


class DocumentVersion(NamedTuple):
    """One version of a document; the smallest is taken."""

    less_text: int
    untitled: bool
    head: str
    digest: bytes


def merged_documents(corpora: Iterable[Path], samples: Callable[[], Iterable[Sample]]) -> Iterator[Document]:
    """Yield every document once, in the order in which corpora and samples name them; goes through both twice."""
    corpora = tuple(corpora)
    chosen: dict[str, DocumentVersion] = {}
    for document in _named(corpora, samples()):
        version = _version(document)
        chosen[document.id] = min(version, chosen.get(document.id, version))
    for document in _named(corpora, samples()):
        if chosen.get(document.id) == _version(document):
            del chosen[document.id]
            yield document


def _named(corpora: Iterable[Path], samples: Iterable[Sample]) -> Iterator[Document]:
    for path in corpora:
        yield from read_documents(path)
    for sample in samples:
        yield from _contexts(sample)
        yield from (Document(name) for name in sample.gold_documents)


def _contexts(sample: Sample) -> Iterator[Document]:
    """Yield the contexts of a sample with their ids."""
    names = sample.context_ids or [passage_id(sample.source_dataset, title="", text=text) for text in sample.contexts]
    yield from (Document(name, text) for name, text in zip(names, sample.contexts, strict=True))


def _version(document: Document) -> DocumentVersion:
    digest = hashlib.blake2b(f"{document.title}\n{document.text}".encode(), digest_size=16).digest()
    return DocumentVersion(-len(document.text), not document.title, document.text[:_HEAD], digest)


def card_path(path: Path) -> Path:
    """Return where `goldproof combine` puts the card of a benchmark: a folder may hold several."""
    return path.with_name(f"{file_stem(path)}.{CARD_NAME}")


def phase_card(path: Path) -> Card | None:
    """Return the card of a benchmark, None where there is none; links are resolved first."""
    path = path.resolve()
    return next((card for card in _cards(path) if path.name in card.outputs), None)


def phase_corpus(path: Path) -> Path | None:
    """Return the corpus that was written with a benchmark, None where there is none beside it."""
    path = path.resolve()
    card = phase_card(path)
    names = [] if card is None else [name for name in card.outputs if PurePosixPath(name).name == CORPUS]
    return next((path.parent / name for name in names if (path.parent / name).is_file()), None)


def joined_licence(phases: Iterable[Phase]) -> str:
    """Return the licences of all phases, each once, in their order; a phase without a card has an unknown one."""
    licences: dict[str, None] = {}
    for phase in phases:
        card = phase_card(phase.path)
        licence = card.licence if card is not None else None
        named = isinstance(licence, str) and licence.strip()
        licences |= dict.fromkeys(named.split("; ") if named else [f"{phase.name}: unknown"])
    return "; ".join(licences)


def _cards(path: Path) -> Iterator[Card]:
    for place in (card_path(path), path.with_name(CARD_NAME)):
        try:
            yield read_card(place)
        except InputError:
            continue


LISTED = 10
_SHOWN = 80
_ADVICE = "Leave them out of one of the files; goldproof build --exclude FILE does."
_ALIKE = "Questions that are only alike are allowed with --near-duplicates off."


class SamplePlace(NamedTuple):
    """Position of a sample: phase, file and line."""

    phase: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(slots=True)
class PhaseRepeats:
    """Collects repeated ids and questions; all are counted, the first few listed. threshold: None compares ids only.

    Samples come phase by phase.
    """

    threshold: float | None
    listed: list[str] = field(default_factory=list)
    total: int = 0
    alike: int = 0
    _places: dict[str, SamplePlace] = field(default_factory=dict)
    _indexes: dict[str, QuestionIndex] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.threshold is not None:
            exact_share(self.threshold)  # refused now, and not after much reading

    def add(self, placed: PhaseSample) -> None:
        """Look at the next sample."""
        name, place = placed.sample.id, SamplePlace(placed.phase.name, str(placed.phase.path), placed.line)
        earlier = self._places.setdefault(name, place)
        if earlier is not place:
            self._tell(f"{place}: id {name!r} is also in {earlier}.")
            return
        alike = self._near(name, placed.sample.question, phase=place.phase)
        if alike is not None:
            self.alike += 1
            self._tell(
                f"{place}: the question of {name!r} nearly repeats that of {alike!r} in {self._places[alike]}: "
                f"{shown(placed.sample.question, longest=_SHOWN)}"
            )

    def message(self) -> str:
        """Say what is repeated, and what can be done about it."""
        count = counted(self.total, "sample repeats", "samples repeat")
        more = self.total - len(self.listed)
        lines = [f"{count} another; nothing was written.", *self.listed]
        lines += [f"... and {more:,} more."] if more else []
        return "\n  ".join([*lines, _ADVICE, *([_ALIKE] if self.alike else [])])

    def _tell(self, sentence: str) -> None:
        self.total += 1
        if len(self.listed) < LISTED:
            self.listed.append(sentence)

    def _near(self, name: str, question: str, *, phase: str) -> str | None:
        """Return the id of a near-duplicate of an earlier phase, and remember the question for later ones."""
        if self.threshold is None:
            return None
        if phase not in self._indexes:
            self._indexes[phase] = QuestionIndex(self.threshold)
        repeated = (index.find(question) for earlier, index in self._indexes.items() if earlier != phase)
        alike = next((identifier for identifier in repeated if identifier is not None), None)
        self._indexes[phase].keep(name, question)
        return alike


@dataclass(frozen=True, slots=True)
class EarlierBenchmarks:
    """Ids and questions of earlier benchmarks, which are not taken again, and the sha256 of their files by name."""

    ids: frozenset[str]
    questions: QuestionIndex
    hashes: Mapping[str, str]


def read_earlier(paths: Sequence[Path], *, threshold: float | None) -> EarlierBenchmarks:
    """Read earlier benchmarks; the sample that an unanswerable was made from counts as used.

    threshold: from which similarity on questions are the same (None: only equal ones are).
    """
    ids, questions = set(), QuestionIndex(threshold or EQUAL)
    for path in paths:
        for name, question in read_listed(path):
            ids.add(origin_id(name))
            if question is not None:
                questions.keep(name, question)
    names = Counter(path.name for path in paths)
    hashes = {
        path.name if names[path.name] == 1 else f"{number}-{path.name}": sha256_file(path)
        for number, path in enumerate(paths, start=1)
    }
    return EarlierBenchmarks(frozenset(ids), questions, hashes)
