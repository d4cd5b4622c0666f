"""Issues and comments as GitHub's REST interface gives them: who wrote what, where, and what kind of issue it is.

Bots are known by `user.type` or by a login that ends with `[bot]`. Comments that say nothing (only quotations or
commands) are left out; the others are in order of time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.issue_text import clean
from goldproof.jobs.build.adapters.record_fields import list_of, number_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.adapters.adapter import JsonObject

_REPOSITORY = re.compile(
    r"https?://(?:api\.github\.com/repos|github\.com)/([\w.-]+/[\w.-]+)(?:/(?:issues|pull)/(\d+))?"
)
_NO = frozenset({"", "[]", "0", "false", "no", "none", "null"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, cleaned; `login` is "" where the record does not say who wrote it."""

    login: str
    bot: bool
    association: str
    text: str
    created_at: str


def issue_id(record: JsonObject) -> str:
    """Return `owner/name#number`, "" where the record does not say it."""
    addresses = [text_of(record.get(key)) for key in ("repository_url", "html_url", "url")]
    found = [match for address in addresses if (match := _REPOSITORY.match(address))]
    number = number_of(record.get("number")) or next((match[2] for match in found if match[2]), "")
    return f"{found[0][1]}#{number}" if found and number else ""


def read_comments(value: object) -> list[Comment]:
    """Return the comments that say anything, oldest first."""
    found = [_comment(item) for item in list_of(value) if isinstance(item, dict)]
    return sorted((comment for comment in found if comment.text), key=lambda comment: comment.created_at)


def _comment(item: Mapping[str, object]) -> Comment:
    user = item.get("user")
    login, kind = (text_of(user.get("login")), text_of(user.get("type"))) if isinstance(user, dict) else ("", "")
    return Comment(
        login=login,
        bot=kind.casefold() == "bot" or login.casefold().endswith("[bot]"),
        association=text_of(item.get("author_association")).upper(),
        text=clean(text_of(item.get("body"))),
        created_at=text_of(item.get("created_at")),
    )


def is_pull_request(record: JsonObject) -> bool:
    """Return whether the record is a pull request: by its own word, or by its address."""
    kind = text_of(record.get("issue_or_pr")).casefold().replace("_", " ")
    addressed = "/pull/" in text_of(record.get("html_url"))
    return kind in {"pr", "pull", "pull request"} or bool(record.get("pull_request")) or addressed


def is_duplicate(record: JsonObject) -> bool:
    """Return whether the record says that it repeats another."""
    said = record.get("duplicate")
    return said.strip().casefold() not in _NO if isinstance(said, str) else bool(said)


def label_names(value: object) -> list[str]:
    """Return the names of labels."""
    names = [label.get("name") if isinstance(label, dict) else label for label in list_of(value)]
    return [name for name in map(text_of, names) if name]
