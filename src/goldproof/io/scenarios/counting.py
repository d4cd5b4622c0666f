"""What a file of scenarios holds, and what in it cannot be read: for `goldproof validate`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.io.scenarios.formats import read_suite, suite_format
from goldproof.io.scenarios.tally import Tally

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.complaints import Complaints


def count_scenarios(path: Path, complaints: Complaints) -> dict[str, int]:
    """Count scenarios, memories and queries, these by kind; what is wrong is a complaint."""
    tally = Tally()
    suite = read_suite(path, complaints, form=suite_format(path) or "scenarios", tally=tally)
    kinds = Counter(query.kind for scenario in suite.scenarios for query in scenario.queries)
    holdout = sum(scenario.split == "holdout" for scenario in suite.scenarios)
    return {
        "scenarios": len(suite.scenarios),
        **({"holdout": holdout} if holdout else {}),
        "memories": sum(len(scenario.memories) for scenario in suite.scenarios),
        "queries": suite.queries,
        **dict(sorted(kinds.items())),
        **({"questions_left_out": tally.questions} if tally.questions else {}),
    }
