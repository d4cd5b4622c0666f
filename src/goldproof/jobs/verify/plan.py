"""Plan of an audit: cases read and libraries made ready, nothing run yet."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.corpus.libraries import open_library
from goldproof.errors import InputError, UnknownNameError
from goldproof.io import read_ids, sha256_file
from goldproof.io.cases import read_cases
from goldproof.progress import OnProgress, Progress, ignore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.corpus.libraries import Library
    from goldproof.io.cases import Case

EXAMPLE = "example"
EXAMPLE_AGAINST = "PyYAML,pydantic"  # what every installation of Goldproof has


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """Inputs of an audit. inputs: name -> sha256 of all that was read. problems: cases that cannot be read.

    only: the ids that were asked for; empty for all.
    """

    cases: tuple[Case, ...]
    libraries: tuple[Library, ...]
    inputs: Mapping[str, str]
    problems: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


def open_plan(
    cases: Sequence[str | Path],
    *,
    against: Sequence[str],
    only: Sequence[str] = (),
    exclude: Path | None = None,
    on_progress: OnProgress = ignore,
) -> AuditPlan:
    """Read the cases and make the libraries ready. only: ids of the cases to audit; all of them by default."""
    if [str(one) for one in cases] == [EXAMPLE] and not Path(EXAMPLE).exists():
        cases, against = [bundled_cases()], against or (EXAMPLE_AGAINST,)
    if not cases:
        raise InputError("there are no cases; name a file of them, or 'example' for the bundled ones.")
    if not against:
        raise InputError("no library is named; give --against NAME==VERSION, or --against NAME for the installed one.")
    read = read_cases([Path(one) for one in cases])
    left = _chosen(read.cases, only=only, exclude=exclude)
    excluded = {} if exclude is None else {"exclude": sha256_file(exclude)}
    return AuditPlan(
        cases=left,
        libraries=_libraries(against, on_progress),
        inputs={**read.files, **excluded},
        problems=read.problems,
        only=tuple(dict.fromkeys(only)),
    )


def bundled_cases() -> Path:
    """Return the file of the cases that come with Goldproof."""
    return Path(str(files("goldproof.data") / "verify" / EXAMPLE / "questions.yaml"))


def _libraries(against: Sequence[str], on_progress: OnProgress) -> tuple[Library, ...]:
    found: dict[str, Library] = {}
    for library in open_each(against, on_progress):
        if library.label in found:
            raise InputError(f"--against names {library.label} twice; name each library once.")
        found[library.label] = library
    return tuple(found.values())


def open_each(against: Sequence[str], on_progress: OnProgress) -> Iterator[Library]:
    """Make the libraries ready, one after the other; an environment of wheels may take a while."""
    for number, spec in enumerate(against):
        on_progress(Progress("libraries", number, len(against), note=f"making {spec} ready"))
        yield open_library(spec)
    on_progress(Progress("libraries", len(against), len(against)))


def _chosen(cases: Sequence[Case], *, only: Sequence[str], exclude: Path | None) -> tuple[Case, ...]:
    known = [case.id for case in cases]
    for wanted in only:
        if wanted not in known:
            raise UnknownNameError("case", wanted, known)
    out = frozenset() if exclude is None else read_ids(exclude)
    left = tuple(case for case in cases if (not only or case.id in only) and case.id not in out)
    if not left:
        raise InputError(f"no case is left to audit: {len(cases):,} were read, and all of them are left out.")
    return left
