"""Refuse scripts that change the library or its observer, or hide what they do.

This reads the script; it is the first line. What it misses meets the sandbox, which finds replaced code and forged
messages, and the control, which must flip.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from goldproof.errors import shown
from goldproof.jobs.verify.agent.screening.script_names import imported_twice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.agent.screening.script_names import ScriptNames

OBSERVERS = frozenset(
    {
        "observe",
        "observe_anywhere",
        "observe_code",
        "observe_command",
        "observe_import",
        "observe_keyword",
        "observe_name",
        "observe_same",
    }
)
STAND_INS = frozenset({"fake_adk_model", "fake_chat_model", "fake_http", "fixed_clock"})
_OFFERED = {"goldproof_proof": OBSERVERS, "goldproof_proof.stand_ins": STAND_INS}
_FUNCTIONS = {
    "exec": "runs a text as code; use observe_code",
    "eval": "runs a text as code; use observe_code",
    "compile": "makes code from a text; use observe_code",
    "__import__": "hides an import; use an import statement or observe_import",
    "setattr": "may change the library; assign to an object of your own instead",
    "delattr": "may change the library",
    "globals": "may change any name",
    "breakpoint": "waits for somebody",
    "input": "waits for somebody",
    "__builtins__": "may change what every name means",
    "__loader__": "hides an import",
    "__spec__": "hides an import",
}
_MODULES = (
    "_ctypes", "_posixsubprocess", "_thread", "atexit", "builtins", "cffi", "code", "codeop", "ctypes", "faulthandler",
    "fcntl", "gc", "imp", "importlib", "goldproof_inside", "marshal", "mmap", "mock", "multiprocessing", "pdb", "posix",
    "pytest", "runpy", "subprocess", "unittest.mock.patch",
)  # fmt: skip
_HARMLESS = ("importlib.metadata", "importlib.resources")
_ADVICE = {
    "importlib": "use an import statement or observe_import",
    "pytest": "what is raised is observed by itself",
    "subprocess": "use observe_command",
    "unittest": "hand a stand-in over as an argument instead",
}
_MEMBERS = {
    "sys": "modules meta_path path_hooks path_importer_cache _getframe _current_frames settrace setprofile "
    "addaudithook setrecursionlimit __stdout__ __stderr__ displayhook excepthook",
    "os": "_exit write writev pwrite pwritev sendfile fdopen dup dup2 abort kill killpg fork forkpty posix_spawn "
    "posix_spawnp execv execve execvp execvpe execl execle execlp execlpe spawnl spawnv system popen open pipe pipe2 "
    "memfd_create",
    "inspect": "currentframe stack trace getouterframes getinnerframes",
    "types": "CodeType FunctionType FrameType",
    "operator": "setitem delitem methodcaller",
    "io": "FileIO open_code",
}
_FORBIDDEN_PATHS = frozenset(f"{module}.{name}" for module, names in _MEMBERS.items() for name in names.split())
_ATTRIBUTES = frozenset(
    {"__builtins__", "__closure__", "__code__", "__delattr__", "__globals__", "__setattr__", "__subclasses__"}
    | {"gi_frame", "cr_frame", "f_back", "f_globals", "f_locals", "tb_frame"}
)
_REACHING = frozenset({"type", "vars", "globals", "locals", "getattr", "super"})
_CHANGING = frozenset(
    {"append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update", "__setitem__"}
)
_DESCRIPTORS = ("/proc/", "/dev/fd", "/dev/std")


def forbidden(tree: ast.AST, names: ScriptNames) -> str:
    """Return what a script may not do, as a sentence with its line; empty where it does nothing of the kind."""
    for line, said in _found(tree, names):
        return f"line {line}: {said}." if line else f"{said}."
    return ""


def _found(tree: ast.AST, names: ScriptNames) -> Iterator[tuple[int, str]]:
    if twice := imported_twice(tree):
        yield 0, f"{twice} is imported as two different things"
    for name in (*names.imported, *sorted(OBSERVERS)):
        if names.bound[name]:
            yield 0, f"{name} is imported, and then means something else; call that by another name"
    for node in ast.walk(tree):
        for said in _of_node(node, names):
            yield getattr(node, "lineno", 0), said


def _of_node(node: ast.AST, names: ScriptNames) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _of_import(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in _FUNCTIONS and node.id not in names.definitions:
            yield f"{node.id} {_FUNCTIONS[node.id]}"
    elif isinstance(node, ast.Call):
        yield from _of_call(node, names)
    elif isinstance(node, ast.Constant) and any(one in str(node.value) for one in _DESCRIPTORS):
        yield f"{shown(node.value)} leads to the channels of the process"
    if isinstance(node, ast.Attribute):
        yield from _of_attribute(node, names)
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield from _of_target(node, names)


def _of_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    if offered := _OFFERED.get(module):
        wrong = [one.name for one in node.names if one.name not in offered or one.asname]
        if wrong:
            yield f"{wrong[0]} cannot be imported from {module} so; it offers {', '.join(sorted(offered))}"
        return
    for one in node.names:
        path = f"{module}.{one.name}".strip(".")
        if one.name == "*":
            yield f"from {module} import * hides what is imported; name it"
        elif module == "__future__":
            yield "leave out the import from __future__"
        elif path.partition(".")[0] == "goldproof_proof":
            yield "use `from goldproof_proof import observe, ...`"
        elif _is_module_forbidden(path) or path in _FORBIDDEN_PATHS:
            yield f"{path} may not be imported by a proof{_advice(path)}"


def _is_module_forbidden(path: str) -> bool:
    if any(path == one or path.startswith(f"{one}.") for one in _HARMLESS):
        return False
    return any(path == one or path.startswith(f"{one}.") for one in _MODULES)


def _advice(path: str) -> str:
    said = _ADVICE.get(path.partition(".")[0], "")
    return f"; {said}" if said else ""


def _of_attribute(node: ast.Attribute, names: ScriptNames) -> Iterator[str]:
    path = names.path(node)
    if path in _FORBIDDEN_PATHS or _is_module_forbidden(path):
        yield f"{path} may not be used by a proof{_advice(path)}"
    elif node.attr in _ATTRIBUTES or (node.attr == "__dict__" and path):
        yield f"{node.attr} reaches behind the library"


def _of_call(node: ast.Call, names: ScriptNames) -> Iterator[str]:
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    first = node.args[0] if node.args else None
    if called in ("getattr", "vars") and first is not None:
        path = names.path(first)
        if path and (called == "vars" or not names.is_library(first)):
            yield f"{called} of {path} hides what is used; write it out"
    elif called == "open" and isinstance(first, ast.Constant) and isinstance(first.value, int):
        yield "open of a number writes to a channel of the process"
    elif isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        owner = names.path(node.func.value)
        if (owner and owner != "os.environ") or _reaches(node.func.value):
            yield f"{owner or 'a name of the library'} would be changed by {node.func.attr}"


def _of_target(node: ast.Attribute | ast.Subscript, names: ScriptNames) -> Iterator[str]:
    path = names.path(node.value)
    if path and path != "os.environ":
        yield f"{path} is imported and may not be changed: observe it as it is, or subclass it"
    elif _reaches(node.value) or (isinstance(node, ast.Attribute) and node.attr in ("__class__", "__dict__")):
        yield "a class or module may not be changed: observe it as it is, or subclass it"


def _reaches(node: ast.AST) -> bool:
    """Whether an expression leads from an object to its class, or to a module."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr in ("__class__", "__dict__", "__mro__", "__bases__"):
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in _REACHING:
            return True
    return False
