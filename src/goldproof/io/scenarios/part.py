"""One mapping of a scenario file: a section whose texts, ids and plain values are read in one way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldproof.core.errors import UnknownNameError
from goldproof.io.scenarios.plain_values import BadPlainValueError, plain_value
from goldproof.io.yaml_section import YamlSection, shown
from goldproof.io.yaml_text import LINE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from goldproof.io.complaints import Complaints

HINT = "docs/memory-scenarios.md shows a whole file."


class Part(YamlSection):
    """A suite, scenario, memory or query."""

    def __init__(self, found: Mapping[Any, object], *, complaints: Complaints, where: str = "") -> None:
        super().__init__(found, complaints=complaints, where=where, hint=HINT)

    def below(self, found: object, what: str, *, expected: str) -> Part:
        """Return a mapping in this one. what: its kind and place, which its id replaces; expected: for the message."""
        where = f"{self.where.removesuffix(': ')}, {what}: ".removeprefix(", ")
        if not isinstance(found, dict):
            said = f"a list of {len(found)}" if isinstance(found, list) else shown(found)
            line = line_of(found) or self._line
            raise self._complaints.fatal(f"{where}is {said}, expected {expected}.", line=line, hint=HINT)
        return Part(found, complaints=self._complaints, where=where)

    def identify(self, *, default: str) -> str:
        """Return the id, by which messages call this part from now on."""
        name = self.name("id", self.values.get("id", default))
        above, _, what = self.where.rpartition(", ")
        self.where = ", ".join(filter(None, (above, f"{what.split()[0]} {name!r}: ")))
        return name

    def name(self, key: str, value: object) -> str:
        """Read an id; a number is one as it is written."""
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"{key} is {shown(value)}, expected an id; put words such as true or null in quotes.")
        return str(value)

    def text(self, key: str, value: object) -> str:
        """Read text that says something."""
        if not isinstance(value, str):
            raise self.wrong(f"{key} is {shown(value)}, expected text.")
        if not value.strip():
            raise self.wrong(f"{key} is empty, expected text.")
        return str(value)

    def one_of(self, key: str, value: object, *, known: Collection[str]) -> str:
        """Read one of several names."""
        if not isinstance(value, str):
            raise self.wrong(f"{key} is {shown(value)}, expected {' or '.join(known)}.")
        if value not in known:
            raise self.wrong(str(UnknownNameError(key, str(value), known)))
        return str(value)

    def plain(self, key: str, value: object) -> object:
        """Read a value as YAML means it."""
        try:
            return plain_value(value)
        except BadPlainValueError as error:
            expected = "expected text, a finite number, true, false or null, or lists of them"
            raise self.wrong(f"{key} is {error}, {expected}.") from error

    def fields(self, key: str, value: object) -> dict[str, object]:
        """Read a mapping of plain values; where nothing is given, there are none."""
        if value is None:
            return {}
        return {name: self.plain(f"{key}: {name}", one) for name, one in self.section(key, value).values.items()}

    def items(self, key: str) -> list[object]:
        """Return the items of a list that must have some."""
        value = self.values.get(key)
        if not isinstance(value, list) or not value:
            found = f"no {key}" if value in (None, []) else f"{key} is {shown(value)}"
            raise self.wrong(f"{found}, expected a list of at least one.")
        return value


def line_of(found: object) -> int | None:
    """Return the line where a mapping or list begins; None for anything else."""
    line = found.get(LINE) if isinstance(found, dict) else getattr(found, "line", None)
    return line if isinstance(line, int) else None
