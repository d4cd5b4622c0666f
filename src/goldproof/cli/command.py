"""Commands made from the functions they call: options from their signatures, and one way to call them.

    @command(score_traces)
    def trace(call: Call, output: StudyOutput, explain: Annotated[...] = None) -> None:

makes a command with the options that `score_traces` declares (`goldproof.options`), those of the group `StudyOutput`,
and `--explain`. In its body `call(function)` passes on what was given for the parameters of that function, by name.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from goldproof.cli.progress import ProgressLine
from goldproof.errors import InputError
from goldproof.options import Declared, declared

T = TypeVar("T")
INTERRUPTED = 130
KEPT = "the answers so far are kept, and the same command goes on from there."
NOTHING_KEPT = "nothing was written; the same command starts from the beginning."


class Call:
    """The values of the options that a command's functions declare; None where the function's own default holds."""

    def __init__(self, command: str, options: Mapping[str, Declared], values: Mapping[str, Any]) -> None:
        self.command = command
        self.values = dict(values)
        self._options = options

    def __call__(self, function: Callable[..., T], *first: object, no_effect: str = "", **more: object) -> T:
        """Run a function with the values for its parameters, and more.

        first: positional arguments. no_effect: why options that the function does not take have no effect, such as
        "with --explain; leave one out"; those are refused. Without it they are ignored.
        """
        parameters = inspect.signature(function).parameters
        if no_effect:
            others = (name for name in self._options if name not in parameters and name not in more)
            refuse(no_effect, *(self._options[name].title for name in others if self.is_changed(name)))
        values = {name: self._parsed(name) for name in parameters if self.values.get(name) is not None}
        for name, parameter in parameters.items():  # some do not repeat the default of the function that declares it
            needed = parameter.default is inspect.Parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
            if name in self._options and name not in values and needed:
                values[name] = self._options[name].parameter.default
        several = [name for name in values if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL]
        spread = [value for name in several for value in values.pop(name)]
        with ProgressLine(self.command.partition(" ")[2]) as line:
            return _run(line, function, *first, *spread, **{**values, **more})

    def take(self, name: str) -> Any:  # noqa: ANN401 - as the option's type
        """Return the value of an option, which is not passed on then."""
        value, self.values[name] = self.values[name], None
        return value

    def take_all(self) -> dict[str, Any]:
        """Return all values; none is passed on then."""
        return {name: self.take(name) for name in self.values}

    def is_changed(self, name: str) -> bool:
        """Return whether an option was given another value than its default."""
        value = self.values[name]
        return value is not None and value != [] and value != self._options[name].parameter.default

    def paths(self) -> list[Path]:
        """Return what may be a file or folder among the values, in NAME=FILE#RUN too."""
        flat = [value for each in self.values.values() for value in (each if isinstance(each, list) else [each])]
        texts = [value for value in flat if isinstance(value, str)]
        texts += [text.partition("=")[2] for text in texts]
        texts += [text.rpartition("#")[0] for text in texts]
        return [*(value for value in flat if isinstance(value, Path)), *(Path(text) for text in texts if text)]

    def _parsed(self, name: str) -> Any:  # noqa: ANN401 - as the parameter's type
        """Return the value of a parameter as Python takes it."""
        parse = self._options[name].option.parse
        return self.values[name] if parse is None else parse(self.values[name])


def run_job(function: Callable[..., T], *arguments: object, **named: object) -> T:
    """Call a function of a job: it reports progress to a line, and what user code prints goes to stderr."""
    with ProgressLine() as line:
        return _run(line, function, *arguments, **named)


def _run(line: ProgressLine, function: Callable[..., T], *arguments: object, **named: object) -> T:
    with redirect_stdout(sys.stderr):
        if "on_progress" in inspect.signature(function).parameters:
            named = {"on_progress": line, **named}
        return function(*arguments, **named)


def refuse(why: str, *titles: str) -> None:
    """Refuse options that were given and have no effect: a gate that is not checked would seem to pass."""
    if titles:
        raise InputError(f"{titles[0]} has no effect {why}.")


@contextmanager
def interruptible(kept: str | Callable[[], str] = NOTHING_KEPT) -> Iterator[None]:
    """Say in one line, when Ctrl-C ends the block, what is kept and how to go on; exit with 130.

    kept: the sentence, or a function that returns it, where it depends on how far the work is. The inner of two
    blocks wins.
    """
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {kept if isinstance(kept, str) else kept()}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def resumable(kept: str | Callable[[], str] = KEPT, *, asks: bool = True) -> Iterator[None]:
    """While retrievers and models are asked: an interruption says that the answers so far are kept.

    kept: another sentence, as for `interruptible`. asks: False where nothing is asked, and so nothing is kept.
    """
    with interruptible(kept if asks else NOTHING_KEPT):
        yield


def command(*functions: Callable[..., object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a body that takes a `Call`, groups of options (dataclasses) and options of its own.

    Those before the first group stand before the declared options in its help, the others after them.
    """
    options = declared(functions)

    def decorate(body: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(body).parameters.values())[1:]

        def run(context: typer.Context, **given: Any) -> None:  # noqa: ANN401 - as the options say
            call = Call(context.command_path, options, {name: given.pop(name) for name in options})
            body(call, **{parameter.name: _argument(parameter, given) for parameter in own})

        groups = [index for index, each in enumerate(own) if is_dataclass(each.annotation)]
        before, after = own[: groups[0]] if groups else own, own[groups[0] :] if groups else []
        listed = (*before, *map(_typer_parameter, options.values()), *after)
        parameters = [each for parameter in listed for each in _flat(parameter)]
        context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        run.__name__, run.__doc__, run.__module__ = body.__name__, body.__doc__, body.__module__
        run.__annotations__ = {p.name: p.annotation for p in (context, *parameters)}
        run.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
        return run

    return decorate


def _argument(parameter: inspect.Parameter, given: Mapping[str, Any]) -> object:
    """Return the value of a body's parameter: a group is made of its fields."""
    group = parameter.annotation
    if not is_dataclass(group):
        return given[parameter.name]
    return group(**{field.name: given[field.name] for field in fields(group)})  # type: ignore[operator]


def _flat(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """Return a parameter as an option; a group as those of its fields."""
    if not is_dataclass(parameter.annotation):
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(field.name, kind, default=field.default, annotation=field.type)
        for field in fields(parameter.annotation)
    ]


def _typer_parameter(declared: Declared) -> inspect.Parameter:
    option = declared.option
    if declared.flags:
        info: Any = typer.Option(*declared.flags, metavar=option.metavar, help=option.help, min=option.minimum)
    else:
        info = typer.Argument(metavar=option.metavar, help=option.help)
    kind, annotation = inspect.Parameter.KEYWORD_ONLY, Annotated[declared.type, info]
    return inspect.Parameter(declared.parameter.name, kind, default=declared.default, annotation=annotation)
