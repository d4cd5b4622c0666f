"""`goldproof retrieve`: run a retriever over questions and write the run."""

from pathlib import Path
from typing import Annotated

import typer

from goldproof.cli import options
from goldproof.cli.command import asking


def retrieve(
    queries: Annotated[
        Path, typer.Option("--queries", metavar="FILE", help="Questions: BEIR, JSONL, TSV, CSV, YAML, or a dataset.")
    ],
    retriever: Annotated[
        str,
        typer.Option(
            "--retriever",
            metavar="[NAME=]SPEC",
            help="Such as 'bm25', 'hybrid(bm25, dense(minilm)) | top(10)', FILE.yaml#NAME, module:object or a URL.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The run: .trec, or .jsonl, which keeps failures.")
    ],
    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus",
            metavar="SPEC",
            help="What is searched: folder:DIR, package:NAME, beir:DIR, jsonl:FILE, cranfield:DIR or a path. "
            "Leave it out where the retriever has documents of its own.",
        ),
    ] = None,
    k: options.K = 100,
    filter: options.Filter = None,  # noqa: A002 - the option's name
    now: options.Now = None,
    timeout: options.Timeout = None,
    fresh: options.Fresh = False,
    max_cost: options.MaxCost = None,
    price: options.Price = None,
    rate: options.Rate = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a run that was made from something else.")] = False,
    json: options.AsJson = False,
    format: options.Format = "table",  # noqa: A002 - the option's name
) -> None:
    """Run a retriever over questions and write what it returned as a run, with its card; interrupted, it goes on."""
    from goldproof.cli.command import print_json
    from goldproof.cli.progress import RetrievalProgress
    from goldproof.io.datasets.run_output import check_run_target
    from goldproof.jobs.retrieve import RetrievalFiles, open_plan, run_plan
    from goldproof.report import render
    from goldproof.report.tables import check_style
    from goldproof.retrieve import Search, open_named, parse_filters

    check_style(format)
    check_run_target(out, force=force)
    with options.model_limits(max_cost=max_cost, price=price, rate=rate):
        name, pipeline = open_named(retriever)
    files = RetrievalFiles(
        pipeline,
        queries,
        corpus=corpus,
        name=name,
        search=Search(k=k, filters=parse_filters(filter or []), now=now, timeout=timeout),
    )
    with asking(), RetrievalProgress(name) as watcher:
        plan = open_plan(files)
        check_run_target(
            out,
            documents=(document.id for document in plan.corpus.documents),
            questions=(question.id for question in plan.questions),
            force=force,
        )
        result = run_plan(plan, fresh=fresh, watcher=watcher)
    notes = result.save(out, force=force)
    typer.echo(f"written to {out}", err=True)
    for remark in (*result.remarks, *notes):
        typer.echo(remark, err=True)
    if json:
        print_json(result.to_dict())
    else:
        typer.echo(render(result.table(), format), nl=False)
