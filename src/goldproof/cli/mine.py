"""`goldproof mine`: which documents really answer a question, and which of them suffice together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldproof.cli import options
from goldproof.cli.command import Output, asking
from goldproof.errors import InputError, NothingScoredError, StoppedEarlyError

if TYPE_CHECKING:
    from goldproof.jobs.mine import Recipe
    from goldproof.llm import Access


def mine(
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="RECIPE", help="A YAML file with the options' names, or a bundled recipe: example."),
    ] = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", metavar="FILE", help="Questions: a registry (YAML, JSON), JSONL or a dataset."),
    ] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="SPEC", help="Documents: package:NAME, folder:DIR, a path, ...")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="SPEC",
            help="llm:MODEL[+MODEL][#votes=N], answer (offline, the default), gold, similarity, keyword, human:FILE "
            "or module:object.",
        ),
    ] = None,
    random: Annotated[int | None, typer.Option("--random", metavar="N", help="Random documents per question.")] = None,
    hard: Annotated[int | None, typer.Option("--hard", metavar="M", help="Best hits of bm25 per question.")] = None,
    dense: Annotated[int | None, typer.Option("--dense", metavar="M", help="Best hits of MiniLM per question.")] = None,
    discover: Annotated[
        str | None, typer.Option("--discover", metavar="MODEL", help="An agent searches and reads to answer the case.")
    ] = None,
    extend: Annotated[
        list[Path] | None,
        typer.Option("--extend", metavar="RUN", help="Judge what this run returned in its first --depth. Repeatable."),
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="Of each --extend run (10).")] = None,
    kernels: Annotated[
        bool | None, typer.Option("--kernels/--no-kernels", help="Look for the minimal sets that suffice.")
    ] = None,
    no_context: Annotated[
        bool | None,
        typer.Option("--no-context/--skip-no-context", help="Also ask each question with no context at all (models)."),
    ] = None,
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Write candidates.jsonl, unlabelled, and stop.")
    ] = False,
    candidates: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Judge the candidates of this file (or mined folder).")
    ] = None,
    exclude: Annotated[
        Path | None,
        typer.Option(
            "--exclude", metavar="FILE", help="Question ids to leave out, such as goldproof verify's exclude.txt."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random (0).")] = None,
    max_cost: options.MaxCost = None,
    dry_run: options.DryRun = False,
    price: options.Price = None,
    rate: options.Rate = None,
    concurrency: options.Concurrency = 8,
    retry_failed: options.RetryFailed = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write all files here.")] = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Find candidates for every question, have them judged, find the minimal sets that suffice, and write a dataset."""
    from goldproof.cli.command import Output
    from goldproof.report.tables import check_style

    check_style(format)
    chosen = _chosen_recipe(
        recipe,
        cases=tuple(cases) if cases else None,
        corpus=corpus,
        judge=judge,
        random=random,
        hard=hard,
        dense=dense,
        discover=discover,
        runs=tuple(extend) if extend else None,
        depth=depth,
        kernels=kernels,
        no_context=no_context,
        candidates=candidates,
        exclude=exclude,
        seed=seed,
    )
    access = options.model_access(
        max_cost=max_cost, price=price, rate=rate, concurrency=concurrency, retry_failed=retry_failed
    )
    do = _show_estimate if dry_run else _write_candidates if candidates_only else _mine
    do(chosen, access, output=Output(out, force=force, json=json, style=format))


EXAMPLE = "example"


def _chosen_recipe(name: str | None, **said: Any) -> "Recipe":  # noqa: ANN401 - the options of the command
    """Return the recipe that was named, with what the options say in its place; the bundled one where nothing is."""
    from goldproof.jobs.mine import mined_recipe, read_mine, recipe_of

    given = {key: value for key, value in said.items() if value is not None}
    questions = [key for key in ("cases", "candidates") if key in given]
    if len(questions) == 2:
        raise InputError("--cases and --from both bring questions; give one of them.")
    if name is None and not questions and "corpus" not in given:
        typer.echo(f"no --cases given: mining the bundled example (goldproof mine {EXAMPLE}).", err=True)
        name = EXAMPLE
    if name is None and not questions:
        raise InputError("name the questions: --cases FILE, or --from candidates.jsonl.")
    if name is not None and "candidates" in given:
        raise InputError("--from brings the questions along; give it without a recipe.")
    base = None if name is None else read_mine(name)
    if "candidates" in given:
        base = mined_recipe(given["candidates"])  # what a mined folder was mined with; of a file nothing is known
    return recipe_of(base, **given)


def _show_estimate(recipe: "Recipe", access: "Access", *, output: Output) -> None:
    """Say what it would cost."""
    from goldproof.jobs.mine import estimate_plan, open_plan

    with asking():
        plan = open_plan(recipe, access=access)
        found = estimate_plan(plan)
    remarks = (*plan.problems, *found.remarks, "Nothing was asked, nothing is written.")
    output.show([found.table()], found.to_dict(), remarks=remarks)


def _write_candidates(recipe: "Recipe", access: "Access", *, output: Output) -> None:
    """Write the candidates, unlabelled."""
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.mine import Unlabelled, open_plan

    if not output.force:
        refuse_unknown_files(output.place())
    with asking():
        plan = open_plan(recipe, access=access)
    result = Unlabelled(plan)
    result.save(output.place(), force=output.force)
    typer.echo(f"written to {output.folder}", err=True)
    output.show(result.tables(), result.to_dict(), remarks=result.remarks)


def _mine(recipe: "Recipe", access: "Access", *, output: Output) -> None:
    """Mine, write the dataset where a folder is named, and show what came out."""
    from goldproof.cli.progress import ProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.mine import open_plan, refuse_other, run_plan

    in_place = _is_same(recipe.candidates, output.folder)
    if output.folder is not None and not output.force:
        refuse_unknown_files(output.folder)
    with asking(), ProgressLine() as line:
        plan = open_plan(recipe, access=access, on_progress=line)
        if in_place and not output.force:
            refuse_other(output.place(), plan)
        result = run_plan(plan, on_progress=line)
    if output.folder is not None:
        result.save(output.folder, force=output.force or in_place)
        typer.echo(f"written to {output.folder}", err=True)
    elif result.stopped:
        raise StoppedEarlyError(f"mining stopped early: {result.stopped}")
    else:
        typer.echo("nothing is written; name a folder with --out DIR.", err=True)
    output.show(result.tables(), result.to_dict(), remarks=(*result.mined.problems, *result.mined.remarks))
    if not result.has_labels:
        raise NothingScoredError("no ruling counts, so that nothing is labelled; the remarks above say why.")


def _is_same(candidates: Path | None, folder: Path | None) -> bool:
    """Return whether a mined folder is extended in place: what stands there is what was read."""
    if candidates is None or folder is None:
        return False
    return candidates.is_dir() and folder.is_dir() and candidates.samefile(folder)
