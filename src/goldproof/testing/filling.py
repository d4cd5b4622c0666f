"""The smallest value of a JSON schema, with a given text in every place that takes any text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST = 20  # a schema may hold itself


def filled(schema: Mapping[str, Any], text: str) -> Any:  # noqa: ANN401 - whatever the schema describes
    """Return a value of the schema: required properties only, the simplest of several choices."""
    return _value(schema, text, root=schema, depth=0)


def _value(schema: Mapping[str, Any], text: str, *, root: Mapping[str, Any], depth: int) -> Any:  # noqa: ANN401
    schema = _resolved(schema, root)
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if schema.get(several):
            # One without a reference, if there is one: it cannot hold itself.
            choice = min(schema[several], key=lambda each: "$ref" in each)
            return _value(choice, text, root=root, depth=depth + 1)
    kind = schema.get("type")
    match kind[0] if isinstance(kind, list) else kind:
        case "string":
            return text[: schema.get("maxLength")]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "array":
            item = schema.get("items", {})
            return [_value(item, text, root=root, depth=depth + 1) for _ in range(schema.get("minItems", 0))]
        case "object":
            inner = schema.get("properties", {})
            names = [name for name in schema.get("required", ()) if name in inner]
            return {name: _value(inner[name], text, root=root, depth=depth + 1) for name in names}
        case _:
            return None


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references within the schema."""
    for _ in range(_DEEPEST):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            break
        found: Any = root
        for name in reference.removeprefix("#").strip("/").split("/"):
            found = found.get(name, {}) if name else found
        schema = found
    return schema
