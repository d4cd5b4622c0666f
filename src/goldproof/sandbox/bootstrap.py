"""Bootstrap of the zygote: a short program on the command line that loads the rest from the control channel.

No file of Goldproof need be readable inside, and nothing is written. The site module is left out at first (-S): it runs
.pth files, code of the library, before the zygote has dropped its privileges. The environment decides the hash seed, so
isolated mode (-I) is not used; where the environment is not ours (a container) the program starts itself again with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

INSIDE = Path(__file__).resolve().parent / "inside"
FLAGS = ("-s", "-S", "-B", "-c")
FIRST = "import sys; sys.path[:] = [p for p in sys.path if p]; exec(sys.argv[1])"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # Libraries that start threads when they are imported cannot be forked; most of them start as many as they are told.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
}

# Run by any Python from 3.9 on. argv: itself, the descriptors to read and to write, the environment as a literal.
TEXT = '''
import os

def start():
    import ast
    wanted = ast.literal_eval(sys.argv[4])
    if wanted:
        wanted["PATH"] = os.environ.get("PATH", wanted["PATH"])
        argv = [sys.executable, "-s", "-S", "-B", "-c", FIRST, *sys.argv[1:4], "{}"]
        os.execve(sys.executable, argv, wanted)
    reader, writer = int(sys.argv[2]), int(sys.argv[3])
    if reader == 0:
        reader, writer = os.dup(0), os.dup(1)
    import json
    size = int.from_bytes(exactly(reader, 8), "big")
    sent = json.loads(exactly(reader, size))
    install(sent["sources"])
    from goldproof_inside.zygote.program import main
    main(reader, writer, setup=sent["setup"], modules=list(sent["sources"]))

def exactly(descriptor, size):
    data = b""
    while len(data) < size:
        part = os.read(descriptor, size - len(data))
        if not part:
            os._exit(1)
        data += part
    return data

def install(sources):
    import importlib.abc
    import importlib.util

    class Sent(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
        """Modules by name: their source, and whether they are packages."""

        def find_spec(self, fullname, path=None, target=None):
            if fullname not in sources:
                return None
            return importlib.util.spec_from_loader(fullname, self, origin="<%s>" % fullname)

        def is_package(self, fullname):
            return sources[fullname][1]

        def get_source(self, fullname):
            return sources[fullname][0]

    sys.meta_path.insert(0, Sent())

start()
'''


def environment(hash_seed: int = 0) -> dict[str, str]:
    """Return the environment of a zygote. hash_seed: decides in which order sets are read."""
    return {**ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)}


def command(reader: int, writer: int, *, scrub: Mapping[str, str] | None = None) -> list[str]:
    """Return the arguments for a Python that starts the zygote. scrub: the environment that it has to give itself."""
    text = TEXT.replace("FIRST", repr(FIRST))
    return [*FLAGS, FIRST, text, str(reader), str(writer), repr(dict(scrub or {}))]


def sources() -> dict[str, tuple[str, bool]]:
    """Return every module of `inside`: its name there -> its source, whether it is a package."""
    found: dict[str, tuple[str, bool]] = {}
    for path in sorted(INSIDE.rglob("*.py")):
        parts = path.relative_to(INSIDE).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(("goldproof_inside", *(parts[:-1] if is_package else parts)))
        found[name] = (path.read_text(encoding="utf-8"), is_package)
    return found
