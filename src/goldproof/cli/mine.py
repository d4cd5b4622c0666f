"""`goldproof mine`: which documents really answer a question, and which of them suffice together."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goldproof.cli.command import INTERRUPTED, Call, command, run_job
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
    ways_on,
    what_is_kept,
    why_no_answers,
)
from goldproof.jobs.mine import mine as mine_cases

if TYPE_CHECKING:
    from goldproof.io import OutputFolder
    from goldproof.jobs.mine import MiningPlan, MiningResult, Recipe

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
        typer.Option(
            "--cases",
            metavar="FILE",
            help="Questions: CSV (one column question is enough), JSONL, YAML, JSON or a dataset. Repeatable.",
        ),
    ] = None,
    candidates: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Judge the candidates of this file or mined folder.")
    ] = None,
    limits: ModelLimits,
    output: Output,
    candidates_only: Annotated[
        bool, typer.Option("--candidates-only", help="Write candidates without labels (--out or --sheet), and stop.")
    ] = False,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--sheet",
            metavar="FILE.csv",
            help="With --candidates-only: a sheet for people to grade; --judge human:FILE.csv reads it.",
        ),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Find which documents answer each question, and write the qrels.

    Gathers candidates for every question, has them judged, finds the minimal sets of documents that suffice, and
    writes a BEIR folder.
    """
    given = call.take_all()
    runs = tuple(given.pop("extend") or ()) or None
    chosen = _chosen_recipe(recipe, cases=tuple(cases or ()) or None, candidates=candidates, runs=runs, **given)
    if candidates_only and output.out is None and sheet is None:
        raise InputError("name what to write: a folder (--out DIR), or a sheet for people (--sheet FILE.csv).")
    if sheet is not None:
        _check_sheet(sheet, chosen, candidates_only=candidates_only, force=output.force)
    in_place = _is_same(chosen.candidates, output.out) and not candidates_only
    plan = None
    try:
        if dry_run:
            plan = run_job(open_plan, chosen, access=limits.access())
            estimate = run_job(estimate_plan, plan)
            remarks = (*plan.problems, *estimate.remarks, "Nothing was asked, nothing is written.")
            output.show([estimate.table()], estimate.to_dict(), remarks=remarks)
            return
        with output.claimed(force=in_place) as folder:
            plan = run_job(open_plan, chosen, access=limits.access())
            if candidates_only:
                _deliver_candidates(Unlabelled(plan), folder, output, sheet=sheet)
                return
            if why := why_no_answers(plan):
                for problem in plan.problems:
                    typer.echo(problem, err=True)
                raise NothingScoredError(why)
            if in_place and folder is not None and not output.force:
                refuse_other(folder.path, plan)
            _deliver(run_job(run_plan, plan), folder, output, plan=plan)
    except KeyboardInterrupt:
        typer.echo(f"interrupted; {what_is_kept(plan)}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def _deliver_candidates(
    unlabelled: Unlabelled, folder: "OutputFolder | None", output: Output, *, sheet: Path | None
) -> None:
    """Write the candidates to a folder, a sheet or both; say what to do with the sheet."""
    if sheet is not None:
        unlabelled.save_sheet(sheet, force=output.force)
        typer.echo(
            f"written to {sheet}: write 2 (answers the question), 1 (bears on it) or 0 into the column grade, then run "
            f"the same command with --judge human:{sheet} in place of --candidates-only and --sheet.",
            err=True,
        )
    output.deliver(unlabelled, folder)
    if folder is not None and sheet is None:
        typer.echo(f"next: goldproof mine --from {quote(str(folder.path))} --judge SPEC --out DIR", err=True)


def _check_sheet(sheet: Path, recipe: "Recipe", *, candidates_only: bool, force: bool) -> None:
    """Refuse, before any work, a sheet without effect or one that would replace an input or people's grades."""
    from goldproof.io.datasets.sheet import check_sheet_target

    if not candidates_only:
        raise InputError("--sheet is for pairs that people shall judge; give --candidates-only with it.")
    inputs = [*recipe.cases, *recipe.candidate_settings.runs, *filter(None, (recipe.candidates, recipe.exclude))]
    if any(sheet.exists() and path.exists() and sheet.samefile(path) for path in inputs):
        raise InputError(f"--sheet {sheet}: is an input; name a file of its own.")
    check_sheet_target(sheet, force=force)


def _deliver(result: "MiningResult", folder: "OutputFolder | None", output: Output, *, plan: "MiningPlan") -> None:
    """Write and print what was mined; without a folder a mining that stopped early is an error."""
    if folder is None and result.stopped:
        raise StoppedEarlyError(f"mining stopped early: {result.stopped}")
    if folder is None:
        typer.echo("nothing is written; name a folder with --out DIR.", err=True)
    output.deliver(result, folder)
    if not result.has_labels:
        ways = f" {ways_on(plan)}" if plan.judge.key == "answer" else ""
        raise NothingScoredError(f"no ruling counts, so that nothing is labelled; the notes above say why.{ways}")
    if folder is not None:
        beir = quote(str(folder.path / "beir"))
        typer.echo(
            f"next: goldproof eval --dataset {beir} --retriever bm25=bm25 --retriever dense='dense(minilm)'", err=True
        )


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
