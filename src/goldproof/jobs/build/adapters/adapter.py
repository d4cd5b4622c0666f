"""Dataset adapter: its interface, the registry, ids, and tolerant access to record fields.

An adapter is a module of this package, registered by name below; a plug-in is an entry point `adapter.NAME` of the
group `goldproof`. Its function gets plain JSON values, from a Parquet or CSV row as well, may yield several examples (a
document with many questions), and never raises on odd data: it yields `Dropped`.

Sample ids are `<adapter>:<original id>`. A document that has no id of its own is identified by its content: a passage
with the same title and text is the same document, in whatever record it occurs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from goldproof.errors import InputError
from goldproof.jobs.build.records import Dropped, Example
from goldproof.plugins import Registry
from goldproof.records.keys import content_key
from goldproof.report import Heading, Table

if TYPE_CHECKING:
    from pathlib import Path

JsonObject = Mapping[str, object]
DocType = Literal["clean_text", "log_ticket", "table", "code_config"]


class AdapterInfo(BaseModel):
    """Metadata of a dataset: origin, licence, and how its records are recognised.

    revision: the commit of the hub that is read unless another is named; None: the newest, which is looked up once and
    written to the card. hub_files: which files of the hub's folder are read (glob patterns).
    needs: keys that a record of this dataset has, in alternatives: one of the sets must be there. Files of a folder
    whose first records have none of them are passed over.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)
    doc_type: DocType
    hub_id: str | None = Field(default=None, pattern=r"^[\w.-]+/[\w.-]+$")
    revision: str | None = Field(default=None, pattern=r"^[0-9a-f]{40}$")
    hub_files: tuple[str, ...] = ()
    licence: str = Field(min_length=1)
    citation: str = Field(min_length=1)
    homepage: str | None = Field(default=None, pattern=r"^https://")
    needs: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Position of a record: its file, and its number there, from 1 (the line in JSON lines and CSV)."""

    path: Path
    number: int


@dataclass(frozen=True, slots=True)
class LocalSource:
    """Files on this machine that an adapter reads, and the options the recipe gives it."""

    root: Path
    files: tuple[Path, ...]
    options: Mapping[str, object] = field(default_factory=dict)


Adapt = Callable[[JsonObject, RecordPlace], Iterator[Example | Dropped]]


@dataclass(frozen=True, slots=True)
class Adapter:
    """A dataset that can be read.

    open: looks at the source once (options, files that belong to it) and returns the function for its records.
    options: the names of options that it takes; any other is refused before reading. path_options: those of them that
    are a file or folder, from the recipe's own folder.
    misfit: says, by the options too, why a file of a folder is not to be read, None if it is; for what `needs` cannot
    tell. Where it speaks against all of them none is passed over, and `open` says what is wrong.
    """

    info: AdapterInfo
    open: Callable[[LocalSource], Adapt]
    options: frozenset[str] = frozenset()
    path_options: frozenset[str] = frozenset()
    misfit: Callable[[Path, Mapping[str, object]], str | None] | None = None


def without_options(adapt: Adapt) -> Callable[[LocalSource], Adapt]:
    """Return an `open` for an adapter that looks at nothing but the record."""
    return lambda _source: adapt


ADAPTERS: Registry[Adapter] = Registry("adapter")
for _name, _module in {
    "2wiki": "twowiki",
    "coderepoqa": "coderepoqa",
    "finqa": "finqa",
    "hotpotqa": "hotpotqa",
    "logqa": "logqa",
    "musique": "musique",
    "ragbench": "ragbench",
    "swe-qa": "swe_qa",
    "t2-ragbench": "t2_ragbench",
    "table": "table",
    "tatqa": "tatqa",
}.items():
    ADAPTERS.register(_name, f"goldproof.jobs.build.adapters.{_module}:ADAPTER")


def get_adapter(name: str) -> Adapter:
    """Return an adapter by name; InputError where a plug-in registers something else, or under another name."""
    adapter: object = ADAPTERS.get(name)
    if not isinstance(adapter, Adapter):
        raise InputError(f"adapter {name!r} is a {type(adapter).__name__}, expected an Adapter; mend its plug-in.")
    if adapter.info.name != name:
        raise InputError(
            f"adapter {name!r} calls itself {adapter.info.name!r}; the plug-in must register it under its own name."
        )
    return adapter


def adapters_table() -> Table:
    """Return every adapter with its dataset, doc_type, hub id and licence."""
    headings = tuple(Heading(name, "left") for name in ("adapter", "dataset", "doc_type", "hub", "licence"))
    infos = [get_adapter(name).info for name in ADAPTERS]
    rows = tuple((info.name, info.title, info.doc_type, info.hub_id or "", info.licence) for info in infos)
    return Table(headings, rows)


_UNSAFE = re.compile(r"[^\w.:/@+=#~-]", re.ASCII)


def sample_id(adapter: str, original_id: str) -> str:
    """Return the id of a sample, safe for TREC files: replaced characters are made up for by a hash."""
    return f"{adapter}:{safe_id(original_id)}"


def passage_id(adapter: str, *, title: str, text: str) -> str:
    """Return the id of a passage that is identified by its content only."""
    return f"{adapter}:{content_key(title, text)[:16]}"


def content_id(*parts: object) -> str:
    """Return an original id for a record that has none."""
    return content_key(*parts)[:16]


def safe_id(text: str) -> str:
    """Return an id without blanks and odd characters; where it had any, a hash of the original keeps it unique."""
    safe = _UNSAFE.sub("_", text)
    return safe if safe == text else f"{safe}-{content_key(text)[:8]}"


def text_of(value: object) -> str:
    """Return a text without blanks at its ends; "" for anything that is no text."""
    return value.strip() if isinstance(value, str) else ""


def number_of(value: object) -> int | None:
    """Return a whole number; None for anything else, True and False among them."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def list_of(value: object) -> list[object]:
    """Return a list, also where a column holds it as a JSON text; [] for anything else."""
    value = parsed(value)
    return value if isinstance(value, list) else []


def record_id(record: JsonObject) -> str | None:
    """Return the dataset's own id of a record (`_id` or `id`), None where it has none."""
    for key in ("_id", "id"):
        number = number_of(record.get(key))
        text = str(number) if number is not None else text_of(record.get(key))
        if text:
            return text
    return None


def parsed(value: object) -> object:
    """Return the value of a JSON text; any other value, and text that is no JSON, unchanged."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value


def pairs(value: object, *, first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[tuple[object, object]]:
    """Yield the two members of each element of a list of pairs; (None, None) for an element that is none.

    The list may be one of pairs, one of objects, or an object of two parallel lists; `first` and `second` are the names
    that the members have in objects.
    """
    value = parsed(value)
    if isinstance(value, dict):
        heads, tails = _member(value, first), _member(value, second)
        if isinstance(heads, list) and isinstance(tails, list) and len(heads) == len(tails):
            yield from zip(heads, tails, strict=True)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield _member(item, first), _member(item, second)
            else:
                yield tuple(item) if isinstance(item, list) and len(item) == 2 else (None, None)


def _member(item: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((item[name] for name in names if name in item), None)
