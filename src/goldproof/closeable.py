"""Base class and protocol for objects that hold a file or a connection: `close()`, or the end of a `with` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    from types import TracebackType


@runtime_checkable
class HasClose(Protocol):
    """An object with a `close` method."""

    def close(self) -> None:
        """Close files and connections."""


class Closeable:
    """Base class of objects that may hold a file or a connection; `with` closes them."""

    def close(self) -> None:
        """Close files and connections; there are none unless a subclass says so."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
