"""The language of pipelines: text, YAML or Python in, stages out."""

from karat.retrieve.language.building import build
from karat.retrieve.language.expression import Call, Expression, List, Number, Object, Pipe, Text, Word
from karat.retrieve.language.joining import Step, expression_of, joined
from karat.retrieve.language.parsing import parse, parse_value
from karat.retrieve.language.yaml_form import read_pipelines

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
