"""The judge interface: Judge, Scale, Ruling, Evidence and Vote; the registry JUDGES and `open_judge()`.

The label of a ruling:

    yes          the question can be answered from these documents alone; the evidence is in them
    no           it cannot
    unsupported  a yes whose quotes are not in the documents: it does not count
    disputed     a yes with another answer than the question's own: the documents or the question are wrong
    abstained    the judge cannot know
    failed       the judge gave no ruling: an error, with its reason

The spec of a judge:

    llm:MODEL[+MODEL2...]   models, with #votes=3, scale=0-4, temperature=0.7, longest=40000
                            (`goldproof.judge.llm_judge`)
    answer                  the answer rule, offline (`goldproof.judge.answer_judge`)
    gold                    the gold kernels of the questions themselves (`goldproof.judge.answer_judge`)
    similarity[:EMBEDDER]   cosine above #least=0.7, or one that #labels=FILE choose (`goldproof.judge.score_judges`)
    keyword                 share of the question's keywords above #least=0.4 (`goldproof.judge.score_judges`)
    human:FILE              annotations, with #scale=0-2 (`goldproof.judge.human_judge`)
    module:object           your own, with #scale=0-4 (`goldproof.judge.user_judge`)

Options follow a `#`. Other kinds are plug-ins: entry points `judge.NAME` for a function that takes the text after the
colon and the options (name -> text) and returns a `Judge`. Models opened by a spec use the access given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, cast

from goldproof.errors import InputError, UnknownNameError
from goldproof.llm import using_access
from goldproof.plugins import Registry, Spec, check_options, split_options
from goldproof.user_code.user_object import UserObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.llm import Access, Estimate
    from goldproof.records.entities import Document, Question


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a judge: yes or no, or grades from 0 to `most`, of which those from `yes_from` count as a yes.

    partial_from: the least grade of a document that bears on the question without answering it: grades from here up to
    below `yes_from` are neither sufficient nor irrelevant. None: nothing lies between yes and no.
    """

    name: Literal["yes-no", "0-2", "0-4", "0-10"]
    most: int
    yes_from: int
    partial_from: int | None = None


YES_NO = Scale("yes-no", 1, 1)
GRADES_2 = Scale("0-2", 2, 2, partial_from=1)
GRADES_4 = Scale("0-4", 4, 3, partial_from=2)
GRADES_10 = Scale("0-10", 10, 7, partial_from=4)
SCALES = {scale.name: scale for scale in (YES_NO, GRADES_2, GRADES_4, GRADES_10)}


class Judge(Protocol):
    """Rules whether documents suffice to answer a question."""

    @property
    def key(self) -> str:
        """Its name, with everything that changes its rulings (model, prompt version, scale, votes); never a secret."""

    @property
    def scale(self) -> Scale:
        """The scale of its rulings."""

    @property
    def concurrency(self) -> int:
        """How many rulings may be asked for at once."""

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Judge the documents together (often it is one).

        An error with one question is a ruling `failed`. Errors that end the whole run are raised: ModelDownError,
        BudgetSpentError, InputError.
        """

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        """Return the cost of the ruling, without asking for it."""

    def why_not_sets(self, question: Question) -> str | None:
        """Return why it cannot rule on several documents together for this question; None where it can."""


Label = Literal["yes", "no", "unsupported", "disputed", "abstained", "failed"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quoted span of a document: its text from `start` to `end`, or its title's where `in_title`."""

    document: str
    start: int
    end: int
    text: str
    in_title: bool = False


@dataclass(frozen=True, slots=True)
class Vote:
    """One answer of one model. by: the model's key, and the number of the sample where there are several."""

    by: str
    label: Label
    grade: int | None = None
    quotes: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome of a judgement.

    grade: on the judge's scale, where it grades. score: the number that the label was made from, where there is one.
    evidence: checked to stand in the documents. missing: what the documents lack, in words to search for. votes: all
    that were asked for, where there are several; agreement: the share of them that the ruling follows, failed ones
    included.
    """

    label: Label
    grade: int | None = None
    evidence: tuple[Evidence, ...] = ()
    missing: str = ""
    reason: str = ""
    votes: tuple[Vote, ...] = ()
    agreement: float | None = None
    score: float | None = None

    @property
    def sufficient(self) -> bool | None:
        """Whether the documents suffice; None where the label is neither yes nor no."""
        return {"yes": True, "no": False}.get(self.label)


JudgeKind = Callable[[str, Mapping[str, str]], Judge]
JUDGES: Registry[JudgeKind] = Registry("judge")
for _name, _target in {
    "answer": "goldproof.judge.answer_judge:answer_judge",
    "gold": "goldproof.judge.answer_judge:gold_judge",
    "human": "goldproof.judge.human_judge:human_judge",
    "keyword": "goldproof.judge.score_judges:keyword_judge",
    "llm": "goldproof.judge.llm_judge:llm_judge",
    "similarity": "goldproof.judge.score_judges:similarity_judge",
}.items():
    JUDGES.register(_name, _target)
_HINT = "A judge is one of these names, or module:object for your own."


def open_judge(spec: object, *, access: Access | None = None) -> Judge:
    """Open a judge by its spec; a judge is taken as it is, and any other callable becomes one."""
    with using_access(access) if access is not None else nullcontext():
        return _open_spec(spec.strip()) if isinstance(spec, str) else _adapted(UserObject.of(spec))


def _open_spec(written: str) -> Judge:
    if not written:
        raise InputError(f"the judge's spec is empty; expected one of {', '.join(JUDGES)}, or module:object.")
    text, options = _split(written)
    name, _, rest = text.partition(":")
    if name in JUDGES:
        return JUDGES.get(name)(rest, options)
    if not rest:
        raise UnknownNameError("judge", text, JUDGES, hint=_HINT)
    check_options(options, ("scale",), of="your own judge")
    return _adapted(UserObject.of(text, near=JUDGES), scale_of(options))


def _split(written: str) -> Spec:
    """Split off the options, unless a file has this whole name."""
    file = written.partition(":")[2]
    is_file = written.startswith("human:") and Path(file).is_file()
    return Spec(written, {}) if is_file else split_options(written)


def _adapted(user: UserObject, scale: Scale | None = None) -> Judge:
    """Return a user's object as a judge; a complete one as it is, unless it is given a scale."""
    from goldproof.judge.user_judge import UserJudge  # noqa: PLC0415 - loads sqlite

    return cast("Judge", user.target) if is_judge(user.target) and scale is None else UserJudge(user, scale=scale)


def is_judge(target: object) -> bool:
    """Return whether an object is a complete judge, to be used as it is."""
    methods = all(callable(getattr(target, name, None)) for name in ("judge", "estimate", "why_not_sets"))
    return methods and not isinstance(target, type) and hasattr(target, "key") and hasattr(target, "scale")


def no_rest(rest: str, *, kind: str) -> None:
    """Refuse text after the colon of a judge that takes none."""
    if rest:
        raise InputError(f"{kind}:{rest}: the {kind} judge takes no argument; write {kind}.")


def vote_count(options: Mapping[str, str]) -> int:
    """Return the number of votes of each model; an odd one makes ties rare."""
    value = options.get("votes", "1")
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 99):
        raise InputError(f"votes={value}: expected a whole number from 1 to 99, such as votes=3.")
    return int(value)


def judge_name(key: str) -> str:
    """Return the name of the judge of a key, without its settings."""
    return key.partition(" ")[0]


def number(options: Mapping[str, str], name: str, *, least: float, most: float) -> float | None:
    """Return an option that is a number within limits, None where it is not given."""
    value = options.get(name)
    if value is None:
        return None
    try:
        parsed = float(value)
    except ValueError:
        parsed = math.nan
    if not least <= parsed <= most:
        raise InputError(f"{name}={value}: expected a number from {least:g} to {most:g}.")
    return parsed


def scale_of(options: Mapping[str, str]) -> Scale | None:
    """Return the scale that the options name, None where they name none."""
    name = options.get("scale")
    if name is None:
        return None
    scale = scale_named(name)
    if scale is None:
        raise UnknownNameError("scale", name, SCALES)
    return scale


def scale_named(name: object) -> Scale | None:
    """Return the scale of a name, None where there is none."""
    return next((scale for scale in SCALES.values() if scale.name == name), None)
