"""What must stand in no reason, also where a server repeats it: the value of a header, the query of an address.

Blotted out is the whole, and what it is made of: the key after `Bearer`, the values of the query. Each also as it looks
quoted in an address, in JSON and in Python, in small letters or large, and its beginning where a message was cut. Parts
of fewer than 6 characters stay: they are words and numbers that many messages hold.
"""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl, quote, quote_plus, unquote, unquote_plus

SHORTEST_PART = 6


class Blots:
    """Secrets of one service."""

    def __init__(self, *, headers: tuple[str, ...], query: str) -> None:
        wholes = {value for value in (*headers, query) if value}
        parts = {part for value in headers for part in value.split()} | {value for _, value in parse_qsl(query)}
        secrets = wholes | {part for part in parts if len(part) >= SHORTEST_PART}
        looks = {look for secret in secrets for look in _looks(secret)}
        self._looks = sorted(looks, key=lambda look: (-len(look), look))  # one may be the beginning of another
        self._whole = re.compile("|".join(map(re.escape, self._looks)) or "(?!)", re.IGNORECASE)

    def out_of(self, text: str) -> str:
        """Return the text with secrets blotted out."""
        text = self._whole.sub("***", text)
        for look in self._looks:
            for length in range(min(len(look), len(text)) - 1, SHORTEST_PART - 1, -1):
                text = text.replace(f"{look[:length]}...", "***...")
        return text


def _looks(secret: str) -> set[str]:
    plain = {secret, unquote(secret), unquote_plus(secret), quote(secret, safe=""), quote_plus(secret)}
    return plain | {json.dumps(one)[1:-1] for one in plain} | {repr(one)[1:-1] for one in plain}
