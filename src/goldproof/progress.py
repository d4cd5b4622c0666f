"""Progress of long work: the record that is reported, and the callback that receives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of one stage of the work.

    stage: what is counted, such as "bm25: questions". done, total: the count so far, and in all; None while that is not
    known. 0 of None is a step that cannot be counted. The last report of a stage that ends well has done == total.
    failed: how many failed. cached: how many came from a cache or from an interrupted run. note: what else there is to
    say. lasting: a message that stays on the screen, not a count.
    """

    stage: str
    done: int
    total: int | None = None
    failed: int = 0
    cached: int = 0
    note: str = ""
    lasting: bool = False


# Called by one thread at a time, which is not always the caller's: judges and mining report from the thread of the
# event loop, an audit from its workers in turn. An exception that it raises ends the work.
OnProgress: TypeAlias = Callable[[Progress], None]


def ignore(progress: Progress) -> None:
    """Do nothing: the default of every `on_progress`."""


@contextmanager
def step(stage: str, on_progress: OnProgress) -> Iterator[None]:
    """Report a step that cannot be counted, such as "reading documents", when it begins and when it ends."""
    on_progress(Progress(stage, 0))
    yield
    on_progress(Progress(stage, 1, 1))


def under(name: str, on_progress: OnProgress) -> OnProgress:
    """Return a callback that puts a name before the stages: "questions" is reported as "bm25: questions"."""

    def report(progress: Progress) -> None:
        on_progress(replace(progress, stage=f"{name}: {progress.stage}"))

    return report if name else on_progress
