"""From a question to a usable answer: cache keys, structured output, repair.

A reply without the form is answered with what is wrong with it, `repairs` times at most. A refusal ends the
conversation: asking again in the same words would only cost. Plain text that is empty, or was cut off at the limit that
a budget sets, ends it as well. Where a conversation ended without an answer, another may be begun; it has the next
number as its attempt, so that its replies are kept beside the old ones.

Each reply is kept under a key that holds everything said before it, so a conversation that was cut off, or has ended,
is replayed from the kept replies and costs nothing again. The key covers the model, the question (instructions, prompt,
schema, purpose, sample, temperature), the earlier turns where a form is asked for again, and the number of the attempt
where a useless answer was asked for anew; nothing that only estimates or waits (`expected_tokens`, limits, deadlines).

    sha256 over each part in turn, as its length in bytes, a colon, and its UTF-8

Not `goldproof.records.keys`: to quote long prompts as JSON takes longer than all else that a kept answer costs.

A reply is read as JSON of the form. Around one JSON object a fence or other text is tolerated, since many local models
cannot leave it out; where several objects stand in the text, exactly one of them must have the form. A reply that
cannot be read so has a complaint, which the model is told.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from goldproof.errors import redact, shortened
from goldproof.llm.model import Reply, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.llm.answer_cache import KeptReply
    from goldproof.llm.model import Ask


LONGEST_FAILURE = 300
VERSION = "ask-1"
LONGEST_COMPLAINT = 600
_MOST_ERRORS = 5
_MOST_STARTS = 200  # of text with more braces the rest is not looked at: it would take time without end
_DECODER = json.JSONDecoder()


class Conversation:
    """One question, the replies so far, and the key under which the next reply is kept."""

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
        """Take the next reply: the conversation is answered, has failed, or goes on with another turn."""
        self._heard.append(kept)
        complaint = self._read(kept)
        if self.answered or self.failure:
            return
        if len(self.turns) >= self._repairs:
            times = f" after {len(self.turns)} repairs" if self.turns else ""
            self.failure = _one_line(f"gave no answer in the form{times}: {complaint}")
            return
        self.turns = (*self.turns, Turn(kept.text, complaint))
        self.key = ask_key(self._model, self.ask, attempt=self.attempt, turns=self.turns)

    def start_over(self) -> None:
        """Begin the next attempt; `failure` keeps the end of the last one until a reply is heard."""
        self.attempt += 1
        self.turns = ()
        self.key = ask_key(self._model, self.ask, attempt=self.attempt)

    def reply(self, *, cached: bool) -> Reply:
        """Return the answer, with the tokens and cost of all its calls."""
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
        """Read a reply; return the complaint where the model may do better."""
        self.failure = ""
        form = self.ask.output
        if kept.ended == "refused":
            self.failure = _one_line(f"refused to answer{': ' if kept.text else ''}{kept.text}")
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


def _one_line(failure: str) -> str:
    return shortened(" ".join(redact(failure).split()), longest=LONGEST_FAILURE)


def ask_key(model: str, ask: Ask, *, attempt: int = 0, turns: tuple[Turn, ...] = ()) -> bytes:
    """Return the key of the reply to a question; model: its key."""
    parts = [
        VERSION,
        model,
        ask.instructions,
        ask.prompt,
        "" if ask.output is None else schema_text(ask.output),
        ask.purpose,
        str(ask.sample),
        repr(float(ask.temperature)),
        str(attempt),
    ]
    for turn in turns:
        parts += (turn.reply, turn.complaint)
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.digest()


class FormError(ValueError):
    """A reply does not have the form; the message is what the model is told."""


@lru_cache(maxsize=256)
def schema_text(form: type[BaseModel]) -> str:
    """Return the JSON schema of a form, as text that is the same in every process."""
    return json.dumps(form.model_json_schema(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=256)
def form_request(form: type[BaseModel]) -> str:
    """Return the request for a form in words."""
    return (
        "Answer with one JSON object that fits this JSON schema, and with nothing before or after it:\n"
        f"{schema_text(form)}"
    )


def repair_request(complaint: str) -> str:
    """Return the request for a better answer."""
    return f"Your answer could not be used: {complaint}\nAnswer again, in the form that was asked for."


def read_form(text: str, form: type[BaseModel]) -> BaseModel:
    """Return the reply in the form; FormError where it does not have it."""
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        first = error
    return _read_around(text, form, first)


def _read_around(text: str, form: type[BaseModel], first: ValidationError) -> BaseModel:
    objects = list(_objects(text))
    fitting: list[BaseModel] = []
    wrong = first
    for candidate in objects:
        try:
            fitting.append(form.model_validate_json(candidate))
        except ValidationError as error:
            wrong = error
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise FormError(f"it holds {len(fitting)} JSON objects; expected one.")
    if not objects:
        raise FormError("it is not a JSON object.")
    raise FormError(_complaint(wrong))


def _objects(text: str) -> Iterator[str]:
    """Yield the JSON objects in a text, none within another; as text, which pydantic reads more strictly."""
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        try:
            _, end = _DECODER.raw_decode(text, start)
        except ValueError:  # no object begins here
            end = start + 1
        except RecursionError:  # nor one that is meant
            return
        else:
            yield text[start:end]
        start = text.find("{", end)


def _complaint(error: ValidationError) -> str:
    """Return what is wrong with an object: field by field, without the link to the manual."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    problems = [f"{'.'.join(map(str, item['loc'])) or 'the object'}: {item['msg']}" for item in errors[:_MOST_ERRORS]]
    more = f"; and {len(errors) - _MOST_ERRORS} more" if len(errors) > _MOST_ERRORS else ""
    return shortened("; ".join(problems) + more + ".", longest=LONGEST_COMPLAINT)
