"""Blind view of a case for the agent: the question with its code, the options, and those already refuted.

This is the only place where a case is read on the way to the agent. The key, the explanation, the answers, the names
that the metadata call relevant and the fixed file are not taken over, so that nothing later can give them away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.verify.verdicts.derived import derivations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.io.cases import Case


@dataclass(frozen=True, slots=True)
class Exam:
    """A question without its answer. options, refuted: by letter, in the order of the letters; open: letters."""

    text: str
    options: Mapping[str, str]
    open: tuple[str, ...]
    refuted: Mapping[str, str]

    def shows(self, code: str) -> bool:
        """Return whether code stands in the question or in an option, however its lines are indented."""
        wanted = " ".join(code.split())
        return any(wanted in " ".join(text.split()) for text in (self.text, *self.options.values()))


def exam_of(case: Case, *, open_letters: Iterable[str], refuted: Mapping[str, str]) -> Exam:
    """Return the blind view of a case.

    Of the open letters those are left out that are no options of the case, and those that speak of other options
    (`All of the above`): they follow from these.
    """
    wanted = frozenset(open_letters).difference(derivations(case))
    return Exam(
        text=case.question.text,
        options=dict(case.options),
        open=tuple(letter for letter in case.options if letter in wanted),
        refuted={letter: refuted[letter] for letter in case.options if letter in refuted},
    )
