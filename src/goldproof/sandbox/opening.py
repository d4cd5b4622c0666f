"""Open a sandbox at the strongest level that holds here, found by starting it and attacking it.

Levels are tried in this order: bubblewrap, then locks alone; a container only where it is asked for. Running without
isolation must be allowed (unsafe), and every run says so.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError, SandboxError
from goldproof.sandbox.bubblewrap import Bubblewrap
from goldproof.sandbox.channel import LostError
from goldproof.sandbox.container import Container
from goldproof.sandbox.limits import Limits
from goldproof.sandbox.locked import Locked, Unlocked
from goldproof.sandbox.pool import Pool
from goldproof.sandbox.users import is_root
from goldproof.sandbox.zygote import Loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.sandbox.interpreter import Interpreter
    from goldproof.sandbox.launch import Launcher
    from goldproof.sandbox.run import Level
    from goldproof.sandbox.sandbox import Sandbox

NEXT = (
    "Install bubblewrap (make system-deps) and allow user namespaces, name a container with --container, "
    "or run it without isolation with --unsafe."
)


def open_sandbox(
    interpreter: Interpreter,
    *,
    imports: Sequence[str] = (),
    workers: int | None = None,
    limits: Limits | None = None,
    level: Level | None = None,
    container: str | None = None,
    unsafe: bool = False,
    probe: bool = True,
    hash_seed: int = 0,
) -> Sandbox:
    """Open a sandbox at the best level that holds; SandboxError says what was tried where none does.

    imports: modules to import beforehand, besides the interpreter's packages; those that fail are passed over.
    workers: how many scripts run at a time; one per core unless given. level: try only this one. container: a command
    that runs another in a container. unsafe: run without isolation where nothing holds. probe: attack it first.
    hash_seed: Python's, which decides the order of sets.
    """
    loads = Loads(interpreter.packages, tuple(imports), limits or Limits())
    tried: list[str] = []
    seeded = _Seeded(interpreter, loads.limits, hash_seed)
    for launcher in _launchers(seeded, level=level, container=container, unsafe=unsafe):
        pool = Pool(launcher, loads=loads, workers=workers or os.cpu_count() or 1)
        try:
            _prove(pool, probe=probe)
        except LostError as error:
            pool.close()
            tried.append(f"{launcher.about}: {error}")
        except BaseException:
            pool.close()
            raise
        else:
            pool.note(*(f"no stronger level holds: {reason}" for reason in tried))
            return pool
    raise SandboxError(f"no sandbox holds on this machine ({'; '.join(tried) or 'none was tried'}).\n  {NEXT}")


class _Seeded(NamedTuple):
    """Arguments that launchers of all levels share."""

    interpreter: Interpreter
    limits: Limits
    hash_seed: int


def _launchers(seeded: _Seeded, *, level: Level | None, container: str | None, unsafe: bool) -> Iterator[Launcher]:
    if level == "container" and container is None:
        raise InputError("the level 'container' needs the command of a container: container='podman run ...'.")
    if container is not None and level in {None, "container"}:
        yield Container(container, hash_seed=seeded.hash_seed)
    elif sys.platform == "linux":
        if level in {None, "bubblewrap"}:
            yield from _bubblewraps(seeded)
        if level in {None, "locks"}:
            yield Locked(seeded.interpreter, seeded.hash_seed)
    if level == "unsafe" or (unsafe and level is None):
        yield Unlocked(seeded.interpreter, seeded.hash_seed)


def _bubblewraps(seeded: _Seeded) -> Iterator[Launcher]:
    interpreter, limits, hash_seed = seeded
    program = shutil.which("bwrap") or ""
    yield Bubblewrap(interpreter, limits, program=program, hash_seed=hash_seed)
    if is_root():
        yield Bubblewrap(interpreter, limits, program=program, by_user=True, hash_seed=hash_seed)


def _prove(pool: Pool, *, probe: bool) -> None:
    """Start a sandbox, run an empty script, attack it; LostError where it does not hold."""
    said = pool.start()
    pool.note(*_about(said, pool))
    unlocked = pool.unlocked()
    if pool.launcher.level == "locks" and any(not entry.startswith("Landlock ABI") for entry in unlocked):
        raise LostError(f"not all locks could be put on: {'; '.join(unlocked)}")
    pool.note(*unlocked)
    if probe:
        _attack(pool)


def _about(said: dict[str, object], pool: Pool) -> Iterator[str]:
    yield f"scripts run as user {said.get('uid')}"
    failed, threads, skipped = said.get("failed"), said.get("threads"), said.get("skipped")
    if isinstance(failed, list) and failed:
        yield f"every script imports for itself, since this cannot be imported beforehand: {failed[0]}"
    elif pool.mode == "cold":
        yield f"every script imports for itself, since {threads} threads run after the imports"
    if isinstance(skipped, list) and skipped:
        yield f"{len(skipped)} modules could not be imported beforehand, the first is {skipped[0]}"


def _attack(pool: Pool) -> None:
    from goldproof.sandbox.probing import probe as attack  # noqa: PLC0415 - attacks are only loaded to attack

    held, broken = attack(pool)
    if broken and pool.launcher.level != "unsafe":
        raise LostError(f"attacks were not stopped: {', '.join(broken)}")
    pool.isolation = replace(pool.isolation, held=tuple(held), broken=tuple(broken))
