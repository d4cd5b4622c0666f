"""Names, versions and requirements of distributions, read as pip reads them: by `packaging`, of the extra verify."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import MissingExtraError

if TYPE_CHECKING:
    from packaging.requirements import Requirement


def normal_name(name: str) -> str:
    """Return the name as package indexes compare it."""
    _need_packaging()
    from packaging.utils import canonicalize_name  # noqa: PLC0415 - an extra

    return canonicalize_name(name.strip())


def same_version(version: str, other: str) -> bool:
    """Return whether two versions are equal: 1.20 and 1.20.0 are."""
    _need_packaging()
    from packaging.version import InvalidVersion, Version  # noqa: PLC0415 - an extra

    try:
        return Version(version) == Version(other)
    except InvalidVersion:
        return version.strip() == other.strip()


def parse_requirement(text: str) -> Requirement | None:
    """Return a requirement; None where the text is none."""
    _need_packaging()
    from packaging.requirements import InvalidRequirement, Requirement  # noqa: PLC0415 - an extra

    try:
        return Requirement(text)
    except InvalidRequirement:
        return None


def exact_version(requirement: Requirement) -> str:
    """Return the one version that a requirement allows; empty where it leaves it open."""
    allowed = [one.version for one in requirement.specifier if one.operator == "=="]
    return allowed[0] if len(requirement.specifier) == 1 and allowed and not allowed[0].endswith(".*") else ""


def _need_packaging() -> None:
    try:
        import packaging  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("reading Python packages", "verify") from error
