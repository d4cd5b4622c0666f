"""GitHub issues and comments: question, comments by author, text without templates and quotations.

- Cleaning: line ends are LF; HTML comments, quoted lines (`> ...`) and slash commands (`/close`) are taken out, code in
  fences is kept as it is.
- Question: the title, where it reads as one (it ends with a question mark or begins with a question word); else the
  title and the body's first question; else the title and the body's first sentence, which says what went wrong. The
  words and fields of the usual forms ("What happened?", "OS: Linux") are not the asker's. A title that asks nothing and
  has no sentence in the body is no question. Tags before the title ("[Bug]", "BUG:") are cut.
- Substance: a comment answers if it has code and some words, or at least eight words outside code, unless half of its
  sentences ask back or it is a stock phrase ("Closing as stale", "Duplicate of #12") with little else.
- Bots are recognised by `user.type` or by a login that ends with `[bot]`. Comments of quotations or commands alone are
  left out; the others are in order of time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import list_of, number_of, text_of
from goldproof.text.code_blocks import fenced_blocks, without_fenced_blocks, without_html_comments
from goldproof.text.tokens import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.adapters.adapter import JsonObject

_NOT_SAID = re.compile(r"[ \t]*(?:>.*|/[a-z][\w-]*(?:[ \t]+[\w@#/.-]+){0,4}[ \t]*)")
_NOT_PROSE = re.compile(
    r"\s*(?:#{1,6}\s.*|[-*+]\s*\[[ xX]\].*|\|.*|!\[.*|<[^>]+>|(?:\*\*.+\*\*|__.+__):?|[-=*_]{3,})\s*"
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9`])|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)")
_TAG = re.compile(
    r"\s*(?:\[[^\]]{1,40}\]\s*:?|(?:[A-Z]{2,6}|(?i:bug|question|feature(?: request)?|docs?|help|regression))\s*:)\s*"
)
_ASKS = re.compile(
    r"(?:how|what|why|where|when|which|who|whose|is|are|was|were|can|could|does|do|did|should|would|will|has|have|any)"
    r"\b(?!')",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"(?:this|the) (?:issue|bug|pr) (?:has been|was|is|will be)\b|duplicate\b|dup of|closing\b|closed\b"
    r"|fixed (?:in|by|via)\b|thank(?:s| you)\b|please (?:fill|provide|share|open|file|search|try|update)\b"
    r"|i'?m closing|any (?:news|update)|same (?:here|issue)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\A\s*\*\*(?:[^*]+\*\*\s*:|[^*]+:\*\*)\s*")
_TEMPLATE = re.compile(
    r"is this an? (?:request|bug|feature)|what (?:happened|did you expect|you expected|keywords|kind of change)\b"
    r"|(?:what is|what's) the (?:current|expected|motivation)\b|do you want to (?:request|submit|work)|anything else we"
    r"|how (?:to|can we) reproduce|(?:please )?(?:describe|tell us)\b|are you willing|does this issue occur|https?:"
    r"|[\w ./()-]{1,30}:\s",
    re.IGNORECASE,
)
_FEW, _LITTLE = 8, 25
_SHORTEST, _LONGEST = 3, 60


def clean(text: str) -> str:
    """Return a text without quotations, slash commands and HTML comments."""
    text = without_html_comments(text.replace("\r\n", "\n").replace("\r", "\n"))
    blocks = fenced_blocks(text)
    parts: list[str] = []
    position = 0
    for block in blocks:
        parts += [_own_words(text[position : block.start]), text[block.start : block.end]]
        position = block.end
    joined = "".join([*parts, _own_words(text[position:])])
    return re.sub(r"\n{3,}", "\n\n", joined).strip() if not blocks else joined.strip()


def _own_words(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not _NOT_SAID.fullmatch(line.rstrip("\n")))


def sentences(text: str) -> list[str]:
    """Return the sentences of a cleaned text, without code blocks, headings, check boxes, tables and pictures."""
    lines = without_fenced_blocks(text).splitlines()
    prose = "\n".join("" if _NOT_PROSE.fullmatch(line) else _LABEL.sub("", line, count=1).strip() for line in lines)
    pieces = (" ".join(sentence.split()) for sentence in _SENTENCE.split(prose))
    return [sentence for sentence in pieces if words(sentence)]


def question_text(title: str, body: str) -> str:
    """Return the question of an issue, "" where it asks nothing."""
    title = " ".join(_TAG.sub("", title, count=1).split()) or " ".join(title.split())
    if title.endswith("?") or (_ASKS.match(title) and len(title.split()) > 2):
        return title
    own = [sentence for sentence in sentences(clean(body)) if _is_own(sentence)]
    more = next((sentence for sentence in own if sentence.endswith("?")), own[0] if own else "")
    if not (title and more):
        return ""
    return more if more.casefold().startswith(title.casefold()) else f"{title.rstrip('.:')}. {more}"


def _is_own(sentence: str) -> bool:
    """Return whether the asker wrote a sentence, not the form that was filled in: neither its words nor its fields."""
    return _SHORTEST <= len(words(sentence)) <= _LONGEST and not _TEMPLATE.match(sentence)


def has_substance(text: str) -> bool:
    """Return whether a cleaned comment has enough substance to be an answer."""
    prose = sentences(text)
    count = sum(len(words(sentence)) for sentence in prose)
    asking = sum(sentence.endswith("?") for sentence in prose)
    if not prose or 2 * asking >= len(prose) or (count < _LITTLE and _STOCK.match(prose[0])):
        return False
    return count >= _FEW or any(block.code.strip() for block in fenced_blocks(text))


_REPOSITORY = re.compile(
    r"https?://(?:api\.github\.com/repos|github\.com)/([\w.-]+/[\w.-]+)(?:/(?:issues|pull)/(\d+))?"
)
_NO = frozenset({"", "[]", "0", "false", "no", "none", "null"})


@dataclass(frozen=True, slots=True)
class Comment:
    """A cleaned comment; `login` is "" where the record does not name its author."""

    login: str
    bot: bool
    association: str
    text: str
    created_at: str


def issue_id(record: JsonObject) -> str:
    """Return `owner/name#number`, "" where the record does not give both."""
    addresses = [text_of(record.get(key)) for key in ("repository_url", "html_url", "url")]
    matches = [match for address in addresses if (match := _REPOSITORY.match(address))]
    number = number_of(record.get("number")) or next((match[2] for match in matches if match[2]), "")
    return f"{matches[0][1]}#{number}" if matches and number else ""


def read_comments(value: object) -> list[Comment]:
    """Return the comments that have text of their own, oldest first."""
    comments = [_comment(item) for item in list_of(value) if isinstance(item, dict)]
    return sorted((comment for comment in comments if comment.text), key=lambda comment: comment.created_at)


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
    """Return whether the record is marked as a duplicate of another."""
    mark = record.get("duplicate")
    return mark.strip().casefold() not in _NO if isinstance(mark, str) else bool(mark)


def label_names(value: object) -> list[str]:
    """Return the names of labels."""
    names = [label.get("name") if isinstance(label, dict) else label for label in list_of(value)]
    return [name for name in map(text_of, names) if name]
