"""Pipelines in a YAML file.

    retrievers:
      keyword: bm25 | top(5)                    # the text form
      fused:                                    # or a list of steps
        - hybrid: {of: [bm25, {dense: minilm}], method: rrf}
        - floor: 0.3
        - decay: {kind: exp, half_life: 10}
        - top: 5

A file may also hold a single pipeline, a text or a list of steps; it is named after the file. A step is a name, or a
name with its argument, its arguments by position in a list, or its arguments by name in a mapping, where `of: [...]`
holds those by position. Both forms give the same expression. By position a text is read as in the text form; by name, a
scalar that is no single word or number is text, so `title: two words` needs no second pair of quotes, and the range of
a filter may be `{gte: 2019, lte: 2021}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.forms import Form, check_form
from goldproof.io.yaml_files import line_of, load_yaml, shown
from goldproof.retrieve.language.expression import List as ListOf
from goldproof.retrieve.language.expression import Pipe, Word, call, is_word, literal, range_word, unquoted
from goldproof.retrieve.language.parser import MAX_DEPTH, parse, parse_value

if TYPE_CHECKING:
    from goldproof.retrieve.language.expression import Call, Expression

MOST_PARTS = 10_000  # of one file
_HINT = "Write NAME: PIPELINE under retrievers:, such as fused: hybrid(bm25, dense(minilm)) | top(5)."


@dataclass(frozen=True, slots=True)
class _Retrievers(Form):
    retrievers: Mapping[str, object]


def read_pipelines(path: Path | str) -> dict[str, Expression]:
    """Return the pipelines of a file by name."""
    path = Path(path)
    diagnostics = Diagnostics(path)
    content = load_yaml(path, diagnostics)
    if not isinstance(content, dict):
        return {path.stem: _Reader(diagnostics).pipeline(content)}
    named = check_form(content, _Retrievers, diagnostics, hint=_HINT).retrievers
    if not named:
        raise diagnostics.error("retrievers names no pipeline.", line=line_of(content, "retrievers"), hint=_HINT)
    readers = {
        name: _Reader(diagnostics, where=f"{name}: ", line=line_of(content["retrievers"], name)) for name in named
    }
    return {name: reader.pipeline(named[name]) for name, reader in readers.items()}


class _Reader:
    """Reads the values of one pipeline as an expression; line: the last one that is known, for messages."""

    def __init__(self, diagnostics: Diagnostics, *, where: str = "", line: int | None = None) -> None:
        self._diagnostics = diagnostics
        self._where = where
        self._line = line
        self._depth = 0
        self._read = 0

    def pipeline(self, value: object) -> Expression:
        """Read a text, or a list of steps."""
        try:
            return self._pipeline(value)
        except FileFormatError:
            raise
        except InputError as error:
            raise self._wrong(str(error)) from error

    def _pipeline(self, value: object) -> Expression:
        if isinstance(value, str):
            return parse(value)
        if isinstance(value, dict):
            return self._step(value)
        if not isinstance(value, list) or not value:
            raise self._wrong(f"found {shown(value)}, expected a pipeline: a text or a list of steps.")
        parts = [part for step in value for part in self._parts(step)]
        return parts[0] if len(parts) == 1 else Pipe(tuple(parts))

    def _parts(self, step: object) -> tuple[Expression, ...]:
        if isinstance(step, dict):
            return (self._step(step),)
        if not isinstance(step, str):
            raise self._wrong(f"found {shown(step)}, expected a step such as top: 5.")
        read = parse(step)
        return read.parts if isinstance(read, Pipe) else (read,)

    def _step(self, step: dict[object, object]) -> Word | Call:
        self._deeper(step)
        named = [(str(key), value) for key, value in step.items()]
        if len(named) != 1:
            keys = ", ".join(key for key, _ in named) or "nothing"
            raise self._wrong(f"a step is one name with its arguments, found {keys}; begin each step with '- '.")
        stage = self._call(*named[0])
        self._depth -= 1
        return stage

    def _call(self, name: str, arguments: object) -> Word | Call:
        if arguments is None:
            return call(name)
        if isinstance(arguments, list):
            return call(name, self._values(arguments))
        if not isinstance(arguments, dict):
            return call(name, (self._scalar(arguments),))
        by_name = {str(key): value for key, value in arguments.items()}
        of = by_name.get("of")
        args = self._values(by_name.pop("of")) if isinstance(of, list) else ()
        return call(name, args, tuple((key, self._named(value)) for key, value in by_name.items()))

    def _values(self, arguments: object) -> tuple[Expression, ...]:
        return tuple(self._positional(value) for value in arguments) if isinstance(arguments, list) else ()

    def _positional(self, value: object) -> Expression:
        """Read an argument by position; it may be a pipeline."""
        if isinstance(value, dict):
            return self._step(value)
        if isinstance(value, list):
            return self._pipeline(value) if any(isinstance(item, dict) for item in value) else self._list(value)
        return parse_value(value) if isinstance(value, str) and value.strip() else self._scalar(value)

    def _named(self, value: object) -> Expression:
        if isinstance(value, dict):
            ends = range_word({str(key): end for key, end in value.items()})
            return ends or self._step(value)
        return self._list(value) if isinstance(value, list) else self._scalar(value)

    def _list(self, value: list[object]) -> ListOf:
        self._deeper(value)
        items = tuple(self._named(item) for item in value)
        self._depth -= 1
        return ListOf(items)

    def _scalar(self, value: object) -> Expression:
        if value is None or isinstance(value, bool):
            return Word("none" if value is None else str(value).lower())
        text = str(value)
        return unquoted(text) if is_word(text) else literal(text)

    def _deeper(self, value: object) -> None:
        self._line = line_of(value) or self._line
        self._depth += 1
        self._read += 1
        if self._depth > MAX_DEPTH:
            raise self._wrong(f"is nested more than {MAX_DEPTH} deep.")
        if self._read > MOST_PARTS:  # aliases can make a few lines endless
            raise self._wrong(f"has more than {MOST_PARTS:,} stages and lists.")

    def _wrong(self, problem: str) -> FileFormatError:
        return self._diagnostics.error(f"{self._where}{problem}", line=self._line, hint=_HINT)
