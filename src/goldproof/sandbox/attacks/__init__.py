"""Attacks that a sandbox must withstand, and the bait for them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.attack import Attack, Outcome, launch
    from goldproof.sandbox.attacks.bait import Bait, laid
    from goldproof.sandbox.attacks.suite import BEYOND, GROUPS
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "attack": ("Attack", "Outcome", "launch"),
            "bait": ("Bait", "laid"),
            "suite": ("BEYOND", "GROUPS"),
        },
    )

__all__ = ["BEYOND", "GROUPS", "Attack", "Bait", "Outcome", "laid", "launch"]
