"""The line of a mining says what was spent as far as it is known."""

from __future__ import annotations

import pytest

from goldproof.cli.progress import MiningProgressLine
from goldproof.jobs.mine import MiningProgress


@pytest.mark.parametrize(
    ("cost", "unknown", "said"), [(0.25, 0, ", $0.2500"), (0.25, 2, ", at least $0.2500"), (None, 3, ", cost unknown")]
)
def test_a_cost_is_said_as_far_as_it_is_known(
    cost: float | None, unknown: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    spent = {"calls": 3, "cached": 0, "cost": cost, "cost_unknown_calls": unknown}
    MiningProgressLine().mining(MiningProgress(1, 2, 3, 4, 0, spent))
    assert capsys.readouterr().err.endswith(f"3 calls, 0 cached{said}")
