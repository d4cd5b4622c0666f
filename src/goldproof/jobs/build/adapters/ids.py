"""Ids that survive any order, any day and any file format: no blanks, and never a position.

Sample ids are `<adapter>:<original id>`. A document that has no id of its own is known by its content: a passage with
the same title and text is the same document, in whatever record it stands.
"""

from __future__ import annotations

import re

from goldproof.records.keys import content_key

_UNSAFE = re.compile(r"[^\w.:/@+=#~-]", re.ASCII)


def sample_id(adapter: str, original_id: str) -> str:
    """Return the id of a sample; what a TREC file could not hold in an id is taken out, and a hash keeps it unique."""
    return f"{adapter}:{safe_id(original_id)}"


def passage_id(adapter: str, *, title: str, text: str) -> str:
    """Return the id of a passage that is known by its content only."""
    return f"{adapter}:{content_key(title, text)[:16]}"


def content_id(*parts: object) -> str:
    """Return an original id for a record that has none."""
    return content_key(*parts)[:16]


def safe_id(text: str) -> str:
    """Return an id without blanks and odd characters; one that had them gets a hash of what it was."""
    safe = _UNSAFE.sub("_", text)
    return safe if safe == text else f"{safe}-{content_key(text)[:8]}"
