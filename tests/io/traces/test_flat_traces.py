"""Flat tables, one row per result: what counts, and one sentence for each thing that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import polars as pl
import pytest

from goldproof.errors import FileFormatError
from goldproof.io import read_traces, traces_from_frame
from goldproof.io.diagnostics import SKIP_HINT, Diagnostics
from tests.io.traces.trace_samples import plain

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.records.traces import TraceTable


def put(folder: Path, text: str, name: str = "x.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def only(frame: object) -> TraceTable:
    (table,) = traces_from_frame(frame)
    return table


def ids(table: TraceTable) -> list[Any]:
    """Return the ids by iteration and search."""
    found = plain([table])
    return [
        [[[result.get("id") for result in search["results"]] for search in i] for i in each["iterations"]]
        for each in found
    ]


def test_the_order_of_iterations_searches_and_ranks_counts_not_their_numbers() -> None:
    frame = pl.DataFrame(
        {
            "conversation": ["c", "c", "c", "c", "b"],
            "iteration": [30, 4, 30, 4, 1],
            "search": [9, 2, -1, 2, 1],
            "rank": [1, 8, 1, 3, 1],
            "id": ["d", "b", "c", "a", "x"],
        }
    )
    assert ids(only(frame)) == [[[["a", "b"]], [["c"], ["d"]]], [[["x"]]]]


def test_without_search_and_rank_rows_of_an_iteration_are_one_search_as_they_stand() -> None:
    frame = pl.DataFrame({"session_id": [1, 1, 1], "step": [2, 1, 2], "doc_id": [7, 8, 9]})
    table = only(frame)
    assert ids(table) == [[[[8]], [[7, 9]]]]
    assert table.conversations.to_list() == ["1"]
    assert table.results.columns.schema == {"id": pl.Int64}


def test_only_the_rows_of_the_last_turn_are_used() -> None:
    frame = pl.DataFrame(
        {
            "conversation": ["a", "a", "b", "b"],
            "turn": [5, 3, 0, 0],
            "iteration": [1, 1, 1, 1],
            "question": ["last", "first", None, "q"],
            "id": ["x", "y", "z", "w"],
        }
    )
    table = only(frame)
    assert (ids(table), table.texts.to_list()) == ([[[["x"]]], [[["z", "w"]]]], ["last", "q"])


def test_a_conversation_that_failed_says_so_in_any_turn_or_none() -> None:
    frame = pl.DataFrame(
        [
            ("a", None, None, None, "boom"),
            ("a", 3, 1, "x", None),
            ("b", None, None, None, None),
            ("b", -1, 1, "y", None),
        ],
        schema=["conversation", "turn", "iteration", "id", "error"],
        orient="row",
    )
    table = only(frame.head(2))
    assert (ids(table), dict(table.failed)) == ([[]], {"a": "boom"})
    with pytest.raises(FileFormatError, match=r"row 3: has no iteration, but the conversation has searches"):
        only(frame)


def test_rows_without_a_result_or_without_an_iteration() -> None:
    frame = pl.DataFrame(
        [
            ("found nothing", 1, None, None),
            ("search failed", 1, None, "timeout"),
            ("search failed", 2, "a", None),
            ("no search", None, None, None),
            ("crashed", None, None, "boom"),
            ("crashed", 1, "a", None),
        ],
        schema=["conversation", "iteration", "id", "error"],
        orient="row",
    )
    table = only(frame)
    assert ids(table) == [[[[]]], [[[]], [["a"]]], [], []]
    assert (table.failed_searches.tolist(), dict(table.failed)) == ([1], {"crashed": "boom"})


def test_an_error_may_be_true_or_false() -> None:
    frame = pl.DataFrame({"conversation": ["a", "b"], "iteration": [1, 1], "id": [None, 3], "error": [True, False]})
    table = only(frame)
    assert (table.failed_searches.tolist(), ids(table)) == ([0], [[[[]]], [[[3]]]])


def test_other_columns_are_fields_except_scores() -> None:
    frame = pl.DataFrame(
        {
            "conversation": ["a", "a"],
            "iteration": [1, 1],
            "url": ["u", None],
            "text": [None, "s"],
            "score": [0.5, 0.4],
            "author": ["x", ""],
            "fields": [{"size": 3, "author": "y"}, {"size": None, "author": None}],
        }
    )
    results = only(frame).results
    assert results.columns.to_dict(as_series=False) == {"url": ["u", None], "snippet": [None, "s"]}
    assert results.fields is not None
    assert list(results.fields) == [{"size": 3, "author": "y"}, None]
    assert (results.fields[0], list(results.fields[1:]), len(results.fields)) == ({"size": 3, "author": "y"}, [None], 2)


def test_pandas_frames_with_gaps_are_read() -> None:
    frame = pd.DataFrame(
        {
            "conversation": pd.Categorical(["a", "a", "b"]),
            "iteration": [1, 2, 1],
            "id": [7, None, 9],
            "gain": [2, None, None],
            "title": ["t", None, float("nan")],
            "when": [pd.Timestamp("2020-01-01"), pd.NaT, pd.NaT],
        }
    )
    found = plain([only(frame)])
    assert found[0]["iterations"][0][0]["results"][0].pop("fields")["when"].year == 2020
    assert [each["iterations"] for each in found] == [
        [
            [{"query": None, "failed": False, "results": [{"id": 7, "title": "t", "gain": 2}]}],
            [{"query": None, "failed": False, "results": []}],
        ],
        [[{"query": None, "failed": False, "results": [{"id": 9}]}]],
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_conversation_that_goes_on_beyond_a_chunk_stays_whole(size: int, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    conversations = ["a"] * 5 + ["b"] + ["c"] * 9 + ["d"] * 2
    frame = pl.DataFrame({"conversation": conversations, "iteration": [1] * 17, "id": range(17), "url": ["u"] * 17})
    frame.write_parquet(path, row_group_size=4)
    tables = list(read_traces(path, Diagnostics(path), results_per_batch=size))
    assert [name for table in tables for name in table.conversations] == ["a", "b", "c", "d"]
    assert plain(tables) == plain([only(frame)])


def test_a_gain_that_is_not_a_number_in_polars_is_none() -> None:
    frame = pl.DataFrame(
        {"conversation": ["a"] * 3, "iteration": [1] * 3, "id": [1, 2, 3], "gain": [2.0, float("nan"), None]}
    )
    assert only(frame).results.gains.tolist() == [2, -1, -1]


def test_ids_beyond_64_bits_with_sign_become_text() -> None:
    frame = pl.DataFrame({"conversation": ["a"], "iteration": [1], "id": pl.Series([2**64 - 1], dtype=pl.UInt64)})
    assert only(frame).results.columns["id"].to_list() == ["18446744073709551615"]


GOOD = {"conversation": "a", "iteration": 1, "id": "x"}
BAD_ROWS: dict[str, tuple[list[dict[str, Any]], int, str]] = {
    "no conversation": (
        [GOOD, {**GOOD, "conversation": None}],
        2,
        "the conversation is empty (column 'conversation').",
    ),
    "no iteration": ([GOOD, {**GOOD, "iteration": None}], 2, "the iteration is empty."),
    "half an iteration": ([{**GOOD, "iteration": 1.5}], 1, "iteration 1.5 is not a whole number (column 'iteration')."),
    "iteration in words": (
        [{**GOOD, "iteration": "one"}],
        1,
        "iteration 'one' is not a whole number (column 'iteration').",
    ),
    "no turn": ([{**GOOD, "turn": 1}, {**GOOD, "turn": None}], 2, "the turn is empty."),
    "gain": ([{**GOOD, "gain": 5}], 1, "gain 5 is not a whole number from 0 to 4 (column 'gain')."),
    "negative gain": ([{**GOOD, "gain": -1}], 1, "gain -1 is not a whole number from 0 to 4 (column 'gain')."),
    "half a gain": ([{**GOOD, "gain": 2.5}], 1, "gain 2.5 is not a whole number from 0 to 4 (column 'gain')."),
    "gain in words": (
        [{**GOOD, "label": "good"}],
        1,
        "gain 'good' is not a whole number from 0 to 4 (column 'label').",
    ),
    "two clusters": (
        [{**GOOD, "cluster": "k"}, {**GOOD, "cluster": "l"}],
        2,
        "cluster 'l' differs within conversation 'a', which had 'k'.",
    ),
    "two questions": (
        [{**GOOD, "question": "why"}, {**GOOD, "question": None}, {**GOOD, "question": "how"}],
        3,
        "question 'how' differs within conversation 'a', which had 'why'.",
    ),
    "two queries": (
        [{**GOOD, "query": "p"}, {**GOOD, "query": "q"}],
        2,
        "query 'q' differs within its search (number the searches of an iteration in a column 'search').",
    ),
    "nothing beside something": (
        [GOOD, {**GOOD, "id": None}],
        2,
        "holds no result, but its search has other rows.",
    ),
    "error beside a result": (
        [{**GOOD, "error": "boom"}],
        1,
        "has both an error ('boom') and a result: did the search fail or not?",
    ),
    "no search beside a search": (
        [GOOD, {**GOOD, "iteration": None, "id": None}],
        2,
        "has no iteration, but the conversation has searches: leave the row out, or number the iteration.",
    ),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_a_bad_row_is_named(name: str, tmp_path: Path) -> None:
    rows, number, problem = BAD_ROWS[name]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame.write_parquet(tmp_path / "x.parquet")
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(tmp_path / "x.parquet", Diagnostics(tmp_path / "x.parquet", hint=SKIP_HINT)))
    hint = SKIP_HINT.replace("the line", "the row")
    assert str(raised.value) == f"{tmp_path / 'x.parquet'}: row {number}: {problem}\n  {hint}"
    frame.write_csv(tmp_path / "x.csv")
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(tmp_path / "x.csv", Diagnostics(tmp_path / "x.csv")))
    in_text = problem.replace("1.5", "'1.5'").replace("2.5", "'2.5'").replace("gain 5", "gain '5'")
    assert (raised.value.line, raised.value.problem) == (number + 1, in_text.replace("gain -1", "gain '-1'"))


@pytest.mark.parametrize("name", BAD_ROWS)
def test_of_a_conversation_with_a_bad_row_nothing_is_used(name: str, tmp_path: Path) -> None:
    rows, _, _ = BAD_ROWS[name]
    good = {"iteration": 1, "turn": 1}
    others = [{"conversation": "b", "id": "p", **good}, *rows, {"conversation": "z", "id": "q", **good}]
    columns = dict.fromkeys(key for row in rows for key in row)
    path = tmp_path / "x.csv"
    frame = pl.DataFrame([columns | row for row in others], infer_schema_length=None, strict=False)
    frame.select(list(columns)).write_csv(path)
    diagnostics = Diagnostics(path, keep=9)
    (table,) = read_traces(path, diagnostics)
    assert table.conversations.to_list() == ["b", "z"]
    assert table.results.columns["id"].to_list() == ["p", "q"]
    assert diagnostics.total == 1


def test_a_line_that_is_lost_spoils_its_neighbours_and_no_others(tmp_path: Path) -> None:
    lines = ["conversation,iteration,id", "a,1,x", "b,1,x", "b,1", "c,1,x", "c,1,y", "d,1,x"]
    for size in (1, 2, 3, 50):
        diagnostics = Diagnostics(tmp_path / "x.csv", keep=9)
        tables = read_traces(put(tmp_path, "\n".join(lines)), diagnostics, results_per_batch=size)
        assert [name for table in tables for name in table.conversations] == ["a", "d"]
        assert [(f.line, f.problem) for f in diagnostics.findings] == [
            (4, "found 2 columns, expected 3 (conversation, iteration, id).")
        ]


def test_a_conversation_that_comes_back_is_refused_even_where_bad_rows_are_skipped(tmp_path: Path) -> None:
    path = put(tmp_path, "conversation,iteration,id\na,1,x\nb,1,x\nc,1,x\na,2,y\n")
    for size in (1, 50):
        with pytest.raises(FileFormatError) as raised:
            list(read_traces(path, Diagnostics(path, keep=5), results_per_batch=size))
        assert str(raised.value) == (
            f"{path}: conversation 'a' appears again after others; the rows of a conversation must be contiguous.\n"
            "  Sort the rows by conversation; with polars: frame.sort('conversation', maintain_order=True)."
        )


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (
            "conversation,id,gain",
            "no column for iteration (iteration, iteration_index, step, ...); found conversation, id, gain.",
        ),
        (
            "iteration,id,gain,query",
            (
                "no column for conversation (conversation_id, conversation, session_id, session, ...); "
                "found iteration, id, gain, query."
            ),
        ),
        (
            "conversation,iteration,gain",
            "no column for a result (id, url, title, snippet); found conversation, iteration, gain.",
        ),
        ("conversation,iteration,id,id", "column 'id' occurs twice."),
        ("conversation,iteration,id,author,author", "column 'author' occurs twice."),
    ],
)
def test_a_header_that_will_not_do(header: str, problem: str, tmp_path: Path) -> None:
    path = put(tmp_path, f"{header}\n{','.join('1' * (header.count(',') + 1))}\n")
    with pytest.raises(FileFormatError) as raised:
        list(read_traces(path, Diagnostics(path)))
    assert (raised.value.line, raised.value.problem) == (1, problem)


@pytest.mark.parametrize(
    ("column", "values", "problem"),
    [
        ("iteration", [True], "column 'iteration' holds Boolean, expected whole numbers."),
        ("gain", [True], "column 'gain' holds Boolean, expected whole numbers from 0 to 4."),
        ("conversation", [[1]], "column 'conversation' holds List(Int64), expected text or whole numbers."),
        ("id", [0.5], "column 'id' holds Float64, expected text or whole numbers."),
        ("title", [3], "column 'title' holds Int64, expected text."),
    ],
)
def test_a_column_of_the_wrong_type_is_named(column: str, values: list[object], problem: str) -> None:
    with pytest.raises(FileFormatError) as raised:
        list(traces_from_frame(pl.DataFrame({**{key: [value] for key, value in GOOD.items()}, column: values})))
    assert str(raised.value) == f"traces: {problem}"


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame(schema={"conversation": pl.String, "iteration": pl.Int64, "id": pl.Int64}).write_parquet(path)
    for file in (path, put(tmp_path, "conversation,iteration,id\n")):
        with pytest.raises(FileFormatError) as raised:
            list(read_traces(file, Diagnostics(file)))
        assert raised.value.problem == "holds no conversations."
