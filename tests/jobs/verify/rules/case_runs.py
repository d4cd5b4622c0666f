"""Cases in one line, an index of names by hand, and proofs that are really run: in forks, without a sandbox."""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from goldproof.corpus.libraries.name_index import KnownName
from goldproof.io.cases import Case, CodeFile
from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.rules import (
    code_options_rule,
    code_statement_rule,
    flag_rule,
    import_rule,
    printed_rule,
    raised_rule,
    returned_rule,
    snippet_rule,
)
from goldproof.jobs.verify.rules.reading import read_question
from goldproof.jobs.verify.rules.rule import Reading
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.rule import Rule


# The rules about code that runs; what the others say is tested beside them.
RUNNING: tuple[Rule, ...] = (
    snippet_rule.RULE,
    printed_rule.RULE,
    raised_rule.RULE,
    returned_rule.RULE,
    code_statement_rule.RULE,
    import_rule.RULE,
    code_options_rule.RULE,
    flag_rule.RULE,
)


@dataclass(frozen=True, slots=True)
class Names:
    """A name index that knows what it is told: path -> kind."""

    import_names: tuple[str, ...] = ("yaml", "pydantic")
    known: Mapping[str, str] = field(
        default_factory=lambda: {
            "yaml": "module",
            "yaml.safe_load": "function",
            "yaml.safe_dump": "function",
            "yaml.load": "function",
            "yaml.SafeLoader": "class",
            "yaml.YAMLError": "class",
            "pydantic": "module",
            "pydantic.BaseModel": "class",
            "pydantic.Field": "function",
            "pydantic.TypeAdapter": "class",
            "pydantic.ValidationError": "class",
            "pydantic.field_validator": "function",
        }
    )

    def find(self, name: str) -> tuple[KnownName, ...]:
        return tuple(
            KnownName(path, path, kind)
            for path, kind in self.known.items()
            if path == name or path.endswith(f".{name}")
        )

    def members(self, path: str) -> tuple[str, ...]:
        return tuple(one.removeprefix(f"{path}.") for one in self.known if one.rpartition(".")[0] == path)

    def near(self, name: str) -> tuple[str, ...]:
        del name
        return ()


def case_of(asked: str, *options: str, code: str = "", section: str | None = None) -> Case:
    """A multiple-choice case: options get the letters A, B, C, ..."""
    letters = dict(zip("ABCDEFGH", options, strict=False))
    snippet = CodeFile("snippets.py", code, section) if code else None
    text = f"{asked}\n\n```python\n{code}\n```" if code else asked
    question = Question(id="quiz:1", text=text, options=options)
    return Case("multiple_choice", "quiz", question, "quiz.yaml:1", asked=asked, options=letters, snippet=snippet)


def reading_of(case: Case, names: Names | None = None) -> Reading:
    index = names or Names()
    return Reading(case, read_question(case, index), index)


def proofs_of(case: Case, rules: Sequence[Rule] = RUNNING) -> tuple[Proof, ...]:
    reading = reading_of(case)
    return tuple(proof for rule in rules for proof in rule.propose(reading))


def standings(case: Case, rules: Sequence[Rule] = RUNNING) -> dict[str, str]:
    """Return letter (and `premise`) -> what its proofs come to: `holds`, `refuted`, `open`, each proof by its power.

    Controls must flip: a proof whose control does not, says nothing.
    """
    found: dict[str, str] = {}
    for proof in proofs_of(case, rules):
        holds = compare(proof.expect, observed(proof.script)).holds
        if holds is None or not _flips(proof, holds=holds):
            now = "open"
        elif holds:
            now = "open" if proof.power == "refutes" else "holds"
        else:
            now = "open" if proof.power == "confirms" else "refuted"
        before = found.get(proof.option, "open")
        found[proof.option] = "torn" if {before, now} == {"holds", "refuted"} else (now if before == "open" else before)
    return found


def decided(case: Case, rules: Sequence[Rule] = RUNNING) -> str:
    """The letters that hold, then those that are open after a question mark, then `!` where a premise is refuted."""
    found = standings(case, rules)
    holds = "".join(letter for letter in case.options if found.get(letter) == "holds")
    rest = "".join(letter for letter in case.options if found.get(letter, "open") == "open")
    torn = "".join(f" torn:{letter}" for letter in case.options if found.get(letter) == "torn")
    return holds + (f"?{rest}" if rest else "") + ("!" if found.get("premise") in {"refuted", "torn"} else "") + torn


def _flips(proof: Proof, *, holds: bool) -> bool:
    control = proof.control
    if control.negated is not None:
        return compare(control.negated, observed(proof.script)).holds is (not holds)
    script = control.script if holds else control.refuting or control.script
    return compare(proof.expect, observed(script)).holds is (not holds)


def observed(script: str) -> tuple[Mapping[str, object], ...]:
    """Run a script and return what it observed. Scripts that differ only in what they say run once."""
    return _observed(script.partition("\nimport sys\n")[2])


@cache
def _observed(body: str) -> tuple[Mapping[str, object], ...]:
    message = _forks().ask(f"import sys\n{body}")
    if message["ended"] != "finished":
        raise AssertionError(f"{message['reason']}\n{body}")
    return tuple(message["observations"])


# Has imported what the scripts use, and runs each in a fork of itself, which says what it saw through a pipe.
_FORKS = """
import json, os, sys
import pydantic, yaml
from goldproof.sandbox.inside.proof.runner import run_script

for line in sys.stdin:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        with os.fdopen(writing, "w") as out:
            json.dump(run_script(json.loads(line), name="verify.py", snapshot=None), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as seen:
        print(seen.read(), flush=True)
    os.waitpid(child, 0)
"""


class _Forks:
    def __init__(self) -> None:
        self.folder = TemporaryDirectory()
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _FORKS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.folder.name,
        )

    def ask(self, script: str) -> dict[str, Any]:
        if self.process.stdin is None or self.process.stdout is None:
            raise AssertionError("the process has no pipes")
        self.process.stdin.write(json.dumps(script) + "\n")
        self.process.stdin.flush()
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def close(self) -> None:
        with self.process as process:
            if process.stdin:
                process.stdin.close()
            process.wait(timeout=20)
        self.folder.cleanup()


@cache
def _forks() -> _Forks:
    forks = _Forks()
    atexit.register(forks.close)
    return forks
