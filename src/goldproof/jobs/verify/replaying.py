"""`goldproof replay`: rerun kept proofs against another version and report drift; no model, no cost.

Drift is a verdict that is no longer the same, or another set of options that hold: an ambiguous case of which A and C
held, and of which A and B hold now, has drifted. What was observed before and now is shown for each, also where verdict
and options stayed while an observation changed. A proof that cannot be run now is `no verdict`, as ever: it makes a
case unproven, and that is drift too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from goldproof.corpus.libraries import open_names
from goldproof.errors import InputError, UnknownNameError, counted, shortened
from goldproof.io import sha256_file
from goldproof.jobs.verify.bench import Bench
from goldproof.jobs.verify.finding import CaseFinding
from goldproof.jobs.verify.kept import KEPT, KeptCase, read_kept, seen_of
from goldproof.jobs.verify.output.plain import masked, slimmed
from goldproof.jobs.verify.parallel import in_parallel, isolation_progress
from goldproof.jobs.verify.plan import open_each
from goldproof.jobs.verify.proof import Control, Proof, Tried
from goldproof.jobs.verify.result import AuditResult
from goldproof.jobs.verify.settings import Isolating
from goldproof.jobs.verify.trying import try_proof
from goldproof.jobs.verify.verdicts import judge_case
from goldproof.options import Option, with_options
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Card
from goldproof.report import Heading, JobResult, Table, Writer

if TYPE_CHECKING:
    import polars as pl

_WIDEST = 100  # columns of a table on a terminal
_LONGEST_CASE = 24


@dataclass(frozen=True, slots=True)
class Change:
    """An option that changed: status and observation, before and now."""

    option: str
    before: str
    after: str
    seen_before: str
    seen_after: str


@dataclass(frozen=True, slots=True)
class Drift:
    """A case whose verdict, or one of whose options, changed.

    held, holds: the letters of the options that held before, and that hold now.
    """

    case: str
    library: str
    before: str
    after: str
    reason: str
    held: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def is_drift(self) -> bool:
        """Whether the verdict changed, or which options hold."""
        return self.before != self.after or self.held != self.holds

    @property
    def holding(self) -> str:
        """Which options held and hold, in words; empty where they are the same."""
        if self.held == self.holds:
            return ""
        return f"was {', '.join(self.held) or 'none'}; now {', '.join(self.holds) or 'none'}"

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "id": self.case,
            "library": self.library,
            "verdict_before": self.before,
            "verdict_after": self.after,
            "holds_before": list(self.held),
            "holds_after": list(self.holds),
            "drift": self.is_drift,
            "reason": self.reason,
            "options": [
                {
                    "option": one.option,
                    "status_before": one.before,
                    "status_after": one.after,
                    "observation_before": one.seen_before,
                    "observation_after": one.seen_after,
                }
                for one in self.changes
            ],
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReplayResult(JobResult):
    """A replay. baseline: the library of the kept audit. audit: the new result. changed: the differences."""

    baseline: str
    audit: AuditResult
    changed: tuple[Drift, ...]
    remarks: tuple[str, ...] = field(default=())

    @property
    def drift(self) -> tuple[Drift, ...]:
        """The cases whose verdict changed, or which of their options hold."""
        return tuple(one for one in self.changed if one.is_drift)

    def tables(self, *, wide: bool = False) -> tuple[Table, ...]:  # noqa: ARG002 - these are all
        """Return the cases that drifted, then those of which only observations changed."""
        drift = _table(self.drift, title=f"Drift since {self.baseline}")
        other = [one for one in self.changed if not one.is_drift]
        tables = (
            *self.audit.tables()[:1],
            drift,
            _table(other, title="Same verdict, same options hold, other observations"),
        )
        return tuple(table for table in tables if table.rows)

    @property
    def conclusion(self) -> str:
        """How many verdicts changed, and in how many cases only the options that hold."""
        total, verdicts = len(self.audit), sum(one.before != one.after for one in self.drift)
        options = len(self.drift) - verdicts
        changed = f"{verdicts:,} of {total:,} verdicts" if verdicts else "No verdict"
        more = f"; in {counted(options, 'case')} other options hold now" if options else ""
        same = f" ({counted(total, 'case')}, the same options hold)" if not self.drift else ""
        return f"{changed} changed since {self.baseline}{same}{more}."

    def content(self) -> dict[str, object]:
        """Return the drift as plain data."""
        return {
            "baseline": self.baseline,
            "against": list(self.audit.labels),
            "cases": len(self.audit),
            "drifted": len(self.drift),
            "changed": [one.to_dict() for one in self.changed],
            "isolation": {label: one.level for label, one in self.audit.isolations.items()},
            "remarks": list(self.remarks),
        }

    def to_frame(self) -> "pl.DataFrame":
        """Return a row for each option of each case, as it came out now."""
        return self.audit.to_frame()

    def card(self) -> Card:
        """Return the card of the audit as it came out now: its folder can be replayed in its turn."""
        return self.audit.card()

    @property
    def artefacts(self) -> tuple[str, ...]:
        """All files of an audit."""
        return self.audit.artefacts

    def writers(self) -> tuple[Writer, ...]:
        """Return what writes the audit."""
        return self.audit.writers()

    @property
    def run_facts(self) -> dict[str, object]:
        """Those of the audit."""
        return self.audit.run_facts


@with_options
def replay(
    folder: Annotated[str | Path, Option("A folder that 'goldproof verify --out' wrote.", "DIR", flag="", type=Path)],
    *,
    against: Annotated[
        str | Sequence[str],
        Option(
            "Library to run against, as in 'goldproof verify': google-adk==2.13.0. Repeatable.",
            "LIBRARY",
            type=list[str],
        ),
    ] = (),
    baseline: Annotated[
        str | None, Option("Library of the audit to compare with (default: the first).", "LABEL")
    ] = None,
    isolating: Isolating | None = None,
    on_progress: OnProgress = ignore,
) -> ReplayResult:
    """Run the proofs of an audited folder again, against another version, and say what changed.

    against: libraries as `goldproof.verify` takes them. baseline: which library of the audit it is compared with, by
    its label; the first one by default. on_progress: as for `goldproof.verify`.
    """
    if not against:
        raise InputError("name the version to run against: --against NAME==VERSION.")
    kept = read_kept(Path(folder))
    chosen = _baseline(kept, baseline)
    before = [one for one in kept if one.library == chosen]
    isolating = isolating or Isolating()
    findings: list[CaseFinding] = []
    isolations, scripts = {}, 0
    libraries = tuple(open_each([against] if isinstance(against, str) else against, on_progress))
    for library in libraries:
        with Bench(library, open_names(library), isolating) as bench:
            isolations[library.label] = bench.isolation
            on_progress(isolation_progress(library.label, bench.isolation))
            bench.warm_up(proof for one in before for proof in one.proofs)
            findings += in_parallel(partial(_again, bench=bench), before, bench=bench, on_progress=on_progress)
            scripts += bench.scripts
    audit = AuditResult(
        findings=tuple(findings),
        libraries=libraries,
        isolations=isolations,
        inputs={KEPT: sha256_file(Path(folder) / KEPT)},
        settings={"prover": "replay", "baseline": chosen},
        scripts=scripts,
    )
    known = {one.case.id: one for one in before}
    changed = (_drift(known[one.case.id], one) for one in findings)
    return ReplayResult(
        chosen, audit, tuple(one for one in changed if one is not None), remarks=(*_remarks(before), *audit.remarks)
    )


def _again(kept: KeptCase, *, bench: Bench) -> CaseFinding:
    pairs = zip(kept.proofs, kept.met, strict=True)
    tries = [slimmed(_tried_again(proof, bench, met=met)) for proof, met in pairs]
    return judge_case(kept.case, library=bench.library.label, tries=tries, remarks=kept.remarks, names=bench.names)


def _tried_again(proof: Proof, bench: Bench, *, met: bool | None) -> Tried:
    """Run a proof again. One that now comes out the other way may have a control for the old way only.

    That its script tells the claim from its control was shown then. Now the observation is held against another claim.
    """
    tried = try_proof(proof, bench.run)
    turned = met is not None and tried.compared.holds is (not met)
    if tried.standing != "no verdict" or not turned:
        return tried
    contrasted = replace(proof, control=Control(negated={"check": "not", "of": proof.expect}))
    again = try_proof(contrasted, bench.run)
    return tried if again.standing == "no verdict" else replace(again, proof=proof)


def _baseline(kept: Sequence[KeptCase], wanted: str | None) -> str:
    labels = tuple(dict.fromkeys(one.library for one in kept))
    if wanted is not None and wanted not in labels:
        raise UnknownNameError("library of the audit", wanted, labels)
    return wanted or labels[0]


def _drift(before: KeptCase, after: CaseFinding) -> Drift | None:
    changes = tuple(_changes(before, after))
    if before.verdict == after.verdict and not changes:
        return None
    return Drift(
        after.case.id,
        after.library,
        before.verdict,
        after.verdict,
        reason=masked(after.reason),
        held=_holding(before.statuses),
        holds=_holding({one.letter: one.status for one in after.options}),
        changes=changes,
    )


def _holding(statuses: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(letter for letter, status in statuses.items() if status == "holds"))


def _changes(before: KeptCase, after: CaseFinding) -> list[Change]:
    seen = {one.letter: (one.status, seen_of(one)) for one in after.options}
    return [
        Change(letter, status, seen[letter][0], before.seen.get(letter, ""), seen[letter][1])
        for letter, status in before.statuses.items()
        if letter in seen and (status, before.seen.get(letter, "")) != seen[letter]
    ]


def _remarks(kept: Sequence[KeptCase]) -> tuple[str, ...]:
    edited = sorted({path for one in kept for path in one.edited})
    if not edited:
        return ()
    some = ", ".join(edited[:3]) + (", ..." if len(edited) > 3 else "")
    return (f"{len(edited)} scripts were edited since the audit and ran as they are now: {some}.",)


def _cut(text: str, longest: int) -> str:
    return shortened(" ".join(text.split()), longest=longest)


def _table(changed: Sequence[Drift], *, title: str) -> Table:
    """Return a row per option that changed; the library is a column where there are several."""
    several = len({one.library for one in changed}) > 1
    named, seen = [], []
    for one in changed:
        holding = f" ({one.holding})" if one.holding and one.before == one.after else ""
        verdicts = f"{one.after}{holding}" if one.before == one.after else f"{one.before} -> {one.after}"
        first = (_cut(one.case, _LONGEST_CASE), *((one.library,) if several else ()), verdicts)
        for change in one.changes or (Change("", "", "", "", one.reason),):
            status = f"{change.before} -> {change.after}" if change.before != change.after else change.after
            named.append((*first, f"{change.option} {status}".strip()))
            seen.append((change.seen_before, change.seen_after))
            first = ("",) * len(first)
    names = ("case", *(("library",) if several else ()), "verdict", "option", "observed before", "observed now")
    widths = [max(map(len, column)) for column in zip(names, *named, strict=False)]
    room = max(14, (_WIDEST - sum(widths) - 2 * len(names)) // 2)
    rows = tuple((*cells, *(_cut(text, room) for text in pair)) for cells, pair in zip(named, seen, strict=True))
    table = Table(tuple(Heading(name, "left") for name in names), rows, title=title)
    return table.without_empty_columns() if rows else table
