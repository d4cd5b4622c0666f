"""Package specs, and the installed or pinned distribution that they name.

Names are compared as pip compares them: `google-adk`, `google_adk` and `Google.ADK` are one. An import name works too
(`yaml` is PyYAML) where one distribution owns it; where several do (`google`), they are named. Nothing is imported.

A pinned version that is not installed is fetched by pip, wheels only (building from source would run the package's
code) and without its dependencies, into `GOLDPROOF_HOME/packages/<name>-<version>`: under a temporary name, then
renamed, so that a folder that is there is whole. None of its code is run.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import sys
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, get_args

from goldproof.corpus.packages.module_files import Listing, import_names, list_modules
from goldproof.corpus.packages.releases import exact_version, normal_name, parse_requirement, same_version
from goldproof.corpus.pip import is_unreachable, known_versions, last_error, run_pip, some_versions
from goldproof.errors import InputError, UnknownNameError
from goldproof.io.atomic_files import temporary_name
from goldproof.io.storage.home import make_home
from goldproof.plugins import check_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from goldproof.corpus.packages.module_files import ModuleFile


FieldsFrom = Literal["static", "runtime"]
_OPTIONS = ("private", "fields", "python")
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class PackageSpec:
    """A package, its version, and which of its names and fields to read."""

    name: str
    version: str | None = None
    private: bool = False
    fields: FieldsFrom = "static"
    python: str | None = None

    def __str__(self) -> str:
        pin = f"=={self.version}" if self.version else ""
        options = [
            *(["private=true"] if self.private else []),
            *([f"fields={self.fields}"] if self.fields != "static" else []),
            *([f"python={self.python}"] if self.python else []),
        ]
        return f"package:{self.name}{pin}" + (f"#{','.join(options)}" if options else "")


def parse_spec(rest: str, options: Mapping[str, str]) -> PackageSpec:
    """Read `NAME` or `NAME==VERSION` and the options."""
    name, pinned, version = (part.strip() for part in rest.partition("=="))
    if not name or (pinned and not version) or any(sign in name for sign in "<>!~=[]@;/ "):
        raise InputError(f"package:{rest}: expected package:NAME or package:NAME==VERSION.")
    check_options(options, _OPTIONS, of="package:")
    return PackageSpec(
        name=name,
        version=version or None,
        private=_truth(options.get("private", "false")),
        fields=_fields_from(options.get("fields", "static")),
        python=options.get("python") or None,
    )


def _truth(value: str) -> bool:
    if value.lower() not in _TRUTH:
        raise InputError(f"package: private={value}: expected true or false.")
    return _TRUTH[value.lower()]


def _fields_from(value: str) -> FieldsFrom:
    for known in get_args(FieldsFrom):
        if value == known:
            return "runtime" if value == "runtime" else "static"
    raise UnknownNameError("value of the option fields of package:", value, get_args(FieldsFrom))


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution and the files of its modules.

    import_names: the outermost names to import. search_path: the folders that make it importable, for an interpreter.
    pinned: whether it was fetched to be read, rather than installed in an environment.
    """

    name: str
    version: str
    import_names: tuple[str, ...]
    files: tuple[ModuleFile, ...]
    search_path: tuple[Path, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    pinned: bool = False


def find_distribution(name: str, *, path: Sequence[str] | None = None) -> Distribution:
    """Return the distribution of that name in the environment. path: its `sys.path`, by default this interpreter's."""
    places = list(sys.path if path is None else path)
    for installed in importlib.metadata.distributions(name=name, path=places):
        if normal_name(_name_of(installed)) == normal_name(name):
            return describe(installed)
    return _by_import_name(name, places)


def describe(installed: importlib.metadata.Distribution, *, pinned: bool = False) -> Distribution:
    """Return the distribution that `importlib.metadata` found, with its modules."""
    listing = list_modules(installed)
    name = _name_of(installed)
    if not listing.files:
        raise InputError(
            f"package {name} {installed.version}: no Python module of it was found (it may hold only data or commands, "
            "or list its files in a way that is not read); give a folder instead, such as folder:DIR."
        )
    return Distribution(
        name=name,
        version=installed.version,
        import_names=import_names(listing),
        files=listing.files,
        search_path=listing.search_path,
        remarks=_remarks(listing),
        pinned=pinned,
    )


def _remarks(listing: Listing) -> tuple[str, ...]:
    readable = {file.module for file in listing.files if not file.is_compiled}
    compiled = sorted({file.module for file in listing.files if file.is_compiled} - readable)
    sentences = []
    if compiled:
        sentences.append(f"{_some(compiled, 'compiled module')}: no source and no stub, so not read.")
    if listing.not_importable:
        sentences.append(f"{_some(listing.not_importable, 'Python file')}: not importable by that name, so no module.")
    return tuple(sentences)


def _some(names: Sequence[str], noun: str) -> str:
    """Return the count and the first few names."""
    more = ", ..." if len(names) > 3 else ""
    return f"{len(names)} {noun}{'s' if len(names) > 1 else ''} ({', '.join(names[:3])}{more})"


def _by_import_name(name: str, places: list[str]) -> Distribution:
    """Return the one distribution that installs an import name; raise with near names where there is none."""
    owners: dict[str, importlib.metadata.Distribution] = {}
    known: dict[str, None] = {}
    for installed in importlib.metadata.distributions(path=places):
        own = _name_of(installed)
        if own and own not in known and _installs(installed, name):
            owners[own] = installed
        known[own] = None
    if len(owners) == 1:
        return describe(next(iter(owners.values())))
    if owners:
        raise InputError(
            f"package {name!r} is an import name that {len(owners)} installed distributions share "
            f"({', '.join(sorted(owners))}); name one of them."
        )
    raise _unknown(name, known)


def _installs(installed: importlib.metadata.Distribution, name: str) -> bool:
    """Return whether a name is imported from the distribution; one that only adds types to it does not count."""
    record = installed.read_text("RECORD") or ""
    place = re.escape(name.replace(".", "/"))
    if record and ".pth" not in record and not re.search(rf"^{place}[./]", record, re.MULTILINE):
        return False  # most of them, so the list of their files is not made
    listing = list_modules(installed)
    names = import_names(listing)
    return any(own == name or own.startswith(f"{name}.") for own in names) and any(
        not file.is_stub for file in listing.files
    )


def _unknown(name: str, known: Iterable[str]) -> UnknownNameError:
    near = _near(name, known)
    advice = (
        f"did you mean {' or '.join(map(repr, near))}?" if near else "no distribution of that name is installed here."
    )
    # A misspelt name is not to be installed: it may belong to another project.
    install = "If not, install it here" if near else f"Install it here (pip install {name})"
    hint = (
        f"{install}, read another environment (package:{name}#python=/path/to/python), or pin a version to fetch its "
        f"wheel (package:{name}==VERSION)."
    )
    return UnknownNameError("package", name, (), advice=advice, hint=hint)


def _near(name: str, known: Iterable[str]) -> list[str]:
    """Return installed names that are spelt nearly so; the whole list would not help."""
    spelt = {normal_name(own): own for own in sorted(known, reverse=True) if own}
    return [spelt[normal] for normal in get_close_matches(normal_name(name), spelt, n=3, cutoff=0.75)]


def _name_of(installed: importlib.metadata.Distribution) -> str:
    return str(installed.metadata["Name"] or "")


def pinned_distribution(name: str, version: str, *, python: str | None = None) -> Distribution:
    """Return the pinned version, fetched if missing. python: the interpreter whose pip fetches it, for its platform."""
    pin = parse_requirement(f"{name}=={version}")
    if pin is None or (pin.name, exact_version(pin)) != (name, version):
        raise InputError(f"package:{name}=={version}: expected NAME==VERSION, such as package:google-adk==1.20.0.")
    folder = make_home() / "packages" / f"{normal_name(name)}-{version}"
    if not folder.is_dir():
        _fetch(name, version, folder=folder, python=python or sys.executable)
    for installed in importlib.metadata.distributions(path=[str(folder)]):
        if normal_name(installed.metadata["Name"] or "") == normal_name(name):
            return describe(installed, pinned=True)
    raise InputError(f"{folder}: holds no distribution named {name}; delete the folder and try again.")


def _fetch(name: str, version: str, *, folder: Path, python: str) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    unpacked = temporary_name(folder)
    wanted = ["--no-deps", "--only-binary=:all:", "--no-compile", "--target", str(unpacked), f"{name}=={version}"]
    try:
        done = run_pip(python, "install", *wanted)
        if done.code != 0:
            raise InputError(_problem(name, version, output=done.text, python=python))
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was first, with the same wheel
                raise
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)


def _problem(name: str, version: str, *, output: str, python: str) -> str:
    """Return one sentence on why the wheel could not be fetched, and pip's last error."""
    words = f'\n  pip: "{last_error(output)}"'
    start = f"package:{name}=={version}: "
    if "No module named pip" in output:
        return f"{start}fetching a wheel needs pip in {python}; install pip there, or install the package yourself."
    if is_unreachable(output):
        return f"{start}the package index cannot be reached; connect, or install the package yourself.{words}"
    if "No matching distribution" not in output:
        return f"{start}its wheel cannot be unpacked.{words}"
    known = known_versions(name, python=python)
    if any(same_version(version, other) for other in known):
        return (
            f"{start}the index has this version, but no wheel that fits this interpreter and platform; a source "
            f"release is not built, since that would run its code. Pin another version, or install it yourself.{words}"
        )
    if known:
        return f"{start}there is no such version; known: {some_versions(known)}{words}"
    return f"{start}the index has no release of that name that this interpreter could use; check the spelling.{words}"
