"""`goldproof validate`: is this file well-formed?"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goldproof.cli import options

if TYPE_CHECKING:
    from goldproof.errors import InputError
    from goldproof.jobs.validate import Validation


def validate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE [...]", help="Runs, judgments, datasets, score files.")],
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            help="What it should be: judgments, ranking, scores, dataset, traces, clusters, cases, rulings, scenarios.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every problem, not only the first 100.")] = False,
    json: options.AsJson = False,
) -> None:
    """Check that files are well-formed; list the first 100 problems of each and their number. Exit code 2 if any."""
    from goldproof.cli.command import print_json
    from goldproof.errors import InputError, UnknownNameError
    from goldproof.jobs.validate import validate_file
    from goldproof.jobs.validate.job import DEFAULT_LIMIT

    limit = None if every else DEFAULT_LIMIT
    found: list[dict[str, object]] = []
    for path in files:
        try:
            validation = _with_moments(validate_file(path, kind=kind, limit=limit), limit=limit)
        except UnknownNameError:  # the kind, which is wrong for every file
            raise
        except InputError as error:
            typer.echo(f"goldproof: {error}", err=True)
            found.append(_unreadable(path, error))
            continue
        found.append({**asdict(validation), "path": str(path), "ok": validation.ok})
        if not json:
            typer.echo(_described(validation))
    if json:
        print_json({"files": found})
    if not all(file["ok"] for file in found):
        raise typer.Exit(2)


def _with_moments(found: "Validation", *, limit: int | None) -> "Validation":
    """Look also at what only the memory job knows of scenarios: moments, and filters that can match nothing."""
    if found.kind != "scenarios" or not found.ok:
        return found
    from dataclasses import replace

    from goldproof.errors import InputError
    from goldproof.io.diagnostics import Diagnostic
    from goldproof.io.scenarios.suites import open_suite
    from goldproof.jobs.memory.timeline import timeline_of

    problems = []
    for scenario in open_suite(Path(found.path)).scenarios:
        try:
            timeline_of(scenario)
        except InputError as error:
            problems.append(Diagnostic(None, str(error)))
    return replace(found, findings=tuple(problems[:limit]), n_findings=len(problems)) if problems else found


def _unreadable(path: Path, error: "InputError") -> dict[str, object]:
    """Return what is said in JSON of a file that is missing or not recognised."""
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


def _described(found: "Validation") -> str:
    counts = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in found.counts.items())
    state = "well-formed" if found.ok else f"{found.n_findings:,} problem{'s' * (found.n_findings != 1)}"
    kind = found.kind or "not recognised"
    lines = [f"{found.path}: {kind}" + (f" ({counts})" if counts else "") + f": {state}"]
    for finding in found.findings:
        where = "" if finding.line is None else f"line {finding.line}: "
        lines.append(f"  {where}{finding.problem}")
    if found.n_findings > len(found.findings):
        lines.append(
            f"  ... and {found.n_findings - len(found.findings):,} more of {found.n_findings:,}; --all lists them"
        )
    lines += [f"  {remark}" for remark in found.remarks]
    if found.unused:
        lines.append(f"  not used: {', '.join(found.unused)}")
    hints = dict.fromkeys(finding.hint for finding in found.findings if finding.hint)
    return "\n".join([*lines, *(f"  {hint}" for hint in hints)])
