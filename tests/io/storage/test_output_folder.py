"""`--out DIR`: the same inputs resume, other inputs are refused by name, one writer at a time."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import ConflictError, InputError
from goldproof.io import OutputFolder, read_card, read_json
from goldproof.records.entities import Card

if TYPE_CHECKING:
    from pathlib import Path

CARD = Card("goldproof.eval", 1, inputs={"qrels": "a" * 64}, settings={"metrics": ["AP"]}, seed=1)
LOCK = ".goldproof.lock"


def test_a_new_folder_is_made_with_its_card_and_the_lock_is_gone_afterwards(tmp_path: Path) -> None:
    with OutputFolder(tmp_path / "a" / "b", card=CARD) as out:
        assert (out / LOCK).exists()
        assert read_card(out / "card.json") == CARD
        out.finish(replace(CARD, counts={"questions": 3}))
    assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == ["card.json"]
    assert read_card(tmp_path / "a" / "b" / "card.json").counts == {"questions": 3}


def test_the_same_inputs_resume(tmp_path: Path) -> None:
    with OutputFolder(tmp_path, card=CARD) as out:
        (out / "items").write_text("kept")
    with OutputFolder(tmp_path, card=replace(CARD, versions={"goldproof": "2"})) as out:
        assert (out / "items").read_text() == "kept"


def test_other_inputs_are_refused_naming_what_differs(tmp_path: Path) -> None:
    with OutputFolder(tmp_path, card=CARD):
        pass
    other = replace(CARD, inputs={"qrels": "b" * 64, "run": "c" * 64}, settings={"metrics": ["AP", "RR"]})
    with pytest.raises(ConflictError) as raised, OutputFolder(tmp_path, card=other):
        pass
    assert str(raised.value) == (
        f"{tmp_path}: holds something else (inputs.qrels: aaaaaaaaaaaa... there, bbbbbbbbbbbb... now; "
        "inputs.run: nothing there, cccccccccccc... now; settings.metrics: ['AP'] there, ['AP', 'RR'] now)."
        "\n  Give another folder, or replace it with --force."
    )
    assert not (tmp_path / LOCK).exists()
    assert read_card(tmp_path / "card.json") == CARD


def test_force_replaces_the_job_and_its_artefacts_only(tmp_path: Path) -> None:
    with OutputFolder(tmp_path, card=CARD) as out:
        (out / "scores.parquet").write_text("old")
        (out / "notes.txt").write_text("mine")
    other = replace(CARD, seed=2)
    with OutputFolder(tmp_path, card=other, artefacts=("scores.parquet", "report.md"), force=True):
        pass
    assert sorted(p.name for p in tmp_path.iterdir()) == ["card.json", "notes.txt"]
    assert read_card(tmp_path / "card.json").seed == 2


def state(folder: Path) -> tuple[object, object]:
    card = read_json(folder / "card.json")
    assert isinstance(card, dict)
    return card.get("unfinished"), card.get("counts")


def test_the_card_is_unfinished_and_without_counts_until_the_job_ends(tmp_path: Path) -> None:
    full = replace(CARD, counts={"questions": 3})
    with OutputFolder(tmp_path, card=full) as out:
        assert state(tmp_path) == (True, None)
        assert read_card(tmp_path / "card.json") == CARD
        out.finish(full)
    assert state(tmp_path) == (None, {"questions": 3})
    assert read_card(tmp_path / "card.json") == full


def test_a_finished_folder_is_unfinished_again_while_it_is_rewritten(tmp_path: Path) -> None:
    full = replace(CARD, counts={"questions": 3})
    with OutputFolder(tmp_path, card=full) as out:
        out.finish(full)
    with OutputFolder(tmp_path, card=full):
        assert state(tmp_path) == (True, None)


KILLED = """
import os, sys
from goldproof.records.entities import Card
from goldproof.io import OutputFolder
card = Card(
    "goldproof.eval", 1, inputs={"qrels": "a" * 64}, settings={"metrics": ["AP"]}, seed=1, counts={"questions": 3}
)
with OutputFolder(sys.argv[1], card=card, artefacts=("items",), force=len(sys.argv) > 2) as out:
    (out / "items").write_text("half")
    os._exit(9)
"""


@pytest.mark.parametrize("force", [False, True])
def test_a_killed_job_looks_unfinished_and_the_same_command_goes_on(tmp_path: Path, *, force: bool) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), *["--force"] * force], check=False)
    assert done.returncode == 9
    assert state(tmp_path) == (True, None)
    full = replace(CARD, counts={"questions": 3})
    with OutputFolder(tmp_path, card=full, artefacts=("items",), force=force) as out:
        assert (out / "items").read_text() == "half"
        out.finish(full)
    assert state(tmp_path) == (None, {"questions": 3})


def test_force_removes_the_listed_artefacts_of_strangers_too(tmp_path: Path) -> None:
    (tmp_path / "scores.parquet").write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    with OutputFolder(tmp_path, card=CARD, artefacts=("scores.parquet", "card.json"), force=True):
        pass
    assert sorted(p.name for p in tmp_path.iterdir()) == ["card.json", "notes.txt"]


def test_a_folder_in_place_of_an_artefact_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "report.md").mkdir()
    with pytest.raises(InputError) as raised, OutputFolder(tmp_path, card=CARD, artefacts=("report.md",), force=True):
        pass
    assert str(raised.value).startswith(f"{tmp_path}/report.md: cannot be replaced (")
    assert not (tmp_path / LOCK).exists()


def test_a_folder_of_strangers_is_refused_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ConflictError) as raised, OutputFolder(tmp_path, card=CARD):
        pass
    assert str(raised.value) == (
        f"{tmp_path}: is not empty and has no card.json (found thesis.tex)."
        "\n  Give another folder, or write into this one with --force."
    )
    with OutputFolder(tmp_path, card=CARD, force=True):
        pass
    assert (tmp_path / "thesis.tex").exists()


def test_an_unreadable_card_is_refused_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("{")
    with pytest.raises(ConflictError, match="holds a card that cannot be read"), OutputFolder(tmp_path, card=CARD):
        pass
    with OutputFolder(tmp_path, card=CARD, force=True):
        assert read_card(tmp_path / "card.json") == CARD


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")
    for path in (tmp_path / "out", tmp_path / "out" / "deeper"):
        with pytest.raises(InputError) as raised, OutputFolder(path, card=CARD):
            pass
        assert str(raised.value) == f"{path}: is a file, expected a folder to write to."


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with OutputFolder(tmp_path, card=CARD):
        with pytest.raises(ConflictError) as raised, OutputFolder(tmp_path, card=CARD):
            pass
        assert str(raised.value) == (
            f"{tmp_path}: another process is writing there (process {os.getpid()} on {socket.gethostname()})."
            "\n  Wait for it to end."
        )
        assert (tmp_path / LOCK).exists()


def test_the_lock_is_released_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), OutputFolder(tmp_path, card=CARD):
        raise ZeroDivisionError
    assert not (tmp_path / LOCK).exists()


def test_the_final_card_must_be_of_the_same_job(tmp_path: Path) -> None:
    with OutputFolder(tmp_path, card=CARD) as out, pytest.raises(ConflictError) as raised:
        out.finish(replace(CARD, seed=2))
    assert str(raised.value) == f"{tmp_path}: the final card is of another job: seed: 1 there, 2 now."


def test_a_star_in_the_name_of_an_artefact_stands_for_any_part(tmp_path: Path) -> None:
    for name in ("run.old.jsonl", "run.json", "notes.txt", "card.json"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    with OutputFolder(tmp_path, card=CARD, artefacts=("run.*.jsonl", "card.json"), force=True):
        assert {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")} == {
            *("run.json", "notes.txt", "card.json"),
        }


def test_events_are_part_of_the_finished_card_and_do_not_make_it_another(tmp_path: Path) -> None:
    card = Card("test", 1, inputs={}, settings={})
    told = replace(card, events={"hold-out opened": "2024-05-01T09:30:00+00:00"})
    with OutputFolder(tmp_path / "out", card=card) as out:
        out.finish(told)
    assert read_card(tmp_path / "out" / "card.json").events == {"hold-out opened": "2024-05-01T09:30:00+00:00"}
    with OutputFolder(tmp_path / "out", card=card) as out:  # the same job again, not refused
        assert "events" not in (tmp_path / "out" / "card.json").read_text()
        out.finish(told)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_subfolder_that_is_a_link_is_refused_and_nothing_is_removed_through_it(tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    for folder in (home, out):
        folder.mkdir()
    (home / "a.py").write_text("mine")
    (out / "proofs").symlink_to(home)
    with (
        pytest.raises(InputError, match="is a link, so files elsewhere would be replaced"),
        OutputFolder(out, card=CARD, artefacts=("proofs/*.py",), force=True),
    ):
        pass
    assert (home / "a.py").read_text() == "mine"
