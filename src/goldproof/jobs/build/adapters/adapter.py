"""What a dataset adapter is: validated metadata, and a function from one record to examples.

An adapter lives in one module of this package and is registered by name in `goldproof.jobs.build.adapters.catalogue`;
a plug-in is an entry point `adapter.NAME` of the group `goldproof`. The function gets plain JSON values, from a Parquet
or CSV row as well, may yield several examples (a document with many questions), and never raises on odd data: it yields
`Dropped`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from goldproof.jobs.build.example import Dropped, Example

if TYPE_CHECKING:
    from pathlib import Path

JsonObject = Mapping[str, object]
DocType = Literal["clean_text", "log_ticket", "table", "code_config"]


class AdapterInfo(BaseModel):
    """Where a dataset comes from, and what may be done with it.

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
class Place:
    """Where a record stands: its file, and its number there, from 1 (the line in JSON lines and CSV)."""

    path: Path
    number: int


@dataclass(frozen=True, slots=True)
class LocalSource:
    """Files on this machine that an adapter reads, and the options the recipe gives it."""

    root: Path
    files: tuple[Path, ...]
    options: Mapping[str, object] = field(default_factory=dict)


Adapt = Callable[[JsonObject, Place], Iterator[Example | Dropped]]


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
