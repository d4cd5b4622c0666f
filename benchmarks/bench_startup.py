"""`goldproof --help` against a bare interpreter: CPU time (user and system) of the process, best of ten, interleaved.

Target: at most 150 ms above the bare interpreter.
"""

from __future__ import annotations

import resource
import subprocess
import sys

ROUNDS = 10
COMMANDS = {
    "bare interpreter": [sys.executable, "-c", ""],
    "import goldproof": [sys.executable, "-c", "import goldproof"],
    "goldproof --help": [sys.executable, "-m", "goldproof", "--help"],
}


def cpu_ms(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            best[name] = min(best[name], cpu_ms(command))
    bare = best["bare interpreter"]
    print("| process | CPU, ms | above bare, ms |\n| --- | ---: | ---: |")
    for name, spent in best.items():
        print(f"| {name} | {spent:.0f} | {spent - bare:.0f} |")


if __name__ == "__main__":
    main()
