"""The text of a module: its docstring, what it exports from elsewhere, and what it defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.corpus.packages.placing import kind_of, lines_of
from goldproof.corpus.packages.sources import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.packages.naming import Definition, Names

_LONGEST_VALUE = 80


def module_body(names: Names, definition: Definition) -> Iterator[Part]:
    """Yield the docstring as it stands in the file, then the names."""
    source, lines = definition.source, lines_of(definition)
    if source is not None and lines is not None:
        yield source.part(*lines)
    exports = list(_exports(names, definition))
    if exports:
        yield Part(f"Exports {', '.join(exports)}.")
    defined = list(_defined(names, definition))
    if defined:
        yield Part("\n".join(("Defines:", *defined)))


def _exports(names: Names, definition: Definition) -> Iterator[str]:
    for name in definition.item.members:
        other = names.others.get(f"{definition.path}.{name}")
        if other is not None and other.listed:
            target = names.resolve(other.path) or other.target
            yield name if target.rpartition(".")[2] == name else f"{name} (that is {target})"


def _defined(names: Names, definition: Definition) -> Iterator[str]:
    for name in definition.item.members:
        found = names.definitions.get(f"{definition.path}.{name}")
        if found is None or name.startswith("_"):
            continue
        about = found.item.docstring.value.strip().partition("\n")[0] if found.item.docstring else ""
        value = str(getattr(found.item, "value", None) or "") if found.item.is_attribute else ""
        shown = f" = {' '.join(value.split())[:_LONGEST_VALUE]}" if value else ""
        yield f"  {kind_of(found)} {name}{shown}" + (f": {about}" if about else "")
