"""Documents from the definitions of a package.

The text has a head (the kind, the full name with signature or bases, its re-exports) and then the source, since the
words of a question stand in names, docstrings and comments alike, and a judge must be able to answer from this text:

- function, method, property, attribute: the source lines as they stand in the file, docstring included, so that the
  text ends with `source_text[source_start:source_end]` exactly;
- class: its lines with every method, property and nested class cut down to one line, `def name(parameters): ...` and
  the first line of its docstring. They are documents of their own: repeating their bodies would make the class match
  (and repeat) whatever any method says, while the fields with their comments, which have no document, would drown.
  Inherited fields are in the signature, inherited methods named by class;
- module: its docstring, its re-exports, its definitions (constants with their values).

`source_start` and `source_end` are characters of the file `source` (relative to the folder that imports start from):
for a class those of the whole class, for a module those of its docstring. They are not called `start` and `end`, which
say that a text is a piece of its source and nothing else. The parts of the text that are source are in `source_pieces`,
as [start, end, place in the text], so that gold kept as spans of files is found (`goldproof.corpus.gold_spans`).

A module attribute is a document if it is public and has a type, a docstring or a place in `__all__`; others are listed
by their module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.corpus.packages.names import definition_kind, lines_of
from goldproof.corpus.packages.signatures import field_parameters, function_parameters, signature, written_parameters
from goldproof.corpus.packages.source_reader import SourcePart
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import griffe

    from goldproof.corpus.packages.names import Definition, Names
    from goldproof.corpus.packages.signatures import Field
    from goldproof.corpus.packages.source_reader import ModuleSource


_DULL = ("TypeVar(", "ParamSpec(", "logging.getLogger(", "getLogger(")
_LONGEST_VALUE = 80


def build_documents(
    names: Names, *, version: str, private: bool = False, fields: Mapping[str, Sequence[Field]] | None = None
) -> tuple[Document, ...]:
    """Return the documents in the order of their files and lines.

    private: with private names, tests and vendored modules. fields: exact fields of models, by the path of the class.
    """
    wanted = [d for d in names.definitions.values() if is_document(names, d) and (private or names.is_public(d.path))]
    wanted.sort(key=lambda d: (d.module, (lines_of(d) or (0, 0))[0] if not d.item.is_module else 0, d.path))
    return tuple(_document(names, d, version=version, fields=(fields or {}).get(d.path)) for d in wanted)


def is_document(names: Names, definition: Definition) -> bool:
    """Return whether a definition has a document of its own, public or not."""
    item = definition.item
    if item.is_module:
        return definition.source is not None
    if not item.is_attribute:
        return True
    if "property" in item.labels:
        return True
    if definition.inside != definition.module or item.is_special or names.item(definition.inside).is_class:
        return False
    exported = bool(getattr(names.item(definition.module), "exports", None)) and definition.listed
    noted = item.docstring is not None or getattr(item, "annotation", None) is not None or exported
    return noted and not str(getattr(item, "value", "")).startswith(_DULL)


def _document(names: Names, definition: Definition, *, version: str, fields: Sequence[Field] | None = None) -> Document:
    head = "\n".join(_head(names, definition, fields=fields))
    parts = tuple(_body(names, definition))
    body = "\n".join(part.text for part in parts)
    metadata = _metadata(names, definition, version=version)
    if "source_start" in metadata:
        metadata["source_pieces"] = _pieces(parts, at=len(head) + 2)
    text = f"{head}\n\n{body}" if body else head
    return Document(id=definition.path, title=definition.item.name, text=text, metadata=metadata)


def _pieces(parts: Sequence[SourcePart], *, at: int) -> list[list[int]]:
    """Return [start, end, place in the text] of the parts that are source. at: where the parts begin."""
    pieces: list[list[int]] = []
    for part in parts:
        if part.start is not None and part.text.strip():
            pieces.append([part.start, part.start + len(part.text), at])
        at += len(part.text) + 1
    return pieces


def _head(names: Names, definition: Definition, *, fields: Sequence[Field] | None) -> Iterator[str]:
    path, item = definition.path, definition.item
    kind = definition_kind(definition)
    if item.is_function:
        for overload in getattr(item, "overloads", None) or ():
            yield f"overload {overload.signature(name=path)}"
        yield f"{'async ' if 'async' in item.labels else ''}{kind} {signature(names, path, name=path)}"
    elif item.is_class:
        yield f"class {path}({', '.join(names.bases(path))})".replace("()", "")
    else:
        annotation = getattr(item, "annotation", None)
        yield f"{kind} {path}" + ("" if annotation is None else f": {annotation}")
    exports = names.exported_as(path)
    if exports:
        most = 5 if definition.inside == definition.module else 1  # a method has as many as its class
        yield f"Also {', '.join(exports[:most])}"
    if item.is_class:
        yield from _calling(names, path, fields=fields)


def _calling(names: Names, path: str, *, fields: Sequence[Field] | None) -> Iterator[str]:
    if fields is None:
        written = signature(names, path)
        if written:
            yield written
        return
    yield f"{names.item(path).name}({written_parameters(field_parameters(fields))})"
    yield from (f"{field.name}: {field.description}" for field in fields if field.description)


def _body(names: Names, definition: Definition) -> Iterator[SourcePart]:
    if definition.item.is_module:
        yield from module_body(names, definition)
    elif definition.item.is_class:
        yield from class_body(names, definition)
    elif definition.source is not None and (lines := lines_of(definition)) is not None:
        yield definition.source.part(*lines)


def _metadata(names: Names, definition: Definition, *, version: str) -> dict[str, object]:
    path = definition.path
    metadata: dict[str, object] = {
        "kind": definition_kind(definition),
        "module": definition.module,
        "version": version,
        "public": names.is_public(path),
    }
    lines = lines_of(definition)
    if definition.source is not None and lines is not None:
        start, end = definition.source.span(*lines)
        metadata |= {
            "source": definition.source.relative,
            "source_start": start,
            "source_end": end,
            "lines": list(lines),
        }
    elif definition.source is not None:
        metadata["source"] = definition.source.relative
    if exports := names.exported_as(path):
        metadata["exported_as"] = list(exports)
    if definition.item.is_class and (bases := names.bases(path)):
        metadata["bases"] = list(bases)
    return metadata


def class_body(names: Names, definition: Definition) -> Iterator[SourcePart]:
    """Yield the lines of a class, its methods cut, and then the names it inherits."""
    source, lines = definition.source, lines_of(definition)
    if source is not None and lines is not None:
        yield from _cut_lines(names, definition, source=source, lines=lines)
    for ancestor in names.ancestors(definition.path):
        inherited = _offered(names.item(ancestor), besides=definition.item)
        if inherited:
            yield SourcePart(f"# inherited from {ancestor}: {', '.join(inherited)}")


def _cut_lines(
    names: Names, definition: Definition, *, source: ModuleSource, lines: tuple[int, int]
) -> Iterator[SourcePart]:
    at, last = lines
    for (first, end), line in sorted(_cuts(names, definition)):
        if first < at:
            continue  # inside of what was cut already
        if first > at:
            yield source.part(at, first - 1)
        beginning = source.lines(first, first)
        yield SourcePart(beginning[: len(beginning) - len(beginning.lstrip())] + line)
        at = end + 1
    if at <= last:
        yield source.part(at, last)


def _cuts(names: Names, definition: Definition) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the lines of each member that is cut, and the line that replaces it."""
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


def module_body(names: Names, definition: Definition) -> Iterator[SourcePart]:
    """Yield the docstring as it stands in the file, then the names."""
    source, lines = definition.source, lines_of(definition)
    if source is not None and lines is not None:
        yield source.part(*lines)
    exports = list(_exports(names, definition))
    if exports:
        yield SourcePart(f"Exports {', '.join(exports)}.")
    defined = list(_defined(names, definition))
    if defined:
        yield SourcePart("\n".join(("Defines:", *defined)))


def _exports(names: Names, definition: Definition) -> Iterator[str]:
    for name in definition.item.members:
        other = names.others.get(f"{definition.path}.{name}")
        if other is not None and other.listed:
            target = names.resolve(other.path) or other.target
            yield name if target.rpartition(".")[2] == name else f"{name} (that is {target})"


def _defined(names: Names, definition: Definition) -> Iterator[str]:
    for name in definition.item.members:
        member = names.definitions.get(f"{definition.path}.{name}")
        if member is None or name.startswith("_"):
            continue
        about = member.item.docstring.value.strip().partition("\n")[0] if member.item.docstring else ""
        value = str(getattr(member.item, "value", None) or "") if member.item.is_attribute else ""
        shown = f" = {' '.join(value.split())[:_LONGEST_VALUE]}" if value else ""
        yield f"  {definition_kind(member)} {name}{shown}" + (f": {about}" if about else "")
