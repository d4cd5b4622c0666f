"""Secrets stay out of messages: providers repeat keys in their errors, and reasons of failures are written to files.

A secret is the value of an environment variable whose name ends in KEY, TOKEN, SECRET, PASSWORD or CREDENTIALS, in the
plural of one, or in one with a number (`OPENAI_API_KEY_2`, `KEY_OLD_1`). It is blotted out as it is sent, without
blanks around it, and as JSON and Python write it: with any of its characters behind a backslash or by its number.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

# Shorter values are no keys, and may be words: blotting those would only make messages unreadable.
SHORTEST = 8
# The key of one's own server may be as short as one likes, and is one for sure.
OWN_KEY, SHORTEST_OWN = "GOLDPROOF_MODEL_KEY", 4
_MOST = 8  # backslashes in the place of one: text that is quoted three times over
_ESCAPE = rf"\\{{1,{_MOST}}}"
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?((_\w*)?\d+)?$", re.IGNORECASE)


def without_secrets(message: str) -> str:
    """Return the message with every secret of the environment blotted out."""
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
    """Return what finds a secret as it is, and as JSON or Python writes it, once or within another text."""
    return re.compile("".join(map(_part, re.findall(r"\\+|[^\\]", secret))))


def _part(part: str) -> str:
    """Return what finds one character, or several backslashes; bounded, so that a text full of them takes no longer."""
    if part[0] == "\\":
        return rf"(?:\\{{{len(part)},{_MOST * len(part)}}}|(?:{_ESCAPE}(?i:u005c|x5c)){{{len(part)}}})"
    by_number = "".join(f"{_ESCAPE}(?i:u{unit:04x})" for unit in _utf_16(part))
    short = f"|{_ESCAPE}(?i:x{ord(part):02x})" if ord(part) < 256 else ""  # as Python does
    named = {"\t": "t", "\n": "n", "\r": "r", "\b": "b", "\f": "f"}.get(part)
    short += f"|{_ESCAPE}{named}" if named else ""
    plain = rf"\\{{0,{_MOST}}}{re.escape(part)}" if part in "\"'/" else re.escape(part)
    return f"(?:{plain}|{by_number}{short})"


def _utf_16(one: str) -> list[int]:
    units = one.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(units[start : start + 2], "big") for start in range(0, len(units), 2)]
