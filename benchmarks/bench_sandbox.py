"""Proofs in the zygote against cold starts, in the same isolation (bubblewrap and all locks): CPU time, interleaved.

A cold start is a fresh bubblewrap and interpreter for one proof; its CPU time is that of all its processes, from
`RUSAGE_CHILDREN` once it has ended: bubblewrap's mounts, the interpreter, the observer's modules and their snapshots,
the package, what the script imports (nothing more), the script, the end. In the zygote it is what /proc tells of
process 1 of the sandbox, with the children it has reaped: fork, locks, script, supervising and clearing up; not the
start of the zygote, which is paid once. Best of the rounds.

`goldproof verify` has the submodules imported that the proofs of a run name, at most 64. The first row of google-adk is
a run whose proofs name its agents only, the second one whose proofs name four of its parts. The script and the cold
start are the same. Targets: at least 50 times as many proofs per CPU second for google-adk, 10 times for pydantic; and
10,000 proofs leave no process, file, descriptor or memory behind.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import NamedTuple

from goldproof.sandbox import Limits, open_sandbox, this_interpreter
from goldproof.sandbox.pool import Pool

ROUNDS = 3
PROOFS = 100
MANY = 10_000
TICKS = os.sysconf("SC_CLK_TCK")


class Library(NamedTuple):
    name: str
    package: str
    imports: tuple[str, ...]
    script: str


AGENT = """
from google.adk.agents import LlmAgent
from goldproof_proof import observe

observe("LlmAgent", LlmAgent, name="helper")
"""
LIBRARIES = (
    Library(
        "pydantic",
        "pydantic",
        (),
        """
import pydantic
from goldproof_proof import observe

class Model(pydantic.BaseModel):
    number: int

observe("Model", Model, number="7")
""",
    ),
    Library("google-adk, agents", "google.adk", ("google.adk.agents",), AGENT),
    Library(
        "google-adk, four parts",
        "google.adk",
        ("google.adk.agents", "google.adk.models", "google.adk.runners", "google.adk.tools"),
        AGENT,
    ),
)


def opened(library: Library) -> Pool:
    box = open_sandbox(
        this_interpreter((library.package,)),
        imports=library.imports,
        workers=1,
        limits=Limits(seconds=60.0),
        level="bubblewrap",
        probe=False,
    )
    assert isinstance(box, Pool)
    return box


def cold(library: Library, warm: Pool) -> float:
    """CPU seconds of one proof in a sandbox of its own."""
    box = Pool(warm.launcher, loads=warm.loads)
    box.mode = "cold"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with box:
        run = box.run(library.script)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (run.counts, run.mode) == (True, "cold"), run
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def forked(library: Library, warm: Pool) -> float:
    """CPU seconds of one proof in the zygote, the mean of many."""
    before = cpu_of(inner(warm))
    for _ in range(PROOFS):
        run = warm.run(library.script)
        assert (run.counts, run.mode) == (True, "zygote"), run
    return (cpu_of(inner(warm)) - before) / PROOFS


def inner(box: Pool) -> int:
    """Process 1 of the sandbox, by its number outside: the only child of bubblewrap."""
    (zygote,) = box._living  # noqa: SLF001
    (task,) = Path(f"/proc/{zygote.process.pid}/task").iterdir()
    return int((task / "children").read_text(encoding="ascii"))


def cpu_of(pid: int) -> float:
    """Seconds of a process and of all children that it has reaped."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / TICKS


def compared() -> None:
    print("| one proof, CPU time | cold, ms | zygote, ms | proofs per CPU s | times |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for library in LIBRARIES:
        with opened(library) as warm:
            warm.run(library.script)
            slow, fast = float("inf"), float("inf")
            for _ in range(ROUNDS):
                slow, fast = min(slow, cold(library, warm)), min(fast, forked(library, warm))
        print(f"| {library.name} | {1000 * slow:.0f} | {1000 * fast:.1f} | {1 / fast:.0f} | {slow / fast:.0f} |")


class State(NamedTuple):
    """What a sandbox holds: resident memory of its zygote in KB, its descriptors, processes below, files in its box."""

    resident: int
    descriptors: int
    processes: int
    files: int


def state(pid: int) -> State:
    place = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (place / "status").read_text(encoding="utf-8").splitlines())
    return State(
        int(status["VmRSS"].split()[0]),
        len(list((place / "fd").iterdir())),
        len((place / "task" / str(pid) / "children").read_text(encoding="ascii").split()),
        len(list((place / "root" / "box").iterdir())),
    )


def lasting(count: int) -> None:
    leaving = "import os, subprocess\nopen('left', 'w').write('x')\nos.mkdir('closed', 0)\nos.fork()"
    with opened(LIBRARIES[0]) as box:
        for _ in range(100):
            box.run(leaving)
        before = state(inner(box))
        for _ in range(count // 2):
            box.run(leaving)
            box.run("")
        after = state(inner(box))
    print(f"\n{count:,} proofs in one zygote, half of which leave a file, a closed folder and a process:\n")
    print("| of the zygote | before | after |\n| --- | ---: | ---: |")
    for name, old, new in zip(
        ("resident memory, KB", "descriptors", "processes below", "files"), before, after, strict=True
    ):
        print(f"| {name} | {old} | {new} |")


def main() -> None:
    compared()
    lasting(int(sys.argv[1]) if len(sys.argv) > 1 else MANY)


if __name__ == "__main__":
    main()
