"""Forms: each value is read as its annotation says, or a sentence says where, what was found and what was expected."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.forms import (
    Count,
    Flag,
    Form,
    Name,
    Names,
    NameSets,
    Paths,
    Reads,
    ShareOrOff,
    Unfolds,
    Whole,
    check_form,
    one_of,
    read_form,
)
from goldproof.io.yaml_files import load_yaml


@dataclass(frozen=True, slots=True)
class Stop(Form):
    source: Name = field(metadata={"key": "from"})
    minutes: Count = 5
    seen: bool = field(default=False, metadata={"key": None})

    @classmethod
    def unfold(cls, value: object) -> object:
        return {"from": value} if isinstance(value, str) else value


def total(counts: dict[str, int]) -> int:
    if sum(counts.values()) > 100:
        raise InputError("more than 100 seats.")
    return sum(counts.values())


Seats = Annotated[dict[str, Whole], Unfolds(lambda value: value if isinstance(value, Mapping) else {"all": value})]


@dataclass(frozen=True, slots=True)
class Line(Form):
    EXPECTED = "keys such as name: and stops:"

    name: Name
    stops: tuple[Stop, ...]
    colour: Annotated[str, one_of(["red", "green"])] = "red"
    runs: Names = ()
    changes: NameSets = ()
    files: Paths = ()
    night: Flag = False
    share: ShareOrOff = 0.5
    owner: Name | None = None
    seats: Annotated[int, Reads(total, "seats", of=Seats)] = 0
    named: dict[str, Stop] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.name == "nowhere":
            raise InputError("nowhere is no line.")


GOOD = """\
name: 01
stops:
- {from: a, minutes: 3}
- b
"""
LONG = """\
colour: green
runs: [x, y]
changes: [[a, b], c]
files: [a.csv]
night: true
share: null
seats: {first: 20, second: 30}
named: {z: {from: zoo}}
"""


def read(folder: Path, text: str) -> Line:
    path = folder / "line.yaml"
    path.write_text(text, encoding="utf-8")
    return read_form(path, Line, hint="See the page.")


def test_every_kind_of_value_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == Line("01", (Stop("a", 3), Stop("b")))
    assert read(tmp_path, GOOD + LONG) == Line(
        "01",
        (Stop("a", 3), Stop("b")),
        colour="green",
        runs=("x", "y"),
        changes=(("a", "b"), ("c",)),
        files=(Path("a.csv"),),
        night=True,
        share=None,
        seats=50,
        named={"z": Stop("zoo")},
    )


def test_a_python_mapping_may_hold_numbers_tuples_and_paths() -> None:
    stops = (MappingProxyType({"from": "a", "minutes": 3}),)
    values = {"name": "n", "stops": stops, "share": 0.25, "files": (Path("a"), "b"), "seats": 7}
    found = check_form(MappingProxyType(values), Line, Diagnostics(Path("a recipe")))
    assert found == Line("n", (Stop("a", 3),), share=0.25, files=(Path("a"), Path("b")), seats=7)


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
BAD = {
    "nothing": ("# nothing\n", None, "found nothing, expected keys such as name: and stops:."),
    "a list": ("- a\n", 1, "found ['a'], expected keys such as name: and stops:."),
    "a text": ("a\n", None, "found 'a', expected keys such as name: and stops:."),
    "no name": ("stops: [a]\n", 1, "no key 'name', expected a name."),
    "no stops": ("\nname: x\n", 2, "no key 'stops', expected a list."),
    "the home of nobody": (
        GOOD + "files: [~no-such-user/x]\n",
        5,
        "files is ['~no-such-user/x'], expected a list of names, such as [a.jsonl, b.jsonl].",
    ),
    "stops in no list": ("name: x\nstops: a\n", 2, "stops is 'a', expected a list."),
    "a stop that is none": ("name: x\nstops:\n- a\n- [b]\n", 4, "stops[2] is ['b'], expected a mapping."),
    "a stop without a source": (
        "name: x\nstops:\n- a\n- {minutes: 1}\n",
        4,
        "stops[2]: no key 'from', expected a name.",
    ),
    "a stop with a wrong source": ("name: x\nstops:\n- a\n- ''\n", 3, "stops[2] is '', expected a name."),
    "no minutes": (
        "name: x\nstops:\n- a\n- from: b\n  minutes: 0\n",
        5,
        "stops[2]: minutes is '0', expected a whole number of at least 1.",
    ),
    "a misspelt key": (GOOD + "\nnigth: true\n", 6, "unknown key 'nigth'; did you mean 'night'?"),
    "a misspelt key of a stop": (
        "name: x\nstops:\n- form: a\n",
        3,
        "stops[1]: unknown key 'form'; did you mean 'from'?",
    ),
    "the name of a field that is no key": (
        "name: x\nstops:\n- {from: a, seen: true}\n",
        3,
        "stops[1]: unknown key 'seen'; known: from, minutes.",
    ),
    "an unknown name": (GOOD + "colour: gren\n", 5, "colour: unknown name 'gren'; did you mean 'green'?"),
    "a text for a flag": (GOOD + "night: 1\n", 5, "night is '1', expected true or false."),
    "a blank name in a list": (
        GOOD + "runs: [a, ' ']\n",
        5,
        "runs is ['a', ' '], expected a list of names, such as [a, b].",
    ),
    "an empty set": (GOOD + "changes: [[]]\n", 5, "changes is [[]], expected lists of names, such as [[a, b], [c]]."),
    "a share above 1": (
        GOOD + "share: 80\n",
        5,
        "share is '80', expected a number above 0 and at most 1, or null for off.",
    ),
    "a share that is not a number": (
        GOOD + "share: .nan\n",
        5,
        "share is '.nan', expected a number above 0 and at most 1, or null for off.",
    ),
    "a number of many digits": (
        GOOD + f"seats: {'9' * 5000}\n",
        5,
        f"seats is '{'9' * 56}..., expected a whole number.",
    ),
    "a wrong number in a mapping": (
        GOOD + "seats:\n  first: 1\n  second: some\n",
        7,
        "seats: second is 'some', expected a whole number.",
    ),
    "too many": (GOOD + "seats: 101\n", 5, "seats: more than 100 seats."),
    "no mapping": (GOOD + "named: [a]\n", 5, "named is ['a'], expected a mapping."),
    "a mapping in a mapping": (
        GOOD + "named:\n  z: {form: a}\n",
        6,
        "named: z: unknown key 'form'; did you mean 'from'?",
    ),
    "a record that is wrong as a whole": ("name: nowhere\nstops: [a]\n", 1, "nowhere is no line."),
    "a key twice": ("name: a\nname: b\n", 2, "key 'name' occurs twice."),
    "a list in itself": (
        GOOD + "runs: &a [*a]\n",
        5,
        "runs is [[[[[...]]]]], expected a list of names, such as [a, b].",
    ),
    "a mapping in itself": (GOOD + "named: &a {z: *a}\n", 5, "named: z: unknown key 'z'; known: from, minutes."),
    "lists in lists": (
        GOOD + f"runs: {'[' * 1200}{']' * 1200}\n",
        5,
        "runs is [[[[[...]]]]], expected a list of names, such as [a, b].",
    ),
    "lists that double": (
        f"{BOMB}stops: *a59\n",
        1,
        "unknown key 'a0'; known: changes, colour, files, name, named, night, owner, runs, seats, share, stops.",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_with_its_line(name: str, tmp_path: Path) -> None:
    text, line, problem = BAD[name]
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, text)
    assert (caught.value.line, caught.value.problem) == (line, problem)
    assert caught.value.hint == ("Keep one of them." if "twice" in name else "See the page.")


def test_a_value_that_doubles_with_every_alias_is_shown_in_short(tmp_path: Path) -> None:
    @dataclass(frozen=True, slots=True)
    class Doubled(Form):
        a: Mapping[str, object]
        b: Whole

    path = tmp_path / "bomb.yaml"
    path.write_text("a:\n" + "".join(f"  {line}\n" for line in BOMB.splitlines()) + "b: *a59\n")
    with pytest.raises(FileFormatError, match=r"bomb\.yaml:62: b is \[\[\[\[.*\.\.\., expected a whole number\.$"):
        read_form(path, Doubled)


def test_where_is_put_before_the_problem_and_python_mappings_have_no_line() -> None:
    with pytest.raises(FileFormatError, match=r"^recipe: line 3, stop 2: minutes is 'many', expected a whole number"):
        check_form({"from": "a", "minutes": "many"}, Stop, Diagnostics(Path("recipe")), where="line 3, stop 2: ")


def test_pydantic_is_imported_when_a_form_is_read_and_not_before() -> None:
    program = (
        "import sys, goldproof.io.forms as f, goldproof.io.diagnostics as d, dataclasses, pathlib\n"
        "A = dataclasses.make_dataclass('A', [('a', f.Name)], bases=(f.Form,))\n"
        "print('pydantic' in sys.modules)\n"
        "f.check_form({'a': 'b'}, A, d.Diagnostics(pathlib.Path('x')))\n"
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@dataclass(frozen=True, slots=True)
class Limits(Form):
    retries: Count | None = None
    share: ShareOrOff = 0.5


def test_a_key_without_a_value_is_refused_unless_null_means_something(tmp_path: Path) -> None:
    path = tmp_path / "limits.yaml"
    path.write_text("share: null\n")
    assert read_form(path, Limits).share is None
    path.write_text("share: 0.1\nretries:\n")
    with pytest.raises(FileFormatError, match=r"limits\.yaml:2: retries is nothing, expected a whole number"):
        read_form(path, Limits)


@pytest.mark.parametrize("text", ["retries: !!map xy\n", "!!map [a]\n", "retries: !!map [a]\n"])
def test_what_is_tagged_a_mapping_and_is_none_gets_one_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(FileFormatError, match="expected a mapping"):
        load_yaml(tmp_path / "x.yaml", Diagnostics(tmp_path / "x.yaml"))


def test_deep_blocks_are_refused_like_deep_lists(tmp_path: Path) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text("".join(f"{' ' * depth}a:\n" for depth in range(6_000)))
    with pytest.raises(FileFormatError, match="nested too deeply"):
        load_yaml(path, Diagnostics(path))
