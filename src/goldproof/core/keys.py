"""Content keys: the same content has the same key, in any process, on any day."""

from __future__ import annotations

import hashlib
import json

# Made once: json.dumps would make one for every call.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_key(*parts: object) -> str:
    """Return the sha256 (hex) of the parts in canonical JSON.

    Mapping order does not matter; the types do (1 and "1" differ). Anything that JSON cannot say is an error, since a
    key that depends on `repr` would change under the caller's feet.
    """
    return hashlib.sha256(_CANONICAL.encode(parts).encode("utf-8", "surrogatepass")).hexdigest()
