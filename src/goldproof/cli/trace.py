"""`goldproof trace`: score the searches of an agent, iteration by iteration; explain one conversation."""

from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import Call, command, refuse, resumable
from goldproof.cli.help import examples
from goldproof.cli.limits import DryRun, ModelLimits, keeps_answers
from goldproof.cli.output import Printing, StudyOutput, print_json
from goldproof.errors import InputError
from goldproof.jobs.trace import explain_conversation, plan_labels, score_traces
from goldproof.report import render
from goldproof.report.tables import printable
from goldproof.study.score_comparison import named_files

if TYPE_CHECKING:
    from goldproof.jobs.trace import LabellingPlan
    from goldproof.jobs.trace.explain import ExplainedConversation


@examples(
    ("Score the searches of one agent.", "goldproof trace traces.jsonl"),
    (
        "Compare two agents, and look at one conversation.",
        "goldproof trace old=old.jsonl --system new=new.jsonl --explain c1",
    ),
)
@command(score_traces)
def trace(
    call: Call,
    limits: ModelLimits,
    output: StudyOutput,
    dry_run: DryRun = False,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain", metavar="CONVERSATION", help="Show how one conversation was scored, instead of the summary."
        ),
    ] = None,
) -> None:
    """Score an agent's searches: what each iteration added or repeated.

    Every result counts once, where it was first found; gains come from labels in the trace, --qrels or --judge.
    """
    files = named_files([*filter(None, [call.take("traces")]), *(call.take("systems") or [])], option="--system")
    if not files:
        raise InputError("name a file of traces: goldproof trace FILE, or --system NAME=FILE.")
    has_judge = call.values["judge"] is not None
    if not has_judge:
        refuse("without --judge SPEC; leave it out", *limits.changed(), *(["--dry-run"] if dry_run else []))
    if explain is not None:
        why = "with --explain, which shows one conversation; leave one out"
        refuse(why, *output.changed())
        _show(call(explain_conversation, explain, systems=files, no_effect=why), output)
        return
    output.check_junit([*files.values(), *call.paths()])
    with limits.applied(), resumable(asks=keeps_answers(call.values["judge"])):
        if dry_run:
            _show_plan(call(plan_labels, systems=files), output)
            return
        with output.claimed() as folder:
            output.deliver_study(call(score_traces, systems=files), folder, suite=call.command)


def _show(conversations: "list[ExplainedConversation]", output: Printing) -> None:
    if output.json:
        print_json({"systems": [conversation.to_dict() for conversation in conversations]})
        return
    for conversation in conversations:
        asked = conversation.text or "no question given"
        typer.echo(printable(f"{conversation.system}, {conversation.conversation}: {asked}\n"))
        if conversation.error is not None:
            typer.echo(printable(f"failed: {conversation.error}\n"))
        if conversation.note is not None:
            typer.echo(f"{conversation.note}\n")
        tables = (
            conversation.results_table(),
            conversation.keys_table(),
            conversation.comparisons_table(),
            conversation.counts_table(),
            conversation.metrics_table(),
        )
        for table in tables:
            if table.rows:
                typer.echo(render(table, output.format))


def _show_plan(plan: "LabellingPlan", output: Printing) -> None:
    """Print what the labels of a judge would cost."""
    summary = f"{plan.judge}: {plan.unlabelled:,} distinct results have no label, {plan.judged:,} would be judged."
    left = [f"{n:,} left unlabelled: {why}." for why, n in plan.left.items()]
    facts = {"judge": plan.judge, "unlabelled": plan.unlabelled, "judged": plan.judged, "left": dict(plan.left)}
    output.show_estimate(plan.estimate, facts=facts, lines=[summary, *left])
