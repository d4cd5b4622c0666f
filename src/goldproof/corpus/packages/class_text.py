"""The lines of a class with each method, property and nested class cut down to one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.corpus.packages.placing import lines_of
from goldproof.corpus.packages.signatures import function_parameters, written_parameters
from goldproof.corpus.packages.sources import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    import griffe

    from goldproof.corpus.packages.naming import Definition, Names
    from goldproof.corpus.packages.sources import SourceFile


def class_body(names: Names, definition: Definition) -> Iterator[Part]:
    """Yield the lines of a class, its methods cut, and then what it inherits."""
    source, lines = definition.source, lines_of(definition)
    if source is not None and lines is not None:
        yield from _cut_lines(names, definition, source=source, lines=lines)
    for ancestor in names.ancestors(definition.path):
        inherited = _offered(names.item(ancestor), besides=definition.item)
        if inherited:
            yield Part(f"# inherited from {ancestor}: {', '.join(inherited)}")


def _cut_lines(names: Names, definition: Definition, *, source: SourceFile, lines: tuple[int, int]) -> Iterator[Part]:
    at, last = lines
    for (first, end), line in sorted(_cuts(names, definition)):
        if first < at:
            continue  # inside of what was cut already
        if first > at:
            yield source.part(at, first - 1)
        beginning = source.lines(first, first)
        yield Part(beginning[: len(beginning) - len(beginning.lstrip())] + line)
        at = end + 1
    if at <= last:
        yield source.part(at, last)


def _cuts(names: Names, definition: Definition) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the lines of each member that is cut, and the line that stands for it."""
    for name in definition.item.members:
        member = names.definitions.get(f"{definition.path}.{name}")
        if member is None or member.source is not definition.source or (place := lines_of(member)) is None:
            continue
        item = member.item
        if item.is_function or item.is_class or "property" in item.labels:
            yield place, _one_line(item)
        for also in (*(getattr(item, "overloads", None) or ()), getattr(item, "setter", None)):
            if item.is_class or also is None or also.lineno is None:
                continue
            yield (also.lineno, also.endlineno or also.lineno), _one_line(also)


def _one_line(item: griffe.Object) -> str:
    about = item.docstring.value.strip().partition("\n")[0] if item.docstring else ""
    note = f"  # {about}" if about else ""
    if item.is_class:
        return f"class {item.name}: ...{note}"
    if item.is_attribute:
        annotation = getattr(item, "annotation", None)
        return f"@property {item.name}" + ("" if annotation is None else f" -> {annotation}") + f": ...{note}"
    returns = getattr(item, "returns", None)
    arrow = "" if returns is None else f" -> {returns}"
    word = "async def" if "async" in item.labels else "def"
    return f"{word} {item.name}({written_parameters(function_parameters(item))}){arrow}: ...{note}"


def _offered(ancestor: griffe.Object, *, besides: griffe.Object) -> list[str]:
    """Return the public names of an ancestor that a class does not define itself."""
    return [name for name in ancestor.members if not name.startswith("_") and name not in besides.members]
