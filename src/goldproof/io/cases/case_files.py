"""Cases of several files, with unique ids and short file names.

The suite is the registry's own name (`suite:`, `name:`), else the file's name without ending; two equal ones get the
folder before them, `fix_errors/benchmark`. Cases of a registry are called `<suite>:<case>`. Questions of other files
keep their ids, unless another file has one of them: then all of both are prefixed too.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, InputError
from goldproof.io.cases.case import BuiltCase, Case, Cases
from goldproof.io.cases.code_files import CodeFiles
from goldproof.io.cases.question_files import QuestionFile, read_question_file
from goldproof.io.cases.registry import BuiltCases, Registry, build_cases, read_registry, with_clusters
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.storage.cards import sha256_file
from goldproof.io.text_files import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_LINE = re.compile(r"(?P<line>\d+): (?P<problem>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Source:
    """One file or folder that was given, and its content."""

    path: Path
    content: Registry | QuestionFile

    @property
    def suite(self) -> str:
        return self.content.suite or file_stem(self.path)


def read_cases(
    paths: Sequence[Path | str], *, split: str | None = None, diagnostics: Diagnostics | None = None
) -> Cases:
    """Read the cases of files and folders, in their order; unreadable ones are in `problems`.

    split: of BEIR folders that have several. A file in which nothing can be read raises `FileFormatError`.
    diagnostics: of a single file; told of everything that cannot be read, also where nothing can.
    """
    files = [Path(path) for path in paths]
    if not files:
        raise InputError("no file of cases is given; expected a registry, a dataset or a file of questions.")
    sources = [_open(path, split=split, diagnostics=diagnostics) for path in files]
    suites = _suites(sources)
    names = short_names(path.resolve() for path in files)
    return _gathered(sources, suites, names, diagnostics)


def _open(path: Path, *, split: str | None, diagnostics: Diagnostics | None) -> _Source:
    registry = None if path.is_dir() else read_registry(path, Diagnostics(path))
    return _Source(path, registry or read_question_file(path, split=split, diagnostics=diagnostics))


def _suites(sources: Sequence[_Source]) -> list[str]:
    """Return the suite of each source, no two of them equal."""
    plain = [source.suite for source in sources]
    counts = Counter(plain)
    suites = [
        f"{source.path.resolve().parent.name}/{suite}" if counts[suite] > 1 else suite
        for source, suite in zip(sources, plain, strict=True)
    ]
    for suite, count in Counter(suites).items():
        if count > 1:
            first, second = [source.path for source, other in zip(sources, suites, strict=True) if other == suite][:2]
            raise InputError(
                f"{first} and {second} both have the suite {suite!r}; "
                "give each file once, and each registry its own 'suite:'."
            )
    return suites


def _gathered(
    sources: Sequence[_Source], suites: Sequence[str], names: Mapping[Path, str], diagnostics: Diagnostics | None
) -> Cases:
    files = CodeFiles()
    placed = [(source, suite, names[source.path.resolve()]) for source, suite in zip(sources, suites, strict=True)]
    registries = {
        number: _built(source.content, source.path, suite=suite, file=file, files=files, diagnostics=diagnostics)
        for number, (source, suite, file) in enumerate(placed)
        if isinstance(source.content, Registry)
    }
    colliding = _colliding(sources, registries)
    built: list[BuiltCase] = []
    problems: list[str] = []
    for number, (source, suite, file) in enumerate(placed):
        if isinstance(source.content, Registry):
            built += registries[number].built
            problems += registries[number].problems
        else:
            cases_of_file = source.content.cases(file=file, suite=suite, prefixed=number in colliding)
            built += (BuiltCase(case) for case in cases_of_file)
            problems += source.content.problems
    hashes = {path.resolve(): sha256_file(path) for source in sources for path in _files(source)}
    labels = short_names(hashes)
    labels |= short_names((path for path in files.hashes if path not in hashes), taken=labels.values())
    cases = with_clusters(built, labels)
    _refuse_equal(cases)
    digests = {labels[path]: digest for path, digest in (hashes | files.hashes).items()}
    contents = (source.content for source in sources)
    remarks = tuple(remark for each in contents if isinstance(each, QuestionFile) for remark in each.remarks)
    return Cases(cases, tuple(problems), digests, remarks)


def _built(
    registry: Registry, path: Path, *, suite: str, file: str, files: CodeFiles, diagnostics: Diagnostics | None
) -> BuiltCases:
    result = build_cases(registry, path, suite=suite, file=file, files=files)
    if diagnostics is not None:
        for problem in result.problems:
            sentence = problem.removeprefix(f"{path}:").lstrip()
            placed = _LINE.fullmatch(sentence)
            diagnostics.report(placed["problem"] if placed else sentence, line=int(placed["line"]) if placed else None)
    elif not result.built:
        raise FileFormatError(
            path, f"no case can be read; the first of {len(registry.entries):,}: {result.problems[0]}"
        )
    return result


def _files(source: _Source) -> tuple[Path, ...]:
    return source.content.files if isinstance(source.content, QuestionFile) else (source.path,)


def _colliding(sources: Sequence[_Source], registries: Mapping[int, BuiltCases]) -> set[int]:
    """Return the numbers of the files that share an id with another one."""
    owners: dict[str, int] = {}
    numbers: set[int] = set()
    for number, source in enumerate(sources):
        if isinstance(source.content, QuestionFile):
            ids = [asked.question.id for asked in source.content.asked]
        else:
            ids = [built.case.id for built in registries[number].built]
        for name in ids:
            owner = owners.setdefault(name, number)
            if owner != number:
                numbers |= {owner, number}
    return numbers


def _refuse_equal(cases: Sequence[Case]) -> None:
    first: dict[str, Case] = {}
    for case in cases:
        known = first.setdefault(case.id, case)
        if known is not case:
            raise InputError(f"{known.where} and {case.where} both give a case {case.id!r}; rename one of them.")


def short_names(paths: Iterable[Path], *, taken: Iterable[str] = ()) -> dict[Path, str]:
    """Return path -> name, as short as keeps names distinct. taken: names of others. Paths are absolute."""
    waiting = list(dict.fromkeys(paths))
    used = set(taken)
    names: dict[Path, str] = {}
    depth = 1
    while waiting:
        tried = {path: "/".join(path.parts[-depth:]) for path in waiting}
        counts = Counter(tried.values())
        unique = {
            path: n for path, n in tried.items() if (counts[n] == 1 and n not in used) or depth >= len(path.parts)
        }
        names |= unique
        waiting = [path for path in waiting if path not in unique]
        depth += 1
    return names
