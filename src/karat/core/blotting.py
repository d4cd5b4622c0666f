"""Secrets stay out of messages: providers repeat keys in their errors, and reasons of failures are written to files.

A secret is the value of an environment variable whose name ends in KEY, TOKEN, SECRET, PASSWORD or CREDENTIALS, in the
plural of one, or in one with a number (`OPENAI_API_KEY_2`, `KEY_OLD_1`).
"""

from __future__ import annotations

import os
import re

# Shorter values are no keys, and may be words: blotting those would only make messages unreadable.
SHORTEST = 8
# The key of one's own server may be as short as one likes, and is one for sure.
OWN_KEY, SHORTEST_OWN = "KARAT_MODEL_KEY", 4
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?((_\w*)?\d+)?$", re.IGNORECASE)


def without_secrets(message: str) -> str:
    """Return the message with every secret of the environment blotted out."""
    secrets = [value.strip() for name, value in os.environ.items() if _SECRET_NAME.search(name)]  # sent without blanks
    secrets = [secret for secret in secrets if len(secret) >= SHORTEST]
    own = os.environ.get(OWN_KEY, "").strip()
    if len(own) >= SHORTEST_OWN:
        secrets.append(own)
    for secret in sorted(secrets, key=len, reverse=True):  # one may be the beginning of another
        message = message.replace(secret, "***")
    return message
