"""`goldproof build` and `goldproof combine`: benchmarks from datasets, and several as one."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import NOTHING_KEPT, Call, command, interruptible
from goldproof.cli.help import examples
from goldproof.cli.output import Output, Printing, print_json
from goldproof.errors import InputError
from goldproof.jobs.build import (
    adapters_table,
    bundled_recipes,
    check_benchmark,
    quick_recipe,
    read_recipe,
    with_changes,
)
from goldproof.jobs.build import build as build_benchmark
from goldproof.jobs.build import combine as combine_benchmarks
from goldproof.jobs.build.phases import card_path
from goldproof.report import render

if TYPE_CHECKING:
    from goldproof.jobs.build import Recipe

RecipeName = Annotated[str | None, typer.Argument(metavar="RECIPE", help="A YAML file, or a bundled recipe (--list).")]


@examples(
    ("Build the bundled example: no network, no key.", "goldproof build quickstart --out benchmark"),
    (
        "Build from a file of your own: 50 samples, a tenth of them unanswerable.",
        "goldproof build --source table=questions.csv --quota clean_text=50 --unanswerable 10% --out own",
    ),
)
@command(build_benchmark)
def build(
    call: Call,
    *,
    recipe: RecipeName = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="ADAPTER=PATH",
            help="A file, a folder or hub:ID@REVISION to read. Repeatable. With a recipe: read only these.",
        ),
    ] = None,
    quota: Annotated[
        list[str] | None,
        typer.Option(
            "--quota", metavar="DOC_TYPE=N", help="Samples of this type; DOC_TYPE/QUESTION_TYPE=N is finer. Repeatable."
        ),
    ] = None,
    unanswerable: Annotated[
        str | None,
        typer.Option("--unanswerable", metavar="SHARE", help="Share of unanswerable questions, such as 10%."),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of the benchmark.")] = None,
    output: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="File name of the benchmark (default: NAME.jsonl).")
    ] = None,
    manifest: Annotated[
        str | None,
        typer.Option("--manifest", metavar="FILE", help="File name of the manifest (default: NAME_manifest.csv)."),
    ] = None,
    output_options: Output,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check", metavar="DIR", help="Check a built benchmark instead: recompute its hashes and counts."
        ),
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List adapters and bundled recipes instead.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if a quota could not be filled.")] = False,
) -> None:
    """Build a retrieval benchmark from datasets or your own files.

    Reads the sources, drops repeated questions, samples by quotas, adds unanswerable questions, and writes JSONL, a
    manifest and a BEIR folder.
    """
    if check is not None:
        _check(check, output_options)
        return
    if list_all:
        _list(output_options)
        return
    seed = call.take("seed")
    chosen = _recipe(recipe, source=source, quota=quota, unanswerable=unanswerable, name=name, seed=seed)
    chosen, folder = _outputs(chosen, out=output_options.out, output=output, manifest=manifest)
    with output_options.claimed(folder) as claimed:
        result = call(build_benchmark, chosen)
        output_options.deliver(result, claimed)
    if strict and result.shortfalls:
        for sentence in result.shortfalls:
            typer.echo(f"short: {sentence}", err=True)
        raise typer.Exit(1)


def _recipe(
    recipe: str | None,
    *,
    source: list[str] | None,
    quota: list[str] | None,
    unanswerable: str | None,
    name: str | None,
    seed: int | None,
) -> "Recipe":
    if recipe is None:
        if not source or not quota:
            raise InputError(
                "name a recipe (goldproof build RECIPE), or sources and quotas: --source ADAPTER=PATH --quota "
                "DOC_TYPE=N."
            )
        return quick_recipe(sources=source, quotas=quota, unanswerable=unanswerable, name=name, seed=seed)
    if quota or unanswerable is not None:
        option = "--quota" if quota else "--unanswerable"
        raise InputError(f"{option} has no effect with a recipe, which says it itself; change the recipe instead.")
    return with_changes(read_recipe(recipe), sources=source, name=name, seed=seed)


def _outputs(recipe: "Recipe", *, out: Path | None, output: str | None, manifest: str | None) -> "tuple[Recipe, Path]":
    """Return the recipe with the chosen file names, and the folder: --out, or that of --output."""
    folders = {Path(name).parent for name in (output, manifest) if name is not None and Path(name).name != name}
    folder = out or next(iter(folders), None)
    if folder is None:
        raise InputError("name a folder to write to: --out DIR.")
    if any(other.resolve() != folder.resolve() for other in folders):
        raise InputError(f"--output and --manifest name files of {folder}, where all others go; give no other folder.")
    return replace(
        recipe,
        output=recipe.output if output is None else Path(output).name,
        manifest=recipe.manifest if manifest is None else Path(manifest).name,
    ), folder


def _check(folder: Path, output: Output) -> None:
    report = check_benchmark(folder)
    if output.json:
        print_json(report.to_dict())
    else:
        typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(2)


def _list(output: Output) -> None:
    table = adapters_table()
    if output.json:
        names = [heading.name for heading in table.headings]
        adapters = [dict(zip(names, row, strict=True)) for row in table.rows]
        print_json({"adapters": adapters, "recipes": list(bundled_recipes())})
        return
    typer.echo(render(table, output.format))
    typer.echo("recipes: " + ", ".join(bundled_recipes()))


@examples(
    ("Combine two benchmarks.", "goldproof combine first.jsonl second.jsonl --output all.jsonl"),
    (
        "Write a BEIR folder too, and refuse only questions with the same id.",
        "goldproof combine first.jsonl second.jsonl --output all.jsonl --beir all --near-duplicates off",
    ),
)
@command(combine_benchmarks)
def combine(
    call: Call,
    output: Printing,
    near_duplicates: Annotated[
        str,
        typer.Option(
            "--near-duplicates", metavar="X|off", help="Treat questions at least this similar (0 to 1) as duplicates."
        ),
    ] = "0.85",
    force: Annotated[bool, typer.Option("--force", help="Replace files made from other inputs.")] = False,
) -> None:
    """Combine several benchmarks into one, without duplicates.

    Samples stay in the order of the files; each names the file it came from (`benchmark_phase`).
    """
    threshold, file = _threshold(near_duplicates), call.values["output"]
    with interruptible(lambda: _combined_so_far(file)):
        result = call(combine_benchmarks, near_duplicates=threshold, force=force)
    typer.echo(f"written to {result.files.output}", err=True)
    if not output.json and output.format != "csv":
        typer.echo(f"{result.conclusion}\n")
    output.show(result.tables(), result.to_dict(), remarks=result.remarks)


def _combined_so_far(file: Path) -> str:
    """Return what an interruption leaves of a combined benchmark."""
    card = card_path(file)
    is_begun = card.exists() and '"unfinished"' in card.read_text(encoding="utf-8")
    return f"{file} is not complete; the same command writes it again." if is_begun else NOTHING_KEPT


def _threshold(text: str) -> float | None:
    if text == "off":
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise InputError(
            f"--near-duplicates is {text!r}, expected off or a number above 0 and at most 1, such as 0.85."
        )
    return value
