"""`goldproof combine`: several benchmarks as one."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import options
from goldproof.errors import InputError


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
    from goldproof.cli.present import print_json
    from goldproof.jobs.build.combination import combine as combine_files
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
