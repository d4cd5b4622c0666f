"""`goldproof trace`: score the searches of an agent, iteration by iteration; explain one conversation."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.jobs.trace import LabellingPlan
    from goldproof.jobs.trace.explain import ExplainedConversation


def trace(
    file: Annotated[
        str | None, typer.Argument(metavar="[NAME=]FILE", help="Traces: JSON lines, Parquet, CSV or a span export.")
    ] = None,
    system: Annotated[
        list[str] | None, typer.Option("--system", metavar="NAME=FILE", help="Another system's traces. Repeatable.")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option("--qrels", metavar="FILE", help="Labels by document, or by question and document.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="SPEC", help="Labels what has no label, 0 to 4: llm:MODEL or module:object."),
    ] = None,
    max_cost: options.MaxCost = None,
    dry_run: options.DryRun = False,
    price: options.Price = None,
    rate: options.Rate = None,
    concurrency: options.Concurrency = 8,
    retry_failed: options.RetryFailed = False,
    metrics: Annotated[
        str | None, typer.Option("--metrics", metavar="LIST", help="Those to test; all ten at the last iteration.")
    ] = None,
    threshold: Annotated[int, typer.Option("--threshold", metavar="GAIN", help="The lowest gain that is good.")] = 2,
    dedup: Annotated[
        str, typer.Option("--dedup", metavar="full|id", help="Compare results, or trust their ids.")
    ] = "full",
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE", help="Rules for the deduplication, as YAML.")
    ] = None,
    near_duplicates: Annotated[
        float | None, typer.Option("--near-duplicates", metavar="X", help="Snippets this similar (0 to 1) are equal.")
    ] = None,
    carry: Annotated[
        bool, typer.Option("--carry", help="Keep a conversation's last value beyond its last iteration.")
    ] = False,
    pool: Annotated[
        str,
        typer.Option("--pool", metavar="own|systems|FILE", help="The pool that IterationsForAllGoodResults waits for."),
    ] = "auto",
    up_to: Annotated[
        int, typer.Option("--up-to", metavar="N", help="Summarise the first N iterations one by one.")
    ] = 20,
    clusters: Annotated[Path | None, typer.Option("--clusters", metavar="FILE", help="Columns id, cluster.")] = None,
    baseline: options.Baseline = None,
    pairs: options.Pairs = None,
    primary: options.Primary = None,
    margin: options.Margin = None,
    test: options.Test = "auto",
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out and count bad lines of traces.")] = False,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="CONVERSATION", help="Show how one conversation was scored.")
    ] = None,
    seed: options.Seed = 0,
    out: options.Out = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Score the searches of an agent: gain per iteration, each result counted once, and redundancy."""
    named = [*([file] if file else []), *(system or [])]
    if not named:
        raise InputError("name a file of traces: goldproof trace FILE, or --system NAME=FILE.")
    from goldproof.cli.command import Delivery, Limits, check_junit, deliver, judging, refuse_without_judge
    from goldproof.cli.progress import ProgressLine
    from goldproof.jobs.trace import explain_conversation, plan_labels, score_traces
    from goldproof.report.tables import check_style
    from goldproof.study.score_comparison import named_files

    check_style(format)
    files = named_files(named, option="--system")
    asked = {"max_cost": max_cost, "dry_run": dry_run, "price": price, "rate": rate, "retry_failed": retry_failed}
    if judge is None:
        refuse_without_judge(**asked)
    if explain is not None:
        _refuse_with_explain(
            judge=judge,
            out=out,
            force=force,
            junit=junit,
            fail_if=fail_if,
            metrics=metrics,
            carry=carry,
            up_to=None if up_to == 20 else up_to,
            clusters=clusters,
            baseline=baseline,
            pairs=pairs,
            primary=primary,
            margin=margin,
            test=None if test == "auto" else test,
        )
        explained = explain_conversation(
            explain,
            systems=files,
            labels=qrels,
            threshold=threshold,
            dedup=dedup,
            rules=rules,
            near_duplicates=near_duplicates,
            pool=pool,
            skip_bad=skip_bad,
        )
        _show(explained, as_json=json, style=format)
        return
    check_junit(junit, [path for path in (*files.values(), qrels, rules, clusters) if path is not None])
    limits = Limits(max_cost=max_cost, price=price, rate=rate, concurrency=concurrency, retry_failed=retry_failed)
    if dry_run:
        with judging(judge, limits):
            plan = plan_labels(
                judge,
                systems=files,
                labels=qrels,
                dedup=dedup,
                rules=rules,
                near_duplicates=near_duplicates,
                skip_bad=skip_bad,
            )
        _show_plan(plan, as_json=json)
        return
    with judging(judge, limits), ProgressLine() as line:
        result = score_traces(
            systems=files,
            labels=qrels,
            judge=judge,
            metrics=metrics,
            threshold=threshold,
            dedup=dedup,
            rules=rules,
            near_duplicates=near_duplicates,
            carry=carry,
            pool=pool,
            up_to=up_to,
            clusters=clusters,
            baseline=baseline,
            pairs=pairs,
            primary=primary,
            margin=margin,
            test=test,
            skip_bad=skip_bad,
            seed=seed,
            on_progress=line,
        )
    deliver(
        result,
        Delivery(
            out=out, force=force, json=json, style=format, fail_if=fail_if or [], junit=junit, suite="goldproof trace"
        ),
    )


def _refuse_with_explain(**options: object) -> None:
    """Refuse options that have no effect with --explain: a gate that is not checked would seem to pass."""
    for name, value in options.items():
        if value not in (None, False, []):
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} has no effect with --explain, which shows one conversation; leave one out.")


def _show(conversations: "list[ExplainedConversation]", *, as_json: bool, style: str) -> None:
    from goldproof.cli.command import print_json
    from goldproof.report import render

    if as_json:
        print_json({"systems": [conversation.to_dict() for conversation in conversations]})
        return
    for conversation in conversations:
        typer.echo(f"{conversation.system}, {conversation.conversation}: {conversation.text or 'no question given'}\n")
        if conversation.error is not None:
            typer.echo(f"failed: {conversation.error}\n")
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
                typer.echo(render(table, style))


def _show_plan(plan: "LabellingPlan", *, as_json: bool) -> None:
    """Print what the labels of a judge would cost."""
    summary = f"{plan.judge}: {plan.unlabelled:,} distinct results have no label, {plan.judged:,} would be judged."
    left = [f"{n:,} left unlabelled: {why}." for why, n in plan.left.items()]
    facts = {"judge": plan.judge, "unlabelled": plan.unlabelled, "judged": plan.judged, "left": dict(plan.left)}
    from goldproof.cli.command import show_estimate

    show_estimate(plan.estimate, facts=facts, lines=[summary, *left], as_json=as_json)
