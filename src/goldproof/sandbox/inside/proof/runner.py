"""Running one proof: a script, from its source, with the observer at hand as `goldproof_proof`.

To be called once in a process. The script finds a `goldproof_proof` that holds the public functions only. What it
changes after its last observation does not matter.
"""

from __future__ import annotations

import sys
from os.path import abspath
from types import ModuleType
from typing import TYPE_CHECKING

from . import stand_ins
from .attempts import exit_code
from .guarding import Guard, start
from .integrity import take_snapshot
from .journal import Journal
from .observers import make_observers
from .programs import compiled, main_module, run_compiled
from .texts import Foreign, clean, text_of
from .values import short_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from .integrity import Snapshot

# What the observer stands on: a script that replaces any of it could have other things sent.
_MAY_CHANGE = frozenset({"exit", "help", "input", "open", "print", "quit", "_"})
_OWN = take_snapshot((__package__, "builtins", "inspect", "ast", "json"), besides=_MAY_CHANGE)

_HIDDEN: list[str] = []  # names of the observer's modules, where they were noted,
_LOADED: list[int] = []  # and how many modules there were


def run_script(source: str, *, name: str, snapshot: Snapshot | None) -> dict[str, Foreign]:
    """Run a script and return the message about it: how it ended, what it observed, what it tried."""
    file = abspath(name)  # noqa: PTH100 - as it is called, links and all
    folder = file.rpartition("/")[0] + "/"
    journal, guard = Journal(), Guard({file, name, "snippet.py", "import.py"}, snapshot, folder=folder)

    def check() -> None:
        found = [*_OWN.changes(), *(snapshot.changes() if snapshot is not None else ())]
        guard.changed.extend(one for one in found if one not in guard.changed)

    packages = () if snapshot is None else snapshot.packages
    observers = make_observers(journal, script=file, packages=lambda: packages, check=check)
    _offer(observers)
    start(guard)  # to the end of the process: a thread of the script may still run
    ended, reason = _run(source, file, ready=None if snapshot is None else snapshot.settle)
    guard.changed.extend(one for one in _OWN.changes() if one not in guard.changed)
    return {
        "ended": ended,
        "observations": journal.observations(),
        "reason": reason,
        "blocked": guard.blocked,
        "changed": guard.changed,
    }


def _run(source: str, file: str, *, ready: Callable[[], None] | None) -> tuple[str, str]:
    sys.argv = [file]
    folder = file.rpartition("/")[0] or "/"
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        code = compiled(source, file, value=False)
        with main_module(source, file) as namespace:
            _OWN.settle()
            if ready is not None:
                ready()
            run_compiled(code, namespace)
    except SystemExit as error:
        code_text = exit_code(error.code)
        return "exited", f"the script ended itself by sys.exit({code_text!r})"
    except BaseException as error:  # noqa: BLE001 - whatever the script raises
        return "crashed", clean(f"the script raised {short_name(type(error))}: {text_of(error, str)}", 500)
    return "finished", ""


def prepare() -> None:
    """Note which modules are the observer's: in the process that forks, so that no fork has to read all names."""
    _HIDDEN[:] = _own_modules()
    _LOADED[:] = [len(sys.modules)]


def _own_modules() -> list[str]:
    return [name for name in sys.modules if name.split(".")[0] in {"goldproof_inside", "goldproof_proof"}]


def _offer(observers: dict[str, Foreign]) -> None:
    """Put a module in place that holds the public functions only, and take away the ways to what is behind them."""
    noted = len(sys.modules) in _LOADED
    for name in _HIDDEN if noted else _own_modules():
        del sys.modules[name]
    module = ModuleType("goldproof_proof")
    module.__dict__.update(observers, stand_ins=stand_ins, __path__=[])
    sys.modules["goldproof_proof"] = module
    sys.modules["goldproof_proof.stand_ins"] = stand_ins
