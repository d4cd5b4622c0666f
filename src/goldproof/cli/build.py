"""`goldproof build` and `goldproof combine`: benchmarks from datasets, and several as one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.jobs.build import BuildResult, Recipe

RecipeName = Annotated[str | None, typer.Argument(metavar="RECIPE", help="A YAML file, or a bundled recipe's name.")]


def build(
    recipe: RecipeName = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="ADAPTER=PATH",
            help="Read a file or folder, or hub:ID@REVISION. With a recipe: only these.",
        ),
    ] = None,
    quota: Annotated[
        list[str] | None,
        typer.Option("--quota", metavar="DOC_TYPE=N", help="So many samples; DOC_TYPE/QUESTION_TYPE=N is finer."),
    ] = None,
    unanswerable: Annotated[
        str | None, typer.Option("--unanswerable", metavar="SHARE", help="The share of unanswerables, such as 10%.")
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option("--exclude", metavar="FILE", help="Take nothing that is in this benchmark or list of ids."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of everything random (42).")] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of the benchmark.")] = None,
    output: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="Name of the benchmark's file (NAME.jsonl).")
    ] = None,
    manifest: Annotated[
        str | None, typer.Option("--manifest", metavar="FILE", help="Name of the manifest (NAME_manifest.csv).")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write all files here.")] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="DIR", help="Recompute hashes and counts of a built benchmark.")
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the adapters and the bundled recipes.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if a quota could not be filled.")] = False,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Build a benchmark: read datasets, sample by quotas, make unanswerables, keep the gold documents."""
    from goldproof.report.tables import check_style

    check_style(format)
    if check is not None:
        _check(check, as_json=json)
        return
    if list_all:
        _list(as_json=json, style=format)
        return
    from goldproof.cli.progress import ProgressLine
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.build import build as run_build

    chosen = _recipe(recipe, source=source, quota=quota, unanswerable=unanswerable, name=name, seed=seed)
    chosen, folder = _outputs(chosen, out=out, output=output, manifest=manifest)
    if not force:
        refuse_unknown_files(folder)
    with ProgressLine() as line:
        result = run_build(chosen, exclude=exclude or (), on_progress=line)
    result.save(folder, force=force)
    typer.echo(f"written to {folder}", err=True)
    _present(result, as_json=json, style=format)
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
    from goldproof.jobs.build import quick_recipe, read_recipe, with_changes

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
    from dataclasses import replace

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


def _present(result: "BuildResult", *, as_json: bool, style: str) -> None:
    from goldproof.cli.command import print_json
    from goldproof.report import render

    for remark in result.remarks:
        typer.echo(remark, err=True)
    if as_json:
        print_json(result.to_dict())
        return
    typer.echo("\n".join(render(table, style) for table in result.tables()), nl=False)


def _check(folder: Path, *, as_json: bool) -> None:
    from goldproof.cli.command import print_json
    from goldproof.jobs.build import check_benchmark

    report = check_benchmark(folder)
    if as_json:
        print_json(report.to_dict())
    else:
        typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(2)


def _list(*, as_json: bool, style: str) -> None:
    from goldproof.cli.command import print_json
    from goldproof.jobs.build import adapters_table, bundled_recipes
    from goldproof.report import render

    table = adapters_table()
    if as_json:
        names = [heading.name for heading in table.headings]
        adapters = [dict(zip(names, row, strict=True)) for row in table.rows]
        print_json({"adapters": adapters, "recipes": list(bundled_recipes())})
        return
    typer.echo(render(table, style))
    typer.echo("recipes: " + ", ".join(bundled_recipes()))


def combine(
    files: Annotated[
        list[Path], typer.Argument(metavar="A B [...]", help="Benchmarks that goldproof build wrote (JSONL).")
    ],
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="The combined benchmark.")],
    manifest: Annotated[
        Path | None, typer.Option("--manifest", metavar="FILE", help="Its manifest (OUTPUT_manifest.csv).")
    ] = None,
    beir: Annotated[
        Path | None, typer.Option("--beir", metavar="DIR", help="Write a BEIR folder of all samples as well.")
    ] = None,
    near_duplicates: Annotated[
        str, typer.Option("--near-duplicates", metavar="X|off", help="Refuse questions this similar (0 to 1).")
    ] = "0.85",
    force: Annotated[bool, typer.Option("--force", help="Replace files that something else left there.")] = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Combine benchmarks: samples in the order of the files, none twice, each naming its file (`benchmark_phase`)."""
    from goldproof.cli.command import print_json
    from goldproof.jobs.build import combine as combine_files
    from goldproof.report import render
    from goldproof.report.tables import check_style

    check_style(format)
    result = combine_files(
        files,
        output=output,
        manifest=manifest,
        beir=beir,
        near_duplicates=_threshold(near_duplicates),
        force=force,
    )
    typer.echo(f"written to {result.files.output}", err=True)
    for remark in result.remarks:
        typer.echo(remark, err=True)
    if json:
        print_json(result.to_dict())
    else:
        typer.echo("\n".join(render(table, format) for table in result.tables()), nl=False)


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
