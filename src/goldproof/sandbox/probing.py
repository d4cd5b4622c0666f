"""Probe a new sandbox before it is used: a quick selection of attacks, all in one run.

Each attack is a file that one script runs, one after the other, since every run may have to import a library first.
Their output is split again, and each is judged as if it had run alone. An attack that could not be tried counts as
broken.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from goldproof.sandbox.attacks.attack import FRESH, SMALL, Outcome, trying
from goldproof.sandbox.attacks.bait import laid
from goldproof.sandbox.attacks.suite import GROUPS

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.attack import Attack
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run
    from goldproof.sandbox.sandbox import Sandbox

# The last one may end the run.
_CHOSEN = (
    "secret file",
    "caller environment",
    "other environments",
    "loopback",
    "unix sockets",
    "write outside",
    "kill",
    "namespaces",
    "system calls",
    "raise limits",
    "leftover daemon",
    "memory bomb",
)
_BEGINS = "goldproof begins"
_SCRIPT = """
for number in range({count}):
    print("\\n{begins}", number, flush=True)
    try:
        exec(compile(open(f"attack{{number}}.py").read(), f"attack{{number}}.py", "exec"), {{"__name__": "attack"}})
    except BaseException as error:
        print("stopped by", type(error).__name__, error, flush=True)
"""


class Probed(NamedTuple):
    """Result of probing. held: attacks that failed. broken: attacks that succeeded or could not be tried, and why."""

    held: tuple[str, ...]
    broken: tuple[str, ...]


def probe(sandbox: Sandbox) -> Probed:
    """Attack a sandbox."""
    attacks = tuple(_named(name) for name in _CHOSEN)
    with laid() as bait:
        run = _run_all(attacks, sandbox, bait=bait)
        outcomes = [_judge(attack, part, bait=bait) for attack, part in zip(attacks, _parts(run), strict=True)]
    return Probed(
        tuple(one.attack.name for one in outcomes if one.held), tuple(one.why for one in outcomes if not one.held)
    )


def _named(name: str) -> Attack:
    return next(attack for group in GROUPS.values() for attack in group if attack.name == name)


def _run_all(attacks: tuple[Attack, ...], sandbox: Sandbox, *, bait: Bait) -> Run:
    files = {f"attack{number}.py": attack.script for number, attack in enumerate(attacks)}
    script = _SCRIPT.format(count=len(attacks), begins=_BEGINS)
    return sandbox.run(
        FRESH, name="probe.py", files={"trying.py": trying(bait), "body.py": script, **files}, limits=SMALL
    )


def _parts(run: Run) -> list[Run]:
    """The run as each attack would have it for itself; one that was not reached has said nothing."""
    said = dict.fromkeys(range(len(_CHOSEN)), "")
    for part in run.stdout.split(f"\n{_BEGINS} ")[1:]:
        number, _, words = part.partition("\n")
        said[int(number)] = words
    return [replace(run, stdout=words) for words in said.values()]


def _judge(attack: Attack, run: Run, *, bait: Bait) -> Outcome:
    return Outcome(attack, run, tried="tried" in run.stdout, succeeded=attack.succeeded(run, bait))
