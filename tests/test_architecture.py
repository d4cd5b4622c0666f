"""The house stands: each floor imports only from the floors before it, and starting up loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "goldproof"

# Rooms on one floor do not import each other, except where a pair is named below.
FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "version"}),
    frozenset({"records", "plugins", "concurrency", "closeable", "checks"}),
    frozenset({"text", "stats", "metrics", "dedup"}),
    frozenset({"io", "store"}),
    frozenset({"llm", "embed", "engine", "sandbox", "report"}),
    frozenset({"corpus", "judge"}),
    frozenset({"retrieve"}),
    frozenset({"study", "memory"}),
    frozenset({"jobs"}),
    frozenset({"cli", "web", "pytest_plugin", "testing", "data"}),
    frozenset({"__main__"}),
)
ALLOWED_ON_ONE_FLOOR = {("dedup", "text")}
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
SEEDED = {"Generator", "PCG64", "SFC64", "SeedSequence", "default_rng"}
HEAVY = ("numpy", "polars", "scipy", "pydantic", "pydantic_ai", "yaml", "bm25s")


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_modules(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0 or "inside" in path.parts, f"{path}: relative import"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in found if name.split(".")[0] == "goldproof"}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_module_imports_only_from_its_own_room_and_lower_floors(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return
    assert room in FLOOR_OF, f"{room} has no floor: add it to the plan"
    for name in imported_modules(path):
        parts = name.split(".")
        target = parts[1] if len(parts) > 1 else ""
        if target in ("", "__version__") or target == room:
            continue
        assert target in FLOOR_OF, f"{path} imports {name}, which has no floor"
        lower = FLOOR_OF[target] < FLOOR_OF[room]
        assert lower or (room, target) in ALLOWED_ON_ONE_FLOOR, f"{path} imports upwards: {name}"


@pytest.mark.parametrize("path", [p for p in modules() if "jobs" in p.parts], ids=str)
def test_no_job_imports_another_job(path: Path) -> None:
    parts = path.relative_to(SOURCE / "jobs").parts
    if len(parts) < 2:
        return
    for name in imported_modules(path):
        if name.startswith("goldproof.jobs."):
            assert name.split(".")[2] == parts[0], f"{path} imports another job: {name}"


@pytest.mark.parametrize("path", [p for p in modules() if room_of(p) in FLOORS[2]], ids=lambda p: p.name)
def test_the_pure_floor_touches_no_file_clock_network_or_global_randomness(path: Path) -> None:
    banned = {"os", "io", "pathlib", "socket", "time", "datetime", "random", "subprocess", "shutil", "urllib", "http"}
    banned |= {"tempfile", "asyncio", "threading", "multiprocessing"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not banned & {alias.name.split(".")[0] for alias in node.names}, path
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.module.split(".")[0] not in banned, path
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"open", "print", "input"}, f"{path}:{node.lineno} calls {called}"
            if called.startswith(("np.random.", "numpy.random.")):
                assert called.split(".")[-1] in SEEDED, f"{path}:{node.lineno} uses global randomness"
                assert node.args or node.keywords, f"{path}:{node.lineno} has no seed"


@pytest.mark.parametrize("path", [p for p in modules() if p.name == "__init__.py"], ids=lambda p: str(p.parent.name))
def test_a_package_init_holds_exports_only(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        allowed = ast.Import | ast.ImportFrom | ast.Expr | ast.Assign | ast.If | ast.AnnAssign
        lazy_export = isinstance(node, ast.FunctionDef) and node.name in {"__getattr__", "__dir__"}
        assert isinstance(node, allowed) or lazy_export, f"{path}:{node.lineno}"


@pytest.mark.parametrize("command", ["import goldproof", "import goldproof.cli.main as m; m.app"])
def test_starting_up_loads_nothing_heavy(command: str) -> None:
    code = f"import sys; {command}; print(*sorted(m for m in sys.modules if m in {HEAVY!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom goldproof.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit: pass\n"
        f"print('HEAVY', *sorted(m for m in sys.modules if m in {HEAVY!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "HEAVY"
