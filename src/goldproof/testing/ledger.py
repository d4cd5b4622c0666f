"""What was paid: one line of JSON for each answer that the server made, so that a client may be killed and counted.

A provider is paid for what it answers, whether the client still lives or not: a line is written and flushed before the
answer is sent. Errors of status 4xx and 5xx cost nothing and stand not in it. Each line: `number` (which request),
`path`, `model`, `content` (hash of what was asked), `nth` (how often that came), `answer` (the step's name), `whole`
(false where the connection was cut), `tokens_in`, `tokens_out`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from goldproof.testing.request import Request
    from goldproof.testing.tokens import Usage


class Ledger:
    """A file that is appended to, from `open` to `close`."""

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._file: TextIO | None = None

    def open(self) -> None:
        """Open the file, which is made where there is none."""
        try:
            self._file = self._path.open("a", encoding="utf-8")
        except OSError as error:
            raise InputError(f"the ledger {self._path} cannot be written: {error}") from error

    def write(self, request: Request, *, answer: str, whole: bool, usage: Usage) -> None:
        """Add an answer."""
        line = {
            "number": request.number,
            "path": request.path,
            "model": request.model,
            "content": request.content,
            "nth": request.nth,
            "answer": answer,
            "whole": whole,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
        }
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def read_ledger(path: Path | str) -> list[dict[str, Any]]:
    """Return the lines of a ledger; a last line that is still being written is left out."""
    text = Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
