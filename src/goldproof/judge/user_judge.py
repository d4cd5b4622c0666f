"""A user's function or object as a judge, with its rulings kept on disk.

The object may have, and need not: `key` (its identity, with everything that changes its rulings), `scale` (a name such
as "0-4", or a `Scale`), `concurrency`, `why_not_sets(question)` and `estimate(question, documents)`. A class is called
without arguments. A sync function runs in a thread, one call at a time; an async one eight at a time. The code is given
copies: what it changes in them changes nothing here.

It may return:

    True, False                 yes, no
    a whole number              a grade, where the judge has a scale of grades; else 1 is yes and 0 is no
    a label                     "yes", "no", "unsupported", "disputed", "abstained", "failed", in any case
    a dict                      label or grade, and quotes, missing, reason; quotes are checked as a model's are
    a Ruling                    itself

Anything else, None included, is a mistake: the ruling is `failed`, and its reason says what was returned. A grade that
says the answer is there makes a yes.

Whatever the code raises becomes a ruling `failed` with its reason; errors that end the whole run (model down, budget
spent, wrong input) are passed on. `sys.exit()`, KeyboardInterrupt and CancelledError, too, end only the call: in a
thread or in a task of the event loop they would leave others waiting for good. Caught errors are handed on as `Raised`.
A cancellation from outside is not the code's: it is passed on. So is GeneratorExit within a coroutine, by which Python
ends one.

Where the key is a lasting one (its own `key`, or the content of its file: `goldproof.user_code.user_object`) rulings
are kept on disk, so that an interrupted run goes on; failures are not kept, but tried again. The key of a ruling is the
judge's key with all fields of question and documents, since the judge is given all of them: a changed text, or other
metadata, is another ruling. Where metadata cannot be serialised there is no key, and the ruling is not kept. Models'
answers are kept elsewhere (`goldproof.llm`).
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
from goldproof.io.storage import KeyedStore
from goldproof.io.storage.home import make_home
from goldproof.judge.judge import SCALES, YES_NO, Evidence, Label, Ruling, Scale, Vote, scale_named
from goldproof.judge.votes import Matter, find_quotes, quote_problem, tidied
from goldproof.llm import Estimate
from goldproof.records.entities import Document, Question
from goldproof.records.keys import canonical_json, content_key
from goldproof.user_code.calls import start_daemon
from goldproof.user_code.user_object import UserObject

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

R = TypeVar("R", Question, Document)
FILE_NAME = "rulings.sqlite"
_WHOLE_TEXT: Final = 1 << 60
_AT_ONCE: Final = 8
_EXPECTED: Final = "expected True or False, a grade, a label, a dict or a Ruling"
_JUDGE: Final = "a spec such as answer, a Judge, a function (question, documents), or an object with a method judge"
_KEYS: Final = ("label", "grade", "quotes", "missing", "reason")
_LABELS: Final = get_args(Label)
_STORES: WeakValueDictionary[Path, KeyedStore] = WeakValueDictionary()
_LOCK = Lock()


class UserJudge(Closeable):
    """A user's code as a judge. given: `module:object`, or the object itself."""

    def __init__(self, given: object, *, scale: Scale | None = None) -> None:
        user = UserObject.of(given).instance()
        self._target = user.target
        call = user.method("judge", expected=_JUDGE)
        # A callable object with an async __call__ is async as well.
        own_call = getattr(call, "__call__", None)  # noqa: B004 - the method is wanted, not whether there is one
        self._call = own_call if inspect.iscoroutinefunction(own_call) else call
        self._is_async = inspect.iscoroutinefunction(self._call)
        self.scale = scale or _scale_of(self._target, name=user.name)
        self.concurrency = int(getattr(self._target, "concurrency", _AT_ONCE if self._is_async else 1))
        scale_note = "" if self.scale is YES_NO else f" scale={self.scale.name}"
        self.key = f"{user.key}{scale_note}"
        self._kept = KeptRulings(self.key) if user.is_lasting else None

    @property
    def keeps_rulings(self) -> bool:
        """Whether rulings are kept on disk, so that an interrupted run goes on."""
        return self._kept is not None

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Return the kept ruling, else call the code."""
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
        """Return the code's own estimate; an empty one where it has none."""
        own = getattr(self._target, "estimate", None)
        return cast("Estimate", own(question, documents)) if callable(own) else Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return the code's own reason; None where it has none, so that sets are judged."""
        own = getattr(self._target, "why_not_sets", None)
        return cast("str | None", own(question)) if callable(own) else None

    def close(self) -> None:
        """Close the file of rulings; the next question opens it again. The user's object is not closed."""
        if self._kept is not None:
            self._kept.close()

    async def _fresh(self, question: Question, documents: Sequence[Document]) -> Ruling:
        try:
            returned = await self._returned(copied(question), [copied(document) for document in documents])
            if isinstance(returned, Raised):
                return failed_ruling(returned.error)
            return tidied(returned_ruling(returned, Matter(question, documents, self.scale, _WHOLE_TEXT)))
        except Exception as error:  # noqa: BLE001 - objects that it returned are the user's code as well
            return failed_ruling(error)

    async def _returned(self, question: Question, documents: Sequence[Document]) -> object:
        if self._is_async:
            return await awaited(self._call(question, documents))
        returned = await asyncio.wrap_future(start_daemon(called, self._call, question, documents))
        return await awaited(returned) if inspect.isawaitable(returned) else returned


def _scale_of(target: object, *, name: str) -> Scale:
    own = getattr(target, "scale", YES_NO)
    if isinstance(own, Scale):
        return own
    scale = scale_named(own)
    if scale is None:
        raise UnknownNameError(f"scale of {name}:", str(own), SCALES)
    return scale


def returned_ruling(returned: object, matter: Matter) -> Ruling:
    """Return the ruling of a returned value."""
    value = _plain(returned)
    if isinstance(value, Ruling):
        return _checked(value, matter.scale)
    if isinstance(value, Mapping):
        return _of_record(value, matter)
    if isinstance(value, bool | int | str):
        return _of_value(value, matter.scale)
    return _failed(f"the judge returned {kind_of(returned)}; {_EXPECTED}.")


def _plain(returned: object) -> object:
    """Return a NumPy scalar as a Python number; anything else as it is."""
    item = getattr(returned, "item", None)
    return item() if callable(item) and getattr(returned, "ndim", 1) == 0 else returned


def _of_value(value: bool | int | str, scale: Scale) -> Ruling:  # noqa: FBT001 - a judge returned it
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
    ruling = _of_value(value, matter.scale)
    quotes = record.get("quotes") or ()
    listed = [quotes] if isinstance(quotes, str) else [str(each) for each in cast("list[object]", quotes)]
    evidence, lost = find_quotes(listed, matter)
    reason, missing = str(record.get("reason") or ruling.reason), str(record.get("missing") or "")
    problem = quote_problem(listed, lost, question=matter.question) if ruling.label == "yes" else ""
    if problem:
        return Ruling("unsupported", reason=joined(problem, reason))
    return Ruling(ruling.label, ruling.grade, evidence, missing, reason)


def _checked(ruling: Ruling, scale: Scale) -> Ruling:
    if ruling.label not in _LABELS:
        return _failed(f"the judge returned a ruling {shown(ruling.label)}; expected one of {', '.join(_LABELS)}.")
    if ruling.grade is not None and not 0 <= ruling.grade <= scale.most:
        return _of_grade(ruling.grade, scale)
    return ruling


def _failed(reason: str) -> Ruling:
    return Ruling("failed", reason=reason)


@dataclass(frozen=True, slots=True)
class Raised:
    """An error that the user's code raised."""

    error: BaseException


def called(call: Callable[..., object], question: Question, documents: Sequence[Document]) -> object:
    """Call a sync function in our thread; return its result, or the error as `Raised`."""
    try:
        return call(question, documents)
    except BaseException as error:  # noqa: BLE001 - none of its errors is ours
        return Raised(error)


async def awaited(work: Awaitable[object]) -> object:
    """Await the code's coroutine in the caller's task; return its result, or the error as `Raised`."""
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
    except BaseException as error:  # noqa: BLE001 - none of its other errors is ours
        return Raised(error)


def failed_ruling(error: BaseException) -> Ruling:
    """Return an error as a ruling `failed`; errors that end the whole run are raised."""
    if isinstance(error, ModelDownError | BudgetSpentError | InputError):
        raise error
    return Ruling("failed", reason=reason_of(error))


def copied(record: R) -> R:
    """Return a record with a copy of its metadata; values that cannot be copied (a lock, an open file) are shared."""
    return replace(record, metadata={name: _copy(value) for name, value in record.metadata.items()})


def _copy(value: object) -> object:
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - a user's object may raise anything on being copied
        return value


class KeptRulings(Closeable):
    """The rulings of one judge on disk, by question and documents."""

    def __init__(self, judge_key: str, path: Path | None = None) -> None:
        self._judge_key = judge_key
        self._store = _store(path or make_home() / FILE_NAME)

    def key(self, question: Question, documents: Sequence[Document]) -> bytes | None:
        """Return the key of a ruling, with the order of the documents; None where metadata cannot be serialised."""
        try:
            judged = canonical_json([_values(question), [_values(document) for document in documents]])
        except (TypeError, ValueError):
            return None
        return bytes.fromhex(content_key("ruling", self._judge_key, judged))

    async def get(self, key: bytes) -> Ruling | None:
        """Return the kept ruling, or None."""
        kept = (await asyncio.to_thread(self._store.get_many, (key,))).get(key)
        return None if kept is None else ruling_from(orjson.loads(kept))

    def close(self) -> None:
        """Close the file; the next ruling opens it again."""
        self._store.release()

    async def put(self, key: bytes, ruling: Ruling) -> None:
        """Keep a ruling; it is on disk when this returns."""
        await asyncio.to_thread(self._store.put_many, {key: orjson.dumps(ruling_record(ruling))})


def _values(record: Question | Document) -> list[object]:
    """Return every field of a record, future ones included."""
    return [getattr(record, field.name) for field in fields(record)]


def _store(path: Path) -> KeyedStore:
    """Return this process's store of a file; it is freed with the last judge that uses it."""
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
