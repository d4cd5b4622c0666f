"""Interface of a library's name index, which resolves the bare names of a question.

It proposes; only what runs decides: a name that is not found here may still exist (compiled modules, names made at run
time), and a proof looks for it in the sandbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name of the library. path: the shortest public path to it; defined: where it stands. kind: module, class,
    function, method, attribute or field.
    """

    path: str
    defined: str
    kind: str


class NameIndex(Protocol):
    """Looks up names of a library."""

    @property
    def import_names(self) -> tuple[str, ...]:
        """The outermost names: `google.adk`."""

    def find(self, name: str) -> tuple[KnownName, ...]:
        """Return what a name may mean, best first: `Runner`, `Runner.run`, `agents.Runner`, `google.adk.Runner`.

        Whole parts match from the right, case counts. Public before private, short before long. Empty where nothing is
        called so.
        """

    def members(self, path: str) -> tuple[str, ...]:
        """Return the names of the members of a class or module, inherited ones within the library included."""

    def near(self, name: str) -> tuple[str, ...]:
        """Return up to three paths of names spelt nearly so."""
