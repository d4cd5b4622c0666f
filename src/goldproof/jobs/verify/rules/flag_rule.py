"""Rule for the options of a command, read from the help it prints.

A flag that the help does not name is refuted; one that it names is confirmed only where nothing but its existence is
asked for. Where a purpose is asked for, proofs of flags that stand alone are named `flag (meaning)`, and the verdict
lifts the single one that the command has where all others are refuted. Commands are those that the question names in
backquotes: `adk web`.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.proof import Control, Proof
from goldproof.jobs.verify.rules.code_proofs import contrary, every
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.scripts import call_text, proof_script

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.proof import Expectation, Power
    from goldproof.jobs.verify.rules.rule import Reading

_COMMAND: Final = re.compile(r"[a-z][\w.-]*(?: [a-z][\w-]*)*")
_FLAG: Final = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_LONGEST: Final = 200  # characters of a command
_EXISTS: Final = re.compile(
    r"(?<!\w)(?:valid|exists?|supported|supports?|accepted|accepts?|available|recogni[sz]ed|offers?|provides?|has"
    r"|have|real)(?!\w)",
    re.IGNORECASE,
)


class FlagRule:
    """Questions of the kind `flag`."""

    name = "flag"
    meaning = "flag (meaning)"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return a proof for each option that names a flag."""
        command = _command(reading)
        if reading.asked.kind != "flag" or not command:
            return ()
        found = {
            letter: tuple(dict.fromkeys(_FLAG.findall(text))) for letter, text in own_options(reading.case).items()
        }
        return [_proof(letter, flags, command=command, reading=reading) for letter, flags in found.items() if flags]


def _proof(letter: str, flags: tuple[str, ...], *, command: tuple[str, ...], reading: Reading) -> Proof:
    there = every([{"check": "flag", "option": flag} for flag in flags])
    negated = reading.asked.negated
    shown = " and ".join(flags)
    says = f"`{' '.join(command)}` has {'no ' if negated else ''}{shown}."
    alone = reading.case.options[letter].strip("` .") == shown
    power = _power(reading, alone=alone)
    expect: Expectation = contrary(there) if negated else there
    return Proof(
        option=letter,
        rule=FlagRule.meaning if power == "refutes" and not negated and alone else RULE.name,
        says=says,
        script=proof_script(call_text("observe_command", *command, "--help"), says=says, uses=("observe_command",)),
        expect=expect,
        control=Control(negated=contrary(expect)),
        power=power,
    )


def _power(reading: Reading, *, alone: bool) -> Power:
    exists = bool(_EXISTS.search(reading.asked.text)) and not reading.asked.meaning
    if alone and exists:
        return "decides"
    # What is there may still be the odd one out, for what it does.
    return "confirms" if reading.asked.negated else "refutes"


def _command(reading: Reading) -> tuple[str, ...]:
    """Return the one command that the question names; empty where it names none, or several."""
    bare = [
        " ".join(part for part in shlex.split(span) if not part.startswith("-"))
        for span in reading.asked.spans
        if len(span) <= _LONGEST and not set(span) & set("'\"\\")
    ]
    found = list(dict.fromkeys(one for one in bare if one and _COMMAND.fullmatch(one)))
    return tuple(found[0].split()) if len(found) == 1 else ()


RULE = FlagRule()
