"""Recognising what a user's object is, so that one line suffices for all of them.

In this order: an object with `search` (a LangChain vector store has one too, with another meaning, and is known by its
`similarity_search`); LangChain's `invoke`; LlamaIndex's `retrieve`; a function of a query. A class or a factory is
called first: without arguments, or with `documents` where that is the one thing it requires.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from goldproof.errors import InputError, kind_of
from goldproof.retrieve.foreign.binding import Bound, bind, is_async, signature_of

if TYPE_CHECKING:
    from collections.abc import Callable

Shape = Literal["search", "vector store", "langchain", "llamaindex"]
EXPECTED = (
    "expected an object with search(query, k, filters=None), with LangChain's invoke(query) or with LlamaIndex's "
    "retrieve(query), a function f(query, k), or a class or factory of one"
)
DOCUMENTS_NAMES = ("documents", "docs", "corpus")
QUERY_NAMES = ("query", "question", "q", "text")
_WAITING = ("search", "invoke", "retrieve", "ainvoke", "aretrieve", "asearch", "asimilarity_search")


@dataclass(frozen=True, slots=True)
class Opened:
    """A retriever of the user's, ready to be called."""

    shape: Shape
    target: Any
    search: Bound
    search_many: Bound | None = None
    index: Callable[..., Any] | None = None


def maker_of(target: object, name: str) -> Literal["nothing", "documents"] | None:
    """Return what a class or factory must be called with; None where the target is none."""
    is_class = inspect.isclass(target)
    if not callable(target) or (not is_class and _searches(target)):
        return None
    parameters = signature_of(target)
    if parameters is None:
        return "nothing" if is_class else None
    required = _required(parameters)
    if len(required) == 1 and required[0].name in DOCUMENTS_NAMES:
        return "documents"
    if is_class and required:
        raise InputError(
            f"{name}: the class requires {required[0].name!r}; give one that is made without arguments or with "
            "documents, an object, or a function that makes one."
        )
    takes_query = any(p.name in QUERY_NAMES or p.kind is p.VAR_POSITIONAL for p in parameters)
    return "nothing" if is_class or not (required or takes_query) else None


def open_shape(target: object, name: str) -> Opened:
    """Return how the object is searched; InputError where nothing about it fits."""
    if (similar := _method(target, "similarity_search")) and _method(target, "as_retriever"):
        return Opened("vector store", target, bind(similar, f"{name}: similarity_search"))
    if search := _method(target, "search"):
        many = _method(target, "search_many")
        bound = None if many is None else bind(many, f"{name}: search_many")
        return Opened("search", target, bind(search, f"{name}: search"), bound, _index_of(target))
    if invoke := _method(target, "invoke"):
        return Opened("langchain", target, Bound(invoke, "k" if _is_told_k(target) else None))
    if retrieve := _method(target, "retrieve"):
        return Opened("llamaindex", target, Bound(retrieve, None))
    if callable(target) and not inspect.isclass(target):
        return Opened("search", target, bind(target, name))
    raise InputError(f"{name} is {kind_of(target)}{_nearly(target)}; {EXPECTED}.")


def _is_told_k(target: object) -> bool:
    """Return whether k can be given with `invoke`: to a vector store's retriever, unless it was built with a k."""
    settings = getattr(target, "search_kwargs", None)
    return isinstance(settings, dict) and "k" not in settings


def _nearly(target: object) -> str:
    waiting = next((method for method in _WAITING if is_async(getattr(target, method, None))), None)
    if waiting is not None:
        return f" whose {waiting} is async, and that offers nothing else; wrap it in a function that runs it"
    if callable(getattr(target, "as_retriever", None)):
        return " that is no retriever itself; give what its as_retriever() returns"
    return ""


def _searches(target: object) -> bool:
    return any(_method(target, name) for name in ("search", "invoke", "retrieve", "similarity_search"))


def _method(target: object, name: str) -> Callable[..., Any] | None:
    """Return a method that can be called without await."""
    found = None if inspect.isclass(target) else getattr(target, name, None)
    return found if callable(found) and not is_async(found) else None


def _index_of(target: object) -> Callable[..., Any] | None:
    """Return `index(documents)`; a method of that name that takes something else (a database's) is left alone."""
    found = _method(target, "index")
    required = _required(signature_of(found) or []) if found is not None else []
    takes_one = len(required) == 1 and required[0].kind is not inspect.Parameter.KEYWORD_ONLY
    return found if takes_one else None


def _required(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    return [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
