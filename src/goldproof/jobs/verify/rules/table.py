"""Table of all rules, in the order in which they are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules import (
    async_rule,
    code_options_rule,
    code_statement_rule,
    default_rule,
    flag_rule,
    import_rule,
    inheritance_rule,
    keyword_rule,
    names_rule,
    premise_rule,
    printed_rule,
    prose_rule,
    raised_rule,
    returned_rule,
    signature_rule,
    snippet_rule,
    statement_rule,
)

if TYPE_CHECKING:
    from goldproof.jobs.verify.rules.rule import Rule

# What runs before what is looked up: the first to decide an option is the one that reports show.
RULES: tuple[Rule, ...] = (
    premise_rule.RULE,
    snippet_rule.RULE,
    printed_rule.RULE,
    raised_rule.RULE,
    returned_rule.RULE,
    code_statement_rule.RULE,
    import_rule.RULE,
    code_options_rule.RULE,
    flag_rule.RULE,
    keyword_rule.RULE,
    default_rule.RULE,
    inheritance_rule.RULE,
    statement_rule.RULE,
    async_rule.RULE,
    signature_rule.RULE,
    names_rule.RULE,
    prose_rule.RULE,
)
