"""Words of a query, verbs of speaking, whom "you" and "I" name (English).

A word is a run of letters and digits in lower case, with the marks of `C++` and `C#`; `_`, `-` and all other marks
stand between words. A possessive `'s` is taken off and remembered; contractions are two words (`I've`: i have,
`didn't`: did not). A number may have a decimal point.

`SPEAKER_FIELDS` are the fields that say who spoke. `ASSISTANT` and `USER` are the values that stand for the side that
"you" and "I" mean in a query, which is taken to come from the user:

    you said, I have told, you already mentioned          a verb of speaking in the past, right after the pronoun
    did you say, have I mentioned, were you saying        the same, turned round
    your last answer, my earlier question                 a noun of speaking, with a word that points back
    what was your answer, in my message                   or after such a word as `was`, `in` or `of`
    recommended by you, tips (that came) from you         after what was said

"Can you tell me", "what do you suggest" and "your advice, please" ask for something new and name nobody; nor does "I
was told", where somebody else spoke, "I asked about visas, what was the fee?", where the answer is wanted, "should I
have told", "answer my question", "in reply to my question", or a pronoun inside double quotes. What is in doubt names
nobody, since a wrong filter loses the answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\d+\.\d+|[^\W_]+(?:'[^\W_]+)*(?:\+\+|#)?")
_QUOTED = re.compile(r'"[^"]*"|\N{LEFT DOUBLE QUOTATION MARK}[^\N{RIGHT DOUBLE QUOTATION MARK}]*')
_CONTRACTIONS = {"'ve": "have", "'d": "had", "'re": "are", "'m": "am", "'ll": "will", "n't": "not"}
_CLAUSE = re.compile(r"[,.;:?!()\n]")


class Word(NamedTuple):
    """One word of a query; gap: the text between it and the word before."""

    text: str
    gap: str
    capital: bool = False
    possessive: bool = False
    quoted: bool = False

    @property
    def begins_clause(self) -> bool:
        """Whether it follows a mark such as a comma."""
        return _CLAUSE.search(self.gap) is not None


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list written with blanks."""
    return frozenset(text.split())


def text_at(words: Sequence[Word], at: int) -> str:
    """Return the word at a place, empty where there is none."""
    return words[at].text if 0 <= at < len(words) else ""


def query_words(text: str) -> tuple[Word, ...]:
    """Return the words of a text in their order."""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    quotes = [quote.span() for quote in _QUOTED.finditer(text)]
    words: list[Word] = []
    end = 0
    for word in _WORD.finditer(text):
        quoted = any(start < word.start() < stop for start, stop in quotes)
        words.extend(_parts(word[0], text[end : word.start()], quoted=quoted))
        end = word.end()
    return tuple(words)


def value_words(text: str) -> tuple[str, ...]:
    """Return the words of a value of the metadata, to be looked for in queries."""
    return tuple(word.text for word in query_words(text))


def singulars(word: str) -> tuple[str, ...]:
    """Return the word, and what it may be the plural of."""
    singular = [word]
    if word.endswith("ies"):
        singular.append(f"{word[:-3]}y")
    if word.endswith("es"):
        singular.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        singular.append(word[:-1])
    return tuple(singular)


def _parts(written: str, gap: str, *, quoted: bool) -> list[Word]:
    word, capital = written.casefold(), written[0].isupper()
    if word.endswith("'s"):
        return [Word(word[:-2], gap, capital, possessive=True, quoted=quoted)]
    for suffix, second in _CONTRACTIONS.items():
        if word.endswith(suffix) and len(word) > len(suffix):
            return [Word(word.removesuffix(suffix), gap, capital, quoted=quoted), Word(second, "", quoted=quoted)]
    return [Word(word, gap, capital, quoted=quoted)]


SPEAKER_FIELDS = frozenset({"role", "speaker", "author", "sender", "participant", "said_by", "who"})
ASSISTANT = frozenset({"assistant", "ai", "bot", "chatbot", "agent", "model", "support"})
USER = frozenset({"user", "human", "customer", "client", "caller", "developer"})
# Roles that are everyday words as well ("the user interface"): they count only where somebody speaks.
EVERYDAY = ASSISTANT | USER | {"system", "tool"}

# Base form, then past forms.
_VERBS = """
    say said; tell told; ask asked; mention mentioned; explain explained; recommend recommended; suggest suggested;
    advise advised; describe described; answer answered; reply replied; respond responded; write wrote written;
    claim claimed; argue argued; state stated; note noted; propose proposed; promise promised; warn warned;
    report reported; complain complained; confirm confirmed; request requested; quote quoted; list listed;
    offer offered; admit admitted; concede conceded; cite cited; assert asserted; insist insisted; assure assured;
    clarify clarified; specify specified; summarise summarised; summarize summarized
"""
# Speaking only with the word after: talk about, give me.
_WITH = {"talk": "about", "speak": "about", "give": "me", "show": "me", "bring": "up", "point": "out"}
_PAST_WITH = {
    "talked": "about",
    "spoke": "about",
    "spoken": "about",
    "gave": "me",
    "given": "me",
    "showed": "me",
    "shown": "me",
    "brought": "up",
    "pointed": "out",
}
_NOUNS = """
    advice answer argument claim comment complaint description explanation instruction message point proposal question
    recommendation remark reply report request response rebuttal statement suggestion summary tip warning objection
    concern turn post contribution utterance
"""


def _ing(base: str) -> str:
    return f"{base.removesuffix('e')}ing"


def _third(base: str) -> str:
    return f"{base[:-1]}ies" if base.endswith("y") and base[-2] not in "aeiou" else f"{base}s"


_FORMS = [verb.split() for verb in _VERBS.split(";")]
BASE = frozenset(forms[0] for forms in _FORMS)
PAST = frozenset(form for forms in _FORMS for form in forms[1:])
# Who asked is named, and what is wanted is often the answer: "I asked about visas, what was the fee?"
ASKING = frozenset({"asked", "requested"})
ING = frozenset(_ing(forms[0]) for forms in _FORMS)
_ALL = BASE | PAST | ING | frozenset(_third(forms[0]) for forms in _FORMS) | _WITH.keys() | _PAST_WITH.keys()
VERBS = _ALL | {"raise", "raised", "think", "thinks", "made", "make"}
NOUNS = frozenset(_NOUNS.split()) | frozenset(_third(noun) for noun in _NOUNS.split())


def is_base(word: str, after: str) -> bool:
    """Say whether a word, with the one after it, is a verb of speaking in its base form."""
    return word in BASE or (word in _WITH and _WITH[word] == after)


def is_past(word: str, after: str) -> bool:
    """Say whether a word, with the one after it, is a verb of speaking in the past."""
    return word in PAST or (word in _PAST_WITH and _PAST_WITH[word] == after)


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
    unquoted = [word for word in words if not word.quoted]
    sides = [side for at in range(len(unquoted)) for side in _named_at(unquoted, at)]
    return tuple(dict.fromkeys(sides))


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
