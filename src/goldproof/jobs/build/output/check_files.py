"""Recompute manifest, BEIR files, corpus facts, card counts and distribution from a benchmark and compare.

The benchmark decides. Where one of its lines cannot be read, the other files are not compared with it: what they should
hold is not known. Of a file that follows from the benchmark only the first difference is reported; the rest often
follows. Of a long line the part around the first character that differs is shown, the same part of both. Characters
that cannot be seen, such as a carriage return, are shown as Python writes them.

Checked on the card:

    samples, answerable, unanswerable      the lines of the benchmark
    `<source>: used`                       the samples of that dataset; of all sources together, all samples
    `answer in gold documents: <verdict>`  `answer_in_gold` of the answerable samples
    documents                              the corpus
    quotas, difficulty, unanswerable       the targets in distribution.json
    name and seed                          the head of report.md

All else on the card is about the way from the sources to the benchmark (their hashes, licences and revisions; the
records read, usable, dropped, left out and rejected; the other settings; the version of Goldproof): that cannot be
checked without the sources, only by building again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from goldproof.errors import FileFormatError, InputError
from goldproof.io import read_documents, read_json
from goldproof.io.datasets.beir import CORPUS, KERNELS, QRELS, QUERIES, kernel_lines, qrels_lines, query_lines
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.storage.cards import CARD_NAME
from goldproof.io.text_files import open_bytes, read_head
from goldproof.jobs.build.output.files import BEIR_FOLDER, judged_question, manifest_lines, read_samples
from goldproof.jobs.build.output.report import DISTRIBUTION, GROUPS, REPORT, Distribution
from goldproof.jobs.build.recipe import Quota, Recipe, Unanswerable, distribution_targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.io.datasets.beir import JudgedQuestion
    from goldproof.jobs.build.output.report import Targets
    from goldproof.jobs.build.records import Sample
    from goldproof.records.entities import Card

LISTED = 50


@dataclass(slots=True)
class Problems:
    """Sentences that begin with the file and the line they are about."""

    listed: list[str] = field(default_factory=list)
    total: int = 0

    def add(self, name: str, problem: str, *, line: int | None = None) -> None:
        """Add a problem of a file."""
        self.total += 1
        if len(self.listed) < LISTED:
            self.listed.append(f"{name}: {problem}" if line is None else f"{name}:{line}: {problem}")

    def add_error(self, name: str, error: InputError) -> None:
        """Add the error of a file that cannot be read at all."""
        if isinstance(error, FileFormatError):
            self.add(name, error.problem, line=error.line)
        else:
            self.add(name, " ".join(str(error).split()))

    def add_complaints(self, name: str, diagnostics: Diagnostics) -> None:
        """Add the bad lines that a reader left out."""
        for finding in diagnostics.findings:
            self.add(name, finding.problem, line=finding.line)
        self.total += diagnostics.total - len(diagnostics.findings)


@dataclass(frozen=True, slots=True)
class BenchmarkFiles:
    """A benchmark on disk: its folder, and the names of its two files."""

    folder: Path
    benchmark: str
    manifest: str

    def samples(self) -> Iterator[Sample]:
        """Yield the samples, from the beginning each time."""
        return (at.sample for at in read_samples(self.folder / self.benchmark))

    def judged(self) -> Iterator[JudgedQuestion]:
        """Yield the samples as queries with their gold documents."""
        return map(judged_question, self.samples())


def check_contents(contents: BenchmarkFiles, *, card: Card, problems: Problems) -> int:
    """Report all that does not agree, and return the number of samples that could be read."""
    if not (contents.folder / contents.benchmark).is_file():  # reported where the hashes are checked
        return 0
    before = problems.total
    counted = _check_benchmark(contents, problems)
    damaged = problems.total > before
    check_counts(contents.benchmark, counted, card=card, problems=problems)
    if damaged:
        problems.add(contents.benchmark, "the other files were not compared with it, since it is damaged itself.")
        return counted["samples"]
    _check_derived(contents, card=card, problems=problems)
    check_report(contents.folder, card=card, problems=problems)
    wanted = card_targets(card, problems)
    if DISTRIBUTION in card.outputs:
        check_distribution(contents.folder / DISTRIBUTION, contents.samples(), wanted=wanted, problems=problems)
    _check_corpus(contents, card=card, problems=problems)
    return counted["samples"]


def _check_benchmark(contents: BenchmarkFiles, problems: Problems) -> Counter[str]:
    """Read the benchmark once: report bad lines, repeated ids and contradictions, and count."""
    path = contents.folder / contents.benchmark
    diagnostics = Diagnostics(path, keep=LISTED)
    counted: Counter[str] = Counter()
    lines: dict[str, int] = {}
    try:
        for line, sample in read_samples(path, diagnostics):
            counted.update(sample_counts(sample))
            first = lines.setdefault(sample.id, line)
            if first != line:
                problems.add(contents.benchmark, f"sample {sample.id!r} is already on line {first}.", line=line)
            for problem in _contradictions(sample):
                problems.add(contents.benchmark, f"sample {sample.id!r} {problem}", line=line)
    except InputError as error:
        problems.add_error(contents.benchmark, error)
    problems.add_complaints(contents.benchmark, diagnostics)
    return counted


def _contradictions(sample: Sample) -> Iterator[str]:
    gold = set(sample.gold_documents)
    if not sample.answerable and (gold or sample.kernels or sample.ground_truth):
        yield "is unanswerable, but has an answer or gold documents."
    for document in dict.fromkeys(d for kernel in sample.kernels for d in kernel if d not in gold):
        yield f"has {document!r} in a kernel, but not among its gold documents."
    for document in dict.fromkeys(span.document for span in sample.evidence if span.document not in gold):
        yield f"has evidence in {document!r}, which is not among its gold documents."


def _check_derived(contents: BenchmarkFiles, *, card: Card, problems: Problems) -> None:
    """Compare manifest and BEIR files with those written from the benchmark."""
    derived: dict[str, Iterator[bytes]] = {
        contents.manifest: manifest_lines(contents.samples()),
        f"{BEIR_FOLDER}/{QUERIES}": query_lines(contents.judged()),
        f"{BEIR_FOLDER}/{QRELS}": qrels_lines(contents.judged()),
        f"{BEIR_FOLDER}/{KERNELS}": kernel_lines(contents.judged()),
    }
    for name, expected in derived.items():
        path = contents.folder / name
        try:
            if path.is_file():
                different = first_difference(path, expected)
                if different is not None:
                    problems.add(name, f"{different.sentence}, as the benchmark has it.", line=different.line)
            elif name not in card.outputs and next(expected, None) is not None:  # else it is known to be missing
                problems.add(name, f"is missing, on the card too, but {contents.benchmark} needs it.")
        except InputError as error:
            problems.add_error(name, error)


def _check_corpus(contents: BenchmarkFiles, *, card: Card, problems: Problems) -> None:
    """Look for every document that a sample names, and for every span in its text."""
    name = f"{BEIR_FOLDER}/{CORPUS}"
    path = contents.folder / name
    if not path.is_file():
        if name not in card.outputs:
            problems.add(name, "is missing, on the card too.")
        return
    diagnostics = Diagnostics(path, keep=LISTED)
    try:
        texts = {document.id: _text(document.text) for document in read_documents(path, diagnostics)}
    except InputError as error:
        problems.add_error(name, error)
        return
    problems.add_complaints(name, diagnostics)
    if card.counts.get("documents") != len(texts):
        problems.add(name, f"holds {len(texts)} documents, but the card says {card.counts.get('documents')}.")
    for line, sample in read_samples(contents.folder / contents.benchmark):
        for problem in _misplaced(sample, texts):
            problems.add(contents.benchmark, f"sample {sample.id!r} {problem}", line=line)


class _Text(NamedTuple):
    """Length and digest of a text, which is not kept."""

    length: int
    digest: bytes


def _text(text: str) -> _Text:
    return _Text(len(text), hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _misplaced(sample: Sample, texts: Mapping[str, _Text]) -> Iterator[str]:
    """Yield the documents, texts and spans of a sample that the corpus does not hold."""
    for document in dict.fromkeys((*sample.gold_documents, *sample.context_ids)):
        if document not in texts:
            yield f"names the document {document!r}, which is not in the corpus."
    for document, context in zip(sample.context_ids, sample.contexts, strict=False):
        if document in texts and texts[document] != _text(context):
            yield f"has a context of {document!r} that is not the text of that document in the corpus."
    for span in sample.evidence:
        if span.document in texts and span.end > texts[span.document].length:
            size = texts[span.document].length
            yield f"has evidence up to character {span.end} of {span.document!r}, whose text has {size}."


_LABELS = {"samples": "samples", "answerable": "answerable", "unanswerable": "unanswerable samples"}
_USED = ": used"
_VERDICT = "answer in gold documents: "


def sample_counts(sample: Sample) -> Iterator[str]:
    """Yield the counts of the card in which a sample has its part."""
    yield "samples"
    yield "answerable" if sample.answerable else "unanswerable"
    yield f"{sample.source_dataset}{_USED}"
    if sample.answerable and "answer_in_gold" in sample.metadata:
        yield f"{_VERDICT}{sample.metadata['answer_in_gold']}"


def check_counts(name: str, counted: Mapping[str, int], *, card: Card, problems: Problems) -> None:
    """Report the counts of the card that are not those of the benchmark called `name`."""
    for key, label in _LABELS.items():
        if card.counts.get(key) != counted.get(key, 0):
            problems.add(
                name,
                f"holds {counted.get(key, 0)} {label}, but the card says {card.counts.get(key)}.",
            )
    verdicts = [key for key in dict.fromkeys((*card.counts, *counted)) if key.startswith(_VERDICT)]
    used = [key for key in counted if key.endswith(_USED) and key in card.counts]
    for key in (*verdicts, *used):
        if card.counts.get(key, 0) != counted.get(key, 0):
            problem = f"says {card.counts.get(key, 0)} for {key!r}, but the benchmark makes it {counted.get(key, 0)}."
            problems.add(CARD_NAME, problem)
    _check_used(card.counts, counted, problems)


def _check_used(counts: Mapping[str, object], counted: Mapping[str, int], problems: Problems) -> None:
    """Compare the sum: samples do not name a source that is read twice or has a name of its own."""
    used = [value for name, value in counts.items() if name.endswith(_USED) and isinstance(value, int)]
    if sum(used) != counted.get("samples", 0):
        problem = (
            f"counts {sum(used)} samples used, over all sources, but the benchmark holds {counted.get('samples', 0)}."
        )
        problems.add(CARD_NAME, problem)


def card_targets(card: Card, problems: Problems) -> Targets | None:
    """Return the targets that the settings make, or report that they make none."""
    settings: Mapping[str, Any] = card.settings
    try:
        unanswerable = settings["unanswerable"]
        recipe = Recipe(
            name="",
            sources=(),
            quotas=tuple(
                Quota(quota["doc_type"], quota["total"], quota["question_types"]) for quota in settings["quotas"]
            ),
            difficulty=None if settings["difficulty"] is None else _shares(settings["difficulty"]),
            unanswerable=Unanswerable(Fraction(unanswerable["share"]), _shares(unanswerable["methods"])),
        )
        return distribution_targets(recipe)
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError, InputError):
        problems.add(CARD_NAME, "has settings without the quotas, difficulty and unanswerable of a recipe.")
        return None


def _shares(texts: Mapping[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(share) for name, share in texts.items()}


def check_report(folder: Path, *, card: Card, problems: Problems) -> None:
    """Report where name or seed of the card are not those in the head of the report."""
    if REPORT not in card.outputs or not (folder / REPORT).is_file():  # reported where the hashes are checked
        return
    try:
        lines = read_head(folder / REPORT, size=1 << 12).decode("utf-8", "replace").splitlines()
    except InputError as error:
        problems.add_error(REPORT, error)
        return
    for number, end in ((1, f"# {card.settings.get('name')}"), (3, f"; seed {card.seed}.")):
        line = lines[number - 1] if number <= len(lines) else ""
        if not line.endswith(end):
            problems.add(REPORT, f"says {line!r}, expected it to end with {end!r}, as the card has it.", line=number)


JsonObject = dict[str, object]


def check_distribution(path: Path, samples: Iterable[Sample], *, wanted: Targets | None, problems: Problems) -> None:
    """Report rows that differ from the counts of the samples; wanted: the card's targets, where they are known."""
    if not path.is_file():  # reported where the hashes are checked
        return
    try:
        written = _read(path)
    except InputError as error:
        problems.add_error(path.name, error)
        return
    groups = {name: _rows(written, name) for name in GROUPS}
    targets = {group: dict(_targets(rows)) for group, rows in groups.items()}
    counted = Distribution.of(samples, targets).to_dict()
    differences = [*_differences(written, counted), *(() if wanted is None else _other_targets(targets, wanted))]
    for problem in differences:
        problems.add(path.name, problem)
    if not differences and {**written, "explanations": []} != counted:
        problems.add(path.name, "does not match the samples in order or shape.")


def _read(path: Path) -> JsonObject:
    distribution = read_json(path)
    if not isinstance(distribution, dict) or not isinstance(distribution.get("groups"), dict):
        raise FileFormatError(path, "is not a distribution, expected an object with groups.")
    return distribution


def _rows(distribution: JsonObject, group: str) -> dict[str, JsonObject]:
    """Return name -> row of a group, those rows that are any."""
    groups = distribution.get("groups")
    rows = groups.get(group) if isinstance(groups, dict) else None
    return {
        row["name"]: row
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and isinstance(row.get("name"), str)
    }


def _targets(rows: dict[str, JsonObject]) -> Iterator[tuple[str, int]]:
    for name, row in rows.items():
        target = row.get("target")
        if isinstance(target, int) and not isinstance(target, bool):
            yield name, target


def _other_targets(written: Targets, wanted: Targets) -> Iterator[str]:
    for group in GROUPS:
        here, there = written.get(group, {}), wanted.get(group, {})
        for name in dict.fromkeys((*here, *there)):
            if here.get(name) != there.get(name):
                yield (
                    f"{group} {name}: target is {here.get(name)}, "
                    f"but the settings of the card make it {there.get(name)}."
                )


def _differences(written: JsonObject, counted: JsonObject) -> Iterator[str]:
    for group in GROUPS:
        here, there = _rows(written, group), _rows(counted, group)
        for name in dict.fromkeys((*here, *there)):
            row, right = here.get(name, {}), there.get(name, {})
            for key in ("actual", "shortfall"):
                if row.get(key) != right.get(key):
                    yield f"{group} {name}: {key} is {row.get(key)}, but the samples make it {right.get(key)}."
    total = written.get("total")
    if total != counted["total"]:
        yield f"the total is {total}, but the samples make it {counted['total']}."


_SHOWN = 100
_BEFORE = 40


class Difference(NamedTuple):
    """The number of a line, and a sentence on its actual and expected content."""

    line: int
    sentence: str


def first_difference(path: Path, expected: Iterable[bytes]) -> Difference | None:
    """Return the first line that is not as expected; a piece may hold several lines, but always ends with one."""
    lines = (line + b"\n" for piece in expected for line in piece[:-1].split(b"\n"))
    with open_bytes(path) as stream:
        for number, (here, there) in enumerate(zip_longest(stream, lines), start=1):
            if here != there:
                return Difference(number, _describe(here, there))
    return None


def _describe(here: bytes | None, there: bytes | None) -> str:
    if here is None or there is None:
        return f"says {_shown(here)}, expected {_shown(there)}"
    if here.endswith(b"\n") and there.endswith(b"\n"):
        here, there = here[:-1], there[:-1]
    written, wanted = (line.decode("utf-8", "backslashreplace") for line in (here, there))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(written, wanted, strict=False)))
    start = max(0, same - _BEFORE) if max(len(written), len(wanted)) > _SHOWN else 0
    return f"says {_part(written, start)}, expected {_part(wanted, start)}"


def _shown(line: bytes | None) -> str:
    return "nothing" if line is None else _part(line.removesuffix(b"\n").decode("utf-8", "backslashreplace"), 0)


def _part(text: str, start: int) -> str:
    """Return the printable part of a line from a position on."""
    end = start + _SHOWN
    shown = "".join(c if c.isprintable() or c == "\t" else repr(c)[1:-1] for c in text[start:end])
    return ("..." if start else "") + (shown or "an empty line") + ("..." if end < len(text) else "")
