"""What a metric is: its name, its words, its formula and its kernel."""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.core.arrays import FloatArray
    from karat.metrics.catalogue import Shape

Kind = Literal["relevance", "kernel", "coverage", "unanswerable"]


@dataclass(frozen=True, slots=True)
class Definition:
    """One metric family.

    kind decides what the kernel sees and where its value is undefined:
      relevance: `JudgedRanks`; undefined where no document is relevant
      kernel: `KernelRanks`; undefined where the question has no kernel
      coverage: `JudgedRanks`; undefined where nothing was retrieved
      unanswerable: `JudgedRanks`; undefined where the question is answerable
    kernel: called with the ranks and, by name, `k` (unless names have no cutoff) and the parameters of the shape;
      returns one value per question, in which the undefined ones are ignored.
    explain: the same arguments for a single question; returns one sentence with the numbers.
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
    def help(self) -> str:
        """The docstring of the metric's module: conventions, formula, citation."""
        module = sys.modules[self.kernel.__module__]
        return inspect.cleandoc(module.__doc__ or self.summary)
