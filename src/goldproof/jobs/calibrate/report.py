"""Conclusion and tables of a calibration, those of the first screen and all of them, and the notes to read first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import counted
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
    "All figures hold for pairs chosen as the labelled ones were. Whether those are a random sample cannot be seen; "
    "the corrected shares need one."
)
SMALL = 50
PARADOX = 0.2
FEW = 10
_FIGURES = (Heading("", "left"), Heading("value"), Heading("95% interval"), Heading("n"))


def conclusion_of(result: CalibrationResult) -> str:
    """Say in a sentence how far the judge agrees with people, and how far they agree among themselves."""
    agreement, people = result.agreement, result.people()
    accuracy, kappa = agreement.accuracy, agreement.kappa
    if accuracy.value is None:
        reason = f": {accuracy.note[0].lower()}{accuracy.note[1:]}" if accuracy.note else "."
        return f"The judge cannot be compared with people{reason}"
    parts = [f"The judge agrees with people on {accuracy.value:.0%} of {counted(accuracy.n, 'labelled pair')}"]
    if kappa.value is None:
        parts.append(" (kappa is undefined)")
    else:
        ends = "" if kappa.low is None or kappa.high is None else f", {kappa.low:.2f} to {kappa.high:.2f}"
        parts.append(f" (kappa {kappa.value:.2f}{ends})")
    if result.judge.kind == "scores" and not result.judge.verdicts:
        parts.append(" by a cut-off chosen on other pairs")
    if people is not None and people.value is not None:
        parts.append(f"; people agree among themselves with an alpha of {people.value:.2f}")
    return f"{''.join(parts)}."


def first_tables(result: CalibrationResult) -> tuple[Table, ...]:
    """Return the tables of the first screen: agreement, its confusion, and the cut-off of a judge that scores."""
    tables = (_agreement(result), _verdicts(result), _cut_off(result))
    return tuple(table for table in tables if table.rows)


def calibration_tables(result: CalibrationResult) -> tuple[Table, ...]:
    """Return all tables of a calibration, empty ones left out."""
    tables = (
        _agreement(result),
        _verdicts(result),
        *_grades(result),
        _cut_off(result),
        _pairs(result),
        _probabilities(result),
        _map(result),
        _shares(result),
        _needs(result),
    )
    return tuple(table for table in tables if table.rows)


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
    questions = counted(len(set(pairs.questions)), "question")
    return Table((Heading("with", "left"), Heading("pairs")), cells, title=f"Pairs, over {questions}")


def _agreement(result: CalibrationResult) -> Table:
    agreement = result.agreement
    graded = [] if agreement.graded is None else [agreement.graded.same, agreement.graded.kappa]
    people = result.people()
    notes = []
    if agreement.bounds is not None:
        low, high = number(agreement.bounds.all_wrong), number(agreement.bounds.all_right)
        notes.append(f"accuracy if all rulings that do not count were wrong: {low}; if all were right: {high}.")
    notes += _paradox(result)
    figures = [agreement.accuracy, agreement.kappa, agreement.sensitivity, agreement.specificity, *graded]
    return _figures(
        [*figures, *([] if people is None else [people])],
        title=f"Agreement with people: {result.judge.key}",
        notes=notes,
    )


def _paradox(result: CalibrationResult) -> list[str]:
    """Note AC1 where it says something else than kappa: nearly all pairs are of one kind."""
    kappa, ac1, table = result.agreement.kappa.value, result.agreement.ac1, result.agreement.verdicts
    if ac1.value is None or (kappa is not None and ac1.value - kappa < PARADOX):
        return []
    yes = float(table[1].sum() + table[:, 1].sum()) / (2 * float(table.sum()))
    most, kind = max((yes, "relevant"), (1 - yes, "not relevant"))
    low = "undefined" if kappa is None else number(kappa)
    ends = "" if ac1.low is None else f" {bracket(ac1.low, ac1.high)}"
    why = f"{share(most)} of the labels are {kind}, so kappa is low or undefined however often both agree"
    return [f"Gwet's AC1 is {number(ac1.value)}{ends}, kappa {low}: {why}."]


def _verdicts(result: CalibrationResult) -> Table:
    title = "Pairs by what people (rows) and the judge (columns) say"
    return _confusion(title, result.agreement.verdicts, ("not relevant", "relevant"))


def _confusion(title: str, table: IntArray, names: Sequence[str]) -> Table:
    rows = [(name, *map(count, row)) for name, row in zip(names, table.tolist(), strict=True)] if table.sum() else []
    return Table((Heading("", "left"), *map(Heading, names)), tuple(rows), title=title)


def _grades(result: CalibrationResult) -> list[Table]:
    if result.agreement.graded is None:
        return []
    table = result.agreement.graded.table
    return [_confusion("Grades: people (rows) and the judge (columns)", table, [str(i) for i in range(len(table))])]


def _cut_off(result: CalibrationResult) -> Table:
    cut_off = result.cutting
    headings = ("relevant from", f"{cut_off.criterion}, same pairs", "cross-fitted", "own verdicts")
    values = (cut_off.in_sample, cut_off.cross_fitted, cut_off.own)
    notes = [cut_off.note] if cut_off.note else []
    if cut_off.cuts:
        low, high = min(cut_off.cuts), max(cut_off.cuts)
        notes.append(f"the folds choose {low:g}." if low == high else f"the folds choose from {low:g} to {high:g}.")
    row = (NOTHING if cut_off.at is None else f"{cut_off.at:g}", *map(number, values))
    rows = () if result.judge.kind == "yes-no" else (row,)
    return Table(tuple(map(Heading, headings)), rows, title="Cut-off", notes=tuple(notes))


def _probabilities(result: CalibrationResult) -> Table:
    fitted = result.probabilities
    ways = {"as it stands": fitted.before, "calibrated": fitted.after, "always the same": fitted.constant}
    rows = [
        (name, number(None if losses is None else losses.brier), number(None if losses is None else losses.log_loss))
        for name, losses in ways.items()
    ]
    kept = tuple(rows) if fitted.after is not None else ()
    headings = (Heading("probability", "left"), Heading("Brier"), Heading("log loss"))
    return Table(headings, kept, title="Probabilities, cross-fitted", notes=(fitted.note,) if fitted.note else ())


def _map(result: CalibrationResult) -> Table:
    fitted = result.probabilities.fitted
    rows = [] if fitted is None else fitted.to_dict()
    cells = [
        (f"{row['from']:g}", f"{row['to']:g}", number(row["probability"]), count(int(row["labels"]))) for row in rows
    ]
    names = ("from", "to", "probability", "pairs")
    return Table(tuple(map(Heading, names)), tuple(cells), title="What the judge's word means (isotonic)")


def _shares(result: CalibrationResult) -> Table:
    shares = result.shares
    return _figures(
        [shares.judge, shares.human, shares.prediction_powered, shares.rogan_gladen],
        title=f"Share of relevant pairs among the {shares.total:,} that the judge ruled on",
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


def _figures(figures: Iterable[Figure], *, title: str, notes: Sequence[str] = ()) -> Table:
    shown = list(figures)
    rows = [(f.name, number(f.value), bracket(f.low, f.high), count(f.n)) for f in shown]
    return Table(_FIGURES, tuple(rows), title=title, notes=(*notes, *figure_notes(shown)))


def figure_notes(figures: Iterable[Figure]) -> tuple[str, ...]:
    """Return the notes of the figures, each once, with the names of its figures."""
    names_by_note: dict[str, list[str]] = {}
    for figure in figures:
        if figure.note:
            names_by_note.setdefault(figure.note, []).append(figure.name)
    return tuple(f"{', '.join(names)}: {note}" for note, names in names_by_note.items())


def figures_table(figures: Iterable[Figure]) -> Table:
    """Return the figures one below the other, unrounded, with notes in a column: for machines."""
    headings = (Heading("figure", "left"), *map(Heading, ("value", "low", "high", "n")), Heading("note", "left"))
    rows = [
        (f.name, *("" if x is None else f"{x:.12g}" for x in (f.value, f.low, f.high)), str(f.n), f.note)
        for f in figures
    ]
    return Table(headings, tuple(rows))


def notes(pairs: Aligned, human: HumanLabels, judge: JudgeLabels) -> tuple[str, ...]:
    """Return what was left out, which scales were guessed, and what the figures rest on."""
    return (
        NOT_KNOWN,
        *_left_out(pairs, human, judge),
        *_guessed(human.scale, whose="human labels", option="--human-scale"),
        *([] if judge.scale is None else _guessed(judge.scale, whose="grades of the judge", option="--judge-scale")),
        *_size(pairs),
        *_cuts(pairs, judge),
        *_people(human),
    )


def _left_out(pairs: Aligned, human: HumanLabels, judge: JudgeLabels) -> list[str]:
    lines = []
    if pairs.unruled:
        lost = sum(pairs.unruled.values())
        lines.append(
            f"{counted(lost, 'labelled pair')} without a ruling that counts ({reasons(pairs.unruled)}): left out."
        )
    if pairs.human_only:
        why = f" ({reasons(pairs.unseen)})" if pairs.unseen else ""
        lines.append(f"{counted(pairs.human_only, 'labelled pair')} that the judge never saw{why}: left out.")
    if pairs.human_without:
        lost = sum(pairs.human_without.values())
        lines.append(f"{counted(lost, 'pair')} that people left without a label ({reasons(pairs.human_without)}).")
    if pairs.rest_unruled:
        lost = sum(pairs.rest_unruled.values())
        lines.append(
            f"{counted(lost, 'further pair')} without a ruling that counts ({reasons(pairs.rest_unruled)}): the "
            "shares speak of the pairs that were ruled on."
        )
    if judge.sets:
        lines.append(f"{counted(judge.sets, 'ruling')} on several documents together or on none: passed over.")
    if judge.repeated:
        lines.append(f"{counted(judge.repeated, 'ruling')} replaced by a later one on the same pair.")
    if human.revised:
        lines.append(f"{counted(human.revised, 'human label')} replaced by a later one of the same annotator.")
    if human.negative:
        lines.append(f"{counted(human.negative, 'human label')} below 0 taken as 0.")
    return lines


def reasons(counts: Mapping[str, int]) -> str:
    """Write counts by reason."""
    return ", ".join(f"{why} {n:,}" for why, n in counts.items())


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
        lines.append(f"only {counted(pairs.n, 'pair')} with both labels: intervals are wide, and plans rough.")
    if pairs.n and not rarer:
        lines.append(f"people call no pair {kind}: kappa, cut-off and probabilities need both kinds.")
    elif rarer < FEW:
        lines.append(f"only {counted(rarer, 'pair')} that people call {kind}: what concerns them is rough.")
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
    pairs = f"{counted(several.pairs, 'pair')} with several annotators (up to {several.most})"
    equal = f"labels equal in {share(several.exact)} of comparisons, Krippendorff's alpha {alpha}"
    fleiss, ac1 = several.fleiss.value, several.ac1.value
    if human.scale.most == 1:  # of grades, both would count a miss by one as any other
        equal += "" if fleiss is None else f", Fleiss' kappa {number(fleiss)}"
        equal += "" if ac1 is None else f", Gwet's AC1 {number(ac1)}"
    return [f"{pairs}: the median label counts; {equal}."]
