"""Build the runnable program of a question: its snippet as written, or the expression that it names.

Snippets of real suites are pieces of files: they leave out imports, or stand in a function that nobody calls. Imports
of the file that a section is cut from, and of the library's own names, are put before the code, and the one function
without parameters is called; where anything else is missing (other names, elided lines) there is no program. A name
that is missing beside others of its own module was forgotten: such code runs as it is. Code that only defines things is
`inert`: that it runs shows nothing about what the question asks, only that it fails does.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.call_asked import is_asked_for
from goldproof.jobs.verify.rules.code_names import top_names, undefined_names, used_names
from goldproof.jobs.verify.rules.code_text import expression_of, parsed
from goldproof.jobs.verify.rules.missing_imports import import_lines
from goldproof.jobs.verify.rules.section_imports import section_imports

if TYPE_CHECKING:
    from goldproof.corpus.libraries import NameIndex
    from goldproof.jobs.verify.rules.asked import Asked
    from goldproof.jobs.verify.rules.rule import Reading

_DEFINES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)
_BLANKS: Final = re.compile(r"\s+")
_UNSTABLE: Final = re.compile(
    r"(?<!\w)(?:random|secrets|uuid[14]?|time\.(?:time|perf_counter|monotonic)|now|today|utcnow|getpid|urandom|id"
    r"|hash)\s*[.(]"
)


@dataclass(frozen=True, slots=True)
class Program:
    """Code to run. added: lines that were put before or after what the question shows, in words.

    inert: it only defines things. unstable: what it prints may differ from run to run.
    """

    code: str
    added: tuple[str, ...] = ()
    inert: bool = False
    unstable: bool = False


def program_of(reading: Reading, *, mentioned: tuple[str, ...] = ()) -> Program | None:
    """Return what the question asks to be run, None where it shows nothing that can be.

    mentioned: exceptions that options name. With `NameError` or `SyntaxError` among them the code is taken as it is.
    """
    asked, index = reading.asked, reading.index
    if not asked.code.strip():
        return _of_expression(asked, index)
    tree = parsed(asked.code)
    if tree is None:
        return Program(asked.code) if "SyntaxError" in mentioned and not asked.code[:1].isspace() else None
    if not tree.body or is_elided(asked.code, tree):
        return None
    return _completed(reading, tree, literally="NameError" in mentioned)


def completed_code(code: str, index: NameIndex, *, before: str = "") -> str | None:
    """Return code with the imports that it leaves out, after the code that it continues; None if incomplete."""
    whole = f"{before}\n{code}" if before else code
    tree = parsed(whole)
    lines = None if tree is None else import_lines(tree, index)
    return None if lines is None else with_lines(lines, whole)


def with_lines(lines: tuple[str, ...], code: str) -> str:
    """Return code with lines before it; what must stand at the very top (`from __future__`) stays there."""
    tree = parsed(code)
    future = (
        [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"] if tree else []
    )
    first = (future[-1].end_lineno or 0) if future else 0
    rows = code.split("\n")
    return "\n".join([*rows[:first], *lines, *rows[first:]])


def _completed(reading: Reading, tree: ast.Module, *, literally: bool) -> Program | None:
    asked = reading.asked
    code, added = asked.code, list[str]()
    tail = _called_afterwards(asked, tree)
    if tail is None:
        return None
    if tail:
        code, added = f"{code}\n{tail}", [f"then `{tail}`"]
        tree = parsed(code) or tree
    own = section_imports(reading.case.snippet, undefined_names(tree))
    if own and literally:
        return None  # as it is shown it fails, as it stands in its file it does not
    if own:
        code, added = with_lines(own, code), [f"with `{'; '.join(own)}` of its file before it", *added]
        tree = parsed(code) or tree
    lines = () if literally or _is_complete(reading, tree) else import_lines(tree, reading.index)
    if lines is None:
        return None
    if lines and not _is_forgotten(lines, tree):
        code, added = with_lines(lines, code), [f"with `{'; '.join(lines)}` before it", *added]
    return Program(code, tuple(added), inert=is_inert(tree), unstable=is_unstable(code))


def _is_complete(reading: Reading, tree: ast.Module) -> bool:
    """Say whether code means to be a whole program, so that a missing name is a fault: it has imports of its own."""
    piece = reading.case.snippet is not None and reading.case.snippet.section is not None
    return not piece and any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body)


def _is_forgotten(lines: tuple[str, ...], tree: ast.Module) -> bool:
    """Say whether code imports from the very module that a name is missing of: then it was forgotten, not left out."""
    own = {node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.names[0].name != "*"}
    made = (parsed(line) for line in lines)
    return any(isinstance(one, ast.ImportFrom) and one.module in own for each in made if each for one in each.body)


def _called_afterwards(asked: Asked, tree: ast.Module) -> str | None:
    """Return what is run after the snippet: the call that the question names, or of its one function; None: unclear."""
    beyond = [span for span in asked.spans if _is_beyond(span, asked.code, tree)]
    if len(beyond) > 1:
        return None
    if beyond:
        expression = expression_of(beyond[0])
        known = set(top_names(tree)) & set(used_names(expression)) if expression is not None else set()
        return beyond[0] if known and is_asked_for(beyond[0], asked.text) else None
    return _own_call(tree)


def _own_call(tree: ast.Module) -> str | None:
    """Return a call of the function that the snippet wraps its code in, empty where it does something by itself."""
    if not is_inert(tree):
        return ""
    used = set(used_names(tree))
    alone = [
        node
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name not in used
        and not node.decorator_list
    ]
    if not alone:
        return ""
    if len(alone) > 1 or not _is_without_parameters(alone[0].args):
        return None
    call = f"{alone[0].name}()"
    return f"await {call}" if isinstance(alone[0], ast.AsyncFunctionDef) else call


def _is_without_parameters(given: ast.arguments) -> bool:
    required = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    return required == 0 and all(default is not None for default in given.kw_defaults)


def _is_beyond(span: str, code: str, tree: ast.Module) -> bool:
    """Say whether a span of the question calls something that the snippet does not call."""
    expression = expression_of(span)
    calls = [node for node in ast.walk(expression) if isinstance(node, ast.Call)] if expression is not None else []
    if not calls or _BLANKS.sub("", span) in _BLANKS.sub("", code):
        return False
    outer = calls[0]
    if outer.args or outer.keywords:
        # A call of what the snippet knows nothing of is an example, not the next line.
        return True
    name = outer.func.attr if isinstance(outer.func, ast.Attribute) else getattr(outer.func, "id", "")
    called = {node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
              for node in ast.walk(tree) if isinstance(node, ast.Call)}  # fmt: skip
    return name not in called


def is_inert(tree: ast.Module) -> bool:
    """Say whether code only defines functions and classes, so that running it shows nothing of what they do."""
    defines = any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for node in tree.body)
    idle = all(isinstance(node, _DEFINES) or _is_text(node) or _is_plain_assignment(node) for node in tree.body)
    return idle and (defines or all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_plain_assignment(node: ast.stmt) -> bool:
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return isinstance(node, ast.AnnAssign)
    return not any(isinstance(one, (ast.Call, ast.Await, ast.Subscript, ast.BinOp)) for one in ast.walk(node.value))


def is_elided(code: str, tree: ast.Module) -> bool:
    """Say whether lines were left out: dots on the outermost level, or in a comment."""
    dots = any(isinstance(node, ast.Expr) and _is_dots(node.value) for node in tree.body)
    return dots or any(line.strip().startswith(("# ...", "#...", "# \u2026")) for line in code.split("\n"))


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def is_unstable(code: str) -> bool:
    """Say whether what code shows may differ from run to run: it asks the clock, chance, or where things lie."""
    return bool(_UNSTABLE.search(code)) and "seed(" not in code


def _of_expression(asked: Asked, index: NameIndex) -> Program | None:
    """Return the one call that a question without code names: `yaml.safe_load('a: 1')`."""
    calls = [span for span in dict.fromkeys(asked.spans) if is_call_with_values(span)]
    if len(calls) != 1 or not is_asked_for(calls[0], asked.text):
        return None
    code = completed_code(calls[0], index)
    if code is None:
        return None
    added = (f"with `{code.removesuffix(calls[0]).strip()}` before it",) if code != calls[0] else ()
    return Program(code, added, unstable=is_unstable(code))


def is_call_with_values(span: str) -> bool:
    """Say whether a span can be run: an expression that calls something with real values, not `run()` for a name."""
    expression = expression_of(span)
    if expression is None:
        return False
    calls = [node for node in ast.walk(expression) if isinstance(node, ast.Call)]
    given = any(call.args or call.keywords for call in calls)
    dots = any(_is_dots(argument) for call in calls for argument in call.args)
    return bool(calls) and (given or not isinstance(expression, ast.Call)) and not dots
