"""The way from a question to its answer: replies are heard one after the other, until one can be used.

A reply without the form is answered with what is wrong with it, `repairs` times at most. A refusal ends it: asking
again in the same words would only cost. Plain text that is empty, or was cut off at the limit that a budget
sets, ends it as well. Where a conversation ended without an
answer, another may be begun; it has the next number as its attempt, so that its replies are kept beside the old ones.

Each reply is kept under a key that holds all that was said before it. A conversation that was cut off, or has ended, is
so replayed from what is kept, and costs nothing again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.blotting import without_secrets
from goldproof.core.wording import shortened
from goldproof.llm.ask import Reply
from goldproof.llm.ask_key import ask_key
from goldproof.llm.structured import FormError, read_form
from goldproof.llm.transport import Turn

if TYPE_CHECKING:
    from pydantic import BaseModel

    from goldproof.llm.answer_cache import KeptReply
    from goldproof.llm.ask import Ask

LONGEST_FAILURE = 300


class Conversation:
    """What was said so far; key: under which the next reply is kept."""

    def __init__(self, model: str, ask: Ask, *, repairs: int) -> None:
        self.ask = ask
        self.turns: tuple[Turn, ...] = ()
        self.attempt = 0
        self.answered = False
        self.failure = ""
        self.key = ask_key(model, ask)
        self._model, self._repairs = model, repairs
        self._heard: list[KeptReply] = []
        self._value: BaseModel | None = None

    def hear(self, kept: KeptReply) -> None:
        """Take the next reply: the conversation is answered, has failed, or goes on with a turn more."""
        self._heard.append(kept)
        complaint = self._read(kept)
        if self.answered or self.failure:
            return
        if len(self.turns) >= self._repairs:
            times = f" after {len(self.turns)} repairs" if self.turns else ""
            self.failure = _said(f"gave no answer in the form{times}: {complaint}")
            return
        self.turns = (*self.turns, Turn(kept.text, complaint))
        self.key = ask_key(self._model, self.ask, attempt=self.attempt, turns=self.turns)

    def start_over(self) -> None:
        """Begin the next attempt; `failure` goes on saying how the last one ended until a reply is heard."""
        self.attempt += 1
        self.turns = ()
        self.key = ask_key(self._model, self.ask, attempt=self.attempt)

    def reply(self, *, cached: bool) -> Reply:
        """Return the answer, with what all its calls took."""
        heard = self._heard
        costs = [kept.cost for kept in heard if kept.cost is not None]
        return Reply(
            heard[-1].text,
            self._value,
            tokens_in=sum(kept.tokens_in for kept in heard),
            tokens_out=sum(kept.tokens_out for kept in heard),
            cost=sum(costs) if len(costs) == len(heard) else None,
            cached=cached,
            repairs=len(self.turns),
        )

    def _read(self, kept: KeptReply) -> str:
        """Read a reply; return what is wrong with it where the model may do better."""
        self.failure = ""
        form = self.ask.output
        if kept.ended == "refused":
            self.failure = _said(f"refused to answer{': ' if kept.text else ''}{kept.text}")
        elif kept.ended == "capped" and form is None:
            self.failure = f"was cut off after {kept.tokens_out} tokens, which was all that --max-cost allowed the call"
        elif not kept.text.strip():
            if form is None:
                self.failure = "gave an empty answer"
            return f"{_cut(kept)}it was empty."
        elif form is None:
            self.answered = True
        else:
            try:
                self._value, self.answered = read_form(kept.text, form), True
            except FormError as error:
                return f"{_cut(kept)}{error}"
        return ""


def _cut(kept: KeptReply) -> str:
    return "it was cut off at the limit of tokens; " if kept.ended in {"length", "capped"} else ""


def _said(failure: str) -> str:
    return shortened(" ".join(without_secrets(failure).split()), longest=LONGEST_FAILURE)
