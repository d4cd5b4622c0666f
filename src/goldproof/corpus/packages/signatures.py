"""Parameters, signatures and fields, also of dataclasses and pydantic models.

A class is called by its `__init__`: its own, or the nearest one of an ancestor within the package; a class whose
`__init__` is made for it (pydantic, dataclasses and the like) by its fields, under their own names.

Fields are read from the sources: annotated attributes along the ancestors within the package, oldest first, a later
annotation replacing an earlier one in its place. `ClassVar`, private names and attributes assigned in `__init__` are no
fields. The fields of a base outside of the package are not known here; `model_fields` asks a separate interpreter for
the exact answer.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import griffe

    from goldproof.corpus.packages.names import Names


_WITHOUT_INIT = {"object", "abc.ABC", "typing.Generic", "typing.Protocol", "Generic", "Protocol"}
_STARS = {"variadic positional": "*", "variadic keyword": "**"}
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
class Parameter:
    """One parameter. kind: as `inspect` words it. default: as written, None where there is none."""

    name: str
    annotation: str = ""
    default: str | None = None
    kind: str = "positional or keyword"

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is None and self.kind not in _STARS

    def __str__(self) -> str:
        typed = f": {self.annotation}" if self.annotation else ""
        equals = " = " if typed else "="
        return f"{_STARS.get(self.kind, '')}{self.name}{typed}" + (
            "" if self.default is None else f"{equals}{self.default}"
        )


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


def parameters(names: Names, path: str) -> tuple[Parameter, ...] | None:
    """Return the parameters of a function or class; None where the sources do not show them, or nothing is called."""
    item = names.item(path)
    if item.is_function:
        return function_parameters(item)
    if not item.is_class:
        return None
    init = explicit_init(names, path)
    if init is not None:
        return function_parameters(names.item(init))
    if record_kind(names, path) is not None:
        return field_parameters(static_fields(names, path))
    return () if set(names.outside_bases(path)) <= _WITHOUT_INIT else None


def explicit_init(names: Names, path: str) -> str | None:
    """Return the path of the written `__init__` that makes a class, its own or an ancestor's; None where none does."""
    record = record_kind(names, path)
    for cls in (path, *names.ancestors(path)):
        init = names.definitions.get(f"{cls}.__init__")
        if init is not None and init.item.is_function:
            # pydantic's own takes **data: its fields say more.
            return None if record and cls.endswith("pydantic.main.BaseModel") else init.path
        if record in ("dataclass", "attrs") and decorated_kind(names.item(cls)) is not None:
            return None
    return None


def field_parameters(fields: Iterable[Field]) -> tuple[Parameter, ...]:
    """Return the parameters of the `__init__` that is made from fields, positional ones first."""
    used = [field for field in fields if field.in_init]
    ordered = [f for f in used if not f.keyword_only] + [f for f in used if f.keyword_only]
    return tuple(
        Parameter(
            name=field.name,
            annotation=field.annotation,
            default=None if field.required else field.default,
            kind="keyword-only" if field.keyword_only else "positional or keyword",
        )
        for field in ordered
    )


def function_parameters(function: griffe.Object | griffe.Alias) -> tuple[Parameter, ...]:
    """Return the parameters of a function, without `self` or `cls` of a method."""
    parameters = tuple(
        Parameter(
            name=p.name,
            annotation="" if p.annotation is None else str(p.annotation),
            default=None if p.default is None or p.kind is None or p.kind.value in _STARS else str(p.default),
            kind="positional or keyword" if p.kind is None else p.kind.value,
        )
        for p in getattr(function, "parameters", ())
    )
    bound = function.parent is not None and function.parent.is_class and "staticmethod" not in function.labels
    return parameters[1:] if bound and parameters and parameters[0].kind not in _STARS else parameters


def signature(names: Names, path: str, *, name: str = "") -> str:
    """Return the signature in one line, empty where there is none."""
    item = names.item(path)
    called_with = parameters(names, path)
    if called_with is None:
        return ""
    returns = getattr(item, "returns", None) if item.is_function else None
    arrow = "" if returns is None else f" -> {returns}"
    return f"{name or item.name}({written_parameters(called_with)}){arrow}"


def written_parameters(parameters: Sequence[Parameter]) -> str:
    """Return parameters as written between the brackets of a `def`, with `/` and `*` where they belong."""
    parts: list[str] = []
    kinds = [parameter.kind for parameter in parameters]
    for at, parameter in enumerate(parameters):
        if parameter.kind == "keyword-only" and "keyword-only" not in kinds[:at] and "variadic positional" not in kinds:
            parts.append("*")
        parts.append(str(parameter))
        if parameter.kind == "positional-only" and "positional-only" not in kinds[at + 1 :]:
            parts.append("/")
    return ", ".join(parts)


def record_kind(names: Names, path: str) -> RecordKind | None:
    """Return what generates the `__init__` of a class, None where nothing does."""
    lineage = (path, *names.ancestors(path))
    for outer in (*names.outside_bases(path), *lineage[1:]):
        kind = _BASES.get(outer.rpartition(".")[2])
        if kind is not None:
            return kind
    kinds = (decorated_kind(names.item(cls)) for cls in lineage)
    return next((kind for kind in kinds if kind is not None), None)


def decorated_kind(item: griffe.Object) -> RecordKind | None:
    """Return the kind of record that a decorator makes of a class, None where none does."""
    for decorator in getattr(item, "decorators", ()):
        path = decorator.callable_path
        last = path.rpartition(".")[2]
        if last in ("dataclass", "dataclass_transform"):
            return "dataclass"
        if path.startswith(("attr.", "attrs.")) or last in ("attrs", "define"):
            return "attrs"
    return None


def static_fields(names: Names, path: str) -> tuple[Field, ...]:
    """Return the fields of a class as its sources give them; none where it is no record."""
    kind = record_kind(names, path)
    if kind is None:
        return ()
    fields: dict[str, Field] = {}
    for cls in reversed((path, *names.ancestors(path))):
        if kind not in ("dataclass", "attrs") or decorated_kind(names.item(cls)) is not None:
            for field in _own_fields(names, cls, kind=kind):
                fields[field.name] = field
    return tuple(fields.values())


def _own_fields(names: Names, cls: str, *, kind: RecordKind) -> list[Field]:
    item = names.item(cls)
    keyword_only = kind not in _POSITIONAL or _is_keyword_only(item)
    init = item.members.get("__init__")
    fields = []
    for name, member in item.members.items():
        if member.is_alias or not member.is_attribute:
            continue
        annotation = getattr(member, "annotation", None)
        if str(annotation).endswith("KW_ONLY"):
            keyword_only = True
        elif annotation is not None and _is_field(member, init=init, kind=kind):
            fields.append(_field(name, member, cls=cls, kind=kind, keyword_only=keyword_only))
    return [field for field in fields if field.default != "<private>"]


def _is_keyword_only(item: griffe.Object) -> bool:
    return any("kw_only=True" in str(decorator.value) for decorator in getattr(item, "decorators", ()))


def _is_field(member: griffe.Object | griffe.Alias, *, init: object, kind: RecordKind) -> bool:
    """Return whether an annotated attribute is a field.

    Class variables, properties, private names and attributes set in `__init__` are none.
    """
    if "property" in member.labels or "instance-attribute" not in member.labels:
        return False
    if kind == "pydantic" and (member.name.startswith("_") or member.name == "model_config"):
        return False
    first, last = getattr(init, "lineno", None), getattr(init, "endlineno", None)
    return not (first and last and member.lineno and first <= member.lineno <= last)


def _field(name: str, member: griffe.Object | griffe.Alias, *, cls: str, kind: RecordKind, keyword_only: bool) -> Field:
    annotation, value = getattr(member, "annotation", None), getattr(member, "value", None)
    called = _call(value)
    arguments = {**_annotated_arguments(annotation), **(called or {})}
    default = str(value) if value is not None and called is None else _default(arguments)
    described = member.docstring.value if member.docstring else ""
    return Field(
        name=name,
        annotation=str(annotation),
        default=None if default == "..." else default,
        required=default in (None, "..."),
        alias=_text(arguments.get("validation_alias")) or _text(arguments.get("alias")) or None,
        description=" ".join((_text(arguments.get("description")) or described).split()),
        defined_in=cls,
        keyword_only=arguments.get("kw_only", str(keyword_only)) == "True",
        in_init=kind == "pydantic" or arguments.get("init") != "False",  # pydantic heeds it in its dataclasses alone
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
    arguments: dict[str, str] = {}
    for argument in getattr(value, "arguments", ()):
        if type(argument).__name__ == "ExprKeyword":
            arguments[argument.name] = str(argument.value)
        else:
            arguments.setdefault("default", str(argument))
    return arguments


def _annotated_arguments(annotation: object) -> dict[str, str]:
    """Return the arguments of a `Field(...)` inside `Annotated[...]`."""
    if type(annotation).__name__ != "ExprSubscript" or not str(getattr(annotation, "left", "")).endswith("Annotated"):
        return {}
    elements = getattr(getattr(annotation, "slice", None), "elements", ())
    return next((arguments for element in elements if (arguments := _call(element)) is not None), {})


def _default(arguments: dict[str, str]) -> str | None:
    if "default" in arguments:
        return arguments["default"]
    factory = arguments.get("default_factory") or arguments.get("factory")
    return None if factory is None else f"{factory}()" if factory.replace(".", "").isidentifier() else f"({factory})()"


def _text(written: str | None) -> str:
    """Return the value of a string as written, empty where it is no plain string."""
    try:
        value = ast.literal_eval(written or "''")
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return ""
    return value if isinstance(value, str) else ""
