"""Secrets stay out of messages: providers repeat keys in their errors, and reasons of failures are written to files.

A secret is the value of an environment variable whose name ends in KEY, TOKEN, SECRET, PASSWORD or CREDENTIALS.
"""

from __future__ import annotations

import os
import re

# Shorter values are no keys, and may be words: blotting those would only make messages unreadable.
SHORTEST = 8
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$", re.IGNORECASE)


def without_secrets(message: str) -> str:
    """Return the message with every secret of the environment blotted out."""
    secrets = [value for name, value in os.environ.items() if _SECRET_NAME.search(name) and len(value) >= SHORTEST]
    for secret in sorted(secrets, key=len, reverse=True):  # one may be the beginning of another
        message = message.replace(secret, "***")
    return message
