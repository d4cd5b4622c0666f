"""Observing an import statement: does it work, and what are its names then bound to."""

from __future__ import annotations

from .attempts import attempt
from .programs import compiled, main_module, run_compiled
from .texts import cut
from .values import class_name, name_of

_FILE = "import.py"
_MOST = 200
_ALWAYS = frozenset({"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__file__", "__builtins__"})


def import_seen(statement: str) -> dict[str, object]:
    """Run an import statement and return what became of it. bound: name -> what it is now bound to."""
    if type(statement) is not str:
        raise TypeError(f"observe_import takes the statement as text; found {type(statement).__name__}")
    bound: dict[str, object] = {}
    seen = attempt(lambda: _run(statement, bound), given=frozenset({_FILE}), awaits=False)
    return {"kind": "import", "name": cut(statement, 200), **seen, "bound": bound}


def _run(statement: str, bound: dict[str, object]) -> None:
    code = compiled(statement, _FILE, value=False)
    with main_module(statement, _FILE) as namespace:
        run_compiled(code, namespace)
        names = [name for name in namespace if name not in _ALWAYS][:_MOST]
        bound.update((name, _bound_to(namespace[name])) for name in names)


def _bound_to(value: object) -> str:
    return name_of(value) or f"an instance of {class_name(type(value))}"
