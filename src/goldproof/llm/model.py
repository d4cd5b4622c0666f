"""What every job asks: a model with all that belongs around it (cache, limits, budget, retries, repair)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from goldproof.llm.ask import Ask, Estimate, Reply


class Model(Protocol):
    """Something that answers questions."""

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers; never a secret."""

    async def answer(self, ask: Ask) -> Reply:
        """Return the answer, from the cache where it is kept.

        ModelFailedError: this question could not be answered; others may go well. ModelDownError, BudgetSpentError: no
        further question will be answered now; what is answered so far is kept.
        """

    def ask(self, prompt: str) -> str:
        """Return the text of the answer to a prompt; for callers outside of the event loop."""

    def estimate(self, ask: Ask) -> Estimate:
        """Return what the question would cost, without asking it."""
