"""Deduplication rules as YAML.

long_snippet: 50
    near_duplicates: 0.8
    harmless_parameters: {add: [session]}     # a plain list replaces the defaults
    field_aliases: {sender: [from, written_by]}
    generic: {...}                            # results without a type, or of one that has no rules
    types:
      mail: {...}                             # changes a type, by its name or an alias
      ticket:                                 # or adds one
        aliases: [issue]
        ids: [[project, number], ticket_id]
        url_decides: true
        snippet_varies: true
        same_if: [[opened, reporter]]
        different_if: [reporter]
        exact: [branch]
        times: [opened]
        addresses: [reporter]
        fields: {strong: [snippet], intermediate: [title], weak: [status]}
        thresholds:
          with_id: {strong: 1, intermediate: 1, weak: 2}
          without_id: {strong: 1, intermediate: 2, weak: 4}

Whatever a file does not name stays as it is. A type's key replaces what the type had, and is checked: a misspelt key
would otherwise do nothing, silently.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldproof.dedup import DEFAULT_RULES, Rules, TypeRules
from goldproof.dedup.rules import fold
from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.yaml_files import YamlSection, load_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.dedup.rules import Names

_STRENGTHS = ("strong", "intermediate", "weak")
_HINT = "The page on deduplication shows a whole file."


def read_rules(path: Path | str) -> Rules:
    """Read the rules of a file, which start from the defaults."""
    path = Path(path)
    complaints = Diagnostics(path)
    found = load_yaml(path, complaints)
    if not isinstance(found, dict):
        raise complaints.error("holds no settings, expected keys such as types: or near_duplicates:.", hint=_HINT)
    top = YamlSection(found, diagnostics=complaints, hint=_HINT)
    try:
        return _rules(top)
    except FileFormatError:
        raise
    except InputError as error:
        raise complaints.error(str(error)) from error


def _rules(top: YamlSection) -> Rules:
    found = top.read(
        long_snippet=top.whole,
        near_duplicates=top.share,
        harmless_parameters=lambda key, value: _parameters(top, key, value),
        field_aliases=lambda key, value: _aliases(top.section(key, value)),
        generic=lambda key, value: _type(top.section(key, value), DEFAULT_RULES.generic),
        types=lambda key, value: _types(top.section(key, value)),
    )
    return replace(DEFAULT_RULES, **found)


def _parameters(top: YamlSection, key: str, value: object) -> Names:
    if isinstance(value, list):
        return top.names(key, value)
    section = top.section(key, value)
    found = section.read(add=section.names, replace=section.names)
    return (*found.get("replace", DEFAULT_RULES.harmless_parameters), *found.get("add", ()))


def _aliases(section: YamlSection) -> dict[str, Names]:
    heads = {fold(head): head for head in DEFAULT_RULES.field_aliases}
    given = {heads.get(fold(key), key): section.names(key, value) for key, value in section.values.items()}
    return {**DEFAULT_RULES.field_aliases, **given}


def _types(section: YamlSection) -> tuple[TypeRules, ...]:
    types = {one.name: one for one in DEFAULT_RULES.types}
    known = {fold(name): one.name for one in DEFAULT_RULES.types for name in (one.name, *one.aliases)}
    for key, value in section.values.items():
        name = known.get(fold(key), key)
        types[name] = _type(section.section(key, value), types.get(name, TypeRules(name)))
    return tuple(types.values())


def _type(section: YamlSection, before: TypeRules) -> TypeRules:
    """Return the rules of a type with those changed that the file names."""
    found = section.read(
        aliases=section.names,
        ids=section.sets,
        url_decides=section.flag,
        snippet_varies=section.flag,
        same_if=section.sets,
        different_if=section.names,
        exact=section.names,
        times=section.names,
        addresses=section.names,
        fields=lambda key, value: _strengths(section.section(key, value), dict.fromkeys(_STRENGTHS, "names")),
        thresholds=lambda key, value: _thresholds(section.section(key, value), before),
    )
    evidence = replace(before.evidence, **found.pop("fields", {}), **found.pop("thresholds", {}))
    return replace(before, **found, evidence=evidence)


def _strengths(section: YamlSection, readers: Mapping[str, str]) -> dict[str, Any]:
    return section.read(**{strength: getattr(section, reader) for strength, reader in readers.items()})


def _thresholds(section: YamlSection, before: TypeRules) -> dict[str, Any]:
    def enough(key: str, value: object) -> object:
        given = _strengths(section.section(key, value), dict.fromkeys(_STRENGTHS, "count"))
        return replace(getattr(before.evidence, key), **given)

    return section.read(with_id=enough, without_id=enough)
