"""Compare score files: read NAME=FILE#RUN, align the questions, test the differences."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import polars as pl

from goldproof.errors import InputError
from goldproof.io import read_scores, sha256_file
from goldproof.io.text_files import file_stem
from goldproof.metrics import METRICS, parse_metric
from goldproof.options import Option, with_options
from goldproof.records.keys import content_key
from goldproof.records.tables import ScoreTable
from goldproof.study.breakdown import choose_breakdown, cluster_field
from goldproof.study.comparison import Pair, Procedure, choose_pairs
from goldproof.study.notes import listed
from goldproof.study.options import Baseline, By, FailIf, Margin, Pairs, Primary, Seed, Test
from goldproof.study.panel import Panel, panel_from_scores
from goldproof.study.result import Provenance, Result
from goldproof.study.study import Design, Study


class RunScores(NamedTuple):
    """The scores of one run, by the names it may go by (best first), and the file they came from."""

    names: tuple[str, ...]
    table: ScoreTable
    path: Path | None


@with_options
def compare(
    *sources: Annotated[
        str | Path | ScoreTable,
        Option("Score files (id, metric, value, ...): FILE, FILE#RUN or NAME=FILE.", "A B [...]", "", list[str]),
    ],
    runs: Mapping[str, str | Path | ScoreTable] | None = None,
    baseline: Baseline = None,
    pairs: Pairs = None,
    primary: Primary = None,
    margin: Margin = None,
    test: Test = "auto",
    lower_is_better: Annotated[
        Iterable[str], Option("A metric of your own where less is better.", "METRIC", type=list[str])
    ] = (),
    by: By = None,
    intersect: Annotated[bool, Option("Compare the shared questions only, and say what was left out.")] = False,
    seed: Seed = 0,
    fail_if: FailIf = (),
) -> Result:
    """Compare scores of two or more runs: `goldproof.compare("new.csv", "old.csv")` is new minus old.

    sources: files (id, metric, value, optional cluster, run, status, reason) as FILE, FILE#RUN or NAME=FILE; a file or
    table with several runs stands for all of them. runs: files or tables of one run each, by name.
    Without a baseline or pairs, each run is compared with the last. intersect: leave out, and report, questions that
    not every run has; otherwise they are refused. lower_is_better: metrics of your own where less is better.
    by: "cluster", "FILE#COLUMN" of a table with the questions' ids, or {question: group}: the result of each group.
    fail_if: gates, such as "nDCG@10 worse"; `result.gates` says which of them failed.
    """
    scores = [run for source in sources for run in _runs_of(source)]
    scores += [_run_named(name, source) for name, source in (runs or {}).items()]
    if len(scores) < 2:
        raise InputError(f"{len(scores)} run to compare; expected two or more: goldproof compare A B.")
    tables = _named(scores)
    aligned = align(tables, intersect=intersect)
    design = Design(
        _pairs(aligned.panel.runs, baseline=baseline, pairs=pairs),
        primary=primary,
        margin=margin,
        test=Procedure.named(test, seed=seed),
        lower_is_better=frozenset(lower_is_better),
    )
    provenance = Provenance(
        "Comparison",
        inputs=lambda: {name: _content(run) for name, run in zip(tables, scores, strict=True)},
        settings={"intersect": intersect, **design.to_dict()},
        seed=seed,
    )
    study = Study(aligned.panel, design=design)
    remarks = (*aligned.remarks, *_unchecked_remarks(study))
    breakdown = choose_breakdown(by, fields=cluster_field(aligned.panel))
    return Result(study, provenance=provenance, remarks=remarks).broken_down(breakdown).gated(fail_if)


def _unchecked_remarks(study: Study) -> list[str]:
    """Warn that a verdict on a rank metric may rest on unjudged results, which score files do not show."""
    decided = {c.metric for c in study.comparisons if c.verdict in {"better", "worse"}}
    rested = [metric for metric in study.tested if metric in decided and _counts_unjudged(metric)]
    if not rested:
        return []
    return [f"{listed(rested)}: score files do not show unjudged results; goldproof eval tries a verdict without them."]


def _counts_unjudged(name: str) -> bool:
    try:
        metric = parse_metric(name)
    except InputError:  # a metric of the user's
        return False
    return "judged_only" in METRICS.get(metric.family).shape.params and not metric.judged_only


def _pairs(runs: tuple[str, ...], *, baseline: str | None, pairs: str | None) -> tuple[Pair, ...]:
    if baseline is None and pairs is None:
        return tuple(Pair(run, runs[-1]) for run in runs[:-1])
    return choose_pairs(runs, baseline=baseline, pairs=pairs)


def _runs_of(scores: str | Path | ScoreTable) -> list[RunScores]:
    if isinstance(scores, ScoreTable):
        return [RunScores((run,), table, None) for run, table in _by_run(scores).items()]
    if isinstance(scores, Mapping):
        raise InputError("scores: found a dict; name the runs with runs=: goldproof.compare(runs={...}).")
    if not isinstance(scores, str | Path):
        raise InputError(f"scores: found {type(scores).__name__}; expected a file or a ScoreTable.")
    source = parse_source(scores) if isinstance(scores, str) else Source(None, scores, None)
    tables = _by_run(read_scores(source.path, run=source.run))
    if source.name is not None and len(tables) > 1:
        raise InputError(
            f"{source.path} holds {len(tables)} runs ({', '.join(tables)}), so it cannot be called {source.name!r}; "
            f"pick one: {source.name}={source.path}#{next(iter(tables))}."
        )
    if len(tables) > 1:
        return [RunScores((run, f"{file_stem(source.path)}#{run}"), t, source.path) for run, t in tables.items()]
    names = (source.name, source.run, *tables, file_stem(source.path), str(source.path))
    return [RunScores(tuple(n for n in names if n), table, source.path) for table in tables.values()]


def _run_named(name: str, scores: str | Path | ScoreTable) -> RunScores:
    runs = _runs_of(scores)
    if len(runs) != 1:
        raise InputError(f"runs: {name!r} holds {len(runs)} runs; give one, such as FILE#RUN.")
    return RunScores((name,), runs[0].table, runs[0].path)


def _by_run(table: ScoreTable) -> dict[str, ScoreTable]:
    parts = table.frame.partition_by("run", maintain_order=True, as_dict=True)
    return {str(run): ScoreTable(frame) for (run,), frame in parts.items()}


def _named(runs: Sequence[RunScores]) -> dict[str, ScoreTable]:
    """Give every run its best name; where two would be the same, all take their next best."""
    for choice in range(max(len(scores.names) for scores in runs)):
        names = [scores.names[min(choice, len(scores.names) - 1)] for scores in runs]
        if len(set(names)) == len(names):
            return {name: scores.table for name, scores in zip(names, runs, strict=True)}
    shown = ", ".join(scores.names[0] for scores in runs)
    raise InputError(f"the same scores are named twice ({shown}); tell them apart with NAME=FILE.")


def _content(scores: RunScores) -> str:
    if scores.path is not None:
        return sha256_file(scores.path)
    return content_key([list(row) for row in scores.table.frame.iter_rows()])


class Aligned(NamedTuple):
    """Scores of several runs over the same questions, and what had to be left out to get there."""

    panel: Panel
    remarks: tuple[str, ...]


def align(tables: Mapping[str, ScoreTable], *, intersect: bool = False) -> Aligned:
    """Put runs side by side: run name -> its scores.

    Only metrics that every run has are compared. Questions that not every run has are refused, or, with
    `intersect`, left out and reported.
    """
    common, remarks = _common_metrics(tables)
    frames = {run: table.frame.filter(pl.col("metric").is_in(common)) for run, table in tables.items()}
    everywhere = None
    for metric in common:
        keys = {run: set(frame.filter(pl.col("metric") == metric)["id"]) for run, frame in frames.items()}
        shared = set.intersection(*keys.values())
        unmatched = {run: ids - shared for run, ids in keys.items() if ids - shared}
        if unmatched:
            sentence = f"{metric}: " + "; ".join(_unmatched(run, ids) for run, ids in unmatched.items())
            if not intersect:
                raise InputError(
                    f"{sentence}.\n  Score the same questions, or compare what is shared with --intersect."
                )
            if not shared:
                raise InputError(f"{sentence}; no question is left to compare.")
            remarks.append(f"{sentence}; left out (--intersect).")
            keep = pl.col("id").is_in(list(shared)) | (pl.col("metric") != metric)
            frames = {run: frame.filter(keep) for run, frame in frames.items()}
        everywhere = shared
    if not everywhere:
        raise InputError("the files hold no scores to compare.")
    named = [frame.with_columns(pl.lit(run).alias("run")) for run, frame in frames.items()]
    return Aligned(panel_from_scores(ScoreTable(pl.concat(named))), tuple(remarks))


def _common_metrics(tables: Mapping[str, ScoreTable]) -> tuple[list[str], list[str]]:
    metrics = {run: table.frame["metric"].unique(maintain_order=True).to_list() for run, table in tables.items()}
    first = next(iter(metrics.values()))
    common = [metric for metric in first if all(metric in names for names in metrics.values())]
    if not common:
        listed = "; ".join(f"{run} has {', '.join(names) or 'none'}" for run, names in metrics.items())
        raise InputError(f"no metric is in every file: {listed}.")
    remarks = [
        f"{metric} is only in {run}: not compared."
        for run, names in metrics.items()
        for metric in names
        if metric not in common
    ]
    return common, remarks


def _unmatched(run: str, ids: set[str]) -> str:
    shown = ", ".join(repr(i) for i in sorted(ids)[:3]) + (", ..." if len(ids) > 3 else "")
    return f"{len(ids)} question{'s' * (len(ids) != 1)} only in {run} ({shown})"


class Source(NamedTuple):
    """A file of scores, the run picked from it (None: its only one), and the name given to it (None: its own)."""

    name: str | None
    path: Path
    run: str | None


def split_name(text: str) -> tuple[str | None, str]:
    """Read NAME=FILE or FILE; a file that really has such a name wins."""
    if "=" not in text or Path(text).exists():
        return None, text
    name, _, path = text.partition("=")
    if not name or not path:
        raise InputError(f"{text!r} is not of the form NAME=FILE; both sides are needed.")
    return name, path


def parse_source(text: str) -> Source:
    """Read FILE, FILE#RUN, NAME=FILE or NAME=FILE#RUN; a file that really has such a name wins."""
    name, rest = split_name(text)
    if "#" in rest and not Path(rest).exists():
        path, _, run = rest.rpartition("#")
        return Source(name, Path(path), run or None)
    return Source(name, Path(rest), None)


def named_files(texts: list[str], *, option: str = "--run") -> dict[str, Path]:
    """Read `--run NAME=FILE` options, or those of another name; each NAME once."""
    files: dict[str, Path] = {}
    for text in texts:
        name, path = split_name(text)
        key = name or file_stem(path)
        if key in files:
            apart = f"{option} one={files[key]} {option} other={path}"
            raise InputError(f"two {option[2:]}s are called {key!r}; tell them apart: {apart}.")
        files[key] = Path(path)
    return files
