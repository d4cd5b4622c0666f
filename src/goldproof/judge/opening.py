"""Judges by name: a spec becomes a judge.

    llm:MODEL[+MODEL2...]   models, with #votes=3, scale=0-4, temperature=0.7, longest=40000
    (`goldproof.judge.llm_judge`) answer                  the answer rule, offline (`goldproof.judge.answer_judge`)
    gold                    the gold kernels of the questions themselves (`goldproof.judge.gold_judge`)
    similarity[:EMBEDDER]   cosine above #least=0.7 (`goldproof.judge.similarity_judge`)
    keyword                 share of the question's keywords above #least=0.4 (`goldproof.judge.keyword_judge`)
    human:FILE              annotations, with #scale=0-2 (`goldproof.judge.human_judge`)
    module:object           your own, with #scale=0-4 (`goldproof.judge.own_judge`)

Options follow a `#`. Other kinds enter as plug-ins: entry points `judge.NAME` for a function that takes what follows
the colon and the options (name -> text) and returns a `Judge`. Models that are opened meanwhile keep to the access
given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, cast

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.core.registry import Registry
from goldproof.core.spec_options import Spec, split_options
from goldproof.core.wording import kind_of
from goldproof.judge.judge import Judge
from goldproof.llm.access import using_access

if TYPE_CHECKING:
    from goldproof.llm.access import Access

JudgeKind = Callable[[str, Mapping[str, str]], Judge]
JUDGES: Registry[JudgeKind] = Registry("judge")
for _name, _target in {
    "answer": "goldproof.judge.answer_judge:answer_judge",
    "gold": "goldproof.judge.gold_judge:gold_judge",
    "human": "goldproof.judge.human_judge:human_judge",
    "keyword": "goldproof.judge.keyword_judge:keyword_judge",
    "llm": "goldproof.judge.llm_opening:llm_judge",
    "similarity": "goldproof.judge.similarity_judge:similarity_judge",
}.items():
    JUDGES.register(_name, _target)
_PREFIX = re.compile(r"([\w.-]+)(?::(.*))?", re.DOTALL)
_HINT = "A judge is one of these names, or module:object for your own."


def open_judge(spec: object, *, access: Access | None = None) -> Judge:
    """Open a judge by its spec; a judge is taken as it is, and any other callable becomes one."""
    with using_access(access) if access is not None else nullcontext():
        return _named(spec.strip()) if isinstance(spec, str) else _given(spec)


def _named(written: str) -> Judge:
    if not written:
        raise InputError(f"the judge's spec is empty; expected one of {', '.join(JUDGES)}, or module:object.")
    rest, options = _split(written)
    prefix = _PREFIX.fullmatch(rest)
    if prefix is not None and prefix[1] in JUDGES:
        return JUDGES.get(prefix[1])(prefix[2] or "", options)
    if prefix is None or not prefix[2]:
        raise UnknownNameError("judge", rest, JUDGES, hint=_HINT)
    return _own(rest, options, name=prefix[1])


def _split(written: str) -> Spec:
    """Cut the options off, unless a file has this name."""
    file = written.partition(":")[2]
    is_file = written.startswith("human:") and Path(file).is_file()
    return Spec(written, {}) if is_file else split_options(written)


def _own(rest: str, options: Mapping[str, str], *, name: str) -> Judge:
    from goldproof.judge.own_judge import own_judge  # noqa: PLC0415 - what it needs is loaded when it is needed

    try:
        return own_judge(rest, options)
    except InputError as error:
        near = get_close_matches(name, list(JUDGES), n=1, cutoff=0.6)
        if not near:
            raise
        raise InputError(f"{error}\n  Or did you mean the judge {near[0]!r}?") from error


def _given(spec: object) -> Judge:
    if is_judge(spec):
        return cast("Judge", spec)
    if not callable(spec) and not callable(getattr(spec, "judge", None)):
        raise InputError(f"{kind_of(spec)} is no judge; expected a spec such as answer, a Judge, or a function.")
    from goldproof.judge.own_judge import OwnJudge  # noqa: PLC0415

    return OwnJudge(spec)


def is_judge(target: object) -> bool:
    """Return whether an object has all that a judge needs, so that it is used as it is."""
    methods = all(callable(getattr(target, name, None)) for name in ("judge", "estimate", "why_not_sets"))
    return methods and not isinstance(target, type) and hasattr(target, "key") and hasattr(target, "scale")
