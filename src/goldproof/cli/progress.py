"""The progress line on stderr, shown only on a terminal."""

from __future__ import annotations

import sys
import time
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Self

from goldproof.errors import shortened

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.table import Table

    from goldproof.progress import Progress

_PER_SECOND = 10
_BAR = 24
_QUIET = 2.0  # seconds without a report after which the line says how long the work takes


class ProgressLine:
    """A callback for `on_progress`: one line that is rewritten, and cleared at the end of each stage.

    Where nothing is reported for two seconds it shows `work` and the seconds since then, so that no long step is
    silent. Lasting messages are printed, terminal or not. What user code prints meanwhile appears above the line.
    """

    def __init__(self, work: str = "") -> None:
        self._work = work or "working"
        self._stderr = sys.stderr
        self._is_shown = sys.stderr.isatty()
        self._live: Live | None = None
        self._latest: Progress | None = None
        self._quiet_since = time.monotonic()
        self._ended = Event()
        self._lock = Lock()  # after an interrupt the work may still report while the command ends

    def __enter__(self) -> Self:
        if self._is_shown:
            Thread(target=self._watch, name="goldproof-progress", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the line, so that an error does not begin in the middle of it."""
        self._ended.set()
        with self._lock:
            self._is_shown = False
            self._clear()

    def __call__(self, progress: Progress) -> None:
        """Show a report; the line is rewritten a few times a second, however often this is called."""
        with self._lock:
            self._latest, self._quiet_since = progress, time.monotonic()
            if progress.lasting:
                self._clear()
                self._stderr.write(f"{progress.stage}: {progress.note}\n")
            elif progress.done == progress.total:
                self._clear()
            elif self._is_shown and self._live is None:
                self._start()

    def _watch(self) -> None:
        """Show the line once nothing has been reported for a while."""
        while not self._ended.wait(_QUIET / 4):
            with self._lock:
                if self._is_shown and self._live is None and time.monotonic() - self._quiet_since >= _QUIET:
                    self._start()

    def _line(self, *, width: int) -> RenderableType:
        latest = self._latest
        if latest is not None and (latest.done or latest.total or latest.note):
            return _row(latest, width=width)
        work, seconds = latest.stage if latest else self._work, f": {time.monotonic() - self._quiet_since:.0f} s"
        return f"{shortened(work, longest=max(width - len(seconds) - 1, 4))}{seconds}"

    def _start(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(file=self._stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)
        self._live = Live(
            console=console,
            get_renderable=lambda: self._line(width=console.width),
            refresh_per_second=_PER_SECOND,
            transient=True,
            redirect_stdout=sys.stdout is self._stderr,  # as `Call` has it; elsewhere stdout may be a file
        )
        self._live.start(refresh=True)
        console.show_cursor()  # Live hides it, and a command that is killed could not show it again

    def _clear(self) -> None:
        self._latest = None
        if self._live is not None:
            self._live.stop()
            self._live = None


def _row(progress: Progress, *, width: int) -> Table:
    """Return the line: the stage, a bar where there is room for it, and the counts; what is too long is cut."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    stage, counts = (Text(text, no_wrap=True, overflow="crop") for text in (f"{progress.stage}:", _counts(progress)))
    row = Table.grid(padding=(0, 1))
    if progress.total is None or stage.cell_len + counts.cell_len + _BAR + 2 > width:
        row.add_row(stage, counts)
    else:
        row.add_row(stage, ProgressBar(progress.total, progress.done, width=_BAR), counts)
    return row


def _counts(progress: Progress) -> str:
    counts = {"failed": progress.failed, "cached": progress.cached}
    done = f"{progress.done:,}" if progress.total is None else f"{progress.done:,} of {progress.total:,}"
    return ", ".join([done, *(f"{n:,} {what}" for what, n in counts.items() if n), *filter(None, [progress.note])])
