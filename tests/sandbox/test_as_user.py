from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.sandbox.conftest import AsUser

PROGRAM = """
import os
from goldproof.sandbox import open_sandbox, this_interpreter
assert os.getuid() != 0
with open_sandbox(this_interpreter(), workers=1, probe=False) as box:
    run = box.run("import os; print(os.getuid(), os.getpid() > 1)")
    print(run.level, run.ended, run.stdout.strip())
"""


def test_an_ordinary_user_gets_bubblewrap_and_scripts_are_not_root(as_user: AsUser) -> None:
    assert as_user(PROGRAM) == "bubblewrap finished 60000 True\n"
