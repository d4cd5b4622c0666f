"""Compare names of types: `ValueError`, `builtins.ValueError`, `pydantic.ValidationError`.

A type is often imported from another place than where it is defined (`pydantic.ValidationError` is
`pydantic_core._pydantic_core.ValidationError`). So the last parts must be equal, and of what stands before it the top
package, where both are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Packages that define what others export under their own name.
_FAMILIES = ({"pydantic", "pydantic_core"}, {"google", "vertexai"}, {"attr", "attrs"}, {"httpx", "httpcore"})
_NOWHERE = {"builtins", "__main__", "exceptions", "typing", "collections"}


def same_type(named: str, qualified: str) -> bool:
    """Return whether a name as people write it means the type of a qualified name."""
    named, qualified = _bare(named), _bare(qualified)
    if not named or named.rpartition(".")[2] != qualified.rpartition(".")[2]:
        return False
    before, defined = named.rpartition(".")[0], qualified.rpartition(".")[0]
    if not before or before == defined:
        return True
    one, other = before.split(".")[0], defined.split(".")[0]
    if one == other or one in _NOWHERE - {"builtins", "__main__"}:
        return True
    if defined.endswith(before) and defined[: -len(before)].endswith("."):
        return True
    return any(one in family and other in family for family in _FAMILIES)


def position(named: str, mro: Sequence[str]) -> int | None:
    """Return how far up a type stands among what a class inherits from: 0 is the class itself; None: it does not."""
    return next((place for place, one in enumerate(mro) if same_type(named, one)), None)


def _bare(name: str) -> str:
    """Return the name without quotes, brackets and what `[...]` holds."""
    name = name.strip().strip("`'\"").removesuffix("()")
    name = name.removeprefix("<class '").removesuffix("'>")
    return name.partition("[")[0].strip()
