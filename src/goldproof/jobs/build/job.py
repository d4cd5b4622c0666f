"""`build()`: recipe in, benchmark out; the order of the steps.

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io import sha256_file
from goldproof.jobs.build.evidence import settled
from goldproof.jobs.build.near_duplicates import QuestionIndex
from goldproof.jobs.build.output.files import BenchmarkNames
from goldproof.jobs.build.output.report import BuildReport, Distribution, building_card
from goldproof.jobs.build.phases import read_excluded
from goldproof.jobs.build.pool import Pool, Pooled
from goldproof.jobs.build.question_types import by_rules
from goldproof.jobs.build.recipe import distribution_targets, free_places
from goldproof.jobs.build.recipe_file import read_recipe
from goldproof.jobs.build.records import origin_id
from goldproof.jobs.build.result import BuildResult
from goldproof.jobs.build.sampling.quotas import choose
from goldproof.jobs.build.sources import read_sources
from goldproof.jobs.build.unanswerables.generation import make_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.build.question_types import Classifier
    from goldproof.jobs.build.recipe import Recipe
    from goldproof.jobs.build.records import Candidate
    from goldproof.jobs.build.sampling.selection import Selection

Progress = Callable[[str, int], None]
EQUAL = 1.0


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
    BenchmarkNames(chosen.output_name, chosen.manifest_name)  # refuses names that cannot be, before the work begins
    spool = Pool(seed=chosen.seed)
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


def _built(recipe: Recipe, spool: Pool, *, classifier: Classifier, progress: Progress | None) -> BuildResult:
    asked = _Asked.read(recipe)
    sources = read_sources(recipe, spool, classifier=classifier, progress=progress)
    pool, left_out = _pool(spool, asked, near_duplicates=recipe.near_duplicates is not None)
    if sources.repeated:
        left_out["id occurs more than once"] = sources.repeated
    part = make_part(spool, pool, recipe=recipe, is_known=asked.knows)
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
    explanations = (
        *selection.shortfalls(),
        *part.explanations,
        *borrowed,
        *selection.off_target(),
        *selection.spread(recipe.strata),
    )
    report = BuildReport(
        name=recipe.name,
        seed=recipe.seed,
        distribution=Distribution.of(
            spool.chosen(contexts=False), distribution_targets(recipe), explanations=explanations
        ),
        sources=sources.facts(spool.used()),
        dropped=sources.dropped(),
        rejected=part.rejected,
        left_out=dict(sorted(left_out.items())),
    )
    counts["documents"] = spool.corpus_size(everything=recipe.corpus == "sources")
    card = building_card(recipe, report, sources=sources, earlier=asked.hashes, counts=counts)
    return BuildResult(recipe, report, card, shortfalls, sources.remarks(named_only=spool.named_only()), spool)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What may not be asked again: ids and questions of earlier benchmarks, and the questions of the pool."""

    ids: frozenset[str]
    earlier: QuestionIndex
    pool: QuestionIndex
    hashes: Mapping[str, str]

    @classmethod
    def read(cls, recipe: Recipe) -> _Asked:
        """Read the earlier benchmarks; the sample that an unanswerable was made from counts as used."""
        threshold = recipe.near_duplicates or EQUAL
        ids, earlier = set(), QuestionIndex(threshold)
        for path in recipe.exclude:
            for one in read_excluded(path):
                ids.add(origin_id(one.id))
                if one.question is not None:
                    earlier.keep(one.id, one.question)
        names = Counter(path.name for path in recipe.exclude)
        hashes = {
            path.name if names[path.name] == 1 else f"{number}-{path.name}": sha256_file(path)
            for number, path in enumerate(recipe.exclude, start=1)
        }
        return cls(frozenset(ids), earlier, QuestionIndex(threshold), hashes)

    def knows(self, question: str) -> bool:
        """Say whether a question is asked already."""
        return self.earlier.find(question) is not None or self.pool.find(question) is not None


def _pool(spool: Pool, asked: _Asked, *, near_duplicates: bool) -> tuple[list[Candidate], Counter[str]]:
    """Return the candidates that are no repeats, in the order of the pool, and how many others there were and why."""
    pool: list[Candidate] = []
    left_out: Counter[str] = Counter()
    for candidate, question in spool.entries():
        if candidate.id in asked.ids:
            left_out["id is in an earlier benchmark"] += 1
        elif len(asked.earlier) and asked.earlier.find(question) is not None:
            left_out["near-duplicate of a question in an earlier benchmark"] += 1
        elif asked.pool.add(candidate.id, question) is not None and near_duplicates:
            left_out["near-duplicate of another question"] += 1
        else:
            pool.append(candidate)
    return pool, left_out


def _settled(spool: Pool, selection: Selection, *, counts: Counter[str]) -> Iterator[Pooled]:
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
        "  Give a source of that doc_type (goldproof build --list shows them), or set doc_type for a source in the "
        "recipe."
    )
