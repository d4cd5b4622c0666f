"""Run a program on a terminal of its own (a pty), and read the screen that it leaves."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from signal import Signals

PATIENCE = 60.0
_PARTS = re.compile(r"\x1b\[(?P<numbers>[?\d;]*)(?P<code>[A-Za-z])|(?P<text>[^\x1b\r\n]+)|(?P<move>[\r\n])")


class Ended(NamedTuple):
    """A program that has ended. printed: all bytes that came, as text; screen: the lines that they leave."""

    code: int
    printed: str

    @property
    def screen(self) -> list[str]:
        """The lines that stay, without empty ones at the end."""
        return screen(self.printed)

    @property
    def cursor_is_shown(self) -> bool:
        """Whether the last that was said of the cursor is that it is shown."""
        return self.printed.rfind("\x1b[?25h") >= self.printed.rfind("\x1b[?25l")


def on_terminal(
    program: str,
    *,
    signal: Signals | None = None,
    when: str = "",
    stdout: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run Python code with stderr on a terminal; stdout too, unless a file is named. signal: sent once `when` came."""
    ours, theirs = os.openpty()
    file = None if stdout is None else stdout.open("wb")
    plain = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=theirs,
        stdout=theirs if file is None else file,
        stderr=theirs,
        env={**plain, "TERM": "xterm-256color", **(environment or {})},
    )
    os.close(theirs)
    if file is not None:
        file.close()
    printed, deadline = b"", time.monotonic() + PATIENCE
    with process:
        while piece := _read(ours):
            printed += piece
            if signal is not None and when.encode() in printed:
                process.send_signal(signal)
                signal = None
            if time.monotonic() > deadline:
                process.kill()
    os.close(ours)
    return Ended(process.returncode, printed.decode())


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is closed
        return b""


def screen(printed: str) -> list[str]:
    """Return the lines that stay on a wide terminal: the codes that move, erase or colour are followed."""
    lines, row, column = [""], 0, 0
    for part in _PARTS.finditer(printed):
        if (text := part["text"]) is not None:
            line = lines[row].ljust(column)
            lines[row], column = line[:column] + text + line[column + len(text) :], column + len(text)
        elif part["move"] == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif part["move"] == "\r":
            column = 0
        elif part["code"] == "A":
            row -= int(part["numbers"] or 1)
        elif part["code"] == "K":
            assert part["numbers"] == "2"  # the whole line
            lines[row] = ""
        else:
            assert part["code"] in "mhl", part[0]  # colours, and the cursor shown or hidden
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip() for line in lines]
