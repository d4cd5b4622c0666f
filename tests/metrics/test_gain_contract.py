"""What every metric of search traces must hold; rankings have theirs in test_contract."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.metrics import METRICS, parse_metric
from goldproof.metrics.gain.iterations import Iterations
from goldproof.metrics.gain.iterations_for_all_good_results import CAP
from goldproof.metrics.scoring import explain_completion, explain_iterations

if TYPE_CHECKING:
    from collections.abc import Callable

TRACE = [family for family in METRICS if METRICS.get(family).subject == "trace"]
COMPLETION = [family for family in TRACE if METRICS.get(family).kind == "completion"]
PER_ITERATION = [family for family in TRACE if family not in COMPLETION]
every_metric = pytest.mark.parametrize("family", PER_ITERATION)
few = settings(max_examples=20, deadline=None)
every_completion = pytest.mark.parametrize("family", COMPLETION)


@dataclass(frozen=True, slots=True)
class Row:
    """One iteration: |R|, |UR|, |GR| and G."""

    results: int
    unique: int
    good: int
    gain: int


Conversation = list[Row]
EMPTY = Row(0, 0, 0, 0)
# For each family the formula of the definition, in plain Python; `rows` are the iterations 1 to i.
PLAIN: dict[str, Callable[[Conversation], float]] = {
    "AvgGain": lambda rows: share(rows[-1].gain, rows[-1].results),
    "CG": lambda rows: sum(row.gain for row in rows),
    "DCG": lambda rows: sum(weight(i) * row.gain for i, row in enumerate(rows, 1)),
    "DRAG": lambda rows: sum(weight(i) * share(r.gain, r.results) for i, r in enumerate(rows, 1)) / len(rows),
    "DRG": lambda rows: sum(weight(i) * row.gain for i, row in enumerate(rows, 1)) / len(rows),
    "RAG": lambda rows: sum(share(row.gain, row.results) for row in rows) / len(rows),
    "RG": lambda rows: sum(row.gain for row in rows) / len(rows),
    "SRE": lambda rows: share(sum(row.good for row in rows), sum(row.results for row in rows)),
    "SRR": lambda rows: share(sum(row.results - row.unique for row in rows), sum(row.results for row in rows)),
}


def weight(i: int) -> float:
    return 1 / math.log2(i + 1)


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


@st.composite
def rows(draw: st.DrawFn) -> Row:
    results = draw(st.integers(0, 12))
    unique = draw(st.integers(0, results))
    good = draw(st.integers(0, unique))
    return Row(results, unique, good, draw(st.integers(2 * good, 4 * good)))


conversations = st.lists(st.lists(rows(), max_size=8), max_size=5)
some_rows = st.lists(rows(), min_size=1, max_size=8)


def table(found: list[Conversation]) -> Iterations:
    """Lay conversations out as columns that nobody can write to."""
    flat = [row for conversation in found for row in conversation]
    lengths = [len(conversation) for conversation in found]
    columns = {part.name: np.array([getattr(row, part.name) for row in flat], dtype=np.int64) for part in fields(Row)}
    columns["starts"] = np.cumsum([0, *lengths], dtype=np.int64)
    for column in columns.values():
        column.flags.writeable = False
    return Iterations(**columns)


def values(family: str, conversation: Conversation) -> list[float]:
    found: list[float] = METRICS.get(family).kernel(table([conversation])).tolist()
    return found


def test_every_family_of_traces_is_held_to_its_formula() -> None:
    assert sorted(PLAIN) == PER_ITERATION
    assert COMPLETION == ["IterationsForAllGoodResults"]


@every_metric
@few
@given(found=conversations)
def test_the_kernel_agrees_with_the_formula_in_plain_python(family: str, found: list[Conversation]) -> None:
    expected = [PLAIN[family](one[:i]) for one in found for i in range(1, len(one) + 1)]
    value = METRICS.get(family).kernel(table(found))
    assert value.dtype == np.float64
    assert value.tolist() == pytest.approx(expected, rel=1e-12)


@every_metric
@few
@given(found=conversations)
def test_values_lie_within_the_stated_bounds_and_are_never_nan(family: str, found: list[Conversation]) -> None:
    definition = METRICS.get(family)
    value = definition.kernel(table(found))
    assert len(value) == sum(map(len, found))
    assert np.isfinite(value).all()
    assert ((value >= definition.lower) & (value <= (definition.upper or math.inf))).all()


@every_metric
@few
@given(found=conversations)
def test_a_conversation_scores_the_same_alone_as_among_others_in_any_order(
    family: str, found: list[Conversation]
) -> None:
    kernel = METRICS.get(family).kernel
    alone = [values(family, conversation) for conversation in found]
    assert kernel(table(found)).tolist() == list(chain(*alone))
    assert kernel(table(found[::-1])).tolist() == list(chain(*alone[::-1]))


@every_metric
@few
@given(conversation=some_rows, later=some_rows)
def test_later_iterations_do_not_change_earlier_values(
    family: str, conversation: Conversation, later: Conversation
) -> None:
    assert values(family, conversation + later)[: len(conversation)] == values(family, conversation)


@every_metric
@pytest.mark.parametrize("length", [1, 2, 7, 300])
def test_iterations_that_found_nothing_score_zero(family: str, length: int) -> None:
    assert values(family, [EMPTY] * length) == [0.0] * length


@every_metric
def test_no_conversation_and_no_iteration_give_no_value(family: str) -> None:
    assert METRICS.get(family).kernel(table([])).tolist() == []
    assert METRICS.get(family).kernel(table([[], []])).tolist() == []


@few
@given(conversation=some_rows)
def test_totals_never_fall_and_the_undiscounted_one_is_a_whole_number(conversation: Conversation) -> None:
    for family in ("CG", "DCG"):
        assert all(before <= after for before, after in pairwise(values(family, conversation)))
    assert all(total.is_integer() for total in values("CG", conversation))


@few
@given(conversation=some_rows)
def test_a_rate_is_its_total_per_iteration(conversation: Conversation) -> None:
    for rate, total in (("RG", "CG"), ("DRG", "DCG")):
        by_rate = [value * i for i, value in enumerate(values(rate, conversation), 1)]
        assert by_rate == pytest.approx(values(total, conversation), rel=1e-12)
    averages = np.cumsum(values("AvgGain", conversation))
    assert [value * i for i, value in enumerate(values("RAG", conversation), 1)] == pytest.approx(averages.tolist())


@few
@given(conversation=some_rows)
def test_a_discount_never_adds_and_takes_nothing_at_the_first_iteration(conversation: Conversation) -> None:
    for discounted, plain in (("DCG", "CG"), ("DRG", "RG"), ("DRAG", "RAG")):
        less, more = values(discounted, conversation), values(plain, conversation)
        assert less[0] == more[0]
        assert all(one <= other for one, other in zip(less, more, strict=True))


@few
@given(conversation=some_rows)
def test_what_is_redundant_cannot_be_good_and_new(conversation: Conversation) -> None:
    pairs = zip(values("SRE", conversation), values("SRR", conversation), strict=True)
    assert all(efficient <= 1 - redundant + 1e-12 for efficient, redundant in pairs)


@every_metric
@few
@given(conversation=some_rows, repeated=st.integers(1, 9))
def test_an_iteration_of_duplicates_adds_no_gain_and_costs_efficiency(
    family: str, conversation: Conversation, repeated: int
) -> None:
    before, after = values(family, [*conversation, Row(repeated, 0, 0, 0)])[-2:]
    if family in {"CG", "DCG"}:
        assert after == before
    elif METRICS.get(family).higher_is_better:
        assert after <= before
    else:
        assert after >= before


@every_metric
def test_only_new_results_of_the_highest_gain_score_best(family: str) -> None:
    definition = METRICS.get(family)
    value = values(family, [Row(3, 3, 3, 12), Row(1, 1, 1, 4)])
    if definition.upper is None:
        # twelve at iteration 1, four at iteration 2
        assert value[0] == 12.0
    elif family == "DRAG":
        # the discount keeps it below: (4 + 4 / log2(3)) / 2
        assert value == [4.0, pytest.approx(2 + 2 / math.log2(3))]
    else:
        best = definition.upper if definition.higher_is_better else definition.lower
        assert value == [best, best]


@every_metric
@few
@given(conversation=some_rows)
def test_every_value_can_be_explained(family: str, conversation: Conversation) -> None:
    shape = METRICS.get(family).shape
    one, found = table([conversation]), values(family, conversation)
    for i, value in enumerate(found, 1):
        text = explain_iterations(shape.spell(i), one)
        assert text.startswith(f"{shape.spell(i)} = {value:.4f}: ")
        # What the arithmetic comes to is the value: "... 5 + 4 = 9", or "... counts 0".
        assert float(text.replace("counts", "=").rsplit("= ", 1)[1]) == pytest.approx(value, abs=5.1e-5)
    last = explain_iterations(family, one)
    assert last == explain_iterations(shape.spell(len(found)), one).replace(shape.spell(len(found)), family, 1)


@every_metric
def test_a_value_beyond_the_last_iteration_is_undefined_and_says_why(family: str) -> None:
    name = METRICS.get(family).shape.spell(3)
    assert explain_iterations(name, table([[EMPTY, EMPTY]])) == (
        f"{name} is undefined: search was invoked in 2 iterations"
    )
    assert explain_iterations(name, table([[]])) == f"{name} is undefined: no search"
    assert explain_iterations(family, table([[]])) == f"{family} is undefined: no search"


@every_completion
@few
@given(completed=st.lists(st.integers(0, 250)))
def test_completion_lies_within_its_bounds_and_never_is_the_worst(family: str, completed: list[int]) -> None:
    definition = METRICS.get(family)
    value = definition.kernel(np.array(completed, dtype=np.int64))
    assert value.dtype == np.float64
    assert ((value >= definition.lower) & (value <= (definition.upper or 0))).all()
    assert value.tolist() == [CAP if k == 0 or k > CAP else k for k in completed]
    assert definition.kernel(np.array(completed[::-1], dtype=np.int64)).tolist() == value.tolist()[::-1]


@every_completion
@few
@given(completed=st.integers(0, 250), pool=st.integers(1, 50))
def test_every_completion_can_be_explained(family: str, completed: int, pool: int) -> None:
    value = METRICS.get(family).kernel(np.array([completed]))[0]
    text = explain_completion(family, completed, pool=pool)
    assert text.startswith(f"{family} = {value:.4f}: ")
    assert int(text.rsplit(" ", 1)[1]) == value


@every_completion
def test_an_empty_pool_is_undefined(family: str) -> None:
    assert explain_completion(family, 0, pool=0) == f"{family} is undefined: no good result"


@pytest.mark.parametrize("family", TRACE)
def test_every_metric_of_traces_says_what_it_means(family: str) -> None:
    definition = METRICS.get(family)
    assert definition.family == family
    assert definition.help.startswith(family)
    assert f"\n    {family}" in definition.help
    prose = " ".join(definition.help.split())
    for words in ("duplicates", "unlabelled results", "r = 0: ", "undefined", "nothing was searched"):
        assert words in prose.lower()
    assert ("Beyond " in prose) == (definition.shape.cutoff != "none")
    assert definition.summary.endswith(".")
    assert definition.formula


@pytest.mark.parametrize("family", TRACE)
def test_a_name_prints_as_it_was_parsed(family: str) -> None:
    shape = METRICS.get(family).shape
    for name in {family, shape.example}:
        assert str(parse_metric(name)) == name
