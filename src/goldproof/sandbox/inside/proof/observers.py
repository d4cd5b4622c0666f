"""The public functions by name, each bound to one journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .anywhere import anywhere_seen
from .calls import call_seen
from .commands import command_seen
from .imports import import_seen
from .journal import Journal, Make, observer
from .keywords import keyword_seen
from .names import name_seen
from .others import same_seen
from .programs import code_seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from .texts import Foreign

NAMES = (
    "observe", "observe_anywhere", "observe_code", "observe_command", "observe_import", "observe_keyword",
    "observe_name", "observe_same",
)  # fmt: skip


def make_observers(
    journal: Journal, *, script: str, packages: Callable[[], tuple[str, ...]], check: Callable[[], None]
) -> dict[str, Callable[..., None]]:
    """Return name -> function. script: its file name. packages: what `observe_anywhere` searches. check: called before
    and after each observation.
    """
    given = frozenset({script})

    def call(*arguments: Foreign, **named: Foreign) -> dict[str, object]:
        return call_seen(given, arguments, named)

    def anywhere(name: str, *where: str) -> dict[str, object]:
        return anywhere_seen(name, packages=where or packages())

    made: dict[str, Make] = {
        "observe": call, "observe_anywhere": anywhere, "observe_code": code_seen, "observe_command": command_seen,
        "observe_import": import_seen, "observe_keyword": keyword_seen, "observe_name": name_seen,
        "observe_same": same_seen,
    }  # fmt: skip
    return {name: observer(make, journal.add, check) for name, make in made.items()}
