"""What holds a file or a connection, and lets go of it: by `close`, or at the end of a `with` block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

if TYPE_CHECKING:
    from types import TracebackType


@runtime_checkable
class HasClose(Protocol):
    """Something with a `close`."""

    def close(self) -> None:
        """Let go of files and connections."""


class Closeable:
    """Base of what may hold a file or a connection; `with` closes it."""

    def close(self) -> None:
        """Let go of files and connections; there are none unless a subclass says so."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
