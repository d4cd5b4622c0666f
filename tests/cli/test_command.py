"""A command is made from the functions it calls: options from their signatures, and one way to call them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from goldproof.cli.command import Call, command
from goldproof.errors import InputError
from goldproof.options import Option
from goldproof.progress import OnProgress, Progress, ignore

Seen = dict[str, object]


def score(
    *files: Annotated[object, Option("Files.", "FILE", flag="", type=list[str])],
    threshold: Annotated[int, Option("The lowest gain.", "GAIN", minimum=0)] = 2,
    names: Annotated[object, Option("Names.", flag="--name", type=list[str], parse=tuple)] = ("x",),
    labels: Annotated[object, Option("Labels.", "FILE", type=Path)] = None,
    deep: bool = False,
    on_progress: OnProgress = ignore,
) -> Seen:
    """A job."""
    on_progress(Progress("score", 1, 1))
    sys.stdout.write("from user code")
    return {"files": files, "threshold": threshold, "names": names, "labels": labels, "deep": deep}


def explain(question: str, *, threshold: int = 2) -> Seen:
    """Another job, with fewer options."""
    return {"question": question, "threshold": threshold}


@dataclass(frozen=True)
class Output:
    """A group."""

    out: Annotated[Path | None, typer.Option("--out", help="Where to.")] = None


@pytest.fixture
def run() -> Callable[..., Any]:
    def run(*arguments: str, body: Callable[[Call], object] = lambda call: call(score)) -> Any:  # noqa: ANN401
        seen: list[object] = []

        @command(score)
        def job(call: Call, output: Output, explain: Annotated[str | None, typer.Option("--explain")] = None) -> None:
            """Score files."""
            seen.extend([body(call), output, explain, call.command])

        app = typer.Typer(rich_markup_mode=None)
        app.command("job")(job)
        result = CliRunner().invoke(app, list(arguments), catch_exceptions=False, prog_name="goldproof")
        assert result.exit_code in (0, 2), result.output
        return seen or result

    return run


def test_what_was_given_is_passed_on_and_the_rest_has_the_functions_own_default(run: Callable[..., Any]) -> None:
    seen, output, explained, name = run("a", "b", "--name", "n", "--name", "m", "--out", "o")
    assert seen == {"files": ("a", "b"), "threshold": 2, "names": ("n", "m"), "labels": None, "deep": False}
    assert (output, explained, name) == (Output(Path("o")), None, "goldproof")
    assert run("a")[0]["names"] == ("x",)


def test_more_arguments_win_over_what_was_given(run: Callable[..., Any]) -> None:
    seen = run("a", "--threshold", "3", body=lambda call: call(score, threshold=4, deep=True))[0]
    assert (seen["threshold"], seen["deep"]) == (4, True)


def test_what_is_taken_is_not_passed_on(run: Callable[..., Any]) -> None:
    def body(call: Call) -> object:
        return call.take("files"), call(score)

    files, seen = run("a", "--threshold", "3", body=body)[0]
    assert files == ["a"]
    assert (seen["files"], seen["threshold"]) == ((), 3)


def test_options_that_a_function_does_not_take_are_refused_where_a_reason_is_given(run: Callable[..., Any]) -> None:
    def body(call: Call) -> object:
        call.take("files")
        return call(explain, "q1", no_effect="with --explain; leave one out")

    assert run("a", "--threshold", "3", body=body)[0] == {"question": "q1", "threshold": 3}
    with pytest.raises(InputError, match=r"^--name has no effect with --explain; leave one out\.$"):
        run("a", "--name", "n", body=body)


def test_files_are_found_whatever_form_they_were_given_in(run: Callable[..., Any]) -> None:
    files = ("new=runs/new.csv", "runs/old.csv#bm25", "third=runs/third.csv#dense")
    paths = run(*files, "--labels", "qrels.txt", body=lambda call: call.paths())[0]
    expected = {"runs/new.csv", "runs/old.csv", "runs/third.csv", "qrels.txt"}
    assert {Path(path) for path in expected} <= set(paths)


def test_user_code_prints_to_stderr() -> None:
    @command(score)
    def job(call: Call) -> None:
        """Score."""
        call(score)
        typer.echo("the result")

    app = typer.Typer(rich_markup_mode=None)
    app.command("job")(job)
    result = CliRunner().invoke(app, ["a"])
    assert (result.stdout, "from user code" in result.stderr) == ("the result\n", True)


def test_help_and_bounds_come_from_the_declaration(run: Callable[..., Any]) -> None:
    shown = run("--help").output
    assert "Score files." in shown
    assert "--threshold GAIN" in shown
    assert "The lowest gain." in shown
    assert "on-progress" not in shown
    assert run("a", "--threshold", "-1").exit_code == 2


def estimate(files: object, labels: object, *, threshold: int) -> Seen:
    """A job that does not repeat the defaults of the one that declares the options."""
    return {"files": files, "labels": labels, "threshold": threshold}


def test_a_function_without_defaults_gets_those_of_the_one_that_declares_the_options(run: Callable[..., Any]) -> None:
    seen = run("a", body=lambda call: call(estimate, files=1))[0]
    assert seen == {"files": 1, "labels": None, "threshold": 2}
