"""A judge of the user's: a function `(question, documents) -> ruling`, sync or async, or an object with such a `judge`.

`goldproof.judge.own_rulings` says what it may return. It may have, and need not: `key` (its identity, with all that
changes its rulings), `scale` (a name such as "0-4", or a `Scale`), `concurrency`, `why_not_sets(question)` and
`estimate(question, documents)`. A class is called without arguments. A sync function runs in a thread, one call at a
time; an async one eight at a time.

Where the key is a lasting one (`goldproof.core.own_code`: its own `key`, or the content of its file) its rulings are
kept on disk, so that an interrupted run goes on (`goldproof.judge.kept`); not where metadata cannot be written down.
Whatever the code raises, `sys.exit()` among it, becomes a ruling `failed` with its reason, which is not kept; what says
that the whole run must end (model down, budget spent, wrong input) is passed on. The code is given copies: what it
changes in them changes nothing here.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, Final, cast

from goldproof.core.closing import Closing
from goldproof.core.errors import InputError, UnknownNameError
from goldproof.core.own_code import lasting_key, load_own, name_of
from goldproof.core.spec_options import check_options
from goldproof.core.wording import reason_of
from goldproof.judge.judge import SCALES, YES_NO, Scale
from goldproof.judge.kept import KeptRulings
from goldproof.judge.opinions import Matter
from goldproof.judge.own_calls import Raised, awaited, called, copied, failed_ruling
from goldproof.judge.own_rulings import own_ruling
from goldproof.judge.spec import scale_named, scale_of
from goldproof.judge.tidying import tidied
from goldproof.llm.ask import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.core.records import Document, Question
    from goldproof.judge.judge import Judge
    from goldproof.judge.ruling import Ruling

_WHOLE_TEXT: Final = 1 << 60
_AT_ONCE: Final = 8


class OwnJudge(Closing):
    """Somebody else's code as a judge. given: the name by which it was found, where it has one."""

    def __init__(self, target: object, *, given: object = None, scale: Scale | None = None) -> None:
        given = target if given is None else given
        self._target: Any = _made(target, name=name_of(given))
        self._call = _call_of(self._target, name=name_of(given))
        self._is_async = inspect.iscoroutinefunction(self._call)
        self.scale = scale or _scale_of(self._target, name=name_of(given))
        self.concurrency = int(getattr(self._target, "concurrency", _AT_ONCE if self._is_async else 1))
        lasting = lasting_key(given, self._target)
        scale_named = "" if self.scale is YES_NO else f" scale={self.scale.name}"
        self.key = f"{lasting or f'{name_of(given)} (not in a file)'}{scale_named}"
        self._kept = KeptRulings(self.key) if lasting else None

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Call the code, unless its ruling is kept."""
        key = None if self._kept is None else self._kept.key(question, documents)
        if self._kept is None or key is None:
            return await self._fresh(question, documents)
        ruling = await self._kept.get(key)
        if ruling is None:
            ruling = await self._fresh(question, documents)
            if ruling.label != "failed":
                await self._kept.put(key, ruling)
        return ruling

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:
        """Return what the code itself says; nothing where it says nothing."""
        own = getattr(self._target, "estimate", None)
        return cast("Estimate", own(question, documents)) if callable(own) else Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return what the code itself says; None where it says nothing, so that sets are judged."""
        own = getattr(self._target, "why_not_sets", None)
        return cast("str | None", own(question)) if callable(own) else None

    def close(self) -> None:
        """Let go of the file of rulings; the next question opens it again. The code itself is left alone."""
        if self._kept is not None:
            self._kept.close()

    async def _fresh(self, question: Question, documents: Sequence[Document]) -> Ruling:
        try:
            returned = await self._returned(copied(question), [copied(document) for document in documents])
            if isinstance(returned, Raised):
                return failed_ruling(returned.error)
            return tidied(own_ruling(returned, Matter(question, documents, self.scale, _WHOLE_TEXT)))
        except Exception as error:  # noqa: BLE001 - what was returned is the user's code as well
            return failed_ruling(error)

    async def _returned(self, question: Question, documents: Sequence[Document]) -> object:
        if self._is_async:
            return await awaited(self._call(question, documents))
        returned = await asyncio.to_thread(called, self._call, question, documents)
        return await awaited(returned) if inspect.isawaitable(returned) else returned


def own_judge(spec: str, options: Mapping[str, str]) -> Judge:
    """Return the judge that `module:object` names; one that has all a judge needs is used as it is."""
    from goldproof.judge.opening import is_judge  # noqa: PLC0415 - that module opens this one

    check_options(options, ("scale",), of="the own judge")
    target = load_own(spec)
    if is_judge(target) and not options:
        return cast("Judge", target)
    return OwnJudge(target, given=spec, scale=scale_of(options))


def _made(target: object, *, name: str) -> object:
    if not isinstance(target, type):
        return target
    try:
        return target()
    except (Exception, SystemExit) as error:
        raise InputError(f"{name}: the class could not be called without arguments: {reason_of(error)}") from error


def _call_of(target: object, *, name: str) -> Callable[..., Any]:
    method = getattr(target, "judge", None)
    found = method if callable(method) else target
    if not callable(found):
        raise InputError(f"{name} is no judge; expected a function (question, documents), or an object with a judge.")
    # A callable object with an async __call__ is async as well.
    own_call = getattr(found, "__call__", None)  # noqa: B004 - the method is wanted, not whether there is one
    return own_call if inspect.iscoroutinefunction(own_call) else found


def _scale_of(target: object, *, name: str) -> Scale:
    said = getattr(target, "scale", YES_NO)
    if isinstance(said, Scale):
        return said
    scale = scale_named(said)
    if scale is None:
        raise UnknownNameError(f"scale of {name}:", str(said), SCALES)
    return scale
