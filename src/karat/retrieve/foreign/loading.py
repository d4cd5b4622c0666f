"""Finding the user's object: `module:object`, with the current folder importable as it is for `python -m`."""

from __future__ import annotations

import sys
from pathlib import Path

from karat.core.errors import InputError, KaratError
from karat.core.registry import load_object
from karat.io.cards import sha256_file
from karat.retrieve.foreign.wording import reason_of


def load_target(stage: str, target: object) -> object:
    """Return the object itself, or what `module:object` names."""
    if not isinstance(target, str):
        return target
    folder = str(Path.cwd())
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)
    try:
        return load_object(target)
    except KaratError as error:
        raise InputError(f"{stage}: {error}") from error
    except Exception as error:
        raise InputError(f"{stage}: importing {target!r} failed with {reason_of(error)}") from error


def target_source(target: object) -> str | None:
    """Return the sha256 of the file in which a target is written, so that a changed one is known."""
    module = target.partition(":")[0] if isinstance(target, str) else getattr(target, "__module__", None)
    file = getattr(sys.modules.get(module or ""), "__file__", None)
    return sha256_file(Path(file)) if file and Path(file).is_file() else None


def target_name(target: object) -> str:
    """Return how a target is called in messages and cards."""
    if isinstance(target, str):
        return target
    named = target if hasattr(target, "__qualname__") else type(target)
    return f"{getattr(named, '__module__', 'builtins')}:{getattr(named, '__qualname__', '')}"
