"""Rules end to end: a question in words, the proofs of one rule, and each of them run by the real observer.

The scripts run in one other interpreter that forks for each of them; nothing is guarded, which is the sandbox's part.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import goldproof
from goldproof.corpus.libraries import open_library, open_names
from goldproof.io.cases.case import Case, CodeFile
from goldproof.jobs.verify.rules.reading import read_question
from goldproof.jobs.verify.rules.rule import Reading
from goldproof.jobs.verify.trying import try_proof
from goldproof.records.entities import Question
from goldproof.sandbox.run import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.corpus.libraries import NameIndex
    from goldproof.jobs.verify.proof import Proof, Tried
    from goldproof.jobs.verify.rules.rule import Rule

LETTERS = "ABCDEFGH"
_SERVER = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from proof import integrity, runner
for name in sys.argv[2:]:
    __import__(name)
snapshot = integrity.take_snapshot(tuple(sys.argv[2:]))
for line in sys.stdin:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        said = runner.run_script(json.loads(line), name="proof.py", snapshot=snapshot)
        with os.fdopen(writing, "w") as out:
            json.dump(said, out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as back:
        said = back.read()
    os.waitpid(child, 0)
    print(said, flush=True)
"""


class Prover:
    """A library with its names, and an interpreter in which scripts about it run."""

    def __init__(self, spec: str) -> None:
        self.index: NameIndex = open_names(open_library(spec))
        # Whatever lies below the folder of a script counts as its own code, so that it must not be the repository.
        self._folder = tempfile.TemporaryDirectory()
        inside = Path(goldproof.__file__).parent / "sandbox" / "inside"
        self._server = subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(inside), *self.index.import_names],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self._folder.name,
        )  # fmt: skip
        self._known: dict[str, Run] = {}
        atexit.register(self.close)

    def close(self) -> None:
        """End the interpreter."""
        self._server.communicate()
        self._folder.cleanup()

    def run(self, script: str, *, files: Mapping[str, str] | None = None, again: int = 0) -> Run:
        """Run a script, as `Sandbox.run` does."""
        del files, again
        if script not in self._known:
            self._known[script] = self._ask(script)
        return self._known[script]

    def _ask(self, script: str) -> Run:
        if self._server.stdin is None or self._server.stdout is None:
            raise RuntimeError("the interpreter has no pipes")
        self._server.stdin.write(json.dumps(script) + "\n")
        self._server.stdin.flush()
        said: dict[str, Any] = json.loads(self._server.stdout.readline())
        return Run(
            ended=said["ended"], observations=tuple(said["observations"]), reason=said["reason"],
            blocked=tuple(said["blocked"]), changed=tuple(said["changed"]),
        )  # fmt: skip

    def reading(self, question: str, *options: str, code: str = "") -> Reading:
        """Return a case as rules see it."""
        case = case_of(question, *options, code=code)
        return Reading(case=case, asked=read_question(case, self.index), index=self.index)

    def proofs(self, rule: Rule, question: str, *options: str, code: str = "") -> list[Proof]:
        """Return what a rule proposes."""
        return list(rule.propose(self.reading(question, *options, code=code)))

    def tried(self, rule: Rule, question: str, *options: str, code: str = "") -> list[Tried]:
        """Return the proofs of a rule, run."""
        return [try_proof(one, self.run) for one in self.proofs(rule, question, *options, code=code)]

    def standings(self, rule: Rule, question: str, *options: str, code: str = "") -> str:
        """Return what became of each proof, in one line: `A confirmed, B refuted`."""
        tried = self.tried(rule, question, *options, code=code)
        return ", ".join(f"{one.proof.option} {one.standing}" for one in tried)


@cache
def prover(spec: str) -> Prover:
    """Return the prover of a library; one for all tests of a process."""
    return Prover(spec)


def case_of(question: str, *options: str, code: str = "") -> Case:
    """Return a multiple-choice case; its options get letters."""
    return Case(
        kind="multiple_choice",
        suite="suite",
        question=Question(id="suite:case", text=question, options=options),
        where="cases.yaml:1",
        asked=question,
        options=dict(zip(LETTERS, options, strict=False)),
        key="A",
        snippet=CodeFile("snippet.py", code) if code else None,
    )
