"""`open_asking()`: open corpus, model and judge, choose the places to ask about, estimate the cost. Asks nothing."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from goldproof import __version__
from goldproof.corpus import open_corpus
from goldproof.errors import InputError, counted
from goldproof.jobs.ask.places import make_strata, pair_places, passages_of, single_places
from goldproof.jobs.ask.prompts import VERSIONS, draft_ask
from goldproof.judge import LlmJudge, open_judge
from goldproof.judge.prompts import LONGEST, WITHOUT_CONTEXT, own_answer_ask
from goldproof.llm import Access, Budget, Estimate, current_access, open_model
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Card, Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.corpus import Corpus
    from goldproof.jobs.ask.places import Strata
    from goldproof.jobs.ask.records import Place
    from goldproof.judge import Judge
    from goldproof.llm import Model
    from goldproof.records.entities import Document

SCHEMA: Final = "goldproof.questions"
SCHEMA_VERSION: Final = 1
MOST_DRAFTS: Final = 3
MOST_QUESTIONS: Final = 100_000
_TYPICAL: Final = Question(
    "typical", "What is the name of the one thing that a question of usual length would ask for?"
)


@dataclass(frozen=True, slots=True, eq=False)
class AskingPlan:
    """What is asked about, and by whom.

    documents: those with a text to ask about. pairs: places of two documents, in order. n: questions wanted;
    wanted_pairs: how many of them need two documents.
    """

    corpus: Corpus
    documents: tuple[Document, ...]
    model: Model
    judge: Judge
    access: Access
    strata: Strata
    pairs: tuple[Place, ...]
    n: int
    multi: float
    by: str | None
    seed: int
    remarks: tuple[str, ...] = ()

    @property
    def wanted_pairs(self) -> int:
        """How many questions should need two documents."""
        return min(len(self.pairs), round(self.n * self.multi))

    @property
    def most_drafts(self) -> int:
        """How many drafts are made at most, to make up for dropped ones."""
        return MOST_DRAFTS * self.n

    @property
    def blind_model(self) -> Model:
        """The model that is asked without documents: the judge's first, else the one that drafts."""
        models: tuple[Model, ...] = getattr(self.judge, "models", ())
        return models[0] if models else self.model

    def card(self, counts: Mapping[str, int] | None = None) -> Card:
        """Return the card of the questions; counts: what is known of them."""
        return Card(
            schema=SCHEMA,
            schema_version=SCHEMA_VERSION,
            inputs={"corpus": self.corpus.key()},
            settings={
                "corpus": dict(self.corpus.facts) | {"documents": len(self.corpus)},
                "model": self.model.key,
                "judge": self.judge.key,
                "prompts": [*VERSIONS, WITHOUT_CONTEXT.name],
                "n": self.n,
                "multi": self.multi,
                "by": self.by,
            },
            seed=self.seed,
            versions={"goldproof": __version__},
            counts=counts or {},
        )

    def singles(self) -> Iterator[Iterator[Place]]:
        """Return rounds over the corpus, each of one place per document."""
        return single_places(self.documents, self.strata, seed=self.seed)

    def estimate(self) -> Estimate:
        """Return the cost of drafting and checking `n` questions, none of which is dropped."""
        pairs = self.pairs[: self.wanted_pairs]
        singles = islice(chain.from_iterable(self.singles()), self.n - len(pairs))
        return sum(map(self._estimate, chain(pairs, singles)), start=Estimate())

    def _estimate(self, place: Place) -> Estimate:
        documents = place.documents
        alone = [(document,) for document in documents] if place.is_pair else []
        checks = [self.judge.estimate(_TYPICAL, shown) for shown in (documents, *alone)]
        blind = self.blind_model.estimate(own_answer_ask(_TYPICAL))
        return sum(checks, start=self.model.estimate(draft_ask(place)) + blind)


def open_asking(
    corpus: str | Path | Corpus | Iterable[Document],
    *,
    model: object = None,
    judge: object = None,
    n: int = 100,
    multi: float = 0.3,
    by: str | None = None,
    seed: int = 0,
    max_cost: float | None = None,
    on_progress: OnProgress = ignore,
) -> AskingPlan:
    """Open everything, without asking; parameters as in `draft_questions`, `estimate()` returns the cost."""
    _check(model, n=n, multi=multi)
    if max_cost is not None and any(hasattr(given, "access") or hasattr(given, "models") for given in (model, judge)):
        raise InputError(
            "max_cost limits models that are opened by name, and this model or judge is open already; give its spec, "
            "such as 'google:gemini-3-pro-preview', or open it within goldproof.llm.using_access."
        )
    access = current_access() if max_cost is None else replace(current_access(), budget=Budget(max_cost))
    opened = open_corpus(corpus)
    documents = tuple(document for document in opened.documents if passages_of(document))
    if not documents:
        raise InputError(f"{opened.name}: no document has enough text to ask about.")
    strata = make_strata(documents, by=by)
    drafting = open_model(model, access)
    checking = LlmJudge([drafting], concurrency=access.concurrency) if judge is None else judge
    own = getattr(drafting, "access", None)
    return AskingPlan(
        corpus=opened,
        documents=documents,
        model=drafting,
        judge=open_judge(checking, access=access),
        access=own if isinstance(own, Access) else access,
        strata=strata,
        pairs=tuple(pair_places(documents, strata, seed=seed, on_progress=on_progress)) if multi else (),
        n=n,
        multi=multi,
        by=by,
        seed=seed,
        remarks=(*opened.remarks, *_remarks(opened, documents)),
    )


def _check(model: object, *, n: int, multi: float) -> None:
    if model is None or model == "":
        extra = "" if importlib.util.find_spec("pydantic_ai") else " (after pip install 'goldproof[llm]')"
        raise InputError(
            "questions are drafted by a model, and none is named: give --model PROVIDER:MODEL, such as "
            f"google:gemini-3-pro-preview{extra}, http://HOST:PORT/v1#model=NAME, or module:function."
        )
    if not 1 <= n <= MOST_QUESTIONS:
        raise InputError(f"-n {n}: expected a number of questions from 1 to {MOST_QUESTIONS:,}.")
    if not (math.isfinite(multi) and 0 <= multi <= 1):
        raise InputError(f"--multi {multi:g}: expected a share of the questions from 0 to 1, such as 0.3.")


def _remarks(corpus: Corpus, documents: tuple[Document, ...]) -> list[str]:
    remarks = []
    with_text = sum(bool(document.text.strip()) for document in corpus.documents)
    if short := with_text - len(documents):  # those without any text the corpus reports itself
        remarks.append(f"{counted(short, 'document has', 'documents have')} too little text to ask about.")
    if long := sum(len(document.text) > LONGEST for document in documents):
        which = counted(long, "document is", "documents are")
        remarks.append(f"{which} longer than {LONGEST:,} characters: only the beginning is asked about.")
    return remarks
