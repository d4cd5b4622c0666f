"""Running a kept proof by hand: what it observes is printed as JSON when it ends. Nothing is guarded then."""

from __future__ import annotations

import atexit
import sys
from json import dumps
from typing import TYPE_CHECKING

from .journal import Journal
from .observers import make_observers

if TYPE_CHECKING:
    from collections.abc import Callable

    from .texts import Foreign

_STANDARD = frozenset(getattr(sys, "stdlib_module_names", sys.builtin_module_names))


def make_printing() -> dict[str, Callable[..., None]]:
    """Return the public functions, bound to a journal that is printed at exit."""
    journal = Journal()
    script = str(getattr(sys.modules.get("__main__"), "__file__", "proof.py"))
    made = make_observers(journal, script=script, packages=_imported, check=lambda: None)
    atexit.register(_print, journal)
    return made


def _print(journal: Journal) -> None:
    seen: list[Foreign] = journal.observations()
    if seen:
        print(dumps(seen, indent=2, ensure_ascii=False))  # noqa: T201 - printing is what this is for


def _imported() -> tuple[str, ...]:
    """Return the packages that are imported by now and are not of the standard library."""
    tops = {name for name in sys.modules if "." not in name and not name.startswith("_")}
    return tuple(sorted(tops - _STANDARD - {"goldproof_proof", "goldproof_inside"}))
