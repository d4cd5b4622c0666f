"""Whom "you" and "I" name in a query: the one who said something, and nobody else.

    you said, I have told, you already mentioned          a verb of speaking in the past, right after the pronoun
    did you say, have I mentioned, were you saying        the same, turned round
    your last answer, my earlier question                 a noun of speaking, with a word that points back
    what was your answer, in my message                   or after such a word as `was`, `in` or `of`
    recommended by you, tips (that came) from you         after what was said

"Can you tell me", "what do you suggest" and "your advice, please" ask for something new and name nobody; nor does
"I was told", where somebody else spoke, "I asked about visas, what was the fee?", where the answer is wanted, "should I
have told", "answer my question", "in reply to my question", or a pronoun inside double quotes. What is in doubt names
nobody, since a wrong filter loses the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from goldproof.retrieve.wording.query_words import text_at, word_set
from goldproof.retrieve.wording.speaking import ASKING, ING, NOUNS, is_base, is_past

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.wording.query_words import Word

Side = Literal["assistant", "user"]

_SUBJECTS: dict[str, Side] = {"you": "assistant", "i": "user"}
_OBJECTS: dict[str, Side] = {"you": "assistant", "me": "user"}
_POSSESSIVES: dict[str, Side] = {"your": "assistant", "my": "user"}
_ADVERBS = word_set(
    "also already actually again before earlier ever first finally initially just last later once only originally "
    "previously recently specifically then really yourself myself"
)
# What comes after them is not said by the pronoun: a wish, a condition, a passive, another subject.
_UNREAL = word_set(
    "if unless suppose imagine should could would might must can will shall may and or was were am is are be been"
)
_BACK = word_set(
    "earlier first former initial last latest newest original past previous prior recent second third two three four "
    "five 2 3 4 5 final"
)
_BEFORE_POSSESSIVE = word_set("was were in from of repeat recall remember quote find list all both")
_NEVER_BEFORE_POSSESSIVE = word_set("to about on answer answers regarding concerning for with")


def sides_named(words: Sequence[Word]) -> tuple[Side, ...]:
    """Return which sides of the conversation the pronouns of a query name as speakers, each once."""
    said = [word for word in words if not word.quoted]
    found = [side for at in range(len(said)) for side in _named_at(said, at)]
    return tuple(dict.fromkeys(found))


def _named_at(words: Sequence[Word], at: int) -> list[Side]:
    text = words[at].text
    if text in _SUBJECTS and (_spoke(words, at) or _was_speaking(words, at)):
        return [_SUBJECTS[text]]
    if text in _POSSESSIVES and _owns_words(words, at):
        return [_POSSESSIVES[text]]
    if text in _OBJECTS and _is_source(words, at):
        return [_OBJECTS[text]]
    return []


def _spoke(words: Sequence[Word], at: int) -> bool:
    before = _back(words, at)
    if before == "did":
        return is_base(*_verb(words, at + 1))
    if before in ("have", "had"):
        return is_past(*_verb(words, at + 1))
    if before in _UNREAL and not words[at].begins_clause:
        return False
    start = at + 2 if text_at(words, at + 1) in ("have", "had") else at + 1
    verb, after = _verb(words, start)
    return is_past(verb, after) and verb not in ASKING


def _was_speaking(words: Sequence[Word], at: int) -> bool:
    if _back(words, at) in ("was", "were"):
        return _verb(words, at + 1)[0] in ING
    return text_at(words, at + 1) in ("was", "were") and _verb(words, at + 2)[0] in ING


def _owns_words(words: Sequence[Word], at: int) -> bool:
    before, noun = text_at(words, at - 1), at + 1
    if before in _NEVER_BEFORE_POSSESSIVE:
        return False
    while text_at(words, noun) in _BACK or text_at(words, noun) in ("most", "very"):
        noun += 1
    if text_at(words, noun) not in NOUNS or _introduces(words, noun):
        return False
    return noun > at + 1 or at == 0 or before in _BEFORE_POSSESSIVE


def _introduces(words: Sequence[Word], noun: int) -> bool:
    """Say whether the noun only leads over to what is asked: "my question is ...", "my question: ..."."""
    after = noun + 1
    return words[noun].possessive or text_at(words, after) in ("is", "are") or _colon(words, after)


def _colon(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and ":" in words[at].gap


def _is_source(words: Sequence[Word], at: int) -> bool:
    if text_at(words, at - 1) not in ("by", "from") or at < 2:
        return False
    told = words[at - 2].text
    came = told in ("came", "come", "comes") and any(word.text in NOUNS for word in words[: at - 2])
    return came or told in NOUNS or is_past(told, "")


def _verb(words: Sequence[Word], at: int) -> tuple[str, str]:
    """Return the first word from here on that is no adverb, and the one after it."""
    while text_at(words, at) in _ADVERBS:
        at += 1
    return text_at(words, at), text_at(words, at + 1)


def _back(words: Sequence[Word], at: int) -> str:
    """Return the word before, leaving out a `not`."""
    before = text_at(words, at - 1)
    return text_at(words, at - 2) if before == "not" else before
