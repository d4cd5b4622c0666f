"""A function or object of the user's as judge; its kept rulings.

`goldproof.judge.user_judge` says what it may return. It may have, and need not: `key` (its identity, with all that
changes its rulings), `scale` (a name such as "0-4", or a `Scale`), `concurrency`, `why_not_sets(question)` and
`estimate(question, documents)`. A class is called without arguments. A sync function runs in a thread, one call at a
time; an async one eight at a time.

Where the key is a lasting one (`goldproof.plugins`: its own `key`, or the content of its file) its rulings are
kept on disk, so that an interrupted run goes on (`goldproof.judge.user_judge`); not where metadata cannot be written
down. Whatever the code raises, `sys.exit()` among it, becomes a ruling `failed` with its reason, which is not kept;
what says that the whole run must end (model down, budget spent, wrong input) is passed on. The code is given copies:
what it changes in them changes nothing here.

    True, False                 yes, no
    a whole number              a grade, where the judge has a scale of grades; else 1 is yes and 0 is no
    a label                     "yes", "no", "unsupported", "disputed", "abstained", "failed", in any case
    a dict                      label or grade, and quotes, missing, reason; quotes are checked as a model's are
    a Ruling                    itself

Anything else, None among it, is a mistake: the ruling is `failed`, and its reason says what was returned. A grade that
says the answer is there makes a yes.

Also `sys.exit()`, KeyboardInterrupt and CancelledError end only the call: in a thread or in a task of the event loop
they would leave others waiting for good. What is caught is handed on as `Raised`. A cancellation that comes from
outside is none of the code's: it is passed on. So is GeneratorExit within a coroutine, by which Python ends one.

The key of a ruling is the judge's key with all that question and documents hold, since the judge is given all of it: a
changed text, or other metadata, is another ruling. Metadata that cannot be written down have no key, and such a ruling
is not kept. Only what a judge has said is: a failure is tried again. Models' answers are kept elsewhere
(`goldproof.llm`), so this is for judges that are code of the user's.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, fields, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, get_args
from weakref import WeakValueDictionary

import orjson

from goldproof.closeable import Closeable
from goldproof.errors import (
    BudgetSpentError,
    InputError,
    ModelDownError,
    UnknownNameError,
    joined,
    kind_of,
    reason_of,
    shown,
)
from goldproof.io.storage.home import make_home
from goldproof.io.storage.keyed_store import KeyedStore
from goldproof.judge.judge import SCALES, YES_NO, Evidence, Label, Ruling, Scale, Vote, scale_named, scale_of
from goldproof.judge.votes import Matter, find_quotes, quote_problem, tidied
from goldproof.llm.model import Estimate
from goldproof.plugins import check_options, lasting_key, load_user_object, name_of
from goldproof.records.entities import Document, Question
from goldproof.records.keys import canonical_json, content_key

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from goldproof.judge.judge import Judge


_WHOLE_TEXT: Final = 1 << 60

_AT_ONCE: Final = 8


class UserJudge(Closeable):
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
    from goldproof.judge.judge import is_judge  # noqa: PLC0415 - that module opens this one

    check_options(options, ("scale",), of="the own judge")
    target = load_user_object(spec)
    if is_judge(target) and not options:
        return cast("Judge", target)
    return UserJudge(target, given=spec, scale=scale_of(options))


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


_EXPECTED: Final = "expected True or False, a grade, a label, a dict or a Ruling"

_KEYS: Final = ("label", "grade", "quotes", "missing", "reason")

_LABELS: Final = get_args(Label)


def own_ruling(returned: object, matter: Matter) -> Ruling:
    """Return the ruling that a returned value means."""
    value = _plain(returned)
    if isinstance(value, Ruling):
        return _checked(value, matter.scale)
    if isinstance(value, Mapping):
        return _of_record(value, matter)
    if isinstance(value, bool | int | str):
        return _of_value(value, matter.scale)
    return _failed(f"the judge returned {kind_of(returned)}; {_EXPECTED}.")


def _plain(returned: object) -> object:
    """Return a number of numpy's as Python's own."""
    item = getattr(returned, "item", None)
    return item() if callable(item) and getattr(returned, "ndim", 1) == 0 else returned


def _of_value(value: bool | int | str, scale: Scale) -> Ruling:  # noqa: FBT001 - it is what a judge returned
    if isinstance(value, bool):
        return Ruling("yes" if value else "no")
    if isinstance(value, int):
        return _of_grade(value, scale)
    label = value.strip().lower()
    if label not in _LABELS:
        return _failed(f"the judge returned {shown(value)}; expected one of {', '.join(_LABELS)}.")
    return Ruling(cast("Label", label))


def _of_grade(grade: int, scale: Scale) -> Ruling:
    if not 0 <= grade <= scale.most:
        hint = ' Say which scale it is: scale = "0-4" on the judge, or #scale=0-4 after its name.'
        return _failed(f"grade {grade} is not on the scale {scale.name}.{hint}")
    label: Label = "yes" if grade >= scale.yes_from else "no"
    return Ruling(label, None if scale.name == "yes-no" else grade)


def _of_record(record: Mapping[object, object], matter: Matter) -> Ruling:
    unknown = [key for key in record if key not in _KEYS]
    if unknown:
        return _failed(f"the judge returned a dict with the key {shown(unknown[0])}; known: {', '.join(_KEYS)}.")
    value = record.get("grade") if record.get("grade") is not None else record.get("label")
    if not isinstance(value, bool | int | str):
        return _failed(f"the judge returned a dict without label or grade; {_EXPECTED}.")
    said = _of_value(value, matter.scale)
    quotes = record.get("quotes") or ()
    listed = [quotes] if isinstance(quotes, str) else [str(each) for each in cast("list[object]", quotes)]
    found, lost = find_quotes(listed, matter)
    reason, missing = str(record.get("reason") or said.reason), str(record.get("missing") or "")
    problem = quote_problem(listed, lost, question=matter.question) if said.label == "yes" else ""
    if problem:
        return Ruling("unsupported", reason=joined(problem, reason))
    return Ruling(said.label, said.grade, found, missing, reason)


def _checked(ruling: Ruling, scale: Scale) -> Ruling:
    if ruling.label not in _LABELS:
        return _failed(f"the judge returned a ruling {shown(ruling.label)}; expected one of {', '.join(_LABELS)}.")
    if ruling.grade is not None and not 0 <= ruling.grade <= scale.most:
        return _of_grade(ruling.grade, scale)
    return ruling


def _failed(reason: str) -> Ruling:
    return Ruling("failed", reason=reason)


R = TypeVar("R", Question, Document)


@dataclass(frozen=True, slots=True)
class Raised:
    """What the code raised."""

    error: BaseException


def called(call: Callable[..., object], question: Question, documents: Sequence[Document]) -> object:
    """Call a sync function in a thread of ours; return what it returns, or what it raised."""
    try:
        return call(question, documents)
    except BaseException as error:  # noqa: BLE001 - nothing that it raises is ours
        return Raised(error)


async def awaited(work: Awaitable[object]) -> object:
    """Await the code's coroutine in the task of the caller; return what it returns, or what it raised."""
    task = asyncio.current_task()
    cancelled_before = task.cancelling() if task else 0
    try:
        return await work
    except GeneratorExit:
        raise
    except asyncio.CancelledError as error:
        if task and task.cancelling() > cancelled_before:
            raise
        return Raised(error)
    except BaseException as error:  # noqa: BLE001 - nothing else that it raises is ours
        return Raised(error)


def failed_ruling(error: BaseException) -> Ruling:
    """Return the ruling that an error means; what ends the whole run is raised."""
    if isinstance(error, ModelDownError | BudgetSpentError | InputError):
        raise error
    return Ruling("failed", reason=reason_of(error))


def copied(record: R) -> R:
    """Return a record whose metadata may be changed; values that cannot be copied (a lock, an open file) are shared."""
    return replace(record, metadata={name: _copy(value) for name, value in record.metadata.items()})


def _copy(value: object) -> object:
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - whatever an object of the user's says to being copied
        return value


FILE_NAME = "rulings.sqlite"

_STORES: WeakValueDictionary[Path, KeyedStore] = WeakValueDictionary()

_LOCK = Lock()


class KeptRulings(Closeable):
    """The rulings of one judge, by what was judged."""

    def __init__(self, judge_key: str, path: Path | None = None) -> None:
        self._judge_key = judge_key
        self._store = _store(path or make_home() / FILE_NAME)

    def key(self, question: Question, documents: Sequence[Document]) -> bytes | None:
        """Return the key of a ruling, None where there is none; the order of the documents is part of it."""
        try:
            judged = canonical_json([_values(question), [_values(document) for document in documents]])
        except (TypeError, ValueError):
            return None
        return bytes.fromhex(content_key("ruling", self._judge_key, judged))

    async def get(self, key: bytes) -> Ruling | None:
        """Return the ruling that is kept, or None."""
        found = (await asyncio.to_thread(self._store.get_many, (key,))).get(key)
        return None if found is None else ruling_from(orjson.loads(found))

    def close(self) -> None:
        """Let go of the file; the next ruling opens it again."""
        self._store.release()

    async def put(self, key: bytes, ruling: Ruling) -> None:
        """Keep a ruling; it is on disk when this returns."""
        await asyncio.to_thread(self._store.put_many, {key: orjson.dumps(ruling_record(ruling))})


def _values(record: Question | Document) -> list[object]:
    """Return all that a record holds, also what it may come to hold one day."""
    return [getattr(record, field.name) for field in fields(record)]


def _store(path: Path) -> KeyedStore:
    """Return this process's store of a file, which ends with the last judge that uses it."""
    with _LOCK:
        store = _STORES.get(path)
        if store is None:
            store = _STORES[path] = KeyedStore(path)
        return store


def ruling_record(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as plain JSON values; `ruling_from` reads it back."""
    return asdict(ruling)


def ruling_from(record: Mapping[str, Any]) -> Ruling:
    """Return the ruling of a record."""
    return Ruling(
        label=record["label"],
        grade=record["grade"],
        evidence=tuple(Evidence(**each) for each in record["evidence"]),
        missing=record["missing"],
        reason=record["reason"],
        votes=tuple(Vote(**{**each, "quotes": tuple(each["quotes"])}) for each in record["votes"]),
        agreement=record["agreement"],
        score=record.get("score"),
    )
