"""Preload the zygote before it forks: the library, the observers, and what both build lazily.

A library that starts threads cannot be forked safely, and one that cannot be imported here may still be imported by a
script: then the zygote stays bare and every child imports for itself (cold).
"""

# ruff: noqa: PTH208 - plain names and descriptors cost no import
from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .child import import_all

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 200
STANDARD = ("asyncio", "contextlib", "dataclasses", "enum", "inspect", "io", "json", "logging", "traceback", "types")


@contextmanager
def in_time() -> Iterator[None]:
    """End this process where loading hangs: there may be no other that could."""
    before = signal.signal(signal.SIGALRM, lambda *_: os._exit(1))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def load_observers(modules: list[str]) -> None:
    """Import everything of goldproof_inside.proof, and make it importable as goldproof_proof: one copy of its state."""
    for name in sorted(modules):
        if name.startswith("goldproof_inside.proof") and not name.endswith("__main__"):
            module = importlib.import_module(name)
            sys.modules[name.replace("goldproof_inside.proof", "goldproof_proof", 1)] = module


def load_library(packages: list[str], *, imports: list[str]) -> dict[str, Any]:
    """Import and warm up; say what failed and how many threads run now."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        failed = import_all(packages)
        skipped = import_all(imports)
        if not failed:
            _warm([*packages, *imports])
    return {"failed": failed, "skipped": skipped, "threads": len(os.listdir("/proc/self/task"))}


def _warm(modules: list[str]) -> None:
    import_all(list(STANDARD))
    asyncio.run(_nothing())
    for name in modules:
        _touch_exports(sys.modules.get(name))
    for name, module in sorted(sys.modules.items()):
        if any(name == package or name.startswith(package + ".") for package in modules):
            _complete_models(vars(module))


async def _nothing() -> None:
    """Run once, so that the machinery of event loops is loaded."""


def _touch_exports(module: object) -> None:
    """Many packages import what they export when it is first asked for."""
    for name in list(getattr(module, "__all__", ())):
        try:
            getattr(module, name)
        except BaseException:  # noqa: BLE001, S112 - the code of a library; only a warm-up
            continue


def _complete_models(members: dict[str, Any]) -> None:
    """Pydantic builds some models when they are first used: once here instead of once in every child."""
    for member in list(members.values()):
        try:
            if isinstance(member, type) and member.__dict__.get("__pydantic_complete__") is False:
                member.model_rebuild(raise_errors=False)  # type: ignore[attr-defined]
        except Exception:  # noqa: BLE001, S112 - the code of a library; only a warm-up
            continue
