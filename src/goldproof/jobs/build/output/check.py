"""`check_benchmark()`: is a built benchmark complete, unchanged and consistent?

Card: finished, and every file that it lists is there with that sha256; its other facts as far as they follow from the
files (`goldproof.jobs.build.output.check_files` says which). Benchmark: every line parses, ids occur once. Manifest,
BEIR queries, qrels and kernels: equal to those written from the benchmark, byte for byte. Corpus: holds every document
that a sample names, with the text that the sample quotes, and every span of evidence lies inside it. Distribution: the
counts of the samples, and the targets of the card. Problems are reported as sentences, never raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError, counted
from goldproof.io import read_card, read_json, sha256_file
from goldproof.io.storage.cards import CARD_NAME
from goldproof.jobs.build.output.check_files import BenchmarkFiles, Problems, check_contents
from goldproof.jobs.build.output.files import BEIR_FOLDER
from goldproof.jobs.build.output.report import DISTRIBUTION, PICTURE, REPORT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.entities import Card

_OTHERS = frozenset({CARD_NAME, "run.json"})
_UNFINISHED = "the build was not finished; run the same command again."


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Result of a check: files and samples checked, the first `problems`, and `n_problems` in all.

    notes: what is odd but no problem, such as files that are not part of the benchmark.
    """

    folder: Path
    files: int = 0
    samples: int = 0
    problems: tuple[str, ...] = ()
    n_problems: int = 0
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.n_problems == 0

    def to_dict(self) -> dict[str, object]:
        """Return the report for JSON."""
        return {
            "folder": str(self.folder),
            "ok": self.ok,
            "files": self.files,
            "samples": self.samples,
            "n_problems": self.n_problems,
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        state = "everything matches the card" if self.ok else counted(self.n_problems, "problem")
        more = self.n_problems - len(self.problems)
        lines = [f"{self.folder}: {self.samples:,} samples, {self.files:,} files: {state}"]
        lines += [f"  {problem}" for problem in self.problems]
        lines += [f"  ... and {more:,} more"] if more else []
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def check_benchmark(folder: Path | str) -> CheckReport:
    """Check a folder that `goldproof build` wrote."""
    folder = Path(folder)
    problems = Problems()
    if not folder.is_dir():
        problems.add(str(folder), "is not a folder, expected one that goldproof build wrote.")
        return _report(folder, problems)
    card = _card(folder, problems)
    if card is None:
        return _report(folder, problems)
    _check_hashes(folder, card.outputs, problems)
    inside, outside = _strangers(folder, card.outputs)
    for name in inside:
        problems.add(name, "is not a file of this benchmark, but would be read with it.")
    samples = _check_contents(folder, card, problems)
    notes = tuple(f"{name}: not part of the benchmark." for name in outside)
    return _report(folder, problems, files=len(card.outputs), samples=samples, notes=notes)


def _report(
    folder: Path, problems: Problems, *, files: int = 0, samples: int = 0, notes: tuple[str, ...] = ()
) -> CheckReport:
    return CheckReport(folder, files, samples, tuple(problems.listed), problems.total, notes)


def _card(folder: Path, problems: Problems) -> Card | None:
    """Return the card of a finished benchmark, or say why there is none."""
    try:
        card, raw = read_card(folder / CARD_NAME), read_json(folder / CARD_NAME)
    except InputError as error:
        problems.add_error(CARD_NAME, error)
        return None
    if isinstance(raw, dict) and raw.get("unfinished"):
        problems.add(CARD_NAME, _UNFINISHED)
        return None
    if not card.outputs:
        problems.add(CARD_NAME, "lists no outputs, so there is nothing to check against.")
        return None
    return card


def _check_hashes(folder: Path, outputs: Mapping[str, str], problems: Problems) -> None:
    for name, expected in outputs.items():
        try:
            digest = sha256_file(folder / name)
        except InputError as error:
            problems.add_error(name, error)
            continue
        if digest != expected:
            problem = f"has the sha256 {digest[:12]}..., but the card says {str(expected)[:12]}...: it was changed."
            problems.add(name, problem)


def _strangers(folder: Path, outputs: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the files that the card does not list, inside the BEIR folder and outside; hidden ones do not count."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    visible = (path.as_posix() for path in paths if not any(part.startswith(".") for part in path.parts))
    names = sorted(name for name in visible if name not in outputs and name not in _OTHERS)
    inside = [name for name in names if name.startswith(f"{BEIR_FOLDER}/")]
    return inside, [name for name in names if name not in inside]


def _check_contents(folder: Path, card: Card, problems: Problems) -> int:
    names = _named(card) or _guessed(card)
    if names is None:
        problems.add(CARD_NAME, "lists no benchmark with its manifest (.csv), so their contents were not compared.")
        return 0
    unlisted = [name for name in names if name not in card.outputs]
    for name in unlisted:
        problems.add(CARD_NAME, f"names {name}, but does not list it, so the contents were not compared.")
    return 0 if unlisted else check_contents(BenchmarkFiles(folder, *names), card=card, problems=problems)


def _named(card: Card) -> tuple[str, str] | None:
    """Return the names of benchmark and manifest in the card's settings."""
    benchmark, manifest = card.settings.get("output"), card.settings.get("manifest")
    return (benchmark, manifest) if isinstance(benchmark, str) and isinstance(manifest, str) else None


def _guessed(card: Card) -> tuple[str, str] | None:
    """Return them from the card's outputs, by exclusion of the fixed names, where the settings leave them null."""
    own = [name for name in card.outputs if "/" not in name and name not in (DISTRIBUTION, PICTURE, REPORT)]
    manifests = [name for name in own if name.endswith(".csv")]
    benchmarks = [name for name in own if name not in manifests]
    return (benchmarks[0], manifests[0]) if len(manifests) == len(benchmarks) == 1 else None
