"""`--fail-if` of an audit: a comma-separated list of verdicts, any of which fails it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.verify.finding import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.finding import Verdict


def parse_verdicts(given: Iterable[str]) -> tuple[Verdict, ...]:
    """Return the verdicts that `incorrect,ambiguous` names, each once, the gravest first."""
    named = [word.strip().lower() for text in given for word in text.split(",")]
    if any(not word for word in named):
        raise InputError("--fail-if: a verdict is empty, expected a comma list such as incorrect,ambiguous,broken.")
    for word in named:
        if word not in VERDICTS:
            raise UnknownNameError("verdict", word, VERDICTS)
    return tuple(verdict for verdict in VERDICTS if verdict in named)
