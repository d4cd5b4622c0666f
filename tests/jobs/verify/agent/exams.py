"""Cases, scripted agents and the means to let one work, for the tests of the agent."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pydantic
import yaml

from goldproof.corpus.libraries.library import Library
from goldproof.io.cases.case import Case, CodeFile
from goldproof.jobs.verify.agent import AgentLimits, AgentProofs, prove
from goldproof.llm import open_model
from goldproof.records.entities import Question
from goldproof.sandbox import this_interpreter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.jobs.verify.agent import Research
    from goldproof.llm.model import Model
    from goldproof.sandbox import Run

SECRETS = ("the-secret-key-text", "the-secret-explanation", "secret.target.Name", "secret_fixed_file", "suite-secret")
YAML = Library(
    label=f"PyYAML=={yaml.__version__}",
    name="PyYAML",
    version=yaml.__version__,
    origin="installed",
    interpreter=this_interpreter(("yaml",)),
    import_names=("yaml",),
)
PYDANTIC = Library(
    label=f"pydantic=={pydantic.VERSION}",
    name="pydantic",
    version=pydantic.VERSION,
    origin="installed",
    interpreter=this_interpreter(("pydantic",)),
    import_names=("pydantic",),
)

OPTIONS = {
    "A": "`yaml.safe_load('a: 01')` returns `{'a': 1}`",
    "B": "`yaml.safe_load('a: 0x10')` returns `{'a': 16}`",
    "C": "`yaml.safe_load_file` reads a file",
    "D": "`yaml.load('a: 1')` raises a `TypeError`",
}


def yaml_case(options: Mapping[str, str] | None = None, *, text: str = "What is true of PyYAML?") -> Case:
    given = dict(options or OPTIONS)
    question = Question(
        "suite-secret:1",
        text,
        answer="the-secret-key-text",
        options=tuple(given.values()),
        metadata={"rationale": "the-secret-explanation"},
    )
    return Case(
        kind="multiple_choice",
        suite="suite-secret",
        question=question,
        where="suite-secret.yaml:3",
        asked=text,
        options=given,
        key=next(iter(given)),
        targets=("secret.target.Name",),
        gold_kernels=(("secret.target.Name",),),
        explanation="the-secret-explanation",
        fixed=CodeFile("secret_fixed_file.py", "secret_fixed_file = 1"),
    )


class Script:
    """An agent that does one thing after the other, the last one again and again; prompts: what it was shown."""

    def __init__(self, *actions: Mapping[str, object]) -> None:
        self.actions = actions
        self.prompts: list[str] = []
        self.key = f"script {actions!r}"

    def __call__(self, prompt: str) -> Mapping[str, object]:
        self.prompts.append(prompt)
        return self.actions[min(len(self.prompts), len(self.actions)) - 1]

    @property
    def results(self) -> list[str]:
        """What came of each action but the last, as the agent was told."""
        last = [prompt.rpartition("\nResult: ")[2] for prompt in self.prompts[1:]]
        return [one.partition("\n\nHow your proofs")[0].partition("\n\nSteps left")[0] for one in last]


def act(
    script: Callable[[str], Any] | Model,
    run: Callable[..., Run],
    *,
    case: Case | None = None,
    open_letters: Sequence[str] = ("A", "B", "C", "D"),
    refuted: Mapping[str, str] | None = None,
    limits: AgentLimits | None = None,
    library: Library = YAML,
    research: Research | None = None,
    existence_decides: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> AgentProofs:
    return asyncio.run(
        prove(
            case or yaml_case(),
            open_letters=open_letters,
            refuted=refuted or {},
            library=library,
            run=run,
            model=open_model(script),
            limits=limits,
            research=research,
            existence_decides=existence_decides,
            clock=clock,
        )
    )


def search(words: str) -> dict[str, object]:
    return {"action": "search_ranked_targets", "argument": words}


def read(path: str, offset: int = 0) -> dict[str, object]:
    return {"action": "read_file", "argument": path, "offset": offset}


def run(script: str) -> dict[str, object]:
    return {"action": "run", "script": script}


def write(name: str, text: str) -> dict[str, object]:
    return {"action": "write_file", "argument": name, "script": text}


def proof(option: str, script: str, expect: Mapping[str, object] | str, control: str = "") -> dict[str, object]:
    return {"action": "prove", "option": option, "script": script, "expect": expect, "control": control}


def finish(letter: str = "B") -> dict[str, object]:
    return {"action": "finish", "selected_answer": letter, "proof_summary": "shown", "critique": "two hold"}


LOADS = """import yaml
from goldproof_proof import observe
SUBJECT = {subject!r}
observe("loads", yaml.safe_load, SUBJECT)
"""
WRONG_A = proof("A", LOADS.format(subject="a: 01:1"), {"check": "returns", "literal": "{'a': 1}"}, "'a: 1'")
PROOF_A = proof("A", LOADS.format(subject="a: 01"), {"check": "returns", "literal": "{'a': 1}"}, "'a: 2'")
PROOF_B = proof("B", LOADS.format(subject="a: 0x10"), {"check": "returns", "literal": "{'a': 16}"}, "'a: 17'")
PROOF_C = proof(
    "C",
    'from goldproof_proof import observe_name\nSUBJECT = "yaml.safe_load_file"\nobserve_name(SUBJECT)\n',
    {"check": "found"},
    "yaml.safe_load",
)
PROOF_D = proof(
    "D",
    "from goldproof_proof import observe_code\nSUBJECT = \"yaml.load('a: 1')\"\n"
    'observe_code(f"import yaml\\n{SUBJECT}")\n',
    {"check": "raises", "type": "TypeError"},
    "yaml.safe_load('a: 1')",
)
