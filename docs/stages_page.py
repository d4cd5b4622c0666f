"""The reference of all stages, written from their declarations, for the page on pipelines."""

from __future__ import annotations

from inspect import Parameter
from typing import TYPE_CHECKING

from goldproof.retrieve.language.arguments import expected, hint_of
from goldproof.retrieve.language.expression import literal
from goldproof.retrieve.stage import BUILT_IN, STAGES, kind_of

if TYPE_CHECKING:
    from goldproof.retrieve.stage import Declared

BEGIN, END = "<!-- stages: generated -->", "<!-- end of stages -->"
_PLACES: dict[object, str] = {
    "source": "Retriever",
    "step": "Step",
    "query step": "Step, before its retriever",
}


def stage_table() -> str:
    """Return every built-in stage with its parameters, defaults and meaning, as markdown."""
    return "\n\n".join(_section(STAGES.get(name)) for name in BUILT_IN)


def with_stage_table(page: str) -> str:
    """Return a page with the part between the two marks written anew."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{stage_table()}\n\n{END}{rest.partition(END)[2]}"


def _section(stage: type[Declared]) -> str:
    place = _PLACES[kind_of(stage)]
    head = f"### {stage.name}\n\n*{place}.* {stage.summary}\n\n```text\n{stage.signature}\n```\n"
    rows = [_row(stage, parameter) for parameter in stage.signature.parameters]
    return "\n".join([head, "| parameter | takes | default | meaning |", "| --- | --- | --- | --- |", *rows])


def _row(stage: type[Declared], parameter: Parameter) -> str:
    marks: dict[object, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
    name = f"`{marks.get(parameter.kind, '')}{parameter.name}`"
    cells = (name, _takes(stage, parameter), _default(parameter), stage.docs[parameter.name])
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _takes(stage: type[Declared], parameter: Parameter) -> str:
    if parameter.kind is Parameter.VAR_POSITIONAL and stage.takes_stages:
        return "pipelines"
    return expected(hint_of(parameter.annotation, module=stage.__module__))


def _default(parameter: Parameter) -> str:
    if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        return "-"
    if parameter.default is Parameter.empty:
        return "required"
    default = parameter.default
    return f"`{literal(default) if isinstance(default, str) else str(default).lower()}`"
