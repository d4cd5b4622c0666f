"""Plug-ins and user code: registries of names, entry points, `module:object`, `#option=value`, lazy package exports.

A target is an object, or the text `module:attribute`, imported when first asked for. Plug-ins are entry points of the
group `goldproof` named `<kind>.<name>`, for example `retriever.mine = mypackage.search:MyRetriever`.

User code is found by `module:object`; the current folder is importable, as for `python -m`. It is identified by the
content of its file: that of the module it is named in, together with the file that defines it, where that is another
one. A function or class passed in from Python counts as named where its module holds it under its name. Anything else
that was passed in (an object, a partial function, a closure, what was typed into an interpreter) has no file that
identifies it. What the files import is not looked at.

A `#` begins options only where all that follows has the form name=value,name=value; else it belongs to what stands
before it.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from goldproof.errors import GoldproofError, InputError, UnknownNameError, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path


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


def _spelt(target: object) -> object:
    return name_of(target) if hasattr(target, "__qualname__") else target


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


def load_user_object(spec: str, *, where: str = "") -> object:
    """Return the object that `module:object` names; where: the beginning of messages.

    Whatever the user's module raises while it is imported becomes an InputError of one sentence.
    """
    begin = f"{where}: " if where else ""
    try:
        _make_current_folder_importable()
        return load_object(spec)
    except GoldproofError as error:
        if not where:
            raise
        raise InputError(f"{begin}{error}") from error
    except (Exception, SystemExit) as error:  # a script that is no module may also exit
        raise InputError(f"{begin}importing {spec!r} failed with {reason_of(error)}") from error


def name_of(target: object) -> str:
    """Return the name of a target in messages and cards: `module:object`; for an object, that of its class."""
    if isinstance(target, str):
        return target
    named: Any = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', None) or 'builtins'}:{named.__qualname__}"


def source_sha256(target: object) -> str | None:
    """Return the sha256 (hex) of the file that identifies a target; None where none does.

    target: `module:object` that was loaded before, or what was passed in. Two files make one sha256 of theirs.
    """
    import hashlib  # noqa: PLC0415 - start-up stays cheap

    spec = target if isinstance(target, str) else _spec_of(target)
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in _files_of(spec)] if spec else []
    if len(digests) < 2:
        return digests[0] if digests else None
    return hashlib.sha256(" ".join(digests).encode("ascii")).hexdigest()


def lasting_key(spec: object, target: object) -> str | None:
    """Return a key that holds across processes: the target's own `key`, else its name and source hash; or None.

    spec: what the user gave, a name or the target itself.
    """
    own = getattr(target, "key", None)
    if isinstance(own, str) and own:
        return own
    source = source_sha256(spec)
    return None if source is None else f"{name_of(spec)} (file {source[:16]})"


def _make_current_folder_importable() -> None:
    folder = os.getcwd()  # noqa: PTH109 - pathlib is slow to import
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)


def _spec_of(target: object) -> str | None:
    """Return the name under which a module holds a function or class."""
    import inspect  # noqa: PLC0415 - start-up stays cheap

    if not (inspect.isfunction(target) or inspect.isclass(target)):
        return None
    held: object = sys.modules.get(target.__module__ or "")
    for part in target.__qualname__.split("."):
        held = getattr(held, part, None)
    return name_of(target) if held is target else None


def _files_of(spec: str) -> list[Path]:
    import inspect  # noqa: PLC0415 - start-up stays cheap
    from pathlib import Path  # noqa: PLC0415 - start-up stays cheap

    named = getattr(sys.modules.get(spec.partition(":")[0]), "__file__", None)
    try:
        defined = inspect.getfile(_definition(load_object(spec)))
    except (TypeError, OSError):  # built in, or typed into an interpreter
        defined = None
    files = dict.fromkeys(Path(file).resolve() for file in (named, defined) if file)
    return [file for file in files if file.is_file()] if named else []


def _definition(target: object) -> Any:  # noqa: ANN401 - what inspect takes
    """Return the function or class that a file defines."""
    import inspect  # noqa: PLC0415 - start-up stays cheap

    while isinstance(target, partial):
        target = target.func
    if inspect.isfunction(target):
        return inspect.unwrap(target)
    return target if inspect.isclass(target) or inspect.ismethod(target) else type(target)


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
