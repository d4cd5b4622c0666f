"""What may stand at the place of a stage without being the name of one.

    package.module:object    a retriever of the user's    own(package.module:object)
    https://host/search      a search service             http(https://host/search)
    run:FILE                 a run that was made before   run(FILE)

Arguments may follow: `https://host/search(timeout=5)`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.language.expression import URL, Call, Word, literal
from goldproof.retrieve.stages import STAGES

if TYPE_CHECKING:
    from goldproof.retrieve.language.expression import Expression

_PYTHON_OBJECT = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_RUN_SUFFIXES = (".trec", ".run", ".jsonl", ".parquet", ".csv", ".tsv", ".txt", ".gz")

# What people call a stage elsewhere, or in our own Python form.
_ELSEWHERE = {
    "filter_by": "filter(field=value)",
    "where": "filter(field=value)",
    "run_file": "run(FILE)",
    "minilm": "dense(minilm)",
    "embed": "dense(minilm)",
    "vector": "dense(minilm)",
    "fusion": "hybrid(bm25, dense(minilm))",
    "rrf": "hybrid(bm25, dense(minilm), method=rrf)",
    "threshold": "floor(0.3)",
    "limit": "top(5)",
    "head": "top(5)",
}


def named_stage(stage: Word | Call) -> Word | Call:
    """Return the stage by its registered name, or raise with near names."""
    name = stage.name if isinstance(stage, Call) else stage.text
    if name in STAGES:
        return stage
    prefix, colon, rest = name.partition(":")
    if URL.fullmatch(name):
        return _with_first("http", Word(name), stage)
    if colon and rest and prefix == "run":
        return _with_first("run", literal(rest), stage)
    if colon and prefix in STAGES:
        raise InputError(f"{name} is no stage; write {prefix}({rest}).")
    if _PYTHON_OBJECT.fullmatch(name):
        return _with_first("own", Word(name), stage)
    raise _unknown(name)


def _with_first(name: str, first: Expression, stage: Word | Call) -> Call:
    args, kwargs = (stage.args, stage.kwargs) if isinstance(stage, Call) else ((), ())
    return Call(name, (first, *args), kwargs)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # too long for the name of one
        return False


def _unknown(name: str) -> InputError:
    if name.lower().endswith(_RUN_SUFFIXES) or ("/" in name and _is_file(name)):
        return InputError(f"{name} is no stage; a run file is written run:{name}.")
    if name.lower() in STAGES:
        return UnknownNameError("stage", name, (), advice=f"names are written small: {name.lower()}.")
    advice = f"write {_ELSEWHERE[name.lower()]}." if name.lower() in _ELSEWHERE else ""
    if ":" in name:
        advice = f"a retriever of your own is written package.module:object, an embedder dense({name})."
    return UnknownNameError("stage", name, STAGES, advice=advice)
