"""Run a proof with its control and compare, then repeat it to rule out flaky results.

no verdict   the run does not count (network, crash, timeout, early exit), the observation says nothing either way, the
             control did not run or did not flip, or a second run was not the same
confirmed, refuted, supported   by the power of the proof: see `goldproof.jobs.verify.proof`

The control and what flips it: see `goldproof.jobs.verify.controls`.

Twice the same: what was called or run as code is run once more. The comparison must come out alike, and what it saw
must be the same line but for what differs in every process: addresses, ids, times.
"""

from __future__ import annotations

import errno
import inspect
import re
from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.controls import make_control
from goldproof.jobs.verify.proof import Compared, Tried

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.jobs.verify.proof import Proof, Standing
    from goldproof.sandbox import Limits, Run

_REMEMBERED = 1024
_REFUSED = frozenset({"builtins.PermissionError", "builtins.MemoryError"})
# No permission, no process, no memory, read-only, no space, no such call: what locks and limits answer with.
_LIMITS = frozenset({errno.EPERM, errno.EACCES, errno.EAGAIN, errno.ENOMEM, errno.EROFS, errno.ENOSPC, errno.ENOSYS})
_ERRNO = re.compile(r"\[Errno (\d+)\]")
_RUN_TWICE = frozenset({"call", "code", "command"})
_LONGEST = 200
_CLAIM = re.compile(r'\A"""[^\n]*"""\n')
_MASKS = (
    (re.compile(r"0x[0-9a-fA-F]{4,}"), "0x"),
    (re.compile(r"\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b", re.IGNORECASE), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?"), "TIME"),
    (re.compile(r"datetime\(\d{4}(?:, \d+){2,}"), "datetime(TIME"),
    (re.compile(r"\b\d{10,}(?:\.\d+)?\b"), "NUMBER"),
    (re.compile(r"/tmp/[\w.-]+"), "/tmp/"),  # noqa: S108 - a pattern, not a path that is used
)


class Runs:
    """Runs scripts, and the same script with the same files only once. Threads may share it.

    The words of the claim at the top of a script are no part of it: what several options say about one snippet is
    observed once.
    """

    def __init__(self, run: Callable[..., Run]) -> None:
        self._run = run
        self._known: OrderedDict[tuple[object, ...], Future[Run]] = OrderedDict()
        self._lock = Lock()
        self._made = 0

    @property
    def made(self) -> int:
        """Number of scripts that were really run."""
        return self._made

    def __call__(
        self,
        script: str,
        *,
        name: str = "proof.py",
        files: Mapping[str, str] | None = None,
        again: int = 0,
        limits: Limits | None = None,
    ) -> Run:
        """Run a script, or return what became of it before. again: another number runs it once more."""
        key = (_without_claim(script), tuple(sorted((files or {}).items())), again, limits)
        with self._lock:
            known = self._known.get(key)
            mine = known is None
            future: Future[Run] = Future() if known is None else known
            if mine:
                self._remember(key, future)
        if mine:
            self._fill(future, key, lambda: self._run(script, name=name, files=files, limits=limits))
        return future.result()

    def _remember(self, key: tuple[object, ...], future: Future[Run]) -> None:
        self._known[key] = future
        self._made += 1
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _fill(self, future: Future[Run], key: tuple[object, ...], run: Callable[[], Run]) -> None:
        """Run it. What the sandbox lost says nothing about the script, so it is not remembered."""
        try:
            made = run()
        except BaseException as error:
            self._forget(key)
            future.set_exception(error)
            raise
        if made.ended == "lost":
            self._forget(key)
        future.set_result(made)

    def _forget(self, key: tuple[object, ...]) -> None:
        with self._lock:
            self._known.pop(key, None)


def _without_claim(script: str) -> str:
    return script if "__doc__" in script else _CLAIM.sub("", script, count=1)


def try_proof(proof: Proof, run: Callable[..., Run]) -> Tried:
    """Run a proof and its control.

    run: called as `Sandbox.run` is; where it takes `again`, the second run is asked for with `again=1`, since a memo
    would return the first.
    """
    first = run(proof.script, files=proof.files)
    if not first.counts:
        return _no_verdict(proof, first, Compared(None, first.why_not), reason=first.why_not)
    compared = compare(proof.expect, first.observations)
    if denied := _denied(first):
        return _no_verdict(proof, first, compared, reason=denied)
    if compared.holds is None:
        return _no_verdict(proof, first, compared, reason=compared.seen or "the observation says nothing either way")
    if compared.holds is False and proof.power == "confirms":
        reason = f"not met, which alone refutes nothing: {_short(compared.seen)}"
        return _no_verdict(proof, first, compared, reason=reason, control="not needed: it could only confirm")
    if unlike := _unlike_again(proof, first, compared, run):
        return _no_verdict(proof, first, compared, reason=unlike)
    return _controlled(proof, first, compared, run)


def _denied(run: Run) -> str:
    """Return what may be the sandbox's doing and not the library's: outside it might have been allowed."""
    for one in run.observations:
        raised = one.get("exception")
        if isinstance(raised, dict) and (_REFUSED & {*(raised.get("mro") or ())} or _is_limit(raised.get("message"))):
            return f"the sandbox may have refused it: {raised.get('type')}: {_short(str(raised.get('message')))}"
    return ""


def _is_limit(message: object) -> bool:
    found = _ERRNO.match(str(message))
    return found is not None and int(found[1]) in _LIMITS


def _controlled(proof: Proof, first: Run, compared: Compared, run: Callable[..., Run]) -> Tried:
    """Return the proof with its control made."""
    met = compared.holds is True
    made = make_control(proof, first, met=met, run=run)
    if made.flips is None:
        return _no_verdict(proof, first, compared, reason="it has no control", control=made.words)
    if not made.flips:
        reason = f"its control {made.words}"
        return _no_verdict(proof, first, compared, reason=reason, control=made.words, control_run=made.run)
    stands: Standing = "refuted" if not met else "supported" if proof.power == "refutes" else "confirmed"
    return Tried(proof, first, compared, stands, made.words, control_run=made.run)


def _unlike_again(proof: Proof, first: Run, compared: Compared, run: Callable[..., Run]) -> str:
    """Return what was different when it was run again, or an empty text."""
    if not any(one.get("kind") in _RUN_TWICE for one in first.observations):
        return ""
    named = {"again": 1} if "again" in inspect.signature(run).parameters else {}
    second = run(proof.script, files=proof.files, **named)
    if not second.counts:
        return f"not the same twice: the second run did not count, {second.why_not}"
    other = compare(proof.expect, second.observations)
    if _compared_key(other) == _compared_key(compared):
        return ""
    return f"not the same twice: {_short(compared.seen)}, then {_short(other.seen)}"


def _compared_key(compared: Compared) -> tuple[object, ...]:
    return compared.holds, compared.exact, masked(compared.seen)


def masked(text: str) -> str:
    """Return a text without what differs in every process: addresses, ids, times."""
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def _no_verdict(
    proof: Proof,
    run: Run,
    compared: Compared,
    *,
    reason: str,
    control: str = "not made",
    control_run: Run | None = None,
) -> Tried:
    return Tried(proof, run, compared, "no verdict", control, reason=reason, control_run=control_run)


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), longest=_LONGEST)
