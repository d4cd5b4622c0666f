"""`goldproof mine`: which documents really answer a question, and which of them suffice together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldproof.cli.command import Call, command, resumable, run_job
from goldproof.cli.help import examples
from goldproof.cli.limits import DryRun, ModelLimits
from goldproof.cli.output import Output
from goldproof.errors import InputError, NothingScoredError, StoppedEarlyError
from goldproof.jobs.mine import (
    Unlabelled,
    estimate_plan,
    mined_recipe,
    open_plan,
    read_mine,
    recipe_of,
    refuse_other,
    run_plan,
)
from goldproof.jobs.mine import mine as mine_cases

if TYPE_CHECKING:
    from goldproof.io import OutputFolder
    from goldproof.jobs.mine import MiningResult, Recipe

EXAMPLE = "example"


@examples(
    ("Mine the bundled example: offline, no key.", "goldproof mine example --out mined"),
    (
        "Label your own questions with a model, within a budget.",
        "goldproof mine --cases questions.jsonl --corpus folder:docs --judge llm:openai:gpt-5 --max-cost 5 --out mined",
    ),
)
@command(mine_cases)
def mine(
    call: Call,
    *,
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="RECIPE", help="A YAML file of these options, or the bundled recipe: example."),
    ] = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", metavar="FILE", help="Questions: JSONL, CSV, YAML, JSON or a dataset. Repeatable."),
    ] = None,
    candidates: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Judge the candidates of this file or mined folder.")
    ] = None,
    limits: ModelLimits,
    output: Output,
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Write candidates.jsonl without labels, and stop.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Find which documents answer each question, and write the qrels.

    Gathers candidates for every question, has them judged, finds the minimal sets of documents that suffice, and
    writes a BEIR folder.
    """
    given = call.take_all()
    runs = tuple(given.pop("extend") or ()) or None
    chosen = _chosen_recipe(recipe, cases=tuple(cases or ()) or None, candidates=candidates, runs=runs, **given)
    if candidates_only and output.out is None:
        raise InputError("name a folder to write to: --out DIR.")
    in_place = _is_same(chosen.candidates, output.out) and not candidates_only
    with resumable():
        if dry_run:
            plan = run_job(open_plan, chosen, access=limits.access())
            estimate = run_job(estimate_plan, plan)
            remarks = (*plan.problems, *estimate.remarks, "Nothing was asked, nothing is written.")
            output.show([estimate.table()], estimate.to_dict(), remarks=remarks)
            return
        with output.claimed(force=in_place) as folder:
            plan = run_job(open_plan, chosen, access=limits.access())
            if candidates_only:
                output.deliver(Unlabelled(plan), folder)
                return
            if in_place and folder is not None and not output.force:
                refuse_other(folder.path, plan)
            _deliver(run_job(run_plan, plan), folder, output)


def _deliver(result: "MiningResult", folder: "OutputFolder | None", output: Output) -> None:
    """Write and print what was mined; without a folder a mining that stopped early is an error."""
    if folder is None and result.stopped:
        raise StoppedEarlyError(f"mining stopped early: {result.stopped}")
    if folder is None:
        typer.echo("nothing is written; name a folder with --out DIR.", err=True)
    output.deliver(result, folder)
    if not result.has_labels:
        raise NothingScoredError("no ruling counts, so that nothing is labelled; the remarks above say why.")


def _chosen_recipe(name: str | None, **options: Any) -> "Recipe":  # noqa: ANN401 - the options of the command
    """Return the recipe that was named, with what the options say in its place; the bundled one where nothing is."""
    given = {key: value for key, value in options.items() if value is not None}
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


def _is_same(candidates: Path | None, folder: Path | None) -> bool:
    """Return whether a mined folder is extended in place: what stands there is what was read."""
    if candidates is None or folder is None:
        return False
    return candidates.is_dir() and folder.is_dir() and candidates.samefile(folder)
