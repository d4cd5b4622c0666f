from solution import build


def test_the_agent_has_its_instruction():
    assert build().instruction == "Answer briefly."
