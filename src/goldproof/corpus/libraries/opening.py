"""Open a library by its spec; `library` lists the forms."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.corpus.libraries.describing import describe_environment, with_remarks
from goldproof.corpus.libraries.environments import environment, python_in
from goldproof.corpus.libraries.interpreters import chosen, facts_of
from goldproof.corpus.libraries.project import refuse_addresses
from goldproof.corpus.libraries.repository import fetch_files, parse_address
from goldproof.corpus.libraries.requirements import Requirement, parse_requirements
from goldproof.corpus.libraries.snapshot import take_snapshot
from goldproof.corpus.libraries.spec import Spec, parse_spec
from goldproof.corpus.libraries.wheel_file import read_wheel
from goldproof.corpus.libraries.wheels import install
from goldproof.corpus.packages.releases import normal_name
from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from goldproof.corpus.libraries.interpreters import Facts
    from goldproof.corpus.libraries.library import Library, Origin

_SHORT = 12


def open_library(spec: str, *, python: str | None = None) -> Library:
    """Open a library by its spec.

    python: the interpreter that environments are made with, or whose installed packages are meant; by default the
    running one.
    """
    asked = parse_spec(spec)
    if asked.is_repository:
        return _repository(asked, base=chosen(python))
    if not asked.place:
        requirements = parse_requirements(asked.wanted)
        if all(one.version for one in requirements):
            return _pinned(requirements, base=chosen(python))
        return _installed(requirements, asked, facts=chosen(python))
    path = asked.path
    if path.suffix.lower() == ".whl":
        return _wheel(asked, base=chosen(python))
    if (path / "pyproject.toml").exists() or (path / "setup.py").exists():
        return _tree(asked, path, base=chosen(python), origin="source tree")
    return _environment(asked)


def _pinned(requirements: tuple[Requirement, ...], *, base: Facts) -> Library:
    wanted = [str(one) for one in requirements]
    first, label = requirements[0], ",".join(wanted)
    made = environment(
        f"{normal_name(first.name)}-{first.version}",
        ["wheels", sorted([normal_name(one.name), list(one.extras), one.version] for one in requirements)],
        base=base,
        fill=lambda folder: install(wanted, into=folder, spec=label),
    )
    return describe_environment(made, [one.name for one in requirements], origin="wheels", extras=_extras(requirements))


def _installed(requirements: tuple[Requirement, ...], asked: Spec, *, facts: Facts) -> Library:
    return _described(requirements, asked, facts=facts, origin="installed")


def _environment(asked: Spec) -> Library:
    path = asked.path
    python = path if path.is_file() else python_in(path)
    if not python.is_file():
        what = (
            "holds neither an environment (bin/python) nor a project (pyproject.toml)"
            if path.is_dir()
            else "does not exist"
        )
        raise InputError(f"{asked.text}: {path} {what}; expected a wheel file, an environment or a source tree.")
    if not asked.wanted:
        raise InputError(f"{asked.text}: an environment holds many packages; write NAME @ {asked.place}.")
    return _described(parse_requirements(asked.wanted), asked, facts=facts_of(python), origin="environment")


def _described(requirements: tuple[Requirement, ...], asked: Spec, *, facts: Facts, origin: Origin) -> Library:
    if any(one.version or one.extras for one in requirements):
        raise InputError(
            f"{asked.text}: give every distribution a version, and an environment is made; or names alone, for what "
            "is installed."
        )
    try:
        return describe_environment(facts, [one.name for one in requirements], origin=origin)
    except UnknownNameError as error:
        raise _not_installed(error, asked) from error


def _not_installed(error: UnknownNameError, asked: Spec) -> UnknownNameError:
    said = str(error).partition("; ")[2].partition("\n")[0]
    hint = f"Have an environment made for one version of it ({error.name}==VERSION), or name one (NAME @ PATH)."
    return UnknownNameError("library", asked.text, (), advice=said, hint=hint)


def _wheel(asked: Spec, *, base: Facts) -> Library:
    wheel = read_wheel(asked.path, spec=asked.text)
    wanted = _named(asked, wheel.name)
    refuse_addresses(wheel.requires, spec=asked.text)
    made = environment(
        f"{normal_name(wheel.name)}-{wheel.version}",
        ["wheel", list(wanted.extras), wheel.sha256],
        base=base,
        fill=lambda folder: install([f"{wanted.bare} @ {wheel.path.as_uri()}"], into=folder, spec=asked.text),
    )
    return describe_environment(
        made,
        [wheel.name],
        origin="wheel file",
        extras={wheel.name: wanted.extras},
        note=f"(wheel {wheel.sha256[:_SHORT]})",
    )


def _repository(asked: Spec, *, base: Facts) -> Library:
    address = parse_address(asked.place)
    with tempfile.TemporaryDirectory(prefix="goldproof-") as folder:
        commit = fetch_files(address, folder=Path(folder), spec=asked.text)
        return _tree(asked, Path(folder, "tree"), base=base, origin="repository", commit=commit)


def _tree(asked: Spec, tree: Path, *, base: Facts, origin: Origin, commit: str = "") -> Library:
    snapshot = take_snapshot(tree, spec=asked.text, commit=commit)
    name = snapshot.project.name
    wanted = _named(asked, name)
    needs = snapshot.project.requirements(wanted.extras)
    refuse_addresses(needs, spec=asked.text)

    def fill(folder: Path) -> None:
        install(needs, into=folder, spec=asked.text)
        snapshot.install(facts_of(python_in(folder)).sites[0])

    made = environment(
        f"{normal_name(name)}-{snapshot.version}",
        ["tree", snapshot.sha256, snapshot.version, list(wanted.extras)],
        base=base,
        fill=fill,
    )
    note = f"(commit {commit[:_SHORT]})" if commit else f"(tree {snapshot.sha256[:_SHORT]})"
    library = describe_environment(made, [name], origin=origin, extras={name: wanted.extras}, note=note)
    remarks = [f"{file}: written by Goldproof with the version, as a build would." for file in snapshot.written]
    return with_remarks(library, remarks)


def _named(asked: Spec, name: str) -> Requirement:
    """Return what was asked of a wheel or a tree: its own name, with extras or without."""
    if not asked.wanted:
        return Requirement(name)
    wanted = parse_requirements(asked.wanted)
    if len(wanted) != 1 or wanted[0].version or normal_name(wanted[0].name) != normal_name(name):
        raise InputError(f"{asked.text}: that is {name}, not {asked.wanted}; write {name} @ {asked.place}.")
    return Requirement(name, wanted[0].extras)


def _extras(requirements: tuple[Requirement, ...]) -> dict[str, tuple[str, ...]]:
    return {normal_name(one.name): one.extras for one in requirements}
