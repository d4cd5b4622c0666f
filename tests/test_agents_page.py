"""The page for coding agents shows the keys that `--json` prints."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ANY_KEY = re.compile(r"[A-Z]+(_vs_[A-Z]+)?")
DEMO = "src/goldproof/data/demo"


def documented(repo: Path, command: str) -> dict[str, Any]:
    page = (repo / "docs" / "agents.md").read_text(encoding="utf-8")
    section = re.search(rf"^## goldproof {command}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert section is not None, command
    shape = re.search(r"```json\n(.*?)```", section[1], re.DOTALL)
    assert shape is not None, command
    return dict[str, Any](json.loads(shape[1]))


def missing(shown: object, real: object, path: str = "") -> list[str]:
    """Return the documented keys that are not there; one in capitals stands for any key, {} and [] for any content."""
    if isinstance(shown, list) and shown and isinstance(real, list) and real:
        return missing(shown[0], real[0], f"{path}[]")
    if not isinstance(shown, dict) or not shown:
        return []
    if not isinstance(real, dict):
        return [f"{path} is {type(real).__name__}"]
    found = list[str]()
    for key, value in shown.items():
        at = next(iter(real), None) if ANY_KEY.fullmatch(key) else key
        found += missing(value, real[at], f"{path}.{key}") if at in real else [f"{path}.{key}"]
    return found


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mined")
    with pytest.raises(SystemExit):
        main(["mine", "example", "--out", str(folder)])
    return folder


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audit")
    with pytest.raises(SystemExit):
        main(["verify", "example", "--out", str(folder)])
    return folder


def runs(repo: Path) -> list[str]:
    folder = repo / DEMO
    named = (f"{name}={folder / 'runs' / name}.trec" for name in ("titles", "fulltext"))
    return [str(folder), *(word for run in named for word in ("--run", run))]


def labels(folder: Path, to: Path) -> Path:
    """Write labels as the judge gave them, for the first 40 pairs."""
    rows = [json.loads(line) for line in (folder / "judgments.jsonl").read_text(encoding="utf-8").splitlines()]
    pairs = [row for row in rows if row["label"] in ("yes", "no") and len(row["documents"]) == 1][:40]
    with to.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([("query_id", "doc_id", "label"), *((r["query_id"], r["doc_id"], r["label"]) for r in pairs)])
    return to


SCORES = "id,metric,value\n" + "".join(f"q{i},faithfulness,0.{i}\n" for i in range(1, 10))
TRACE = '{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"results": [{"id": "d", "gain": 3}]}]}]}]}\n'

COMMANDS: dict[str, Callable[[Path, Path, pytest.FixtureRequest], list[str]]] = {
    "eval": lambda repo, _, __: ["eval", "--metrics", "nDCG@10", "--dataset", *runs(repo)],
    "compare": lambda _, tmp, __: ["compare", str(tmp / "new.csv"), str(tmp / "old.csv")],
    "retrieve": lambda repo, tmp, _: [
        *("retrieve", "--queries", str(repo / DEMO), "--corpus", str(repo / DEMO)),
        *("--retriever", "bm25", "--out", str(tmp / "run.jsonl")),
    ],
    "mine": lambda *_: ["mine", "example"],
    "build": lambda _, tmp, __: ["build", "quickstart", "--out", str(tmp / "built")],
    "verify": lambda *_: ["verify", "example"],
    "replay": lambda _, __, request: ["replay", str(request.getfixturevalue("audit")), "--against", "PyYAML,pydantic"],
    "trace": lambda _, tmp, __: ["trace", str(tmp / "trace.jsonl")],
    "memory run": lambda *_: ["memory", "run", "smoke", "--memory", "bm25 | top(5)"],
    "judge calibrate": lambda _, tmp, request: [
        *("judge", "calibrate", "--human", str(labels(request.getfixturevalue("mined"), tmp / "labels.csv"))),
        *("--judgments", str(request.getfixturevalue("mined") / "judgments.jsonl")),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_documented_keys_are_the_real_keys(
    repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest, command: str
) -> None:
    for name, text in {"new.csv": SCORES, "old.csv": SCORES, "trace.jsonl": TRACE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = COMMANDS[command](repo, tmp_path, request)
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([*words, "--json"])
    printed = capsys.readouterr()
    assert left.value.code == 0, printed.err
    real, shown = json.loads(printed.out), documented(repo, command)
    assert next(iter(shown)) == "conclusion"
    assert set(shown) == set(real)
    assert missing(shown, real) == []


def test_llms_txt_has_the_form_that_is_expected_of_it(repo: Path) -> None:
    """One title, one quote, then sections of links; every link leads to a page."""
    text = (repo / "llms.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line]
    assert lines[0].startswith("# ")
    assert lines[1].startswith("> ")
    assert [line for line in lines[1:] if line.startswith("# ")] == []
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 10
    assert [link for link in links if not (repo / link).is_file()] == []
