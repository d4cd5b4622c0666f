"""From what a user wrote to a pipeline: a text, a YAML file, an object, or a pipeline already."""

from __future__ import annotations

from pathlib import Path

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.language import Object, parse, read_pipelines
from goldproof.retrieve.pipeline import Pipeline

_YAML = (".yaml", ".yml")


def open_retriever(spec: object) -> Pipeline:
    """Return the pipeline that a spec stands for.

    spec: the text of one, such as "hybrid(bm25, dense(minilm)) | top(5)"; a YAML file of one, or `FILE.yaml#NAME` of
    several; any object that searches; or a `Pipeline`.
    """
    if isinstance(spec, Pipeline):
        return spec
    if isinstance(spec, Path):
        return _from_file(str(spec))
    if isinstance(spec, str):
        return _from_file(spec) if _is_file(spec) else Pipeline(parse(spec))
    return Pipeline(Object(spec))


def open_retrievers(named: list[str]) -> dict[str, Pipeline]:
    """Read `--retriever` options: NAME=SPEC, SPEC (its text is its name), or a YAML file of several."""
    pipelines: dict[str, Pipeline] = {}
    for text in named:
        for name, pipeline in _named(text).items():
            if name in pipelines:
                raise InputError(f"two retrievers are called {name!r}; tell them apart: --retriever OTHER={pipeline}.")
            pipelines[name] = pipeline
    return pipelines


def open_named(text: str) -> tuple[str, Pipeline]:
    """Read one `--retriever` option: NAME=SPEC or SPEC."""
    named = _named(text)
    if len(named) > 1:
        raise InputError(f"{text}: holds {len(named)} pipelines ({', '.join(named)}); name one: {text}#NAME.")
    return next(iter(named.items()))


def _named(text: str) -> dict[str, Pipeline]:
    name, separator, rest = text.partition("=")
    if separator and name.strip() and not set(name) & set("(|[\"':/?"):
        if not rest.strip():
            raise InputError(f"--retriever {name}=: nothing stands after the '='; expected NAME=SPEC.")
        return {name.strip(): open_retriever(rest.strip())}
    if _is_file(text) and "#" not in text:
        return {one: Pipeline(expression) for one, expression in read_pipelines(Path(text)).items()}
    if _is_file(text):
        return {text.strip().partition("#")[2]: open_retriever(text)}
    pipeline = open_retriever(text)
    return {str(pipeline): pipeline}  # as it prints, not as it was typed: the query of a URL may hold a key


def _is_file(text: str) -> bool:
    return text.partition("#")[0].strip().lower().endswith(_YAML)


def _from_file(text: str) -> Pipeline:
    path, _, name = text.strip().partition("#")
    pipelines = read_pipelines(Path(path))
    if not name and len(pipelines) > 1:
        raise InputError(f"{path}: holds {len(pipelines)} pipelines ({', '.join(pipelines)}); name one: {path}#NAME.")
    chosen = name or next(iter(pipelines))
    if chosen not in pipelines:
        raise UnknownNameError(f"pipeline of {path}", chosen, pipelines)
    return Pipeline(pipelines[chosen])
