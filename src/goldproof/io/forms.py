"""Forms: files that people write, read by pydantic into frozen dataclasses or refused in one sentence.

    @dataclass(frozen=True, slots=True)
    class Limits(Form):
        model: Name
        retries: Count = 3

    read_form("limits.yaml", Limits)     # limits.yaml:2: retries is '0', expected a whole number of at least 1.

Each field of a form is a key of the file; its annotation says how the value is read: one of the types below, another
form, or lists and mappings of them. A field without a default must be there. A misspelt key would do nothing, silently,
so unknown keys are refused. Scalars of a file are text; numbers and flags of a Python mapping are taken as well.
`field(metadata={"key": "from"})` gives a field another name in the file, and `{"key": None}` none at all.

Pydantic takes 0.1 seconds to import, so it is imported when the first form is read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin, get_type_hints

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.yaml_files import line_of, load_yaml, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pydantic import GetCoreSchemaHandler, TypeAdapter
    from pydantic_core import ErrorDetails
    from pydantic_core.core_schema import CoreSchema

T = TypeVar("T", bound="Form")
_NO_KEY = "\x00"  # no file can hold it
_VALIDATORS: dict[type[Form], TypeAdapter[Any]] = {}
_EXPECTED = {
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "string_type": "a mapping whose keys are text",  # of a Python mapping
}


def read_form(path: Path | str, form: type[T], *, hint: str = "") -> T:
    """Read a file as a form; hint: what to do about a problem."""
    diagnostics = Diagnostics(Path(path))
    return check_form(load_yaml(Path(path), diagnostics), form, diagnostics, hint=hint)


def check_form(content: object, form: type[T], diagnostics: Diagnostics, *, where: str = "", hint: str = "") -> T:
    """Return the content of a file, or a Python mapping, as a form; where: its place, for messages."""
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - start-up

    if form not in _VALIDATORS:
        _VALIDATORS[form] = TypeAdapter(form)
    try:
        record: T = _VALIDATORS[form].validate_python(content)
    except ValidationError as errors:
        problem, line = _sentence(errors.errors(include_url=False)[0], content)
        raise diagnostics.error(where + problem, line=line, hint=hint) from errors
    except FileFormatError:
        raise
    except InputError as error:  # of the record itself, which Python callers make too
        raise diagnostics.error(where + str(error), line=line_of(content), hint=hint) from error
    return record


def _sentence(error: ErrorDetails, content: object) -> tuple[str, int | None]:
    """Return an error of pydantic in our words, and its line, or the nearest one that is known."""
    line, name = line_of(content), ""
    for part in error["loc"][: -2 if error["loc"][-1:] == ("[key]",) else None]:
        if isinstance(content, list | tuple) and isinstance(part, int):
            content, name = content[part], f"{name}[{part + 1}]"
        elif isinstance(content, Mapping) and part in content:
            line = line_of(content, str(part)) or line
            content, name = content[part], f"{name}: {part}".removeprefix(": ")
        else:  # a name of pydantic's own, or a key of a short form made whole
            break
        line = max(filter(None, (line, line_of(content))), default=None)  # an alias is of an earlier line
    context = error.get("ctx", {})
    if error["type"] == "problem":
        return f"{name}: {context['text']}".removeprefix(": "), line_of(content, context["key"]) or line
    expected = context["text"] if error["type"] == "expected" else _EXPECTED.get(error["type"], "another value")
    return f"{f'{name} is' if name else 'found'} {shown(content)}, expected {expected}.", line


class Form:
    """A mapping of a file, as a frozen dataclass. EXPECTED: what it is in messages."""

    __slots__ = ()
    EXPECTED: ClassVar[str] = "a mapping"

    def __init_subclass__(cls) -> None:
        cls.__pydantic_config__ = {"alias_generator": cls._key}  # type: ignore[attr-defined]  # pydantic's own name

    @classmethod
    def unfold(cls, value: object) -> object:
        """Return the mapping that a short form stands for; forms that have one override this."""
        return value

    @classmethod
    def _key(cls, name: str) -> str:
        key = cls.__dataclass_fields__[name].metadata.get("key", name)  # type: ignore[attr-defined]
        return _NO_KEY + name if key is None else str(key)

    @classmethod
    def _checked(cls, value: object) -> object:
        content = cls.unfold(value)
        if not isinstance(content, Mapping):
            raise TypeError
        fields = {cls._key(field.name): field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        known = [key for key in fields if not key.startswith(_NO_KEY)]
        for key in content:
            if key not in known:
                raise _UnknownKeyError("key", str(key), known)
        for key, field in fields.items():
            if key not in content and field.default is field.default_factory is dataclasses.MISSING:
                hint = get_type_hints(cls, include_extras=True)[field.name]
                raise InputError(f"no key {key!r}, expected {_expected(hint)}.")
        for key in (key for key, value in content.items() if value is None):
            hint = get_type_hints(cls, include_extras=True)[fields[key].name]
            if get_origin(hint) in (Union, UnionType):  # None is for a key that is not there; a reader may take null
                raise _KeyError(f"{key} is nothing, expected {_expected(get_args(hint)[0])}.", key)
        return dict(content)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        from pydantic_core.core_schema import no_info_before_validator_function  # noqa: PLC0415 - start-up

        schema: Any = dict(handler(source))
        ref = schema.pop("ref")  # or the check would not be part of the same form in another place
        return no_info_before_validator_function(_worded(cls._checked, cls.EXPECTED), schema, ref=ref)


class _KeyError(InputError):
    """A key whose value is wrong."""

    def __init__(self, problem: str, name: str) -> None:
        super().__init__(problem)
        self.name = name


class _UnknownKeyError(UnknownNameError):
    """A key that a form does not have."""


@dataclass(frozen=True, slots=True)
class Reads:
    """Annotation of a field: a function reads its value.

    It raises TypeError or ValueError where the value is not what is expected, InputError where it has a sentence of its
    own. of: the type as which the value is read before; None: it is as the file has it.
    """

    read: Callable[[Any], object]
    expected: str
    of: Any = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        from pydantic_core import core_schema  # noqa: PLC0415 - start-up

        read = _worded(self.read, self.expected)
        if self.of is None:
            return core_schema.no_info_plain_validator_function(read)
        return core_schema.no_info_after_validator_function(read, handler.generate_schema(self.of))


@dataclass(frozen=True, slots=True)
class Unfolds:
    """Annotation of a field: a function makes a short form whole, which is then read as the type says."""

    unfold: Callable[[Any], object]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        from pydantic_core.core_schema import no_info_before_validator_function  # noqa: PLC0415 - start-up

        return no_info_before_validator_function(self.unfold, handler(source))


def _worded(read: Callable[[Any], object], expected: str) -> Callable[[Any], object]:
    """Return a function with its errors as pydantic collects them."""
    from pydantic_core import PydanticCustomError  # noqa: PLC0415 - start-up

    def worded(value: object) -> object:
        try:
            return read(value)
        except InputError as error:
            key = error.name if isinstance(error, _UnknownKeyError | _KeyError) else None
            raise PydanticCustomError(
                "problem", "{text}", {"text": str(error).replace("\n  ", " "), "key": key}
            ) from error
        except (TypeError, ValueError) as error:
            raise PydanticCustomError("expected", "{text}", {"text": expected}) from error

    return worded


def _expected(hint: Any) -> str:  # noqa: ANN401
    """Return what a field takes, by its annotation."""
    for note in getattr(hint, "__metadata__", ()):
        return str(note.expected)
    return "a list" if get_origin(hint) is tuple else getattr(hint, "EXPECTED", "a mapping")


def read_name(value: object) -> str:
    """Read text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return str(value.strip())


def read_names(value: object) -> tuple[str, ...]:
    """Read a list of names."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and item.strip() for item in value):
        raise ValueError
    return tuple(map(str, value))


def read_name_sets(value: object) -> tuple[tuple[str, ...], ...]:
    """Read alternatives, each a list of names or a single name."""
    if not isinstance(value, list | tuple) or any(item in ([], ()) for item in value):
        raise ValueError
    return tuple(read_names([item] if isinstance(item, str) else item) for item in value)


def _path(value: object) -> Path:
    try:
        return value if isinstance(value, Path) else Path(read_name(value)).expanduser()
    except RuntimeError as error:  # the home of a user that is not known
        raise ValueError from error


def read_paths(value: object) -> tuple[Path, ...]:
    """Read a list of files or folders."""
    if not isinstance(value, list | tuple):
        raise TypeError
    return tuple(_path(item) for item in value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def read_whole(value: object) -> int:
    """Read a whole number; text has digits alone."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit()):
        raise ValueError
    return int(text)


def _count(value: object) -> int:
    number = read_whole(value)
    if number < 1:
        raise ValueError
    return number


def _share_or_off(value: object) -> float | None:
    if value is None or value is False or value == "off":
        return None
    number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else -1.0
    if not 0 < number <= 1:
        raise ValueError
    return number


Name = Annotated[str, Reads(read_name, "a name")]
Names = Annotated[tuple[str, ...], Reads(read_names, "a list of names, such as [a, b]")]
NameSets = Annotated[tuple[tuple[str, ...], ...], Reads(read_name_sets, "lists of names, such as [[a, b], [c]]")]
FilePath = Annotated[Path, Reads(_path, "the name of a file or folder")]
Paths = Annotated[tuple[Path, ...], Reads(read_paths, "a list of names, such as [a.jsonl, b.jsonl]")]
Flag = Annotated[bool, Reads(_flag, "true or false")]
Whole = Annotated[int, Reads(read_whole, "a whole number")]
Count = Annotated[int, Reads(_count, "a whole number of at least 1")]
ShareOrOff = Annotated[float | None, Reads(_share_or_off, "a number above 0 and at most 1, or null for off")]


def one_of(known: Collection[str], *, kind: str = "name") -> Reads:
    """Return the annotation of one of a few names."""

    def read(value: object) -> str:
        name = read_name(value)
        if name not in known:
            raise UnknownNameError(kind, name, known)
        return name

    return Reads(read, f"one of {', '.join(known)}")
