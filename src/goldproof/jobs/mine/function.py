"""`goldproof.mine`: questions and documents in; who is empirically relevant, and what suffices, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.corpus import Corpus, open_corpus
from goldproof.errors import InputError
from goldproof.jobs.mine.mining import run_plan
from goldproof.jobs.mine.plan import open_plan
from goldproof.jobs.mine.recipe import Recipe
from goldproof.jobs.mine.recipe_file import is_recipe, read_mine, recipe_of
from goldproof.llm.access import current_access
from goldproof.llm.budget import Budget
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.mine.result import MiningResult
    from goldproof.jobs.mine.watching import MiningWatcher
    from goldproof.llm.access import Access
    from goldproof.records.entities import Document


def mine(
    cases: str | Path | Sequence[str | Path] | Sequence[Question],
    *,
    corpus: str | Path | Corpus | Iterable[Document] | None = None,
    judge: object = None,
    random: int | None = None,
    hard: int | None = None,
    dense: int | None = None,
    kernels: bool | None = None,
    discover: str | None = None,
    extend: Sequence[str | Path] = (),
    depth: int | None = None,
    no_context: bool | None = None,
    exclude: str | Path | None = None,
    seed: int | None = None,
    max_cost: float | None = None,
    watcher: MiningWatcher | None = None,
) -> MiningResult:
    """Find out which documents answer which questions, by having every candidate judged.

    cases: files of cases (registries, JSON lines, datasets), `goldproof.Question` records, or a recipe: a YAML file, or
    the name of a bundled one, such as "example". corpus: a spec such as "package:google-adk", or documents; a dataset
    brings its own. judge: a spec such as "llm:google:gemini-3-pro-preview" (default "answer", offline), or your own.
    random, hard, dense: how many random documents, best hits of bm25 and of MiniLM are looked at per question (5, 5,
    0). kernels: look for the minimal sets that suffice. discover: a model that searches the corpus as an agent.
    extend: run files whose first `depth` documents are judged too. no_context: also ask without any context, where the
    judge is a model. exclude: a file of ids of questions to leave out, such as the verifier's. max_cost: in dollars;
    where it is spent the result says so in `mined.stopped`, and the same call goes on.
    """
    questions, base = _questions_or_recipe(cases)
    recipe = recipe_of(
        base,
        judge=judge if isinstance(judge, str) else None,
        random=random,
        hard=hard,
        dense=dense,
        kernels=kernels,
        discover=discover,
        runs=tuple(map(Path, extend)) or None,
        depth=depth,
        no_context=no_context,
        exclude=None if exclude is None else Path(exclude),
        seed=seed,
    )
    access = _access(max_cost, judge)
    plan = open_plan(
        recipe,
        access=access,
        questions=questions,
        corpus=None if corpus is None else open_corpus(corpus),
        judge=None if isinstance(judge, str) else judge,
    )
    return run_plan(plan, watcher=watcher)


def _access(max_cost: float | None, judge: object) -> Access:
    access = current_access()
    if max_cost is None:
        return access
    if hasattr(judge, "models"):
        raise InputError(
            "max_cost limits models that are opened by name, and this judge has opened its own; give its spec, such as "
            "'llm:google:gemini-3-pro-preview', or open it within goldproof.llm.using_access."
        )
    return replace(access, budget=Budget(max_cost))


def _questions_or_recipe(cases: object) -> tuple[tuple[Question, ...] | None, Recipe]:
    if isinstance(cases, str | Path):
        return None, read_mine(cases) if is_recipe(cases) else Recipe(cases=(Path(cases),))
    if not isinstance(cases, Sequence) or not cases:
        raise InputError(f"cases: found {cases!r}, expected files of cases, goldproof.Question records, or a recipe.")
    if all(isinstance(one, str | Path) for one in cases):
        return None, Recipe(cases=tuple(map(Path, cases)))
    questions = tuple(one for one in cases if isinstance(one, Question))
    if len(questions) < len(cases):
        raise InputError("cases: expected all of them to be goldproof.Question records, or all of them to be files.")
    return questions, Recipe()
