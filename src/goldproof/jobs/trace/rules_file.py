"""Read deduplication rules from a YAML file.

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

Settings that a file does not name keep their defaults. A key of a type replaces that of the default type. Unknown keys
are refused: a misspelt one would do nothing, silently.
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
    """Return the default rules with the changes of a file."""
    path = Path(path)
    diagnostics = Diagnostics(path)
    settings = load_yaml(path, diagnostics)
    if not isinstance(settings, dict):
        raise diagnostics.error("holds no settings, expected keys such as types: or near_duplicates:.", hint=_HINT)
    top = YamlSection(settings, diagnostics=diagnostics, hint=_HINT)
    try:
        return _rules(top)
    except FileFormatError:
        raise
    except InputError as error:
        raise diagnostics.error(str(error)) from error


def _rules(top: YamlSection) -> Rules:
    settings = top.read(
        long_snippet=top.whole,
        near_duplicates=top.share,
        harmless_parameters=lambda key, value: _parameters(top, key, value),
        field_aliases=lambda key, value: _aliases(top.section(key, value)),
        generic=lambda key, value: _type(top.section(key, value), DEFAULT_RULES.generic),
        types=lambda key, value: _types(top.section(key, value)),
    )
    return replace(DEFAULT_RULES, **settings)


def _parameters(top: YamlSection, key: str, value: object) -> Names:
    if isinstance(value, list):
        return top.names(key, value)
    section = top.section(key, value)
    changes = section.read(add=section.names, replace=section.names)
    return (*changes.get("replace", DEFAULT_RULES.harmless_parameters), *changes.get("add", ()))


def _aliases(section: YamlSection) -> dict[str, Names]:
    heads = {fold(head): head for head in DEFAULT_RULES.field_aliases}
    named = {heads.get(fold(key), key): section.names(key, value) for key, value in section.values.items()}
    return {**DEFAULT_RULES.field_aliases, **named}


def _types(section: YamlSection) -> tuple[TypeRules, ...]:
    types = {rules.name: rules for rules in DEFAULT_RULES.types}
    known = {fold(name): rules.name for rules in DEFAULT_RULES.types for name in (rules.name, *rules.aliases)}
    for key, value in section.values.items():
        name = known.get(fold(key), key)
        types[name] = _type(section.section(key, value), types.get(name, TypeRules(name)))
    return tuple(types.values())


def _type(section: YamlSection, before: TypeRules) -> TypeRules:
    """Return the rules of a type with the file's changes."""
    settings = section.read(
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
    evidence = replace(before.evidence, **settings.pop("fields", {}), **settings.pop("thresholds", {}))
    return replace(before, **settings, evidence=evidence)


def _strengths(section: YamlSection, readers: Mapping[str, str]) -> dict[str, Any]:
    return section.read(**{strength: getattr(section, reader) for strength, reader in readers.items()})


def _thresholds(section: YamlSection, before: TypeRules) -> dict[str, Any]:
    def enough(key: str, value: object) -> object:
        counts = _strengths(section.section(key, value), dict.fromkeys(_STRENGTHS, "count"))
        return replace(getattr(before.evidence, key), **counts)

    return section.read(with_id=enough, without_id=enough)
