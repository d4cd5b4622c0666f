"""The distribution: exact counts, what is missing, and a report that says why."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.jobs.build.output import report as report_module
from goldproof.jobs.build.output.report import (
    GROUPS,
    BuildReport,
    Distribution,
    DistributionRow,
    SourceFacts,
    picture,
    write_distribution,
)
from goldproof.report import render
from tests.jobs.build.samples import HOPPED, PLAIN, THREE, UNANSWERABLE, samples

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from goldproof.jobs.build.records import Sample

TARGETS = {
    "doc_type": {"table": 3, "clean_text": 1},
    "question_type": {"table/policy": 2, "table/numeric": 1},
    "answerable": {"true": 3, "false": 1},
    "unanswerable_method": {"negation": 1},
}
WHY = "table/policy: 0 of 2: the pool holds 0"


def distribution() -> Distribution:
    return Distribution.of(THREE, TARGETS, explanations=[WHY])


def report(**changes: object) -> BuildReport:
    whole = BuildReport(
        "small",
        7,
        distribution(),
        sources=(
            SourceFacts("tatqa", "MIT", "a" * 40, {"dev.json": "b" * 64}, read=9, usable=4, used=1),
            SourceFacts("hotpotqa", "CC BY-SA 4.0", read=1200, usable=1100, used=2),
        ),
        dropped={"tatqa": {"no question": 2, "no | answer": 3}},
        rejected={"a document answers it": 5},
        left_out={"near-duplicate of another": 1},
    )
    return replace(whole, **changes)  # type: ignore[arg-type]


def rows(group: str) -> list[tuple[str, int | None, int, int | None]]:
    return [(row.name, row.target, row.actual, row.shortfall) for row in distribution().groups[group]]


def test_rows_have_target_actual_and_shortfall() -> None:
    # PLAIN is the only table; HOPPED and UNANSWERABLE are clean_text, one more than wanted: that is no shortfall
    assert rows("doc_type") == [("table", 3, 1, 2), ("clean_text", 1, 2, 0)]
    assert rows("question_type") == [
        ("table/policy", 2, 0, 2),
        ("table/numeric", 1, 1, 0),
        ("clean_text/multihop", None, 2, None),
    ]
    assert rows("difficulty") == [
        ("clean_text/D2", None, 1, None),
        ("clean_text/D3", None, 1, None),
        ("table/D1", None, 1, None),
    ]
    assert rows("answerable") == [("true", 3, 2, 1), ("false", 1, 1, 0)]
    assert rows("unanswerable_method") == [("negation", 1, 0, 1), ("entity_swap", None, 1, None)]
    assert rows("source_dataset") == [("hotpotqa", None, 2, None), ("tatqa", None, 1, None)]


def test_the_total_wanted_is_the_sum_of_the_doc_types() -> None:
    assert distribution().total == DistributionRow("all", 4, 3)
    assert Distribution.of(THREE).total == DistributionRow("all", None, 3)


def test_an_unanswerable_without_a_method_is_counted_as_such() -> None:
    (row,) = Distribution.of([replace(UNANSWERABLE, metadata={})]).groups["unanswerable_method"]
    assert row.name == "not said"


def test_no_sample_at_all_is_a_distribution_too() -> None:
    empty = Distribution.of([], {"doc_type": {"table": 2}})
    assert empty.total.shortfall == 2
    assert [row.shortfall for row in empty.groups["doc_type"]] == [2]


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(InputError, match="no group of counts is called 'repo'; known: doc_type"):
        Distribution.of([], {"repo": {"x": 1}})


@settings(max_examples=40)
@given(st.lists(samples(), max_size=5), st.randoms(use_true_random=False))
def test_every_sample_counts_once_in_each_group_in_any_order(found: list[Sample], chance: random.Random) -> None:
    one = Distribution.of(found)
    mixed = list(found)
    chance.shuffle(mixed)
    assert one == Distribution.of(mixed)
    unanswerable = sum(not sample.answerable for sample in found)
    for group in GROUPS:
        counted = sum(row.actual for row in one.groups[group])
        assert counted == (unanswerable if group == "unanswerable_method" else len(found))


def test_the_targets_can_be_taken_from_it_again() -> None:
    again = Distribution.of(THREE, distribution().targets, explanations=distribution().explanations)
    assert again == distribution()


def test_a_table_shows_the_rows_and_the_reasons() -> None:
    assert render(distribution().tables()[0], "markdown") == (
        "### Document types\n\n"
        "| doc type | target | actual | shortfall |\n| --- | ---: | ---: | ---: |\n"
        "| table | 3 | 1 | 2 |\n| clean_text | 1 | 2 | 0 |\n| all | 4 | 3 | 1 |\n\n"
        f"- {WHY}\n"
    )


def test_groups_without_a_row_have_no_table() -> None:
    assert "Unanswerable, by method" not in [table.title for table in Distribution.of([PLAIN, HOPPED]).tables()]


def test_the_report_is_three_files_with_their_hashes(tmp_path: Path) -> None:
    written = write_distribution(tmp_path, report())
    assert set(written) == {"distribution.json", "distribution.svg", "report.md"}
    for name, digest in written.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert orjson.loads((tmp_path / "distribution.json").read_bytes()) == distribution().to_dict()


def test_the_report_says_what_was_dropped_and_where_the_data_came_from(tmp_path: Path) -> None:
    write_distribution(tmp_path, report())
    text = (tmp_path / "report.md").read_text()
    assert text.startswith(
        "# small\n\n3 samples of 4 wanted; seed 7.\n\n![Target and actual counts](distribution.svg)\n\n### Document"
    )
    assert "### Dropped records\n\n| source | reason | count |\n| --- | --- | ---: |\n" in text
    assert "| tatqa | no \\| answer | 3 |\n| tatqa | no question | 2 |\n" in text
    assert "### Unanswerables rejected\n\n| reason | count |\n| --- | ---: |\n| a document answers it | 5 |\n" in text
    assert "| near-duplicate of another | 1 |" in text
    assert f"| tatqa | MIT | {'a' * 40} | 9 | 4 | 1 |\n| hotpotqa | CC BY-SA 4.0 | – | 1,200 | 1,100 | 2 |" in text
    assert f"| tatqa | dev.json | {'b' * 64} |" in text
    assert WHY in text


def test_tables_with_nothing_to_say_are_left_out(tmp_path: Path) -> None:
    write_distribution(tmp_path, report(dropped={}, rejected={}, left_out={}, sources=()))
    text = (tmp_path / "report.md").read_text()
    for title in ("Dropped", "rejected", "Left out", "Where the data", "Files read"):
        assert title not in text


def test_the_picture_groups_question_types_by_document_type_on_one_scale() -> None:
    groups = {group.title: group for group in picture(report()).groups}
    assert list(groups) == [
        *("Document types", "Question types: table", "Question types: clean_text"),
        *("Difficulty: table", "Difficulty: clean_text", "Answerable", "Unanswerable, by method", "Sources"),
    ]
    table, text = groups["Question types: table"], groups["Question types: clean_text"]
    assert [(bar.name, bar.actual, bar.target) for bar in table.bars] == [("policy", 0, 2), ("numeric", 1, 1)]
    assert table.full == text.full == 2


def test_without_the_extra_the_picture_is_left_out_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_distribution(tmp_path, report())
    monkeypatch.setattr(report_module, "charts_available", lambda: False)
    assert set(write_distribution(tmp_path, report())) == {"distribution.json", "report.md"}
    assert not (tmp_path / "distribution.svg").exists()
    assert "needs the extra `report` (pip install 'goldproof[report]')" in (tmp_path / "report.md").read_text()


def test_a_benchmark_of_none_has_a_report_without_a_picture(tmp_path: Path) -> None:
    assert "distribution.svg" not in write_distribution(tmp_path, report(distribution=Distribution.of([])))
    assert "There is nothing to draw." in (tmp_path / "report.md").read_text()


def test_the_same_report_has_the_same_bytes(tmp_path: Path) -> None:
    assert write_distribution(tmp_path / "a", report()) == write_distribution(tmp_path / "b", report())
