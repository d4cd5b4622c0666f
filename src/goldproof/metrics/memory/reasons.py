"""Why a measure has no value for a query, in words that tables and files carry."""

from __future__ import annotations

from typing import Final

NOTHING_EXPECTED: Final = "nothing should come"
SOMETHING_EXPECTED: Final = "something should come"
NONE_CAME: Final = "no expected memory came"
NO_SIMILARITY: Final = "the system tells no similarity"
NO_ORDER: Final = "no order is asked for"
NO_PAIR: Final = "fewer than two expected memories of different moments came"
