"""Agreement of votes over many rulings, within a model and between models.

    pairwise agreement of a ruling = pairs of its votes that are the same / pairs of its votes
    mean pairwise agreement        = the mean of that over the rulings that have a pair

Per model: over the samples of that model. Across models: over pairs of votes of different models; alpha takes the
models as raters, each with the majority (for grades the median) of its own samples. Votes are the same when their
grades are equal, and without grades when their labels are. Failed votes are left out. A ruling with fewer than two
votes that count is undefined and counted. alpha is Krippendorff's, nominal for labels and ordinal for grades; it is
undefined where nothing varies. Beside it are Fleiss' kappa, where all rulings have as many votes, and Gwet's AC1, which
stays high where nearly all votes are the same; both take grades as categories without order.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from goldproof.stats import fleiss_kappa, gwet_ac1, krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.judge.judge import Ruling, Vote
    from goldproof.stats import Effect

Rating = str | int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of the votes of many rulings.

    n: rulings with a pair of votes; undefined: those without. pairwise, unanimous: None where n is 0. alpha: with its
    own reason where it is undefined. fleiss, ac1: without intervals.
    """

    n: int
    undefined: int
    pairwise: float | None
    unanimous: float | None
    alpha: Effect
    fleiss: Effect
    ac1: Effect


@dataclass(frozen=True, slots=True)
class Consistency:
    """Agreement of votes, by who cast them.

    models: each model with itself. across: models with each other. overall: all votes. failed: how many votes failed.
    """

    models: Mapping[str, Agreement]
    across: Agreement
    overall: Agreement
    failed: int
    votes: int


def self_consistency(rulings: Iterable[Ruling]) -> Consistency:
    """Measure the agreement of the votes of many rulings; rulings without votes are undefined."""
    listed = list(rulings)
    by_ruling = [[vote for vote in ruling.votes if vote.label != "failed"] for ruling in listed]
    every = sum(len(ruling.votes) for ruling in listed)
    names = sorted({model_of(vote) for votes in by_ruling for vote in votes})
    own = {name: [[vote for vote in votes if model_of(vote) == name] for votes in by_ruling] for name in names}
    return Consistency(
        {name: _agreement(own[name], raters=_by_position(own[name])) for name in names},
        _agreement(by_ruling, raters=[[_middle(votes) for votes in own[name]] for name in names], pairs=_different),
        _agreement(by_ruling, raters=_by_position(by_ruling)),
        every - sum(map(len, by_ruling)),
        every,
    )


def model_of(vote: Vote) -> str:
    """Return the model of a vote, without the number of the sample."""
    name, mark, sample = vote.by.rpartition("#")
    return name if mark and sample.isdigit() else vote.by


def _any(first: Vote, second: Vote) -> bool:  # noqa: ARG001 - every pair counts
    return True


def _different(first: Vote, second: Vote) -> bool:
    return model_of(first) != model_of(second)


def _agreement(
    by_ruling: Sequence[Sequence[Vote]],
    *,
    raters: Sequence[Sequence[Rating | None]],
    pairs: Callable[[Vote, Vote], bool] = _any,
) -> Agreement:
    shares = []
    for votes in by_ruling:
        same = [_rating(a) == _rating(b) for a, b in combinations(votes, 2) if pairs(a, b)]
        if same:
            shares.append(sum(same) / len(same))
    n = len(shares)
    graded = any(isinstance(rating, int) for row in raters for rating in row)
    ratings = _comparable(raters, graded=graded)
    alpha = krippendorff_alpha(ratings, level="ordinal" if graded else "nominal")
    pairwise = sum(shares) / n if n else None
    unanimous = sum(share == 1 for share in shares) / n if n else None
    fleiss, ac1 = fleiss_kappa(ratings, resamples=0), gwet_ac1(ratings, resamples=0)
    return Agreement(n, len(by_ruling) - n, pairwise, unanimous, alpha, fleiss, ac1)


def _comparable(raters: Sequence[Sequence[Rating | None]], *, graded: bool) -> list[list[Rating | None]]:
    """Leave labels out where there are grades: an unsupported grade has no place on the scale."""
    return [[rating if not graded or isinstance(rating, int) else None for rating in row] for row in raters]


def _by_position(by_ruling: Sequence[Sequence[Vote]]) -> list[list[Rating | None]]:
    """Return a row of ratings for the first votes, one for the second, and so on."""
    width = max((len(votes) for votes in by_ruling), default=0)
    return [[_rating(votes[at]) if at < len(votes) else None for votes in by_ruling] for at in range(width)]


def _rating(vote: Vote) -> Rating:
    return vote.label if vote.grade is None else vote.grade


def _middle(votes: Sequence[Vote]) -> Rating | None:
    """Return one model's rating: the median of its grades, else its majority label; None where there is none."""
    grades = sorted(vote.grade for vote in votes if vote.grade is not None)
    if grades:
        return grades[(len(grades) - 1) // 2]
    counts: defaultdict[str, int] = defaultdict(int)
    for vote in votes:
        counts[vote.label] += 1
    return next((label for label, count in sorted(counts.items()) if 2 * count > len(votes)), None)
