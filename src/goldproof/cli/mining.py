"""What `goldproof mine` does with its options: choose a recipe, mine, write, show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from goldproof.cli.output import Output
from goldproof.cli.retrieving import asking
from goldproof.errors import InputError, NothingScoredError, StoppedEarlyError

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.mine import Recipe
    from goldproof.llm.access import Access

EXAMPLE = "example"


def chosen_recipe(name: str | None, **said: Any) -> Recipe:  # noqa: ANN401 - the options of the command
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


def estimate(recipe: Recipe, access: Access, *, output: Output) -> None:
    """Say what it would cost."""
    from goldproof.jobs.mine import estimate_plan, open_plan

    with asking():
        plan = open_plan(recipe, access=access)
        found = estimate_plan(plan)
    remarks = (*plan.problems, *found.remarks, "Nothing was asked, nothing is written.")
    output.show([found.table()], found.to_dict(), remarks=remarks)


def gather(recipe: Recipe, access: Access, *, output: Output) -> None:
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
    output.show([result.table()], result.to_dict(), remarks=(*plan.problems, *plan.remarks))


def mine(recipe: Recipe, access: Access, *, output: Output) -> None:
    """Mine, write the dataset where a folder is named, and show what came out."""
    from goldproof.cli.progress import MiningProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.mine import open_plan, refuse_other, run_plan

    in_place = _is_same(recipe.candidates, output.folder)
    if output.folder is not None and not output.force:
        refuse_unknown_files(output.folder)
    with asking():
        plan = open_plan(recipe, access=access)
        if in_place and not output.force:
            refuse_other(output.place(), plan)
        with MiningProgressLine() as watcher:
            result = run_plan(plan, watcher=watcher)
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
