"""The reference of the Python package, written from signatures and docstrings of what `goldproof` exports."""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import goldproof
from goldproof.options import declared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HEAD = """\
# Python

Everything that a program needs is in the package `goldproof`. This page is generated from its docstrings: `make docs`.

```python
import goldproof

judgments = {"q1": {"d1": 1}, "q2": {"d2": 1, "d3": 1}}
run = {"q1": {"d1": 2.0, "d5": 1.0}, "q2": {"d3": 3.0, "d9": 2.0}}

result = goldproof.evaluate(judgments, run, metrics="P@1, R@10", kernels={"q2": [["d2", "d3"]]})
print(result.mean("R@10"))
print(result.to_frame().select("id", "metric", "value"))
```

```text
0.75
shape: (4, 3)
┌─────┬────────┬───────┐
│ id  ┆ metric ┆ value │
│ --- ┆ ---    ┆ ---   │
│ str ┆ str    ┆ f64   │
╞═════╪════════╪═══════╡
│ q1  ┆ P@1    ┆ 1.0   │
│ q2  ┆ P@1    ┆ 1.0   │
│ q1  ┆ R@10   ┆ 1.0   │
│ q2  ┆ R@10   ┆ 0.5   │
└─────┴────────┴───────┘
```

Judgments and runs may be dicts, `{question: [documents in order]}`, polars or pandas frames (`query_id`, `doc_id`,
`grade` or `score`), records (`goldproof.Judgment`, `goldproof.Ranking`), or paths.

A job is one function, and a command is made from its signature, so options and parameters have the same names.
Every job returns a result that prints its conclusion, its tables and its first notes (in a notebook too) and has:

| member | is |
| --- | --- |
| `.conclusion` | the answer in one sentence |
| `.text(wide=, notes=)` | what is printed: `wide` with all tables and columns, `notes` with all notes |
| `.notes` | all notes, those that limit the conclusion first |
| `.tables()` | the tables that are printed |
| `.to_dict()` | what `--json` prints, `conclusion` first |
| `.save(folder)` | writes what `--out` writes |

Results of a study (`evaluate`, `compare`, `score_traces`, `run_memory`) also have `.mean(metric, run)`, `.to_frame()`
(a row per run, question and metric), `.study`, `.gated([...])`, which tries gates, and `.to_latex()` and
`.paper_table()`, the table for a paper ([its rules](outputs.md#a-table-for-a-paper)). Intervals and comparisons are
computed when first looked at.

Functions that take long call `on_progress` with a `goldproof.progress.Progress` (`stage`, `done`, `total`, `failed`,
`cached`, `note`).
"""
_MEANINGS = {  # parameters that every function has in common
    "on_progress": "called with a `Progress` while it runs",
    "seed": "seed of everything random",
    "fail_if": "gates, such as `nDCG@10 worse`",
    "timeout": "seconds that one call of your code or of a service may take",
    "force": "replace what another input left there",
    "isolating": "how scripts are isolated: `goldproof.jobs.verify.settings.Isolating`",
    "path": "the file or folder",
    "split": "which qrels of a BEIR folder",
    "documents": "read the texts of the documents too",
    "skip_bad": "leave out bad lines, and count them",
    "run": "only the rows of this run",
    "spec": "as the command line takes it",
    "claimed": "an output folder that is claimed already",
}


_INTERNAL = {
    *(
        "appendix",
        "artefacts",
        "attachments",
        "card",
        "content",
        "figures",
        "flat_table",
        "gate_triggers",
        "has_answers",
    ),
    *("has_labels", "lead", "metric_aliases", "own_artefacts", "run_facts", "summary_dict", "writers"),
}


def python_page() -> str:
    """Return the page as Markdown."""
    exported = {name: getattr(goldproof, name) for name in goldproof.__all__ if not name.startswith("_")}
    functions = {name: value for name, value in exported.items() if inspect.isfunction(value)}
    classes = {name: value for name, value in exported.items() if inspect.isclass(value)}
    parts = [_HEAD, "## Functions\n", *(_function(name, value) for name, value in functions.items())]
    return "\n".join([*parts, "## Classes\n", *(_class(name, value) for name, value in classes.items())])


def _function(name: str, function: Callable[..., object]) -> str:
    parameters = inspect.signature(function).parameters
    text, meanings = _described(inspect.getdoc(function) or "", parameters)
    options = declared([function])
    rows = [f"### {name}", "", text, "", "| parameter | default | meaning |", "| --- | --- | --- |"]
    for parameter in parameters.values():
        option = options.get(parameter.name)
        said = meanings.get(parameter.name, _MEANINGS.get(parameter.name, ""))
        meaning = max(said, option.option.help if option else "", key=len)  # the one that says more
        star = "*" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else ""
        rows.append(f"| `{star}{parameter.name}` | {_default(parameter)} | {_cell(meaning)} |")
    return "\n".join([*rows, ""])


def _described(doc: str, parameters: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """Split a docstring into what it says of the function, and what of each parameter ("seed: ..., a, b: ...")."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in doc.split("\n\n")]
    name = "|".join(map(re.escape, sorted(parameters, key=len, reverse=True)))
    heads = re.compile(rf"(?<![\w`.{{])(?P<names>(?:{name})(?:, (?:{name}))*): ")
    text, meanings = paragraphs[:1], dict[str, str]()
    for paragraph in paragraphs[1:]:
        found = list(heads.finditer(paragraph))
        text.append(paragraph[: found[0].start()] if found else paragraph)
        for head, following in zip_longest(found, found[1:]):
            said = paragraph[head.end() : following.start() if following else None]
            said = re.sub(r"; or(, in their place,)? *$", "", said.strip()).rstrip(".;")
            meanings |= dict.fromkeys(head["names"].split(", "), said)
    return "\n\n".join(part for part in text if part.strip()), meanings


def _default(parameter: inspect.Parameter) -> str:
    default = parameter.default
    if default is inspect.Parameter.empty:
        return "-" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else "required"
    if callable(default):
        return "-"
    return f"`{default!r}`" if not isinstance(default, Enum) else f"`{default.value}`"


def _class(name: str, kind: type[Any]) -> str:
    doc = (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")
    rows = [f"### {name}", "", doc, ""]
    if is_dataclass(kind) and not name.endswith("Result"):
        rows += ["```text", f"{name}({', '.join(map(_field, fields(kind)))})", "```", ""]
    members = [(member, value) for member, value in _public(kind) if (inspect.getdoc(value) or "")]
    if members:
        rows += ["| member | is |", "| --- | --- |"]
        rows += [f"| `{_call(member, value)}` | {_cell(_first(value))} |" for member, value in members]
        rows.append("")
    return "\n".join(rows)


def _field(field: Field[Any]) -> str:
    return field.name if field.default is MISSING and field.default_factory is MISSING else f"{field.name}=..."


def _public(kind: type[Any]) -> list[tuple[str, object]]:
    found = dict[str, object]()
    for base in kind.__mro__:
        if base.__module__.startswith("goldproof"):
            found |= {
                name: value
                for name, value in vars(base).items()
                if name not in found.keys() | _INTERNAL and name[0] != "_"
            }
    kinds = (property, classmethod, staticmethod)
    return sorted(
        (name, value) for name, value in found.items() if inspect.isfunction(value) or isinstance(value, kinds)
    )


def _call(name: str, value: object) -> str:
    if isinstance(value, property):
        return f".{name}"
    function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    names = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]  # type: ignore[arg-type]
    return f".{name}({', '.join(names)})"


def _first(value: object) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ").rstrip(".")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").rstrip(".")
