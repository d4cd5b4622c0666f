"""The public functions, where a script is run by hand: what they observe is printed when it ends."""

from __future__ import annotations

from .by_hand import make_printing

_made = make_printing()
observe = _made["observe"]
observe_anywhere = _made["observe_anywhere"]
observe_code = _made["observe_code"]
observe_command = _made["observe_command"]
observe_import = _made["observe_import"]
observe_keyword = _made["observe_keyword"]
observe_name = _made["observe_name"]
observe_same = _made["observe_same"]
