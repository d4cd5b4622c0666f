"""Everything that the sources say of one name: the result of `inspect`.

A path may lead through re-exports and inheritance: `google.adk.Agent.run_async` is found where it is defined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.corpus.packages.names import DefinitionKind, definition_kind, lines_of
from goldproof.corpus.packages.signatures import (
    Field,
    Parameter,
    RecordKind,
    explicit_init,
    field_parameters,
    function_parameters,
    parameters,
    record_kind,
    signature,
    static_fields,
    written_parameters,
)

if TYPE_CHECKING:
    import griffe

    from goldproof.corpus.packages.distribution import FieldsFrom
    from goldproof.corpus.packages.model_fields import RuntimeFields
    from goldproof.corpus.packages.names import Definition, Names


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a class or module. defined_in: the class or module that defines it."""

    name: str
    path: str
    kind: DefinitionKind
    defined_in: str
    inherited: bool
    public: bool
    summary: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition.

    asked: the path by which it was found. bases: paths, or as written where they lie outside of the package;
    outside_bases: those, near and far, whose members are not known here. record: what makes the `__init__` of the
    class, if anything does; fields_note: why fields that were asked of an interpreter come from the source.
    """

    path: str
    asked: str
    name: str
    kind: DefinitionKind
    module: str
    public: bool
    docstring: str
    signature: str
    parameters: tuple[Parameter, ...]
    overloads: tuple[str, ...]
    annotation: str
    value: str
    is_async: bool
    decorators: tuple[str, ...]
    deprecated: str | None
    members: tuple[Member, ...]
    bases: tuple[str, ...]
    ancestors: tuple[str, ...]
    outside_bases: tuple[str, ...]
    subclasses: tuple[str, ...]
    exported_as: tuple[str, ...]
    file: str
    source: str
    lines: tuple[int, int] | None
    source_text: str
    record: RecordKind | None
    fields: tuple[Field, ...]
    fields_from: FieldsFrom | None
    fields_note: str
    called_by_fields: bool

    def with_runtime_fields(self, asked: RuntimeFields) -> Symbol:
        """Return the symbol with the fields that an interpreter gave, or with the reason why it gave none."""
        if self.path not in asked.fields:
            return replace(self, fields_note=asked.failures.get(self.path, "the interpreter did not know the class"))
        fields = asked.fields[self.path]
        if not self.called_by_fields:
            return replace(self, fields=fields, fields_from="runtime")
        called = field_parameters(fields)
        written = f"{self.name}({written_parameters(called)})"
        return replace(self, fields=fields, fields_from="runtime", parameters=called, signature=written)


def inspect_symbol(names: Names, path: str, *, asked: str = "") -> Symbol:
    """Return everything known of a definition. path: where it is defined; asked: the path by which it was found."""
    definition = names.definitions[path]
    item, source, lines = definition.item, definition.source, lines_of(definition)
    record = record_kind(names, path) if item.is_class else None
    return Symbol(
        path=path,
        asked=asked or path,
        name=item.name,
        kind=definition_kind(definition),
        module=definition.module,
        public=names.is_public(path),
        docstring=item.docstring.value if item.docstring else "",
        signature=signature(names, path),
        parameters=parameters(names, path) or (),
        overloads=tuple(_written(item.name, overload) for overload in _overloads(item)),
        annotation=_text(getattr(item, "annotation", None)),
        value=_text(getattr(item, "value", None)),
        is_async="async" in item.labels,
        decorators=tuple(f"@{decorator.value}" for decorator in getattr(item, "decorators", ())),
        deprecated=deprecation(item),
        members=tuple(_members(names, definition)),
        bases=names.bases(path),
        ancestors=names.ancestors(path),
        outside_bases=names.outside_bases(path) if item.is_class else (),
        subclasses=names.subclasses.get(path, ()),
        exported_as=names.exported_as(path),
        file="" if source is None else str(source.path),
        source="" if source is None else source.relative,
        lines=lines,
        source_text="" if source is None or lines is None else source.lines(*lines),
        record=record,
        fields=static_fields(names, path) if record else (),
        fields_from="static" if record else None,
        fields_note="",
        called_by_fields=record is not None and explicit_init(names, path) is None,
    )


def deprecation(item: griffe.Object) -> str | None:
    """Return the text of a `deprecated` decorator or docstring line, None where there is none."""
    for decorator in getattr(item, "decorators", ()):
        if decorator.callable_path.rpartition(".")[2].lower() == "deprecated":
            return str(decorator.value)
    for line in item.docstring.value.splitlines() if item.docstring else ():
        if line.strip().lower().startswith(("deprecated", ".. deprecated", "[deprecated")):
            return line.strip()
    return None


def _members(names: Names, definition: Definition) -> list[Member]:
    """Return own members in the order of the source, then inherited ones, nearest ancestor first; each name once."""
    members: dict[str, Member] = {}
    for owner in (definition.path, *names.ancestors(definition.path)):
        for name in names.item(owner).members:
            member = names.definitions.get(f"{owner}.{name}")
            if member is not None and name not in members:
                members[name] = _member(names, member, owner=owner, inherited=owner != definition.path)
    return list(members.values())


def _member(names: Names, member: Definition, *, owner: str, inherited: bool) -> Member:
    about = member.item.docstring.value.strip() if member.item.docstring else ""
    return Member(
        name=member.item.name,
        path=member.path,
        kind=definition_kind(member),
        defined_in=owner,
        inherited=inherited,
        public=names.is_public(member.path),
        summary=about.partition("\n")[0],
    )


def _overloads(item: griffe.Object) -> list[griffe.Function]:
    overloads = getattr(item, "overloads", None)
    return overloads if isinstance(overloads, list) else []


def _written(name: str, function: griffe.Function) -> str:
    arrow = "" if function.returns is None else f" -> {function.returns}"
    return f"{name}({written_parameters(function_parameters(function))}){arrow}"


def _text(value: object) -> str:
    return "" if value is None else str(value)
