from __future__ import annotations

import pytest

from goldproof.jobs.verify.checks.compare import compare

RAISED = {
    "kind": "code",
    "outcome": "raised",
    "exception": {
        "type": "TypeError",
        "qualified": "builtins.TypeError",
        "mro": ["builtins.TypeError", "builtins.Exception", "builtins.BaseException", "builtins.object"],
        "also": ["orjson.JSONEncodeError"],
        "message": "Type is not JSON serializable: set",
    },
}


@pytest.mark.parametrize(
    ("named", "holds"),
    [
        ("TypeError", True),
        ("orjson.JSONEncodeError", True),
        ("JSONEncodeError", True),
        ("orjson.JSONDecodeError", False),
    ],
)
def test_another_name_of_a_library_for_the_type_that_was_raised_is_that_type(named: str, holds: bool) -> None:
    assert compare({"check": "raises", "type": named}, [RAISED]).holds is holds
