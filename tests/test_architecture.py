"""The house stands: imports go down the floors, doors are lazy, commands load little, and ARCHITECTURE.md is true."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "goldproof"
DEMO = SOURCE / "data" / "demo"

# Packages on one floor do not import each other, except where a pair is named below.
FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"records", "plugins", "user_code", "concurrency", "closeable", "checks", "progress", "options"}),
    frozenset({"text", "stats", "metrics", "dedup"}),
    frozenset({"io"}),
    frozenset({"llm", "embed", "sandbox", "report"}),
    frozenset({"corpus", "judge"}),
    frozenset({"retrieve"}),
    frozenset({"study", "memory"}),
    frozenset({"jobs"}),
    frozenset({"cli", "testing", "data"}),
    frozenset({"__main__"}),
)
ALLOWED_ON_ONE_FLOOR = {("dedup", "text"), ("user_code", "plugins")}
FLOOR_OF = {package: number for number, packages in enumerate(FLOORS) for package in packages}
PURE = FLOORS[2]
SEEDED = {"Generator", "PCG64", "SFC64", "SeedSequence", "default_rng"}
BANNED_IN_PURE = {
    *("os", "io", "pathlib", "socket", "time", "datetime", "random", "subprocess", "shutil", "urllib", "http"),
    *("tempfile", "asyncio", "threading", "multiprocessing"),
}
HEAVY = ("numpy", "polars", "scipy", "pydantic", "pydantic_ai", "yaml", "bm25s", "rich.console", "rich.live")
MOST_MODULES_OF_EVAL = 120


def modules() -> dict[str, Path]:
    """Return every module of ours by its dotted name; the bundled example programs are not ours."""
    paths = (path for path in sorted(SOURCE.rglob("*.py")) if path.relative_to(SOURCE).parts[0] != "data")
    return {module_name(path): path for path in paths}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def our_imports(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    """Yield every import of ours, also late ones and those for types alone, with what it names."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names if alias.name.startswith("goldproof"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "goldproof":
            yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_a_module_imports_only_from_its_own_package_and_lower_floors() -> None:
    wrong = []
    for path in modules().values():
        package = package_of(path)
        if package == "__init__":
            continue
        if package not in FLOOR_OF:
            wrong.append(f"{path.relative_to(ROOT)}: {package} has no floor; give it one here and in ARCHITECTURE.md")
            continue
        for node, name in our_imports(path):
            target = (*name.split("."), "")[1]
            if target in ("", "__version__", package) or (package, target) in ALLOWED_ON_ONE_FLOOR:
                continue
            if FLOOR_OF.get(target, len(FLOORS)) >= FLOOR_OF[package]:
                wrong.append(f"{place(path, node)}: {package} imports {name}, which is not on a lower floor")
    assert not wrong, "\n".join(wrong)


def test_imports_are_absolute() -> None:
    wrong = [
        place(path, node)
        for path in modules().values()
        if "inside" not in path.parts  # runs in the sandbox, without our package
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert not wrong, f"relative imports: {', '.join(wrong)}"


def test_no_job_imports_another_job() -> None:
    wrong = []
    for path in (SOURCE / "jobs").rglob("*.py"):
        job = path.relative_to(SOURCE / "jobs").parts[0]
        for node, name in our_imports(path):
            if name.startswith("goldproof.jobs.") and name.split(".")[2] != job:
                wrong.append(f"{place(path, node)}: {job} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_the_pure_floor_touches_no_file_clock_network_or_global_randomness() -> None:
    wrong = [
        f"{place(path, node)}: {fault}"
        for path in modules().values()
        if package_of(path) in PURE
        for node in ast.walk(tree(path))
        if (fault := impurity(node))
    ]
    assert not wrong, "\n".join(wrong)


def impurity(node: ast.AST) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        banned = BANNED_IN_PURE & {name.partition(".")[0] for name in names}
        return f"imports {', '.join(sorted(banned))}" if banned else ""
    if not isinstance(node, ast.Call):
        return ""
    called = ast.unparse(node.func)
    if called in {"open", "print", "input"}:
        return f"calls {called}"
    if called.startswith(("np.random.", "numpy.random.")):
        if called.split(".")[-1] not in SEEDED:
            return f"{called} uses global randomness"
        return "" if node.args or node.keywords else f"{called} has no seed"
    return ""


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = modules()
    homes = {name: exported_from(path) for name, path in known.items() if path.name == "__init__.py"}

    def home(module: str, name: str) -> str:
        """Return the module that defines a name, through the doors."""
        if f"{module}.{name}" in known:
            return f"{module}.{name}"
        while name in homes.get(module, {}):
            module = homes[module][name]
        return module

    graph = {}
    for name, path in known.items():
        needed = {
            home(node.module or "", alias.name)
            for node in tree(path).body
            if path.name != "__init__.py" and isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        graph[name] = (needed & set(known)) - {name}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"imports go in a circle: {' -> '.join(error.args[1])}")


def exported_from(door: Path) -> dict[str, str]:
    """Return the names under TYPE_CHECKING of a package's `__init__`, and the module each comes from."""
    return {
        alias.name: node.module or ""
        for block in tree(door).body
        if is_type_checking(block)
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom) and node.module != "goldproof.plugins"
        for alias in node.names
    }


def test_every_door_is_lazy_or_empty() -> None:
    wrong = []
    for path in modules().values():
        if path.name == "__init__.py" and "inside" not in path.parts:  # runs in the sandbox, without our package
            wrong += [
                f"{place(path, node)}: expected `if TYPE_CHECKING: imports, else: lazy_exports`, or a docstring alone"
                for node in tree(path).body
                if not allowed_in_door(node)
            ]
    assert not wrong, "\n".join(wrong)


def allowed_in_door(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) in {"__all__", "__version__"}
    if isinstance(node, ast.ImportFrom):
        return node.module == "typing"
    if not isinstance(node, ast.If) or not is_type_checking(node):
        return False
    if not all(isinstance(part, ast.ImportFrom) for part in node.body):
        return False
    helper, exports = node.orelse
    return (
        isinstance(helper, ast.ImportFrom)
        and isinstance(exports, ast.Assign)
        and "lazy_exports(" in ast.unparse(exports)
    )


def test_an_exported_name_is_the_thing_and_never_a_module_also_when_every_module_was_imported_before() -> None:
    program = """
import importlib, pkgutil, types
import goldproof
names = [found.name for found in pkgutil.walk_packages(goldproof.__path__, "goldproof.")]
names = [name for name in names if not name.startswith("goldproof.data.") and not name.endswith("__main__")]
loaded = [importlib.import_module(name) for name in names if ".inside" not in name]
doors = [goldproof, *(module for module in loaded if hasattr(module, "__path__") and hasattr(module, "__all__"))]
for door in doors:
    for name in door.__all__:
        if isinstance(getattr(door, name), types.ModuleType):
            print(f"{door.__name__}.{name} is a module")
print(len(doors), "doors")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *wrong, last = done.stdout.splitlines()
    assert not wrong, "\n".join(wrong)
    assert int(last.split()[0]) > 20


def test_a_door_exports_what_it_says() -> None:
    wrong = []
    for path in modules().values():
        names = exported_from(path) if path.name == "__init__.py" else {}
        lists = [node for node in tree(path).body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node)]
        said = {name for node in lists for name in ast.literal_eval(node.value)} - {"__version__"}
        if names and said != set(names):
            wrong.append(f"{path.relative_to(ROOT)}: __all__ and the imports differ in {sorted(said ^ set(names))}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("command", ["import goldproof", "import goldproof.cli.main as m; m.app"])
def test_starting_up_loads_nothing_heavy(command: str) -> None:
    assert loaded_by(command, "m in HEAVY") == []


def test_help_loads_nothing_heavy() -> None:
    assert loaded_by(run_command("--help"), "m in HEAVY") == []


def test_eval_on_the_demo_data_loads_few_of_our_modules() -> None:
    runs = [f"--run={path.stem}={path}" for path in sorted((DEMO / "runs").iterdir())]
    loaded = loaded_by(run_command("eval", "--dataset", str(DEMO), *runs), "m.partition('.')[0] == 'goldproof'")
    assert "goldproof.jobs.evaluate.job" in loaded
    assert len(loaded) <= MOST_MODULES_OF_EVAL, f"{len(loaded)} modules: {' '.join(loaded)}"


def run_command(*arguments: str) -> str:
    call = f"main({list(arguments)!r})"
    return f"from goldproof.cli.main import main\ntry:\n    {call}\nexcept SystemExit as end:\n    assert not end.code"


def loaded_by(program: str, condition: str) -> list[str]:
    """Return the modules that a program loads, of those that a condition on `m` takes."""
    code = (
        f"import sys\nHEAVY = {HEAVY!r}\n{program}\nprint('\\nLOADED', *sorted(m for m in sys.modules if {condition}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()[1:]


def test_the_modules_that_the_architecture_page_names_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`", text))
    folders = set(re.findall(r"`((?:[a-z_0-9]+/)+)`", text))
    everywhere = {path.name for path in SOURCE.rglob("*.py")}  # for names without a folder, such as job.py
    lost = [
        name
        for name in sorted(named | folders)
        if not any((top / name).exists() for top in (SOURCE, ROOT)) and name not in everywhere
    ]
    assert len(named) > 40
    assert not lost, f"ARCHITECTURE.md names what is not there: {', '.join(lost)}"


def test_every_package_of_the_root_stands_on_the_architecture_page() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {package_of(path) for path in modules().values()} - {"__init__", "__main__"}
    lost = [name for name in sorted(packages) if not re.search(rf"\b{name}(?:/|\.py)", text)]
    assert not lost, f"ARCHITECTURE.md does not say what these are: {', '.join(lost)}"
