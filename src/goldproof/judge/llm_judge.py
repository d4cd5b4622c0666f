"""A model as judge: can the question be answered definitively from these documents alone?

The prompt and the form of the answer belong to the scale (`goldproof.judge.prompts`); `goldproof.judge.opinions` says
what counts as a yes, `goldproof.judge.voting` what several votes make. votes: samples of each model, at temperature 0.7
unless another is given; a single sample is taken at temperature 0. quotes: whether a grade must be proven by quotes;
`goldproof memory run` asks for plain grades (`without_quotes`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from goldproof.core.errors import InputError, ModelDownError, ModelFailedError
from goldproof.core.to_the_end import all_of
from goldproof.core.wording import kind_of
from goldproof.judge.forms import Finding, PlainGrade
from goldproof.judge.framing import LONGEST, cut_documents
from goldproof.judge.judge import YES_NO
from goldproof.judge.opinions import Matter, Opinion, opinion_of, plain_opinion
from goldproof.judge.prompts import PROMPTS, WITHOUT_QUOTES, judge_ask
from goldproof.judge.ruling import Vote
from goldproof.judge.tidying import tidy
from goldproof.judge.voting import ruling_of
from goldproof.llm.ask import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.core.records import Document, Question
    from goldproof.judge.judge import Scale
    from goldproof.judge.ruling import Ruling
    from goldproof.llm.ask import Ask
    from goldproof.llm.model import Model

SAMPLING_TEMPERATURE: Final = 0.7
_CONCURRENCY: Final = 8


class LlmJudge:
    """One or several models that judge.

    longest: characters of a document that are shown; the rest is cut off, and the reason says so.
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
        """Ask every model for its votes, check them and count them."""
        matter = Matter(question, documents, self.scale, self._longest)
        opinions = await all_of(self._opinion(model, ask, matter) for model, ask in self._asks(question, documents))
        return self._remarked(ruling_of(opinions, scale=self.scale), documents)

    def without_quotes(self) -> LlmJudge:
        """Return the same models as a judge whose grades need no quotes; where it says yes or no, itself."""
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
        """Return what all votes would cost."""
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
