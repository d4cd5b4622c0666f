"""Which column of a user's table holds what: named in the recipe, else found by its usual name.

    columns: {question: Frage, answer: Antwort, context: [abstract, body], gold: relevant}
    metadata: [department]

Roles: question, answer, context (one column or several), id, document_id (one or several, parallel to context), title,
gold, aliases. Usual names are compared without regard to case, blanks and hyphens; the first that is there wins.
question, answer and context must be found; the others may be absent. Without `metadata` every other column is kept.
Each file has its own columns. What is named must be in each file that is read; a file of a folder that lacks a needed
column altogether is passed over, as long as another has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.columns import normal_name, shown_names

if TYPE_CHECKING:
    from collections.abc import Sequence

USUAL: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "query", "user_input"),
    "answer": ("answer", "ground_truth", "reference", "expected_answer", "answers", "ground_truths", "response"),
    "context": (
        *("context", "contexts", "reference_contexts", "documents", "document"),
        *("passages", "passage"),
    ),
    "id": ("id", "_id", "question_id", "query_id", "qid", "sample_id"),
    "document_id": (
        *("document_id", "document_ids", "doc_id", "doc_ids", "context_id", "context_ids", "passage_id", "passage_ids"),
    ),
    "title": ("title", "titles", "document_title"),
    "gold": ("gold", "gold_ids", "gold_documents", "gold_contexts"),
    "aliases": ("aliases", "answer_aliases"),
}
NEEDED = ("question", "answer", "context")
SEVERAL = ("context", "document_id")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table by role; metadata: None for every column that plays no role."""

    question: str
    answer: str
    context: tuple[str, ...]
    id: str | None = None
    document_id: tuple[str, ...] = ()
    title: str | None = None
    gold: str | None = None
    aliases: str | None = None
    metadata: tuple[str, ...] | None = None

    def is_used(self, name: str) -> bool:
        """Say whether a column plays a role."""
        single = (self.question, self.answer, self.id, self.title, self.gold, self.aliases)
        return name in single or name in self.context or name in self.document_id


def named_columns(options: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return what the recipe says: role -> columns; `metadata` is one more."""
    given = options.get("columns") or {}
    if not isinstance(given, Mapping):
        raise InputError(f"option 'columns' of the adapter 'table' is {given!r}, expected role: column pairs.")
    for role in given:
        if role not in USUAL:
            raise UnknownNameError("role of a column", str(role), USUAL, hint="Other columns go under `metadata:`.")
    named = {role: _names(role, value) for role, value in given.items()}
    if "metadata" in options:
        named["metadata"] = _names("metadata", options["metadata"])
    return named


def lacks(named: Mapping[str, tuple[str, ...]], header: Sequence[str]) -> str | None:
    """Say which needed column is not in a table at all, so that it is no table of questions; None if all are."""
    free = _free(named, header)
    for role in NEEDED:
        columns = named.get(role)
        if columns is None and not _usual(role, free):
            return f"it has no column for the {role} ({', '.join(USUAL[role][:4])}, ...); found {shown_names(header)}."
        if columns is not None and not any(name in header for name in columns):
            return f"it has no column {columns[0]!r} for the {role}; found {shown_names(header)}."
    return None


def choose_columns(named: Mapping[str, tuple[str, ...]], header: Sequence[str], *, where: str) -> TableColumns:
    """Return the columns that are named, and those with usual names for the other roles."""
    for names in named.values():
        for name in names:
            if name not in header:
                raise UnknownNameError("column", name, header, hint=f"{where} has {shown_names(header)}.")
    free = _free(named, header)
    chosen = {role: named.get(role) or _usual(role, free) for role in USUAL}
    for role in NEEDED:
        if not chosen[role]:
            raise InputError(
                f"{where}: no column for the {role} ({', '.join(USUAL[role][:4])}, ...); found {shown_names(header)}.\n"
                f"  Say which one it is: `columns: {{{role}: NAME}}` in the recipe's source."
            )
    single = {role: next(iter(names), None) for role, names in chosen.items() if role not in (*SEVERAL, *NEEDED)}
    return TableColumns(
        question=chosen["question"][0],
        answer=chosen["answer"][0],
        context=chosen["context"],
        document_id=chosen["document_id"],
        metadata=named.get("metadata"),
        **single,
    )


def _free(named: Mapping[str, tuple[str, ...]], header: Sequence[str]) -> list[str]:
    taken = {name for names in named.values() for name in names}
    return [name for name in header if name not in taken]


def _usual(role: str, header: Sequence[str]) -> tuple[str, ...]:
    by_name = {normal_name(name): name for name in reversed(header)}
    return next(((by_name[name],) for name in USUAL[role] if name in by_name), ())


def _names(role: str, value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(f"the column for {role!r} is {value!r}, expected the name of a column.")
    if role in USUAL and (not names or (len(names) > 1 and role not in SEVERAL)):
        raise InputError(f"the column for {role!r} is {list(names)}, expected one name.")
    return tuple(names)
