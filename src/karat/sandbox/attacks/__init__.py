"""The attacks that a sandbox has to hold, with the bait for them."""

from karat.sandbox.attacks.attack import Attack, Outcome, launch
from karat.sandbox.attacks.bait import Bait, laid
from karat.sandbox.attacks.suite import BEYOND, GROUPS

__all__ = ["BEYOND", "GROUPS", "Attack", "Bait", "Outcome", "laid", "launch"]
