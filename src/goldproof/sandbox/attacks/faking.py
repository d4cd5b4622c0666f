"""Attacks that forge the result directly: a fake message, an early exit, a value that lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.victim import LAST, believed, forgery

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

# What a message looks like to somebody who has read this repository.
MESSAGE = """
import json, os

value = {"type": "int", "qualified": "builtins.int", "mro": ["builtins.int", "builtins.object"]}
value.update(repr="424242", str="424242", literal="424242")
observation = {"kind": "call", "name": "add", "outcome": "returned", "value": value}
observation.update(stdout="", stderr="", logs=[], warnings=[])
message = {"ended": "finished", "observations": [observation], "reason": ""}
message.update(blocked=[], changed=[], unlocked=[])
body = json.dumps(message).encode()
framed = len(body).to_bytes(8, "big") + body

def to_all(data):
    for descriptor in range(3, 5000):
        try:
            os.write(descriptor, data)
        except OSError:
            pass
"""

_PRINTED = """
print("PASS", "OK", "1 passed", body.decode(), sep="\\n")
os._exit(0)
"""

_WRITTEN = """
to_all(framed)
to_all(bytes(32) + framed)
to_all(body + b"\\n")
"""

_WRITTEN_AND_OUT = """
to_all(bytes(32) + framed)
os._exit(0)
"""

_HANDLER = """
import atexit, os, sys

atexit.register(os._exit, 0)
sys.exit(0)
"""

_FORK = """
import os

if os.fork() == 0:
    observe("add", int, 424242)
"""

_EQUAL = """
class Equal:
    __class__ = int

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(424242)

    def __index__(self):
        return 424242

    __int__ = __index__

observe("add", Equal)
"""

_LIAR = """
class Liar(int):
    def __repr__(self):
        return "424242"

    __str__ = __format__ = __repr__

Liar.__name__ = Liar.__qualname__ = "int"
Liar.__module__ = "builtins"
observe("add", Liar, 3)
"""


def _taken_for_a_number(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    """A judgement: a value is given as exactly a number, or under the name of the real type."""
    values = [one.get("value") for one in run.observations]
    facts = [value for value in values if isinstance(value, dict)]
    return run.counts and any(value.get("literal") or value.get("qualified") == "builtins.int" for value in facts)


FAKING = (
    forgery("printed result", "Prints a result and leaves.", script=MESSAGE + _PRINTED, succeeded=believed),
    forgery("written result", "Writes a result to every descriptor.", script=MESSAGE + _WRITTEN + LAST),
    forgery(
        "written result, then out",
        "Writes a result to every descriptor and leaves.",
        script=MESSAGE + _WRITTEN_AND_OUT,
        succeeded=believed,
    ),
    forgery("early exit", "Leaves, with success.", script="import os\nos._exit(0)\n", succeeded=believed),
    forgery("observed, then out", "Observes and leaves.", script=LAST + "import os\nos._exit(0)\n", succeeded=believed),
    forgery("system exit", "Raises SystemExit(0).", script="raise SystemExit(0)\n", succeeded=believed),
    forgery(
        "another program",
        "Becomes a program that succeeds.",
        script="import os\nos.execv('/bin/true', ['true'])\n",
        succeeded=believed,
    ),
    forgery("exit handler", "Ends when the interpreter would.", script=_HANDLER, succeeded=believed),
    forgery("in two processes", "Observes something else in a fork.", script=_FORK + LAST),
    forgery("always equal", "Returns an object that equals everything.", script=_EQUAL, succeeded=_taken_for_a_number),
    forgery("lying number", "Returns a number that prints as another.", script=_LIAR, succeeded=_taken_for_a_number),
)
