"""Where a definition stands in its file, and what kind of thing it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from goldproof.corpus.packages.naming import Definition

Kind = Literal["module", "class", "function", "method", "property", "attribute", "type alias"]


def kind_of(definition: Definition) -> Kind:
    """Return the kind; a function inside of a class is a method."""
    item = definition.item
    if item.is_module:
        return "module"
    if item.is_class:
        return "class"
    if item.is_function:
        return "method" if item.parent is not None and item.parent.is_class else "function"
    if item.is_attribute:
        return "property" if "property" in item.labels else "attribute"
    return "type alias"


def lines_of(definition: Definition) -> tuple[int, int] | None:
    """Return the first and last line (from 1) with decorators, and with the docstring below an attribute.

    A module's are those of its docstring. None where there are none.
    """
    item, source = definition.item, definition.source
    noted = item.docstring
    if item.is_module:
        return None if noted is None or noted.lineno is None else (noted.lineno, noted.endlineno or noted.lineno)
    if source is None or item.lineno is None:
        return None
    first, last = item.lineno, item.endlineno or item.lineno
    if item.is_attribute and noted is not None and noted.lineno is not None and 0 < noted.lineno - last <= 2:
        last = noted.endlineno or last
    if "property" in item.labels:
        # griffe leaves the decorators of a property out.
        while first > 1 and source.lines(first - 1, first - 1).lstrip().startswith("@"):
            first -= 1
    return first, last
