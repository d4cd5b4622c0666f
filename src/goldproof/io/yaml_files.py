"""YAML files with lines and text scalars, and YAML text written fast.

Reading: scalars are text, so `id: 01` is the text `01` and a date stays as it was written; only `true`, `false` and
`null` mean something else, or `null` alone where true and false are asked for as text; keys are always text. Mappings
and lists know their lines (`line_of`). A reader that has to tell `1` from `"1"` asks for marks: then text that was not
quoted and is a number (of YAML 1.2) is a `Number`.

Writing: a scalar in double quotes is text to every reader of YAML, whatever it looks like (`No`, `01`, `2026-01-24`,
` x`). Inside, JSON's escapes are YAML's as well, except for pairs of surrogates: characters beyond ASCII stand as they
are. Those that YAML does not let stand (control characters, among them the line separators NEL, LS and PS, and U+FFFE)
are escaped by number. A number has the form of YAML 1.1, where `1e-05` would be text: `1.0e-05`. Half of a surrogate
pair is refused: UTF-8 has no form for it. Much faster than PyYAML's emitter: one pass in C over each text.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson
import yaml

from goldproof.errors import InputError, shortened
from goldproof.io.text_files import decode_text, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics


# Any escape is matched, so that the second backslash of `\\ud83d` is not taken for one that begins another.
_ESCAPE = re.compile(r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})|\\.")

_MAX_DEPTH = 100

_SAFE_OPENINGS = 5_000


class Number(str):
    """A number as it was written, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class LinedList(list[object]):
    """A list that knows the line where it begins."""

    __slots__ = ("line",)
    line: int


class LinedMapping(dict[str, object]):
    """A mapping that knows the line where it begins, and that of each key."""

    __slots__ = ("line", "lines")
    line: int
    lines: dict[str, int]


def line_of(value: object, key: str | None = None) -> int | None:
    """Return the line where a mapping or list of a file begins, or that of a key; None where it is not known."""
    if key is not None:
        return value.lines.get(key) if isinstance(value, LinedMapping) else None
    return value.line if isinstance(value, LinedMapping | LinedList) else None


class _DuplicateKeyError(yaml.YAMLError):
    """A mapping that names a key twice; YAML itself would keep the last one silently."""

    def __init__(self, key: str, line: int) -> None:
        self.key = key
        self.line = line
        super().__init__(key)


class _TextLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads numbers and dates as text, knows only true, false and null, and remembers lines."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (yaml's own name)


def _construct_mapping(loader: _TextLoader, node: yaml.MappingNode) -> Iterator[LinedMapping]:
    """Build a mapping with its lines; its keys are text, and each is there once."""
    if not isinstance(node, yaml.MappingNode):  # tagged !!map
        raise yaml.constructor.ConstructorError(problem="expected a mapping", problem_mark=node.start_mark)
    mapping = LinedMapping()
    mapping.line = node.start_mark.line + 1
    mapping.lines = {}
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(problem="found a key that is not text", problem_mark=key.start_mark)
        if key.value in mapping.lines:
            raise _DuplicateKeyError(key.value, key.start_mark.line + 1)
        mapping.lines[key.value] = key.start_mark.line + 1
    yield mapping  # before its values: one of them may be an alias of the mapping
    for key, value in node.value:
        mapping[key.value] = loader.construct_object(value)


def _construct_list(loader: _TextLoader, node: yaml.SequenceNode) -> Iterator[LinedList]:
    items = LinedList()
    items.line = node.start_mark.line + 1
    yield items
    items.extend(loader.construct_sequence(node))


def _construct_text(loader: _TextLoader, node: yaml.Node) -> str:
    return str(loader.construct_scalar(node))


def _construct_bool(loader: _TextLoader, node: yaml.Node) -> bool | str:
    text = _construct_text(loader, node)
    return {"true": True, "false": False}.get(text.lower(), text)


_TEXT_TAGS = ("int", "float", "timestamp", "binary")

_TAG = "tag:yaml.org,2002:"

_TextLoader.add_implicit_resolver(f"{_TAG}bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF")

_TextLoader.add_implicit_resolver(f"{_TAG}null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])

_TextLoader.add_constructor(f"{_TAG}bool", _construct_bool)

_TextLoader.add_constructor(f"{_TAG}map", _construct_mapping)

_TextLoader.add_constructor(f"{_TAG}seq", _construct_list)

for _name in _TEXT_TAGS:  # a scalar may also be tagged by hand: `!!int x` must not become a ValueError
    _TextLoader.add_constructor(_TAG + _name, _construct_text)


class _AllTextLoader(_TextLoader):
    """Reads true and false as they are written: `A: True` may be an option of a question about Python."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (yaml's own name)
        first: [(tag, pattern) for tag, pattern in known if tag != f"{_TAG}bool"]
        for first, known in _TextLoader.yaml_implicit_resolvers.items()
    }


class _MarkedLoader(_TextLoader):
    """Marks numbers that are not quoted."""


def _construct_number(loader: _MarkedLoader, node: yaml.Node) -> Number:
    return Number(loader.construct_scalar(node))


_NUMBER = re.compile(
    r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)

_MarkedLoader.add_implicit_resolver(f"{_TAG}goldproof-number", _NUMBER, list("-+.0123456789"))

_MarkedLoader.add_constructor(f"{_TAG}goldproof-number", _construct_number)


def load_yaml(path: Path, diagnostics: Diagnostics, *, all_text: bool = False) -> object:
    """Return the content of a file; raise with one sentence if it cannot be read. all_text: true and false are text."""
    return _parsed(_text(path), diagnostics, loader=_AllTextLoader if all_text else _TextLoader)


def load_marked_yaml(path: Path, diagnostics: Diagnostics) -> object:
    """Return the content of a YAML or JSON file, with marks on numbers."""
    return _parsed(_text(path), diagnostics, loader=_MarkedLoader)


def _text(path: Path) -> str:
    text = decode_text(b"".join(block.data for block in read_blocks(path)), path)
    return _json_as_yaml(text) if text.lstrip()[:1] in ("{", "[") else text


def _json_as_yaml(text: str) -> str:
    r"""Return JSON without pairs of surrogates (`\ud83d\ude00`), the one thing in it that YAML does not know."""
    return _ESCAPE.sub(lambda match: f"\\U{_paired(match):08x}" if match["high"] else match[0], text)


def _paired(match: re.Match[str]) -> int:
    return 0x10000 + ((int(match["high"], 16) - 0xD800) << 10) + int(match["low"], 16) - 0xDC00


def _parsed(text: str, diagnostics: Diagnostics, *, loader: type[_TextLoader]) -> object:
    try:
        _check_depth(text, diagnostics)
        return yaml.load(text, Loader=loader)  # noqa: S506  (derived from the safe loader)
    except _DuplicateKeyError as error:
        raise diagnostics.error(
            f"key {error.key!r} occurs twice.", line=error.line, hint="Keep one of them."
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise diagnostics.error(f"is not YAML ({error.problem}).", line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        raise diagnostics.error(f"is not YAML ({str(error).splitlines()[0]}).") from error


def _check_depth(text: str, diagnostics: Diagnostics) -> None:
    """Refuse absurd nesting, on which the C parser runs out of stack and takes the process with it."""
    openings = text.count("[") + text.count("{") + text.count("- ") + text.count("? ")
    if openings < _SAFE_OPENINGS and f"\n{' ' * _SAFE_OPENINGS}" not in text:  # a block that is nested is indented
        return
    depth = 0
    for event in yaml.parse(text, Loader=_TextLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            raise diagnostics.error("is nested too deeply.", line=event.start_mark.line + 1)


class _Brief(reprlib.Repr):
    """Shows the beginning of a value: aliases can make one of a few lines endless."""

    repr_LinedList = reprlib.Repr.repr_list  # noqa: N815 - reprlib looks for the name of the type
    repr_LinedMapping = reprlib.Repr.repr_dict  # noqa: N815

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxlist = self.maxtuple = self.maxdict = 12
        self.maxstring = self.maxother = 200


def shown(value: object) -> str:
    """Return a value of the file as a message shows it."""
    if isinstance(value, Mapping):
        return "a mapping"
    return "nothing" if value is None else shortened(_Brief().repr(value), longest=60)


_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

_LONGEST_KEY = 1000  # a key of 1024 characters or more needs a question mark before it


def yaml_text(text: str) -> str:
    """Return a text as a YAML scalar in double quotes."""
    try:
        quoted = orjson.dumps(text).decode()
    except TypeError as error:
        raise InputError(
            f"the text {text[:40]!r} holds half of a surrogate pair, which UTF-8 cannot encode."
        ) from error
    return _ODD.sub(_escaped, quoted)


def yaml_value(value: object) -> str:
    """Return a JSON value as YAML in one line."""
    if isinstance(value, str):
        return yaml_text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {yaml_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(yaml_value(item) for item in value) + "]"
    raise InputError(f"a {type(value).__name__} cannot be written as YAML; expected what JSON can hold.")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise InputError(f"the key {key!r} is not text, expected text as in JSON.")
    text = yaml_text(key)
    return text if len(text) < _LONGEST_KEY else f"? {text}"


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise InputError(f"{value} is not a finite number; write null or leave it out.")
    digits, sign, exponent = repr(float(value)).partition("e")
    return digits + (".0" if "." not in digits else "") + sign + exponent


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
