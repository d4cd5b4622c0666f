from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.verify.proof import Control
from goldproof.jobs.verify.rules.scripts import IMPOSSIBLE, call_text, proof_script
from goldproof.jobs.verify.trying import Runs, masked, try_proof
from goldproof.sandbox import Run
from tests.jobs.verify.hand_made import observed, proof, yaml_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.verify.proof import Expectation
    from goldproof.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with yaml_sandbox() as opened:
        yield opened


def name(path: str, *, says: str = "It is there.") -> str:
    return proof_script(call_text("observe_name", path), says=says, uses=("observe_name",))


def code(text: str) -> str:
    return proof_script(call_text("observe_code", text), says="It does.", uses=("observe_code",))


EXISTS = Control(script=name(f"yaml.{IMPOSSIBLE}"), refuting=name("yaml.load"))
WORKS: Expectation = {"check": "works"}
FAILS: Expectation = {"check": "raises"}


@pytest.mark.parametrize(
    ("path", "power", "standing"),
    [
        ("yaml.safe_load", "refutes", "supported"),
        ("yaml.safe_load", "decides", "confirmed"),
        ("yaml.safe_load", "confirms", "confirmed"),
        ("yaml.safe_lod", "refutes", "refuted"),
        ("yaml.safe_lod", "decides", "refuted"),
        ("yaml.safe_lod", "confirms", "no verdict"),
    ],
)
def test_the_standing_follows_from_the_power_of_the_proof(
    path: str, power: str, standing: str, sandbox: Sandbox
) -> None:
    made = try_proof(proof(script=name(path), power=power, control=EXISTS), sandbox.run)  # type: ignore[arg-type]
    assert made.standing == standing
    assert made.control.startswith("not needed" if standing == "no verdict" else "flipped")
    assert made.reason.startswith("not met, which alone refutes nothing" if standing == "no verdict" else "")


@pytest.mark.parametrize(
    ("control", "path"),
    [
        (Control(script=name("yaml.dump"), refuting=name("yaml.load")), "yaml.load"),  # what must be missing is there
        (Control(script=name(f"yaml.{IMPOSSIBLE}")), "yaml.nothing"),  # nothing shows that it would be found
        (Control(script=name("yaml.load"), refuting=name(f"yaml.{IMPOSSIBLE}")), "yaml.nothing"),
    ],
)
def test_a_control_that_does_not_flip_leaves_no_verdict(control: Control, path: str, sandbox: Sandbox) -> None:
    made = try_proof(proof(script=name(path), control=control), sandbox.run)
    assert made.standing == "no verdict"
    assert made.control.startswith("did not flip")
    assert made.control_run is not None


def test_a_control_that_did_not_run_leaves_no_verdict(sandbox: Sandbox) -> None:
    made = try_proof(proof(script=name("yaml.load"), control=Control(script="1 / 0")), sandbox.run)
    assert made.standing == "no verdict"
    assert "ZeroDivisionError" in made.control


def test_a_proof_without_control_has_no_verdict(sandbox: Sandbox) -> None:
    made = try_proof(proof(script=name("yaml.load"), control=Control()), sandbox.run)
    assert (made.standing, made.reason) == ("no verdict", "it has no control")


@pytest.mark.parametrize(
    ("expect", "standing", "control"),
    [
        ("{'a': 1}", "confirmed", "flipped: held against 'returns {}' it does not hold"),
        (
            "{'a': '1'}",
            "refuted",
            "flipped: held against what was observed (returned {'a': 1}) the same comparison holds",
        ),
    ],
)
def test_another_claim_about_the_same_observation_must_flip(
    expect: str, standing: str, control: str, sandbox: Sandbox
) -> None:
    claim: Expectation = {"check": "returns", "literal": expect}
    script = code("import yaml\nyaml.safe_load('a: 1')")
    flips = Control(negated={"check": "not", "of": claim})
    made = try_proof(proof(script=script, expect=claim, control=flips), sandbox.run)
    assert (made.standing, made.control, made.control_run) == (standing, control, None)
    stays = Control(negated=claim)
    assert try_proof(proof(script=script, expect=claim, control=stays), sandbox.run).standing == "no verdict"


RAISED = {"kind": "code", "outcome": "raised", "exception": {"type": "KeyError", "mro": ["builtins.KeyError"]}}
RETURNED = {"kind": "code", "outcome": "returned", "value": {"type": "int", "mro": ["builtins.int"], "literal": "5"}}


@pytest.mark.parametrize(
    ("expect", "seen", "control"),
    [
        ({"check": "returns", "literal": "4"}, RAISED, "what was observed (raised KeyError) 'raises KeyError' holds"),
        ({"check": "raises", "type": "KeyError"}, RAISED, "'raises ZeroDivisionError' it does not hold"),
        ({"check": "raises", "type": "KeyError"}, RETURNED, "what was observed (returned 5) 'works' holds"),
        (
            {"check": "not", "of": {"check": "returns", "literal": "4"}},
            RETURNED,
            "what was observed (returned 5) the same comparison holds",
        ),
        ({"check": "not", "of": {"check": "returns", "literal": "5"}}, RETURNED, "'returns 6' it does not hold"),
    ],
)
def test_the_control_is_said_in_words_and_is_the_same_after_replay(
    expect: Expectation, seen: dict[str, object], control: str
) -> None:
    inner = expect["of"] if expect["check"] == "not" else {"check": "not", "of": expect}
    for negated in (inner, {"check": "not", "of": expect}):
        kept = json.loads(json.dumps([expect, negated]))
        made = proof(script="x", expect=kept[0], control=Control(negated=kept[1]))
        assert try_proof(made, Counting(observed(seen))).control == f"flipped: held against {control}"


@pytest.mark.parametrize("found", [True, False])
def test_that_something_exists_is_not_controlled_by_its_denial(found: bool) -> None:
    made = try_proof(proof(script="x"), Counting(observed({"kind": "name", "path": "yaml.load", "found": found})))
    assert (made.standing, made.reason) == ("no verdict", "it has no control")
    assert made.control == "none can be made of what was observed"


def test_a_refutation_takes_the_contradicting_claim_where_no_script_can_refute(sandbox: Sandbox) -> None:
    control = Control(script=code("pass"), negated={"check": "works"})
    made = try_proof(proof(script=code("pass"), expect=FAILS, control=control), sandbox.run)
    assert (made.standing, made.control) == ("refuted", "flipped: the contradicting claim is met")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import sys; sys.exit(0)", ""),
        ("import os; os._exit(0)", ""),
        (code("import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=1)"), "network"),
        ("pass", "nothing was observed"),
        (name("yaml.load"), "says nothing about"),  # a name was observed, and the claim is about a run
    ],
)
def test_what_is_no_observation_refutes_nothing(script: str, why: str, sandbox: Sandbox) -> None:
    for expect in (WORKS, FAILS):
        made = try_proof(proof(script=script, expect=expect), sandbox.run)
        assert made.standing == "no verdict"
        assert why in made.reason
        assert made.reason


def test_what_is_not_the_same_twice_has_no_verdict(sandbox: Sandbox) -> None:
    # Twelve random hexadecimal digits: never `zz`, so that the claim is refuted both times, by what differs.
    claim = {"check": "prints", "text": "zz", "how": "contains"}
    shaky = "import os\nprint(os.urandom(6).hex())"
    made = try_proof(proof(script=code(shaky), expect=claim), sandbox.run)
    assert made.standing == "no verdict"
    assert made.reason.startswith("not the same twice")


def test_a_second_run_that_does_not_count_leaves_no_verdict() -> None:
    returned = {"kind": "code", "name": "x", "outcome": "returned", "value": None}
    late = observed(returned, blocked=("127.0.0.1:9",))
    made = try_proof(
        proof(script="x", expect=WORKS, control=Control(negated=FAILS)), Counting(observed(returned), late)
    )
    assert made.standing == "no verdict"
    assert "the second run did not count" in made.reason


def test_addresses_ids_and_times_may_differ(sandbox: Sandbox) -> None:
    claim = {"check": "returns_type", "type": "dict"}
    text = "import os, time, uuid\n{'id': uuid.uuid4(), 'at': time.time_ns(), 'it': object()}"
    assert try_proof(proof(script=code(text), expect=claim), sandbox.run).standing == "confirmed"


def test_masks_leave_small_numbers_and_words_alone() -> None:
    assert masked("<A at 0x7f12ab34cd>, 2026-11-16 12:00:01.5, 1763294401.25") == "<A at 0x>, TIME, NUMBER"
    assert masked("returned 123456789 of 0x1f, deadbeef") == "returned 123456789 of 0x1f, deadbeef"


class Counting:
    """Runs nothing; answers what it is told, and counts."""

    def __init__(self, *runs: Run) -> None:
        self.calls: list[tuple[str, int]] = []
        self._runs = list(runs)
        self._lock = Lock()

    def __call__(self, script: str, *, files: Mapping[str, str] | None = None, **_: object) -> Run:
        with self._lock:
            self.calls.append((script, len(files or {})))
            return self._runs.pop(0) if len(self._runs) > 1 else self._runs[0]


def test_the_same_script_with_the_same_files_runs_once() -> None:
    counting = Counting(observed({"kind": "name", "found": True}))
    runs = Runs(counting)
    for files in ({}, None, {"a.py": "1"}, {"a.py": "1"}, {"a.py": "2"}):
        runs("print()", files=files)
    runs("print()", again=1)
    runs("print(2)")
    assert len(counting.calls) == runs.made == 5


def test_the_words_of_the_claim_are_no_part_of_the_script() -> None:
    counting = Counting(observed())
    runs = Runs(counting)
    runs(name("yaml.load", says="It is there."))
    runs(name("yaml.load", says="There is such a thing."))
    assert runs.made == 1
    runs('"""one"""\nprint(__doc__)')
    runs('"""two"""\nprint(__doc__)')
    assert runs.made == 3


def test_threads_that_want_the_same_run_share_it() -> None:
    together = Barrier(8)
    counting = Counting(observed({"kind": "name", "found": True}))
    runs = Runs(counting)

    def ask(number: int) -> Run:
        together.wait(timeout=10)
        return runs(f"print({number % 2})")

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(ask, range(8)))
    assert sorted(script for script, _ in counting.calls) == ["print(0)", "print(1)"]
    assert len(made) == 8


def test_a_run_that_was_lost_is_tried_again_and_one_that_raised_too() -> None:
    counting = Counting(Run("lost", reason="the sandbox broke"), observed())
    runs = Runs(counting)
    assert [runs("x").ended for _ in range(3)] == ["lost", "finished", "finished"]

    def broken(script: str, **_: object) -> Run:
        raise OSError(script)

    failing = Runs(broken)
    for _ in range(2):
        with pytest.raises(OSError, match="x"):
            failing("x")
    assert failing.made == 2


def test_the_second_run_is_not_taken_from_the_memo() -> None:
    raised = {"kind": "code", "name": "x", "outcome": "raised", "exception": {"type": "KeyError", "mro": ["KeyError"]}}
    returned = {"kind": "code", "name": "x", "outcome": "returned", "value": None}
    runs = Runs(Counting(observed(returned), observed(raised)))
    made = try_proof(proof(script="x", expect=WORKS, control=Control(negated=FAILS)), runs)
    assert made.reason.startswith("not the same twice")
    assert runs.made == 2


def test_a_name_is_looked_up_once() -> None:
    found = {"kind": "name", "path": "yaml.load", "found": True}
    counting = Counting(observed(found))
    try_proof(proof(script="x", control=Control(negated={"check": "not", "of": {"check": "found"}})), Runs(counting))
    assert len(counting.calls) == 1


def test_the_memo_is_bounded() -> None:
    counting = Counting(observed())
    runs = Runs(counting)
    for number in range(1_100):
        runs(f"print({number})")
    assert len(runs._known) == 1_024
    runs("print(1000)")
    assert runs.made == 1_100
