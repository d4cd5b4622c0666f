"""Findings of an audit: one case against one library, computed from runs; no model decides anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.proof import Tried

Verdict = Literal["broken", "incorrect", "ambiguous", "unproven", "valid"]
VERDICTS: tuple[Verdict, ...] = ("broken", "incorrect", "ambiguous", "unproven", "valid")  # precedence (8.6)
Status = Literal["holds", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class OptionFinding:
    """An option. tries: the proofs that were run. derived: from which options it follows (`all of the above`).

    reason: one sentence: what was observed, or why it is open.
    """

    letter: str
    text: str
    status: Status
    reason: str
    tries: tuple[Tried, ...] = ()
    derived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on a case that decides no verdict, or explains one.

    kind: premise, contradicts snippet, weak distractor, confusable, exact type, duplicate, contradictory case, leak.
    options: letters that it is about. cases: ids of other cases that it is about. broken: it makes the case Broken.
    """

    kind: str
    text: str
    options: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Notes:
    """An agent's own words, kept and never used: its answer, its summary, its steps, why it gave up."""

    selected_answer: str | None = None
    summary: str = ""
    critique: str = ""
    ended: str = ""
    steps: int = 0


@dataclass(frozen=True, slots=True)
class CaseFinding:
    """The verdict on a case. library: its label. holds, open: letters. premises: proofs of what the question takes for
    granted. reason: one sentence that says why this verdict. fix: a suggestion, or empty.
    """

    case: Case
    library: str
    verdict: Verdict
    reason: str
    options: tuple[OptionFinding, ...] = ()
    premises: tuple[Tried, ...] = ()
    remarks: tuple[Remark, ...] = ()
    fix: str = ""
    notes: Notes | None = None

    @property
    def holds(self) -> tuple[str, ...]:
        """The letters of the options that hold as answers, without those that `all of the above` covers."""
        holding = [one for one in self.options if one.status == "holds"]
        return tuple(one.letter for one in holding if not any(one.letter in other.derived for other in holding))

    @property
    def tries(self) -> tuple[Tried, ...]:
        """Every proof that was run for the case, those of its premises first."""
        return (*self.premises, *(one for option in self.options for one in option.tries))

    @property
    def open(self) -> tuple[str, ...]:
        """The letters of the undecided options."""
        return tuple(one.letter for one in self.options if one.status == "open")
