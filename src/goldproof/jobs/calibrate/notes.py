"""What a reader must know before he believes the figures, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.report.numbers import number, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.calibrate.aligned import Aligned
    from goldproof.jobs.calibrate.figure import Figure
    from goldproof.jobs.calibrate.human import HumanLabels
    from goldproof.jobs.calibrate.judged import JudgeLabels
    from goldproof.jobs.calibrate.scale import LabelScale

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
