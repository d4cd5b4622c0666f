"""Resource exhaustion: processes, memory, files, output. Each is small, and ends by itself if no limit holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import SMALL, Attack

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

_MOST_FORKS = 200

_FORKS = f"""
from trying import BAIT
import os, time

print("tried", flush=True)
alive = 0
try:
    for _ in range({_MOST_FORKS}):
        if os.fork() == 0:
            time.sleep(2)
            os._exit(0)
        alive += 1
except OSError as error:
    print(error)
print("alive", alive, flush=True)
"""

_TREE = """
import os, time

print("tried", flush=True)
end = time.monotonic() + 3
# Every process forks as fast as it can, at most 7 deep: 2 ** 7 processes.
try:
    for _ in range(7):
        os.fork()
    os.write(1, b"grown\\n")
except OSError:
    pass
while time.monotonic() < end:
    time.sleep(0.1)
os._exit(0)
"""

_THREADS = f"""
import threading, time

print("tried", flush=True)
alive = 0
try:
    for _ in range({_MOST_FORKS}):
        threading.Thread(target=time.sleep, args=(2,), daemon=True).start()
        alive += 1
except RuntimeError as error:
    print(error)
print("alive", alive, flush=True)
"""

_MEMORY = """
print("tried", flush=True)
held = []
for _ in range(64):  # 1 GB
    held.append(bytearray(b"x") * (16 << 20))
    print("megabytes", 16 * len(held), flush=True)
"""

_MAPPED = """
import mmap

print("tried", flush=True)
held = []
for kind in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
    for _ in range(32):
        room = mmap.mmap(-1, 16 << 20, flags=kind | mmap.MAP_ANONYMOUS)
        for page in range(0, 16 << 20, 4096):
            room[page] = 1
        held.append(room)
        print("megabytes", 16 * len(held), flush=True)
"""

_TOGETHER = """
import os, time

print("tried", flush=True)
reader, writer = os.pipe()
started = 0
for _ in range(8):  # 8 times 96 MB
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        held = []
        for _ in range(6):
            held.append(bytearray(b"x") * (16 << 20))
        os.write(writer, b"1")
        time.sleep(2.5)
        os._exit(0)
    started += 1
time.sleep(0.5)
for number in range(1, started + 1):
    os.read(reader, 1)
    print("megabytes", 96 * number, flush=True)
time.sleep(1)
print("kept them", flush=True)
"""

_ONE_FILE = """
import os

print("tried", flush=True)
with open("big", "wb", buffering=0) as file:
    for _ in range(200):
        file.write(b"x" * (1 << 20))
        print("megabytes", os.stat("big").st_size >> 20, flush=True)
"""

_MANY_FILES = """
import os, time

print("tried", flush=True)
for number in range(25):
    with open(f"file{number}", "wb") as file:
        file.write(b"x" * (8 << 20))
    print("megabytes", 8 * (number + 1), flush=True)
time.sleep(1)
print("kept them", flush=True)
"""

# A file without a name is in no folder, but on the disk.
_UNNAMED = """
import os, time

print("tried", flush=True)
held = []
for number in range(25):
    file = open("file", "wb", buffering=0)
    os.unlink("file")
    file.write(b"x" * (8 << 20))
    held.append(file)
    print("megabytes", 8 * (number + 1), flush=True)
time.sleep(1)
print("kept them", flush=True)
"""

_SPARSE = """
import os

print("tried", flush=True)
with open("sparse", "wb") as file:
    file.truncate(1 << 40)
print("megabytes", os.stat("sparse").st_size >> 20, flush=True)
"""

_OUTPUT = """
import os

print("tried", flush=True)
for descriptor in (1, 2):
    for _ in range(64):
        os.write(descriptor, b"x" * (1 << 20))
"""

_OBSERVED = """
from goldproof_proof import observe

print("tried", flush=True)
for number in range(400):
    observe(f"{number}" + "n" * 100000, str, "x" * 1000000)
"""


def _alive(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    return _most(run, "alive") >= SMALL.processes and run.ended in {"finished", "exited"}


def _grown(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return run.stdout.count("grown") > SMALL.processes and run.ended in {"finished", "exited"}


def _most(run: Run, word: str) -> int:
    found = (line.split()[1] for line in run.stdout.splitlines() if line.startswith(f"{word} "))
    return max((int(number) for number in found if number.isdigit()), default=0)


def _held_megabytes(limit: int) -> Callable[[Run, Bait], bool]:
    """A judgement: twice the limit was in use, and the run was not stopped."""

    def judged(run: Run, bait: Bait) -> bool:  # noqa: ARG001
        return _most(run, "megabytes") >= 2 * limit and run.ended in {"finished", "exited"}

    return judged


def _too_much_output(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return max(len(run.stdout), len(run.stderr)) > 1.1 * 1024 * SMALL.output_kb or run.counts


def _too_much_observed(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return len(json.dumps(run.observations)) > 2 * 16 * 1024 * SMALL.output_kb


EXHAUSTING = (
    Attack("fork bomb", "Forks as often as it can.", _FORKS, _alive, bare=True),
    Attack("fork tree", "Forks in every fork.", _TREE, _grown),
    Attack("thread bomb", "Starts as many threads as it can.", _THREADS, _alive, bare=True),
    Attack("memory bomb", "Takes memory.", _MEMORY, _held_megabytes(SMALL.memory_mb)),
    Attack("mapped memory", "Takes memory by maps.", _MAPPED, _held_megabytes(SMALL.memory_mb)),
    Attack("memory together", "Takes memory in many processes.", _TOGETHER, _held_megabytes(SMALL.memory_mb)),
    Attack("big file", "Writes one big file.", _ONE_FILE, _held_megabytes(SMALL.file_mb)),
    Attack(
        "sparse file", "Makes a file that is big by its size only.", _SPARSE, _held_megabytes(SMALL.file_mb), bare=True
    ),
    Attack("many files", "Writes many files.", _MANY_FILES, _held_megabytes(SMALL.disk_mb)),
    Attack(
        "files without names",
        "Fills the disk with files that are in no folder.",
        _UNNAMED,
        _held_megabytes(SMALL.disk_mb),
    ),
    Attack("output bomb", "Writes without end.", _OUTPUT, _too_much_output),
    Attack("observation bomb", "Observes without end.", _OBSERVED, _too_much_observed),
)
