"""The language of pipelines: text, YAML or Python in, stages out."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.retrieve.language.building import build
    from goldproof.retrieve.language.expression import Call, Expression, List, Number, Object, Pipe, Text, Word
    from goldproof.retrieve.language.joining import Step, expression_of, joined
    from goldproof.retrieve.language.parsing import parse, parse_value
    from goldproof.retrieve.language.yaml_form import read_pipelines

__all__ = [
    "Call",
    "Expression",
    "List",
    "Number",
    "Object",
    "Pipe",
    "Step",
    "Text",
    "Word",
    "build",
    "expression_of",
    "joined",
    "parse",
    "parse_value",
    "read_pipelines",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "building": ("build",),
        "expression": ("Call", "Expression", "List", "Number", "Object", "Pipe", "Text", "Word"),
        "joining": ("Step", "expression_of", "joined"),
        "parsing": ("parse", "parse_value"),
        "yaml_form": ("read_pipelines",),
    },
)
