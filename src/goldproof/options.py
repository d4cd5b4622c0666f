"""Options of jobs: how a parameter of a public function appears on the command line.

A public function declares its options once, in its own signature:

    @with_options
    def score_traces(..., threshold: Annotated[int, Option("The lowest gain that is good.", "GAIN")] = 2, ...)

The command, its help and its reference are made from that (`cli/command.py`). A parameter without an `Option` is for
Python alone. Annotations are read at run time, so a module with such a function has no `from __future__ import
annotations`; a type that is slow to import is written as text: `Annotated["Corpus | None", Option(..., type=str)]`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, NamedTuple, TypeVar, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

F = TypeVar("F", bound=Callable[..., object])
_SIMPLE = (bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter on the command line.

    flag: where it is not --name-of-the-parameter: "--qrels", "-k --k", "--kernels/--no-kernels"; "" for an argument.
    type: the type there, where Python takes more than text can say. parse: makes what Python takes of what was given.
    minimum: the smallest number.
    """

    help: str
    metavar: str | None = None
    flag: str | None = None
    type: Any = None
    parse: Callable[[Any], object] | None = None
    minimum: int | None = None


class Declared(NamedTuple):
    """A parameter of a public function that is an option: its name, kind and default, and how it appears."""

    parameter: inspect.Parameter
    option: Option

    @property
    def is_list(self) -> bool:
        """Whether it may be given several times."""
        return get_origin(self._plain_type) is list

    @property
    def type(self) -> Any:  # noqa: ANN401 - any type that a command line can read
        """The type on the command line; with None where the default is left to the function."""
        return self._plain_type | None if self.default is None else self._plain_type

    @property
    def default(self) -> Any:  # noqa: ANN401 - any value that a command line can show
        """The default on the command line: None where it cannot show that of the function, which then holds."""
        default = self.parameter.default
        return (
            default
            if default is inspect.Parameter.empty or (isinstance(default, _SIMPLE) and not self.is_list)
            else None
        )

    @property
    def _plain_type(self) -> Any:  # noqa: ANN401 - as above
        return self.option.type or get_args(self.parameter.annotation)[0]

    @property
    def flags(self) -> tuple[str, ...]:
        """What is written on the command line, such as ("-k", "--k"); nothing for an argument."""
        if self.option.flag is None:
            return (f"--{self.parameter.name.replace('_', '-')}",)
        return tuple(self.option.flag.split())

    @property
    def title(self) -> str:
        """What messages call it."""
        return self.flags[-1] if self.flags else self.option.metavar or self.parameter.name


def with_options(function: F) -> F:
    """Mark a function that declares options: `help()` shows its parameters by their plain types."""
    signature = inspect.signature(function)
    plain = [each.replace(annotation=_plain(each.annotation)) for each in signature.parameters.values()]
    function.__signature__ = signature.replace(parameters=plain)  # type: ignore[attr-defined]
    return function


def _plain(annotation: Any) -> Any:  # noqa: ANN401 - any annotation
    kind = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    return kind.__forward_arg__ if isinstance(kind, ForwardRef) else kind


def declared(functions: Iterable[Callable[..., object]]) -> dict[str, Declared]:
    """Return the options of some functions by the parameter's name; the first to declare one wins."""
    options: dict[str, Declared] = {}
    for function in functions:
        for parameter in inspect.signature(function).parameters.values():
            annotation = function.__annotations__.get(parameter.name)
            option = _option_of(annotation)
            if option is not None and parameter.name not in options:
                options[parameter.name] = Declared(parameter.replace(annotation=annotation), option)
    return options


def _option_of(annotation: Any) -> Option | None:  # noqa: ANN401 - any annotation
    """Return the option that an annotation holds."""
    metadata = annotation.__metadata__ if get_origin(annotation) is Annotated else ()
    return next((each for each in metadata if isinstance(each, Option)), None)
