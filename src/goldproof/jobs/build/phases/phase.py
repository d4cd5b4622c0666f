"""Benchmarks that are put together: each file is a phase, known by its name, and keeps its samples as they are.

A sample gets `benchmark_phase` in its metadata: the name of the file that it came from. One that has it already, from
an earlier combining, keeps it. Nothing else that a sample says is changed; a field `phase` is its dataset's own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.io.text_files import check_file, file_stem
from goldproof.jobs.build.output.sample_lines import read_samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from goldproof.jobs.build.sample import Sample


PHASE = "benchmark_phase"


@dataclass(frozen=True, slots=True)
class Phase:
    """One file that is combined."""

    name: str
    path: Path


class PhaseSample(NamedTuple):
    """A sample as it will stand in the combined benchmark, and where it stands now."""

    phase: Phase
    line: int
    sample: Sample


def name_phases(paths: Sequence[Path | str]) -> tuple[Phase, ...]:
    """Return the phases in their order; files of one name are told apart by their folders."""
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
