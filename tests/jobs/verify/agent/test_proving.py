"""The agent at work: it solves, gives up, repairs, loops, runs out; only what was observed stands."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.verify.agent import AgentLimits, AgentProofs
from goldproof.jobs.verify.finding import Notes
from tests.jobs.verify.agent.exams import (
    LOADS,
    PROOF_A,
    PROOF_B,
    PROOF_C,
    PROOF_D,
    PYDANTIC,
    Script,
    act,
    finish,
    proof,
    run,
    search,
    write,
    yaml_case,
)

if TYPE_CHECKING:
    from goldproof.jobs.verify.agent import Research
    from goldproof.sandbox import Sandbox


def standings(found: AgentProofs) -> dict[str, str]:
    return {one.proof.option: one.standing for one in found.tries}


def test_an_agent_proves_every_open_option_and_its_words_are_only_noted(sandbox: Sandbox) -> None:
    script = Script(PROOF_A, PROOF_B, PROOF_C, PROOF_D, finish("C"))
    found = act(script, sandbox.run)
    assert standings(found) == {"A": "confirmed", "B": "confirmed", "C": "refuted", "D": "confirmed"}
    assert found.notes == Notes("C", "shown", "two hold", "finished", 5)
    assert (found.reason, found.remarks) == ("", ())
    assert [one.option for one in found.proofs] == ["A", "B", "C", "D"]
    assert {one.rule for one in found.proofs} == {"agent"}


def test_the_control_is_the_same_script_with_another_subject(sandbox: Sandbox) -> None:
    found = act(Script(PROOF_C, finish()), sandbox.run, open_letters=["C"])
    (proven,) = found.proofs
    assert proven.control.script == proven.script.replace('"yaml.safe_load_file"', "'yaml.goldproof_no_such_name'")
    assert proven.control.refuting == proven.script.replace('"yaml.safe_load_file"', "'yaml.safe_load'")
    assert proven.control.negated is None
    assert found.tries[0].control.startswith("flipped: ")


def test_that_something_exists_only_supports_unless_that_is_asked(sandbox: Sandbox) -> None:
    case = yaml_case({"A": "`yaml.safe_load`", "B": "`yaml.nothing`"})
    text = 'from goldproof_proof import observe_name\nSUBJECT = "yaml.safe_load"\nobserve_name(SUBJECT)\n'
    script = Script(proof("A", text, {"check": "found"}, "yaml.nope"), finish(), finish())
    assert standings(act(script, sandbox.run, case=case, open_letters=["A"])) == {"A": "supported"}
    assert "observe what it does" in script.results[0]
    again = Script(*script.actions)
    found = act(again, sandbox.run, case=case, open_letters=["A"], existence_decides=True)
    assert standings(found) == {"A": "confirmed"}


def test_an_agent_that_gives_up_leaves_the_options_open(sandbox: Sandbox) -> None:
    found = act(Script(PROOF_B, {"action": "give_up", "argument": "needs a network"}), sandbox.run)
    assert standings(found) == {"B": "confirmed"}
    assert found.notes == Notes(ended="gave up: needs a network", steps=2)
    assert found.reason == "the agent decided nothing about A, C, D: gave up: needs a network"


def test_a_broken_proof_is_told_back_refutes_nothing_and_can_be_repaired(sandbox: Sandbox) -> None:
    broken = proof(
        "B", LOADS.format(subject="a: 0x10").replace("safe_load,", "safe_load.no_such,"), {"check": "works"}, "x"
    )
    script = Script(broken, PROOF_B, finish())
    found = act(script, sandbox.run, open_letters=["B"])
    assert standings(found) == {"B": "confirmed"}
    assert "option B: no verdict." in script.results[0]
    assert "ended: crashed (the script raised AttributeError" in script.results[0]
    # What is broken after it does not take away what was decided.
    found = act(Script(PROOF_B, broken, finish()), sandbox.run, open_letters=["B"])
    assert standings(found) == {"B": "confirmed"}


def test_a_proof_whose_control_does_not_flip_says_nothing(sandbox: Sandbox) -> None:
    unflipped = proof("B", LOADS.format(subject="a: 0x10"), {"check": "returns_type", "type": "dict"}, "'b: 1'")
    script = Script(unflipped, finish(), finish())
    found = act(script, sandbox.run, open_letters=["B"])
    assert standings(found) == {"B": "no verdict"}
    assert "did not flip" in found.tries[0].control
    assert "did not flip" in script.results[0]
    assert found.reason == "the agent decided nothing about B: finished"


def test_of_two_proofs_that_decide_the_last_counts_and_that_is_said(sandbox: Sandbox) -> None:
    wrong = proof("B", LOADS.format(subject="a: 0x11"), {"check": "returns", "literal": "{'a': 16}"}, "'a: 16'")
    found = act(Script(wrong, PROOF_B, finish()), sandbox.run, open_letters=["B"])
    assert standings(found) == {"B": "confirmed"}
    assert found.remarks == ("option B: an earlier proof came out the other way; the last one counts (confirmed)",)
    found = act(Script(wrong, finish()), sandbox.run, open_letters=["B"])
    assert found.remarks == ("option B: what was tested, 'a: 0x11', does not stand in the question",)


def test_a_claim_that_something_fails_may_take_the_agents_control(sandbox: Sandbox) -> None:
    # SUBJECT is a name, and a name that nothing has fails too: only what works can flip it.
    text = "import yaml\nfrom goldproof_proof import observe\nSUBJECT = 'safe_load_file'\n"
    text += "observe('get', getattr, yaml, SUBJECT)\n"
    case = yaml_case({"A": "`yaml.safe_load_file` raises an `AttributeError`"})
    failing = proof("A", text, {"check": "raises", "type": "AttributeError"}, "safe_load")
    found = act(Script(failing, finish()), sandbox.run, case=case, open_letters=["A"])
    assert standings(found) == {"A": "confirmed"}


def test_a_proof_that_surprises_its_author_is_pointed_out(sandbox: Sandbox) -> None:
    # The claim is stated the wrong way round: that the option fails. Goldproof cannot know, its author can.
    turned = {**PROOF_C, "expect": {"check": "not", "of": {"check": "found"}}, "believe": "wrong"}
    script = Script(turned, {**PROOF_C, "believe": "wrong"}, finish())
    found = act(script, sandbox.run, open_letters=["C"])
    assert "option C: confirmed." in script.results[0]
    assert "You took the option to be wrong, and your proof shows the contrary." in script.results[0]
    assert "shows the contrary" not in script.results[1]
    assert standings(found) == {"C": "refuted"}


def test_finishing_early_is_told_once(sandbox: Sandbox) -> None:
    script = Script(PROOF_B, finish(), finish())
    found = act(script, sandbox.run, open_letters=["B", "C"])
    assert script.results[1] == "No proof decides C yet. Prove them; or finish again, and they stay open."
    assert found.notes.ended == "finished"


def test_three_times_the_same_is_a_loop(sandbox: Sandbox, research: Research) -> None:
    script = Script(search("load"))
    found = act(script, sandbox.run, research=research)
    assert len(script.prompts) == 3
    assert found.notes.ended == "looped: search_ranked_targets 3 times with the same content"
    assert found.tries == ()


def test_steps_are_bounded_and_the_last_one_is_announced(sandbox: Sandbox, research: Research) -> None:
    script = Script(*(search(f"load {number}") for number in range(9)))
    found = act(script, sandbox.run, research=research, limits=AgentLimits(steps=4))
    assert len(script.prompts) == 4
    assert found.notes.ended == "out of steps after 4"
    assert "Steps left: 1. This is the last one: finish now." in script.prompts[-1]
    assert len(set(script.prompts)) == 4, "a repeated prompt is answered from the cache, for ever"


def test_time_is_bounded_between_steps(sandbox: Sandbox, research: Research) -> None:
    ticks = itertools.count(0.0, 100.0)  # 0 at the start, then 100, 200, 300: the third step would begin at 300
    script = Script(*(search(f"load {number}") for number in range(9)))
    found = act(script, sandbox.run, research=research, clock=lambda: next(ticks))
    assert len(script.prompts) == 2
    assert found.notes.ended == "out of time after 300 seconds"


def test_runs_are_bounded_those_of_controls_included(sandbox: Sandbox) -> None:
    # A run, then a proof of three: the script twice, the control. Two of six are left, too few for another proof.
    script = Script(run("print(1)"), PROOF_B, PROOF_D, run("print(2)"), run("print(3)"), run("print(4)"), finish())
    act(script, sandbox.run, limits=AgentLimits(runs=6, steps=7))
    assert "Runs left: 5." in script.prompts[1]
    assert "Runs left: 2." in script.prompts[2]
    assert script.results[2] == "Error: too few runs are left for a proof with its control; finish, or give up."
    assert script.results[5] == "Error: no runs are left; finish, or give up."


def test_proofs_of_one_option_are_bounded(sandbox: Sandbox) -> None:
    several = [
        proof("B", LOADS.format(subject=f"a: 0x1{n}"), {"check": "returns_type", "type": "dict"}, "'b: 1'")
        for n in range(3)
    ]
    script = Script(*several, finish(), finish())
    act(script, sandbox.run, open_letters=["B"], limits=AgentLimits(proofs=2))
    assert script.results[2] == "Error: 2 proofs of option B were tried, which is all."


def test_a_huge_script_is_refused_unread(sandbox: Sandbox) -> None:
    huge = LOADS.format(subject="a: 0x10") + "#" * 20_000
    script = Script(proof("B", huge, {"check": "works"}), run(huge), write("verify_a.py", huge), finish(), finish())
    found = act(script, sandbox.run)
    size = len(huge)
    assert script.results[0] == f"Error: the script has {size} characters; at most 20000 are allowed."
    assert script.results[1] == script.results[0]
    assert script.results[2] == f"Error: verify_a.py has {size} characters; at most 20000 are allowed."
    assert found.tries == ()
    assert max(map(len, script.prompts)) < 40_000, "what the agent wrote comes back to it, cut"


def test_what_a_run_shows_and_how_it_ends_is_told(sandbox: Sandbox) -> None:
    script = Script(
        run("import yaml\nfrom goldproof_proof import observe\nobserve('x', yaml.safe_load, '[')\nprint('seen')\n"),
        run("raise ValueError('own fault')"),
        run("print(object())"),
        {"action": "give_up"},
    )
    act(script, sandbox.run)
    assert "ended: finished\nobservation 0: " in script.results[0]
    assert '"outcome": "raised"' in script.results[0]
    assert "stdout: seen" in script.results[0]
    assert "ended: crashed (the script raised ValueError: own fault" in script.results[1]
    assert "stdout: <object object at 0x...>" in script.results[2]


def test_files_lie_beside_scripts_and_belong_to_the_proof(sandbox: Sandbox) -> None:
    text = """import yaml
from goldproof_proof import observe
SUBJECT = "verify_b.txt"
def safe_load(name):
    with open(name) as stream:
        return yaml.safe_load(stream)
observe("x", safe_load, SUBJECT)
"""
    script = Script(
        write("verify_b.txt", "a: 0x10"),
        write("verify_c.txt", "a: 17"),
        write("unused.txt", "-"),
        proof("B", text, {"check": "returns", "literal": "{'a': 16}"}, "verify_c.txt"),
        finish(),
    )
    found = act(script, sandbox.run, open_letters=["B"])
    assert script.results[0] == "verify_b.txt is written (7 characters)."
    assert standings(found) == {"B": "confirmed"}, script.results[3]
    assert dict(found.proofs[0].files) == {"verify_b.txt": "a: 0x10", "verify_c.txt": "a: 17"}


@pytest.mark.parametrize(
    ("action", "error"),
    [
        ({"action": "rm"}, "Error: there is no action 'rm'; the actions are search_ranked_targets, inspect_fqn,"),
        ({"action": "inspect_fqn"}, "Error: inspect_fqn needs `argument`."),
        ({"action": "run"}, "Error: run needs `argument` or `script`."),
        ({"action": "run", "argument": "verify_x.py"}, "Error: you wrote no file 'verify_x.py'; there are: none."),
        ({"action": "write_file", "argument": "../x.txt", "script": "-"}, "Error: '../x.txt' is no name for a file;"),
        ({"action": "write_file", "argument": "yaml.py", "script": "-"}, "Error: yaml.py could be imported instead"),
        ({"action": "write_file", "argument": ".hidden", "script": "-"}, "Error: '.hidden' is no name for a file;"),
        (proof("Z", "SUBJECT = 1", "{}"), "Error: option 'Z' is not open; the open options are A, B, C, D."),
        (proof("A", "SUBJECT = 1", "works"), "Error: expect is not JSON"),
        (proof("A", "SUBJECT = 1", {"check": "wurks"}), "Error: expect: no check is called 'wurks'; did you mean"),
        (proof("A", "SUBJECT = ", {"check": "works"}), "Error: the script is not Python: line 1"),
        (proof("A", "x = 1", {"check": "works"}), "Error: the script needs exactly one line `SUBJECT = <literal>`"),
        ({"action": "inspect_fqn", "argument": "yaml.safe_lod"}, "Error: unknown name of PyYAML"),
    ],
)
def test_what_cannot_be_done_is_answered_with_why(
    action: dict[str, object], error: str, sandbox: Sandbox, research: Research
) -> None:
    script = Script(action, {"action": "give_up"})
    found = act(script, sandbox.run, research=research)
    assert script.results[0].startswith(error)
    assert found.tries == ()


def test_nothing_is_asked_where_nothing_is_open(sandbox: Sandbox) -> None:
    script = Script(finish())
    assert act(script, sandbox.run, open_letters=["X"]) == AgentProofs(reason="no option is open")
    assert script.prompts == []


def test_fields_left_null_and_an_object_for_the_claim_are_understood(sandbox: Sandbox) -> None:
    lenient = {**PROOF_B, "thought": None, "offset": None, "selected_answer": None}
    assert standings(act(Script(lenient, finish()), sandbox.run, open_letters=["B"])) == {"B": "confirmed"}


def test_a_library_of_classes_is_proven_as_well(sandbox: Sandbox) -> None:
    text = """from pydantic import BaseModel
from goldproof_proof import observe
SUBJECT = "5"
class Model(BaseModel):
    size: int
observe("validates", Model, size=SUBJECT)
"""
    case = yaml_case({"A": "a `BaseModel` with an int field rejects the text '5'"}, text="What is true of pydantic?")
    script = Script(proof("A", text, {"check": "raises", "type": "ValidationError"}, "'five'"), finish())
    found = act(script, sandbox.run, case=case, open_letters=["A"], library=PYDANTIC)
    assert standings(found) == {"A": "refuted"}, script.results
