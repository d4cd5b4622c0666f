"""All attacks, by what they are after. GROUPS have to be held; of BEYOND it is known that they are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.sandbox.attacks.beyond import BEYOND
from karat.sandbox.attacks.disturbing import DISTURBING
from karat.sandbox.attacks.escaping import ESCAPING
from karat.sandbox.attacks.exhausting import EXHAUSTING
from karat.sandbox.attacks.faking import FAKING
from karat.sandbox.attacks.lingering import LINGERING
from karat.sandbox.attacks.overstaying import OVERSTAYING
from karat.sandbox.attacks.patching import PATCHING
from karat.sandbox.attacks.reaching import REACHING
from karat.sandbox.attacks.reading import READING
from karat.sandbox.attacks.writing import WRITING

if TYPE_CHECKING:
    from karat.sandbox.attacks.attack import Attack

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
