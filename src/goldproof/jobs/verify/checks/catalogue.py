"""Catalogue of all checks by name, except the combinators `not`, `all` and `any`."""

from __future__ import annotations

from goldproof.jobs.verify.checks import names, outcomes, parameters, values
from goldproof.jobs.verify.checks.check import Check, check

_RUNS = "call code import command"

CHECKS: dict[str, Check] = {
    "accepts": check(parameters.accepts, "keyword"),
    "async": check(names.is_async, "name", needs={"is": str}),
    "default": check(parameters.default, "name", needs={"of": str, "literal": str}),
    "flag": check(parameters.flag, "command", needs={"option": str}),
    "found": check(names.found, "name"),
    "has_parameter": check(parameters.has_parameter, "name", needs={"name": str}),
    "inherits": check(names.inherits, "name", needs={"from": str}, takes={"direct": bool}),
    "logs": check(outcomes.logs, _RUNS, takes={"text": str, "level": str}),
    "prints": check(outcomes.prints, _RUNS, needs={"text": str}, takes={"how": str}),
    "raises": check(outcomes.raises, _RUNS, takes={"type": str, "message": str, "exactly": bool}),
    "required": check(parameters.required, "name", needs={"of": str}),
    "returns": check(values.returns, "call code name", needs={"literal": str}),
    "returns_text": check(values.returns_text, "call code name", needs={"text": str}),
    "returns_type": check(values.returns_type, "call code name", needs={"type": str}),
    "same": check(names.same, "same", needs={"names": list}),
    "signature": check(parameters.signature, "name", needs={"text": str}),
    "somewhere": check(names.somewhere, "anywhere"),
    "warns": check(outcomes.warns, _RUNS, takes={"category": str, "text": str}),
    "what": check(names.what, "name", needs={"is": str}),
    "works": check(outcomes.works, _RUNS),
}

# The words that a field may have.
CHOICES: dict[tuple[str, str], tuple[str, ...]] = {
    ("async", "is"): ("coroutine", "async generator", "generator", "plain", "async"),
    ("prints", "how"): ("equals", "contains"),
    ("what", "is"): ("module", "class", "function", "method", "property", "field", "attribute"),
}
