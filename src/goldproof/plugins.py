"""Plug-ins: registries of names, entry points, `module:object`, `#option=value`, lazy package exports.

A target is an object, or the text `module:attribute`, imported when first asked for. Plug-ins are entry points of the
group `goldproof` named `<kind>.<name>`, for example `retriever.mine = mypackage.search:MyRetriever`.

A `#` begins options only where all that follows has the form name=value,name=value; else it belongs to what stands
before it.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from goldproof.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


T = TypeVar("T")
ENTRY_POINT_GROUP = "goldproof"


class Registry(Generic[T]):
    """Names of one kind (`metric`, `retriever`, ...) and the targets they stand for."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._targets: dict[str, T | str] = {}
        self._plugins_read = False

    def register(self, name: str, target: T | str) -> None:
        """Add a name; a name can be taken only once, or again by the same class or function."""
        if name in self._targets and _spelt(self._targets[name]) != _spelt(target):
            raise InputError(
                f"{self.kind} {name!r} is registered twice ({self._targets[name]!r} and {target!r}); "
                "give one of them another name."
            )
        self._targets[name] = target

    def get(self, name: str) -> T:
        """Return the target of a name, importing it if need be."""
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


def _spelt(target: Any) -> object:  # noqa: ANN401 - whatever was registered
    return f"{target.__module__}:{target.__qualname__}" if hasattr(target, "__qualname__") else target


def load_object(spec: str) -> object:
    """Import `module:attribute` (attribute may be dotted)."""
    module_name, _, attribute = spec.partition(":")
    if not module_name or not attribute:
        raise InputError(
            f"{spec!r} does not name an object; expected module:attribute, such as mypackage.search:build."
        )
    try:
        target: object = import_module(module_name)
    except ModuleNotFoundError as error:
        raise InputError(f"{spec!r}: no module named {error.name!r}; is it installed, and on the path?") from error
    for part in attribute.split("."):
        try:
            target = getattr(target, part)
        except AttributeError:
            raise UnknownNameError(
                f"attribute of {module_name}", part, vars(target) if hasattr(target, "__dict__") else ()
            ) from None
    return target


_OPTIONS = re.compile(r"[A-Za-z_]\w*=[^,#]*(?:,[A-Za-z_]\w*=[^,#]*)*")


class Spec(NamedTuple):
    """A spec without its options, and the options by name."""

    rest: str
    options: Mapping[str, str]


def split_options(spec: str) -> Spec:
    """Cut the options off a spec; an option is given once."""
    rest, mark, fragment = spec.rpartition("#")
    if not mark or not _OPTIONS.fullmatch(fragment):
        return Spec(spec, {})
    options: dict[str, str] = {}
    for part in fragment.split(","):
        name, _, value = part.partition("=")
        if name in options:
            raise InputError(f"{spec}: option {name!r} is given twice; keep one.")
        options[name] = value.strip()
    return Spec(rest, options)


def check_options(options: Mapping[str, str], known: Iterable[str], *, of: str) -> None:
    """Refuse unknown options. of: whose they are, such as `folder:` or `the llm judge`."""
    names = tuple(known)
    for name in options:
        if name not in names:
            raise UnknownNameError(f"option of {of}", name, names, advice="" if names else "it has no options.")


def lazy_exports(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names are imported when first used.

    homes: module below the package -> the names it exports.
    """
    home_of = {name: f"{package}.{module}" for module, names in homes.items() for name in names}

    def get(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home_of[name]), name)

    return get, lambda: sorted(home_of)
