"""The user's own tables: which columns are taken, how contexts and gold are read, and what drops a row."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.build.adapters.adapter import ADAPTERS, LocalSource, RecordPlace
from goldproof.jobs.build.adapters.table import ADAPTER
from goldproof.jobs.build.recipe import SourceSpec
from goldproof.jobs.build.records import Dropped, Example
from goldproof.jobs.build.sources import ExampleReader, locate

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, object]


def adapted(folder: Path, *rows: Row, **options: object) -> list[Example | Dropped]:
    path = folder / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    adapt = ADAPTER.open(LocalSource(folder, (path,), options))
    return [found for number, row in enumerate(rows, start=1) for found in adapt(row, RecordPlace(path, number))]


def one(folder: Path, row: Row, **options: object) -> Example:
    (found,) = adapted(folder, row, **options)
    assert isinstance(found, Example)
    return found


def dropped(folder: Path, row: Row, **options: object) -> Dropped:
    whole: Row = {"question": "q?", "answer": "a", "context": ["c"]}
    _, found = adapted(folder, {**dict.fromkeys(row), **whole, "gold": [0]} if "gold" in row else whole, row, **options)
    assert isinstance(found, Dropped)
    return found


def texts(example: Example) -> list[str]:
    return [document.text for document in example.documents]


def test_the_adapter_is_in_the_catalogue() -> None:
    assert ADAPTERS.get("table") is ADAPTER
    assert (ADAPTER.info.licence, ADAPTER.info.citation) == ("stated by the user", "own data")


@pytest.mark.parametrize("question", ["question", "query", "user_input", "User Input", "Question"])
@pytest.mark.parametrize("answer", ["answer", "ground_truth", "reference", "response", "Ground-Truth"])
@pytest.mark.parametrize("context", ["context", "contexts", "reference_contexts", "documents", "passage"])
def test_usual_names_need_no_mapping(tmp_path: Path, question: str, answer: str, context: str) -> None:
    found = one(tmp_path, {question: "q?", answer: "a", context: "c"})
    assert (found.question, found.answer, texts(found)) == ("q?", "a", ["c"])
    assert found.gold == (found.documents[0].id,)


def test_of_several_usual_names_the_first_of_the_list_wins_and_the_others_are_metadata(tmp_path: Path) -> None:
    row: Row = {"response": "what the system said", "reference": "truth", "question": "q?", "contexts": ["c"]}
    found = one(tmp_path, row)
    assert (found.answer, found.metadata) == ("truth", {"response": "what the system said"})


def test_a_mapping_names_any_columns(tmp_path: Path) -> None:
    row: Row = {"Frage": "q?", "Antwort": "a", "kurz": "one", "lang": ["two", "three"], "nr": 7, "question": "other"}
    columns = {"question": "Frage", "answer": "Antwort", "context": ["kurz", "lang"], "id": "nr"}
    found = one(tmp_path, row, columns=columns)
    assert (found.original_id, found.question, texts(found)) == ("7", "q?", ["one", "two", "three"])
    assert found.metadata == {"question": "other"}


def test_a_column_that_does_not_exist_is_refused_with_near_names(tmp_path: Path) -> None:
    row: Row = {"question": "q?", "ground_truth": "a", "context": "c"}
    with pytest.raises(UnknownNameError) as caught:
        adapted(tmp_path, row, columns={"answer": "groundtruth"})
    assert str(caught.value) == (
        "unknown column 'groundtruth'; did you mean 'ground_truth'?\n  data.jsonl has question, ground_truth, context."
    )
    with pytest.raises(UnknownNameError, match="unknown column 'topic'"):
        adapted(tmp_path, row, metadata=["topic"])


def test_a_column_that_only_later_rows_have_is_known(tmp_path: Path) -> None:
    row: Row = {"question": "q?", "answer": "a", "context": "c"}
    assert len(adapted(tmp_path, *[row] * 500, {**row, "team": "x"}, metadata=["team"])) == 501


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": {"questoin": "q"}}, "unknown role of a column 'questoin'; did you mean 'question'"),
        ({"columns": "question"}, "option 'columns' of the adapter 'table' is 'question', expected role: column pairs"),
        ({"columns": {"question": 3}}, "the column for 'question' is 3, expected the name of a column"),
        ({"columns": {"question": ["question", "context"]}}, r"the column for 'question' is .*, expected one name"),
        ({"name": "two words"}, "option 'name' of the adapter 'table' is 'two words', expected a word without blanks"),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        adapted(tmp_path, {"question": "q?", "answer": "a", "context": "c"}, **options)


@pytest.mark.parametrize("role", ["question", "answer", "context"])
def test_a_table_without_a_needed_column_is_refused(tmp_path: Path, role: str) -> None:
    row: Row = {"question": "q?", "answer": "a", "context": "c", "x": 1}
    del row[role]
    with pytest.raises(InputError, match=rf"data\.jsonl: no column for the {role} \(.*\); found .*\n.*{{{role}: NAME"):
        adapted(tmp_path, row)


CONTEXTS: list[tuple[object, list[str]]] = [
    ("one", ["one"]),
    (["one", "two"], ["one", "two"]),
    (["one", "", "two", "one"], ["one", "two"]),
    ('["one", "two"]', ["one", "two"]),
    ("['one', \"it's\"]", ["one", "it's"]),
    ({"text": "one", "title": "t"}, ["one"]),
    ([{"content": "one"}, {"page_content": "two"}], ["one", "two"]),
    ('[{"text": "one"}, {"text": "two"}]', ["one", "two"]),
    ("['one' 'two']", ["one", "two"]),
    ("['one'\n 'two' \"it's\"]", ["one", "two", "it's"]),
    ("['a\\nb' 'c']", ["a\nb", "c"]),
    ("['one''two']", ["['one''two']"]),
    ("['one' two]", ["['one' two]"]),
    ("['one' 'two', 'three']", ["['one' 'two', 'three']"]),
    ("['one' 'two'] said he", ["['one' 'two'] said he"]),
    ("['one'\n ... 'two']", ["['one'\n ... 'two']"]),
    ("['\\x41' 'b']", ["['\\x41' 'b']"]),
    ("[1] A reference.", ["[1] A reference."]),
    ('{"port": 8080}', ['{"port": 8080}']),
    ("[1, 2]", ["[1, 2]"]),
]


@pytest.mark.parametrize(("value", "expected"), CONTEXTS, ids=[str(value) for value, _ in CONTEXTS])
def test_contexts_are_read_in_every_form(tmp_path: Path, value: object, expected: list[str]) -> None:
    found = one(tmp_path, {"question": "q?", "answer": "a", "context": value})
    assert texts(found) == expected
    assert found.gold == tuple(document.id for document in found.documents)


@given(st.lists(st.text(min_size=1).map(str.strip).filter(bool), min_size=1, max_size=4, unique=True))
def test_a_list_in_a_csv_cell_is_opened_as_pandas_and_as_json_write_it(
    tmp_path_factory: pytest.TempPathFactory, contexts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("csv")
    for cell in (str(contexts), json.dumps(contexts)):
        found = one(folder, {"question": "q?", "answer": "a", "contexts": cell})
        assert texts(found) == contexts


def test_documents_take_ids_and_titles_from_their_columns(tmp_path: Path) -> None:
    row: Row = {
        "question": "q?",
        "answer": "a",
        "contexts": ["c1", "c2"],
        "doc_ids": ["x", "y z"],
        "titles": ["T", "U"],
    }
    found = one(tmp_path, row)
    assert [document.title for document in found.documents] == ["T", "U"]
    assert found.documents[0].id == "table:x"
    assert found.documents[1].id.startswith("table:y_z-")
    assert found.metadata == {}


def test_ids_inside_the_contexts_win_over_those_beside_them(tmp_path: Path) -> None:
    row: Row = {"question": "q?", "answer": "a", "contexts": [{"id": 5, "text": "c"}], "doc_ids": ["x"]}
    assert one(tmp_path, row).documents[0].id == "table:5"


@pytest.mark.parametrize("ids", [[0, 1], [1, 2], ["0", "1"], [1.0, 2.0]])
def test_ids_that_only_number_the_contexts_of_a_row_are_no_ids(tmp_path: Path, ids: list[object]) -> None:
    row: Row = {"question": "q?", "answer": "a", "contexts": ["c1", "c2"], "doc_ids": ids, "gold": [ids[1]]}
    found = one(tmp_path, row)
    without = one(tmp_path, {"question": "q?", "answer": "a", "contexts": ["c1", "c2"]})
    assert [document.id for document in found.documents] == [document.id for document in without.documents]
    assert found.gold == (found.documents[1].id,)


def test_the_same_text_is_the_same_document_in_every_row(tmp_path: Path) -> None:
    first, second = adapted(
        tmp_path,
        {"question": "q1?", "answer": "a", "contexts": ["c1", "c2"]},
        {"question": "q2?", "answer": "a", "contexts": ["c2"]},
    )
    assert isinstance(first, Example)
    assert isinstance(second, Example)
    assert first.documents[1] == second.documents[0]


GOLD: list[tuple[Row, list[int]]] = [
    ({"gold": [1]}, [1]),
    ({"gold": 2}, [2]),
    ({"gold": 2.0}, [2]),
    ({"gold": "[0, 2]"}, [0, 2]),
    ({"gold": [2, 0, 2]}, [2, 0]),
    ({"gold": [False, True, True]}, [1, 2]),
    ({"gold": ["c3"]}, [2]),
    ({"gold": ["U"], "titles": ["T", "U", "V"]}, [1]),
    ({"gold": ["b"], "doc_ids": ["a", "b", "c"]}, [1]),
    ({"gold": [30], "doc_ids": [10, 20, 30]}, [2]),
]


@pytest.mark.parametrize(("more", "places"), GOLD, ids=[str(more) for more, _ in GOLD])
def test_gold_names_contexts_by_place_text_title_or_id(tmp_path: Path, more: Row, places: list[int]) -> None:
    found = one(tmp_path, {"question": "q?", "answer": "a", "contexts": ["c1", "c2", "c3"], **more})
    assert found.gold == tuple(found.documents[place].id for place in places)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"question": " "}, "no question"),
        ({"question": None}, "no question"),
        ({"answer": None}, "no answer"),
        ({"answer": []}, "no answer"),
        ({"context": None}, "no context"),
        ({"context": ["", " "]}, "no context"),
        ({"context": 3}, "no context"),
        ({"gold": [3]}, "gold context does not exist"),
        ({"gold": [-1]}, "gold context does not exist"),
        ({"gold": ["nowhere"]}, "gold context does not exist"),
        ({"gold": [0, 2], "context": ["c1", "c2", ""]}, "gold context does not exist"),
        ({"gold": []}, "no gold context marked"),
        ({"gold": None}, "no gold context marked"),
        ({"gold": [False, False, False]}, "no gold context marked"),
        ({"gold": [True]}, "no gold context marked"),
        ({"gold": [0], "doc_ids": ["a", "b", "c"]}, "gold context does not exist"),
        ({"doc_ids": ["a"]}, "document ids do not match the contexts"),
        ({"titles": ["a", "b"]}, "titles do not match the contexts"),
    ],
)
def test_a_row_that_cannot_be_used_is_dropped_with_a_reason(tmp_path: Path, more: Row, reason: str) -> None:
    found = dropped(tmp_path, {"id": "r1", "question": "q?", "answer": "a", "context": ["c1", "c2", "c3"], **more})
    assert (found.reason, found.original_id) == (reason, "r1")


def test_the_detail_of_a_dropped_row_says_what_was_found(tmp_path: Path) -> None:
    found = dropped(tmp_path, {"question": "q?", "answer": "a", "context": ["c1"], "gold": ["d9"]})
    assert found.detail == "'d9', of 1 contexts"


@pytest.mark.parametrize(
    ("value", "answer", "aliases"),
    [
        ("a", "a", ()),
        (12, "12", ()),
        (1.5, "1.5", ()),
        (True, "yes", ()),
        (False, "no", ()),
        (["a", "b", "a"], "a", ("b",)),
        ('["a", "b"]', "a", ("b",)),
        ({"text": ["a", "b"], "answer_start": [1, 2]}, "a", ("b",)),
    ],
)
def test_answers_are_texts_numbers_or_lists(
    tmp_path: Path, value: object, answer: str, aliases: tuple[str, ...]
) -> None:
    found = one(tmp_path, {"question": "q?", "answer": value, "context": "c"})
    assert (found.answer, found.aliases) == (answer, aliases)


def test_aliases_have_a_column_of_their_own(tmp_path: Path) -> None:
    found = one(tmp_path, {"question": "q?", "answer": "a", "context": "c", "aliases": ["b", "a", "b", 3]})
    assert found.aliases == ("b", "3")


def test_metadata_are_all_other_plain_values_or_those_that_are_named(tmp_path: Path) -> None:
    row: Row = {
        "question": "q?",
        "answer": "a",
        "context": "c",
        "id": "r",
        "team": "x",
        "year": 2020,
        "tags": ["t"],
        "no": "",
    }
    assert one(tmp_path, row).metadata == {"team": "x", "year": 2020}
    assert one(tmp_path, row, metadata=["tags", "no"]).metadata == {"tags": ["t"]}


def test_a_row_without_id_is_known_by_its_content_never_by_its_place(tmp_path: Path) -> None:
    rows: list[Row] = [{"question": f"q{number}?", "answer": "a", "context": "c"} for number in range(3)]
    ids = [found.original_id for found in adapted(tmp_path, *rows) if isinstance(found, Example)]
    turned = [found.original_id for found in adapted(tmp_path, *rows[::-1]) if isinstance(found, Example)]
    assert ids == turned[::-1]
    assert len(set(ids)) == 3


def test_a_name_keeps_the_ids_of_two_tables_apart(tmp_path: Path) -> None:
    row: Row = {"id": 1, "question": "q?", "answer": "a", "context": [{"id": "d", "text": "c"}]}
    found = one(tmp_path, row, name="faq")
    assert (found.original_id, found.documents[0].id) == ("faq/1", "table:faq:d")


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_the_same_table_in_every_format_gives_the_same_examples(tmp_path: Path, form: str) -> None:
    rows: list[Row] = [
        {"id": "1", "question": "What, exactly?", "answer": "a\nb", "contexts": ["c1", 'c"2'], "team": "x"},
        {"id": "2", "question": "", "answer": "a", "contexts": ["c1"], "team": "y"},
        {"id": "3", "question": "Who?", "answer": "é", "contexts": ["c3"], "team": "z"},
    ]
    folder = tmp_path / "table"
    folder.mkdir()
    write_table(folder / f"data.{form}", rows)
    found = read_folder(folder)
    assert found == adapted(tmp_path, *rows)
    assert [type(item).__name__ for item in found] == ["Example", "Dropped", "Example"]


def test_a_table_that_pandas_wrote_is_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"question": ["q?"], "answer": [4], "contexts": [["c1", "it's"]], "score": [float("nan")]})
    frame.to_csv(tmp_path / "data.csv")
    (found,) = read_folder(tmp_path)
    assert isinstance(found, Example)
    assert (found.answer, texts(found), found.metadata) == ("4", ["c1", "it's"], {})


def test_arrays_of_numpy_that_pandas_wrote_are_read(tmp_path: Path) -> None:
    contexts = ["A first text, with a comma. " * 4, "it's\nanother", "with \"both\" 'quotes'", "last"]
    frame = pd.DataFrame({"question": ["q?"], "answer": ["a"], "contexts": [np.array(contexts, dtype=object)]})
    frame.to_csv(tmp_path / "data.csv")
    (found,) = read_folder(tmp_path)
    assert isinstance(found, Example)
    assert texts(found) == [context.strip() for context in contexts]


def test_each_file_of_a_folder_has_its_own_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("question,answer,context\nq1?,a,c1\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("query,reference,passage,answer_type\nq2?,b,c2,x\n", encoding="utf-8")
    found = read_folder(tmp_path)
    assert [(item.question, item.answer) for item in found if isinstance(item, Example)] == [("q1?", "a"), ("q2?", "b")]
    assert len(found) == 2


COLUMNS = {"question": "q", "answer": "a", "context": "c"}


def test_a_file_of_a_folder_without_a_needed_column_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("q,a,c\nq1?,a,c1\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("team,boss\nx,y\n", encoding="utf-8")
    (tmp_path / "c.csv").write_text("question,answer,context\nq2?,a,c1\n", encoding="utf-8")
    spec = SourceSpec("table", path=tmp_path, options={"columns": COLUMNS})
    found = locate(spec, ADAPTER, base=tmp_path)
    assert [path.name for path in found.local.files] == ["a.csv"]
    assert [(one.name, one.reason) for one in found.passed_over] == [
        ("b.csv", "it has no column 'q' for the question; found team, boss."),
        ("c.csv", "it has no column 'q' for the question; found question, answer, context."),
    ]
    assert len(list(ExampleReader(found, ADAPTER))) == 1
    usual = locate(SourceSpec("table", path=tmp_path), ADAPTER, base=tmp_path)
    assert [path.name for path in usual.local.files] == ["c.csv"]
    assert usual.passed_over[1].reason.startswith("it has no column for the question (question, query, user_input, ")


def test_where_no_file_of_a_folder_has_the_named_column_near_names_are_told(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("question,answer,context\nq1?,a,c1\n", encoding="utf-8")
    spec = SourceSpec("table", path=tmp_path, options={"columns": {"question": "qestion"}})
    with pytest.raises(UnknownNameError, match="unknown column 'qestion'; did you mean 'question'"):
        ExampleReader(locate(spec, ADAPTER, base=tmp_path), ADAPTER)


@pytest.mark.parametrize("more", [{"columns": {"gold": "relevant"}}, {"metadata": ["relevant"]}])
def test_a_file_that_lacks_another_named_column_is_an_error_that_names_it(tmp_path: Path, more: Row) -> None:
    (tmp_path / "a.csv").write_text("question,answer,context,relevant\nq1?,a,c1,0\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("question,answer,context\nq2?,a,c1\n", encoding="utf-8")
    found = locate(SourceSpec("table", path=tmp_path, options=more), ADAPTER, base=tmp_path)
    with pytest.raises(UnknownNameError, match=r"unknown column 'relevant'(?s:.*)b\.csv has question, answer, context"):
        ExampleReader(found, ADAPTER)


@pytest.mark.parametrize(
    "more",
    [
        {"id": 123456789012345678901.0},
        {"doc_ids": [123456789012345678901.0]},
        {"contexts": [{"id": 2.0**53, "text": "c"}]},
        {"contexts": [{"id": "x", "text": "c"}], "gold": [-(2.0**53)]},
    ],
)
def test_an_id_that_was_rounded_is_none(tmp_path: Path, more: Row) -> None:
    row: Row = {"question": "q?", "answer": "a", "contexts": ["c"], **more}
    (found,) = adapted(tmp_path, row)
    assert isinstance(found, Dropped)
    assert (found.reason, found.original_id) == ("id is a number too large to be exact", None)
    assert found.detail.endswith("; write it as text")


def test_ids_beyond_64_bits_do_not_become_one(tmp_path: Path) -> None:
    lines = [f'{{"id": {number}, "question": "q?", "answer": "a", "context": "c"}}\n' for number in BIG]
    (tmp_path / "data.jsonl").write_text("".join(lines), encoding="utf-8")
    assert [type(item) for item in read_folder(tmp_path)] == [Dropped, Dropped, Example]
    quoted = [line.replace(str(number), f'"{number}"') for line, number in zip(lines, BIG, strict=True)]
    (tmp_path / "data.jsonl").write_text("".join(quoted), encoding="utf-8")
    ids = [item.original_id for item in read_folder(tmp_path)]
    assert ids == list(map(str, BIG))


def test_a_text_may_be_a_large_number(tmp_path: Path) -> None:
    assert texts(one(tmp_path, {"question": "q?", "answer": "a", "context": [{"text": 2.0**60}]})) == [str(2**60)]


BIG = (123456789012345678901, 123456789012345678902, 2**63)


def write_table(path: Path, rows: list[Row]) -> None:
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif path.suffix in (".csv", ".tsv"):
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(rows[0]), delimiter="," if path.suffix == ".csv" else "\t")
        writer.writeheader()
        writer.writerows({**row, "contexts": json.dumps(row["contexts"])} for row in rows)
        path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    elif path.suffix == ".json":
        path.write_text(json.dumps({"data": rows}, indent=1), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def read_folder(folder: Path) -> list[Example | Dropped]:
    return list(ExampleReader(locate(SourceSpec("table", path=folder), ADAPTER, base=folder), ADAPTER))
