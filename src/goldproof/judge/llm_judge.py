"""LLM judge: one or several models that vote, and its spec `llm:MODEL`.

The prompt and the form of the answer belong to the scale (`goldproof.judge.prompts`); `goldproof.judge.votes` checks
the answers and makes one ruling of several votes. votes: samples of each model, at temperature 0.7 unless another is
given; a single sample is taken at temperature 0. quotes: whether a grade must be proven by quotes; `goldproof memory
run` asks for plain grades (`without_quotes`).

In a spec, models are separated by a `+` before the next `name:`. The option `model` belongs to a server's address
(`http://host/v1#model=NAME`), and is left to it; all others are the judge's, also between `#model=NAME` and a further
`#`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from goldproof.concurrency import gather_all
from goldproof.errors import InputError, ModelDownError, ModelFailedError, kind_of
from goldproof.judge.judge import YES_NO, Vote, number, scale_of, vote_count
from goldproof.judge.prompts import LONGEST, PROMPTS, WITHOUT_QUOTES, Finding, PlainGrade, cut_documents, judge_ask
from goldproof.judge.votes import Matter, Opinion, opinion_of, plain_opinion, ruling_of, tidy
from goldproof.llm import Estimate, current_access, open_model
from goldproof.llm.provider_model import is_address
from goldproof.plugins import check_options, split_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.judge.judge import Ruling, Scale
    from goldproof.llm import Ask, Model
    from goldproof.records.entities import Document, Question

SAMPLING_TEMPERATURE: Final = 0.7
OPTIONS: Final = ("votes", "scale", "temperature", "longest")
_CONCURRENCY: Final = 8
_NEXT_MODEL: Final = re.compile(r"\+(?=[A-Za-z_][\w.-]*:)")


class LlmJudge:
    """One or several models that judge.

    longest: characters of a document that are shown; the rest is cut off, as the reason of the ruling says.
    """

    def __init__(
        self,
        models: Sequence[Model],
        *,
        scale: Scale = YES_NO,
        votes: int = 1,
        temperature: float | None = None,
        longest: int = LONGEST,
        concurrency: int = _CONCURRENCY,
        quotes: bool = True,
    ) -> None:
        if not models or votes < 1:
            raise InputError(f"an llm judge needs a model and a vote; found {len(models)} models and votes={votes}.")
        self.models = tuple(models)
        self.scale, self.concurrency = scale, concurrency
        if not quotes and scale.name not in WITHOUT_QUOTES:
            raise InputError(f"a judge without quotes needs a scale of grades; found {scale.name}.")
        self._prompt = (PROMPTS if quotes else WITHOUT_QUOTES)[scale.name]
        self._votes, self._longest = votes, longest
        sampling = SAMPLING_TEMPERATURE if votes > 1 else 0.0
        self._temperature = sampling if temperature is None else temperature
        self.key = self._make_key()

    def _make_key(self) -> str:
        votes = f" votes={self._votes}" if self._votes > 1 else ""
        temperature = f" temperature={self._temperature:g}" if self._temperature else ""
        longest = f" longest={self._longest}" if self._longest != LONGEST else ""
        names = "+".join(model.key for model in self.models)
        return f"llm:{names} {self._prompt.name}{votes}{temperature}{longest}"

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Ask every model for its votes, check and count them."""
        matter = Matter(question, documents, self.scale, self._longest)
        opinions = await gather_all(self._opinion(model, ask, matter) for model, ask in self._asks(question, documents))
        return self._remarked(ruling_of(opinions, scale=self.scale), documents)

    def without_quotes(self) -> LlmJudge:
        """Return the same judge with grades that need no quotes; a yes-no judge returns itself."""
        if self.scale.name not in WITHOUT_QUOTES:
            return self
        return LlmJudge(
            self.models,
            scale=self.scale,
            votes=self._votes,
            temperature=self._temperature,
            longest=self._longest,
            concurrency=self.concurrency,
            quotes=False,
        )

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        """Return the cost of all votes."""
        return sum((model.estimate(ask) for model, ask in self._asks(question, documents)), start=Estimate())

    def why_not_sets(self, question: Question) -> str | None:  # noqa: ARG002 - it is the same for every question
        """Return None: a model reads any number of documents."""
        return None

    def _asks(self, question: Question, documents: Sequence[Document]) -> Iterator[tuple[Model, Ask]]:
        ask = judge_ask(question, documents, prompt=self._prompt, longest=self._longest)
        ask = replace(ask, temperature=self._temperature) if self._temperature else ask
        for model in self.models:
            for sample in range(self._votes):
                yield model, replace(ask, sample=sample) if sample else ask

    async def _opinion(self, model: Model, ask: Ask, matter: Matter) -> Opinion:
        by = f"{model.key}#{ask.sample + 1}" if self._votes > 1 else model.key
        try:
            reply = await model.answer(ask)
        except ModelDownError:
            raise
        except ModelFailedError as error:
            return Opinion(Vote(by, "failed", reason=tidy(str(error))))
        if isinstance(reply.value, PlainGrade):
            return plain_opinion(reply.value, self.scale, by=by)
        if not isinstance(reply.value, Finding):
            return Opinion(Vote(by, "failed", reason=f"the model's answer is {kind_of(reply.value)}, not the form."))
        return opinion_of(reply.value, matter, by=by)

    def _remarked(self, ruling: Ruling, documents: Sequence[Document]) -> Ruling:
        cut = cut_documents(documents, longest=self._longest)
        if not cut:
            return ruling
        which = f"document {cut[0].id} was" if len(cut) == 1 else f"{len(cut)} documents were"
        remark = f"({which} cut after {self._longest} characters.)"
        return replace(ruling, reason=f"{ruling.reason} {remark}".strip())


def llm_judge(rest: str, options: Mapping[str, str]) -> LlmJudge:
    """Return the judge of the models after the colon."""
    names, options = _names_and_options(_NEXT_MODEL.split(rest), options)
    known = (*OPTIONS, "model") if is_address(names[-1]) else OPTIONS  # only an address takes `model`
    check_options(options, known, of="the llm judge")
    if not all(names):
        raise InputError(f"llm:{rest}: no model is named; expected llm:PROVIDER:MODEL or llm:module:function.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"llm:{rest}: {twice} is named twice; for several samples of one model write #votes=3.")
    return LlmJudge(
        [open_model(name) for name in names],
        scale=scale_of(options) or YES_NO,
        votes=vote_count(options),
        temperature=number(options, "temperature", least=0, most=2),
        longest=int(number(options, "longest", least=100, most=10_000_000) or LONGEST),
        concurrency=current_access().concurrency,
    )


def _names_and_options(written: Sequence[str], options: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Return the models' names, addresses with their `#model=NAME`, and the judge's options."""
    *before, last = written
    of_judge: dict[str, str] = {}
    if is_address(last):  # its own were cut off together with the judge's
        last += "".join(f"#{name}={value}" for name, value in options.items())
    else:
        of_judge = dict(options)
    return [_own_address(name, of_judge) if is_address(name) else name for name in (*before, last)], of_judge


def _own_address(written: str, of_judge: dict[str, str]) -> str:
    """Return an address with its model; options of the judge that are written there are added to `of_judge`."""
    own: dict[str, str] = {}
    address, options = split_options(written)
    while options:
        for name, value in options.items():
            owner = own if name == "model" else of_judge
            if name in owner:
                raise InputError(f"{written}: option {name!r} is given twice; keep one.")
            owner[name] = value
        address, options = split_options(address)
    return "".join((address, *(f"#{name}={value}" for name, value in own.items())))
