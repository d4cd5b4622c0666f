"""`proofs.jsonl`: everything a replay needs, one line for each case and library.

A line holds the case as far as the verdict needs it, what was found, and every proof: what it claims, what it expects,
its control, and the paths of its scripts. The scripts are in files, so that they can be read, run and mended by hand;
their sha256 tells whether they were.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, get_args

import orjson

from goldproof.errors import FileFormatError
from goldproof.io import read_card
from goldproof.io.cases import Case, Kind
from goldproof.io.storage.cards import CARD_NAME
from goldproof.jobs.verify.checks.expectation import check_expectation
from goldproof.jobs.verify.finding import VERDICTS, Remark, Verdict
from goldproof.jobs.verify.output.placing import PROOFS
from goldproof.jobs.verify.output.plain import masked
from goldproof.jobs.verify.output.report_json import deciding
from goldproof.jobs.verify.proof import Control, Power, Proof
from goldproof.records.entities import Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.jobs.verify.finding import CaseFinding, OptionFinding
    from goldproof.jobs.verify.output.placing import Placed
    from goldproof.jobs.verify.proof import Tried

KEPT = "proofs.jsonl"
SCHEMA = "goldproof.audit"
SCHEMA_VERSION = 1
_MOST_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class KeptCase:
    """A case as it was audited.

    statuses, seen: of each option (or part of the case) what became of it, and what was observed. met: of each proof
    whether its claim was met; None where it had no verdict. remarks: those that the verdict depends on. edited: scripts
    that are not as they were written.
    """

    case: Case
    library: str
    verdict: Verdict
    reason: str
    proofs: tuple[Proof, ...]
    met: tuple[bool | None, ...]
    statuses: Mapping[str, str]
    seen: Mapping[str, str]
    remarks: tuple[Remark, ...] = ()
    edited: tuple[str, ...] = ()


def kept_lines(findings: Iterable[CaseFinding], placed: Placed) -> Iterator[bytes]:
    """Yield the lines of the file."""
    for finding in findings:
        yield orjson.dumps(_line(finding, placed), option=orjson.OPT_APPEND_NEWLINE)


def _line(finding: CaseFinding, placed: Placed) -> dict[str, object]:
    case = finding.case
    return {
        "id": case.id,
        "kind": case.kind,
        "suite": case.suite,
        "question": case.question.text,
        "asked": case.asked,
        "options": dict(case.options),
        "key": case.key,
        "answer": case.question.answer,
        "answer_aliases": case.question.metadata.get("answer_aliases", []),
        "targets": list(case.targets),
        "library": finding.library,
        "verdict": finding.verdict,
        "reason": masked(finding.reason),
        "statuses": {one.letter: one.status for one in finding.options},
        "seen": {one.letter: seen_of(one) for one in finding.options},
        "remarks": [{"kind": one.kind, "text": masked(one.text)} for one in finding.remarks if one.broken],
        "proofs": [_kept_proof(one, case=case.id, placed=placed) for one in finding.tries],
    }


def seen_of(option: OptionFinding) -> str:
    """Return what was observed about an option; where nothing was, why it is open."""
    tried = deciding(option)
    return masked(option.reason if tried is None or tried.compared.holds is None else tried.compared.seen)


def _kept_proof(tried: Tried, *, case: str, placed: Placed) -> dict[str, object]:
    proof = tried.proof
    place = placed.of(case, proof)
    scripts = {"script": place.script, "control": place.control, "refuting": place.refuting}
    return {
        "option": proof.option,
        "rule": proof.rule,
        "says": proof.says,
        "power": proof.power,
        "expect": proof.expect,
        "negated": proof.control.negated,
        "met": tried.compared.holds if tried.standing != "no verdict" else None,
        **{role: {"path": path, "sha256": _sha256(placed.texts[path])} for role, path in scripts.items() if path},
        "files": {name: f"{place.files}/{name}" for name in proof.files},
    }


def read_kept(folder: Path) -> tuple[KeptCase, ...]:
    """Read the proofs of an audited folder back."""
    path = folder / KEPT
    if not folder.is_dir():
        raise FileFormatError(folder, "there is no such folder, expected one that `goldproof verify --out` wrote.")
    if not path.is_file():
        raise FileFormatError(folder, f"holds no {KEPT}, expected a folder that `goldproof verify --out` wrote.")
    card = read_card(folder / CARD_NAME)
    if (card.schema, card.schema_version) != (SCHEMA, SCHEMA_VERSION):
        wanted = f"expected {SCHEMA} {SCHEMA_VERSION}"
        raise FileFormatError(folder / CARD_NAME, f"is of {card.schema} {card.schema_version}, {wanted}.")
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            found.append(_case(orjson.loads(line), folder))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            said = f"has no {error}" if isinstance(error, KeyError) else str(error)
            raise FileFormatError(
                path, f"cannot be read ({said}), expected a line that `goldproof verify` wrote.", line=number
            ) from error
    if not found:
        raise FileFormatError(path, "is empty: no case was audited.")
    return tuple(found)


def _case(row: dict[str, Any], folder: Path) -> KeptCase:
    scripts = _Scripts(folder)
    proofs = tuple(_proof(one, scripts) for one in row["proofs"])
    return KeptCase(
        case=Case(
            kind=cast("Kind", _one_of(row["kind"], get_args(Kind))),
            suite=str(row["suite"]),
            question=Question(
                str(row["id"]),
                str(row["question"]),
                answer=row["answer"],
                options=tuple(row["options"].values()),
                metadata={"answer_aliases": list(row["answer_aliases"])},
            ),
            where=str(row["id"]),
            asked=str(row["asked"]),
            options={str(letter): str(text) for letter, text in row["options"].items()},
            key=row["key"],
            targets=tuple(map(str, row["targets"])),
        ),
        library=str(row["library"]),
        verdict=cast("Verdict", _one_of(row["verdict"], VERDICTS)),
        reason=str(row["reason"]),
        proofs=proofs,
        met=tuple(_met(one.get("met")) for one in row["proofs"]),
        statuses=dict(row["statuses"]),
        seen=dict(row["seen"]),
        remarks=tuple(Remark(str(one["kind"]), str(one["text"]), broken=True) for one in row["remarks"]),
        edited=tuple(scripts.edited),
    )


def _proof(row: dict[str, Any], scripts: _Scripts) -> Proof:
    for expect in (row["expect"], row["negated"]):
        if expect is not None and (wrong := check_expectation(expect)):
            raise ValueError(wrong)
    return Proof(
        option=str(row["option"]),
        rule=str(row["rule"]),
        says=str(row["says"]),
        script=scripts.text(row["script"]),
        expect=row["expect"],
        control=Control(
            script=scripts.text(row.get("control")),
            refuting=scripts.text(row.get("refuting")),
            negated=row["negated"],
        ),
        power=cast("Power", _one_of(row["power"], get_args(Power))),
        files={str(name): scripts.read(path) for name, path in row["files"].items()},
    )


class _Scripts:
    """Reads scripts, and notes those that were changed since."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self.edited: list[str] = []

    def text(self, kept: dict[str, str] | None) -> str:
        if kept is None:
            return ""
        text = self.read(kept["path"])
        if _sha256(text) != kept["sha256"]:
            self.edited.append(kept["path"])
        return text

    def read(self, name: str) -> str:
        """Return the text of a file below `proofs/`; nothing else is reached from here."""
        path = (self._folder / name).resolve()
        if self._folder / PROOFS not in path.parents:
            raise ValueError(f"{name!r} is no file of {PROOFS}/")
        if not path.is_file():
            raise ValueError(f"{name!r} is missing")
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"{name!r} is larger than a script")
        return path.read_text(encoding="utf-8")


def _met(value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false nor null")
    return value


def _one_of(value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{value!r} is none of {', '.join(known)}")
    return str(value)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
