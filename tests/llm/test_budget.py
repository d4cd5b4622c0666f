"""A budget is never overspent as long as calls cost no more than they reserved, and says all that was spent."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from goldproof.errors import BudgetSpentError, InputError
from goldproof.llm.budget import Budget, Reservation, spent_text

CENTS = st.integers(0, 500).map(lambda cents: cents / 100)


def test_spent_is_what_was_settled_and_not_what_was_reserved() -> None:
    budget = Budget()
    budget.reserve(0.5, name="m").settle(0.2, 100, 10)
    budget.reserve(0.1, name="m").settle(0.3, 50, 5)
    assert budget.spent == 0.5
    assert budget.reserved == 0
    assert budget.facts() == {
        "calls": 2,
        "cached": 0,
        "failed": 0,
        "repairs": 0,
        "retries": 0,
        "tokens_in": 150,
        "tokens_out": 15,
        "cost": 0.5,
        "cost_unknown_calls": 0,
        "uncertain_calls": 0,
        "max_cost": None,
    }


def test_a_budget_is_spent_to_the_last_cent() -> None:
    # 0.1 + 0.1 + 0.1 > 0.3 in floating point
    budget = Budget(0.3)
    for _ in range(3):
        budget.reserve(0.1, name="m").settle(0.1, 1, 1)
    assert budget.spent == 0.3
    with pytest.raises(BudgetSpentError):
        budget.reserve(1e-9, name="m")


def test_what_calls_under_way_may_cost_is_not_there_to_be_spent() -> None:
    budget = Budget(1.0)
    first = budget.reserve(0.7, name="m")
    with pytest.raises(BudgetSpentError):
        budget.reserve(0.4, name="m")
    first.settle(0.1, 1, 1)
    budget.reserve(0.9, name="m")


def test_the_refusal_says_what_was_spent_and_how_to_go_on() -> None:
    budget = Budget(0.05)
    budget.reserve(0.03, name="m").settle(0.0313, 1, 1)
    budget.reserve(0.01, name="m")
    with pytest.raises(BudgetSpentError) as caught:
        budget.reserve(0.0121, name="google:gemini-3-pro-preview")
    assert str(caught.value) == (
        "model google:gemini-3-pro-preview: the next call could cost $0.012, more than --max-cost 0.05 leaves "
        "($0.031 spent, $0.010 reserved for calls under way).\n"
        "  Raise --max-cost and run the same command: all answers so far are kept."
    )


def test_a_call_that_cost_more_than_it_reserved_is_settled_truthfully() -> None:
    budget = Budget(1.0)
    budget.reserve(0.1, name="m").settle(5.0, 1, 1)
    assert budget.spent == 5.0
    with pytest.raises(BudgetSpentError, match=r"\$5\.00 spent\)"):
        budget.reserve(0.0001, name="m")


def test_a_limit_of_nothing_leaves_only_what_is_free() -> None:
    budget = Budget(0)
    with pytest.raises(BudgetSpentError, match="more than --max-cost 0 leaves"):
        budget.reserve(0.000001, name="m")
    with pytest.raises(BudgetSpentError, match="could cost something"):
        budget.reserve(None, name="m")
    budget.note_cached()
    budget.reserve(0.0, name="m").settle(0.0, 10, 10)
    assert budget.facts()["cached"] == 1


def test_a_limit_needs_a_price() -> None:
    with pytest.raises(InputError, match=r"model m: its price is unknown.*\n.*--price IN,OUT"):
        Budget(2.0).reserve(None, name="m")


def test_without_a_limit_calls_of_unknown_price_are_counted() -> None:
    budget = Budget()
    budget.reserve(None, name="m").settle(None, 10, 5)
    budget.reserve(0.25, name="m").settle(0.25, 10, 5)
    facts = budget.facts()
    assert (facts["calls"], facts["cost"], facts["cost_unknown_calls"]) == (2, 0.25, 1)


def test_where_nobody_knows_what_a_call_cost_its_estimate_counts() -> None:
    budget = Budget(1.0)
    budget.reserve(0.75, name="m").settle(None, 0, 0)
    assert budget.spent == 0.75
    assert budget.facts()["cost_unknown_calls"] == 1


def test_a_call_without_an_answer_that_may_be_billed_counts_at_its_estimate() -> None:
    budget = Budget(1.0)
    budget.reserve(0.75, name="m").settle(0.25, 100, 20, certain=False)
    facts = budget.facts()
    assert (facts["cost"], facts["tokens_in"], facts["tokens_out"]) == (0.25, 100, 20)
    assert (facts["calls"], facts["uncertain_calls"]) == (0, 1)


def test_what_is_free_is_never_refused() -> None:
    budget = Budget(1.0)
    budget.reserve(0.5, name="m").settle(2.0, 1, 1)
    budget.reserve(0.0, name="m")


def test_only_the_first_end_of_a_reservation_counts() -> None:
    budget = Budget(1.0)
    one, two = budget.reserve(0.5, name="m"), budget.reserve(0.5, name="m")
    assert one.cost == 0.5
    one.settle(0.4, 1, 1)
    one.cancel()
    one.settle(0.4, 1, 1)
    two.cancel()
    two.settle(0.4, 1, 1)
    assert (budget.spent, budget.reserved, budget.facts()["calls"]) == (0.4, 0, 1)


def test_notes_are_counted_each_under_its_name() -> None:
    budget = Budget()
    for times, note in enumerate((budget.note_cached, budget.note_failed, budget.note_repair, budget.note_retry), 1):
        for _ in range(times):
            note()
    facts = budget.facts()
    assert [facts[name] for name in ("cached", "failed", "repairs", "retries")] == [1, 2, 3, 4]


@pytest.mark.parametrize("max_cost", [-1, -0.001, float("nan"), float("inf")])
def test_what_is_no_limit_is_refused(max_cost: float) -> None:
    with pytest.raises(InputError, match=r"--max-cost .* is not valid; expected dollars, 0 or more"):
        Budget(max_cost)


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf")])
def test_an_impossible_cost_is_a_defect(cost: float) -> None:
    budget = Budget(1.0)
    with pytest.raises(ValueError, match="expected a number, 0 or more"):
        budget.reserve(cost, name="m")


@given(limit=CENTS, estimate=CENTS, real=st.lists(CENTS, max_size=30))
def test_calls_one_by_one_overspend_by_at_most_the_error_of_the_last(
    limit: float, estimate: float, real: list[float]
) -> None:
    budget = Budget(limit)
    for cost in real:
        before = budget.spent
        try:
            reservation = budget.reserve(estimate, name="m")
        except BudgetSpentError:
            assert before + estimate > limit - 1e-9
            break
        reservation.settle(cost, 1, 1)
        assert budget.spent <= max(limit, limit - estimate + cost) + 1e-9


class BudgetMachine(RuleBasedStateMachine):
    """Any order of reserving, settling and cancelling."""

    def __init__(self) -> None:
        super().__init__()
        self.budget = Budget(10.0)
        self.open: list[Reservation] = []
        self.settled: list[float] = []

    @rule(cost=CENTS)
    def reserve(self, cost: float) -> None:
        held = self.budget.spent + self.budget.reserved
        try:
            self.open.append(self.budget.reserve(cost, name="m"))
        except BudgetSpentError:
            assert held + cost > 10 - 1e-9
        else:
            assert cost == 0 or self.budget.spent + self.budget.reserved <= 10 + 1e-9

    @precondition(lambda self: bool(self.open))
    @rule(data=st.data(), cost=CENTS)
    def settle(self, data: st.DataObject, cost: float) -> None:
        self.take(data).settle(cost, 1, 2)
        self.settled.append(cost)

    @precondition(lambda self: bool(self.open))
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        self.take(data).cancel()

    @invariant()
    def sums_hold(self) -> None:
        assert self.budget.spent == pytest.approx(sum(self.settled), abs=1e-9)
        assert self.budget.reserved == pytest.approx(sum(each.cost for each in self.open), abs=1e-9)
        facts = self.budget.facts()
        assert (facts["calls"], facts["tokens_out"]) == (len(self.settled), 2 * len(self.settled))

    def take(self, data: st.DataObject) -> Reservation:
        return self.open.pop(data.draw(st.integers(0, len(self.open) - 1)))


TestBudgetMachine = BudgetMachine.TestCase
TestBudgetMachine.settings = settings(max_examples=40, stateful_step_count=25)


def test_threads_together_never_reserve_more_than_there_is() -> None:
    budget = Budget(1.0)
    taken: list[Reservation] = []

    def work() -> None:
        for _ in range(200):
            try:
                taken.append(budget.reserve(0.01, name="m"))
            except BudgetSpentError:
                return

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 100
    assert budget.reserved == 1.0


@pytest.mark.parametrize("limit", [1e9 + 1, 1e300])
def test_a_limit_beyond_all_money_is_refused(limit: float) -> None:
    Budget(1e9)
    with pytest.raises(InputError, match=r"--max-cost 1e\+\d+ is too high; expected dollars, 1,000,000,000 at most"):
        Budget(limit)


def test_a_cost_of_which_nothing_is_known_is_not_0() -> None:
    budget = Budget()
    assert budget.facts()["cost"] == 0.0
    budget.reserve(None, name="m").settle(None, 1, 1)
    budget.reserve(None, name="m").settle(None, 1, 1, certain=False)
    assert (budget.facts()["cost"], budget.facts()["cost_unknown_calls"]) == (None, 2)
    budget.reserve(0.25, name="m").settle(0.25, 1, 1)
    assert (budget.facts()["cost"], budget.facts()["cost_unknown_calls"]) == (0.25, 2)


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ((0.25, 1000.0), "2 calls, $1000.2500"),
        ((0.25, None), "2 calls, at least $0.2500"),
        ((None, None), "2 calls, cost unknown"),
        ((), "0 calls, $0.0000"),
    ],
)
def test_a_cost_is_said_as_far_as_it_is_known(costs: tuple[float | None, ...], said: str) -> None:
    budget = Budget()
    for cost in costs:
        budget.reserve(cost, name="m").settle(cost, 10, 1)
    assert spent_text(budget.facts()) == said
