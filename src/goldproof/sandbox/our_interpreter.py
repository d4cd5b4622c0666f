"""The running interpreter as one for scripts: they see the packages installed beside Goldproof.

Folders of editable installs (the user's own sources) are not among what it may read.
"""

from __future__ import annotations

import site
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.sandbox.interpreter import Interpreter

if TYPE_CHECKING:
    from collections.abc import Sequence


def this_interpreter(packages: Sequence[str] = ()) -> Interpreter:
    """Return the running interpreter. packages: import names of what is under test."""
    paths = [sys.base_prefix, sys.base_exec_prefix, sys.prefix, *site.getsitepackages()]
    found = [Path(path) for path in dict.fromkeys(paths) if Path(path).exists()]
    return Interpreter(python=Path(sys.executable), readable=tuple(found), packages=tuple(packages))
