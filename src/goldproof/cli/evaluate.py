"""`goldproof eval`: score runs against judgments and compare them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options
from goldproof.cli.command import asking
from goldproof.errors import InputError

if TYPE_CHECKING:
    from goldproof.jobs.evaluate.retrieval import Retrievers


def evaluate(
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="NAME=FILE", help="A run to score. Repeatable.")
    ] = None,
    dataset: Annotated[
        Path | None,
        typer.Option("--dataset", metavar="DIR_OR_FILE", help="BEIR folder, Cranfield folder, retrieval_dataset.yaml."),
    ] = None,
    retriever: Annotated[
        list[str] | None,
        typer.Option(
            "--retriever",
            metavar="NAME=SPEC",
            help="A retriever to run and score: 'bm25', 'hybrid(bm25, dense(minilm))', a YAML file of several, "
            "module:object or a URL. Repeatable.",
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option("--corpus", metavar="SPEC", help="What retrievers search (default: the dataset's documents)."),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="FILE", help="Texts of the questions (default: the dataset's)."),
    ] = None,
    k: options.K = 100,
    filter: options.Filter = None,  # noqa: A002 - the option's name
    now: options.Now = None,
    timeout: options.Timeout = None,
    fresh: options.Fresh = False,
    max_cost: options.MaxCost = None,
    price: options.Price = None,
    rate: options.Rate = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", metavar="FILE", help="Judgments alone.")] = None,
    spans: Annotated[
        Path | None,
        typer.Option("--spans", metavar="FILE", help="Judgments as spans of sources, for any way of cutting --corpus."),
    ] = None,
    metrics: Annotated[
        str | None, typer.Option("--metrics", metavar="LIST", help="Comma-separated; see 'goldproof metrics'.")
    ] = None,
    baseline: options.Baseline = None,
    pairs: options.Pairs = None,
    primary: options.Primary = None,
    margin: options.Margin = None,
    test: options.Test = "auto",
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="FIELD", help="Question metadata that names the cluster.")
    ] = None,
    clusters: Annotated[Path | None, typer.Option("--clusters", metavar="FILE", help="Columns id, cluster.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Which qrels of a BEIR folder.")] = None,
    exclude: Annotated[
        Path | None, typer.Option("--exclude", metavar="FILE", help="Question ids to leave out.")
    ] = None,
    queries: Annotated[
        str,
        typer.Option("--queries", metavar="judged|both", help="Count every judged question, or those also in the run."),
    ] = "judged",
    no_relevant: Annotated[
        str,
        typer.Option(
            "--no-relevant", metavar="undefined|zero", help="A question without a relevant document (zero: trec_eval)."
        ),
    ] = "undefined",
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", help="See only the first N results (trec_eval -M).")
    ] = None,
    unjudged: Annotated[
        str,
        typer.Option(
            "--unjudged",
            metavar="check|ignore",
            help="Better or worse must hold on judged documents alone too, or not (ignore).",
        ),
    ] = "check",
    ignore_identical_ids: options.IgnoreIdenticalIds = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out and count bad lines of runs.")] = False,
    seed: options.Seed = 0,
    out: options.Out = None,
    force: options.Force = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
    fail_if: options.FailIf = None,
    junit: options.Junit = None,
) -> None:
    """Score runs against judgments, with intervals, and compare them with corrected paired tests."""
    judgments = [path for path in (dataset, qrels, spans) if path is not None]
    if len(judgments) != 1:
        raise InputError("give one of --dataset DIR_OR_FILE, --qrels FILE and --spans FILE.")
    if not run and not retriever:
        raise InputError("nothing to score; give --run NAME=FILE, or --retriever NAME=SPEC to run one.")
    from goldproof.cli.command import Delivery, check_junit, deliver
    from goldproof.io.storage.output_folder import refuse_unknown_files
    from goldproof.jobs.evaluate import EvaluationFiles, evaluate_files
    from goldproof.report.tables import check_style
    from goldproof.study.score_comparison import named_files

    check_style(format)
    with options.model_limits(max_cost=max_cost, price=price, rate=rate):
        retrievers = _read_retrievers(
            retriever,
            corpus=corpus,
            questions=questions,
            k=k,
            filters=filter,
            now=now,
            timeout=timeout,
            fresh=fresh,
        )
    files = EvaluationFiles(
        judgments=judgments[0],
        spans=spans is not None,
        runs=named_files(run or []),
        split=split,
        cluster_field=cluster,
        clusters=clusters,
        exclude=exclude,
        skip_bad=skip_bad,
        retrievers=retrievers,
    )
    check_junit(junit, files.paths())
    if out is not None and not force:
        refuse_unknown_files(out)
    with asking():
        result = evaluate_files(
            files,
            metrics=metrics,
            baseline=baseline,
            pairs=pairs,
            primary=primary,
            margin=margin,
            test=test,
            queries=queries,
            no_relevant=no_relevant,
            depth=depth,
            unjudged=unjudged,
            ignore_identical_ids=ignore_identical_ids,
            seed=seed,
            gates=fail_if or [],
        )
    deliver(
        result,
        Delivery(
            out=out, force=force, json=json, style=format, fail_if=fail_if or [], junit=junit, suite="goldproof eval"
        ),
        when_told=result.forget_progress,
    )


def _read_retrievers(
    retriever: list[str] | None,
    *,
    corpus: str | None,
    questions: Path | None,
    k: int,
    filters: list[str] | None,
    now: str | None,
    timeout: float | None,
    fresh: bool,
) -> "Retrievers | None":
    """Return the retrievers to run before scoring, from the options; None without --retriever."""
    if not retriever:
        if corpus or questions or filters or now or timeout:
            raise InputError(
                "--corpus, --questions, --filter, --now and --timeout are for retrievers; give --retriever NAME=SPEC."
            )
        return None
    from goldproof.cli.progress import RetrievalProgress
    from goldproof.jobs.evaluate.retrieval import Retrievers
    from goldproof.retrieve import Search, open_retrievers, parse_filters

    return Retrievers(
        open_retrievers(retriever),
        corpus=corpus,
        questions=questions,
        search=Search(k=k, filters=parse_filters(filters or []), now=now, timeout=timeout),
        resume=True,
        fresh=fresh,
        watch=RetrievalProgress,
    )
