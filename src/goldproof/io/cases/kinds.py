"""What kind of case a mapping is: what it says of itself, else what its keys say.

`benchmark_type` is believed in any case; `type` and `kind` may mean something else (`type: conceptual`), so that a
value of theirs which is no kind of ours counts only where the keys say nothing either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.errors import UnknownNameError
from goldproof.io.cases.fields import BadCaseError, CaseFields

if TYPE_CHECKING:
    from goldproof.io.cases.case import Kind

KINDS: tuple[Kind, ...] = ("multiple_choice", "api_understanding", "fix_error", "question")
QUESTION_KEYS = ("question", "query", "text")
_SAID = ("benchmark_type", "type", "kind")
_KEYS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("fix_error", ("unfixed_file", "fixed_file")),
    ("multiple_choice", ("options", "correct_answer")),
    ("api_understanding", ("answers",)),
)


def kind_of(fields: CaseFields, *, default: str = "") -> Kind:
    """Return the kind. default: what the file says of all its cases."""
    unknown = ""
    for key in _SAID:
        said = fields.text(key)
        if known := _known(said):
            return known
        if said and key == "benchmark_type":
            raise BadCaseError(_unknown(said))
        unknown = unknown or said
    found = registry_kind(fields) or _known(default)
    if found:
        return found
    if unknown or default:
        raise BadCaseError(_unknown(unknown or default))
    if fields.text(*QUESTION_KEYS):
        return "question"
    raise BadCaseError(f"is of no known kind ({', '.join(KINDS)}): it has neither benchmark_type nor the keys of one.")


def registry_kind(fields: CaseFields) -> Kind | None:
    """Return the kind that the keys say, of those that only registries have."""
    return next((kind for kind, keys in _KEYS if any(key in fields for key in keys)), None)


def _known(said: str) -> Kind | None:
    plain = "_".join(said.lower().replace("-", " ").replace("_", " ").split())
    return next((kind for kind in KINDS if plain in (kind, f"{kind}s")), None)


def _unknown(said: str) -> str:
    return f"cannot be read: {UnknownNameError('kind of case', said, KINDS)}"
