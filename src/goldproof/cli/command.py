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
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer

from goldproof.cli.progress import ProgressLine
from goldproof.errors import InputError
from goldproof.options import Declared, declared

T = TypeVar("T")
INTERRUPTED = 130
_SIMPLE = (bool, int, float, str)


class Call:
    """What was given on the command line for the options that a command's functions declare."""

    def __init__(self, command: str, options: Mapping[str, Declared], given: Mapping[str, Any]) -> None:
        self.command = command
        self.given = dict(given)
        self._options = options

    def pop(self, name: str) -> Any:  # noqa: ANN401 - as the option's type
        """Return what was given for an option, which is not passed on then."""
        value, self.given[name] = self.given[name], None
        return value

    def pop_all(self) -> dict[str, Any]:
        """Return everything that was given; nothing is passed on then."""
        return {name: self.pop(name) for name in self.given}

    def __call__(self, function: Callable[..., T], *first: object, no_effect: str = "", **more: object) -> T:
        """Call a function with what was given for its parameters, and more.

        first: positional arguments. no_effect: why options that the function does not take have no effect, such as
        "with --explain"; those are refused. Without it they are left out.
        """
        parameters = inspect.signature(function).parameters
        if no_effect:
            self._refuse_others({*parameters, *more}, no_effect)
        arguments: dict[str, object] = {}
        for name in parameters:
            value = self._value(name)
            if value is not None and parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                first = (*first, *value)
            elif value is not None:
                arguments[name] = value
        # What user code prints goes to stderr: stdout is for the result.
        with redirect_stdout(sys.stderr), ProgressLine() as line:
            told = {"on_progress": line} if "on_progress" in parameters else {}
            return function(*first, **{**arguments, **told, **more})

    def paths(self) -> list[Path]:
        """Return the files and folders among what was given, those of NAME=FILE and FILE#RUN too."""
        values = (value for given in self.given.values() for value in (given if isinstance(given, list) else [given]))
        paths = []
        for value in values:
            if isinstance(value, Path):
                paths.append(value)
            elif isinstance(value, str):
                paths += [Path(value), Path(value.partition("=")[2] or value), Path(value.rpartition("#")[0] or value)]
        return paths

    def _value(self, name: str) -> Any:  # noqa: ANN401 - as the parameter's type
        """Return what was given for a parameter, as Python takes it; None where nothing was."""
        if name not in self._options or self.given[name] is None:
            return None
        read = self._options[name].option.read
        return self.given[name] if read is None else read(self.given[name])

    def _refuse_others(self, taken: set[str], why: str) -> None:
        for name, option in self._options.items():
            if name not in taken and self.given[name] not in (None, [], option.parameter.default):
                raise InputError(f"{option.flags[-1]} has no effect {why}; leave one out.")


def refuse(why: str, **options: object) -> None:
    """Refuse options that were given and have no effect: a gate that is not checked would seem to pass."""
    for name, value in options.items():
        if value not in (None, False, [], ()):
            raise InputError(f"--{name.replace('_', '-')} has no effect {why}; leave one out.")


@contextmanager
def resumable(*, asks: bool = True) -> Iterator[None]:
    """While retrievers and models are asked: an interruption says that the answers so far are kept."""
    try:
        yield
    except KeyboardInterrupt:
        if not asks:
            raise
        typer.echo("interrupted; the answers so far are kept, and the same command goes on from there.", err=True)
        raise typer.Exit(INTERRUPTED) from None


def command(*functions: Callable[..., object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a body that takes a `Call`, groups of options (dataclasses) and options of its own."""
    options = declared(functions)

    def decorate(body: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(body).parameters.values())[1:]

        def run(context: typer.Context, **given: Any) -> None:  # noqa: ANN401 - as the options say
            call = Call(context.command_path, options, {name: given.pop(name) for name in options})
            body(call, **{parameter.name: _argument(parameter, given) for parameter in own})

        parameters = [*map(_typer_parameter, options.values()), *(each for p in own for each in _flat(p))]
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


def _typer_parameter(option: Declared) -> inspect.Parameter:
    shown, default = option.option, option.parameter.default
    if default is not inspect.Parameter.empty and (not isinstance(default, _SIMPLE) or _takes_several(option.type)):
        default = None  # not given: the function's own default holds
    if not option.flags:
        info: Any = typer.Argument(metavar=shown.metavar, help=shown.help)
    else:
        info = typer.Option(*option.flags, metavar=shown.metavar, help=shown.help, min=shown.least)
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(option.parameter.name, kind, default=default, annotation=Annotated[option.type, info])


def _takes_several(kind: Any) -> bool:  # noqa: ANN401 - any type that a command line can read
    return any(get_origin(each) is list for each in (kind, *get_args(kind)))
