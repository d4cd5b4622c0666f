"""Messages from inside are not trusted, by the zygote and by the host: form, depth, characters."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.sandbox.channel import Channel, LostError
from goldproof.sandbox.inside.zygote.supervisor import Seen, judge

if TYPE_CHECKING:
    from goldproof.sandbox import Sandbox

TOKEN = bytes(range(32))
LIMITS = {"seconds": 1.0, "memory_mb": 1, "output_kb": 1, "disk_mb": 1, "file_mb": 1, "processes": 1}
WHOLE: dict[str, Any] = {
    "ended": "finished", "observations": [{"kind": "call"}], "reason": "", "blocked": [], "changed": [], "unlocked": [],
}  # fmt: skip
DEEP = b"[" * 100_000 + b"]" * 100_000


def judged(body: bytes, *, token: bytes = TOKEN) -> str:
    message = token + len(body).to_bytes(8, "big") + body
    seen = Seen("", 0, out=b"", err=b"", message=message, clear=True, seconds=0.0)
    return str(judge(seen, token=TOKEN, limits=LIMITS)["ended"])


def test_a_whole_message_with_the_token_counts() -> None:
    assert judged(json.dumps(WHOLE).encode()) == "finished"
    assert judged(json.dumps(WHOLE).encode(), token=bytes(32)) == "forged"


@pytest.mark.parametrize(
    "change",
    [
        {"ended": "lost"},
        {"ended": "anything"},
        {"ended": ["finished"]},
        {"observations": [1]},
        {"observations": {"a": 1}},
        {"observations": [{"a": float("nan")}]},
        {"changed": None},
        {"blocked": [1]},
        {"unlocked": "x"},
        {"reason": None},
    ],
    ids=str,
)
def test_a_message_of_another_form_is_forged(change: dict[str, Any]) -> None:
    assert judged(json.dumps({**WHOLE, **change}).encode()) == "forged"


@pytest.mark.parametrize("body", [DEEP, b"[]", b"", b"\xff", b"{"], ids=["deep", "list", "empty", "bytes", "cut"])
def test_what_is_no_message_is_forged(body: bytes) -> None:
    assert judged(body) == "forged"


def answered(body: bytes) -> dict[str, object]:
    """What the host reads where the other end says this, whatever it was asked."""
    (theirs, writer), (reader, mine) = os.pipe(), os.pipe()
    channel = Channel(reader, writer)
    try:
        os.write(mine, len(body).to_bytes(8, "big") + body)
        return channel.ask({}, seconds=5.0)
    finally:
        channel.close()
        os.close(theirs)
        os.close(mine)


@pytest.mark.parametrize("body", [DEEP[:30_000] + DEEP[-30_000:], b"[]", b'{"a": NaN}', b"\xff\xff", b"{"])
def test_an_answer_that_is_none_is_a_loss_not_an_error_of_another_kind(body: bytes) -> None:
    with pytest.raises(LostError):
        answered(body)


def test_halves_of_characters_arrive_as_escapes() -> None:
    said = answered(b'{"stdout": "a\\ud800b", "observations": [{"\\udfff": ["\\ud83d\\ude00 \xc3\xa9"]}]}')
    assert said == {"stdout": "a\\ud800b", "observations": [{"\\udfff": ["\U0001f600 \u00e9"]}]}


def test_what_a_script_observes_and_prints_can_always_be_written(box: Sandbox) -> None:
    script = """
import os
from goldproof_proof import observe
os.write(1, b"\\xff\\0x")
observe("\\ud800", lambda: os.write(1, b"\\xfe") and {"a\\udfff": 1})
raise ValueError("\\udc00")
"""
    run = box.run(script)
    assert run.ended == "crashed"
    assert run.stdout == "\ufffd\0x"
    text = json.dumps([run.observations, run.reason, run.stdout, run.stderr], ensure_ascii=False)
    assert text.encode("utf-8").decode("utf-8") == text
    assert run.observations[0]["name"] == "\\ud800"
