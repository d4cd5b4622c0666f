"""Values of options after a corpus spec: `folder:docs/#size=1200,overlap=100` (`goldproof.core.spec_options`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def whole_number(options: Mapping[str, str], name: str, default: int) -> int:
    """Return an option that is a whole number, not negative."""
    value = options.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit()):
        raise InputError(f"{name}={value}: expected a whole number, such as {name}={default}.")
    return int(value)
