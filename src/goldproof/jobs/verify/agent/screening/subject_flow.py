"""Data flow of SUBJECT: only to observers and to the library, so that the library makes the difference.

A script that decides by SUBJECT itself (`3 if SUBJECT == "load" else 4`) would flip with any control and prove nothing.
Names that SUBJECT is given to, and parameters of the script's own functions, are followed; what the library returned is
not SUBJECT any more.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from goldproof.jobs.verify.agent.screening.forbidden import OBSERVERS
from goldproof.jobs.verify.agent.screening.script_names import parameters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.jobs.verify.agent.screening.script_names import Function, ScriptNames

SUBJECT = "SUBJECT"
_PASSING_ON = (
    ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.UnaryOp, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.keyword,
    ast.Starred, ast.Await,
)  # fmt: skip
_MAKING = frozenset(
    {"str", "repr", "bytes", "dict", "list", "tuple", "set", "frozenset", "int", "float", "open"}
    | {"functools.partial", "io.BytesIO", "io.StringIO", "json.dumps", "pathlib.Path", "textwrap.dedent"}
)
_METHODS = frozenset(
    {"format", "replace", "strip", "encode", "join", "split", "partition", "rpartition", "read", "read_text", "open"}
)
LOOKING = frozenset({"getattr", "hasattr", "isinstance", "issubclass"})


CONTAINER_METHODS = frozenset({"__contains__", "__getitem__", "count", "find", "get", "index", "pop", "setdefault"})
_NAMING = frozenset({"observe_anywhere", "observe_import", "observe_name", "observe_same"})


class SubjectFlow:
    """Follows SUBJECT through one script.

    complaint: why the script is refused, or empty. arrived: SUBJECT is used. behaves: it is used for more than to look
    whether something is there.
    """

    def __init__(self, tree: ast.AST, names: ScriptNames, *, subject: str = SUBJECT) -> None:
        self._names = names
        self._above = {below: node for node in ast.walk(tree) for below in ast.iter_child_nodes(node)}
        self._loads = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
        self._deciding = [part for node in ast.walk(tree) for part in _deciding(node)]
        self._followed = {subject}
        self.arrived = self.behaves = False
        self.complaint = ""
        self._follow()

    def _follow(self) -> None:
        done = set[ast.Name]()
        while True:
            waiting = [one for one in self._loads if one.id in self._followed and one not in done]
            if not waiting:
                break
            for one in waiting:
                done.add(one)
                self._climb(one)
        if not self.arrived and not self.complaint:
            self.complaint = "SUBJECT is not used: give it to an observing function or to the library."

    def _climb(self, name: ast.Name) -> None:
        node: ast.AST = name
        while (above := self._above.get(node)) is not None:
            if isinstance(above, ast.Call):
                if not self._passes_call(above, node):
                    return
            elif isinstance(above, ast.Attribute):
                outer = self._above.get(above)
                if above.attr not in _METHODS or not (isinstance(outer, ast.Call) and outer.func is above):
                    self._refuse(name, "an attribute of SUBJECT is used")
                    return
            elif isinstance(above, ast.Subscript):
                if above.value is not node and not self._lookup(above, name):
                    return
            elif not isinstance(above, _PASSING_ON):
                self._end(above, node, name)
                return
            node = above

    def _passes_call(self, call: ast.Call, node: ast.AST) -> bool:
        """Whether what a call returns is still SUBJECT; where it is not, it has arrived or is refused."""
        called = call.func.id if isinstance(call.func, ast.Name) else ""
        own = self._names.own_functions(call.func)
        if own:
            self._enter(own)
            return False
        if self._is_library_call(call, called):
            self.arrived = True
            self.behaves = self.behaves or called not in LOOKING or self._is_called_on(call)
            return False
        if call.func is node or (isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS):
            return True
        if called in _MAKING or self._names.path(call.func) in _MAKING:
            return True
        if called in OBSERVERS:
            self.arrived = True
            self.behaves = self.behaves or not (called in _NAMING or is_looking(call))
            self._enter(own for one in call.args[1:2] for own in self._names.own_functions(one))
        else:
            self._refuse(call, f"SUBJECT is given to {ast.unparse(call.func)}")
        return False

    def _enter(self, functions: Iterable[Function]) -> None:
        """Follow SUBJECT into functions of the script, by all of their parameters."""
        for one in functions:
            self._followed.update(parameters(one))

    def _is_library_call(self, call: ast.Call, called: str) -> bool:
        if _looks_up(call) and not self._names.is_library(call.func):
            return False
        asked = call.args[0] if called in LOOKING and call.args else call.func
        return self._names.touches(asked)

    def _is_called_on(self, call: ast.Call) -> bool:
        """Whether what was looked up is then called: `getattr(yaml, SUBJECT)("a: 1")`."""
        above = self._above.get(call)
        return isinstance(above, ast.Assign) or (isinstance(above, ast.Call) and above.func is call)

    def _lookup(self, above: ast.Subscript, name: ast.Name) -> bool:
        if self._names.is_library(above.value):
            self.arrived = self.behaves = True
        else:
            self._refuse(name, "a value is looked up by SUBJECT")
        return False

    def _end(self, above: ast.AST, node: ast.AST, name: ast.Name) -> None:
        if isinstance(above, ast.Expr):
            return
        if isinstance(above, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            self._assign(above, name)
        elif isinstance(above, ast.For | ast.AsyncFor | ast.comprehension) and above.iter is node:
            self._followed.update(one.id for one in ast.walk(above.target) if isinstance(one, ast.Name))
        elif isinstance(above, ast.Compare) and self._compares_library(above, node):
            self.arrived = True
        elif isinstance(above, ast.withitem) and isinstance(above.optional_vars, ast.Name):
            self._followed.add(above.optional_vars.id)
        elif isinstance(above, ast.ClassDef) and self._names.touches(above):
            self.arrived = True
        else:
            self._refuse(name, "the script decides by SUBJECT itself")

    def _compares_library(self, compare: ast.Compare, node: ast.AST) -> bool:
        """Whether SUBJECT is only held against something of the library: `SUBJECT in Model.model_fields`."""
        others = [one for one in (compare.left, *compare.comparators) if one is not node]
        ends = isinstance(self._above.get(compare), ast.Lambda | ast.Return | ast.Call)
        return ends and all(map(self._names.touches, others))

    def _assign(self, above: ast.Assign | ast.AnnAssign | ast.NamedExpr, name: ast.Name) -> None:
        targets = above.targets if isinstance(above, ast.Assign) else [above.target]
        around = self._above.get(above)
        for target in targets:
            if isinstance(around, ast.ClassDef) and isinstance(target, ast.Name):
                self._put(target.id, name, on_library=any(map(self._names.touches, around.bases)))
            elif isinstance(target, ast.Name):
                self._followed.add(target.id)
            else:
                owner = target.value if isinstance(target, ast.Attribute | ast.Subscript) else None
                attribute = target.attr if isinstance(target, ast.Attribute) else ""
                self._put(attribute, name, on_library=owner is not None and self._names.touches(owner))

    def _put(self, attribute: str, name: ast.Name, *, on_library: bool) -> None:
        """SUBJECT becomes part of an object: of the library's, and then nothing may be decided by that part."""
        self.behaves = True
        if not on_library or any(_uses_attribute(part, attribute) for part in self._deciding):
            self._refuse(name, "SUBJECT is put where it cannot be followed")
        self.arrived = True

    def _refuse(self, node: ast.expr, what: str) -> None:
        allowed = "it may only go to an observing function or to the library"
        self.complaint = self.complaint or f"line {node.lineno}: {what}; {allowed}."


def _looks_up(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in CONTAINER_METHODS


def is_looking(call: ast.Call) -> bool:
    """Return whether what is observed only looks at its argument: `observe("x", getattr, yaml, SUBJECT)`."""
    return len(call.args) > 1 and isinstance(call.args[1], ast.Name) and call.args[1].id in LOOKING


def decides_by(tree: ast.AST, subject: str) -> bool:
    """Return whether code compares or branches on a name: in text that is run, where SUBJECT is code or a value."""
    return any(_uses(part, subject) for node in ast.walk(tree) for part in _deciding(node))


def _deciding(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.BoolOp):
        return [*node.values]
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [node.test]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Call) and _looks_up(node):
        return [*node.args]
    return [node.subject] if isinstance(node, ast.Match) else []


def _uses_attribute(node: ast.AST, attribute: str) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == attribute for one in ast.walk(node))


def _uses(node: ast.AST, subject: str) -> bool:
    """Whether a name is used, other than as an argument: what comes back from a call is something else."""
    if isinstance(node, ast.Call):
        return False
    if isinstance(node, ast.Name) and node.id == subject:
        return True
    return any(_uses(below, subject) for below in ast.iter_child_nodes(node))
