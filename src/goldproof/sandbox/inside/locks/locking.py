"""Apply all locks, in order: `prepare` in the process that forks, `apply` in each fork, just before the script.

plan: plain data.
    readable   paths that may be read and run, besides those of the system
    writable   paths besides the work folder where anything may be done (none unless given)
    limits     the fields of Limits, by name
    signals    "namespace": a PID namespace of its own, signals stay inside of it. "self": to itself only.
    own_mounts whether mounts hide or protect all other files. Without, modes, owners and times of files cannot be
               changed at all, since Landlock lets that through. Default: whether signals is "namespace".
    own_user   whether the process that forks, with one thread, is all that runs as this user (no unless given)
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from . import filtering, landlock, limiting, privileges
from .landlock import Grant, Handled
from .numbers import Architecture, this_architecture
from .rules import rules_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .assembler import Program
    from .rules import Rule

_SYSTEM = """
/usr /lib /lib32 /lib64 /libx32 /bin /sbin
/etc/ld.so.cache /etc/localtime /etc/mime.types /etc/ssl/openssl.cnf /etc/ssl/certs /etc/pki/tls/certs
/dev/random /dev/urandom
"""
_DEVICES = "/dev/null /dev/zero /dev/full"
_OWN_TASKS = 2  # of a user that nobody else has: the process that forks, and the fork
_ITSELF = "/proc/self"  # of each fork, so it is looked up there


class Prepared(NamedTuple):
    """Locks prepared before the fork. architecture, program: None where no filter can be built.

    tasks: how many the user has when a fork starts; None where they have to be counted.
    """

    limits: dict[str, float]
    grants: tuple[Grant, ...]
    handled: Handled
    architecture: Architecture | None
    program: Program | None
    tasks: int | None


def prepare(plan: Mapping[str, Any]) -> Prepared:
    """Build what every fork will put on. From now on scripts cannot look into this process, even as the same user."""
    handled = landlock.ask()
    architecture = this_architecture()
    program = None if architecture is None else filtering.build(_rules(plan, handled), architecture)
    privileges.show(to_others=False)
    tasks = _OWN_TASKS if plan.get("own_user") else None
    return Prepared(dict(plan["limits"]), _grants(plan, handled), handled, architecture, program, tasks)


def apply(prepared: Prepared, workdir: str, *, limits: Mapping[str, float] | None = None) -> list[str]:
    """Lock this process for good. What could not be applied, in words; empty where all locks are on.

    limits: of this run, where they are not those of the plan.
    """
    steps: tuple[tuple[str, Callable[[], list[str] | None]], ...] = (
        ("limits", lambda: limiting.limit(limits or prepared.limits, tasks=prepared.tasks)),
        ("no second thread", _alone),
        ("own /proc", lambda: privileges.show(to_others=True)),
        ("privileges", lambda: _give_up(prepared)),
        ("Landlock", lambda: _confine(prepared, workdir)),
        ("seccomp", lambda: _filter(prepared)),  # last: it forbids calls that the others make
    )
    missing: list[str] = []
    for name, step in steps:
        try:
            missing += step() or []
        except OSError as error:
            missing.append(f"{name}: {error}")
    return missing


def _rules(plan: Mapping[str, Any], handled: Handled) -> tuple[Rule, ...]:
    namespace = plan.get("signals", "self") == "namespace"
    # The process that forks is in the namespace too: only Landlock keeps signals away from it.
    return rules_for(
        signal_others=namespace and handled.holds_signals,
        file_facts=bool(plan.get("own_mounts", namespace)),
        truncate=handled.holds_truncation,
    )


def _grants(plan: Mapping[str, Any], handled: Handled) -> tuple[Grant, ...]:
    readable = (*_SYSTEM.split(), *map(str, plan["readable"]), _ITSELF)
    return (
        *(Grant(path, landlock.READ) for path in readable),
        *(Grant(path, landlock.DEVICE) for path in _DEVICES.split()),
        *(Grant(str(path), landlock.everything(handled)) for path in plan.get("writable", ())),
    )


def _alone() -> list[str]:
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208
    # Landlock binds the calling thread only.
    return [] if threads == 1 else [f"{threads - 1} other threads of the process are not locked"]


def _give_up(prepared: Prepared) -> list[str]:
    if prepared.architecture is None:
        return [f"no numbers of system calls are known for this machine ({sys.platform})"]
    privileges.give_up(prepared.architecture)
    return []


def _confine(prepared: Prepared, workdir: str) -> list[str]:
    handled = prepared.handled
    landlock.restrict((*prepared.grants, Grant(workdir, landlock.everything(handled))), handled)
    if not handled.holds_truncation:
        return [f"Landlock ABI {handled.abi} does not keep readable files from being cut (3 does: Linux 6.2)"]
    return []


def _filter(prepared: Prepared) -> list[str]:
    if prepared.program is None or prepared.architecture is None:
        return ["seccomp: no filter for this machine"]
    filtering.install(prepared.program, pid=os.getpid(), architecture=prepared.architecture)
    return []
