"""The attacks that a sandbox has to hold, with the bait for them."""

from goldproof.sandbox.attacks.attack import Attack, Outcome, launch
from goldproof.sandbox.attacks.bait import Bait, laid
from goldproof.sandbox.attacks.suite import BEYOND, GROUPS

__all__ = ["BEYOND", "GROUPS", "Attack", "Bait", "Outcome", "laid", "launch"]
