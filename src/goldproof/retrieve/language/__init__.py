"""The language of pipelines: from text, YAML or Python to stages."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.retrieve.language.builder import Step, build, expression_of, joined
    from goldproof.retrieve.language.expression import Call, Expression, List, Number, Object, Pipe, Text, Word
    from goldproof.retrieve.language.parser import parse, parse_value
    from goldproof.retrieve.language.yaml_file import read_pipelines
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "builder": ("Step", "build", "expression_of", "joined"),
            "expression": ("Call", "Expression", "List", "Number", "Object", "Pipe", "Text", "Word"),
            "parser": ("parse", "parse_value"),
            "yaml_file": ("read_pipelines",),
        },
    )

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
