"""A result by a field of the questions (`--by`): means and differences of each group, described and not tested."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.errors import InputError, UnknownNameError, counted, plural
from goldproof.io import read_clusters
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.study.panel import Panel
    from goldproof.study.study import Study

NO_VALUE = "(none)"
MOST_GROUPS = 20


class Breakdown(NamedTuple):
    """A field of the questions, and the value of each question that has one."""

    field: str
    values: Mapping[str, str]


def choose_breakdown(by: object, *, fields: Mapping[str, Callable[[], Mapping[str, str]]]) -> Breakdown | None:
    """Return the groups that `--by` names: a field of the questions, or FILE#COLUMN of a table with a column `id`.

    fields: the questions' fields by name. In Python, {question: group} as well.
    """
    if by is None:
        return None
    if not isinstance(by, str | Path):
        if not hasattr(by, "items"):
            raise InputError(f"by is {type(by).__name__}; expected a field's name, FILE#COLUMN or {{question: group}}.")
        return Breakdown("group", {str(q): str(group) for q, group in by.items() if group is not None})
    name = str(by)
    if name in fields:
        return Breakdown(name, fields[name]())
    path, _, column = name.rpartition("#")
    if path:
        return Breakdown(column, read_clusters(Path(path), column=column))
    hint = "--by names a field of the questions, or a column of a table with their ids: FILE#COLUMN."
    raise UnknownNameError("field", name, tuple(fields), hint=hint)


def cluster_field(panel: Panel) -> dict[str, Callable[[], Mapping[str, str]]]:
    """Return the clusters of a panel as a field; none where it has none."""
    names = panel.cluster_names
    if names is None:
        return {}
    named = {str(i): str(name) for i, name in zip(panel.ids, names, strict=True) if name is not None}
    return {"cluster": lambda: named}


def breakdown_table(study: Study, breakdown: Breakdown, *, metrics: Sequence[str]) -> Table:
    """Return a row per metric and group: its questions, the mean of each run, the difference of each pair."""
    groups = _groups(study, breakdown)
    rows, left = [], max(0, len(groups) - MOST_GROUPS)
    for metric in metrics:
        for i, (group, members) in enumerate(groups[:MOST_GROUPS]):
            rows.append((metric if i == 0 else "", group, *_cells(study.only(members), metric)))
    pairs = [f"{pair.a} − {pair.b}" for pair in study.design.pairs]
    names = [*study.panel.runs, *(name for pair in pairs for name in (pair, "95% interval"))]
    headings = (Heading("metric", "left"), Heading(breakdown.field, "left"), Heading("n"), *map(Heading, names))
    notes = [f"By {breakdown.field}: described, not tested; with many groups some differ by chance."]
    if left:
        notes.append(f"By {breakdown.field}: {counted(left, 'smaller group')} not shown; --json has all.")
    return Table(headings, tuple(rows), title=f"By {breakdown.field}", notes=tuple(notes))


def breakdown_dict(study: Study, breakdown: Breakdown, *, metrics: Sequence[str]) -> dict[str, object]:
    """Return every group with its summaries and differences, for JSON."""
    return {
        "field": breakdown.field,
        "groups": {
            group: {
                metric: {
                    "runs": {run: part.summary(run, metric).to_dict() for run in part.panel.runs},
                    "comparisons": {str(p): part.describe(metric, p).to_dict() for p in part.design.pairs},
                }
                for metric in metrics
            }
            for group, members in _groups(study, breakdown)
            for part in [study.only(members)]
        },
    }


def _groups(study: Study, breakdown: Breakdown) -> list[tuple[str, BoolArray]]:
    """Return the groups with their questions, the largest first; questions without a value are the last."""
    values = np.array([breakdown.values.get(str(i), NO_VALUE) for i in study.panel.ids], dtype=object)
    if len(values) and (values == NO_VALUE).all():
        raise InputError(f"--by {breakdown.field}: none of the {plural(study.unit)} has a value; are the ids the same?")
    members = {str(value): np.asarray(values == value) for value in dict.fromkeys(values)}
    return sorted(members.items(), key=lambda group: (group[0] == NO_VALUE, -int(group[1].sum()), group[0]))


def _cells(part: Study, metric: str) -> list[str]:
    summaries = [part.summary(run, metric) for run in part.panel.runs]
    cells = [count(max((summary.n for summary in summaries), default=0)), *(number(s.mean) for s in summaries)]
    for pair in part.design.pairs:
        described = part.describe(metric, pair)
        interval = bracket(described.interval.low, described.interval.high, sign=True)
        cells += [signed(described.difference), interval]
    return cells
