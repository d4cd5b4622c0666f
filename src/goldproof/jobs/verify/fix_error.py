"""Proofs for `fix_error` cases: the unfixed file fails, the fixed one does not.

With a test: the unfixed file must fail it, the fixed one must pass it. The control of the first is the fixed file, that
of the second an empty one: a test that an empty file passes looks at nothing. Tests that say how the unfixed file
fails must pass for themselves. Without a test: the unfixed file must raise when it is run, the fixed one must not.

The tests are run by `inside_tests`, with a stand-in for pytest: it need not be installed beside the library.
`fix_layout` says under which name a solution is laid out. What the environment lacks makes no verdict.
"""

from __future__ import annotations

from importlib.resources import files as package_files
from typing import TYPE_CHECKING

from goldproof.jobs.verify.fix_layout import file_name, fix_layout, outermost_imports, parsed
from goldproof.jobs.verify.fix_leaks import leaks
from goldproof.jobs.verify.proof import Control, Expectation, Proof
from goldproof.jobs.verify.rules.scripts import call_text, proof_script
from goldproof.jobs.verify.verdicts.fixes import FIXED, UNFIXED

if TYPE_CHECKING:
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.fix_layout import FixLayout

__all__ = ["fix_error_proofs", "leaks"]

_RULE = "fix"
_TEST, _SOURCES = "goldproof_test.py", {UNFIXED: "goldproof_unfixed.py", FIXED: "goldproof_fixed.py"}
_INSIDE = {
    "goldproof_tests.py": "running.py",
    "goldproof_fixtures.py": "fixtures.py",
    "goldproof_pytest.py": "stand_in.py",
}
_PASSED: Expectation = {"check": "returns", "literal": "'passed'"}
_FAILED: Expectation = {"check": "returns", "literal": "'failed'"}
# What is not installed makes every solution fail: then nothing is observed.
_NEEDED = """import importlib.util

for name in {needed!r}:
    if importlib.util.find_spec(name) is None:
        raise RuntimeError("the module " + name + " is not installed")
"""
# Kept proofs have their files in a folder of their own; in the sandbox they lie where the script runs.
_BODY = """beside = Path(__file__).resolve().parent / (Path(__file__).name.split(".")[0] + ".files")
here = beside if beside.is_dir() else Path.cwd()
sys.path.insert(0, str(here))
import goldproof_pytest
import goldproof_tests

tests = goldproof_tests.Tests(goldproof_pytest, {layout!r}, here=here, needed={needed!r})
outcomes = tests.run({test!r}, {chosen})
observe("each test", outcomes)
observe("all tests", goldproof_tests.summary(outcomes))
"""


def fix_error_proofs(case: Case) -> tuple[Proof, ...]:
    """Return the proofs of a case: that the unfixed file fails, and that the fixed one does not."""
    if case.kind != "fix_error" or case.unfixed is None:
        return ()
    return _by_test(case) if case.test is not None else _by_running(case)


def _by_running(case: Case) -> tuple[Proof, ...]:
    """Return proofs that run the files as programs."""
    unfixed, fixed = (code.text if code else "" for code in (case.unfixed, case.fixed))
    needed = tuple(sorted(outermost_imports(parsed(fixed))))
    fails = Proof(
        option=UNFIXED,
        rule=_RULE,
        says=f"`{case.unfixed.path if case.unfixed else ''}` raises when it is run.",
        script=_running(unfixed, says="The unfixed file raises when it is run.", needed=needed),
        expect={"check": "raises"},
        control=Control(
            script=_running("pass", says="Control: what cannot fail."),
            refuting=_running("raise RuntimeError", says="Control: what must fail."),
        ),
    )
    if case.fixed is None:
        return (fails,)
    works = Proof(
        option=FIXED,
        rule=_RULE,
        says=f"`{case.fixed.path}` does not raise when it is run.",
        script=_running(fixed, says="The fixed file does not raise when it is run.", needed=needed),
        expect={"check": "works"},
        control=Control(
            script=_running(unfixed, says="Control: the unfixed file."),
            refuting=_running("pass", says="Control: what cannot fail."),
        ),
    )
    return fails, works


def _running(text: str, *, says: str, needed: tuple[str, ...] = ()) -> str:
    """Return a script that runs a file as a program, where what no solution can do without is installed."""
    body = (_NEEDED.format(needed=needed) if needed else "") + call_text("observe_code", text)
    return proof_script(body, says=says, uses=("observe_code",))


def _by_test(case: Case) -> tuple[Proof, ...]:
    """Return proofs that run the test with one or the other file in the place of a solution."""
    layout = fix_layout(case)
    made = _TestScripts(case, layout)
    proofs = [_unfixed_fails(case, made)]
    if case.fixed is not None:
        proofs.append(_fixed_passes(case, made))
    if layout.about_unfixed:
        proofs.append(_unfixed_as_tested(case, made, layout.about_unfixed))
    return tuple(proofs)


def _unfixed_fails(case: Case, made: _TestScripts) -> Proof:
    says = f"`{_path(case, UNFIXED)}` fails its test."
    empty = made.script("", says="Control: an empty file must fail it.")
    passing = made.script(FIXED, says="Control: the fixed file must pass it.") if case.fixed else ""
    return Proof(
        option=UNFIXED,
        rule=_RULE,
        says=says,
        script=made.script(UNFIXED, says=says),
        expect=_FAILED,
        control=Control(script=passing, refuting=empty, negated=None if passing else _PASSED),
        files=made.files,
    )


def _fixed_passes(case: Case, made: _TestScripts) -> Proof:
    says = f"`{_path(case, FIXED)}` passes its test."
    return Proof(
        option=FIXED,
        rule=_RULE,
        says=says,
        script=made.script(FIXED, says=says),
        expect=_PASSED,
        # Nothing is known to pass where the solution does not; then the contradicting claim is the control.
        control=Control(script=made.script("", says="Control: an empty file must fail it."), negated=_FAILED),
        files=made.files,
    )


def _unfixed_as_tested(case: Case, made: _TestScripts, tests: tuple[str, ...]) -> Proof:
    says = f"`{_path(case, UNFIXED)}` fails as {', '.join(tests)} {'says' if len(tests) == 1 else 'say'}."
    return Proof(
        option=UNFIXED,
        rule=_RULE,
        says=says,
        script=made.script(FIXED, says=says, only=tests),
        expect=_PASSED,
        control=Control(negated=_FAILED),
        power="refutes",
        files=made.files,
    )


class _TestScripts:
    """Scripts that run the test of a case, and the files that they need."""

    def __init__(self, case: Case, layout: FixLayout) -> None:
        self._layout = layout
        self._test = file_name(case.test.path if case.test else _TEST)
        self._own = {part: file_name(path) for part in _SOURCES if (path := _path(case, part))}
        texts = {UNFIXED: case.unfixed, FIXED: case.fixed}
        inside = package_files("goldproof.jobs.verify.inside_tests")
        self.files = {
            **{name: inside.joinpath(source).read_text(encoding="utf-8") for name, source in _INSIDE.items()},
            _TEST: case.test.text if case.test else "",
            **{_SOURCES[part]: code.text for part, code in texts.items() if code is not None},
        }

    def script(self, part: str, *, says: str, only: tuple[str, ...] = ()) -> str:
        """Return a script that runs the test with a part of the case as the solution; an empty file for none."""
        source = _SOURCES.get(part, "")
        laid = {name: _SOURCES[each] for each, name in self._own.items()} | {self._test: _TEST}
        if self._layout.subject:
            laid |= {self._layout.subject: source}
        chosen = {"only": only} if only else {"leave_out": self._layout.about_unfixed}
        named = {**chosen, "anywhere": self._layout.anywhere, "solution": source}
        body = _BODY.format(
            layout=laid,
            needed=self._layout.needed,
            test=self._test,
            chosen=", ".join(f"{name}={value!r}" for name, value in named.items() if value),
        )
        return proof_script(body.replace(", )", ")"), says=says, uses=("observe",))


def _path(case: Case, part: str) -> str:
    code = case.unfixed if part == UNFIXED else case.fixed
    return code.path if code else ""
