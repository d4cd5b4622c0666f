"""`karat demo`: the main job on the bundled example, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from karat.cli import options

METRICS = "nDCG@10,Hit@5,R@10,SetSuccess@10,FalseSurface@5"


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the report goes.")] = Path("karat-demo"),
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Evaluate two bundled runs on a bundled dataset, compare them, and write the report. Needs no network."""
    from importlib.resources import files

    from karat.cli.present import Delivery, deliver
    from karat.jobs.evaluate import EvaluationFiles, evaluate_files

    folder = Path(str(files("karat.data") / "demo"))
    runs = {name: folder / "runs" / f"{name}.trec" for name in ("titles", "fulltext")}
    typer.echo("karat eval --dataset DEMO --run titles=... --run fulltext=... --metrics " + METRICS + "\n", err=True)
    result = evaluate_files(EvaluationFiles(folder, runs), metrics=METRICS, baseline="titles")
    deliver(
        result, Delivery(out=out, force=force, json=json, style="table", fail_if=(), junit=None, suite="karat demo")
    )
