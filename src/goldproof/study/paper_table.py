r"""A table for papers: systems x metrics, with what the tests support and no more, as LaTeX, Markdown or CSV.

    print(paper_table(study).latex())      needs \usepackage{booktabs}

A superscript names the systems that a system is better than, by the verdicts of the study (adjusted p, failures and
unjudged results considered). A mean is bold where it is the best of its column and its system is better than every
system that it was compared with. Metrics that are described and not tested have neither. Pairs that were not compared
support no claim: where there are any, the caption says which were.

The caption also has n, the tests and their correction, and counts of failed, undefined and missing questions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal

from goldproof.errors import UnknownNameError, counted, plural
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import NOTHING, number
from goldproof.report.tables import latex_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.study.comparison import Comparison
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary

_REASONS = {
    "failed": "failed questions",
    "unjudged": "unjudged results",
    "ids": "document ids that are not judged",
}


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One system on one metric. better_than: the systems that it beats. bold: the best mean, and nothing beats it."""

    mean: float | None
    better_than: tuple[str, ...] = ()
    bold: bool = False


@dataclass(frozen=True, slots=True)
class PaperTable:
    """Systems x metrics. caption: sentences. tested: the metrics with tests. lower: those where low is good."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    cells: Mapping[tuple[str, str], PaperCell]
    caption: tuple[str, ...]
    tested: frozenset[str] = frozenset()
    lower: frozenset[str] = frozenset()
    digits: int = 4

    def latex(self, *, label: str = "tab:results") -> str:
        """Return a table environment with booktabs rules."""
        names = [latex_text(metric) + (r" $\downarrow$" if metric in self.lower else "") for metric in self.metrics]
        rows = [
            [*((self._letter(system),) if self.tested else ()), _first(system, alone=not self.tested)]
            + [self._latex_cell(system, metric) for metric in self.metrics]
            for system in self.systems
        ]
        lines = [
            r"% Needs \usepackage{booktabs}.",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_text(' '.join(self.caption))}}}",
            rf"\label{{{label}}}",
            rf"\begin{{tabular}}{{{'l' * (len(names) + 1 + bool(self.tested))}}}",
            r"\toprule",
            " & ".join([*(("",) if self.tested else ()), "System", *names]) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """Return a pipe table, with the caption in notes below it."""
        heads = [Heading(metric + (" ↓" if metric in self.lower else ""), "left") for metric in self.metrics]
        letters = (Heading("", "left"),) if self.tested else ()
        rows = [
            (
                *((self._letter(system),) if self.tested else ()),
                system,
                *(self._markdown_cell(system, metric) for metric in self.metrics),
            )
            for system in self.systems
        ]
        table = Table((*letters, Heading("system", "left"), *heads), tuple(rows), notes=self.caption)
        return render(table, "markdown")

    def csv(self) -> str:
        """Return the means unrounded; beside each tested metric the systems that are beaten, and whether it is best."""
        heads = [Heading("system")]
        for metric in self.metrics:
            heads.append(Heading(metric))
            heads += [Heading(f"{metric} {what}") for what in ("better than", "best") if metric in self.tested]
        rows = [
            (system, *(text for metric in self.metrics for text in self._csv_cells(system, metric)))
            for system in self.systems
        ]
        return render(Table(tuple(heads), tuple(rows)), "csv")

    def _letter(self, system: str) -> str:
        """Return the letter of a system; a number where there are more systems than letters."""
        at = self.systems.index(system)
        return ascii_lowercase[at] if len(self.systems) <= len(ascii_lowercase) else str(at + 1)

    def _letters(self, cell: PaperCell) -> str:
        separator = "" if len(self.systems) <= len(ascii_lowercase) else ","
        return separator.join(map(self._letter, cell.better_than))

    def _latex_cell(self, system: str, metric: str) -> str:
        cell = self.cells[system, metric]
        mean = latex_text(number(cell.mean, digits=self.digits))
        mean = rf"\textbf{{{mean}}}" if cell.bold else mean
        return mean + (rf"\textsuperscript{{{self._letters(cell)}}}" if cell.better_than else "")

    def _markdown_cell(self, system: str, metric: str) -> str:
        cell = self.cells[system, metric]
        mean = number(cell.mean, digits=self.digits)
        mean = f"**{mean}**" if cell.bold else mean
        return mean + (f"<sup>{self._letters(cell)}</sup>" if cell.better_than else "")

    def _csv_cells(self, system: str, metric: str) -> tuple[str, ...]:
        cell = self.cells[system, metric]
        mean = "" if cell.mean is None else f"{cell.mean:.12g}"
        if metric not in self.tested:
            return (mean,)
        return mean, "; ".join(cell.better_than), "yes" if cell.bold else ""


def paper_table(study: Study, *, metrics: Sequence[str] | None = None, digits: int = 4) -> PaperTable:
    """Return the table of a study. metrics: which columns, in which order; all of the study unless given."""
    shown = study.shown if metrics is None else tuple(metrics)
    for metric in shown:
        if metric not in study.panel.metrics:
            raise UnknownNameError("metric", metric, study.panel.metrics)
    runs = study.panel.runs
    compared = [c for c in study.comparisons if c.metric in shown]
    beaten = _beaten(compared)
    cells = {}
    for metric in shown:
        means = {run: study.summary(run, metric).mean for run in runs}
        best = _best(means, choose=max if study.facts(metric).higher_is_better else min)
        for run in runs:
            won = beaten.get((metric, run), ())
            opponents = {
                c.pair.b if c.pair.a == run else c.pair.a for c in compared if c.metric == metric and run in c.pair
            }
            bold = run == best and bool(opponents) and opponents == set(won)
            cells[run, metric] = PaperCell(means[run], tuple(other for other in runs if other in won), bold)
    return PaperTable(
        runs,
        shown,
        cells,
        tuple(_caption(study, shown, compared)),
        tested=frozenset(c.metric for c in compared),
        lower=frozenset(metric for metric in shown if not study.facts(metric).higher_is_better),
        digits=digits,
    )


def _beaten(comparisons: Sequence[Comparison]) -> dict[tuple[str, str], list[str]]:
    """Return by (metric, run) the runs that it is better than."""
    beaten: dict[tuple[str, str], list[str]] = {}
    for c in comparisons:
        if c.verdict in ("better", "worse"):
            winner, loser = c.pair if c.verdict == "better" else reversed(c.pair)
            beaten.setdefault((c.metric, winner), []).append(loser)
    return beaten


def _best(means: Mapping[str, float | None], *, choose: Callable[..., float]) -> str | None:
    """Return the run with the best mean; None where none has a mean or several have the same."""
    known = [mean for mean in means.values() if mean is not None]
    best = [run for run, mean in means.items() if known and mean == choose(known)]
    return best[0] if len(best) == 1 else None


def _caption(study: Study, metrics: Sequence[str], compared: Sequence[Comparison]) -> Iterator[str]:
    summaries = [study.summary(run, metric) for metric in metrics for run in study.panel.runs]
    n = [summary.n for summary in summaries]
    units = plural(study.unit)
    low, high = min(n, default=0), max(n, default=0)
    yield f"Means over {counted(low, study.unit)}." if low == high else f"Means over {low:,} to {high:,} {units}."
    if compared:
        yield from _claims(study, compared)
        untested = [metric for metric in metrics if metric not in {c.metric for c in compared}]
        if untested:
            yield f"Not tested, means alone: {', '.join(untested)}."
    elif len(study.panel.runs) > 1:
        yield "Nothing was tested."
    yield from _left_out(summaries, units)


def _claims(study: Study, compared: Sequence[Comparison]) -> Iterator[str]:
    yield (
        "A superscript names the systems that a system is better than; bold marks the best mean where its system is "
        "better than every system it was compared with."
    )
    yield _tests(study, compared)
    pairs = {frozenset(c.pair) for c in compared}
    runs = study.panel.runs
    every = len(runs) * (len(runs) - 1) // 2
    shared = [run for run in runs if all(run in pair for pair in pairs)]
    if len(pairs) < every:
        yield (
            f"Systems were compared with {shared[0]} alone, not with each other."
            if shared and len(pairs) == len(runs) - 1
            else f"{len(pairs)} of {every} pairs were compared: {_pairs(compared)}."
        )
    reasons = Counter(c.reason for c in compared if c.reason)
    for reason, times in reasons.items():
        yield f"{counted(times, 'comparison has', 'comparisons have')} no verdict because of {_REASONS[reason]}."


def _tests(study: Study, compared: Sequence[Comparison]) -> str:
    made = [c for c in compared if c.outcome.test.p_value is not None]
    if not made:
        return "No pair could be tested."
    names = ", ".join(dict.fromkeys(c.outcome.test.test for c in made))
    clustered = ", whole clusters of questions at a time" if study.panel.clusters is not None else ""
    every, primary = study.family_size(), study.primary
    own = 0 if primary is None else study.family_size(primary)
    if own in (0, every):
        family = f"over {counted(every, 'test')}"
    else:
        family = f"over {counted(own, 'test')} of {primary}, for other metrics over all {every}"
    return f"Paired tests: {names}{clustered}; p < 0.05 after Holm's correction {family}."


def _pairs(compared: Sequence[Comparison]) -> str:
    return ", ".join(dict.fromkeys(f"{c.pair.a} and {c.pair.b}" for c in compared))


def _left_out(summaries: Sequence[RunSummary], units: str) -> Iterator[str]:
    """Yield what is not in the means, or counted 0 in them: by system, undefined ones by metric."""
    kinds: tuple[tuple[str, Literal["run", "metric"], Callable[[RunSummary], int]], ...] = (
        (f"Failed {units}, not in the means", "run", lambda s: s.n_failed),
        (f"Undefined {units}, not in the means", "metric", lambda s: s.n_undefined),
        (f"Missing {units}, counted 0", "run", lambda s: s.n_missing),
    )
    for title, by, count in kinds:
        most: dict[str, int] = {}
        for summary in summaries:
            name = summary.run if by == "run" else summary.metric
            most[name] = max(most.get(name, 0), count(summary))
        if shown := ", ".join(f"{n:,} ({name})" for name, n in most.items() if n):
            yield f"{title}: {shown}."
    if any(summary.mean is None for summary in summaries):
        yield f"{NOTHING}: nothing was scored."


def _first(name: str, *, alone: bool) -> str:
    r"""Return a name for a cell; at the beginning of a row a [ or * would belong to the \\ before it."""
    return ("{}" if alone and name[:1] in ("[", "*") else "") + latex_text(name)
