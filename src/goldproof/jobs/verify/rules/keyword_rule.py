"""Rule for parameters and fields: really pass the option's keyword to the callable that the question is about.

Where the question asks which one exists, that decides. Where it asks for the one with a purpose, being taken confirms
nothing by itself: the proofs are named `keyword (meaning)`, and the verdict lifts the single option that is taken where
all others are refuted. `Does X accept the keyword y?` is answered with yes or no.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, keyword_proof, offered_proof
from goldproof.jobs.verify.rules.keyword_options import NamedKeywords, named_keywords
from goldproof.jobs.verify.rules.mentions import mentions
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import PARAMETER, asks_existence, asks_for, may_be_negated
from goldproof.jobs.verify.rules.resolving import CALLABLE, meanings
from goldproof.jobs.verify.rules.targets import NOBODY, Targets, owners_in, subject_meanings, targets_of
from goldproof.jobs.verify.rules.yes_or_no import is_bare_answer, yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.libraries import KnownName
    from goldproof.jobs.verify.proof import Power, Proof
    from goldproof.jobs.verify.rules.rule import Reading
# Something else is asked of parameters that exist: being taken does not answer it.
_QUALITY = re.compile(
    r"\b(?:required|mandatory|optional|deprecated|exclusive|positional|keyword-only|defaults?|ignored|removed|conflicts?|"
    r"missing|read-?only|instead|must\s+(?:always\s+)?be\s+(?:given|provided|passed|specified))\b",
    re.IGNORECASE,
)
_NOUN = r"(?:class|function|method|constructor|decorator)"
_WHOM = rf"(?:the\s+|an?\s+)?(?:{_NOUN}\s+(?:of\s+)?)?`@?(?P<whom>[A-Za-z_][\w.]*)(?:\(\))?`(?:\s+{_NOUN})?"
_KEYWORD = r"`(?P<keyword>[a-z_]\w*)=?`"
_NAMED = (
    rf"(?:an?\s+|the\s+)?{PARAMETER}\s+(?:called\s+|named\s+)?{_KEYWORD}",
    rf"(?:an?\s+|the\s+)?{_KEYWORD}\s+{PARAMETER}",
)
_VALID = r"(?:valid\s+|accepted\s+|supported\s+)?"
_IS_TAKEN = tuple(
    re.compile(rf"^{words}\s*\?$", re.IGNORECASE)
    for words in (
        *(rf"(?:does|do|will)\s+{_WHOM}\s+(?:accept|take|support|have)\s+{named}" for named in _NAMED),
        *(rf"can\s+{named}\s+be\s+(?:passed|given)\s+to\s+{_WHOM}" for named in _NAMED),
        rf"can\s+{_KEYWORD}\s+be\s+(?:passed|given)\s+to\s+{_WHOM}\s+as\s+an?\s+{PARAMETER}",
        rf"is\s+{_KEYWORD}\s+an?\s+{_VALID}{PARAMETER}\s+(?:of|for|to)\s+{_WHOM}",
    )
)
# The options are callables, the keyword is named: `Which of these classes accept a `tools` argument?`
_WHO_TAKES = tuple(
    re.compile(
        rf"^which(?:\s+one)?(?:\s+of)?(?:\s+(?:the|these|those))?(?:\s+following)?(?:\s+(?!(?:should|must|would|could|can|may|might|will|did|once)\b)[a-z-]+){{0,2}}?"
        rf"(?:\s+(?:does|do))?(?P<no>\s+not)?\s+(?:accepts?|takes?|supports?|has|have)\s+{named}\s*\?$",
        re.IGNORECASE,
    )
    for named in _NAMED
)
_PASSED = r"(?:passed|given|supplied)\s+to\s+(?:the\s+|an?\s+)?`(?P<whom>[A-Za-z_][\w.]*)(?:\(\))?`"
_CALLBACK = re.compile(
    rf"^which\b[^`?]*\b(?:callbacks?|hooks?)\b[^`?]*\bcan(?:not|\s+not|'t)?\s+be\s+{_PASSED}(?:\s+constructor)?\s*\?$",
    re.IGNORECASE,
)
_SELECT = re.compile(
    r"^(?:select|choose|pick|identify|name)\s+the\s+(?:\w+\s+)?(?:parameter|argument|keyword|setting|field)\b",
    re.IGNORECASE,
)
# `Which argument configures a proxy for an `X`?`: of whom it is one is not said for certain.
_PERHAPS_OF = re.compile(
    r"^(?:which|what)\s+(?:keyword\s+)?(?:argument|parameter|setting|keyword)\s+(?!(?:of|in|on|to|for|from)\b)"
    r"[^`?,.]*?\b(?:for|in|of|on|to)\s+(?:the\s+|an?\s+)?`[A-Za-z_][\w.]*(?:\(\))?`"
    r"(?:\s+(?:class|constructor|function|method|instance|object))?"
    r"(?:\s+(?:in|as\s+of|since)\s+version\s+[\d.]+)?\s*\?$",
    re.IGNORECASE,
)
_CREATED = re.compile(
    r"^`(?P<owner>[A-Za-z_][\w.]*)\.\w+(?:\(\))?`[^`?]*\bthe\s+(?P<thing>\w+)\s+(?:was|is|has\s+been|must\s+(?:be|have\s+been))\s+"
    r"(?:created|constructed|made|instantiated|initiali[sz]ed)\s+with\s*(?:\.{2,3}|\u2026|:|_+)?$",
    re.IGNORECASE,
)


class KeywordRule:
    """Questions about accepted keywords."""

    name = "keyword"
    meaning = "keyword (meaning)"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that names keywords."""
        asked = reading.asked
        if about := asked_keyword(asked.text):
            yield from self._answers(reading, about)
            return
        if takes := who_takes(asked.text):
            yield from self._takers(reading, *takes)
            return
        exists = asks_existence(asked.text) and not asked.meaning
        if not _asks(reading) or (asked.negated and not exists):
            return
        common = _common(reading)
        if common == NOBODY and not asked.negated:
            yield from self._perhaps(reading)
        for letter, text in own_options(reading.case).items():
            named = named_keywords(text)
            targets = common if named is None or not named.callee else _named_targets(reading, named)
            if named is None or not targets.names:
                continue
            rule, power = self._strength(reading, targets=targets, named=named, exists=exists)
            yield _proof_of(letter, named, targets=targets, claim=(rule, power), negated=asked.negated)

    def _answers(self, reading: Reading, about: tuple[str, str]) -> Iterator[Proof]:
        """Yield a proof for each yes and no to whether somebody takes a keyword."""
        whom, keyword = about
        names = subject_meanings(whom, reading.index)
        if len(names) != 1 or names[0].kind not in CALLABLE:
            return
        named, targets = NamedKeywords((keyword,), callee=whom, plain=True), Targets(names, said=True)
        for letter, text in own_options(reading.case).items():
            if is_bare_answer(text):
                answer = yes_or_no(text) is True
                yield _proof_of(letter, named, targets=targets, claim=(self.name, "decides"), negated=not answer)

    def _takers(self, reading: Reading, keyword: str, negated: bool) -> Iterator[Proof]:  # noqa: FBT001
        """Yield a proof for each option that is a callable: whether it takes the keyword."""
        if negated != reading.asked.negated:
            return
        named = NamedKeywords((keyword,), callee="", plain=True)
        for letter, text in own_options(reading.case).items():
            found = mentions(text)
            whole = len(found) == 1 and found[0].whole and found[0].kind in {"name", "call"} and not found[0].keywords
            names = meanings(found[0].name, reading.index) if whole else ()
            if names and all(one.kind in CALLABLE for one in names):
                power: Power = "decides" if len(names) == 1 else "refutes"
                targets = Targets(names, said=True)
                yield _proof_of(letter, named, targets=targets, claim=(self.name, power), negated=negated)

    def _perhaps(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option where it is not certain of whom it is a keyword.

        An option is refuted only where another on offer is taken: else the question is about somebody else.
        """
        names = _perhaps_of(reading)
        if len(names) != 1 or names[0].kind not in CALLABLE:
            return
        options = {letter: named_keywords(text) for letter, text in own_options(reading.case).items()}
        plain = {letter: one.names[0] for letter, one in options.items() if one and one.plain and not one.callee}
        if len(plain) < len(options) or len(set(plain.values())) < 2:
            return
        for letter, keyword in plain.items():
            says = f"`{names[0].path}` takes the keyword `{keyword}`, or none of those on offer."
            claim = Claim(option=letter, rule=self.meaning, says=says)
            yield offered_proof(claim, names[0].path, keyword=keyword, offered=tuple(plain.values()))

    def _strength(self, reading: Reading, *, targets: Targets, named: NamedKeywords, exists: bool) -> tuple[str, Power]:
        if len(targets.names) > 1 or _QUALITY.search(re.sub(r"`[^`]*`", "it", reading.asked.text)):
            return self.name, "refutes"
        if exists and named.plain and targets.said:
            return self.name, "decides"
        return (self.name if reading.asked.negated else self.meaning), "refutes"


def asked_keyword(text: str) -> tuple[str, str] | None:
    """Return the callable and the keyword that a question asks about; None where it asks something else."""
    found = next((one for pattern in _IS_TAKEN if (one := pattern.search(text))), None)
    return None if found is None else (found["whom"], found["keyword"])


def who_takes(text: str) -> tuple[str, bool] | None:
    """Return the keyword whose takers a question asks for, and whether it asks for those that do not take it."""
    found = next((one for pattern in _WHO_TAKES if (one := pattern.search(text))), None)
    return None if found is None else (found["keyword"], bool(found["no"]))


def _perhaps_of(reading: Reading) -> tuple[KnownName, ...]:
    """Return whose keywords the options may be: the one subject, or the class of what was created with them."""
    text, subjects = reading.asked.text, reading.asked.subjects
    if len(subjects) != 1 or len(reading.asked.spans) != 1:
        return ()
    if created := _CREATED.match(text):
        last = created["owner"].rpartition(".")[2].lower()
        return subject_meanings(created["owner"], reading.index) if last.endswith(created["thing"].lower()) else ()
    return subject_meanings(subjects[0], reading.index) if _PERHAPS_OF.match(text) else ()


def _asks(reading: Reading) -> bool:
    """Return whether the options are keywords: the question asks for a parameter, and not about one that it names."""
    asked = reading.asked
    owners = owners_in(reading, kinds=CALLABLE)
    if asked.kind not in {"keyword", "exists", "code", "other"} or (may_be_negated(asked.text) and not asked.negated):
        return False
    passed = any(_passed_to(one).search(asked.text) for one in owners)
    if _CALLBACK.match(asked.text) or _SELECT.match(asked.text) or _CREATED.match(asked.text):
        return True
    return asks_for(asked.text, PARAMETER, subjects=owners) or passed


def _passed_to(subject: str) -> re.Pattern[str]:
    """`How should sub-agents be passed to X?`"""
    given = r"\b(?:passed|given|provided|supplied|registered|specified)\s+(?:to|on|in|for|with)"
    return re.compile(rf"\bhow\b[^?`]*{given}\s+(?:the\s+|an?\s+)?`{re.escape(subject)}", re.IGNORECASE)


def _common(reading: Reading) -> Targets:
    """Return whose keywords the options are. Where it is not said, the sources must know one of them as a field.

    Else the question may be about a keyword of somebody whom it does not name.
    """
    if passed := _CALLBACK.match(reading.asked.text):
        whom = subject_meanings(passed["whom"], reading.index)
        return Targets(whom, said=True) if len(whom) == 1 and whom[0].kind in CALLABLE else NOBODY
    targets = targets_of(reading, nouns=PARAMETER)
    if targets.said:
        return targets
    named = [one for text in own_options(reading.case).values() if (one := named_keywords(text)) is not None]
    names = [name for one in named for name in one.names]
    known = any(reading.index.find(f"{path}.{name}") for path in targets.paths for name in names)
    return targets if known else NOBODY


def _named_targets(reading: Reading, named: NamedKeywords) -> Targets:
    """Return what an option itself names as the callable; nobody where `X.y` is known to be a function or class."""
    whole = subject_meanings(f"{named.callee}.{named.names[0]}", reading.index) if named.dotted else ()
    if any(one.kind in CALLABLE for one in whole):
        return NOBODY
    names = subject_meanings(named.callee, reading.index)
    return Targets(names if all(one.kind in CALLABLE for one in names) else (), said=True)


def _proof_of(letter: str, named: NamedKeywords, *, targets: Targets, claim: tuple[str, Power], negated: bool) -> Proof:
    whom = " or ".join(f"`{path}`" for path in targets.paths)
    listed = ", ".join(f"`{name}`" for name in named.names)
    verb = "does not take" if negated else "takes"
    says = f"{whom} {verb} the keyword{'s' if len(named.names) > 1 else ''} {listed}."
    made = Claim(option=letter, rule=claim[0], says=says, power=claim[1], negated=negated)
    return keyword_proof(made, targets.paths, keywords=named.names)


RULE = KeywordRule()
