"""Help: what a command is for, examples that run, options under headings, in words and not in types."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import TYPE_CHECKING, Any

import pytest
import typer

from goldproof.cli.help import HEADINGS, OTHER, HelpCommand, first_line, place_of
from goldproof.cli.main import COMMANDS, PURPOSES, app
from tests.jobs.trace.conversations import talk, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Done

ROOT: Any = typer.main.get_command(app)
# These need a network, a key, code of the user's or minutes; they are parsed, not run.
NOT_RUN = re.compile(r"goldproof (demo|replay|verify|memory tune --trials|.*(llm:|--model |my_memory:|my_search:))")


def leaves(command: Any = ROOT, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - click is private to typer
    for name, child in command.commands.items():
        if hasattr(child, "commands"):
            yield from leaves(child, f"{path}{name} ")
        else:
            yield f"{path}{name}", child


ALL = dict(leaves())
EXAMPLES = [
    pytest.param(name, example.line, id=example.line) for name, command in ALL.items() for example in command.examples
]


def text_of(name: str, *, width: int = 100) -> str:
    context = ALL[name].make_context(f"goldproof {name}", [], resilient_parsing=True, terminal_width=width)
    return str(ALL[name].get_help(context))


def test_every_command_is_listed_under_what_one_wants_by_the_first_line_of_its_own_help() -> None:
    assert sorted(name for names in PURPOSES.values() for name in names) == sorted(COMMANDS)
    assert {name: first_line(ROOT.commands[name].help) for name in COMMANDS} == {
        name: text for name, (_, text) in COMMANDS.items()
    }


def test_every_command_has_two_examples_that_begin_with_its_name() -> None:
    few = {name for name, command in ALL.items() if len(command.examples) < 2}
    assert few == {"cache path", "cache size", "cache clear"}  # which take nothing, or one flag
    for name, command in ALL.items():
        assert all(example.line.startswith(f"goldproof {name}") for example in command.examples)
        assert all(example.line.split(" --")[0] in text_of(name) for example in command.examples)


@pytest.mark.parametrize("name", ALL)
def test_every_option_stands_under_a_heading_in_the_order_of_the_table(name: str) -> None:
    assert isinstance(ALL[name], HelpCommand)
    flags = [param.opts[-1] for param in ALL[name].params if param.param_type_name == "option"]
    assert [flag for flag in flags if place_of(flag, command=name)[0] == OTHER] == []
    shown = [line[:-1] for line in text_of(name).splitlines() if re.fullmatch(r"[A-Z][\w ]+:", line)]
    if "Options" not in shown:  # a command with few options has one list
        assert [heading for heading in shown if heading in HEADINGS] == [each for each in HEADINGS if each in shown]


@pytest.mark.parametrize("name", ALL)
def test_help_has_nouns_and_no_types_and_fits_its_width(name: str) -> None:
    text = text_of(name)
    assert not re.findall(r"<\w[\w\[\]| ]*>|x>=|\bTEXT\b|\bINTEGER\b|\{", text)
    assert max(map(len, text.splitlines())) <= 100
    unnamed = [
        param.opts[-1]
        for param in ALL[name].params
        if param.metavar is None and not (getattr(param, "is_flag", False) or param.param_type_name == "argument")
    ]
    assert unnamed == []


def test_a_flag_of_one_command_may_stand_elsewhere_than_the_same_flag_of_another() -> None:
    assert place_of("--queries", command="eval")[0] == "Metrics"
    assert place_of("--queries", command="retrieve")[0] == "Input"
    assert place_of("--k", command="memory run")[0] == "Memory systems"
    assert place_of("--unheard-of", command="eval")[0] == OTHER


@pytest.mark.parametrize(("name", "line"), EXAMPLES)
def test_every_example_is_understood(name: str, line: str) -> None:
    arguments = shlex.split(line)[1 + len(name.split()) :]
    ALL[name].make_context(name, arguments)  # raises on an unknown option, a missing argument or a wrong type


@pytest.fixture
def workplace(tmp_path: Path, repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name."""
    monkeypatch.chdir(tmp_path)
    demo = repo / "src" / "goldproof" / "data" / "demo"
    shutil.copytree(demo, "beir")
    for name, source in {"bm25.trec": "runs/titles.trec", "dense.trec": "runs/fulltext.trec"}.items():
        shutil.copy(demo / source, name)
    for name in ("queries.jsonl", "corpus.jsonl"):
        shutil.copy(demo / name, name)
    rows = [line.split("\t") for line in (demo / "qrels" / "test.tsv").read_text().splitlines()[1:]]
    (tmp_path / "qrels.trec").write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in rows))
    (tmp_path / "labels.csv").write_text("query_id,doc_id,grade\n" + "".join(f"{q},{d},{g}\n" for q, d, g in rows))
    judged = [f'{{"query_id": "{q}", "doc_id": "{d}", "grade": {min(int(g), 1)}}}\n' for q, d, g in rows]
    (tmp_path / "judgments.jsonl").write_text("".join(judged))
    for name, better in {"new": 0.3, "old": 0, "a": 0.2, "b": 0.1}.items():
        scores = "".join(f"q{i},faithfulness,{i % 7 / 10 + better}\n" for i in range(20))
        (tmp_path / f"{name}.csv").write_text(f"id,metric,value\n{scores}")
    for name in ("traces", "old", "new"):
        write(tmp_path / f"{name}.jsonl", [talk(f"c{i}", [("a", 3)], [("a", 3), ("b", i % 4)]) for i in range(5)])
    asked = [f"What is the capital of country {i} in {1900 + i}?,City {i},City {i} is the capital" for i in range(60)]
    (tmp_path / "questions.csv").write_text("question,answer,context\n" + "\n".join(asked) + "\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "queue.md").write_text("# Queues\n\nA queue keeps messages until they are read.\n")
    return tmp_path


@pytest.mark.parametrize(("name", "line"), [each for each in EXAMPLES if not NOT_RUN.match(str(each.values[1]))])
def test_every_example_runs(name: str, line: str, workplace: Path, goldproof: Callable[..., Done]) -> None:
    if name == "combine":
        for number, file in enumerate(("first", "second")):
            assert goldproof("build", "quickstart", "--seed", number, "--out", f"{file}-folder").code == 0
        first = (workplace / "first-folder" / "quickstart.jsonl").read_text().splitlines(keepends=True)
        (workplace / "first.jsonl").write_text("".join(first[:10]))
        (workplace / "second.jsonl").write_text("".join(first[10:]))
    done = goldproof(*shlex.split(line)[1:])
    assert done.code == 0, done.err
    assert "Traceback" not in done.err
