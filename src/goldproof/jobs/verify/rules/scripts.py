"""Write the text of proof scripts: claim, imports and observations.

A script that was kept can be run by hand, in any environment with the library: `proofs/goldproof_proof` lies beside it,
and what it observes is then printed.
"""

from __future__ import annotations

# A name that nothing has: what is found under it would be found under any.
IMPOSSIBLE = "goldproof_no_such_name"
_HEADER = '''"""{says}"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # goldproof_proof, where this is run by hand
from goldproof_proof import {names}

'''


def proof_script(body: str, *, says: str, uses: tuple[str, ...]) -> str:
    """Return a script. body: lines that observe; says: the claim; uses: what it calls of goldproof_proof."""
    shown = " ".join(says.split()).replace("\\", "\\\\").replace('"""', "'''")
    shown += " " if shown.endswith('"') else ""
    return _HEADER.format(says=shown, names=", ".join(sorted(set(uses)))) + body.rstrip("\n") + "\n"


def call_text(function: str, *arguments: object, **named: object) -> str:
    """Return the text of a call with literal arguments."""
    given = [repr(one) for one in arguments] + [f"{name}={value!r}" for name, value in named.items()]
    return f"{function}({', '.join(given)})"
