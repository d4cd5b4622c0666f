"""Exception tree, and the wording of messages: reasons in one line, values cut, secrets redacted.

    GoldproofError                 root; the command line prints its message without a traceback
    ├── InputError             what the user gave is wrong: exit code 2
    │   ├── FileFormatError    a file: names the file and, where it can, the line
    │   ├── UnknownNameError   an unknown metric, run, column, registry entry, ...: suggests near names
    │   ├── IdMismatchError    a run's questions or documents are not those that were judged
    │   └── ConflictError      an output folder holds something else, or is being written by another process
    ├── SearchFailedError      a retriever could not answer a query: says why
    ├── EmbeddingFailedError   an embedder failed for a text or a request; others may succeed
    ├── ModelFailedError       a model could not answer a prompt; others may succeed
    │   └── ModelDownError     it cannot answer at all now (wrong key, quota, down): stop, answers are kept
    ├── StoppedEarlyError      a job stopped early (budget, model down): the same command resumes it
    ├── BudgetSpentError       the next call could cost more than --max-cost leaves: stop, answers are kept
    ├── SandboxError           no sandbox works here: says what was tried, why it failed, what to do
    ├── MissingExtraError      an optional dependency is not installed: says which `pip install` adds it
    └── NothingScoredError     no requested metric has a scored value: exit code 3

A message says where, what was found, what was expected, and what to do next.

A secret is the value of an environment variable whose name ends in KEY, TOKEN, SECRET, PASSWORD or CREDENTIALS, in the
plural of one, or in one with a number (`OPENAI_API_KEY_2`, `KEY_OLD_1`). It is replaced by `***` as it is sent,
without blanks around it, and as JSON and Python write it: with any of its characters escaped by a backslash or by its
number.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class GoldproofError(Exception):
    """Root of every error that Goldproof raises on purpose."""

    exit_code = 2


class InputError(GoldproofError):
    """The user's input is wrong."""


class FileFormatError(InputError):
    """A file is not what it should be: where, what was found, what to do next."""

    def __init__(self, path: Path | str, problem: str, *, line: int | None = None, hint: str = "") -> None:
        self.path = str(path)
        self.line = line
        self.problem = problem
        self.hint = hint
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {problem}" + (f"\n  {hint}" if hint else ""))


class UnknownNameError(InputError):
    """An unknown name; near names are suggested.

    advice: replaces the suggestion. near_to: the part of the name that was looked up.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, advice: str = "", near_to: str = "", hint: str = ""
    ) -> None:
        self.kind = kind
        self.name = name
        suggestion = advice or _suggestion(near_to or name, sorted(known))
        super().__init__(f"unknown {kind} {name!r}; {suggestion}" + (f"\n  {hint}" if hint else ""))


def _suggestion(name: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - start-up stays cheap

    folded = {option.casefold(): option for option in reversed(known)}
    near = get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(repr(folded[n]) for n in near)}?"
    if not known:
        return "none is known."
    return f"known: {', '.join(known[:12])}{', ...' if len(known) > 12 else '.'}"


class IdMismatchError(InputError):
    """A run's questions or documents are not those that were judged, so scores would be meaningless."""


class ConflictError(InputError):
    """An output folder holds something else, or another process is writing it."""


class MissingExtraError(GoldproofError):
    """An optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs the extra {extra!r}: pip install 'goldproof[{extra}]'")


class SearchFailedError(GoldproofError):
    """A retriever could not answer a query."""


class EmbeddingFailedError(GoldproofError):
    """An embedder failed for a text or a request; others may succeed."""


class ModelFailedError(GoldproofError):
    """A model could not answer a prompt; others may succeed."""


class ModelDownError(ModelFailedError):
    """A model cannot answer any prompt now; answers so far are kept."""


class StoppedEarlyError(GoldproofError):
    """A job stopped early; results so far are kept, and the same command resumes it."""


class BudgetSpentError(GoldproofError):
    """The next call could cost more than the budget has left; answers so far are kept."""


class SandboxError(GoldproofError):
    """No sandbox works on this machine, so untrusted code is not run."""


class NothingScoredError(GoldproofError):
    """No requested metric has a scored value."""

    exit_code = 3


LONGEST = 300


def reason_of(error: BaseException) -> str:
    """Return `TypeName: message`, as the reason of a failed query."""
    # Redacted before it is cut: half a key is a secret too.
    text = str(error).encode("utf-8", "backslashreplace").decode()  # half a surrogate pair can be written nowhere
    message = shortened(" ".join(redact(text).split()), longest=LONGEST)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def shown(value: object, *, longest: int = 60) -> str:
    """Return a value as messages show it: its `repr`, redacted and cut."""
    return shortened(redact(repr(value)), longest=longest)


def kind_of(value: object) -> str:
    """Return the type of a value with its article: `a float`, `an int`, `None`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def shortened(text: str, *, longest: int) -> str:
    """Return the text, cut where it is too long."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def counted(n: int, one: str, many: str = "") -> str:
    """Return `1 query`, `1,000 queries`; many: the plural, where the rule does not give it (`questions have`)."""
    return f"{n:,} {one if n == 1 else many or plural(one)}"


def plural(noun: str) -> str:
    """Return the plural of a noun: questions, conversations, queries."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def joined(*sentences: str) -> str:
    """Return the sentences one after the other, empty ones left out."""
    return " ".join(filter(None, sentences))


# Shorter values are no keys, and may be words: redacting those would only make messages unreadable.
SHORTEST = 8

# The key of one's own server may be as short as one likes, and is one for sure.
OWN_KEY, SHORTEST_OWN = "GOLDPROOF_MODEL_KEY", 4

_MOST = 8  # backslashes in the place of one: text that is quoted three times over

_ESCAPE = rf"\\{{1,{_MOST}}}"

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?((_\w*)?\d+)?$", re.IGNORECASE)


def redact(message: str) -> str:
    """Return the message with every secret of the environment replaced by `***`."""
    secrets = [value.strip() for name, value in os.environ.items() if _SECRET_NAME.search(name)]  # sent without blanks
    secrets = [secret for secret in secrets if len(secret) >= SHORTEST]
    own = os.environ.get(OWN_KEY, "").strip()
    if len(own) >= SHORTEST_OWN:
        secrets.append(own)
    for secret in sorted(secrets, key=len, reverse=True):  # one may be the beginning of another
        # Only a text with a backslash can hold it in another form.
        message = _any_form(secret).sub("***", message) if "\\" in message else message.replace(secret, "***")
    return message


@lru_cache(maxsize=256)
def _any_form(secret: str) -> re.Pattern[str]:
    """Return a pattern for a secret as it is, and as JSON or Python writes it, once or within another text."""
    return re.compile("".join(map(_part, re.findall(r"\\+|[^\\]", secret))))


def _part(part: str) -> str:
    """Return a pattern for one character or several backslashes; bounded, so that a text full of them costs no more."""
    if part[0] == "\\":
        return rf"(?:\\{{{len(part)},{_MOST * len(part)}}}|(?:{_ESCAPE}(?i:u005c|x5c)){{{len(part)}}})"
    by_number = "".join(f"{_ESCAPE}(?i:u{unit:04x})" for unit in _utf_16(part))
    short = f"|{_ESCAPE}(?i:x{ord(part):02x})" if ord(part) < 256 else ""  # as Python does
    named = {"\t": "t", "\n": "n", "\r": "r", "\b": "b", "\f": "f"}.get(part)
    short += f"|{_ESCAPE}{named}" if named else ""
    plain = rf"\\{{0,{_MOST}}}{re.escape(part)}" if part in "\"'/" else re.escape(part)
    return f"(?:{plain}|{by_number}{short})"


def _utf_16(character: str) -> list[int]:
    units = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(units[start : start + 2], "big") for start in range(0, len(units), 2)]
