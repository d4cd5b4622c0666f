"""Real annotators: CodeSearchNet's relevance judgements, where some pairs were graded by several people."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.jobs.calibrate import calibrate_judge

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]
SCALE = "0-3:2"


def graded_pairs(realdata: Path) -> list[Json]:
    """One record per annotation; a question is a query in a language."""
    with (realdata / "codesearchnet" / "annotationStore.csv").open(newline="", encoding="utf-8") as stream:
        return [
            {"query_id": f"{row['Language']}: {row['Query']}", "doc_id": row["GitHubUrl"], "grade": row["Relevance"]}
            for row in csv.DictReader(stream)
        ]


def overlap(record: Json) -> float:
    """The share of the query's words that stand in the address of the code: a poor judge, and a real one."""
    words = set(re.findall(r"[a-z0-9]+", record["query_id"].partition(": ")[2].lower()))
    there = set(re.findall(r"[a-z0-9]+", record["doc_id"].lower()))
    return len(words & there) / max(len(words), 1)


@pytest.mark.realdata
def test_annotators_agree_with_each_other_far_better_than_keywords_in_the_address_do(realdata: Path) -> None:
    human = graded_pairs(realdata)
    pairs = {(one["query_id"], one["doc_id"]): one for one in human}
    scores = [{"query_id": q, "doc_id": d, "score": overlap(one)} for (q, d), one in pairs.items()]
    found = calibrate_judge(human, judgments=scores, human_scale=SCALE)
    assert found.human.labels == len(human)
    assert found.human.annotators is not None
    assert found.human.annotators.pairs > 100
    assert found.pairs.n + found.pairs.human_without.get("annotators tied", 0) == len(pairs)
    assert found.agreement.kappa.value is not None
    assert found.human.annotators.alpha.value is not None
    assert found.agreement.kappa.value < found.human.annotators.alpha.value


@pytest.mark.realdata
def test_one_annotator_against_the_others(realdata: Path) -> None:
    votes: dict[tuple[str, str], list[Json]] = defaultdict(list)
    for one in graded_pairs(realdata):
        votes[one["query_id"], one["doc_id"]].append(one)
    several = [own for own in votes.values() if len(own) > 1]
    first, others = [own[0] for own in several], [one for own in several for one in own[1:]]
    found = calibrate_judge(others, judgments=first, human_scale=SCALE, judge_scale=SCALE)
    equal = [own for own in several if len(own) == 2]
    assert found.agreement.graded is not None
    assert found.agreement.graded.table.sum() == found.pairs.n
    # of pairs with two annotators nothing is settled by a median: counted here by hand
    same = sum((int(a["grade"]) >= 2) == (int(b["grade"]) >= 2) for a, b in equal)
    frame = found.to_frame()
    keys = {(own[0]["query_id"], own[0]["doc_id"]) for own in equal}
    rows = [row for row in frame.to_dicts() if (row["query_id"], row["doc_id"]) in keys]
    assert sum(row["verdict"] == (row["relevant"] == 1) for row in rows) == same
    assert len(rows) == len(equal)
    assert found.agreement.accuracy.low is not None
    assert found.agreement.accuracy.low > 0.5
