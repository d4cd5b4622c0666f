"""A result prints, shows and saves itself in one way, whatever job it is of."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl
import pytest

from goldproof.errors import ConflictError
from goldproof.io import OutputFolder, read_card
from goldproof.io.atomic_files import write_hashed
from goldproof.jobs.build import BuildResult
from goldproof.jobs.calibrate import CalibrationResult
from goldproof.jobs.mine import MiningResult, Unlabelled
from goldproof.jobs.verify import AuditResult, ReplayResult
from goldproof.records.entities import Card
from goldproof.report import Heading, JobResult, Note, Table
from goldproof.report.result import in_order
from goldproof.study import Result

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.report import Writer


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Counted(JobResult):
    """A job that counts letters."""

    word: str
    conclusion: str = ""
    remarks: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:  # noqa: ARG002 - this is all
        return (Table((Heading("letters"),), ((str(len(self.word)),),)),)

    def content(self) -> dict[str, object]:
        return {"letters": len(self.word)}

    def to_frame(self) -> pl.DataFrame:
        return pl.DataFrame({"letter": list(self.word)})

    def card(self) -> Card:
        return Card("test.letters", 1, inputs={"text": self.word}, settings={}, counts={"letters": len(self.word)})

    @property
    def artefacts(self) -> tuple[str, ...]:
        return ("letters.txt",)

    @property
    def run_facts(self) -> Mapping[str, object]:
        return self.facts

    def writers(self) -> tuple[Writer, ...]:
        if not self.word:
            raise ValueError("no text")
        return (lambda folder: {"letters.txt": write_hashed(folder / "letters.txt", [self.word.encode()])},)


def test_it_prints_its_conclusion_its_tables_and_its_notes() -> None:
    assert str(Counted("abc", conclusion="three letters", remarks=("a note",))) == (
        "three letters\n\nletters\n───────\n      3\n\n- a note"
    )
    assert repr(Counted("abc")) == str(Counted("abc"))


def test_json_begins_with_the_conclusion() -> None:
    assert list(Counted("abc", conclusion="three letters").to_dict().items()) == [
        ("conclusion", "three letters"),
        ("letters", 3),
    ]


def test_five_notes_are_shown_and_the_rest_counted_unless_all_are_asked_for() -> None:
    result = Counted("abc", remarks=tuple(f"note {n}" for n in range(8)))
    assert str(result).endswith("- note 3\n- note 4\n3 more notes: --notes, or result.notes in Python.")
    everything = result.text(notes=True)
    assert "Data:\n- note 0\n" in everything
    assert everything.endswith("- note 7")


def test_notes_that_limit_the_conclusion_come_first_and_each_once() -> None:
    notes = [Note("how", "method"), Note("seen"), Note("few", "limits"), Note("seen")]
    assert in_order(notes) == (Note("few", "limits"), Note("seen", "data"), Note("how", "method"))


def test_long_sentences_are_wrapped_at_100_columns() -> None:
    shown = str(Counted("abc", conclusion="word " * 50, remarks=("note " * 50,)))
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_no_result_of_ours_has_the_repr_that_a_dataclass_makes() -> None:
    results: list[type] = [BuildResult, CalibrationResult, MiningResult, Unlabelled, AuditResult, ReplayResult, Result]
    assert [result for result in results if "__repr__" in vars(result)] == []


def test_a_notebook_shows_the_same_with_everything_escaped() -> None:
    shown = Counted("abc", conclusion="<b>", remarks=("1 < 2",))._repr_html_()
    assert shown.startswith("<p><strong>&lt;b&gt;</strong></p>\n<table")
    assert shown.endswith("<details open><summary>1 note</summary>\n<ul>\n<li>1 &lt; 2</li>\n</ul></details>\n")


def test_it_saves_its_files_with_their_hashes_on_the_card_and_what_the_host_decided_in_run_json(tmp_path: Path) -> None:
    folder = Counted("abc", facts={"spent": 3}).save(tmp_path / "out")
    assert sorted(path.name for path in folder.iterdir()) == ["card.json", "letters.txt", "run.json"]
    card = read_card(folder / "card.json")
    assert (set(card.outputs), card.counts) == ({"letters.txt"}, {"letters": 3})
    assert json.loads((folder / "run.json").read_text())["spent"] == 3


def test_a_folder_of_another_result_is_refused_and_replaced_by_force(tmp_path: Path) -> None:
    Counted("abc").save(tmp_path)
    with pytest.raises(ConflictError, match="holds something else"):
        Counted("xy").save(tmp_path)
    Counted("xy").save(tmp_path, force=True)
    assert (tmp_path / "letters.txt").read_text() == "xy"


def test_what_goes_wrong_before_writing_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no text"):
        Counted("").save(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_claimed_folder_stays_claimed_after_saving(tmp_path: Path) -> None:
    with OutputFolder(tmp_path / "out") as claimed:
        assert Counted("abc").save(claimed) == tmp_path / "out"
        with pytest.raises(ConflictError, match="another process"):
            Counted("abc").save(tmp_path / "out")
