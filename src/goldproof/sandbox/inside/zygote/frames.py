"""Message framing over a pair of descriptors: eight bytes of length, then JSON."""

from __future__ import annotations

import json
import os
from typing import Any

HEAD = 8


def send(descriptor: int, message: Any) -> None:  # noqa: ANN401 - anything that JSON can say
    """Write one message, whole."""
    body = json.dumps(message).encode("ascii")
    data = memoryview(len(body).to_bytes(HEAD, "big") + body)
    while data:
        data = data[os.write(descriptor, data) :]


def receive(descriptor: int) -> Any:  # noqa: ANN401
    """Return the next message; EOFError where the other side is gone."""
    size = int.from_bytes(_exactly(descriptor, HEAD), "big")
    return json.loads(_exactly(descriptor, size))


def _exactly(descriptor: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
