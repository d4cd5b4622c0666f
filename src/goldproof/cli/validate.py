"""`goldproof validate`: check that files are well-formed, and list what is wrong."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli.command import Call, command, interruptible
from goldproof.cli.help import examples
from goldproof.cli.output import AsJson, print_json
from goldproof.cli.progress import ProgressLine

if TYPE_CHECKING:
    from goldproof.errors import InputError
    from goldproof.jobs.validate import Validation


@examples(
    ("Check qrels and a run before scoring them.", "goldproof validate qrels.trec bm25.trec"),
    ("List every malformed line.", "goldproof validate traces.jsonl --kind traces --all"),
)
@command()
def validate(
    _call: Call,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Runs, qrels, datasets, score files, traces, questions or scenarios."),
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="What the files are, if that is not clear: judgments, ranking, scores, dataset, traces, clusters, "
            "cases, questions, rulings or scenarios.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every problem, not only the first 100 of a file.")] = False,
    json: AsJson = False,
) -> None:
    """Check that input files are well-formed, and list what is wrong.

    Names the line of each problem. Exits with 2 if there is any.
    """
    from goldproof.errors import InputError, UnknownNameError
    from goldproof.jobs.validate import validate_file
    from goldproof.jobs.validate.job import DEFAULT_LIMIT

    limit = None if every else DEFAULT_LIMIT
    reports: list[dict[str, object]] = []
    for path in files:
        try:
            checked = f"{len(reports):,} of {len(files):,} files are checked; {path} is not."
            with interruptible(checked), ProgressLine(f"checking {path}"):
                validation = _with_moments(validate_file(path, kind=kind, limit=limit), limit=limit)
        except UnknownNameError:  # the kind, which is wrong for every file
            raise
        except InputError as error:
            typer.echo(f"goldproof: {error}", err=True)
            reports.append(_unreadable(path, error))
            continue
        reports.append({**asdict(validation), "path": str(path), "ok": validation.ok})
        if not json:
            typer.echo(_described(validation))
    if json:
        print_json({"files": reports})
    if not all(report["ok"] for report in reports):
        raise typer.Exit(2)


def _with_moments(validation: "Validation", *, limit: int | None) -> "Validation":
    """Add the memory job's checks of scenarios: moments, and filters that can match nothing."""
    if validation.kind != "scenarios" or not validation.ok:
        return validation
    from dataclasses import replace

    from goldproof.errors import InputError
    from goldproof.io import Diagnostic
    from goldproof.io.scenarios import open_suite
    from goldproof.jobs.memory.timeline import timeline_of

    problems = []
    for scenario in open_suite(Path(validation.path)).scenarios:
        try:
            timeline_of(scenario)
        except InputError as error:
            problems.append(Diagnostic(None, str(error)))
    if not problems:
        return validation
    return replace(validation, findings=tuple(problems[:limit]), n_findings=len(problems))


def _unreadable(path: Path, error: "InputError") -> dict[str, object]:
    """Return the JSON report on a file that is missing or not recognised."""
    problem = getattr(error, "problem", str(error))
    finding = {"line": getattr(error, "line", None), "problem": problem, "hint": getattr(error, "hint", "")}
    return {
        "path": str(path),
        "kind": None,
        "counts": {},
        "findings": [finding],
        "n_findings": 1,
        "unused": [],
        "remarks": [],
        "ok": False,
    }


def _described(validation: "Validation") -> str:
    counts = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in validation.counts.items())
    state = "well-formed" if validation.ok else f"{validation.n_findings:,} problem{'s' * (validation.n_findings != 1)}"
    kind = validation.kind or "not recognised"
    lines = [f"{validation.path}: {kind}" + (f" ({counts})" if counts else "") + f": {state}"]
    for finding in validation.findings:
        where = "" if finding.line is None else f"line {finding.line}: "
        lines.append(f"  {where}{finding.problem}")
    if validation.n_findings > len(validation.findings):
        lines.append(
            f"  ... and {validation.n_findings - len(validation.findings):,} more of {validation.n_findings:,}; "
            "--all lists them"
        )
    lines += [f"  {remark}" for remark in validation.remarks]
    if validation.unused:
        lines.append(f"  not used: {', '.join(validation.unused)}")
    hints = dict.fromkeys(finding.hint for finding in validation.findings if finding.hint)
    return "\n".join([*lines, *(f"  {hint}" for hint in hints)])
