"""What every adapter holds, for each shape in which its dataset is met: a new adapter joins by its records."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, get_args

import orjson
import pytest

from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import ADAPTERS, AdapterInfo, DocType, LocalSource, RecordPlace
from goldproof.jobs.build.records import Dropped, Example
from tests.jobs.build.adapters.contract_cases import CASES, FINQA, SWE_QA
from tests.jobs.build.adapters.odd_values import check_all, odd_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.jobs.build.adapters.contract_cases import Case, Record, Way

REASON = re.compile(r"[a-z]+(?: [a-zA-Z]+)*")
TABLE_FIELDS = frozenset({"table_rows", "table_cols"})
CODE_FIELDS = frozenset({"repo", "file_path", "language"})
LENGTH_FIELDS = frozenset({"code_length"})  # where there is code: SWE-QA may only name its files
BLANKS = (None, "", " \n\t")
every_case = pytest.mark.parametrize("label", CASES)


class Opened:
    """The adapter of a case, opened on a file that holds its record."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.path = folder / case.file
        self.path.write_bytes(orjson.dumps(case.record))
        for name, text in case.checkouts:
            (folder / "checkouts" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "checkouts" / name).write_text(text, encoding="utf-8")
        options = {"checkouts": str(folder / "checkouts")} if case.checkouts else {}
        self._adapt = ADAPTERS.get(case.adapter).open(LocalSource(folder, (self.path,), options))

    def adapt(self, record: Record, *, number: int = 1) -> list[Example | Dropped]:
        return list(self._adapt(record, RecordPlace(self.path, number)))

    def dropped(self, record: Record) -> list[Dropped]:
        """What is made of a record of which no example can be made."""
        made = self.adapt(record)
        dropped = [one for one in made if isinstance(one, Dropped)]
        assert dropped == made
        assert made, "a record must not vanish: it is counted by its reason"
        return dropped


@pytest.fixture
def opened(label: str, tmp_path: Path) -> Opened:
    return Opened(CASES[label], tmp_path)


@pytest.fixture
def examples(label: str, opened: Opened) -> list[Example]:
    made = opened.adapt(CASES[label].record)
    found = [one for one in made if isinstance(one, Example)]
    assert found == made
    assert found
    return found


def changed(record: Record, ways: Sequence[Way], value: object) -> Record:
    """The record with a value at these places, also inside JSON texts."""
    for way in ways:
        record = _changed(record, way, value)
    return record


def _changed(holder: Any, way: Way, value: object) -> Any:  # noqa: ANN401 - any JSON
    if not way:
        return value
    if isinstance(holder, str):
        return json.dumps(_changed(json.loads(holder), way, value))
    copied = copy.copy(holder)
    copied[way[0]] = _changed(holder[way[0]], way[1:], value)
    return copied


def hold_example(example: Example) -> None:
    """What is true of every example."""
    texts = {document.id: document.text for document in example.documents}
    assert len(texts) == len(example.documents), "a document stands there twice"
    assert {type(text) for document in example.documents for text in (document.text, document.title)} == {str}
    assert all(name and not re.search(r"\s", name) for name in texts), "a TREC file could not hold such an id"
    for text in (example.original_id, example.question, example.answer):
        assert text
        assert text == text.strip()
    assert example.gold
    assert len(set(example.gold)) == len(example.gold)
    assert set(example.gold) <= set(texts)
    assert all(set(kernel) <= set(example.gold) for kernel in example.kernels)
    for span in example.evidence:
        assert span.document in example.gold
        assert 0 <= span.start < span.end <= len(texts[span.document])
        assert texts[span.document][span.start : span.end].strip()
    assert len(set(example.evidence)) == len(example.evidence)
    assert all(alias.strip() and alias != example.answer for alias in example.aliases)
    assert example.doc_type is None or example.doc_type in get_args(DocType)
    for metadata in (example.metadata, *(document.metadata for document in example.documents)):
        assert orjson.loads(orjson.dumps(dict(metadata))) == metadata, "not the same after JSON"


def hold_dropped(dropped: Dropped) -> None:
    """What is true of every reason: records can be counted by it."""
    assert REASON.fullmatch(dropped.reason), dropped.reason
    assert isinstance(dropped.detail, str)
    assert dropped.original_id is None or dropped.original_id.strip()


def hold(made: Sequence[Example | Dropped]) -> None:
    assert made
    for one in made:
        hold_example(one) if isinstance(one, Example) else hold_dropped(one)


def plain(made: Sequence[Example | Dropped]) -> list[Any]:
    """What was made, as JSON says it."""
    return [orjson.loads(orjson.dumps(asdict(one), option=orjson.OPT_SORT_KEYS)) for one in made]


def test_every_adapter_has_a_case() -> None:
    assert {case.adapter for case in CASES.values()} == set(ADAPTERS)


@pytest.mark.parametrize("name", list(ADAPTERS))
def test_what_an_adapter_says_of_its_dataset_is_whole(name: str) -> None:
    info = ADAPTERS.get(name).info
    assert AdapterInfo.model_validate(info.model_dump()) == info
    assert info.name == name
    assert all(text.strip() for text in (info.title, info.licence, info.citation))
    assert all(info.needs), "an empty set of keys fits every file"
    # Without a pinned revision and named files another day would read another dataset.
    assert info.hub_id is None or (info.revision and info.hub_files)


@every_case
def test_the_keys_that_an_adapter_needs_are_those_of_the_record(label: str) -> None:
    case = CASES[label]
    needs = ADAPTERS.get(case.adapter).info.needs
    # `table` finds its columns by the recipe.
    assert needs == () if case.adapter == "table" else any(keys <= case.record.keys() for keys in needs)


@every_case
def test_a_record_gives_an_example_in_order(examples: list[Example]) -> None:
    hold(examples)


@every_case
def test_the_metadata_of_tables_and_code_is_there(label: str, examples: list[Example]) -> None:
    case = CASES[label]
    by_type = {"table": TABLE_FIELDS, "code_config": CODE_FIELDS}
    for example in examples:
        doc_type = example.doc_type or ADAPTERS.get(case.adapter).info.doc_type
        demanded = by_type.get(doc_type, frozenset()) | case.fields
        if doc_type == "code_config" and any(document.text for document in example.documents):
            demanded |= LENGTH_FIELDS
        assert demanded <= set(example.metadata), sorted(demanded - set(example.metadata))
        assert all(example.metadata[name] is not None for name in demanded - CODE_FIELDS)


@every_case
def test_the_same_record_gives_the_same_wherever_it_stands(label: str, opened: Opened) -> None:
    record = CASES[label].record
    made = opened.adapt(record)
    assert opened.adapt(record) == made
    assert opened.adapt(record, number=99) == made
    assert opened.adapt(dict(reversed(record.items()))) == made


@every_case
def test_a_record_is_not_changed(label: str, opened: Opened) -> None:
    record = copy.deepcopy(CASES[label].record)
    opened.adapt(record)
    assert record == CASES[label].record


def made_of_all(folder: Path) -> dict[str, list[Any]]:
    """What is made of every case, each in a folder of its own."""
    found = {}
    for number, (label, case) in enumerate(CASES.items()):
        place = folder / str(number)
        place.mkdir(parents=True)
        found[label] = plain(Opened(case, place).adapt(case.record))
    return found


def test_another_process_makes_the_same(repo: Path, tmp_path: Path) -> None:
    program = (
        f"import json, pathlib, sys; from {__name__} import made_of_all\n"
        "print(json.dumps(made_of_all(pathlib.Path(sys.argv[1]))))"
    )
    here = made_of_all(tmp_path / "here")
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / seed)],
            capture_output=True,
            cwd=repo,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert json.loads(done.stdout) == here


@every_case
def test_an_empty_record_and_one_of_nulls_are_dropped_with_a_reason(label: str, opened: Opened) -> None:
    record = CASES[label].record
    hold(opened.dropped({}))
    hold(opened.dropped(dict.fromkeys(record)))


@every_case
def test_a_null_at_any_key_gives_an_example_in_order_or_a_reason(label: str, opened: Opened) -> None:
    record = CASES[label].record
    for key in record:
        hold(opened.adapt(record | {key: None}))
        hold(opened.adapt({name: value for name, value in record.items() if name != key}))


@every_case
def test_whatever_stands_in_a_record_its_reason_is_on_the_page(label: str, opened: Opened, repo: Path) -> None:
    page = " ".join((repo / "docs" / "reference" / "sources.md").read_text(encoding="utf-8").split())
    section = page.partition(f" ### {CASES[label].adapter} ")[2].partition(" ### ")[0]
    for record in odd_records(CASES[label].record):
        made = opened.adapt(record)
        check_all(made)
        for one in made:
            assert isinstance(one, Example) or f"`{one.reason}`" in section, one


@every_case
@pytest.mark.parametrize("blank", BLANKS)
def test_without_a_question_or_an_answer_a_record_is_dropped(label: str, opened: Opened, blank: str | None) -> None:
    case = CASES[label]
    for ways in (case.question, case.answer):
        hold(opened.dropped(changed(case.record, ways, blank)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hotpotqa", "hotpotqa of the hub"),
        ("2wiki", "2wiki of the hub"),
        ("finqa", "finqa flat"),
        ("musique", "musique flat"),
        ("tatqa", "tatqa flat"),
        ("logqa", "logqa lines"),
        ("t2-ragbench finqa", "t2-ragbench glued"),
    ],
)
def test_two_shapes_of_a_record_say_the_same(one: str, other: str, tmp_path: Path) -> None:
    made = [Opened(CASES[label], tmp_path).adapt(CASES[label].record) for label in (one, other)]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("label", "way"),
    [
        ("t2-ragbench tat-dqa", ("context_id",)),
        ("tatqa", ("table", "uid")),
        ("finqa", ("filename",)),
        ("table with gold", ("contexts", 1, "id")),
    ],
)
@pytest.mark.parametrize("odd", ["page 4", "a\tb", "\u2028", "é/ü", "x" * 300])
def test_an_id_with_blanks_gives_documents_without(label: str, opened: Opened, way: Way, odd: str) -> None:
    made = opened.adapt(changed(CASES[label].record, [way], odd))
    assert all(isinstance(one, Example) for one in made)
    hold(made)


def test_a_blank_sentence_is_no_evidence(tmp_path: Path) -> None:
    qa = FINQA["qa"] | {"gold_inds": {"text_0": " ", "text_1": "acme makes anvils ."}}
    record = FINQA | {"pre_text": [" ", "acme makes anvils ."], "qa": qa}
    hold(Opened(CASES["finqa"], tmp_path).adapt(record))


def test_a_cited_line_without_text_is_no_evidence(tmp_path: Path) -> None:
    case = replace(CASES["swe-qa checked out"], checkouts=(("tool/src/tool/run.py", "import os\n\nos.getcwd()\n"),))
    hold(Opened(case, tmp_path).adapt(SWE_QA | {"answer": "`src/tool/run.py` does it in lines 2-2 and 3."}))


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("finqa", "finqa/*.json"),
        ("hotpotqa", "multihop/hotpotqa_train.json"),
        ("musique", "multihop/musique_train.json"),
        ("swe-qa", "swe_qa/*.jsonl"),
        ("t2-ragbench", "t2_ragbench/*.parquet"),
        ("tatqa", "tatqa/*.json"),
    ],
)
def test_real_records_hold_the_same(realdata: Path, name: str, files: str) -> None:
    paths = tuple(sorted(realdata.glob(files)))
    adapt = ADAPTERS.get(name).open(LocalSource(paths[0].parent, paths))
    for path in paths:
        for number, record in read_records(path):
            given = copy.deepcopy(record)
            made = list(adapt(record, RecordPlace(path, number)))
            hold(made)
            assert record == given
