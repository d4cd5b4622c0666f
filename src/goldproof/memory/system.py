"""The memory interface: what a memory system is, the registry of systems, and `open_memory()`.

A system is cleared (or made anew) before each conversation, given its utterances in order, and asked. What it raises
for one query fails that query, with the reason. A spec is one of:

    everything, nothing, newest, keyword       trivial systems, to check a benchmark with; plug-ins: `memory.NAME`
    package.module:object                      a memory of your own: an object, a class or a factory
    https://host/memory(timeout=5)             a memory service; also http("https://host/memory", header_env=TOKEN)
    hybrid(bm25, dense(minilm)) | top(5)       Goldproof's own memory over a retrieval pipeline
    FILE.yaml#NAME                             the same, with the pipeline in a file
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, cast, runtime_checkable

from goldproof.closeable import Closeable
from goldproof.errors import InputError, UnknownNameError
from goldproof.plugins import Registry
from goldproof.records.entities import Hit
from goldproof.retrieve import Pipeline
from goldproof.retrieve.language import Call, Word, parse
from goldproof.retrieve.language.builder import named_stage, signature_of
from goldproof.retrieve.pipeline import is_pipeline_file, read_named_specs
from goldproof.retrieve.stage import STAGES
from goldproof.user_code.calls import checked_timeout
from goldproof.user_code.user_object import UserObject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from goldproof.retrieve import Filters, Moment


@dataclass(frozen=True, slots=True)
class MemoryHit(Hit):
    """One returned memory; similarity: the cosine of query and memory, where the system knows it."""

    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """The answer to one query of several: hits, or why there are none."""

    hits: tuple[MemoryHit, ...] = ()
    error: str | None = None


@runtime_checkable
class MemorySystem(Protocol):
    """A memory of a conversation: store, search, clear."""

    def clear(self) -> None:
        """Forget everything."""

    def add(self, role: str, content: str, metadata: Mapping[str, object]) -> Sequence[str]:
        """Store one utterance; return the ids of what was stored or changed by it, which may be none."""

    def search(self, query: str, k: int, filters: Filters | None = None, now: Moment | None = None) -> Sequence[Hit]:
        """Return at most k memories, best first; none where none is relevant."""


@runtime_checkable
class SearchesMany(Protocol):
    """A system that answers several queries of one moment in one call."""

    def search_many(
        self, queries: Sequence[str], k: int, filters: Filters | None = None, now: Moment | None = None
    ) -> Sequence[Searched]:
        """Return one answer per query, in their order."""


@runtime_checkable
class Described(Protocol):
    """A system that says what it is: title for tables, facts for the card, remarks for the report."""

    @property
    def title(self) -> str:
        """Its name in tables."""

    @property
    def facts(self) -> Mapping[str, object]:
        """What decides its results, for the card."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on its answers, in sentences, for the report."""


@runtime_checkable
class DescribedMemory(MemorySystem, Described, Protocol):
    """What `open_memory` returns: a system that says what it is, and tells similarities where it knows them.

    `close`, or the end of a `with` block, closes what Goldproof opened; a user's own object is left alone.
    """

    def close(self) -> None:
        """Close files and connections."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def search(
        self, query: str, k: int, filters: Filters | None = None, now: Moment | None = None
    ) -> Sequence[MemoryHit]:
        """Return at most k memories, best first; none where none is relevant."""


@runtime_checkable
class CountsRemarks(Protocol):
    """A system whose remarks are made of counts, so that a resumed run can add those of kept answers."""

    @property
    def counts(self) -> Mapping[str, int]:
        """The counts so far."""

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Add counts of an interrupted run."""


class OpenedMemory(Closeable):
    """Base of the systems that implement the interface themselves: `open_memory` returns them as they are.

    timeout: seconds that one call of the user's code, or of a service that has no timeout of its own, may take.
    """

    timeout: float | None = None


MEMORIES: Registry[Any] = Registry("memory")
for _name, _kind in {
    "everything": "Everything", "keyword": "KeywordMatch", "newest": "NewestK", "nothing": "Nothing",
}.items():  # fmt: skip
    MEMORIES.register(_name, f"goldproof.memory.baselines:{_kind}")


def open_memory(spec: object, *, timeout: float | None = None) -> DescribedMemory:
    """Return the memory system of a spec; it has a title, facts and remarks.

    spec: a text as above, a `Pipeline`, the path of a YAML file, or any object that `goldproof.memory.user_memory` can
    call. timeout: seconds that one call of it may take, which else fails; a service is given 10, unless its spec says
    otherwise.
    """
    system = _opened(spec)
    if timeout is not None and isinstance(system, OpenedMemory):
        system = copy(system)  # one that was given stays as it is
        system.timeout = checked_timeout(timeout)
    return system


def _opened(spec: object) -> DescribedMemory:
    if isinstance(spec, OpenedMemory):
        return cast("DescribedMemory", spec)
    if isinstance(spec, Pipeline | Path):
        return _own_memory(spec)
    return _of_text(spec.strip()) if isinstance(spec, str) else _adapted(UserObject.of(spec))


def open_memories(texts: list[str]) -> dict[str, DescribedMemory]:
    """Read `--memory` options: NAME=SPEC, SPEC (its title is its name), or a YAML file of several pipelines."""
    return read_named_specs(texts, open_memory, option="--memory", kinds="memories", title=lambda system: system.title)


def _of_text(text: str) -> DescribedMemory:
    if not text:
        raise InputError(f"memory: the text is empty.\n  {_hint()}")
    if text in MEMORIES:
        return _adapted(replace(UserObject.of(MEMORIES.get(text)), name=text))
    if is_pipeline_file(text):
        return _own_memory(text)
    written = parse(text)
    if not isinstance(written, Word | Call):
        return _own_memory(text)
    name = written.name if isinstance(written, Call) else written.text
    if name not in STAGES and ":" not in name and not isinstance(written, Call):
        raise UnknownNameError("memory", name, (*MEMORIES, *STAGES), hint=_hint())
    stage = named_stage(written)
    return _of_stage(stage, text, is_bare=name not in STAGES) if isinstance(stage, Call) else _own_memory(text)


def _of_stage(stage: Call, text: str, *, is_bare: bool) -> DescribedMemory:
    """Return the memory that a single stage with arguments means."""
    if stage.name == "http":
        from goldproof.memory.http import HttpMemory  # noqa: PLC0415 - which imports this module

        bound = signature_of("http").bind(stage)
        bound.kwargs.pop("concurrency", None)  # a memory is asked one thing at a time
        return HttpMemory(*bound.args, **bound.kwargs)
    if stage.name != "own" or not is_bare:
        return _own_memory(text)
    if len(stage.args) > 1 or stage.kwargs:
        raise InputError(f"memory {text}: {stage.args[0]} takes no arguments here; give a factory that needs none.")
    return _adapted(UserObject.of(str(stage.args[0]), where="memory"))


def _adapted(user: UserObject) -> DescribedMemory:
    """Wrap a user's object as a memory system."""
    from goldproof.memory.user_memory import UserMemory, is_factory  # noqa: PLC0415 - which imports this module

    is_made = is_factory(user.target)
    memory = user.made().target if is_made else user.target
    if isinstance(memory, Pipeline):
        return _own_memory(memory)
    if isinstance(memory, OpenedMemory):
        return cast("DescribedMemory", memory)
    make = (lambda: user.made().target) if is_made else None
    return UserMemory(memory, title=user.name, source=user.source, make=make)


def _own_memory(pipeline: object) -> DescribedMemory:
    from goldproof.memory.memory import Memory  # noqa: PLC0415 - which imports this module

    return Memory(pipeline)


def _hint() -> str:
    return (
        "A memory is a retrieval pipeline (dense(minilm) | top(5)), package.module:object, an address, or one of: "
        f"{', '.join(MEMORIES)}."
    )
