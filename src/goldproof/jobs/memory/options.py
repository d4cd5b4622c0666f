"""Options that `goldproof memory run` and `goldproof memory tune` share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from goldproof.options import Option

HowMany = Annotated[int | None, Option("Memories to retrieve per query (default: 5).", "N", flag="-k --k", minimum=1)]
Criteria = Annotated[
    object,
    Option(
        "Your own criteria and targets ('goldproof memory criteria' prints a file to start from).", "FILE", type=Path
    ),
]
FailIf = Annotated[
    str | Sequence[str],
    Option(
        "Exit with 1 if this holds: 'MEASURE [SYSTEM] worse|undecided', 'MEASURE [SYSTEM] < N' (<=, >, >=, =), or "
        "'TRIGGER [SYSTEM]': triggers (any of them), critical, major, or a trigger's measure. Repeatable.",
        "EXPR",
        type=list[str],
    ),
]
