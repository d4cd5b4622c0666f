"""What a metric is: its name, its words, its formula and its kernel."""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.core.arrays import FloatArray
    from goldproof.metrics.catalogue import Shape

Kind = Literal["relevance", "kernel", "coverage", "unanswerable", "gain", "search", "completion"]
Subject = Literal["ranking", "trace"]
_TRACE_KINDS: frozenset[Kind] = frozenset({"gain", "search", "completion"})


@dataclass(frozen=True, slots=True)
class Definition:
    """One metric family.

    kind decides what the kernel sees and where its value is undefined:
      relevance: `JudgedRanks`; undefined where no document is relevant
      kernel: `KernelRanks`; undefined where the question has no kernel
      coverage: `JudgedRanks`; undefined where nothing was retrieved
      unanswerable: `JudgedRanks`; undefined where the question is answerable
    and, of search traces:
      gain: `Iterations`; undefined where results came but none is labelled and no label judges the question
      search: `Iterations`; needs no labels
      completion: per conversation the iteration by which the whole pool of good results had appeared, 0 for never;
        undefined where the pool is empty
    The three are undefined where nothing was searched, the first two also beyond the last iteration.
    kernel: of rankings, called with the ranks and, by name, `k` (unless names have no cutoff) and the parameters of the
      shape; returns one value per question, in which the undefined ones are ignored. Of gain and search, called with
      the iterations alone; returns one value per iteration. Of completion, one per conversation.
    explain: the same arguments for a single question; returns one sentence with the numbers. Of gain and search, called
      with the iterations of one conversation and by name `k`, None for the last; of completion, with one number and by
      name `pool`, how many good results there are.
    lower, upper: what the value is bounded by.
    """

    shape: Shape
    kind: Kind
    summary: str
    formula: str
    kernel: Callable[..., FloatArray]
    explain: Callable[..., str]
    higher_is_better: bool = True
    lower: float = 0.0
    upper: float | None = 1.0

    @property
    def family(self) -> str:
        """The name without parameters and cutoff."""
        return self.shape.family

    @property
    def subject(self) -> Subject:
        """What the metric is measured on."""
        return "trace" if self.kind in _TRACE_KINDS else "ranking"

    @property
    def help(self) -> str:
        """The docstring of the metric's module: conventions, formula, citation."""
        module = sys.modules[self.kernel.__module__]
        return inspect.cleandoc(module.__doc__ or self.summary)
