"""A proof: a script that observes, the expectation of its claim, and the control that must flip.

The script decides nothing: it sends what it observed, and `checks.compare` holds that against the claim, outside of the
sandbox. A proof can be too weak to confirm: that a name exists does not show that it is the one meant.

Every proof has a control. `script`: another observation whose comparison must come out the other way (a name that
cannot exist; a keyword that is known to work). `negated`: the same observation, held against a claim that contradicts
this one (another value, another exception), must come out the other way. A proof whose control does not flip says
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.sandbox import Run

# What a comparison may do to its option: both ways; refute only (existence); confirm only.
Power = Literal["decides", "refutes", "confirms"]
Expectation = dict[str, object]  # {"check": NAME, ...}: plain data, so that it is kept in a file and replayed


@dataclass(frozen=True, slots=True)
class Control:
    """The control of a proof, which must flip; at least one field is given.

    script: run instead of the proof's, compared with the same expectation. refuting: the script where the claim was not
    met (a name that is known to exist must then be found); without it `script` serves both ways. negated: an
    expectation that contradicts the claim, compared with the same observation.
    """

    script: str = ""
    refuting: str = ""
    negated: Expectation | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """One proof of one option of one case.

    option: its letter; `premise` for what the question itself takes for granted; other words for the other kinds of
    case. rule: who made it: the name of a rule, or `agent`. says: the claim in words, a sentence that the observation
    can contradict. files: put beside the script before it runs.
    """

    option: str
    rule: str
    says: str
    script: str
    expect: Expectation
    control: Control
    power: Power = "decides"
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compared:
    """An observation held against a claim. holds: None where it says nothing either way.

    seen: what was observed, in one short line for reports. exact: False where it holds only by subclassing, or only
    loosely, so that an option that holds exactly goes before it.
    """

    holds: bool | None
    seen: str
    exact: bool = True


Standing = Literal["confirmed", "refuted", "supported", "no verdict"]


@dataclass(frozen=True, slots=True)
class Tried:
    """A proof that was run.

    standing: `supported` is a claim that was met by a proof too weak to confirm. control: in words, what it did
    (`flipped: ...`, `did not flip: ...`). reason: why there is no verdict; else empty.
    """

    proof: Proof
    run: Run
    compared: Compared
    standing: Standing
    control: str
    reason: str = ""
    control_run: Run | None = None
