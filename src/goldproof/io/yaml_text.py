"""YAML as people write it by hand: scalars are text, a key given twice is refused, and mappings know their line.

`id: 01` is the text `01`, and a date stays as it was written; only `true`, `false` and `null` mean something else, or
`null` alone where true and false are asked for as text. The line of a mapping stands in it under the key `LINE`, which
no file can hold. Who has to tell `1` from `"1"` asks for marks: then text that was not quoted and is a number (of
YAML 1.2) is a `Number`, and a list is a `LinedList`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from goldproof.io.opening import decode_text, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.complaints import Complaints

LINE = "\x00line"
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

    line: int


class _DuplicateKeyError(yaml.YAMLError):
    """A mapping that names a key twice; YAML itself would keep the last one silently."""

    def __init__(self, key: str, line: int) -> None:
        self.key = key
        self.line = line
        super().__init__(key)


class _TextLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads numbers and dates as text, knows only true, false and null, and remembers the line of each mapping."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (yaml's own name)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:  # noqa: FBT001, FBT002
        """Build a mapping with its line, refusing a key given twice."""
        keys: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in keys:
                raise _DuplicateKeyError(str(key.value), key.start_mark.line + 1)
            keys.add(key.value)
        mapping: dict[object, object] = super().construct_mapping(node, deep=deep)
        mapping[LINE] = node.start_mark.line + 1
        return mapping


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
for _name in _TEXT_TAGS:  # a scalar may also be tagged by hand: `!!int x` must not become a ValueError
    _TextLoader.add_constructor(_TAG + _name, _construct_text)


class _AllTextLoader(_TextLoader):
    """Reads true and false as they are written: `A: True` may be an option of a question about Python."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (yaml's own name)
        first: [(tag, pattern) for tag, pattern in known if tag != f"{_TAG}bool"]
        for first, known in _TextLoader.yaml_implicit_resolvers.items()
    }


class _MarkedLoader(_TextLoader):
    """Marks numbers that are not quoted, and remembers the line of each list."""


def _construct_number(loader: _MarkedLoader, node: yaml.Node) -> Number:
    return Number(loader.construct_scalar(node))


def _construct_list(loader: _MarkedLoader, node: yaml.SequenceNode) -> Iterator[LinedList]:
    found = LinedList()
    found.line = node.start_mark.line + 1
    yield found  # before its items: one of them may be an alias of the list
    found.extend(loader.construct_sequence(node))


_NUMBER = re.compile(
    r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
)
_MarkedLoader.add_implicit_resolver(f"{_TAG}goldproof-number", _NUMBER, list("-+.0123456789"))
_MarkedLoader.add_constructor(f"{_TAG}goldproof-number", _construct_number)
_MarkedLoader.add_constructor(f"{_TAG}seq", _construct_list)


def load_yaml(path: Path, complaints: Complaints, *, all_text: bool = False) -> object:
    """Return what a file holds, or say in one sentence why it cannot be read. all_text: true and false are text too."""
    return _parsed(_text(path), complaints, loader=_AllTextLoader if all_text else _TextLoader)


def load_marked_yaml(path: Path, complaints: Complaints) -> object:
    """Return what a file of YAML or JSON holds, with marks on numbers and lists."""
    text = _text(path)
    return _parsed(_json_as_yaml(text) if text.lstrip()[:1] in ("{", "[") else text, complaints, loader=_MarkedLoader)


def _text(path: Path) -> str:
    return decode_text(b"".join(block.data for block in read_blocks(path)), path)


def _json_as_yaml(text: str) -> str:
    r"""Return JSON without pairs of surrogates (`\ud83d\ude00`), the one thing in it that YAML does not know."""
    return _ESCAPE.sub(lambda found: f"\\U{_paired(found):08x}" if found["high"] else found[0], text)


def _paired(found: re.Match[str]) -> int:
    return 0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(found["low"], 16) - 0xDC00


def _parsed(text: str, complaints: Complaints, *, loader: type[_TextLoader]) -> object:
    try:
        _check_depth(text, complaints)
        return yaml.load(text, Loader=loader)  # noqa: S506  (derived from the safe loader)
    except _DuplicateKeyError as error:
        raise complaints.fatal(f"key {error.key!r} occurs twice.", line=error.line, hint="Keep one of them.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise complaints.fatal(f"is not YAML ({error.problem}).", line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        raise complaints.fatal(f"is not YAML ({str(error).splitlines()[0]}).") from error


def _check_depth(text: str, complaints: Complaints) -> None:
    """Refuse absurd nesting, on which the C parser runs out of stack and takes the process with it."""
    if text.count("[") + text.count("{") + text.count("- ") + text.count("? ") < _SAFE_OPENINGS:
        return
    depth = 0
    for event in yaml.parse(text, Loader=_TextLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            raise complaints.fatal("is nested too deeply.", line=event.start_mark.line + 1)
