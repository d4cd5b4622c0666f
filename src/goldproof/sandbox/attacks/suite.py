"""The attack suite, grouped by target. The sandbox must stop all of GROUPS; it is known not to stop BEYOND."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.beyond import BEYOND
from goldproof.sandbox.attacks.disturbing import DISTURBING
from goldproof.sandbox.attacks.escaping import ESCAPING
from goldproof.sandbox.attacks.exhausting import EXHAUSTING
from goldproof.sandbox.attacks.faking import FAKING
from goldproof.sandbox.attacks.lingering import LINGERING
from goldproof.sandbox.attacks.overstaying import OVERSTAYING
from goldproof.sandbox.attacks.patching import PATCHING
from goldproof.sandbox.attacks.reaching import REACHING
from goldproof.sandbox.attacks.reading import READING
from goldproof.sandbox.attacks.writing import WRITING

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.attack import Attack

__all__ = ["BEYOND", "GROUPS"]

GROUPS: dict[str, tuple[Attack, ...]] = {
    "reading": READING,
    "writing": WRITING,
    "reaching": REACHING,
    "disturbing": DISTURBING,
    "escaping": ESCAPING,
    "exhausting": EXHAUSTING,
    "overstaying": OVERSTAYING,
    "lingering": LINGERING,
    "faking": FAKING,
    "patching": PATCHING,
}
