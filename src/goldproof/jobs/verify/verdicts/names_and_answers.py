"""Verdict on an `api_understanding` case: fully qualified names, and answers about them.

`name 1`, `name 2`, ...      its names, in order: each must resolve
`answer 1`, `answer 2`, ...  its answers, alternatives of each other: each must be found at the names

a name that does not resolve   incorrect, with names that are spelt nearly so
all is found                   valid
else                           unproven: an answer in prose, or one that is not found where it was looked for, is open
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import OptionFinding
from goldproof.jobs.verify.verdicts.choices import Judged
from goldproof.jobs.verify.verdicts.options import NO_RULE, find_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.proof import Tried


def name_parts(case: Case) -> dict[str, str]:
    """Return `name N` -> fully qualified name."""
    return {f"name {number}": name for number, name in enumerate(case.targets, start=1)}


def answer_parts(case: Case) -> dict[str, str]:
    """Return `answer N` -> text, the aliases of the answer after it."""
    aliases = case.question.metadata.get("answer_aliases")
    texts = [case.question.answer or "", *(map(str, aliases) if isinstance(aliases, list) else ())]
    return {f"answer {number}": text for number, text in enumerate(filter(None, texts), start=1)}


def judge_names_and_answers(case: Case, tries: Sequence[Tried], *, names: NameIndex | None = None) -> Judged:
    """Return the verdict. names: of the library, for what a name may have been meant to be."""
    # A case that was read back for a replay has no aliases; their proofs tell of them.
    tried = {one.proof.option: "" for one in tries if one.proof.option.startswith("answer ")}
    paths, given = tuple(_found(name_parts(case), tries)), tuple(_found(tried | answer_parts(case), tries))
    options = (*paths, *given)
    refuted = next((one for one in options if one.status == "refuted"), None)
    if refuted is not None:
        reason = f"{refuted.letter}, `{refuted.text}`, is not there: {refuted.reason}"
        return Judged("incorrect", reason, _instead(refuted.text, names), options)
    if not paths:
        return Judged("unproven", "the case names no fully qualified name, so nothing can be looked up.", "", options)
    opened = [one for one in options if one.status == "open"]
    if opened or not given:
        first = opened[0] if opened else None
        reason = (
            "the case has no answer." if first is None else f"{first.letter} is open, `{first.text}`: {first.reason}"
        )
        return Judged("unproven", reason, "", options)
    return Judged("valid", f"every name resolves, and every answer is there: {given[0].reason}", "", options)


def _instead(path: str, names: NameIndex | None) -> str:
    moved = [] if names is None else [one.path for one in names.find(path.rpartition(".")[2])[:3]]
    near = moved or ([] if names is None else list(names.near(path)))
    meant = f"; did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else "."
    return f"give a name that resolves instead of `{path}`{meant}"


def _found(parts: dict[str, str], tries: Sequence[Tried]) -> Iterator[OptionFinding]:
    for letter, text in parts.items():
        own = [one for one in tries if one.proof.option == letter]
        yield find_option(letter, text, tries=own) if own else _untried(letter, text)


def _untried(letter: str, text: str) -> OptionFinding:
    why = "it is no dotted name" if letter.startswith("name") else "it names nothing that could be looked up"
    return OptionFinding(letter, text, "open", f"{NO_RULE}: {why}.")
