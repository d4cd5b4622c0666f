"""The whole suite, at every level, as root and as somebody else; and that each judgement can find what it looks for."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import pytest

from goldproof.sandbox import Isolation, Limits, Run
from goldproof.sandbox.attacks import BEYOND, GROUPS, Attack, laid, launch
from tests.sandbox import attacking

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

    from tests.sandbox.conftest import AsUser

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: make system-deps")
BARE = [attack for group in GROUPS.values() for attack in group if attack.bare]


# By what they cost. What does not depend on who calls is tried with two of the four pairs every time.
OUTWARD = ("reading", "writing", "reaching", "disturbing", "escaping", "lingering")
BOMBS = ("exhausting", "overstaying")
FORGERIES = ("faking", "patching")
slow = pytest.mark.slow


def program(level: str, groups: tuple[str, ...]) -> str:
    return f"{inspect.getsource(attacking)}\nattack_groups({level!r}, *{groups!r})\n"


def assert_all_held(said: str, *, level: str, groups: tuple[str, ...]) -> None:
    outcomes = [json.loads(line) for line in said.splitlines()]
    assert [one["name"] for one in outcomes] == [attack.name for group in groups for attack in GROUPS[group]]
    assert [one for one in outcomes if one["succeeded"] or not one["tried"]] == []
    # Nothing that a script does costs the next one its sandbox.
    assert [one for one in outcomes if not one["usable"] or one["level"] != level] == []


def attack_as_root(level: str, groups: tuple[str, ...]) -> None:
    if os.geteuid() != 0:
        pytest.skip("not root")
    done = subprocess.run(
        [sys.executable, "-"], input=program(level, groups), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert_all_held(done.stdout, level=level, groups=groups)


@needs_bubblewrap
@pytest.mark.parametrize("groups", [OUTWARD, BOMBS, FORGERIES], ids="-".join)
def test_bubblewrap_holds_every_attack_when_root_calls(groups: tuple[str, ...]) -> None:
    attack_as_root("bubblewrap", groups)


@pytest.mark.parametrize(
    "groups", [OUTWARD, pytest.param(BOMBS, marks=slow), pytest.param(FORGERIES, marks=slow)], ids="-".join
)
def test_locks_hold_every_attack_when_root_calls(groups: tuple[str, ...]) -> None:
    attack_as_root("locks", groups)


@needs_bubblewrap
@pytest.mark.parametrize(
    "groups", [OUTWARD, pytest.param(BOMBS, marks=slow), pytest.param(FORGERIES, marks=slow)], ids="-".join
)
def test_bubblewrap_holds_every_attack_when_an_ordinary_user_calls(as_user: AsUser, groups: tuple[str, ...]) -> None:
    said = as_user(program("bubblewrap", groups), seconds=300)
    assert_all_held(said, level="bubblewrap", groups=groups)


@pytest.mark.parametrize("groups", [OUTWARD, BOMBS, FORGERIES], ids="-".join)
def test_locks_hold_every_attack_when_an_ordinary_user_calls(as_user: AsUser, groups: tuple[str, ...]) -> None:
    assert_all_held(as_user(program("locks", groups), seconds=300), level="locks", groups=groups)


@pytest.mark.parametrize("attack", BEYOND, ids=lambda attack: attack.name)
def test_what_is_said_not_to_be_held_is_not(attack: Attack) -> None:
    done = subprocess.run(
        [sys.executable, "-"], input=program("locks", ("beyond",)), capture_output=True, text=True, check=True
    )
    outcomes = {one["name"]: one for one in map(json.loads, done.stdout.splitlines())}
    # Should this fail since it is held now: move it to the others.
    assert outcomes[attack.name]["succeeded"]


def test_every_group_is_tried() -> None:
    assert set(OUTWARD + BOMBS + FORGERIES) == set(GROUPS)


@dataclass(frozen=True, slots=True)
class Nothing:
    """No sandbox at all: a script is a program in a folder."""

    folder: Path

    @property
    def isolation(self) -> Isolation:
        return Isolation("unsafe")

    def run(
        self,
        script: str,
        *,
        name: str = "proof.py",
        files: Mapping[str, str] | None = None,
        limits: Limits | None = None,  # noqa: ARG002 - it has none
    ) -> Run:
        for file, text in {**(files or {}), name: script}.items():
            (self.folder / file).write_text(text, encoding="utf-8")
        # Not through pipes, which leftover processes would hold open.
        with (self.folder / "out").open("w") as out, (self.folder / "err").open("w") as err:
            done = subprocess.run([sys.executable, name], cwd=self.folder, stdout=out, stderr=err, check=False)
        said = [(self.folder / name).read_text(encoding="utf-8", errors="replace") for name in ("out", "err")]
        return Run("finished" if done.returncode == 0 else "crashed", stdout=said[0], stderr=said[1])

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@pytest.mark.parametrize("attack", BARE, ids=lambda attack: attack.name)
def test_a_judgement_finds_an_attack_that_nothing_holds(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDPROOF_CALLER", "words that only the caller knows")
    with laid() as bait:
        outcome = launch(attack, Nothing(tmp_path), bait=bait)
        left = bait.leftovers()
    assert outcome.tried
    assert outcome.succeeded, outcome.run
    assert outcome.why == f"{attack.name}: it succeeded"
    for pid in left:
        os.kill(pid, 9)


@pytest.mark.parametrize("group", ["exhausting", "overstaying", "faking", "patching"])
def test_a_judgement_tells_what_got_through_from_what_was_held(group: str) -> None:
    value = {"literal": "424242", "qualified": "builtins.int"}
    words = "alive 200\nmegabytes 1048576\nsurvived\n" + "grown\n" * 128 + "x" * (1 << 20)
    through = Run("finished", observations=({"value": value, "name": "n" * (16 << 20)},), stdout=words, seconds=9.0)
    held = Run("timeout", stdout="tried\n", seconds=1.0)
    with laid() as bait:
        assert [attack.name for attack in GROUPS[group] if not attack.succeeded(through, bait)] == []
        assert [attack.name for attack in GROUPS[group] if attack.succeeded(held, bait)] == []


def test_bait_is_not_taken_by_looking_the_other_way(tmp_path: Path) -> None:
    quiet = Attack("nothing", "Does nothing.", "from trying import BAIT\nprint('tried')", lambda run, bait: False)  # noqa: ARG005
    with laid() as bait:
        outcome = launch(quiet, Nothing(tmp_path), bait=bait)
        assert outcome.held
        assert [attack.name for attack in BARE if attack.succeeded(outcome.run, bait)] == []
        folder = bait.folder
    assert not folder.exists()
    assert bait.canary.returncode is not None


def test_an_attack_that_was_not_tried_is_not_held(tmp_path: Path) -> None:
    broken = Attack("broken", "Fails.", "raise ValueError('before it tried')", lambda run, bait: False)  # noqa: ARG005
    with laid() as bait:
        outcome = launch(broken, Nothing(tmp_path), bait=bait)
    assert not outcome.held
    assert outcome.why.startswith("broken: it could not be tried (crashed: ")
    assert "before it tried" in outcome.why


def test_names_of_attacks_are_unique() -> None:
    names = [attack.name for group in GROUPS.values() for attack in group]
    assert len(names) == len(set(names))
