"""`python -m goldproof.testing`: the model server as a process, for tests in other languages and of killed clients.

It prints its URL on one line, and ends on SIGTERM or SIGINT, or when its standard input is closed.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser
from threading import Event, Thread
from typing import TYPE_CHECKING, cast

from goldproof.errors import GoldproofError
from goldproof.testing.server import ModelServer
from goldproof.user_code.user_object import load_user_object

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from goldproof.testing.script import Script


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until it is told to end; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except GoldproofError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m goldproof.testing", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1; 0 takes a free one (default)")
    parser.add_argument("--script", metavar="MODULE:OBJECT", help="function or steps; without it prompts are echoed")
    parser.add_argument("--ledger", metavar="FILE", help="a line of JSON is added here for each answer")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end when standard input is closed")
    return parser


def _run(options: Namespace) -> int:
    # A script is whatever the module holds: the server says what it cannot use.
    script = None if options.script is None else cast("Script", load_user_object(options.script))
    end = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end.set())
    with ModelServer(script, port=options.port, ledger=options.ledger, keep_requests=False) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        if options.until_stdin_closes:
            Thread(target=_wait_for_stdin, args=(end,), daemon=True).start()
        end.wait()
    return 0


def _wait_for_stdin(end: Event) -> None:
    # Not sys.stdin: its lock, held by a thread that waits, would hold up the end of the process.
    while os.read(0, 4096):
        pass
    end.set()


if __name__ == "__main__":
    sys.exit(main())
