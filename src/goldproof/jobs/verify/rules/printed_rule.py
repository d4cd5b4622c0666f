"""Rule for printed output: options that are the output of the question's code, or say what happens.

Output in backquotes, in a fence or in quotes, and numbers and other Python values, are taken by the letter. Bare words
may be a description: they are confirmed where they are printed, and refuted where another option is what is printed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.code_proofs import Stated, code_proof, contrary, every, one_of, stated_outcomes
from goldproof.jobs.verify.rules.code_text import python_blocks
from goldproof.jobs.verify.rules.literals import bare_text, read_literal, written_text
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.outcomes import Outcome, Outcomes, read_outcomes
from goldproof.jobs.verify.rules.program import program_of
from goldproof.jobs.verify.rules.running_premise import premises
from goldproof.jobs.verify.rules.snippet_rule import mentioned_exceptions
from goldproof.jobs.verify.rules.text_forms import text_forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.verify.proof import Expectation, Proof
    from goldproof.jobs.verify.rules.rule import Reading

_MARKED: Final = re.compile(r"`[^`]+`|\"[^\"]*\"|'[^']*'")
_NOTHING: Final = frozenset({"nothing", "no output", "(nothing)", "(no output)", "an empty string", "blank"})


class PrintedRule:
    """Questions of the kind `prints` that show code."""

    name = "printed"

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return proofs for the options, and for the premises."""
        if reading.asked.kind != "prints" or not reading.asked.code:
            return ()
        return printed_proofs(reading, rule=self.name)


def printed_proofs(reading: Reading, *, rule: str) -> tuple[Proof, ...]:
    """Return the proofs of options that say what is printed."""
    program = program_of(reading, mentioned=mentioned_exceptions(reading))
    if program is None or program.unstable or program.inert:
        return ()
    options = own_options(reading.case)
    outcomes = {letter: _outcomes(text) for letter, text in options.items()}
    texts = {letter: _output(options[letter], one) for letter, one in outcomes.items() if _is_output(one)}
    others = {letter: one for letter, one in outcomes.items() if letter not in texts}
    stated = stated_outcomes(others, program, negated=reading.asked.negated)
    marked = frozenset(letter for letter in texts if is_marked(options[letter]) or outcomes[letter].said)
    quoted = {
        letter: written
        for letter in texts
        if options[letter].strip().startswith("`") and (written := written_text(options[letter])) != texts[letter]
    }
    # Beside `5`, `'5'` is meant with its quotation marks.
    twins = {letter for letter in quoted if any(texts[letter] == texts[one] for one in texts if one not in quoted)}
    texts |= {letter: quoted[letter] for letter in twins if not outcomes[letter].said}
    every_stated = {**stated, **printed_texts(texts, marked=marked, quoted=quoted)}
    proofs = [
        code_proof(letter, program.code, stated=one, rule=rule, negated=reading.asked.negated)
        for letter in options
        for one in every_stated.get(letter, ())
    ]
    spoken = {
        letter: Outcomes((Outcome("prints", texts[letter]),)) if letter in texts else one
        for letter, one in outcomes.items()
    }
    return (*proofs, *premises(reading, program, outcomes=spoken, rule=rule))


def printed_texts(
    texts: dict[str, str], *, marked: frozenset[str], quoted: Mapping[str, str] | None = None
) -> dict[str, tuple[Stated, ...]]:
    """Return what options that are an output state.

    marked: those that are meant by the letter. quoted: how some of them read with the quotation marks around them.
    """
    forms = {
        letter: tuple(dict.fromkeys((*each, *((quoted[letter],) if quoted and letter in quoted else ()))))
        for letter, each in text_forms(texts).items()
    }
    found: dict[str, tuple[Stated, ...]] = {}
    for letter, own in forms.items():
        same = [other for other in forms if other != letter and forms[other][0] == own[0]]
        prints = every([{"check": "works"}, _prints_one_of(own)])
        stated = Stated(f"Running the code prints {own[0]!r}, and raises nothing.", prints)
        if same:
            found[letter] = (Stated(stated.says, prints, "refutes"),)
        elif letter in marked:
            found[letter] = (replace(stated, power="confirms"), _not_even_a_part(letter, forms, prints=prints))
        else:
            found[letter] = (Stated(stated.says, prints, "confirms"), *_not_a_rivals(letter, forms))
    return found


def is_marked(text: str) -> bool:
    """Say whether an option is meant by the letter: in backquotes, a fence or quotes, or a Python value."""
    bare = text.strip()
    return bool(python_blocks(text)) or _MARKED.fullmatch(bare) is not None or read_literal(bare) is not None


def _not_even_a_part(letter: str, forms: dict[str, tuple[str, ...]], *, prints: Expectation) -> Stated:
    """Return what refutes an option: it is not printed, not even as a part where no rival is the whole.

    A question may ask for a part of the output in words that were not understood.
    """
    rivals = tuple(form for other, each in forms.items() if other != letter for form in each)
    part: Expectation = {"check": "prints", "text": forms[letter][0], "how": "contains"}
    whole = [contrary(_prints_one_of(rivals))] if rivals else []
    says = f"Running the code prints {forms[letter][0]!r}, and raises nothing."
    return Stated(says, one_of([prints, every([{"check": "works"}, part, *whole])]), "refutes")


def _not_a_rivals(letter: str, forms: dict[str, tuple[str, ...]]) -> tuple[Stated, ...]:
    rivals = [form for other, each in forms.items() if other != letter for form in each]
    if not rivals:
        return ()
    says = f"Running the code does not print what another option says, where this one is {forms[letter][0]!r}."
    return (Stated(says, contrary(_prints_one_of(tuple(rivals))), "refutes"),)


def _prints_one_of(forms: tuple[str, ...]) -> Expectation:
    return one_of([{"check": "prints", "text": form, "how": "equals"} for form in forms])


def _outcomes(text: str) -> Outcomes:
    if text.strip(" .`").lower() in _NOTHING:
        return Outcomes((Outcome("silent"),))
    if _MARKED.fullmatch(text.strip()) or read_literal(text) is not None:
        return Outcomes(())
    return read_outcomes(text, printed=True)


def _is_output(outcomes: Outcomes) -> bool:
    """Say whether an option is an output: it says nothing else, or nothing but that it is printed."""
    return not outcomes.said or (outcomes.whole and [one.says for one in outcomes.said] == ["prints"])


def _output(text: str, outcomes: Outcomes) -> str:
    return outcomes.said[0].what if outcomes.said else bare_text(text)


RULE = PrintedRule()
