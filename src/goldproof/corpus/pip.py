"""Calling pip, and reading its errors.

pip is that of the user's interpreter, run in a process group of its own: where Goldproof is
interrupted, the whole group ends, so that nothing goes on writing. User settings that choose an index stay;
those that would put packages elsewhere do not.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from typing import NamedTuple

from goldproof.errors import InputError

_NO_NETWORK = ("connection", "name resolution", "getaddrinfo", "network is unreachable", "timed out", "proxy")
_ABOUT_REQUIREMENTS = (
    "error: could not find a version",
    "error: no matching",
    "collecting",
    "requirement",
    "  downloading",
)
_QUIET = ("--disable-pip-version-check", "--no-input", "--no-color", "--retries", "1", "--timeout", "20")
_MISPLACING = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIREMENT", "PIP_EDITABLE", "PIP_PYTHON", "PIP_NO_DEPS")
_SECONDS = 900


class PipOutput(NamedTuple):
    """Exit code and output of pip."""

    code: int
    text: str


def run_pip(python: str, *arguments: str, into: str | None = None) -> PipOutput:
    """Run pip of an interpreter. into: another interpreter, of an environment without pip, that it works for."""
    place = ["--python", into] if into else []
    command = [python, "-m", "pip", *place, arguments[0], *_QUIET, *arguments[1:]]
    kept = {name: value for name, value in os.environ.items() if name not in (*_MISPLACING, "PYTHONPATH", "PYTHONHOME")}
    try:
        return _run_group(command, env={**kept, "PIP_USER": "0", "PYTHONIOENCODING": "utf-8"})
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{python} -m pip: gave no answer within {_SECONDS} seconds.") from error
    except OSError as error:
        raise InputError(f"{python}: cannot be run to call pip: {error.strerror or error}.") from error


def _run_group(command: list[str], *, env: dict[str, str]) -> PipOutput:
    with subprocess.Popen(  # noqa: S603 - pip of the user's own interpreter, names checked by the caller
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=env,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            text, _ = process.communicate(timeout=_SECONDS)
        except BaseException:  # an interrupt too: pip has started another process, which must not go on
            _end_group(process)
            raise
        return PipOutput(process.returncode, text)


def _end_group(process: subprocess.Popen[str]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)  # not yet waited for, so the number is still its own


def known_versions(name: str, *, python: str) -> list[str]:
    """Return the versions that the index has, sources included, newest first."""
    done = run_pip(python, "index", "versions", "--pre", name)
    match = re.search(r"^Available versions:(.*)$", done.text, re.MULTILINE)
    return [version.strip() for version in match[1].split(",")] if match else []


def is_unreachable(output: str) -> bool:
    """Return whether pip failed for want of a network; names of requirements (`aiohttp-proxy`) are no sign of that."""
    lines = [line for line in output.lower().splitlines() if not line.startswith(_ABOUT_REQUIREMENTS)]
    return any(sign in line for line in lines for sign in _NO_NETWORK)


def last_error(output: str) -> str:
    """Return pip's last error, or its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["nothing"])[-1].removeprefix("ERROR:").strip()[:300]


def some_versions(known: list[str]) -> str:
    """Return the first few versions, for a message."""
    return f"{', '.join(known[:8])}{', ...' if known[8:] else '.'}"
