"""A typed table of names: how built-ins and plug-ins enter, the same way.

A target is an object, or the text `module:attribute`, imported when first asked for. Plug-ins are entry points of the
group `goldproof` named `<kind>.<name>`, for example `retriever.mine = mypackage.search:MyRetriever`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from goldproof.core.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")
ENTRY_POINT_GROUP = "goldproof"


class Registry(Generic[T]):
    """Names of one kind (`metric`, `retriever`, ...) and what they stand for."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._targets: dict[str, T | str] = {}
        self._plugins_read = False

    def register(self, name: str, target: T | str) -> None:
        """Add a name; a name can be taken only once."""
        if name in self._targets:
            raise InputError(
                f"{self.kind} {name!r} is registered twice ({self._targets[name]!r} and {target!r}); "
                "give one of them another name."
            )
        self._targets[name] = target

    def get(self, name: str) -> T:
        """Return what the name stands for, importing it if need be."""
        self._read_plugins()
        if name not in self._targets:
            raise UnknownNameError(self.kind, name, self._targets)
        target = self._targets[name]
        if isinstance(target, str):
            target = cast("T", load_object(target))
            self._targets[name] = target
        return target

    def __contains__(self, name: str) -> bool:
        self._read_plugins()
        return name in self._targets

    def __iter__(self) -> Iterator[str]:
        self._read_plugins()
        return iter(sorted(self._targets))

    def _read_plugins(self) -> None:
        if self._plugins_read:
            return
        self._plugins_read = True
        from importlib.metadata import entry_points  # noqa: PLC0415 - start-up stays cheap

        prefix = f"{self.kind}."
        for point in entry_points(group=ENTRY_POINT_GROUP):
            if point.name.startswith(prefix):
                self.register(point.name.removeprefix(prefix), point.value)


def load_object(spec: str) -> object:
    """Import `module:attribute` (attribute may be dotted)."""
    module_name, _, attribute = spec.partition(":")
    if not module_name or not attribute:
        raise InputError(
            f"{spec!r} does not name an object; expected module:attribute, such as mypackage.search:build."
        )
    try:
        found: object = import_module(module_name)
    except ModuleNotFoundError as error:
        raise InputError(f"{spec!r}: no module named {error.name!r}; is it installed, and on the path?") from error
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise UnknownNameError(
                f"attribute of {module_name}", part, vars(found) if hasattr(found, "__dict__") else ()
            ) from None
    return found
