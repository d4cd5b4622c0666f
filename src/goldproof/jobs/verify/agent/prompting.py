"""Prompt of each agent step: the exam, the status of its options, and the transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.verify.agent.action import Action
from goldproof.jobs.verify.agent.instructions import INSTRUCTIONS
from goldproof.jobs.verify.agent.transcript import written
from goldproof.llm import Ask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.corpus.libraries import Library
    from goldproof.jobs.verify.agent.exam import Exam
    from goldproof.jobs.verify.agent.transcript import Turn

PURPOSE = "prove-2"
_EXPECTED_TOKENS = 600
_LONGEST_SEEN = 300


def next_ask(
    exam: Exam,
    library: Library,
    *,
    turns: Sequence[Turn],
    standings: Mapping[str, str],
    left: tuple[int, int],
) -> Ask:
    """Return the agent's next prompt after some turns.

    standings: letter -> how its proof stands, in words. left: steps and runs that are left, this one included.
    """
    prompt = "\n\n".join(_parts(exam, library, turns=turns, standings=standings, left=left))
    return Ask(prompt, instructions=INSTRUCTIONS, output=Action, purpose=PURPOSE, expected_tokens=_EXPECTED_TOKENS)


def _parts(
    exam: Exam,
    library: Library,
    *,
    turns: Sequence[Turn],
    standings: Mapping[str, str],
    left: tuple[int, int],
) -> Iterator[str]:
    yield f"Library: {library.label}, imported as {', '.join(library.import_names)}."
    yield f"Question:\n{exam.text}"
    yield "Options:\n" + "\n".join(f"{letter}. {text}" for letter, text in exam.options.items())
    if exam.refuted:
        lines = [f"{letter}: {shortened(seen, longest=_LONGEST_SEEN)}" for letter, seen in exam.refuted.items()]
        yield "Refuted already:\n" + "\n".join(lines)
    yield f"Open, to be proven: {', '.join(exam.open)}."
    if turns:
        yield f"What you did so far:\n\n{written(turns)}"
    if standings:
        yield "How your proofs stand:\n" + "\n".join(f"{letter}: {said}" for letter, said in standings.items())
    steps, runs = left
    last = " This is the last one: finish now." if steps == 1 else ""
    yield f"Steps left: {steps}.{last} Runs left: {runs}. What do you do?"
