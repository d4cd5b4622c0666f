"""What the tests of models share: a form, and questions put from sync code."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel

from goldproof.concurrency import run_in_loop
from goldproof.llm.access import Access
from goldproof.llm.model import Ask, Reply, open_model

if TYPE_CHECKING:
    from goldproof.llm.model import Model
    from goldproof.testing import ModelServer

GOOD = {"label": "yes", "quote": "the wing"}


class Verdict(BaseModel):
    """Whether the context answers the question."""

    label: Literal["yes", "no"]
    quote: str


def model_of(server: ModelServer, access: Access | None = None, **limits: Any) -> Model:  # noqa: ANN401
    """Return the server's model; limits: fields of Access."""
    return open_model(f"{server.url}#model=tiny", access or Access(**limits))


def answer(model: Model, ask: Ask | str) -> Reply:
    return run_in_loop(model.answer(Ask(ask) if isinstance(ask, str) else ask))


def answers(model: Model, *asks: Ask) -> list[Reply | BaseException]:
    """Ask all at the same time."""

    async def all_of_them() -> list[Reply | BaseException]:
        return await asyncio.gather(*(model.answer(ask) for ask in asks), return_exceptions=True)

    return run_in_loop(all_of_them())


def judged(prompt: str, **more: Any) -> Ask:  # noqa: ANN401
    return Ask(prompt, "Judge.", Verdict, "judge-1", **more)
