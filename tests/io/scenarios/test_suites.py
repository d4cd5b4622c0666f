"""Suites by what the user says, joined and split."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.scenarios import bundled_suites, open_suite, open_suites, split_suite

if TYPE_CHECKING:
    from pathlib import Path

PARTS = ("debate", "chat", "ocr", "support", "coding")
MAIN = (*PARTS, "holdout_talk", "holdout_work")
READABLE = (
    "Readable: scenario files (YAML or JSON with the key scenarios), LoCoMo's and LongMemEval's JSON; "
    "locomo:PATH and longmemeval:PATH say which."
)


def put(folder: Path, name: str, *ids: str, split: str = "development") -> Path:
    scenarios = [
        {"id": one, "split": split, "memories": [["a", "b"]], "queries": [{"kind": "negative", "query": "c"}]}
        for one in ids
    ]
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"scenarios": scenarios}))
    return path


def test_bundled_suites_open_by_name() -> None:
    assert tuple(bundled_suites()) == ("smoke", "main", *PARTS)
    assert open_suite("smoke").inputs.keys() == {"smoke.yaml"}
    main = open_suite("main")
    assert main.name == "main"
    assert tuple(main.inputs) == tuple(f"{name}.yaml" for name in MAIN)
    assert len(main.scenarios) == sum(len(open_suite(path).scenarios) for path in bundled_suites()["main"])
    assert {scenario.split for scenario in main.scenarios} == {"development", "holdout"}


@pytest.mark.parametrize("name", ["holdout_talk", "holdout_work"])
def test_the_hold_out_of_main_is_no_suite_of_its_own(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownNameError, match=f"unknown suite '{name}'"):
        open_suite(name)


@pytest.mark.parametrize("name", ["smoke", *PARTS])
def test_bundled_files_are_well_formed(name: str) -> None:
    assert open_suite(name).queries > 0


def test_a_file_is_recognised_by_its_content(tmp_path: Path) -> None:
    assert [one.id for one in open_suite(put(tmp_path, "a.locomo", "x")).scenarios] == ["x"]
    assert open_suite(str(put(tmp_path, "named.json", "x"))).name == "named"
    (tmp_path / "b.txt").write_text("# A comment.\nname: b\nscenarios:\n- " + json.dumps(_scenario("y")) + "\n")
    assert open_suite(tmp_path / "b.txt").name == "b"


def _scenario(name: str) -> dict[str, Any]:
    return {"id": name, "memories": [["a", "b"]], "queries": [{"kind": "negative", "query": "c"}]}


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    path = put(tmp_path, "x.json", "x")
    assert open_suite(f"scenarios:{path}") == open_suite(path)
    with pytest.raises(FileFormatError, match="record 1: no question_id, expected text"):
        open_suite(f"longmemeval:{path}")
    with pytest.raises(FileFormatError, match="record 1: conversation is null, expected an object"):
        open_suite(f"locomo:{path}")


def test_a_name_that_nobody_knows_is_refused_with_near_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownNameError) as caught:
        open_suite("smok")
    assert str(caught.value) == (
        "unknown suite 'smok'; did you mean 'smoke'?\n"
        "  Give one of smoke, main, debate, chat, ocr, support, coding, or a file."
    )
    with pytest.raises(UnknownNameError) as caught:
        open_suite("locmo:x.json")
    assert str(caught.value) == f"unknown format of scenarios 'locmo'; did you mean 'locomo'?\n  {READABLE}"


def test_a_file_that_is_missing_or_something_else_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "talks.json", "x")
    (tmp_path / "x.run").write_text("1 Q0 a 1 2 t\n")
    (tmp_path / "y").write_text('{"a": {"scenarios": []}}\n{"a": 1}\n')
    for name, said in (
        ("talk.json", "no such file.\n  Did you mean talks.json?"),
        ("none", "no such file."),
        ("x.run", f"is not recognised as a file of scenarios.\n  {READABLE}"),
        ("y", f"is not recognised as a file of scenarios.\n  {READABLE}"),
    ):
        with pytest.raises(FileFormatError) as caught:
            open_suite(str(tmp_path / name))
        assert str(caught.value) == f"{tmp_path / name}: {said}"


def test_several_suites_are_joined_in_their_order(tmp_path: Path) -> None:
    first, second = put(tmp_path / "1", "x.json", "a", "b"), put(tmp_path / "2", "x.json", "c")
    suite = open_suites([second, first])
    assert suite.name == "x+x"
    assert [scenario.id for scenario in suite.scenarios] == ["c", "a", "b"]
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (second, first)]
    assert suite.inputs == {"x.json": digests[0], "x.json#2": digests[1]}
    assert open_suites([first]) == open_suite(first)


def test_an_id_in_two_suites_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        open_suites([put(tmp_path, "x.json", "a", "b"), put(tmp_path, "y.json", "b")])
    assert str(caught.value) == (
        "scenario 'b' is in x and in y; ids are unique in what is run together, so rename one, or run them one by one."
    )


def test_no_suite_is_refused() -> None:
    with pytest.raises(InputError, match="no suite of scenarios is named; expected a file, or one of smoke, main"):
        open_suites([])


def test_remarks_say_whose_they_are(tmp_path: Path) -> None:
    record = {
        "question_id": "q_abs",
        "question": "?",
        "haystack_sessions": [[{"role": "a", "content": "b"}], []],
    }
    (tmp_path / "lme.json").write_text(json.dumps([record]))
    suite = open_suites([put(tmp_path, "x.json", "a"), tmp_path / "lme.json"])
    assert suite.remarks == (
        "longmemeval: Sessions left out, without turns: 1.",
        "longmemeval: Questions asked after everything, since they or their sessions lack a date: 1.",
    )


def test_a_suite_is_split(tmp_path: Path) -> None:
    one = put(tmp_path, "x.json", "a", "b")
    both = open_suites([one, put(tmp_path, "y.json", "c", split="holdout")])
    for split, ids in (("development", ["a", "b"]), ("holdout", ["c"]), ("all", ["a", "b", "c"])):
        part = split_suite(both, split)  # type: ignore[arg-type]
        assert [scenario.id for scenario in part.scenarios] == ids
        assert (part.name, part.inputs) == (both.name, both.inputs)


def test_a_split_that_is_empty_or_unknown_is_refused(tmp_path: Path) -> None:
    suite = open_suite(put(tmp_path, "x.json", "a"))
    with pytest.raises(InputError) as caught:
        split_suite(suite, "holdout")
    assert str(caught.value) == (
        "x: no scenario is in the split holdout; mark some with `split: holdout`, or use all of them."
    )
    with pytest.raises(UnknownNameError, match="unknown split 'hold-out'; did you mean 'holdout'"):
        split_suite(suite, "hold-out")  # type: ignore[arg-type]
