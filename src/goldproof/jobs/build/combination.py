"""`combine()`: several benchmarks as one.

The samples of the first file in their order, then those of the next; each keeps its fields and gets the name of its
file as `benchmark_phase`. Ids that occur twice, and questions that nearly repeat one of an earlier file, are refused,
all of them at once, before anything is written. Beside the benchmark are its manifest and its card, which joins the
licences of the phases' cards, and a BEIR folder where asked for. The same files give the same bytes.

No input is overwritten, and no two outputs may be the same file. Existing files are replaced only where their card is
of the same job, or with `force`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from goldproof import __version__
from goldproof.errors import ConflictError, InputError, counted
from goldproof.io import card_key, read_card, sha256_file, write_card
from goldproof.io.atomic_files import make_folder, write_hashed
from goldproof.io.datasets.beir import BEIR_FILES, check_id, write_beir
from goldproof.io.storage.cards import CARD_NAME, card_differences
from goldproof.io.text_files import file_stem
from goldproof.jobs.build.output.files import judged_question, manifest_lines, sample_line
from goldproof.jobs.build.output.report import Distribution
from goldproof.jobs.build.phases import (
    Phase,
    PhaseRepeats,
    card_path,
    joined_licence,
    merged_documents,
    name_phases,
    phase_corpus,
    phase_samples,
)
from goldproof.jobs.build.recipe import NEAR_DUPLICATES
from goldproof.jobs.build.records import Sample
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore, step
from goldproof.records.entities import Card
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import count

SCHEMA = "goldproof.combined"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class CombinedFiles:
    """The files of a combined benchmark; beir: None where no folder is wanted."""

    output: Path
    manifest: Path
    card: Path
    beir: Path | None = None

    @classmethod
    def named(cls, output: Path | str, *, manifest: Path | str | None, beir: Path | str | None) -> "CombinedFiles":
        """Return the files; the manifest is called after the benchmark unless it has a name, the card always."""
        output = Path(output)
        return cls(
            output=output,
            manifest=output.with_name(f"{file_stem(output)}_manifest.csv") if manifest is None else Path(manifest),
            card=card_path(output),
            beir=None if beir is None else Path(beir),
        )

    def check(self, inputs: Iterable[Path]) -> None:
        """Refuse names that would overwrite an input or each other."""
        own = [path for path in (self.output, self.manifest, self.card, self.beir) if path is not None]
        for path in own[:3]:
            if path.suffix == ".gz":
                raise InputError(f"{path}: is written as plain text; leave .gz out.")
            if path.is_dir():
                raise InputError(f"{path}: is a folder, expected the name of a file to write.")
        if self.beir is not None and self.beir.exists() and not self.beir.is_dir():
            raise InputError(f"--beir {self.beir}: is a file, expected a folder to write to.")
        taken = {path.resolve(): path for path in inputs}
        parts = [] if self.beir is None else [self.beir / name for name in BEIR_FILES]
        for path in (*own, *parts):
            if path.resolve() in taken:
                raise InputError(f"{path}: is an input or named twice; give each output a name of its own.")
            taken[path.resolve()] = path

    def check_free(self, card: Card, *, force: bool) -> None:
        """Refuse to replace something else unless forced."""
        there = [path for path in (self.output, self.manifest, self.card) if path.exists()]
        if self.beir is not None and self.beir.is_dir() and any(self.beir.iterdir()):
            there.append(self.beir)
        if not there or force:
            return
        advice = "Give other names, or replace it with --force."
        try:
            differences = card_differences(read_card(self.card), card)
            same = card_key(read_card(self.card)) == card_key(card)
        except InputError:
            raise ConflictError(f"{there[0]}: exists already, without a card of this job.\n  {advice}") from None
        if not same:
            raise ConflictError(f"{there[0]}: holds something else ({'; '.join(differences)}).\n  {advice}")


@dataclass(frozen=True, slots=True)
class CombineResult:
    """Counts of a combined benchmark, and the files it was written to.

    phases: name -> samples. by_phase: (doc_type, phase) -> samples. outputs: name of each file -> its sha256.
    remarks: what else a reader should know.
    """

    files: CombinedFiles
    phases: Mapping[str, int]
    by_phase: Mapping[tuple[str, str], int]
    distribution: Distribution
    outputs: Mapping[str, str]
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.distribution.total.actual

    @property
    def conclusion(self) -> str:
        """How many questions were combined from how many benchmarks."""
        benchmarks = counted(len(self.phases), "benchmark")
        return f"Combined {counted(len(self), 'question')} from {benchmarks}."

    def tables(self) -> tuple[Table, ...]:
        """Return the samples by doc_type and phase."""
        kinds = [row.name for row in self.distribution.groups["doc_type"]]
        rows = {kind: [self.by_phase.get((kind, phase), 0) for phase in self.phases] for kind in kinds}
        cells = [(name, *map(count, (*own, sum(own)))) for name, own in rows.items()]
        cells.append(("all", *map(count, (*self.phases.values(), len(self)))))
        headings = (Heading("doc type", "left"), *map(Heading, self.phases), Heading("all"))
        return (Table(headings, tuple(cells)),)

    def to_dict(self) -> dict[str, object]:
        """Return the result for JSON."""
        return {
            "conclusion": self.conclusion,
            "output": str(self.files.output),
            "manifest": str(self.files.manifest),
            "card": str(self.files.card),
            "beir": None if self.files.beir is None else str(self.files.beir),
            "phases": dict(self.phases),
            "outputs": dict(self.outputs),
            "remarks": list(self.remarks),
            **self.distribution.to_dict(),
        }

    def __str__(self) -> str:
        return "\n".join([self.conclusion, "", *(render(table) for table in self.tables()), *self.remarks])


@with_options
def combine(
    paths: Annotated[
        Sequence[Path | str],
        Option("Benchmarks that 'goldproof build' wrote (JSONL).", "FILE...", flag="", type=list[Path]),
    ],
    *,
    output: Annotated[Path | str, Option("The combined benchmark (JSONL).", "FILE", type=Path)],
    manifest: Annotated[
        Path | str | None, Option("Its manifest (default: OUTPUT_manifest.csv).", "FILE", type=Path)
    ] = None,
    beir: Annotated[Path | str | None, Option("Also write a BEIR folder of all samples.", "DIR", type=Path)] = None,
    near_duplicates: float | None = NEAR_DUPLICATES,
    force: bool = False,
    on_progress: OnProgress = ignore,
) -> CombineResult:
    """Combine benchmarks.

    manifest: `<output>_manifest.csv` unless named. beir: a folder to write as well. near_duplicates: questions at least
    this similar are the same (None: only ids are compared). force: replace what something else left there.
    on_progress: called with its two steps, reading and writing.
    """
    phases = name_phases(paths)
    files = CombinedFiles.named(output, manifest=manifest, beir=beir)
    corpora = _corpora(phases) if files.beir is not None else {}
    files.check([*_read_files(phases), *(path.parent for path in corpora.values())])
    card = _card(phases, files, corpora=corpora, near_duplicates=near_duplicates)
    files.check_free(card, force=force)
    counted = _PhaseCounter(phases, PhaseRepeats(near_duplicates), for_beir=files.beir is not None)
    with step("reading samples", on_progress):
        distribution = Distribution.of(counted.samples())
    counted.refuse_repeats(files)
    with step(f"writing {files.output.name}", on_progress):
        outputs = _write(phases, files, card=card, corpora=corpora.values())
    counts = _counts(distribution, counted.phases)
    write_card(files.card, replace(card, counts=counts, outputs=outputs))
    remarks = () if files.beir is None else _remarks([phase for phase in phases if phase.name not in corpora])
    return CombineResult(files, dict(counted.phases), dict(counted.by_phase), distribution, outputs, remarks)


class _PhaseCounter:
    """Goes through the samples once: counts them by phase, finds repeats, checks ids for the BEIR folder."""

    def __init__(self, phases: Sequence[Phase], repeats: PhaseRepeats, *, for_beir: bool) -> None:
        self._phases = phases
        self._for_beir = for_beir
        self._repeats = repeats
        self.phases: Counter[str] = Counter({phase.name: 0 for phase in phases})
        self.by_phase: Counter[tuple[str, str]] = Counter()
        self.gold = 0

    def samples(self) -> Iterator[Sample]:
        for placed in phase_samples(self._phases):
            self._repeats.add(placed)
            self.phases[placed.phase.name] += 1
            self.by_phase[placed.sample.doc_type, placed.phase.name] += 1
            self.gold += len(placed.sample.gold_documents)
            if self._for_beir:
                check_id("question", placed.sample.id)
                for name in placed.sample.gold_documents:
                    check_id("document", name)
            yield placed.sample

    def refuse_repeats(self, files: CombinedFiles) -> None:
        """Raise InputError for repeated samples, or for a BEIR folder without judgments."""
        if self._repeats.total:
            raise InputError(self._repeats.message())
        if files.beir is not None and not self.gold:
            raise InputError(
                f"--beir {files.beir}: no sample names a gold document, so there are no judgments to write; "
                "leave --beir out."
            )


def _corpora(phases: Sequence[Phase]) -> dict[str, Path]:
    """Return the corpora beside the phases: only they hold titles and metadata of documents."""
    paths = {phase.name: phase_corpus(phase.path) for phase in phases}
    return {name: path for name, path in paths.items() if path is not None}


def _read_files(phases: Sequence[Phase]) -> Iterator[Path]:
    """Yield the inputs that must not be overwritten: the benchmarks, and the cards beside them."""
    for phase in phases:
        yield from (phase.path, card_path(phase.path), phase.path.with_name(CARD_NAME))


def _remarks(bare: Sequence[Phase]) -> tuple[str, ...]:
    if not bare:
        return ()
    names = ", ".join(phase.path.name for phase in bare)
    return (f"no corpus file beside {names}: in the BEIR folder, documents that occur only there have no titles.",)


def _write(phases: Sequence[Phase], files: CombinedFiles, *, card: Card, corpora: Iterable[Path]) -> dict[str, str]:
    def samples() -> Iterator[Sample]:
        return (placed.sample for placed in phase_samples(phases))

    # Marked as begun, so that the same command may go on where this one is killed.
    make_folder(files.card.parent)
    write_card(files.card, card, finished=False)
    written = {
        files.output.name: write_hashed(files.output, map(sample_line, samples())),
        files.manifest.name: write_hashed(files.manifest, manifest_lines(samples())),
    }
    if files.beir is None:
        return written
    documents = merged_documents(corpora, samples)
    beir = write_beir(files.beir, documents=documents, questions=lambda: map(judged_question, samples()))
    return written | {f"{files.beir.name}/{name}": digest for name, digest in beir.items()}


def _card(
    phases: Sequence[Phase], files: CombinedFiles, *, corpora: Mapping[str, Path], near_duplicates: float | None
) -> Card:
    return Card(
        schema=SCHEMA,
        schema_version=SCHEMA_VERSION,
        inputs={
            **{f"phase {phase.name}": sha256_file(phase.path) for phase in phases},
            **{f"corpus of {name}": sha256_file(path) for name, path in corpora.items()},
        },
        settings={
            "phases": [phase.name for phase in phases],
            "near_duplicates": near_duplicates,
            "output": files.output.name,
            "manifest": files.manifest.name,
            "beir": None if files.beir is None else files.beir.name,
        },
        licence=joined_licence(phases),
        versions={"goldproof": __version__},
    )


def _counts(distribution: Distribution, phases: Mapping[str, int]) -> dict[str, int]:
    marks = {row.name: row.actual for row in distribution.groups["answerable"]}
    rows = {
        f"{group} {row.name}": row.actual
        for group in ("doc_type", "source_dataset")
        for row in distribution.groups[group]
    }
    return {
        "samples": distribution.total.actual,
        "answerable": marks.get("true", 0),
        "unanswerable": marks.get("false", 0),
        **rows,
        **{f"phase {name}": samples for name, samples in phases.items()},
    }
