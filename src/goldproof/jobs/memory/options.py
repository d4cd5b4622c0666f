"""Options that `goldproof memory run` and `goldproof memory tune` share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from goldproof.options import Option

HowMany = Annotated[int | None, Option("How many memories are asked for (default: 5).", "N", flag="-k --k", minimum=1)]
Criteria = Annotated[
    object,
    Option("Your criteria and targets ('goldproof memory criteria' writes one).", "FILE", type=Path),
]
FailIf = Annotated[
    str | Sequence[str],
    Option(
        "Gate: 'MEASURE [SYSTEM] worse|undecided', 'MEASURE [SYSTEM] < N' (<=, >, >=, =), or 'TRIGGER [SYSTEM]': "
        "triggers (any of them), critical, major, or a trigger's measure. Exit 1 if it holds. Repeatable.",
        "EXPR",
        type=list[str],
    ),
]
