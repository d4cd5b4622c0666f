"""The key of a reply holds everything that decides it, and nothing else; it is the same in every process."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from goldproof.llm.conversation import ask_key
from goldproof.llm.model import Ask, Turn
from tests.llm.asking import Verdict

if TYPE_CHECKING:
    from pathlib import Path

ASK = Ask("Is it so?", "Judge.", Verdict, "judge-1")


class Other(BaseModel):
    label: str


@pytest.mark.parametrize(
    "change",
    [
        {"prompt": "Is it so? "},
        {"instructions": ""},
        {"output": None},
        {"output": Other},
        {"purpose": "judge-2"},
        {"sample": 1},
        {"temperature": 0.7},
    ],
)
def test_everything_that_decides_a_reply_changes_its_key(change: dict[str, Any]) -> None:
    assert ask_key("m", replace(ASK, **change)) != ask_key("m", ASK)


def test_model_attempt_and_conversation_change_it() -> None:
    turn = Turn("no", "it is not a JSON object.")
    keys = [
        ask_key("m", ASK),
        ask_key("n", ASK),
        ask_key("m", ASK, attempt=1),
        ask_key("m", ASK, turns=(turn,)),
        ask_key("m", ASK, turns=(turn, turn)),
        ask_key("m", ASK, turns=(Turn("no", "other"),)),
    ]
    assert len(set(keys)) == len(keys)


def test_words_cannot_slip_from_one_field_into_the_next() -> None:
    assert ask_key("m", Ask("b", "a")) != ask_key("m", Ask("ab", ""))
    assert ask_key("m", Ask("a", purpose="b")) != ask_key("m", Ask("b", purpose="a"))


def test_how_long_an_answer_is_expected_to_be_does_not_matter() -> None:
    assert ask_key("m", replace(ASK, expected_tokens=9)) == ask_key("m", ASK)


def test_whole_numbers_and_floats_of_the_same_value_are_the_same_temperature() -> None:
    assert ask_key("m", replace(ASK, temperature=0)) == ask_key("m", ASK)


def test_it_is_the_same_in_another_process(tmp_path: Path) -> None:
    program = (
        "from goldproof.llm.conversation import ask_key\n"
        "from goldproof.llm.model import Ask\n"
        "from tests.llm.asking import Verdict\n"
        "print(ask_key('m', Ask('Is it so?', 'Judge.', Verdict, 'judge-1')).hex())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "GOLDPROOF_HOME": str(tmp_path)},
    )
    assert done.stdout.strip() == ask_key("m", ASK).hex()


def test_it_stays_what_it_was() -> None:
    # A key that changes makes every kept answer worthless: then VERSION changes as well, on purpose.
    said = b"5:ask-11:m0:9:Is it so?0:0:1:03:0.01:0"
    assert ask_key("m", Ask("Is it so?")) == hashlib.sha256(said).digest()
