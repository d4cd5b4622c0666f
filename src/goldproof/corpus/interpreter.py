"""Another Python interpreter: its search path, and small programs run by it that answer in a file.

The answer is not read from standard output, so the prints of an import or of a `sitecustomize` cannot spoil it.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from goldproof.errors import InputError

_PATHS = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as stream:
    json.load(stream)
with open(sys.argv[2], "w", encoding="utf-8") as stream:
    json.dump([path for path in sys.path if path], stream)
"""


def search_path(python: str) -> list[str]:
    """Return the `sys.path` of an interpreter, without the working folder."""
    return [str(path) for path in _as_list(run_program(python, _PATHS, request={}, timeout=60))]


def run_program(python: str, program: str, *, request: object, timeout: float, isolated: bool = False) -> object:
    """Run a program that reads JSON from its first argument and writes JSON to its second; raises InputError.

    isolated: without the user's own additions to its search path (PYTHONPATH, packages of the user).
    """
    with tempfile.TemporaryDirectory(prefix="goldproof-") as folder:
        question, answer = Path(folder, "question.json"), Path(folder, "answer.json")
        question.write_text(json.dumps(request), encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 - the user's own interpreter and our own program
                [python, *(["-I"] if isolated else []), "-c", program, str(question), str(answer)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=folder,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise InputError(f"{python}: no answer within {timeout:g} seconds.") from error
        except OSError as error:
            raise InputError(f"{python}: cannot be run as a Python interpreter: {error.strerror or error}.") from error
        try:
            return json.loads(answer.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            last_line = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [
                f"exit code {done.returncode}"
            ]
            raise InputError(f"{python}: gave no answer: {last_line[0][:300]}") from error


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
