"""Import lines for names that abridged code uses and does not import.

A name of the library is imported where it has one meaning only; an outermost package, and a module of the standard
library that can mean nothing else, by their names. Any other name leaves the code incomplete.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.code_names import dotted_paths, undefined_names
from goldproof.jobs.verify.rules.resolving import meanings

if TYPE_CHECKING:
    import ast

    from goldproof.corpus.libraries import NameIndex

# Modules whose names are also words that examples use for their own things are left out.
_PLAIN_MODULES: Final = frozenset({
    "abc", "asyncio", "base64", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal",
    "enum", "fractions", "functools", "inspect", "io", "ipaddress", "itertools", "json", "logging", "math", "os",
    "pathlib", "pickle", "re", "sys", "typing", "uuid", "warnings", "zoneinfo",
})  # fmt: skip
_TYPING: Final = frozenset({
    "Annotated", "Any", "Callable", "ClassVar", "Dict", "Final", "Generic", "Iterable", "Iterator", "List", "Literal",
    "Mapping", "NamedTuple", "Optional", "Protocol", "Sequence", "Set", "Tuple", "Type", "TypedDict", "TypeVar",
    "Union",
})  # fmt: skip
_WELL_KNOWN: Final = {
    "dataclass": "from dataclasses import dataclass", "field": "from dataclasses import field",
    "Enum": "from enum import Enum", "Decimal": "from decimal import Decimal", "Path": "from pathlib import Path",
    "Fraction": "from fractions import Fraction", "StringIO": "from io import StringIO",
    "BytesIO": "from io import BytesIO", "BaseModel": "from pydantic import BaseModel",
    "defaultdict": "from collections import defaultdict", "OrderedDict": "from collections import OrderedDict",
}  # fmt: skip


# Short names that everybody uses for a package.
_SHORT: Final = {"np": "numpy", "pd": "pandas", "pl": "polars", "tf": "tensorflow", "plt": "matplotlib.pyplot"}


def import_lines(tree: ast.AST, index: NameIndex) -> tuple[str, ...] | None:
    """Return lines for the names that some code leaves out, None where one is not known, or could mean several things.

    Of what is used by its whole path (`yaml.loader.SafeLoader`) the module is imported, not only its outermost package.
    """
    names = undefined_names(tree)
    modules = [f"import {one}" for path in dotted_paths(tree, names) if (one := _module_in(path, index))]
    lines = [*(_line(name, index) for name in names), *modules]
    return None if None in lines else tuple(dict.fromkeys(line for line in lines if line))


def _line(name: str, index: NameIndex) -> str | None:
    roots = [root for root in index.import_names if root.split(".")[0] == name]
    if roots:
        return "\n".join(f"import {root}" for root in roots)
    if _SHORT.get(name, "").split(".")[0] in index.import_names:
        return f"import {_SHORT[name]} as {name}"
    known = meanings(name, index)
    if len(known) == 1 and known[0].kind in {"class", "function", "module", "attribute"}:
        return _from(known[0].path, name)
    if known or index.find(name):
        return None
    if name in _PLAIN_MODULES and name in sys.stdlib_module_names:
        return f"import {name}"
    return f"from typing import {name}" if name in _TYPING else _WELL_KNOWN.get(name)


def _module_in(path: str, index: NameIndex) -> str:
    """Return the longest beginning of a path that is a module of the library below its outermost names; else empty."""
    parts = path.split(".")
    for length in range(len(parts), 1, -1):
        module = ".".join(parts[:length])
        below = any(module.startswith(f"{root}.") for root in index.import_names)
        if below and any(one.kind == "module" and module in {one.path, one.defined} for one in index.find(module)):
            return module
    return ""


def _from(path: str, name: str) -> str | None:
    owner, _, last = path.rpartition(".")
    if last != name:
        return None
    return f"from {owner} import {name}" if owner else f"import {name}"
