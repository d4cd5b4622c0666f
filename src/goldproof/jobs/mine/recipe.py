"""The mining recipe: questions, corpus, judge, candidates; its YAML file.

    cases: [cases/choices.yaml, cases/fixes.yaml]    # relative to the recipe's folder
    corpus: package:google-adk
    judge: llm:google:gemini-3-pro-preview
    random: 5
    hard: 5
    dense: 5
    kernels: true
    discover: google:gemini-3-pro-preview
    no_context: false
    extend: [runs/bm25.trec]
    depth: 10
    exclude: audit/exclude.txt
    seed: 0

A corpus or a file of human labels (`human:FILE`) that is a path is relative to the recipe's folder as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.forms import Count, FilePath, Flag, Form, Name, Reads, Whole, read_form, read_paths
from goldproof.io.yaml_files import load_yaml

DEFAULT_JUDGE = "answer"


@dataclass(frozen=True, slots=True)
class CandidateSettings:
    """Which documents are judged for a question, beside those that its own metadata name.

    random: how many are drawn at random. hard: best hits of bm25. dense: best hits of the embedder. discover: a model
    that searches the corpus as an agent to answer the question. runs: run files whose first `depth` documents are
    judged too.
    """

    random: int = 5
    hard: int = 5
    dense: int = 0
    embedder: str = "minilm"
    discover: str | None = None
    runs: tuple[Path, ...] = ()
    depth: int = 10

    def __post_init__(self) -> None:
        for name, least in (("random", 0), ("hard", 0), ("dense", 0), ("depth", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise InputError(f"{name} is {value!r}, expected a whole number of documents, {least} or more.")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Inputs and settings of mining.

    cases: files or folders of questions. corpus, judge: their specs. kernels: whether to look for the minimal sets that
    suffice. no_context: whether each question is also asked with no context at all, to flag those that answer
    themselves; only judges that are models can. candidates: a file of candidates to judge, in place of cases. exclude:
    a file of ids of questions to leave out, such as `exclude.txt` of `goldproof verify`.
    """

    cases: tuple[Path, ...] = ()
    corpus: str | None = None
    judge: str = DEFAULT_JUDGE
    candidate_settings: CandidateSettings = field(default_factory=CandidateSettings)
    kernels: bool = False
    no_context: bool = True
    candidates: Path | None = None
    exclude: Path | None = None
    seed: int = 0


_HINT = "The page on mining shows a whole recipe."
_PLACE = re.compile(r"(?:(?P<kind>[A-Za-z][\w-]+):)?(?P<place>[^#]*)(?P<options>#.*)?", re.DOTALL)


def bundled_mines() -> dict[str, Path]:
    """Return the bundled recipes, by name."""
    folder = Path(str(files("goldproof.data") / "mine"))
    return {path.parent.name: path for path in sorted(folder.glob("*/recipe.yaml"))}


def read_mine(recipe: Path | str) -> Recipe:
    """Read a recipe: a YAML file, or the name of a bundled one."""
    bundled = bundled_mines()
    if str(recipe) in bundled:
        return _read(bundled[str(recipe)])
    path = Path(recipe)
    if path.suffix not in (".yaml", ".yml") and not path.exists():
        raise UnknownNameError("recipe", str(recipe), bundled, hint="Give one of these names, or a YAML file.")
    return _read(path)


def is_recipe(cases: Path | str) -> bool:
    """Return whether this is a recipe, not a file of cases: a bundled name, or a YAML file with cases and corpus."""
    path = Path(cases)
    if str(cases) in bundled_mines():
        return True
    if path.suffix not in (".yaml", ".yml") or not path.is_file():
        return False
    content = load_yaml(path, Diagnostics(path))
    return isinstance(content, dict) and "cases" in content and "corpus" in content


def _some_paths(value: object) -> tuple[Path, ...]:
    return read_paths([value] if isinstance(value, str) else value)


SomePaths = Annotated[tuple[Path, ...], Reads(_some_paths, "a file or folder, or a list of names such as [a, b]")]


@dataclass(frozen=True, slots=True)
class _RecipeFile(Form):
    """The keys of a recipe file; what it does not name is None, and keeps its default."""

    EXPECTED = "a recipe with keys such as cases: and corpus:"

    cases: SomePaths
    corpus: Name
    judge: Name | None = None
    random: Whole | None = None
    hard: Whole | None = None
    dense: Whole | None = None
    embedder: Name | None = None
    discover: Name | None = None
    runs: SomePaths | None = field(default=None, metadata={"key": "extend"})
    depth: Count | None = None
    exclude: FilePath | None = None
    kernels: Flag | None = None
    no_context: Flag | None = None
    seed: Whole | None = None

    @classmethod
    def unfold(cls, value: object) -> object:
        """Refuse a file of cases by its name."""
        if isinstance(value, Mapping) and "benchmarks" in value:
            raise InputError("is a file of cases, not a recipe; give it with --cases.")
        return value


def _read(path: Path) -> Recipe:
    recipe = read_form(path, _RecipeFile, hint=_HINT)
    values = {setting.name: getattr(recipe, setting.name) for setting in fields(recipe)}
    located = {
        "cases": tuple(path.parent / name for name in recipe.cases),
        "corpus": _based(recipe.corpus, path.parent),
        "judge": recipe.judge and _based(recipe.judge, path.parent),
        "runs": recipe.runs and tuple(path.parent / name for name in recipe.runs),
        "exclude": recipe.exclude and path.parent / recipe.exclude,
    }
    return recipe_of(**values | located)


def recipe_of(base: Recipe | None = None, **values: Any) -> Recipe:  # noqa: ANN401 - fields of two records
    """Return a recipe with these values changed; None leaves a value as it is."""
    base = Recipe() if base is None else base
    changes = {key: value for key, value in values.items() if value is not None}
    names = [setting.name for setting in fields(CandidateSettings)]
    settings = {name: changes.pop(name) for name in names if name in changes}
    return replace(base, candidate_settings=replace(base.candidate_settings, **settings), **changes)


def absolute_spec(spec: str) -> str:
    """Return a spec with its path made absolute, so that it opens the same from any folder."""
    return _based(spec, Path.cwd())


def _based(spec: str, base: Path) -> str:
    """Return a spec with its path relative to the recipe's folder, where that exists."""
    parts = _PLACE.fullmatch(spec)
    if parts is None or not parts["place"] or not (base / parts["place"]).exists():
        return spec
    kind = f"{parts['kind']}:" if parts["kind"] else ""
    return f"{kind}{base / parts['place']}{parts['options'] or ''}"
