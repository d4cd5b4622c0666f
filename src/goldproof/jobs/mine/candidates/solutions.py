"""Documents that the imports of a fixed solution name: a fast guess at what one had to know.

A module counts only where nothing of it is used, or it could not be told what. Imports from elsewhere are none of this
corpus' business; a name of its own package that leads nowhere is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.jobs.mine.candidates.imports import ImportedName, imported_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.cases import Case
    from goldproof.jobs.mine.candidates.corpus_names import CorpusNames


class ImportedDocuments(NamedTuple):
    """Ids in the order of the imports, and a sentence for each name that leads nowhere."""

    documents: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()


def imported_documents(case: Case, names: CorpusNames) -> ImportedDocuments:
    """Return what the fixed solution of a case imports; nothing for a case that has none."""
    if case.fixed is None:
        return ImportedDocuments()
    if not case.fixed.path.endswith((".py", ".pyi")):
        return ImportedDocuments()
    about = f"{case.where}: case {case.id!r}: {case.fixed.path!r}"
    try:
        imports = imported_names(case.fixed.text)
    except InputError as error:
        return ImportedDocuments(unresolved=(f"{about} is not looked at for imports, since {error}.",))
    documents: dict[str, None] = {}
    lost: dict[str, None] = {}
    for one in imports:
        documents |= dict.fromkeys(_documents(one, names))
        lost |= dict.fromkeys(_lost(one, names))
    return ImportedDocuments(
        tuple(documents),
        tuple(f"{about} imports {name!r}, {names.unknown(name)}" for name in lost),
    )


def _documents(one: ImportedName, names: CorpusNames) -> Iterator[str]:
    own = names.find(one.name, as_code=True)
    used = list(dict.fromkeys(document for use in one.uses for document in _longest(use, one.name, names=names)))
    if own is not None and not (names.is_module(own.document) and used):
        yield own.document
    yield from used


def _longest(use: str, base: str, *, names: CorpusNames) -> Iterator[str]:
    """Yield the document of the longest beginning of a use that has one: what follows is of an object, not a name."""
    while len(use) > len(base):
        found = names.find(use, as_code=True)
        if found is not None:
            if not names.is_module(found.document) or found.how == "":
                yield found.document
            return
        use = use.rpartition(".")[0]


def _lost(one: ImportedName, names: CorpusNames) -> Iterator[str]:
    """Yield the names that lead nowhere: the import itself, and what is read of a module."""
    if not any(names.owns(name) for name in (one.name, *one.uses)) or not names.roots:
        return
    own = names.find(one.name, as_code=True)
    if own is None:
        if names.owns(one.name):
            yield one.name
            return
    elif not names.is_module(own.document) or own.how:
        return
    if one.star or not one.sure:
        return
    for use in one.uses:
        step = _first_unknown(use, one.name, names=names)
        if step:
            yield step


def _first_unknown(use: str, base: str, *, names: CorpusNames) -> str:
    """Return the first beginning of a use that is unknown where only modules stand before it, else nothing."""
    path = base
    for part in use[len(base) + 1 :].split("."):
        path = f"{path}.{part}"
        found = names.find(path, as_code=True)
        if found is None:
            return path if names.owns(path) else ""
        if not names.is_module(found.document) or found.how:
            return ""
    return ""
