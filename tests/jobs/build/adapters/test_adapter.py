"""The adapters by name: all of them are listed, and a plug-in is one of them."""

from __future__ import annotations

import importlib.metadata
import sys
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

import goldproof
from goldproof.cli.main import app
from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.build.adapters.adapter import ADAPTERS, Adapter, AdapterInfo, adapters_table, without_options
from goldproof.jobs.build.adapters.table import NEEDED, USUAL
from goldproof.jobs.build.records import Dropped, Example
from goldproof.plugins import ENTRY_POINT_GROUP
from goldproof.records.entities import Document
from goldproof.report import render

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.jobs.build.adapters.adapter import JsonObject, RecordPlace

NAMES = [
    *("2wiki", "coderepoqa", "finqa", "hotpotqa", "logqa", "musique"),
    *("ragbench", "swe-qa", "t2-ragbench", "table", "tatqa"),
]
PLUG_IN = "goldproof_riddles_for_a_test"


def adapt(record: JsonObject, _place: RecordPlace) -> Iterator[Example | Dropped]:
    """A small dataset: a riddle, its solution, and the page that has both."""
    riddle, solution = record.get("riddle"), record.get("solution")
    if not (isinstance(riddle, str) and isinstance(solution, str)):
        yield Dropped("no riddle")
        return
    page = Document(f"riddles:{record['page']}", text=f"{riddle} {solution}")
    yield Example(riddle, question=riddle, answer=solution, documents=(page,), gold=(page.id,))


RIDDLES = Adapter(
    info=AdapterInfo(
        name="riddles",
        title="Riddles",
        doc_type="clean_text",
        licence="CC0-1.0",
        citation="nobody",
        needs=(frozenset({"riddle", "solution"}),),
    ),
    open=without_options(adapt),
)


def install(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let a package be installed that has this adapter under these names, among things of other kinds."""
    module = ModuleType(PLUG_IN)
    module.__dict__["ADAPTER"] = RIDDLES
    monkeypatch.setitem(sys.modules, PLUG_IN, module)
    other = EntryPoint("retriever.riddles", "nowhere:NOTHING", ENTRY_POINT_GROUP)
    points = [other, *(EntryPoint(f"adapter.{name}", f"{PLUG_IN}:ADAPTER", ENTRY_POINT_GROUP) for name in names)]

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    # Plug-ins are read once, when the first name is asked for: go back to before that.
    monkeypatch.setattr(ADAPTERS, "_targets", {name: ADAPTERS.get(name) for name in NAMES})
    monkeypatch.setattr(ADAPTERS, "_plugins_read", False)


def test_the_catalogue_has_the_datasets_that_are_promised() -> None:
    assert list(ADAPTERS) == NAMES


def test_a_name_that_is_nearly_right_is_pointed_out() -> None:
    with pytest.raises(UnknownNameError, match="hotpotqa"):
        ADAPTERS.get("hotpot-qa")


def test_the_table_lists_every_adapter_with_its_dataset_and_licence() -> None:
    table = adapters_table()
    assert [heading.name for heading in table.headings] == ["adapter", "dataset", "doc_type", "hub", "licence"]
    assert [row[0] for row in table.rows] == NAMES
    assert ("hotpotqa", "HotpotQA", "clean_text", "hotpotqa/hotpot_qa", "CC-BY-SA-4.0") in table.rows
    assert ("logqa", "LogQA", "log_ticket", "", "not stated") in table.rows


def test_the_page_on_sources_has_the_same_table(repo: Path) -> None:
    page = (repo / "docs" / "reference" / "sources.md").read_text(encoding="utf-8")
    for name, dataset, doc_type, hub, licence in adapters_table().rows:
        cells = [f"[`{name}`](#{name})", str(dataset), f"`{doc_type}`", f"`{hub}`" if hub else "", str(licence)]
        assert f"| {' | '.join(cells)} |".replace("|  |", "| |") in page
        assert f"\n### {name}\n" in page


def test_the_page_on_sources_has_the_usual_names_of_columns(repo: Path) -> None:
    page = (repo / "docs" / "reference" / "sources.md").read_text(encoding="utf-8")
    for role, names in USUAL.items():
        needed = " (needed)" if role in NEEDED else ""
        assert f"| `{role}`{needed} | {', '.join(f'`{name}`' for name in names)} |" in page


def test_the_command_lists_them() -> None:
    done = CliRunner().invoke(app, ["build", "--list"])
    assert done.exit_code == 0
    assert done.stdout.startswith(render(adapters_table(), "table").rstrip())


def test_a_plug_in_is_listed_and_read_like_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, "riddles")
    assert ("riddles", "Riddles", "clean_text", "", "CC0-1.0") in adapters_table().rows
    assert len(adapters_table().rows) == len(NAMES) + 1
    file = tmp_path / "riddles.csv"
    file.write_text("page,riddle,solution\n1,What has keys and opens no door?,a piano\n", encoding="utf-8")
    built = goldproof.build(
        {"name": "mine", "sources": [{"adapter": "riddles", "path": str(file)}], "quotas": {"clean_text": 1}}
    )
    (sample,) = built
    assert sample.id.startswith("riddles:What_has_keys")
    assert sample.source_dataset == "riddles"
    assert sample.gold_documents == ("riddles:1",)
    assert [(document.id, document.text) for document in built.documents()] == [
        ("riddles:1", "What has keys and opens no door? a piano")
    ]


def test_entry_points_of_other_kinds_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    assert list(ADAPTERS) == NAMES


def test_a_plug_in_cannot_take_the_name_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "hotpotqa")
    with pytest.raises(InputError, match="adapter 'hotpotqa' is registered twice"):
        list(ADAPTERS)
