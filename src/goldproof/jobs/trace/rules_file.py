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

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

from goldproof.dedup import DEFAULT_RULES, Rules, TypeRules
from goldproof.dedup.rules import fold
from goldproof.errors import FileFormatError, InputError
from goldproof.io.forms import Count, Flag, Form, Names, NameSets, ShareOrOff, Whole, one_of, read_form

if TYPE_CHECKING:
    from pathlib import Path

_HINT = "The page on deduplication shows a whole file."


Strength = Annotated[str, one_of(("strong", "intermediate", "weak"), kind="key")]
Case = Annotated[str, one_of(("with_id", "without_id"), kind="key")]


@dataclass(frozen=True, slots=True)
class _Type(Form):
    """Changes of the rules for a type."""

    aliases: Names | None = None
    ids: NameSets | None = None
    url_decides: Flag | None = None
    snippet_varies: Flag | None = None
    same_if: NameSets | None = None
    different_if: Names | None = None
    exact: Names | None = None
    times: Names | None = None
    addresses: Names | None = None
    fields: Mapping[Strength, Names] = field(default_factory=dict)
    thresholds: Mapping[Case, Mapping[Strength, Count]] = field(default_factory=dict)

    def of(self, before: TypeRules) -> TypeRules:
        """Return the rules with the changes."""
        values = {key: value for key in self.__slots__ if (value := getattr(self, key)) is not None}
        changes = values.pop("fields")
        for case, counts in values.pop("thresholds").items():
            changes[case] = replace(getattr(before.evidence, case), **counts)
        return replace(before, **values, evidence=replace(before.evidence, **changes))


@dataclass(frozen=True, slots=True)
class _Parameters(Form):
    replace: Names = DEFAULT_RULES.harmless_parameters
    add: Names = ()

    @classmethod
    def unfold(cls, value: object) -> object:
        """Return the mapping that a plain list stands for."""
        return {"replace": value} if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class _RulesFile(Form):
    EXPECTED = "keys such as types: or near_duplicates:"

    long_snippet: Whole = DEFAULT_RULES.long_snippet
    near_duplicates: ShareOrOff = DEFAULT_RULES.near_duplicates
    harmless_parameters: _Parameters = _Parameters()
    field_aliases: Mapping[str, Names] = field(default_factory=dict)
    generic: _Type = _Type()
    types: Mapping[str, _Type] = field(default_factory=dict)

    def rules(self) -> Rules:
        """Return the default rules with the changes of the file."""
        heads = {fold(head): head for head in DEFAULT_RULES.field_aliases}
        aliases = {heads.get(fold(head), head): names for head, names in self.field_aliases.items()}
        types = {rules.name: rules for rules in DEFAULT_RULES.types}
        known = {fold(name): rules.name for rules in DEFAULT_RULES.types for name in (rules.name, *rules.aliases)}
        for key, changes in self.types.items():
            name = known.get(fold(key), key)
            types[name] = changes.of(types.get(name, TypeRules(name)))
        return Rules(
            types=tuple(types.values()),
            generic=self.generic.of(DEFAULT_RULES.generic),
            harmless_parameters=(*self.harmless_parameters.replace, *self.harmless_parameters.add),
            field_aliases={**DEFAULT_RULES.field_aliases, **aliases},
            long_snippet=self.long_snippet,
            near_duplicates=self.near_duplicates,
        )


def read_rules(path: Path | str) -> Rules:
    """Return the default rules with the changes of a file."""
    changes = read_form(path, _RulesFile, hint=_HINT)
    try:
        return changes.rules()
    except InputError as error:
        raise FileFormatError(path, str(error)) from error
