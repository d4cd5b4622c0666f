"""Classify a question: what it asks, about what, and whether it asks for the option that does not hold.

Only words decide, by the tables of `question_words`. The sentence that asks (the last with a question mark, else the
last) is read first; the rest of the text only where that sentence leaves it open. A question about changed code ("if
the import is removed") is `other`: the code as it stands says nothing about it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.jobs.verify.rules.asked import Asked
from goldproof.jobs.verify.rules.code_names import defined_names
from goldproof.jobs.verify.rules.code_text import masked, parsed, prose_of, python_blocks, spans_of
from goldproof.jobs.verify.rules.exception_names import raised_names
from goldproof.jobs.verify.rules.question_words import (
    CODE,
    HYPOTHETICAL,
    KINDS,
    LAST_LINE,
    MEANING,
    NEGATED,
    ODD_ONE,
    PART,
    SAYS_FAILS,
    SAYS_WORKS,
    SHOUTED,
    SITUATION,
    SUPPOSED,
)

if TYPE_CHECKING:
    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.rules.asked import Kind

_SENTENCE: Final = re.compile(r"(?<=[.?!:])\s+(?=[\"'(\x02A-Z])|\n\s*\n")
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CALLED: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\(")
_CAMEL: Final = re.compile(
    r"(?<![\w.`])(?:[a-z_]\w*\.)*[A-Z][a-z0-9]+(?:[A-Z]\w*)+(?:\.\w+)*"
    r"|(?<![\w.`/])[a-z_]\w*(?:\.[A-Za-z_]\w+)+(?![\w/])"
)
_EXPLAINS: Final = re.compile(
    r"(?:why|how (?!does this|does the code|will this))", re.IGNORECASE
)  # options are reasons or ways
_COMMAND: Final = re.compile(r"[a-z][\w-]*(?: [a-z][\w-]*)+(?: --?[\w-]+)*")
_FLAG_WORD: Final = re.compile(r"(?<!\w)(?:options?|arguments?|parameters?|flags?|switch(?:es)?)(?!\w)", re.IGNORECASE)
_WHATS: Final = re.compile(r"(?<!\w)what['\u2019]s(?!\w)", re.IGNORECASE)
_LONGEST: Final = 3_000  # characters; what is asked stands at the end
# Characters of a question, of an option and of a snippet that are read.
MOST_TEXT: Final = 8_000
MOST_OPTION: Final = 4_000
MOST_CODE: Final = 30_000
_ABOUT_CODE: Final = ("outcome", "prints", "raises", "returns")


class _Sentences(NamedTuple):
    asking: str
    whole: str


def read_question(case: Case, index: NameIndex) -> Asked:
    """Return what a question asks."""
    text = case.asked or case.question.text
    if _is_too_long(case, text):
        return Asked(kinds=("other",), text="")
    code = _code_of(case, text)
    prose = prose_of(text).strip() or text
    words = _sentences(_WHATS.sub("What is", masked(prose, mark=CODE).text[-_LONGEST:]))
    spans = spans_of(prose)
    return Asked(
        kinds=("flag",) if _asks_for_flag(case, words.asking, spans=spans) else _kinds(words, code=code),
        text=" ".join(prose.split()),
        code=code,
        spans=spans,
        subjects=_subjects(prose, spans, code=code, index=index),
        negated=_negated(words.asking),
        meaning=bool(MEANING.search(words.asking)),
        expects_error=_expects_error(words.whole, prose),
    )


def _is_too_long(case: Case, text: str) -> bool:
    """Say whether a case is longer than any question is: it is not read, so that reading takes no time to speak of."""
    code = case.snippet.text if case.snippet else ""
    return (
        len(text) > MOST_TEXT or len(code) > MOST_CODE or any(len(one) > MOST_OPTION for one in case.options.values())
    )


def says_it_works(asked: Asked) -> bool:
    """Say whether the question takes for granted that the code does not fail (`Why does this not raise ...?`)."""
    return bool(SAYS_WORKS.search(masked(asked.text, mark=CODE).text))


def _code_of(case: Case, text: str) -> str:
    if case.snippet is not None:
        return case.snippet.text
    return "\n\n".join(python_blocks(text))


def _sentences(text: str) -> _Sentences:
    sentences = [one.strip() for one in _SENTENCE.split(text) if one.strip()]
    asking = [one for one in sentences if one.endswith("?")]
    return _Sentences((asking or sentences or [text])[-1], " ".join(text.split()))


def _kinds(words: _Sentences, *, code: str) -> tuple[Kind, ...]:
    found = [kind for kind, pattern in KINDS if pattern.search(words.asking)]
    if not found:
        found = [kind for kind, pattern in KINDS if pattern.search(words.whole)]
    if (
        HYPOTHETICAL.search(words.asking)
        or SUPPOSED.search(words.whole.removesuffix(words.asking))
        or _EXPLAINS.match(words.asking)
    ):
        found = [kind for kind in found if kind not in (*_ABOUT_CODE, "code")]
    if PART.search(words.asking) and {"prints", "returns"} & {*found}:
        kept = {"returns"} if LAST_LINE.search(words.asking) else set()
        found = [kind for kind in found if kind not in {*_ABOUT_CODE} - kept]
    if code and "outcome" in found and found[0] in {"keyword", "exists"}:
        found = ["outcome", *found]
    return tuple(dict.fromkeys(found)) or ("other",)


def _asks_for_flag(case: Case, asking: str, *, spans: tuple[str, ...]) -> bool:
    """Say whether it asks for an option of a command: it names one (`adk web`), or most answers begin with dashes."""
    dashes = sum(text.strip("` ").startswith("--") for text in case.options.values())
    named = any(_COMMAND.fullmatch(span) for span in spans) and _FLAG_WORD.search(asking)
    return bool(named) or dashes * 2 > len(case.options)


def _negated(asking: str) -> bool:
    if SITUATION.match(asking) or not ODD_ONE.search(asking):
        return False
    return SHOUTED.search(asking) is not None or NEGATED.search(asking) is not None


def _expects_error(whole: str, prose: str) -> str | None:
    if SAYS_WORKS.search(whole) or not SAYS_FAILS.search(whole):
        return None
    return next(iter(raised_names(prose)), "")


def _subjects(prose: str, spans: tuple[str, ...], *, code: str, index: NameIndex) -> tuple[str, ...]:
    """Return the names that a question is about: in spans, dotted, or in camel case where the library knows them."""
    tree = parsed(code) if code else None
    own = set(defined_names(tree)) - _imported(code) if tree else set()
    named = [name for span in spans for name in _names_in(span)]
    bare = [name for name in _CAMEL.findall(masked(prose, mark=" ").text) if index.find(name)]
    return tuple(dict.fromkeys(name for name in (*named, *bare) if name.split(".")[0] not in own))


def _names_in(span: str) -> list[str]:
    name = span.strip().removesuffix("()")
    if _DOTTED.fullmatch(name):
        return [name]
    return [found[1] for found in _CALLED.finditer(span)][:1]


def _imported(code: str) -> set[str]:
    """Return the names that code imports: they are the library's, not its own."""
    return {
        name
        for line in re.findall(r"^[ \t]*(?:from[ \t]+\S+[ \t]+)?import[ \t]+(.+)$", code, re.MULTILINE)
        for name in re.findall(r"\w+", line)
    }
