"""What stands after `package:`, and its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.core.spec_options import check_options

if TYPE_CHECKING:
    from collections.abc import Mapping

FieldsFrom = Literal["static", "runtime"]
_OPTIONS = ("private", "fields", "python")
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class PackageSpec:
    """Which package, and what of it."""

    name: str
    version: str | None = None
    private: bool = False
    fields: FieldsFrom = "static"
    python: str | None = None

    def __str__(self) -> str:
        pin = f"=={self.version}" if self.version else ""
        options = [
            *(["private=true"] if self.private else []),
            *([f"fields={self.fields}"] if self.fields != "static" else []),
            *([f"python={self.python}"] if self.python else []),
        ]
        return f"package:{self.name}{pin}" + (f"#{','.join(options)}" if options else "")


def parse_spec(rest: str, options: Mapping[str, str]) -> PackageSpec:
    """Read `NAME` or `NAME==VERSION` and the options."""
    name, pinned, version = (part.strip() for part in rest.partition("=="))
    if not name or (pinned and not version) or any(sign in name for sign in "<>!~=[]@;/ "):
        raise InputError(f"package:{rest}: expected package:NAME or package:NAME==VERSION.")
    check_options(options, _OPTIONS, of="package:")
    return PackageSpec(
        name=name,
        version=version or None,
        private=_truth(options.get("private", "false")),
        fields=_fields_from(options.get("fields", "static")),
        python=options.get("python") or None,
    )


def _truth(value: str) -> bool:
    if value.lower() not in _TRUTH:
        raise InputError(f"package: private={value}: expected true or false.")
    return _TRUTH[value.lower()]


def _fields_from(value: str) -> FieldsFrom:
    for known in get_args(FieldsFrom):
        if value == known:
            return "runtime" if value == "runtime" else "static"
    raise UnknownNameError("value of the option fields of package:", value, get_args(FieldsFrom))
