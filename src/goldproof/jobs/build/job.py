"""`build()`: from a recipe to a benchmark, step by step.

    earlier        ids and questions of earlier benchmarks (`phases`)
    sources        located, then read record by record: an example, or dropped with a reason (`sources`, `adapters`)
    pool           each example classified and put into a scratch file (`classification`, `pool`)
    repeats        without ids and questions of earlier benchmarks and near-duplicates (`near_duplicates`)
    unanswerables  made from some of the pool, checked against all its documents (`unanswerables`)
    selection      the other places, filled by quotas, difficulty and strata (`sampling`)
    evidence       moved into the texts that are kept; is the answer in the gold documents? (`evidence`)

Only this module reads and writes the pool: the steps get iterables and functions. Samples and documents wait on disk,
and the pool is read in an order that seed and ids decide, so that memory stays flat and neither the order of the files
nor the process matters.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from goldproof.errors import InputError
from goldproof.jobs.build.classification import Strata, classify
from goldproof.jobs.build.evidence import relocate_evidence
from goldproof.jobs.build.near_duplicates import without_repeats
from goldproof.jobs.build.output.files import BenchmarkNames
from goldproof.jobs.build.output.report import BuildReport, Distribution, building_card
from goldproof.jobs.build.phases import read_earlier
from goldproof.jobs.build.pool import Pool
from goldproof.jobs.build.question_types import Classifier, by_rules
from goldproof.jobs.build.recipe import Recipe, distribution_targets, free_places
from goldproof.jobs.build.recipe_file import read_recipe
from goldproof.jobs.build.records import Dropped, PooledSample
from goldproof.jobs.build.result import BuildResult
from goldproof.jobs.build.sampling.quotas import fill_quotas
from goldproof.jobs.build.sampling.selection import Selection
from goldproof.jobs.build.sources import Source, locate_sources, source_licences, source_remarks
from goldproof.jobs.build.unanswerables.generation import Unanswerables, make_unanswerables
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore, step


@with_options
def build(
    recipe: Recipe | Mapping[str, object] | Path | str,
    *,
    exclude: Annotated[
        Sequence[Path | str],
        Option("Leave out what is in this benchmark or list of ids. Repeatable.", "FILE", type=list[Path]),
    ] = (),
    seed: Annotated[int | None, Option("Random seed (default: 42).", "N")] = None,
    classifier: Classifier = by_rules,
    on_progress: OnProgress = ignore,
) -> BuildResult:
    """Build a benchmark.

    recipe: the name of a bundled one, a YAML file, or a mapping of the same shape. exclude: earlier benchmarks, beside
    those that the recipe names (one of the same file name takes its place). classifier: doc_type, question and what
    the dataset says about computation -> question type. on_progress: called with the records read of each source,
    and with the steps after that.
    """
    chosen = with_excluded(read_recipe(recipe), exclude)
    if seed is not None:
        chosen = replace(chosen, seed=seed)
    BenchmarkNames(chosen.output_name, chosen.manifest_name)  # refuses names that cannot be, before the work begins
    pool = Pool(seed=chosen.seed)
    try:
        return _build(chosen, pool, classifier=classifier, on_progress=on_progress)
    except BaseException:
        pool.close()
        raise


def with_excluded(recipe: Recipe, paths: Sequence[Path | str]) -> Recipe:
    """Return the recipe with further earlier benchmarks; a file of the same name takes the place of the recipe's."""
    files = [Path(path) for path in paths]
    kept = [path for path in recipe.exclude if path.name not in {file.name for file in files}]
    return replace(recipe, exclude=(*kept, *files))


def _build(recipe: Recipe, pool: Pool, *, classifier: Classifier, on_progress: OnProgress) -> BuildResult:
    earlier = read_earlier(recipe.exclude, threshold=recipe.near_duplicates)
    sources = locate_sources(recipe.sources)
    _fill_pool(pool, sources, recipe=recipe, classifier=classifier, on_progress=on_progress)
    repeated = sum(source.usable for source in sources) - sum(pool.sizes().values())
    with step("looking for repeated questions", on_progress):
        distinct = without_repeats(
            pool.entries(), earlier_ids=earlier.ids, earlier=earlier.questions, threshold=recipe.near_duplicates
        )
    asked = (earlier.questions, distinct.questions)
    with step("making unanswerable questions", on_progress):
        unanswerables = make_unanswerables(
            distinct.candidates,
            recipe=recipe,
            samples=pool.get,
            documents=pool.scan_documents,
            is_known=lambda question: any(index.find(question) is not None for index in asked),
        )
    with step("sampling", on_progress):
        selection = fill_quotas(
            (candidate for candidate in distinct.candidates if candidate.id not in unanswerables.used),
            places=free_places(recipe, unanswerables.filled),
            taken=Counter((doc_type, "D3") for doc_type, _ in unanswerables.filled.elements()),
            difficulty=recipe.difficulty,
            borrow=recipe.borrow,
        )
    if not selection.chosen and not unanswerables.used:
        raise InputError(_nothing_fits(recipe, pool.sizes()))
    counts: Counter[str] = Counter()
    with step("placing evidence", on_progress):
        pool.choose(unanswerables.samples(pool.get(unanswerables.used)))
        pool.choose(_with_evidence(pool, selection, counts=counts))
    counts["documents"] = pool.corpus_size(everything=recipe.corpus == "sources")
    used = pool.used()
    report = BuildReport(
        name=recipe.name,
        seed=recipe.seed,
        distribution=Distribution.of(
            pool.chosen(contexts=False),
            distribution_targets(recipe),
            explanations=_explanations(selection, unanswerables, strata=recipe.strata),
        ),
        sources=tuple(source.facts(used=used.get(source.name, 0)) for source in sources),
        dropped={source.name: dict(sorted(source.dropped.items())) for source in sources if source.dropped},
        rejected=unanswerables.rejected,
        left_out=dict(sorted((distinct.left_out + Counter({"id occurs more than once": repeated})).items())),
    )
    return BuildResult(
        recipe=recipe,
        report=report,
        provenance=building_card(
            recipe, report, licence=source_licences(sources), excluded=earlier.hashes, counts=counts
        ),
        shortfalls=(*(cell.sentence() for cell in selection.cells if cell.shortfall), *unanswerables.shortfalls),
        remarks=source_remarks(sources, repeated=repeated, named_only=pool.named_only()),
        pool=pool,
    )


def _fill_pool(
    pool: Pool, sources: Iterable[Source], *, recipe: Recipe, classifier: Classifier, on_progress: OnProgress
) -> None:
    """Put the classified examples of the sources into the pool."""
    strata = Strata(recipe.strata)
    for source in sources:
        info = source.adapter.info
        for example in source.examples(on_progress):
            sample = classify(example, adapter=info.name, doc_type=info.doc_type, classifier=classifier)
            try:
                pool.add(sample, example.documents, source=source.name, stratum=strata.of(sample))
            except (TypeError, UnicodeEncodeError) as error:  # half a character, endless numbers: no file could hold it
                source.drop(Dropped("cannot be written as JSON", str(error), original_id=example.original_id))
    strata.check()
    pool.finish_adding()


def _with_evidence(pool: Pool, selection: Selection, *, counts: Counter[str]) -> Iterator[PooledSample]:
    """Yield the chosen samples with evidence in the kept versions of their documents, counting the answer checks."""
    for sample, documents in pool.get(candidate.id for candidate in selection.chosen):
        kept = {document.id: pool.best(document.id) for document in documents}
        relocated, lost = relocate_evidence(sample, came_with=documents, kept=kept)
        counts[f"answer in gold documents: {relocated.metadata['answer_in_gold']}"] += 1
        counts["evidence not found in the kept text"] += lost
        yield PooledSample(relocated, documents)


def _explanations(selection: Selection, unanswerables: Unanswerables, *, strata: Mapping[str, str]) -> tuple[str, ...]:
    return (
        *selection.shortfalls(),
        *unanswerables.explanations,
        *(outcome.sentence() for outcome in selection.borrowed),
        *selection.off_target(),
        *selection.spread(strata),
    )


def _nothing_fits(recipe: Recipe, sizes: Mapping[str, int]) -> str:
    wanted = ", ".join(quota.doc_type for quota in recipe.quotas)
    usable = ", ".join(f"{source} {size}" for source, size in sizes.items()) or "none"
    return (
        f"{recipe.name}: no sample fits the quotas ({wanted}); usable samples by source: {usable}.\n"
        "  Give a source of that doc_type (goldproof build --list shows them), or set doc_type for a source in the "
        "recipe."
    )
