"""Write attacks: outside of the work folder, and links and odd files left in it for the host to follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import Attack, did, told

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

_OUTSIDE = """
from trying import BAIT, attempt, call
import os

folder = BAIT["outside"]
keep, cut, mode = (os.path.join(folder, name) for name in ("keep.txt", "cut.txt", "mode.txt"))

def write(path, how):
    with open(path, how) as file:
        return file.write("changed")

attempt("new file", lambda: write(os.path.join(folder, "new.txt"), "w"))
attempt("new file by root of a process", lambda: write("/proc/self/root" + os.path.join(folder, "new2.txt"), "w"))
attempt("old file", lambda: write(keep, "r+"))
attempt("truncate", lambda: os.truncate(cut, 1))
attempt("truncate by opening", lambda: os.open(cut, os.O_RDONLY | os.O_TRUNC))
attempt("mode", lambda: os.chmod(mode, 0o600))
attempt("times", lambda: os.utime(mode, (1, 1)))
attempt("attribute", lambda: os.setxattr(mode, "user.goldproof", b"1"))
attempt("folder", lambda: os.mkdir(os.path.join(folder, "sub")))
attempt("symlink", lambda: os.symlink("/etc", os.path.join(folder, "link")))
attempt("fifo", lambda: os.mkfifo(os.path.join(folder, "fifo")))
attempt("hard link in", lambda: os.link(keep, "in.txt"))
open("mine.txt", "w").close()
attempt("hard link out", lambda: os.link("mine.txt", os.path.join(folder, "mine.txt")))
attempt("rename out", lambda: os.rename("mine.txt", os.path.join(folder, "mine2.txt")))
attempt("rename in", lambda: os.rename(keep, "kept.txt"))
attempt("remove", lambda: os.unlink(cut))
"""

_LIBRARY = """
from trying import attempt
import json, os, sys

places = {os.path.dirname(json.__file__), os.path.dirname(sys.executable), sys.prefix}
places |= {"/usr/lib", "/etc", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/"}
here = os.path.realpath(".")
for place in sorted(places):
    if not os.path.realpath(place).startswith(here):
        name = os.path.join(place, f"goldproof-{os.getpid()}")
        attempt("write", lambda: (open(name, "w").close(), os.path.realpath(name))[1])
        if os.path.exists(name):
            os.unlink(name)
"""

_LEFT = """
from trying import BAIT, attempt
import os

attempt("symlink to a file", lambda: os.symlink(BAIT["secret"], "result.json"))
attempt("symlink to a folder", lambda: os.symlink(BAIT["outside"], "folder"))
attempt("symlink to itself", lambda: os.symlink("loop", "loop"))
attempt("fifo", lambda: os.mkfifo("fifo"))
odd = ("-rf", "a\\nb", b"\\xff\\xfe", "." * 200, "~", "$(touch x)")
attempt("names", lambda: [open(name, "w").close() for name in odd])

def deep():
    for _ in range(300):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    open("file", "w").close()

def closed():
    os.mkdir("closed")
    open("closed/file", "w").close()
    os.symlink(BAIT["outside"], "closed/link")
    os.chmod("closed", 0)

home = os.getcwd()
attempt("closed folder", closed)
attempt("deep folders", deep)
os.chdir(home)

def swapped():
    # The work folder itself becomes a link.
    parent, name = os.path.split(home)
    os.rename(home, os.path.join(parent, "gone"))
    os.symlink(BAIT["outside"], home)

attempt("swapped folder", swapped)
"""


def _wrote(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    return bait.touched()


def _followed(run: Run, bait: Bait) -> bool:
    # A sandbox that breaks of what is left has not held either.
    return bait.touched() or bait.secret in told(run) or run.ended == "lost"


WRITING = (
    Attack("write outside", "Makes, changes, moves and removes files of the host's.", _OUTSIDE, _wrote, bare=True),
    Attack("write to the library", "Writes where the interpreter and the system are.", _LIBRARY, did("write")),
    Attack("things left to follow", "Leaves links and oddities for the host.", _LEFT, _followed),
)
