"""Checks across cases: duplicates, and cases that contradict each other.

duplicate            the same question, code and options, whatever their order; without options, question and code
near duplicate       nine tenths and more of their words in common, and the same names, numbers and code
contradictory case   the same question and code, but what is right in one is offered as wrong in the other; or, where
                     verdicts are given, one claim is the right answer of one case and a wrong one of another

Texts are the same where their normal form is (case, blanks, Unicode), quotes and the stop at the end aside.
Contradictory cases are not called duplicates as well.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.verify.finding import Remark
from goldproof.text.near_duplicates import jaccard, normal_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import CaseFinding

_NEAR = 0.9
_WORD = re.compile(r"\w+(?:[.-]\w+)*")
_QUOTES = re.compile(r"[`'\"\u2018\u2019\u201c\u201d]")
# What tells questions apart that are otherwise worded alike: names, numbers, words in backquotes.
_TELLING = re.compile(r"`[^`]+`|\w*(?:[a-z0-9][A-Z]|_|\d|\w\.\w)\w*(?:\.\w+)*")
_CLAIM = re.compile(r'\A"""[^\n]*"""\n')

Remarks = dict[str, tuple[Remark, ...]]


def suite_remarks(cases: Sequence[Case], findings: Iterable[CaseFinding] = ()) -> Remarks:
    """Return, per id of a case, what other cases make of it. findings: of any library, for claims in common."""
    found: dict[str, dict[Remark, None]] = defaultdict(dict)
    told: set[frozenset[str]] = set()
    for pair in (*_contradictions(cases), *_contradicting_claims(findings), *_duplicates(cases), *_near(cases)):
        key = frozenset((pair.one, pair.other))
        if len(key) == 2 and key not in told:
            told.add(key)
            for here, there in ((pair.one, pair.other), (pair.other, pair.one)):
                found[here][Remark(pair.kind, f"{pair.text} {there}.", cases=(there,))] = None
    return {case: tuple(remarks) for case, remarks in found.items()}


class _Pair(NamedTuple):
    one: str
    other: str
    kind: str
    text: str


def _contradictions(cases: Sequence[Case]) -> Iterator[_Pair]:
    for group in _groups(cases, _question):
        for one, other in combinations(group, 2):
            if one.kind == other.kind == "multiple_choice" and _contradict(one, other):
                yield _Pair(one.id, other.id, "contradictory case", "asks the same and calls another answer right than")


def _contradict(one: Case, other: Case) -> bool:
    """Return whether the right answer of one is a wrong option of the other."""
    return any(
        right != _right(there) and right in {_plain(text) for text in there.options.values()}
        for right, there in ((_right(one), other), (_right(other), one))
    )


def _right(case: Case) -> str:
    return _plain(case.options.get(case.key or "", ""))


def _contradicting_claims(findings: Iterable[CaseFinding]) -> Iterator[_Pair]:
    """Yield cases where one claim, word for word the same proof, is right in one and wrong in the other."""
    right: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        for option in finding.options:
            side = right if option.letter == finding.case.key else wrong
            for tried in option.tries:
                if tried.proof.power == "decides" and tried.standing in {"confirmed", "refuted"}:
                    claim = json.dumps([_CLAIM.sub("", tried.proof.script), tried.proof.expect], sort_keys=True)
                    side[claim].append(finding.case.id)
    for claim, ids in right.items():
        for one in ids:
            for other in wrong.get(claim, ()):
                yield _Pair(one, other, "contradictory case", "judges one claim the other way round than")


def _duplicates(cases: Sequence[Case]) -> Iterator[_Pair]:
    for group in _groups(cases, _whole):
        for one, other in combinations(group, 2):
            yield _Pair(
                one.id,
                other.id,
                "duplicate",
                "asks the same, with the same options, as" if one.options else "is the same as",
            )


def _groups(cases: Sequence[Case], key: Callable[[Case], object]) -> list[list[Case]]:
    groups: dict[object, list[Case]] = defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return [group for group in groups.values() if len(group) > 1]


def _question(case: Case) -> tuple[str, str]:
    """Return what is asked, and the code; code is compared as it is, blanks aside."""
    code = "\n".join(one.text for one in (case.snippet, case.unfixed) if one is not None)
    return _plain(case.asked or case.question.text), " ".join(code.split())


def _whole(case: Case) -> tuple[object, ...]:
    return (*_question(case), case.kind, *sorted(_plain(text) for text in case.options.values()))


def _plain(text: str) -> str:
    return (normal_text(_QUOTES.sub("", text)) or "").rstrip(".?!: ")


def _near(cases: Sequence[Case]) -> Iterator[_Pair]:
    """Yield near duplicates. Sets that share nine tenths share one of the rarest words of each; others never meet."""
    words = {case.id: _words(case) for case in cases}
    counts = Counter(word for one in words.values() for word in one)
    by_telling: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for case in cases:
        by_telling[case.kind, _question(case)[1], *_telling(case)].append(case.id)
    for alike in by_telling.values():
        for one, other in sorted(_candidates(alike, words, counts)):
            if jaccard(words[one], words[other]) >= _NEAR:
                yield _Pair(one, other, "near duplicate", "asks nearly the same as")


def _candidates(
    ids: Sequence[str], words: Mapping[str, frozenset[str]], counts: Mapping[str, int]
) -> set[tuple[str, str]]:
    met: dict[str, list[str]] = defaultdict(list)
    found: set[tuple[str, str]] = set()
    for one in dict.fromkeys(ids):
        rare = sorted(words[one], key=lambda word: (counts[word], word))
        for word in rare[: len(rare) - int(len(rare) * _NEAR) + 1]:
            found.update((other, one) for other in met[word])
            met[word].append(one)
    return found


def _words(case: Case) -> frozenset[str]:
    return frozenset(_WORD.findall(_plain(_text(case))))


def _telling(case: Case) -> tuple[str, ...]:
    return tuple(sorted({one.strip("`") for one in _TELLING.findall(_text(case))}))


def _text(case: Case) -> str:
    return "\n".join((case.asked or case.question.text, *case.options.values()))
