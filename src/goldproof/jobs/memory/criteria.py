"""Criteria per kind of query, targets and triggers of a run, and their YAML file.

A query is held to its own criteria where it brings some, else to those of its kind. A target (`overall`) and a trigger
are about the whole run: a measure means there its mean over the queries where it has a value. They may name two more:
`pass_rate`, the share of the queries that passed, and `unexpected_share`, the share of all returned items, over all
queries, that stand for no expected memory. A target is met when it holds; a trigger fires when it holds.

    k: 5
    kinds:
      exact: [Hit@1 = 1]
      semantic: [recall > 90%, precision >= 0.5]
    overall: [relevance_score >= 0.85, pass_rate = 1]
    triggers:
      critical: [relevance_score < 0.7]
      major: []

What a file does not name keeps its default, kind by kind and level by level; `overall` is replaced as a whole. A single
criterion needs no brackets. A kind must have at least one criterion, since its queries could not pass without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from goldproof.errors import InputError
from goldproof.io.forms import Count, Form, Reads, one_of, read_form
from goldproof.io.scenarios.scenario import KINDS
from goldproof.metrics.memory import Criterion, parse_criterion

if TYPE_CHECKING:
    from collections.abc import Collection

    from goldproof.io.scenarios.scenario import Query

# Measures of a whole run, beside those of queries.
RUN_MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "pass_rate": "the share of the queries that passed",
        "unexpected_share": "the share of the returned items that stand for no expected memory",
    }
)
LEVELS = ("critical", "major")
# The bundled rules; their text, comments included, is what users get as their own copy.
CRITERIA_FILE = Path(str(files("goldproof.data") / "memory" / "criteria.yaml"))
_HINT = "Run 'goldproof memory criteria' to see a whole file of rules."
Criteria = tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """An alarm: it fires when its criterion holds on a run; level: critical or major."""

    level: str
    criterion: Criterion


@dataclass(frozen=True, slots=True)
class Rules:
    """How many memories are asked for (k, where a query does not say), and what is good enough.

    kinds: kind -> the criteria of each of its queries. overall: the targets of the run. triggers: its alarms.
    """

    k: int
    kinds: Mapping[str, Criteria]
    overall: Criteria = ()
    triggers: tuple[Trigger, ...] = ()

    def criteria_of(self, query: Query) -> Criteria:
        """Return a query's own criteria, else those of its kind."""
        return query.criteria or self.kinds.get(query.kind, ())

    def to_dict(self) -> dict[str, object]:
        """Return the rules as their file has them, for cards."""
        levels = dict.fromkeys((*LEVELS, *(trigger.level for trigger in self.triggers)))
        return {
            "k": self.k,
            "kinds": {kind: _written(criteria) for kind, criteria in self.kinds.items()},
            "overall": _written(self.overall),
            "triggers": {
                level: _written(tuple(trigger.criterion for trigger in self.triggers if trigger.level == level))
                for level in levels
            },
        }


def _written(criteria: Criteria) -> list[str]:
    return [str(criterion) for criterion in criteria]


def default_rules() -> Rules:
    """Return the rules that come with Goldproof."""
    return _read(CRITERIA_FILE, base=Rules(k=1, kinds={}))


def read_rules(path: Path | str) -> Rules:
    """Read a criteria file; what it does not name is as in the bundled one."""
    return _read(Path(path), base=default_rules())


def _criteria(*, further: Collection[str] = (), needed: bool = False) -> Reads:
    """Return the annotation of a list of criteria, or a single one; further: names allowed beside the measures."""

    def read(value: object) -> Criteria:
        written = [value] if isinstance(value, str) else value
        if not isinstance(written, list) or not all(isinstance(text, str) for text in written):
            raise TypeError
        if needed and not written:
            raise InputError("no criterion, expected at least one: its queries could not pass.")
        return tuple(parse_criterion(text, further=further) for text in written)

    return Reads(read, "criteria, such as [recall > 0.9, precision >= 0.5]")


Kind = Annotated[str, one_of(KINDS, kind="kind of query")]
Level = Annotated[str, one_of(LEVELS, kind="level")]


@dataclass(frozen=True, slots=True)
class _RulesFile(Form):
    EXPECTED = "keys such as k: and kinds:"

    k: Count | None = None
    kinds: Mapping[Kind, Annotated[Criteria, _criteria(needed=True)]] = field(default_factory=dict)
    overall: Annotated[Criteria | None, _criteria(further=RUN_MEASURES)] = None
    triggers: Mapping[Level, Annotated[Criteria, _criteria(further=RUN_MEASURES)]] = field(default_factory=dict)


def _read(path: Path, *, base: Rules) -> Rules:
    named = read_form(path, _RulesFile, hint=_HINT)
    return Rules(
        k=base.k if named.k is None else named.k,
        kinds={**base.kinds, **named.kinds},
        overall=base.overall if named.overall is None else named.overall,
        triggers=_merged(base.triggers, named.triggers),
    )


def _merged(base: tuple[Trigger, ...], named: Mapping[str, Criteria]) -> tuple[Trigger, ...]:
    """Return the triggers by level; a level that the file names replaces that of the base."""
    earlier = {level: tuple(trigger.criterion for trigger in base if trigger.level == level) for level in LEVELS}
    return tuple(
        Trigger(level, criterion) for level, criteria in {**earlier, **named}.items() for criterion in criteria
    )
