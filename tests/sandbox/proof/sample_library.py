"""A small library with one of everything that an observer must tell apart."""

from __future__ import annotations

import enum
import functools
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator  # noqa: TC003 - models resolve them
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from pydantic import BaseModel, ConfigDict, Field

LIMIT = 5
untyped: Any = [1, "two"]


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Base(ABC):
    """The base. It has a second sentence."""

    @abstractmethod
    def act(self, times: int = 3) -> str: ...


class Plain(Base):
    slotless: int

    def __init__(self, name: str, colour: Colour, *, size: int = 2) -> None:
        self.label = name
        self.colour = colour
        self._size = size
        self.only_on_instances = 1

    def act(self, times: int = 3) -> str:
        return "x" * times

    @property
    def size(self) -> int:
        return self._size

    @staticmethod
    def still(a: int) -> int:
        return a

    @classmethod
    def made(cls, b: int) -> Plain:
        return cls(str(b), Colour.RED)

    async def later(self) -> int:
        return 1

    async def stream(self) -> AsyncIterator[int]:
        yield 1


class Swallows:
    def __init__(self, known: int = 1, **_: object) -> None:
        self.known = known


class Keeps:
    def __init__(self, **options: object) -> None:
        self.options = options


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    count: int
    title: str = "none"
    tags: list[str] = Field(default_factory=list)


class Loose(BaseModel):
    count: int = 1


class Nested(BaseModel):
    inner: Strict
    hook: Callable[[int], int]
    colour: Colour
    extra: str | None = None


class Paired(BaseModel):
    interval: int | None = None
    overlap: int | None = None

    def model_post_init(self, _: object) -> None:
        if (self.interval is None) != (self.overlap is None):
            raise ValueError("interval and overlap must be given together")


@dataclass
class Point:
    x: int
    y: int = 2
    seen: list[int] = field(default_factory=list)


class Pair(NamedTuple):
    left: int
    right: int = 7


class Options(TypedDict):
    verbose: bool


def inner(value: int, *, scale: int = 1) -> int:
    return value * scale


def outer(value: int, **options: int) -> int:
    return inner(value, **options)


def anything(**options: object) -> object:
    return options.get("secret_option")


@functools.wraps(Plain.later)
def wrapped(*args: object) -> object:
    return Plain.later(*args)  # type: ignore[arg-type]


@contextmanager
def managed() -> Iterator[int]:
    yield 1


partly = functools.partial(Plain.later, None)  # type: ignore[arg-type]
