"""What a question is about: what the metadata names and the question repeats, and the identifiers it names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.identifiers import identifiers, log_identifiers
from goldproof.jobs.build.unanswerables.names import core_words, find_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.build.sample import Sample
    from goldproof.jobs.build.unanswerables.identifiers import Identifier
    from goldproof.jobs.build.unanswerables.proposal import Group

_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
ENTITY_FIELDS = {
    "company_name": "company",
    "company": "company",
    "repo": "repository",
    "repository": "repository",
    "product": "product",
    "library": "library",
}


def named_subjects(sample: Sample) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) of what the metadata names, each kind once."""
    seen: set[str] = set()
    for field, kind in ENTITY_FIELDS.items():
        value = sample.metadata.get(field)
        if isinstance(value, str) and value.strip() and kind not in seen:
            seen.add(kind)
            yield kind, value


def named_identifiers(sample: Sample) -> tuple[Identifier, ...]:
    """Return the identifiers that a question about code or logs names; other questions have none."""
    if sample.doc_type == "code_config":
        return identifiers(sample.question)
    return log_identifiers(sample.question) if sample.doc_type == "log_ticket" else ()


def identifier_home(sample: Sample) -> str:
    """Return where its identifiers belong, the repository or the log: a substitute must come from elsewhere."""
    return str(sample.metadata.get("repo") or next(iter(sample.context_ids), sample.id))


def founded(sample: Sample) -> int:
    """Return the year in which the company was founded, the last where several are told; 0 where none is."""
    found = _YEAR.findall(str(sample.metadata.get("company_founded", "")))
    return max(map(int, found), default=0)


def subject_groups(sample: Sample) -> tuple[Group, ...]:
    """Return what a document must hold to be about the question's subject; nothing where the question names none."""
    named = (name for _, name in named_subjects(sample) if find_mentions(sample.question, name))
    return tuple((" ".join(core_words(name)),) for name in named)
