"""Building a benchmark: datasets in, one stratified set of samples with gold documents out.

    read     every record of the sources, through its adapter: an example, or dropped with a reason
    pool     classified; without ids and questions of earlier phases, and without near-duplicates
    make     unanswerables from some of the pool, checked against all documents
    sample   the rest of the places, by quotas, difficulty and strata
    settle   evidence in the texts that are kept; does the answer stand in the gold documents?

Samples and documents wait on disk (`spool`), and everything is looked at in an order that seed and ids decide, so that
memory stays flat and neither the order of the files nor the process matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from karat.core.errors import InputError
from karat.io import sha256_file
from karat.jobs.build.output.building_card import building_card
from karat.jobs.build.output.distribution import Distribution
from karat.jobs.build.output.distribution_report import BuildReport
from karat.jobs.build.phases.excluded import read_excluded
from karat.jobs.build.pool.settling import settled
from karat.jobs.build.pool.spool import Pooled, Spool
from karat.jobs.build.questions.repeats import QuestionIndex
from karat.jobs.build.questions.types import by_rules
from karat.jobs.build.recipes.recipe_file import read_recipe
from karat.jobs.build.recipes.targets import distribution_targets, free_places
from karat.jobs.build.result import BuildResult
from karat.jobs.build.sampling.choosing import choose
from karat.jobs.build.sources.reading import read_sources
from karat.jobs.build.unanswerables.part import make_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from karat.jobs.build.questions.types import Classifier
    from karat.jobs.build.recipes.recipe import Recipe
    from karat.jobs.build.sample import Candidate
    from karat.jobs.build.sampling.selection import Selection

Progress = Callable[[str, int], None]
_EARLIER = "earlier benchmark: "


def build(
    recipe: Recipe | Mapping[str, object] | Path | str,
    *,
    exclude: Sequence[Path | str] = (),
    seed: int | None = None,
    classifier: Classifier = by_rules,
    progress: Progress | None = None,
) -> BuildResult:
    """Build a benchmark.

    recipe: the name of a bundled one, a YAML file, or a mapping of the same shape. exclude: earlier benchmarks, beside
    those that the recipe names (one of the same file name takes its place). classifier: doc_type, question and what
    the dataset says about computation -> question type. progress: called with a source and the records read so far.
    """
    chosen = with_excluded(read_recipe(recipe), exclude)
    if seed is not None:
        chosen = replace(chosen, seed=seed)
    spool = Spool(seed=chosen.seed)
    try:
        return _built(chosen, spool, classifier=classifier, progress=progress)
    except BaseException:
        spool.close()
        raise


def with_excluded(recipe: Recipe, given: Sequence[Path | str]) -> Recipe:
    """Return the recipe with further earlier benchmarks; a file of the same name takes the place of the recipe's."""
    files = [Path(one) for one in given]
    kept = [path for path in recipe.exclude if path.name not in {file.name for file in files}]
    return replace(recipe, exclude=(*kept, *files))


def _built(recipe: Recipe, spool: Spool, *, classifier: Classifier, progress: Progress | None) -> BuildResult:
    earlier = _Earlier.read(recipe)
    sources = read_sources(recipe, spool, classifier=classifier, progress=progress)
    pool, left_out = _pool(spool, earlier)
    if sources.repeated:
        left_out["id occurs more than once"] = sources.repeated
    part = make_part(spool, pool, recipe=recipe, known=earlier.questions)
    selection = choose(
        (candidate for candidate in pool if candidate.id not in part.used),
        places=free_places(recipe, part.filled),
        taken=Counter((doc_type, "D3") for doc_type, _ in part.filled.elements()),
        difficulty=recipe.difficulty,
        borrow=recipe.borrow,
    )
    if not selection.chosen and not part.used:
        raise InputError(_nothing(recipe, spool.sizes()))
    counts: Counter[str] = Counter()
    spool.choose(part.samples(spool))
    spool.choose(_settled(spool, selection, counts=counts))
    shortfalls = (*(cell.sentence() for cell in selection.cells if cell.shortfall), *part.shortfalls)
    borrowed = (one.sentence() for one in selection.borrowed)
    explanations = (*selection.shortfalls(), *part.explanations, *borrowed, *selection.off_target())
    report = BuildReport(
        name=recipe.name,
        seed=recipe.seed,
        distribution=Distribution.of(spool.chosen(), distribution_targets(recipe), explanations=explanations),
        sources=sources.facts(Counter(sample.source_dataset for sample in spool.chosen())),
        dropped=sources.dropped(),
        rejected=part.rejected,
        left_out=left_out,
    )
    counts["documents"] = spool.corpus_size(everything=recipe.corpus == "sources")
    card = building_card(recipe, report, sources=sources, earlier=earlier.hashes, counts=counts)
    return BuildResult(recipe, report, card, shortfalls, sources.remarks(), spool)


class _Earlier(NamedTuple):
    """What may not be taken again: ids, and an index of questions to which the pool's own are added."""

    ids: frozenset[str]
    questions: QuestionIndex
    hashes: Mapping[str, str]
    near_duplicates: bool

    @classmethod
    def read(cls, recipe: Recipe) -> _Earlier:
        index = QuestionIndex(recipe.near_duplicates or 1.0)
        ids = set()
        for path in recipe.exclude:
            for one in read_excluded(path):
                ids.add(one.id)
                if one.question is not None:
                    index.add(_EARLIER + one.id, one.question)
        hashes = {path.name: sha256_file(path) for path in recipe.exclude}
        return cls(frozenset(ids), index, hashes, recipe.near_duplicates is not None)


def _pool(spool: Spool, earlier: _Earlier) -> tuple[list[Candidate], dict[str, int]]:
    """Return the candidates that are no repeats, in the order of the pool, and how many others there were and why."""
    pool, left_out = [], Counter[str]()
    for candidate, question in spool.entries():
        if candidate.id in earlier.ids:
            left_out["id is in an earlier benchmark"] += 1
            continue
        repeated = earlier.questions.add(candidate.id, question)
        if repeated is None or not earlier.near_duplicates:
            pool.append(candidate)
        elif repeated.startswith(_EARLIER):
            left_out["near-duplicate of a question in an earlier benchmark"] += 1
        else:
            left_out["near-duplicate of another question"] += 1
    return pool, dict(sorted(left_out.items()))


def _settled(spool: Spool, selection: Selection, *, counts: Counter[str]) -> Iterator[Pooled]:
    """Yield the chosen samples as they stand in the benchmark."""
    for sample, documents in spool.get(candidate.id for candidate in selection.chosen):
        kept = {document.id: spool.best(document.id) for document in documents}
        whole, lost = settled(sample, came_with=documents, kept=kept)
        counts[f"answer in gold documents: {whole.metadata['answer_in_gold']}"] += 1
        counts["evidence not found in the kept text"] += lost
        yield Pooled(whole, documents)


def _nothing(recipe: Recipe, sizes: Mapping[str, int]) -> str:
    wanted = ", ".join(quota.doc_type for quota in recipe.quotas)
    found = ", ".join(f"{source} {size}" for source, size in sizes.items()) or "none"
    return (
        f"{recipe.name}: no sample fits the quotas ({wanted}); usable samples by source: {found}.\n"
        "  Give a source of that doc_type (karat build --list shows them), or set doc_type for a source in the recipe."
    )
