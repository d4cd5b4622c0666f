"""Running the tests of a file, with the files of a case laid out beside it.

Runs in the sandbox as `goldproof_tests`, Python 3.9 or newer. Tests are functions `test_*`, methods `test_*` of classes
`Test*`, and of `unittest.TestCase`; async ones are awaited; a file with none is run as a program. What the environment
lacks (a module that the solution needs as well, a file that the case does not give, a fixture that is unknown) raises:
then nothing was observed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import os
import runpy
import sys
import tempfile
import unittest
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import goldproof_fixtures  # type: ignore[import-not-found]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

_LONGEST = 300


class Tests:
    """The tests of one case.

    layout: file to be made -> file of `here` that it is copied from, an empty name for an empty file. needed: the
    outermost names of modules that must be there for any solution.
    """

    def __init__(self, pytest: Any, layout: dict[str, str], *, here: Path, needed: Sequence[str] = ()) -> None:  # noqa: ANN401
        self._pytest, self._layout, self._here, self._needed = pytest, layout, here, frozenset(needed)

    def run(
        self, file: str, *, leave_out: Sequence[str] = (), only: Sequence[str] = (), anywhere: Sequence[str] = (),
        solution: str = "",
    ) -> dict[str, str]:  # fmt: skip
        """Return what became of each test: `passed`, `skipped: why` or `failed: why`.

        solution: the file that stands for every module of `anywhere` that cannot be found.
        """
        self._lay_out(anywhere, solution)
        module = self._imported(file)
        if isinstance(module, str):
            return {"import": module}
        found = dict(_tests_of(module))
        chosen = {name: test for name, test in found.items() if name not in leave_out and (not only or name in only)}
        if not found:
            return {"program": self._outcome(lambda: runpy.run_path(file, run_name="__main__"))}
        fixtures = goldproof_fixtures.fixtures_of(module)
        outcomes: dict[str, str] = {}
        for name, test in chosen.items():
            outcomes.update(self._of_test(name, test, fixtures))
        return outcomes

    def _lay_out(self, anywhere: Sequence[str], solution: str) -> None:
        folder = Path(tempfile.mkdtemp(prefix="case-", dir=self._here))
        for name, source in self._layout.items():
            (folder / name).write_text(self._text(source), encoding="utf-8")
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        sys.modules["pytest"] = sys.modules["pytest_asyncio"] = self._pytest
        sys.dont_write_bytecode = True
        importlib.invalidate_caches()
        for name in anywhere:
            if importlib.util.find_spec(name) is None:
                (folder / f"{name}.py").write_text(self._text(solution), encoding="utf-8")
        importlib.invalidate_caches()

    def _text(self, source: str) -> str:
        return (self._here / source).read_text(encoding="utf-8") if source else ""

    def _imported(self, file: str) -> ModuleType | str:
        spec = importlib.util.spec_from_file_location(Path(file).stem, Path.cwd() / file)
        if spec is None or spec.loader is None:
            raise self._pytest.CannotRunError(f"{file} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        loader = spec.loader
        outcome = self._outcome(lambda: loader.exec_module(module))
        return module if outcome == "passed" else outcome

    def _of_test(self, name: str, test: Callable[..., Any], fixtures: dict[str, Any]) -> dict[str, str]:
        why = self._pytest.left_out(test)
        if why is not None:
            return {name: f"skipped: {why}"}
        sets = list(self._pytest.parameter_sets(test))
        outcomes = {}
        for number, given in enumerate(sets):
            call = partial(self._call, test, given, fixtures)
            outcomes[f"{name}[{number}]" if len(sets) > 1 else name] = self._outcome(call)
        return outcomes

    def _call(self, test: Callable[..., Any], given: dict[str, Any], fixtures: dict[str, Any]) -> None:
        with contextlib.ExitStack() as stack:
            known = goldproof_fixtures.Fixtures(fixtures, given, self._pytest, stack)
            for name, one in fixtures.items():
                if one.goldproof_fixture.get("autouse"):
                    known.value(name)
            goldproof_fixtures.finished(test(**known.arguments(test)))

    def _outcome(self, run: Callable[[], object]) -> str:
        try:
            run()
        except (self._pytest.CannotRunError, KeyboardInterrupt):
            raise
        except self._pytest.Skipped as skipped:
            return f"skipped: {skipped}"
        except SystemExit as ended:
            return "passed" if not ended.code else f"failed: it ended with {ended.code!r}"
        except BaseException as error:  # noqa: BLE001 - whatever a test raises, it failed
            self._refuse_environment(error)
            return f"failed: {type(error).__name__}: {error}"[:_LONGEST]
        return "passed"

    def _refuse_environment(self, error: BaseException) -> None:
        """Raise where the failure is not the fault of the code under test."""
        for one in (error, error.__cause__):
            if isinstance(one, ModuleNotFoundError) and one.name:
                outermost = one.name.split(".")[0]
                if outermost in self._needed and importlib.util.find_spec(outermost) is None:
                    raise self._pytest.CannotRunError(f"the module {one.name!r} is not installed") from error
            if isinstance(one, FileNotFoundError):
                raise self._pytest.CannotRunError(f"a file is wanted that the case does not give: {one}") from error


def summary(outcomes: dict[str, str]) -> str:
    """Return `passed` or `failed`; it raises where no test was run."""
    ran = [one for one in outcomes.values() if not one.startswith("skipped")]
    if not ran:
        raise RuntimeError("no test was run")
    return "failed" if any(one != "passed" for one in ran) else "passed"


def _tests_of(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, one in list(vars(module).items()):
        if inspect.isclass(one) and issubclass(one, unittest.TestCase) and one.__module__ == module.__name__:
            for method in unittest.defaultTestLoader.getTestCaseNames(one):
                yield f"{name}.{method}", _unit_test(one(method))
        elif inspect.isclass(one) and name.startswith("Test") and one.__module__ == module.__name__:
            for method in [each for each in dir(one) if each.startswith("test")]:
                yield f"{name}.{method}", _method_test(one, method)
        elif inspect.isfunction(one) and name.startswith("test"):
            yield name, one


def _unit_test(case: unittest.TestCase) -> Callable[[], None]:
    def run() -> None:
        result = unittest.TestResult()
        case.run(result)
        for _, trace in [*result.errors, *result.failures]:
            raise AssertionError(trace.strip().rpartition("\n")[2])

    return run


def _method_test(owner: type, method: str) -> Callable[..., Any]:
    function = getattr(owner, method)

    def run(**named: Any) -> Any:  # noqa: ANN401
        instance = owner()
        for before in ("setup_class", "setup_method", "setup"):
            getattr(instance, before, lambda *_: None)(*_arguments_of(getattr(instance, before, None), function))
        return getattr(instance, method)(**named)

    parameters = list(inspect.signature(function).parameters.values())[1:]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.goldproof_marks = [*getattr(owner, "goldproof_marks", ()), *getattr(function, "goldproof_marks", ())]  # type: ignore[attr-defined]
    return run


def _arguments_of(before: Any, function: Callable[..., Any]) -> tuple[Any, ...]:  # noqa: ANN401
    return (function,) if before is not None and inspect.signature(before).parameters else ()
