"""Paths of an audit's scripts: `proofs/<case>/verify_option_A.py`, each of them runnable by hand.

The proof that decided an option comes first; further ones are `verify_option_A_2.py` and so on. The control of a script
stands beside it (`verify_option_A.control.py`; `.refuting.py` where a refutation has one of its own). Equal scripts,
as for two versions of a library, are kept once. Files that a script reads lie in `verify_option_A.files/`. The observer
itself is kept as `proofs/goldproof_proof`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from importlib.resources import files as package_files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.verify.finding import CaseFinding
    from goldproof.jobs.verify.proof import Proof, Tried

PROOFS = "proofs"
OBSERVER = "goldproof_proof"
_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Paths of one proof, from the output folder, empty where there is nothing to keep."""

    script: str
    control: str = ""
    refuting: str = ""
    files: str = ""


@dataclass(slots=True)
class Placed:
    """The places of all proofs. texts: path -> content."""

    texts: dict[str, str] = field(default_factory=dict)
    _places: dict[tuple[str, str, str, str], Place] = field(default_factory=dict)
    _folders: dict[str, str] = field(default_factory=dict)

    def of(self, case: str, proof: Proof) -> Place:
        """Return where a proof of a case is kept, placing it if that is still to be done."""
        key = (case, proof.option, proof.script, repr((proof.control, sorted(proof.files.items()))))
        if key not in self._places:
            self._places[key] = self._place(case, proof)
        return self._places[key]

    def _place(self, case: str, proof: Proof) -> Place:
        folder = f"{PROOFS}/{self._folder(case)}"
        stem = self._free_stem(
            folder, "verify_" + _word(f"option_{proof.option}" if _is_letter(proof) else proof.option)
        )
        scripts = {"": proof.script, ".control": proof.control.script, ".refuting": proof.control.refuting}
        paths = {end: f"{stem}{end}.py" for end, text in scripts.items() if text}
        self.texts |= {path: scripts[end] for end, path in paths.items()}
        self.texts |= {f"{stem}.files/{name}": text for name, text in proof.files.items()}
        files = f"{stem}.files" if proof.files else ""
        return Place(paths[""], paths.get(".control", ""), paths.get(".refuting", ""), files)

    def _free_stem(self, folder: str, name: str) -> str:
        stems = (f"{folder}/{name}" + (f"_{number}" if number > 1 else "") for number in range(1, 10_000))
        return next(stem for stem in stems if f"{stem}.py" not in self.texts)

    def _folder(self, case: str) -> str:
        """Return a folder's name for a case, no two of them equal, also where capitals do not count."""
        known = next((name for name, owner in self._folders.items() if owner == case), None)
        if known is not None:
            return known
        plain = _word(case)
        if plain.lower() in {name.lower() for name in self._folders}:
            plain = f"{plain}-{hashlib.sha256(case.encode()).hexdigest()[:8]}"
        self._folders[plain] = case
        return plain


def place_proofs(findings: Iterable[CaseFinding]) -> Placed:
    """Place all proofs of an audit, the deciding ones of each option first."""
    placed = Placed()
    for finding in findings:
        for tried in sorted(finding.tries, key=_weight):
            placed.of(finding.case.id, tried.proof)
    return placed


def observer_texts() -> Mapping[str, str]:
    """Return the observer's own modules, by their paths in the output folder."""
    found = package_files("goldproof.sandbox.inside") / "proof"
    return {
        f"{PROOFS}/{OBSERVER}/{module.name}": module.read_text(encoding="utf-8")
        for module in sorted(found.iterdir(), key=lambda one: one.name)
        if module.name.endswith(".py")
    }


_ORDER = {"refuted": 0, "confirmed": 1, "supported": 2, "no verdict": 3}


def _weight(tried: Tried) -> tuple[int, int]:
    return _ORDER[tried.standing], len(tried.proof.script)


def _is_letter(proof: Proof) -> bool:
    return len(proof.option) <= 2 and proof.option.isalnum()


def _word(text: str) -> str:
    return (_ODD.sub("_", text).strip("._") or "case")[:_LONGEST]
