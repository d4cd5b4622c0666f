"""How models are asked: limits, budget and cache, said once for a whole command.

A command says it with `using_access`; every model that is opened meanwhile, however deep in a pipeline, keeps to it.
Without that the defaults hold: answers are kept in `GOLDPROOF_HOME`, and no budget limits the spending.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.llm.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.llm.line import Line
    from goldproof.llm.prices import Price


@dataclass(frozen=True, slots=True)
class Access:
    """How models are asked.

    budget: what may be spent, and what has been, over all models. concurrency: calls at once, per model. rate: calls
    per minute, per model; None without limit. deadline: seconds for one call once its turn has come, with all attempts
    and the waits between them. retries: how often a call that can recover is made again. repairs: how often a form is
    asked for again; each time is a call. price: of the models, where the user knows it better than the price list.
    keep: whether answers are kept on disk. retry_failed: ask again where the kept answers were of no use. lines: the
    open lines to models, which all who ask the same model under this access share.
    """

    budget: Budget = field(default_factory=Budget)
    concurrency: int = 8
    rate: float | None = None
    deadline: float = 120.0
    retries: int = 4
    repairs: int = 2
    price: Price | None = None
    keep: bool = True
    retry_failed: bool = False
    lines: dict[str, Line] = field(default_factory=dict, init=False, repr=False, compare=False)


_CURRENT: ContextVar[Access | None] = ContextVar("goldproof_access", default=None)


def current_access() -> Access:
    """Return what the command said, or the defaults."""
    return _CURRENT.get() or Access()


@contextmanager
def using_access(access: Access) -> Iterator[Access]:
    """Have every model that is opened meanwhile keep to this."""
    token = _CURRENT.set(access)
    try:
        yield access
    finally:
        _CURRENT.reset(token)
