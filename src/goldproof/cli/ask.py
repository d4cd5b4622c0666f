"""`goldproof ask`: questions drafted from documents, for those who have none yet."""

import typer

from goldproof.cli.command import Call, command, resumable
from goldproof.cli.help import examples
from goldproof.cli.limits import DryRun, ModelLimits
from goldproof.cli.output import Output
from goldproof.errors import NothingScoredError, StoppedEarlyError
from goldproof.jobs.ask import draft_questions, open_asking


@examples(
    (
        "Draft 100 questions from a folder, for mine --cases.",
        "goldproof ask folder:docs --model openai:gpt-5 -n 100 --out asked",
    ),
    ("See first what it would cost.", "goldproof ask folder:docs --model openai:gpt-5 -n 100 --dry-run"),
)
@command(draft_questions)
def ask(call: Call, limits: ModelLimits, output: Output, dry_run: DryRun = False) -> None:
    """Draft questions from your documents, each with its answer and a quote.

    A model writes them; quotes are checked in the documents, and repeated or self-answering questions are dropped.
    """
    with limits.applied(), resumable():
        if dry_run:
            plan = call(open_asking)
            pairs = f", {plan.wanted_pairs:,} of them from two documents" if plan.wanted_pairs else ""
            lines = [
                f"{plan.n:,} questions{pairs}, would be drafted from {len(plan.documents):,} documents and checked.",
                f"Dropped drafts are replaced: {plan.most_drafts:,} drafts at most, at up to three times the cost.",
            ]
            facts: dict[str, object] = {
                "model": plan.model.key,
                "judge": plan.judge.key,
                "questions": plan.n,
                "two_documents": plan.wanted_pairs,
                "documents": len(plan.documents),
                "most_drafts": plan.most_drafts,
            }
            output.show_estimate(plan.estimate(), facts=facts, lines=lines)
            return
        with output.claimed() as folder:
            result = call(draft_questions, claimed=folder)
            if result.stopped and folder is None:
                raise StoppedEarlyError(f"stopped early: {result.stopped}\n  {result.conclusion}")
            if folder is None:
                typer.echo("nothing is written; name a folder with --out DIR.", err=True)
            output.deliver(result, folder)
    if not len(result):
        raise NothingScoredError("no draft passed the checks, so there is no question; the table says why.")
