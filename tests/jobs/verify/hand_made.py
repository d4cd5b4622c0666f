"""Cases, runs and tries made by hand, for the tables of verdicts; and a sandbox with yaml in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.cases import Case
from goldproof.io.cases.case import CodeFile
from goldproof.jobs.verify.proof import Compared, Control, Power, Proof, Standing, Tried
from goldproof.records.entities import Question
from goldproof.sandbox import Run, Sandbox, open_sandbox, this_interpreter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.corpus.libraries.name_index import KnownName
    from goldproof.jobs.verify.proof import Expectation

LIBRARY = "yaml==6"


def choice(*texts: str, key: str = "A", asked: str = "Which?", snippet: str = "", name: str = "s:1") -> Case:
    options = dict(zip("ABCDEFG", texts, strict=False))
    question = Question(id=name, text=asked, answer=options[key], options=tuple(options.values()))
    code = CodeFile("snippet.py", snippet) if snippet else None
    return Case("multiple_choice", "s", question, "s.yaml:1", asked=asked, options=options, key=key, snippet=code)


def fix(
    unfixed: str, fixed: str | None, test: str | None = None, *, asked: str = "Mend it.", files: str = "unfixed fixed"
) -> Case:
    first, second = files.split()
    return Case(
        "fix_error",
        "s",
        Question("s:1", asked),
        "s.yaml:1",
        asked=asked,
        unfixed=CodeFile(f"cases/1/{first}.py", unfixed),
        fixed=None if fixed is None else CodeFile(f"cases/1/{second}.py", fixed),
        test=None if test is None else CodeFile("cases/1/test_it.py", test),
    )


def about(answer: str, *targets: str, aliases: tuple[str, ...] = ()) -> Case:
    question = Question("s:1", "Which?", answer=answer, metadata={"answer_aliases": list(aliases)})
    return Case("api_understanding", "s", question, "s.yaml:1", asked="Which?", targets=targets)


def proof(
    option: str = "A", *, rule: str = "hand", says: str = "It is so.", power: Power = "decides", **given: object
) -> Proof:
    expect: Expectation = given.pop("expect", {"check": "found"})  # type: ignore[assignment]
    control = given.pop("control", Control(negated={"check": "not", "of": expect}))
    return Proof(option, rule, says, str(given.pop("script", "")), expect, control, power, **given)  # type: ignore[arg-type]


def tried(
    option: str, standing: Standing, *, exact: bool = True, rule: str = "hand", seen: str = "seen", **given: object
) -> Tried:
    holds = {"confirmed": True, "supported": True, "refuted": False, "no verdict": None}[standing]
    reason = "it timed out" if standing == "no verdict" else ""
    observations = given.pop("observations", ())
    made = proof(option, rule=rule, **given)  # type: ignore[arg-type]
    run = Run("finished", observations)  # type: ignore[arg-type]
    return Tried(made, run, Compared(holds, seen, exact=exact), standing, "flipped", reason=reason)


def tries(**statuses: str) -> list[Tried]:
    """Return tries: A="holds" gives one that confirms, B="refuted" one that refutes, C="open" none."""
    standings: dict[str, Standing] = {"holds": "confirmed", "refuted": "refuted"}
    return [tried(letter, standings[status]) for letter, status in statuses.items() if status != "open"]


class NoNames:
    """An index of a library that has only the names it is given."""

    def __init__(self, **found: tuple[KnownName, ...]) -> None:
        self._found = found

    @property
    def import_names(self) -> tuple[str, ...]:
        return ("yaml",)

    def find(self, name: str) -> tuple[KnownName, ...]:
        return self._found.get(name.rpartition(".")[2], ())

    def members(self, path: str) -> tuple[str, ...]:  # noqa: ARG002 - one signature
        return ()

    def near(self, name: str) -> tuple[str, ...]:
        return ("yaml.safe_load",) if "lod" in name else ()


def yaml_sandbox() -> Sandbox:
    """Open a sandbox in which yaml is under test; the isolation is not what is tested here."""
    return open_sandbox(this_interpreter(("yaml",)), workers=1, probe=False, unsafe=True)


def observed(*observations: Mapping[str, object], **given: object) -> Run:
    return Run("finished", observations, **given)  # type: ignore[arg-type]
