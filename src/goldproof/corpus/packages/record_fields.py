"""Fields of classes that make their own `__init__`: pydantic models, dataclasses, attrs, named tuples, typed dicts.

Read from the sources: annotated attributes along the ancestors within the package, oldest first, a later annotation
replacing an earlier one in its place. `ClassVar`, private names and what `__init__` assigns are no fields. What a base
outside of the package adds is not known here; `model_fields` asks a separate interpreter for the exact answer.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import griffe

    from goldproof.corpus.packages.naming import Names

RecordKind = Literal["pydantic", "dataclass", "attrs", "namedtuple", "typeddict"]
_BASES: dict[str, RecordKind] = {
    "BaseModel": "pydantic",
    "RootModel": "pydantic",
    "BaseSettings": "pydantic",
    "NamedTuple": "namedtuple",
    "TypedDict": "typeddict",
}
_POSITIONAL = ("dataclass", "namedtuple", "attrs")


@dataclass(frozen=True, slots=True)
class Field:
    """One field. default: as written, or None where there is none. defined_in: the class whose annotation counts."""

    name: str
    annotation: str = ""
    default: str | None = None
    required: bool = True
    alias: str | None = None
    description: str = ""
    defined_in: str = ""
    keyword_only: bool = True
    in_init: bool = True


def record_kind(names: Names, path: str) -> RecordKind | None:
    """Say what makes the `__init__` of a class, None where nothing does."""
    lineage = (path, *names.ancestors(path))
    for outer in (*names.outside_bases(path), *lineage[1:]):
        kind = _BASES.get(outer.rpartition(".")[2])
        if kind is not None:
            return kind
    found = (decorated_kind(names.item(cls)) for cls in lineage)
    return next((kind for kind in found if kind is not None), None)


def static_fields(names: Names, path: str) -> tuple[Field, ...]:
    """Return the fields of a class as its sources give them; none where it is no record."""
    kind = record_kind(names, path)
    if kind is None:
        return ()
    found: dict[str, Field] = {}
    for cls in reversed((path, *names.ancestors(path))):
        if kind not in ("dataclass", "attrs") or decorated_kind(names.item(cls)) is not None:
            for field in _own_fields(names, cls, kind=kind):
                found[field.name] = field
    return tuple(found.values())


def _own_fields(names: Names, cls: str, *, kind: RecordKind) -> list[Field]:
    item = names.item(cls)
    keyword_only = kind not in _POSITIONAL or _says_keyword_only(item)
    init = item.members.get("__init__")
    found = []
    for name, member in item.members.items():
        if member.is_alias or not member.is_attribute:
            continue
        annotation = getattr(member, "annotation", None)
        if str(annotation).endswith("KW_ONLY"):
            keyword_only = True
        elif annotation is not None and _is_field(member, init=init, kind=kind):
            found.append(_field(name, member, cls=cls, kind=kind, keyword_only=keyword_only))
    return [field for field in found if field.default != "<private>"]


def _is_field(member: griffe.Object | griffe.Alias, *, init: object, kind: RecordKind) -> bool:
    """Say whether an annotated attribute is one: not a class variable, a property, private, or set in `__init__`."""
    if "property" in member.labels or "instance-attribute" not in member.labels:
        return False
    if kind == "pydantic" and (member.name.startswith("_") or member.name == "model_config"):
        return False
    first, last = getattr(init, "lineno", None), getattr(init, "endlineno", None)
    return not (first and last and member.lineno and first <= member.lineno <= last)


def _field(name: str, member: griffe.Object | griffe.Alias, *, cls: str, kind: RecordKind, keyword_only: bool) -> Field:
    annotation, value = getattr(member, "annotation", None), getattr(member, "value", None)
    called = _call(value)
    said = {**_annotated_arguments(annotation), **(called or {})}
    default = str(value) if value is not None and called is None else _default(said)
    described = member.docstring.value if member.docstring else ""
    return Field(
        name=name,
        annotation=str(annotation),
        default=None if default == "..." else default,
        required=default in (None, "..."),
        alias=_text(said.get("validation_alias")) or _text(said.get("alias")) or None,
        description=" ".join((_text(said.get("description")) or described).split()),
        defined_in=cls,
        keyword_only=said.get("kw_only", str(keyword_only)) == "True",
        in_init=kind == "pydantic" or said.get("init") != "False",  # pydantic heeds it in its dataclasses alone
    )


def _call(value: object) -> dict[str, str] | None:
    """Return the arguments of `Field(...)`, `field(...)` or `PrivateAttr(...)` as written, None for any other value."""
    if type(value).__name__ != "ExprCall":
        return None
    function = str(getattr(value, "function", "")).rpartition(".")[2]
    if function == "PrivateAttr":
        return {"default": "<private>"}
    if function not in ("Field", "field", "ib", "attrib"):
        return None
    said: dict[str, str] = {}
    for argument in getattr(value, "arguments", ()):
        if type(argument).__name__ == "ExprKeyword":
            said[argument.name] = str(argument.value)
        else:
            said.setdefault("default", str(argument))
    return said


def _annotated_arguments(annotation: object) -> dict[str, str]:
    """Return what a `Field(...)` inside `Annotated[...]` says."""
    if type(annotation).__name__ != "ExprSubscript" or not str(getattr(annotation, "left", "")).endswith("Annotated"):
        return {}
    elements = getattr(getattr(annotation, "slice", None), "elements", ())
    return next((said for element in elements if (said := _call(element)) is not None), {})


def _default(said: dict[str, str]) -> str | None:
    if "default" in said:
        return said["default"]
    factory = said.get("default_factory") or said.get("factory")
    return None if factory is None else f"{factory}()" if factory.replace(".", "").isidentifier() else f"({factory})()"


def _text(written: str | None) -> str:
    """Return the value of a string as written, empty where it is no plain string."""
    try:
        value = ast.literal_eval(written or "''")
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return ""
    return value if isinstance(value, str) else ""


def decorated_kind(item: griffe.Object) -> RecordKind | None:
    """Say which decorator of a class makes its `__init__`, None where none does."""
    for decorator in getattr(item, "decorators", ()):
        path = decorator.callable_path
        last = path.rpartition(".")[2]
        if last in ("dataclass", "dataclass_transform"):
            return "dataclass"
        if path.startswith(("attr.", "attrs.")) or last in ("attrs", "define"):
            return "attrs"
    return None


def _says_keyword_only(item: griffe.Object) -> bool:
    return any("kw_only=True" in str(decorator.value) for decorator in getattr(item, "decorators", ()))
