"""What is written to call something: parameters, and the signature in one line, without `self` and `cls`.

A class is called by its `__init__`: its own, or the nearest one of an ancestor within the package; a class whose
`__init__` is made for it (pydantic, dataclasses and the like) by its fields, under their own names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.corpus.packages.record_fields import Field, decorated_kind, record_kind, static_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import griffe

    from goldproof.corpus.packages.naming import Names

_WITHOUT_INIT = {"object", "abc.ABC", "typing.Generic", "typing.Protocol", "Generic", "Protocol"}
_STARS = {"variadic positional": "*", "variadic keyword": "**"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. kind: as `inspect` words it. default: as written, None where there is none."""

    name: str
    annotation: str = ""
    default: str | None = None
    kind: str = "positional or keyword"

    @property
    def required(self) -> bool:
        """Say whether a call must give it."""
        return self.default is None and self.kind not in _STARS

    def __str__(self) -> str:
        typed = f": {self.annotation}" if self.annotation else ""
        equals = " = " if typed else "="
        return f"{_STARS.get(self.kind, '')}{self.name}{typed}" + (
            "" if self.default is None else f"{equals}{self.default}"
        )


def parameters(names: Names, path: str) -> tuple[Parameter, ...] | None:
    """Return the parameters of a function or class; None where the sources do not tell, or nothing is called."""
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
    made = record_kind(names, path)
    for cls in (path, *names.ancestors(path)):
        init = names.definitions.get(f"{cls}.__init__")
        if init is not None and init.item.is_function:
            # pydantic's own takes **data: its fields say more.
            return None if made and cls.endswith("pydantic.main.BaseModel") else init.path
        if made in ("dataclass", "attrs") and decorated_kind(names.item(cls)) is not None:
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
    found = tuple(
        Parameter(
            name=p.name,
            annotation="" if p.annotation is None else str(p.annotation),
            default=None if p.default is None or p.kind is None or p.kind.value in _STARS else str(p.default),
            kind="positional or keyword" if p.kind is None else p.kind.value,
        )
        for p in getattr(function, "parameters", ())
    )
    bound = function.parent is not None and function.parent.is_class and "staticmethod" not in function.labels
    return found[1:] if bound and found and found[0].kind not in _STARS else found


def signature(names: Names, path: str, *, name: str = "") -> str:
    """Return the signature in one line, empty where there is none."""
    item = names.item(path)
    found = parameters(names, path)
    if found is None:
        return ""
    returns = getattr(item, "returns", None) if item.is_function else None
    arrow = "" if returns is None else f" -> {returns}"
    return f"{name or item.name}({written_parameters(found)}){arrow}"


def written_parameters(found: Sequence[Parameter]) -> str:
    """Return parameters as they stand between the brackets of a `def`, with `/` and `*` where they belong."""
    parts: list[str] = []
    kinds = [parameter.kind for parameter in found]
    for at, parameter in enumerate(found):
        if parameter.kind == "keyword-only" and "keyword-only" not in kinds[:at] and "variadic positional" not in kinds:
            parts.append("*")
        parts.append(str(parameter))
        if parameter.kind == "positional-only" and "positional-only" not in kinds[at + 1 :]:
            parts.append("/")
    return ", ".join(parts)
