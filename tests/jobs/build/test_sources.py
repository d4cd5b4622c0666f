"""Sources on disk and of the hub: which files are read, in what order, and what is said where none can be."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo, JsonObject, RecordPlace, without_options
from goldproof.jobs.build.hub import HubFiles
from goldproof.jobs.build.recipe import SourceSpec
from goldproof.jobs.build.records import Dropped, Example
from goldproof.jobs.build.sources import ExampleReader, PassedOver, Source, locate, source_hashes
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.progress import Progress


def adapt(record: JsonObject, place: RecordPlace) -> Iterator[Example | Dropped]:
    if not record.get("question"):
        yield Dropped("no question", f"number {place.number}")
        return
    for text in str(record["question"]).split("|"):
        yield Example(text, text, "yes", (Document("d", "t"),), ("d",))


INFO = AdapterInfo(
    name="tiny",
    title="Tiny QA",
    doc_type="clean_text",
    hub_id="org/tiny",
    revision="a" * 40,
    hub_files=("data/*.jsonl",),
    licence="MIT",
    citation="nobody",
    needs=(frozenset({"question", "answer"}), frozenset({"question", "reply"})),
)
TINY = Adapter(INFO, without_options(adapt), options=frozenset({"subset", "split"}))
LINE = '{"question": "q?", "answer": "yes"}\n'


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def spec(path: Path | str | None, **more: object) -> SourceSpec:
    return SourceSpec("tiny", path=None if path is None else Path(path), **more)  # type: ignore[arg-type]


def names(folder: Path) -> list[str]:
    return list(source_hashes(locate(spec(folder), TINY, base=folder).local))


def test_a_folder_is_searched_in_depth_and_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.jsonl", "a-b.jsonl", "a/B.JSONL", "c/d/e.jsonl.gz"):
        write(tmp_path / name, gzip.compress(LINE.encode()) if name.endswith(".gz") else LINE)
    # compared as text: "a-b" < "a/B" < "a/z" since "-" < "/" and capitals come first
    assert names(tmp_path) == ["a-b.jsonl", "a/B.JSONL", "a/z.jsonl", "b.jsonl", "c/d/e.jsonl.gz"]


@pytest.mark.parametrize(
    "name", [".hidden.jsonl", ".git/a.jsonl", "README.md", "LICENSE", "notes.txt", "a.jsonl.bak", "page.pdf"]
)
def test_hidden_files_and_what_is_no_data_are_left_alone(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, LINE)
    write(tmp_path / "data.jsonl", LINE)
    found = locate(spec(tmp_path), TINY, base=tmp_path)
    assert [path.name for path in found.local.files] == ["data.jsonl"]
    assert found.passed_over == ()


def test_a_split_may_follow_the_suffix(tmp_path: Path) -> None:
    write(tmp_path / "Spark" / "qa.json.train", LINE * 2)
    write(tmp_path / "Spark" / "qa.json.test", LINE)
    assert names(tmp_path) == ["Spark/qa.json.test", "Spark/qa.json.train"]


def test_a_hidden_folder_above_the_source_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path / ".cache" / "x" / "data.jsonl", LINE)
    assert names(tmp_path / ".cache" / "x") == ["data.jsonl"]


def test_files_of_another_shape_are_passed_over_and_reported(tmp_path: Path) -> None:
    write(tmp_path / "corpus.json", json.dumps({"title one": "text", "title two": "text"}))
    write(tmp_path / "cut.jsonl", "")
    write(tmp_path / "data.jsonl", LINE)
    write(tmp_path / "other.csv", "id,text\n1,a\n")
    found = locate(spec(tmp_path), TINY, base=tmp_path)
    assert [path.name for path in found.local.files] == ["data.jsonl"]
    needs = "Tiny QA has answer + question or question + reply."
    assert found.passed_over == (
        PassedOver("corpus.json", f"the first records have title one, title two, but {needs}"),
        PassedOver("cut.jsonl", "it is empty, or no file of records."),
        PassedOver("other.csv", f"the first records have id, text, but {needs}"),
    )


LATIN = "question,answer\n\xfcber was?,ja\n".encode("latin-1")


def test_a_file_that_is_not_utf8_is_told_as_such(tmp_path: Path) -> None:
    file = write(tmp_path / "latin.csv", LATIN)
    with pytest.raises(FileFormatError) as caught:
        locate(spec(file), TINY, base=tmp_path)
    assert str(caught.value) == (
        f"{file}: it holds no record that can be read: line 2: byte 1 of the line (0xFC) is not UTF-8.\n"
        "  Save the file as UTF-8; if it is Latin-1: iconv -f LATIN1 -t UTF-8."
    )
    with pytest.raises(
        InputError, match=r"(?s)latin\.csv: it holds .*: line 2: byte 1 .* is not UTF-8\..*Save the file"
    ):
        locate(spec(tmp_path), TINY, base=tmp_path)
    write(tmp_path / "data.jsonl", LINE)
    (passed,) = locate(spec(tmp_path), TINY, base=tmp_path).passed_over
    why = "it holds no record that can be read: line 2: byte 1 of the line (0xFC) is not UTF-8."
    assert passed == PassedOver("latin.csv", why)


@pytest.mark.parametrize("name", ["data.csv", "data.tsv"])
def test_a_table_with_semicolons_is_told_as_such(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / name, "question;answer;context\nq?;yes;c, d\n")
    with pytest.raises(FileFormatError) as caught:
        locate(spec(file), TINY, base=tmp_path)
    assert str(caught.value) == (
        f"{file}: its columns look separated by ';', but CSV is read with ',' and TSV with tabs.\n"
        "  Save it with commas between the columns, or as JSON lines."
    )


def test_semicolons_in_a_column_of_a_table_with_commas_are_nothing_odd(tmp_path: Path) -> None:
    write(tmp_path / "data.csv", "question,answer,a;b;c\nq?,yes,1\n")
    assert names(tmp_path) == ["data.csv"]


def test_one_of_the_first_records_with_the_keys_is_enough(tmp_path: Path) -> None:
    write(tmp_path / "data.jsonl", '{"question": "?"}\n' * 19 + '{"question": "?", "reply": ""}\n')
    assert names(tmp_path) == ["data.jsonl"]
    write(tmp_path / "late" / "data.jsonl", '{"question": "?"}\n' * 20 + '{"question": "?", "reply": ""}\n')
    assert names(tmp_path) == ["data.jsonl"]


def test_a_file_that_is_named_is_read_whatever_its_suffix(tmp_path: Path) -> None:
    write(tmp_path / "data.txt", LINE)
    found = locate(spec("data.txt"), TINY, base=tmp_path)
    assert source_hashes(found.local) == {"data.txt": hashlib.sha256(LINE.encode()).hexdigest()}


def test_a_file_that_is_named_and_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "data.jsonl", '{"a": 1, "b": 2}\n')
    with pytest.raises(FileFormatError) as caught:
        locate(spec(path), TINY, base=tmp_path)
    assert str(caught.value) == (
        f"{path}: the first records have a, b, but Tiny QA has answer + question or question + reply.\n"
        "  Check the path of --source tiny=PATH, or choose the adapter that fits these files."
    )


@pytest.mark.parametrize("name", ["", "data.jsonl"], ids=["folder", "file"])
def test_records_that_another_adapter_knows_are_pointed_out(tmp_path: Path, name: str) -> None:
    write(tmp_path / "data.jsonl", '{"Question": "q?", "Answer": "a", "RawLog": "l"}\n')
    with pytest.raises(InputError, match=r"\n  These records fit the adapter 'logqa'\.$"):
        locate(spec(tmp_path / name), TINY, base=tmp_path)


def test_a_source_that_is_not_there_is_refused_with_a_near_name(tmp_path: Path) -> None:
    write(tmp_path / "train.jsonl", LINE)
    with pytest.raises(FileFormatError, match=r"trian\.jsonl: no such file\.\n  Did you mean train\.jsonl\?"):
        locate(spec("trian.jsonl"), TINY, base=tmp_path)


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "README.md", "#")
    with pytest.raises(InputError) as caught:
        locate(spec(tmp_path), TINY, base=tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: found no data file (.csv .json .jsonl .ndjson .parquet .pq .tsv, each also with .gz).\n"
        "  Check the path of --source tiny=PATH, or choose the adapter that fits these files."
    )


def test_a_folder_where_no_file_fits_is_one_error_that_names_the_first(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", '{"a": 1}\n')
    write(tmp_path / "b.jsonl", "")
    with pytest.raises(InputError) as caught:
        locate(spec(tmp_path), TINY, base=tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: no file that the adapter 'tiny' can read; a.jsonl: the first records have a, but Tiny QA "
        "has answer + question or question + reply (1 more cannot be read either).\n"
        "  Check the path of --source tiny=PATH, or choose the adapter that fits these files."
    )


def test_an_option_that_the_adapter_does_not_take_is_refused_before_reading(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"option of the adapter 'tiny': 'subsets'; did you mean 'subset'\?"):
        locate(spec(tmp_path / "nowhere", options={"subsets": "x"}), TINY, base=tmp_path)


def test_neither_path_nor_hub_is_one_clear_sentence(tmp_path: Path) -> None:
    adapter = Adapter(INFO.model_copy(update={"hub_id": None}), without_options(adapt))
    with pytest.raises(InputError, match="source 'tiny' has no path, and no dataset of the hub is known for it"):
        locate(spec(None), adapter, base=tmp_path)


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        (spec(None), ("org/tiny", "a" * 40)),
        (spec(None, revision="v2"), ("org/tiny", "v2")),
        (spec(None, hub="me/copy"), ("me/copy", None)),
    ],
    ids=["as pinned", "another revision", "another dataset is not at that pin"],
)
def test_without_a_path_the_dataset_of_the_hub_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: SourceSpec, asked: tuple[str, str | None]
) -> None:
    file = write(tmp_path / "data" / "train.jsonl", LINE)
    calls: list[tuple[str, str | None, Sequence[str]]] = []

    def fetched(hub_id: str, *, revision: str | None, patterns: Sequence[str]) -> HubFiles:
        calls.append((hub_id, revision, patterns))
        return HubFiles(tmp_path, (file,), "f" * 40)

    monkeypatch.setattr("goldproof.jobs.build.sources.fetch", fetched)
    found = locate(source, TINY, base=tmp_path)
    assert calls == [(*asked, ("data/*.jsonl",))]
    assert (found.hub, found.revision, list(source_hashes(found.local))) == (asked[0], "f" * 40, ["data/train.jsonl"])


def test_examples_come_from_all_files_and_records_are_counted(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", '{"question": "one|two", "answer": ""}\n{"question": "", "answer": ""}\n')
    pl.DataFrame({"question": ["three"], "answer": ["x"]}).write_parquet(tmp_path / "b.parquet")
    write(tmp_path / "c.csv", "question,answer\nfour,x\n")
    reading = ExampleReader(locate(spec(tmp_path), TINY, base=tmp_path), TINY)
    found = list(reading)
    assert [item.question for item in found if isinstance(item, Example)] == ["one", "two", "three", "four"]
    assert [item for item in found if isinstance(item, Dropped)] == [Dropped("no question", "number 2")]
    assert reading.records == 4


def test_damaged_records_are_dropped_with_their_place_and_counted(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "a.jsonl", f"{LINE}{{broken\n[1]\n{LINE}oops\n")
    reading = ExampleReader(locate(spec(tmp_path), TINY, base=tmp_path), TINY)
    found = list(reading)
    assert [type(item).__name__ for item in found] == ["Example", "Dropped", "Dropped", "Example", "Dropped"]
    dropped = [item for item in found if isinstance(item, Dropped)]
    assert {item.reason for item in dropped} == {"record cannot be read"}
    assert dropped[1].detail == "sub/a.jsonl:3: is a list, expected a JSON object."
    assert [item.detail.split(": ")[0] for item in dropped] == ["sub/a.jsonl:2", "sub/a.jsonl:3", "sub/a.jsonl:5"]
    assert reading.records == 5


def test_a_file_that_breaks_off_stops_the_build(tmp_path: Path) -> None:
    write(tmp_path / "a.json", f"[{', '.join([LINE] * 30)}")
    reading = ExampleReader(locate(spec(tmp_path), TINY, base=tmp_path), TINY)
    with pytest.raises(FileFormatError, match="the JSON array is cut off: the file ends after 30 elements"):
        list(reading)


@pytest.mark.parametrize("name", ["b.json", "b.jsonl.gz", "b.parquet"])
def test_a_file_that_breaks_off_at_once_is_not_passed_over(tmp_path: Path, name: str) -> None:
    write(tmp_path / "a.jsonl", LINE)
    pl.DataFrame({"question": ["three"], "answer": ["x"]}).write_parquet(tmp_path / "b.parquet")
    whole = {
        "b.json": f"[{LINE}, {LINE}]".encode(),
        "b.jsonl.gz": gzip.compress(LINE.encode()),
        "b.parquet": (tmp_path / "b.parquet").read_bytes(),
    }[name]
    write(tmp_path / name, whole[:-9])
    with pytest.raises(FileFormatError, match=r"cut off|not a readable Parquet file"):
        locate(spec(tmp_path), TINY, base=tmp_path)


def test_a_link_that_leads_nowhere_is_not_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", LINE)
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "gone.jsonl")
    with pytest.raises(FileFormatError, match=r"b\.jsonl: is a link to .*gone\.jsonl, which does not exist"):
        locate(spec(tmp_path), TINY, base=tmp_path)


def test_the_doc_type_of_the_recipe_is_that_of_the_examples(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", LINE)
    found = list(ExampleReader(locate(spec(tmp_path, doc_type="log_ticket"), TINY, base=tmp_path), TINY))
    assert [item.doc_type for item in found if isinstance(item, Example)] == ["log_ticket"]
    plain = list(ExampleReader(locate(spec(tmp_path), TINY, base=tmp_path), TINY))
    assert [item.doc_type for item in plain if isinstance(item, Example)] == [None]


def test_a_source_yields_its_examples_and_counts_what_was_dropped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", f'{LINE}{{"question": "", "answer": ""}}\n{LINE}oops\n')
    source = Source("tiny", TINY, locate(spec(tmp_path), TINY, base=tmp_path))
    examples = source.examples()
    next(examples)
    source.drop(Dropped("cannot be written as JSON"))
    assert len(list(examples)) == 1
    # 4 records: two examples, of which one was dropped after it was yielded, and two that gave none
    assert (source.records, source.usable) == (4, 1)
    assert source.dropped == {"no question": 1, "record cannot be read": 1, "cannot be written as JSON": 1}
    assert source.hashes == {"a.jsonl": hashlib.sha256(path.read_bytes()).hexdigest()}


def test_a_source_of_which_nothing_is_usable_is_refused_with_the_first_reason(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", f'{LINE}{{"question": "", "answer": ""}}\n')
    source = Source("tiny", TINY, locate(spec(tmp_path), TINY, base=tmp_path))
    with pytest.raises(InputError, match=r"none of its 2 records can be used; the first was dropped: too odd \(so\)"):
        list(map(source.drop, (Dropped("too odd", "so") for _ in source.examples())))


def test_progress_is_reported_every_thousand_examples_and_at_the_end(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", LINE * 2_500)
    reports: list[Progress] = []
    source = Source("tiny", TINY, locate(spec(tmp_path), TINY, base=tmp_path))
    assert sum(1 for _ in source.examples(reports.append)) == 2_500
    assert {report.stage for report in reports} == {"tiny: records read"}
    assert [(report.done, report.total) for report in reports] == [(1_000, None), (2_000, None), (2_500, 2_500)]
