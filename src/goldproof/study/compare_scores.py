"""`goldproof compare`: scores from anywhere in, a result out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.core.errors import InputError
from goldproof.core.keys import content_key
from goldproof.core.names import file_stem
from goldproof.core.tables import ScoreTable
from goldproof.io import read_scores, sha256_file
from goldproof.metrics import METRICS, parse_metric
from goldproof.study.align import align
from goldproof.study.comparison import Procedure
from goldproof.study.design import Design
from goldproof.study.notes import listed
from goldproof.study.pairs import Pair, choose_pairs
from goldproof.study.result import Provenance, Result
from goldproof.study.sources import Source, parse_source
from goldproof.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class RunScores(NamedTuple):
    """The scores of one run, by the names it may go by (best first), and the file they came from."""

    names: tuple[str, ...]
    table: ScoreTable
    path: Path | None


def compare(
    *sources: str | Path | ScoreTable,
    runs: Mapping[str, str | Path | ScoreTable] | None = None,
    baseline: str | None = None,
    pairs: str | None = None,
    primary: str | None = None,
    margin: float | None = None,
    test: str = "auto",
    lower_is_better: Iterable[str] = (),
    intersect: bool = False,
    seed: int = 0,
) -> Result:
    """Compare scores of two or more runs: `goldproof.compare("new.csv", "old.csv")` is new minus old.

    sources: files (id, metric, value, optional cluster, run, status, reason) as FILE, FILE#RUN or NAME=FILE; a file or
    table with several runs stands for all of them. runs: files or tables of one run each, by name.
    Without a baseline or pairs, each run is compared with the last. intersect: leave out, and report, questions that
    not every run has; otherwise they are refused. lower_is_better: metrics of your own where less is better.
    """
    found = [scores for source in sources for scores in _runs_of(source)]
    found += [_run_named(name, given) for name, given in (runs or {}).items()]
    if len(found) < 2:
        raise InputError(f"{len(found)} run to compare; expected two or more: goldproof compare A B.")
    tables = _named(found)
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
        inputs=lambda: {name: _content(scores) for name, scores in zip(tables, found, strict=True)},
        settings={"intersect": intersect, **design.to_dict()},
        seed=seed,
    )
    study = Study(aligned.panel, design=design)
    return Result(study, provenance=provenance, remarks=(*aligned.remarks, *_unchecked_remarks(study)))


def _unchecked_remarks(study: Study) -> list[str]:
    """Say that a verdict on a rank metric may rest on unjudged results: scores alone do not show them."""
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


def _runs_of(given: str | Path | ScoreTable) -> list[RunScores]:
    if isinstance(given, ScoreTable):
        return [RunScores((run,), table, None) for run, table in _by_run(given).items()]
    if not isinstance(given, str | Path):
        raise InputError(f"scores: found {type(given).__name__}; expected a file or a ScoreTable.")
    source = parse_source(given) if isinstance(given, str) else Source(None, given, None)
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


def _run_named(name: str, given: str | Path | ScoreTable) -> RunScores:
    found = _runs_of(given)
    if len(found) != 1:
        raise InputError(f"runs: {name!r} holds {len(found)} runs; give one, such as FILE#RUN.")
    return RunScores((name,), found[0].table, found[0].path)


def _by_run(table: ScoreTable) -> dict[str, ScoreTable]:
    parts = table.frame.partition_by("run", maintain_order=True, as_dict=True)
    return {str(run): ScoreTable(frame) for (run,), frame in parts.items()}


def _named(found: Sequence[RunScores]) -> dict[str, ScoreTable]:
    """Give every run its best name, or all of them their next best until no two are the same."""
    for choice in range(max(len(scores.names) for scores in found)):
        names = [scores.names[min(choice, len(scores.names) - 1)] for scores in found]
        if len(set(names)) == len(names):
            return {name: scores.table for name, scores in zip(names, found, strict=True)}
    shown = ", ".join(scores.names[0] for scores in found)
    raise InputError(f"the same scores are named twice ({shown}); tell them apart with NAME=FILE.")


def _content(scores: RunScores) -> str:
    if scores.path is not None:
        return sha256_file(scores.path)
    return content_key([list(row) for row in scores.table.frame.iter_rows()])
