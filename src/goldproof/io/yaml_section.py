"""One mapping of a hand-written YAML file, and how its values are read: every key is known, every problem has its line.

Scalars are text, as `goldproof.io.yaml_text` gives them; numbers and flags from a Python mapping are taken as well. A
misspelt key would otherwise do nothing, silently, so the readers name every key that may be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldproof.core.errors import UnknownNameError
from goldproof.io.yaml_text import LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.core.errors import FileFormatError
    from goldproof.io.complaints import Complaints

Names = tuple[str, ...]


class YamlSection:
    """One mapping of the file.

    where: what stands above it, for messages; hint: what to do about a problem.
    """

    def __init__(self, found: Mapping[Any, object], *, complaints: Complaints, where: str = "", hint: str = "") -> None:
        self._complaints = complaints
        self._hint = hint
        self._line: Any = found.get(LINE)
        self.where = where
        self.values = {str(key): value for key, value in found.items() if key != LINE}

    def read(self, **readers: Callable[[str, object], object]) -> dict[str, Any]:
        """Return the values of the keys that are there; the readers name every key that may be."""
        for key in self.values:
            if key not in readers:
                raise self.wrong(str(UnknownNameError("key", key, readers)))
        return {key: readers[key](key, value) for key, value in self.values.items()}

    def section(self, key: str, value: object) -> YamlSection:
        """Return the mapping under a key."""
        if not isinstance(value, dict):
            raise self.wrong(f"{key} is {shown(value)}, expected a mapping.")
        return YamlSection(value, complaints=self._complaints, where=f"{self.where}{key}: ", hint=self._hint)

    def names(self, key: str, value: object) -> Names:
        """Read a list of names."""
        if not isinstance(value, list) or not all(isinstance(name, str) and name.strip() for name in value):
            raise self.wrong(f"{key} is {shown(value)}, expected a list of names, such as [a, b].")
        return tuple(value)

    def sets(self, key: str, value: object) -> tuple[Names, ...]:
        """Read alternatives, each a list of names or a single name."""
        if not isinstance(value, list) or any(one == [] for one in value):
            raise self.wrong(f"{key} is {shown(value)}, expected lists of names, such as [[a, b], [c]].")
        return tuple(self.names(key, [one] if isinstance(one, str) else one) for one in value)

    def flag(self, key: str, value: object) -> bool:
        """Read true or false."""
        if not isinstance(value, bool):
            raise self.wrong(f"{key} is {shown(value)}, expected true or false.")
        return value

    def whole(self, key: str, value: object) -> int:
        """Read a whole number."""
        value = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not (isinstance(value, str) and value.isascii() and value.isdigit()):
            raise self.wrong(f"{key} is {shown(value)}, expected a whole number.")
        return int(value)

    def count(self, key: str, value: object) -> int:
        """Read a whole number above 0."""
        number = self.whole(key, value)
        if number < 1:
            raise self.wrong(f"{key} is 0, expected at least 1: nothing would then be enough.")
        return number

    def share(self, key: str, value: object) -> float | None:
        """Read a number above 0 and at most 1; None where it is switched off."""
        if value is None or value is False:
            return None
        try:
            number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else -1.0
        except ValueError:
            number = -1.0
        if not 0 < number <= 1:
            raise self.wrong(f"{key} is {shown(value)}, expected a number above 0 and at most 1, or null for off.")
        return number

    def wrong(self, problem: str) -> FileFormatError:
        """Return the error for a problem of this section; the caller raises it."""
        return self._complaints.fatal(f"{self.where}{problem}", line=self._line, hint=self._hint)


def shown(value: object) -> str:
    """Return a value as a message shows it."""
    if isinstance(value, dict):
        return "a mapping"
    try:
        text = "nothing" if value is None else repr(value)
    except RecursionError:
        return "a list of lists of lists"
    return text if len(text) <= 60 else text[:57] + "..."
