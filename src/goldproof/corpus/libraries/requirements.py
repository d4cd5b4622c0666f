"""Parse requirements: names with extras and exact versions, `google-adk[eval]==1.20.0,httpx==0.28.0`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldproof.corpus.packages.releases import exact_version, normal_name, parse_requirement
from goldproof.errors import InputError


@dataclass(frozen=True, slots=True)
class Requirement:
    """One distribution. extras: sorted, spelt as pip compares them. version: empty where any will do."""

    name: str
    extras: tuple[str, ...] = ()
    version: str = ""

    def __str__(self) -> str:
        return self.bare + (f"=={self.version}" if self.version else "")

    @property
    def bare(self) -> str:
        """The name with its extras."""
        return self.name + (f"[{','.join(self.extras)}]" if self.extras else "")


def parse_requirements(text: str) -> tuple[Requirement, ...]:
    """Read requirements that stand with commas between them."""
    found = tuple(_parse(one, whole=text) for one in _split(text))
    names = [normal_name(one.name) for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{text}: {name} is named twice; an environment holds one version of it.")
    return found


def _split(text: str) -> list[str]:
    """Split at the commas that stand outside of brackets."""
    return re.split(r",(?![^\[\]]*\])", text)


def _parse(one: str, *, whole: str) -> Requirement:
    found = parse_requirement(one)
    if found is None or found.url is not None or found.marker is not None:
        raise InputError(
            f"{whole}: {one.strip()!r} is not NAME or NAME==VERSION, such as google-adk==1.20.0; a folder is written "
            "./FOLDER, a repository git+URL@REF."
        )
    version = exact_version(found)
    if found.specifier and not version:
        raise InputError(
            f"{whole}: {one.strip()!r} leaves the version open; a proof is about one version, so write "
            f"{found.name}==VERSION, or {found.name} for the one that is installed."
        )
    return Requirement(name=found.name, extras=tuple(sorted(map(normal_name, found.extras))), version=version)
