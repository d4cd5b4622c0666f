"""Under which key a reply is kept: sha256 over everything that decides it.

That is the model, what it is asked and how (instructions, prompt, schema, purpose, sample, temperature), what was said
before where a form is asked for again, and the number of the attempt where an answer of no use was asked for anew. Of
what only estimates or waits (`expected_tokens`, limits, deadlines) nothing.

    sha256 over each part in turn, as its length in bytes, a colon, and its UTF-8

Not `goldproof.core.keys`: to quote long prompts as JSON takes longer than all else that a kept answer costs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from goldproof.llm.structured import schema_text

if TYPE_CHECKING:
    from goldproof.llm.ask import Ask
    from goldproof.llm.transport import Turn

VERSION = "ask-1"


def ask_key(model: str, ask: Ask, *, attempt: int = 0, turns: tuple[Turn, ...] = ()) -> bytes:
    """Return the key of the reply to a question; model: its key."""
    parts = [
        VERSION,
        model,
        ask.instructions,
        ask.prompt,
        "" if ask.output is None else schema_text(ask.output),
        ask.purpose,
        str(ask.sample),
        repr(float(ask.temperature)),
        str(attempt),
    ]
    for turn in turns:
        parts += (turn.reply, turn.complaint)
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.digest()
