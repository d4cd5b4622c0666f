"""Calibration as tables, and the notes a reader must know first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING, bracket, count, number, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.jobs.calibrate.agreement import Aligned, Figure
    from goldproof.jobs.calibrate.label_file import LabelScale
    from goldproof.jobs.calibrate.labels import HumanLabels, JudgeLabels
    from goldproof.jobs.calibrate.result import CalibrationResult
    from goldproof.records.arrays import IntArray

NOT_KNOWN = (
    "whether the pairs with human labels are a random sample cannot be seen from them; all figures speak of pairs "
    "chosen the same way, and the corrected shares are right only for a random sample of all judged pairs."
)
SMALL = 50
FEW = 10


def notes(pairs: Aligned, human: HumanLabels, judge: JudgeLabels) -> tuple[str, ...]:
    """Say what was left out, what was guessed, and what the figures rest on."""
    return (
        NOT_KNOWN,
        *_left_out(pairs, human, judge),
        *_guessed(human.scale, whose="human labels", option="--human-scale"),
        *([] if judge.scale is None else _guessed(judge.scale, whose="grades of the judge", option="--judge-scale")),
        *_size(pairs),
        *_cuts(pairs, judge),
        *_people(human),
    )


def reasons(counts: Mapping[str, int]) -> str:
    """Write counts by reason."""
    return ", ".join(f"{why} {n:,}" for why, n in counts.items())


def figure_notes(figures: Iterable[Figure]) -> tuple[str, ...]:
    """Collect what the figures themselves say, each sentence with the names of those that say it."""
    said: dict[str, list[str]] = {}
    for figure in figures:
        if figure.note:
            said.setdefault(figure.note, []).append(figure.name)
    return tuple(f"{', '.join(names)}: {note}" for note, names in said.items())


def _left_out(pairs: Aligned, human: HumanLabels, judge: JudgeLabels) -> list[str]:
    lines = []
    if pairs.unruled:
        lost = sum(pairs.unruled.values())
        lines.append(
            f"{_counted(lost, 'labelled pair')} without a ruling that counts ({reasons(pairs.unruled)}): left out."
        )
    if pairs.human_only:
        why = f" ({reasons(pairs.unseen)})" if pairs.unseen else ""
        lines.append(f"{_counted(pairs.human_only, 'labelled pair')} that the judge never saw{why}: left out.")
    if pairs.human_without:
        lost = sum(pairs.human_without.values())
        lines.append(f"{_counted(lost, 'pair')} that people left without a label ({reasons(pairs.human_without)}).")
    if pairs.rest_unruled:
        lost = sum(pairs.rest_unruled.values())
        lines.append(
            f"{_counted(lost, 'further pair')} without a ruling that counts ({reasons(pairs.rest_unruled)}): the "
            "shares speak of the pairs that were ruled on."
        )
    if judge.sets:
        lines.append(f"{_counted(judge.sets, 'ruling')} on several documents together or on none: passed over.")
    if judge.repeated:
        lines.append(f"{_counted(judge.repeated, 'ruling')} replaced by a later one on the same pair.")
    if human.revised:
        lines.append(f"{_counted(human.revised, 'human label')} replaced by a later one of the same annotator.")
    if human.negative:
        lines.append(f"{_counted(human.negative, 'human label')} below 0 taken as 0.")
    return lines


def _guessed(scale: LabelScale, *, whose: str, option: str) -> list[str]:
    if not scale.guessed or scale.most == 1:
        return []
    taken = f"{whose} are taken to be on the scale {scale.name}, relevant from {scale.yes_from}"
    return [f"{taken}, going by the highest one; say otherwise with {option}."]


def _size(pairs: Aligned) -> list[str]:
    ones = int(pairs.relevant.sum())
    rarer, kind = min((ones, "relevant"), (pairs.n - ones, "not relevant"))
    lines = []
    if pairs.n < SMALL:
        lines.append(f"only {_counted(pairs.n, 'pair')} with both labels: intervals are wide, and plans rough.")
    if pairs.n and not rarer:
        lines.append(f"people call no pair {kind}: kappa, cut-off and probabilities need both kinds.")
    elif rarer < FEW:
        lines.append(f"only {_counted(rarer, 'pair')} that people call {kind}: what concerns them is rough.")
    return lines


def _cuts(pairs: Aligned, judge: JudgeLabels) -> list[str]:
    if judge.kind != "scores" or judge.verdicts or not pairs.n:
        return []
    return ["the judge gives scores without a cut-off: verdicts are those of cut-offs chosen on other pairs."]


def _people(human: HumanLabels) -> list[str]:
    several = human.annotators
    if several is None:
        return []
    alpha = "undefined" if several.alpha.value is None else number(several.alpha.value)
    pairs = f"{_counted(several.pairs, 'pair')} with several annotators (up to {several.most})"
    equal = f"labels equal in {share(several.exact)} of comparisons, Krippendorff's alpha {alpha}"
    return [f"{pairs}: the median label counts; {equal}."]


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


_FIGURES = (Heading("", "left"), Heading("value"), Heading("95% interval"), Heading("n"))


def calibration_tables(result: CalibrationResult) -> tuple[Table, ...]:
    """Return all tables of a calibration, those with nothing to say left out."""
    tables = (
        _pairs(result),
        _agreement(result),
        _confusion("People (rows) and the judge (columns)", result.agreement.verdicts, ("not relevant", "relevant")),
        *_grades(result),
        _cutting(result),
        _probabilities(result),
        _map(result),
        _shares(result),
        _needs(result),
    )
    return tuple(table for table in tables if table.rows)


def figures_table(figures: Iterable[Figure]) -> Table:
    """Return figures one below the other, for a machine: unrounded, and with the reasons in a column."""
    headings = (Heading("figure", "left"), *map(Heading, ("value", "low", "high", "n")), Heading("note", "left"))
    rows = [
        (one.name, *("" if x is None else f"{x:.12g}" for x in (one.value, one.low, one.high)), str(one.n), one.note)
        for one in figures
    ]
    return Table(headings, tuple(rows))


def _pairs(result: CalibrationResult) -> Table:
    pairs = result.pairs
    rows = {
        "both labels": pairs.n,
        "a human label, and no ruling that counts": sum(pairs.unruled.values()),
        "a human label, never judged": pairs.human_only,
        "the judge's label alone": len(pairs.rest),
        "looked at by people without a label": sum(pairs.human_without.values()),
    }
    cells = tuple((name, count(n)) for name, n in rows.items() if n or name == "both labels")
    return Table((Heading("with", "left"), Heading("pairs")), cells, title=f"Pairs, over {_questions(result)}")


def _questions(result: CalibrationResult) -> str:
    n = len(set(result.pairs.questions))
    return f"{n:,} question{'' if n == 1 else 's'}"


def _figures(figures: Iterable[Figure], *, title: str, notes: Sequence[str] = ()) -> Table:
    shown = list(figures)
    rows = [(one.name, number(one.value), bracket(one.low, one.high), count(one.n)) for one in shown]
    return Table(_FIGURES, tuple(rows), title=title, notes=(*notes, *figure_notes(shown)))


def _agreement(result: CalibrationResult) -> Table:
    found = result.agreement
    graded = [] if found.graded is None else [found.graded.same, found.graded.kappa]
    people = result.people()
    notes = []
    if found.bounds is not None:
        low, high = number(found.bounds.all_wrong), number(found.bounds.all_right)
        notes.append(f"accuracy if all rulings that do not count were wrong: {low}; if all were right: {high}.")
    figures = [found.accuracy, found.kappa, found.sensitivity, found.specificity, *graded]
    return _figures(
        [*figures, *([] if people is None else [people])],
        title=f"Agreement with people: {result.judge.key}",
        notes=notes,
    )


def _confusion(title: str, table: IntArray, names: Sequence[str]) -> Table:
    rows = [(name, *map(count, row)) for name, row in zip(names, table.tolist(), strict=True)] if table.sum() else []
    return Table((Heading("", "left"), *map(Heading, names)), tuple(rows), title=title)


def _grades(result: CalibrationResult) -> list[Table]:
    if result.agreement.graded is None:
        return []
    table = result.agreement.graded.table
    return [_confusion("Grades: people (rows) and the judge (columns)", table, [str(i) for i in range(len(table))])]


def _cutting(result: CalibrationResult) -> Table:
    found = result.cutting
    headings = ("relevant from", f"{found.criterion}, same pairs", "cross-fitted", "own verdicts")
    cells = (found.at, found.in_sample, found.cross_fitted, found.own)
    notes = [found.note] if found.note else []
    if found.cuts:
        spread = f"from {min(found.cuts):g} to {max(found.cuts):g}"
        notes.append(
            f"the folds choose {found.cuts[0]:g}." if len(set(found.cuts)) == 1 else f"the folds choose {spread}."
        )
    row = (NOTHING if found.at is None else f"{found.at:g}", *(number(cell) for cell in cells[1:]))
    rows = () if result.judge.kind == "yes-no" else (row,)
    return Table(tuple(map(Heading, headings)), rows, title="Cut-off", notes=tuple(notes))


def _probabilities(result: CalibrationResult) -> Table:
    found = result.probabilities
    ways = {"as it stands": found.before, "calibrated": found.after, "always the same": found.constant}
    rows = [
        (name, number(None if one is None else one.brier), number(None if one is None else one.log_loss))
        for name, one in ways.items()
    ]
    kept = tuple(rows) if found.after is not None else ()
    headings = (Heading("probability", "left"), Heading("Brier"), Heading("log loss"))
    return Table(headings, kept, title="Probabilities, cross-fitted", notes=(found.note,) if found.note else ())


def _map(result: CalibrationResult) -> Table:
    fitted = result.probabilities.fitted
    rows = [] if fitted is None else fitted.to_dict()
    cells = [
        (f"{row['from']:g}", f"{row['to']:g}", number(row["probability"]), count(int(row["labels"]))) for row in rows
    ]
    names = ("from", "to", "probability", "pairs")
    return Table(tuple(map(Heading, names)), tuple(cells), title="What the judge's word means (isotonic)")


def _shares(result: CalibrationResult) -> Table:
    found = result.shares
    return _figures(
        [found.judge, found.human, found.prediction_powered, found.rogan_gladen],
        title=f"Share of relevant pairs among the {found.total:,} that the judge ruled on",
    )


def _needs(result: CalibrationResult) -> Table:
    rows = [
        (need.name, count(need.have), *(NOTHING if n is None else count(n) for n in (need.total, need.more)))
        for need in result.needs
    ]
    notes = [f"{need.name}: {need.note}" for need in result.needs if need.note]
    notes.append("planned from the shares and variances seen so far: rough while labels are few.")
    headings = (Heading("for", "left"), Heading("labelled"), Heading("needed"), Heading("more"))
    return Table(headings, tuple(rows), title=f"Labels needed for +-{result.width:g}", notes=tuple(notes))
