"""Rules as people write them: a YAML file that names only what differs from the bundled one.

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

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.scenarios.scenario import KINDS
from goldproof.io.yaml_files import LinedList, YamlSection, load_marked_yaml, shown
from goldproof.jobs.memory.rules import LEVELS, RUN_MEASURES, Rules, Trigger
from goldproof.metrics.memory.criterion import parse_criterion

if TYPE_CHECKING:
    from collections.abc import Collection

    from goldproof.metrics.memory.criterion import Criterion

Criteria = tuple["Criterion", ...]
# The bundled rules; their text, comments included, is what users get as their own copy.
CRITERIA_FILE = Path(str(files("goldproof.data") / "memory" / "criteria.yaml"))
_HINT = "Run 'goldproof memory criteria' to see a whole file of rules."
_NO_RULES = Rules(k=1, kinds={})


def default_rules() -> Rules:
    """Return the rules that come with Goldproof."""
    return _read(CRITERIA_FILE, base=_NO_RULES)


def read_rules(path: Path | str) -> Rules:
    """Read a file of rules; what it does not name is as in the bundled one."""
    return _read(Path(path), base=default_rules())


def _read(path: Path, *, base: Rules) -> Rules:
    complaints = Diagnostics(path)
    found = load_marked_yaml(path, complaints)
    if not isinstance(found, dict):
        raise complaints.fatal("holds no rules, expected keys such as k: and kinds:.", hint=_HINT)
    top = YamlSection(found, complaints=complaints, hint=_HINT)
    values = top.read(
        k=top.count,
        kinds=lambda key, value: _kinds(top.section(key, value), complaints),
        overall=lambda key, value: _criteria(top, key, value, complaints=complaints, further=RUN_MEASURES),
        triggers=lambda key, value: _triggers(top.section(key, value), complaints),
    )
    return Rules(
        k=values.get("k", base.k),
        kinds={**base.kinds, **values.get("kinds", {})},
        overall=values.get("overall", base.overall),
        triggers=_merged(base.triggers, values.get("triggers", {})),
    )


def _kinds(section: YamlSection, complaints: Diagnostics) -> dict[str, Criteria]:
    for kind in section.values:
        if kind not in KINDS:
            raise section.wrong(str(UnknownNameError("kind of query", kind, KINDS)))
        if section.values[kind] == []:
            raise section.wrong(f"{kind} has no criterion, expected at least one: its queries could not pass.")
    return {kind: _criteria(section, kind, value, complaints=complaints) for kind, value in section.values.items()}


def _triggers(section: YamlSection, complaints: Diagnostics) -> dict[str, Criteria]:
    for level in section.values:
        if level not in LEVELS:
            raise section.wrong(str(UnknownNameError("level", level, LEVELS)))
    return {
        level: _criteria(section, level, value, complaints=complaints, further=RUN_MEASURES)
        for level, value in section.values.items()
    }


def _merged(base: tuple[Trigger, ...], named: dict[str, Criteria]) -> tuple[Trigger, ...]:
    """Return the triggers by level, those of a level that the file names instead of the earlier ones."""
    earlier = {level: tuple(one.criterion for one in base if one.level == level) for level in LEVELS}
    return tuple(Trigger(level, one) for level, criteria in (earlier | named).items() for one in criteria)


def _criteria(
    section: YamlSection, key: str, value: object, *, complaints: Diagnostics, further: Collection[str] = ()
) -> Criteria:
    """Read a list of criteria, or a single one; further: names that it may hold beside the measures."""
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list):
        raise section.wrong(f"{key} is {shown(value)}, expected criteria, such as [recall > 0.9, precision >= 0.5].")
    try:
        return tuple(parse_criterion(one, further=further) for one in written)
    except InputError as error:
        problem = f"{key}: {' '.join(str(error).split())}"
        if isinstance(value, LinedList):  # its own line is nearer than that of the mapping
            raise complaints.fatal(section.where + problem, line=value.line, hint=_HINT) from error
        raise section.wrong(problem) from error
