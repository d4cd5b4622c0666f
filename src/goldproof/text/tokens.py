r"""Words, content words, and search tokens of prose and code.

Words. A word is a run of letters and digits in lower case; points and commas inside a number, and apostrophes and
hyphens inside a word, belong to it ("1,234.5", "don't", "year-end"). A character of a script written without blanks is
a word. Content words are those that carry meaning: function words and question words are left out.

Search tokens are of two kinds. `words`: runs of letters and digits, in lower case, each one token. `code`: the same for
plain words, and an identifier gives itself, in lower case, and then its parts, so that both the exact name and its
words are found:

    HTTPServer                  httpserver, http, server
    max_tokens                  max_tokens, max, tokens
    google.adk.agents.LlmAgent  google.adk.agents.llmagent, google, adk, agents, llmagent, llm, agent
    src/text/words.py           src/text/words.py, src, text, words.py, words, py
    __init__                    __init__, init
    sha256, python3.11          sha256, sha, 256;  python3.11, python, 3.11
    v1.2.0, 3.14, 1,234.5       v1.2.0, 1.2.0;  3.14;  1234.5

An identifier is split at `/ \ ::`, then at points, hyphens, underscores, then where the case changes and where letters
and digits meet, unless all its letters stand alone (`v2`, `h2o`). Each token counts once per mention of an identifier
(`agent.Agent` is agent.agent and agent), and a plain word gives one token: a document that uses a word is never
counted twice for it. A mention of an identifier does make the document longer, by its parts. That is wanted: without
them in the length, a page that is only a list of names would look short and rank first for every word in them.

In both kinds: text that is not ASCII is put into Unicode's form NFKC first; case is folded; a possessive 's is dropped
and a contraction (don't) is one word, any other apostrophe separates (l'avion, f'text'); a comma between thousands is
dropped; `C++`, `C#` and `F#` are words. A letter of a script that is written without blanks is a token, with the signs
on it.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeVar
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Callable


_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"

_PART = rf"[^\W_{_UNSPACED}]"

_WORD = re.compile(rf"[{_UNSPACED}]|\d+(?:[.,]\d+)+|{_PART}+(?:['\u2019-]{_PART}+)*")

_FUNCTION_WORDS = """
    a about above after again all also am an and any are aren't as at be because been before being below between both
    but by can can't could did didn't do does doesn't doing don't down during each either for from further had has have
    having he her here hers him his how i if in into is isn't it it's its itself just let may me might more most must my
    no nor not of off on once only or other our ours out over own please same shall she should so some such than that
    that's the their theirs them then there these they this those through to too under until up upon us very was wasn't
    we were weren't what what's when where which while who whom whose why will with within without would you your yours
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case."""
    return _WORD.findall(text.casefold().replace("\u2019", "'"))


def content_words(text: str) -> tuple[str, ...]:
    """Return the words that carry meaning, each once, in order; a possessive 's is taken off."""
    bare = (word.removesuffix("'s") for word in words(text))
    return tuple(dict.fromkeys(word for word in bare if word and word not in FUNCTION_WORDS))


T = TypeVar("T")

TokenKind = Literal["code", "words"]

TOKEN_KINDS: tuple[TokenKind, ...] = ("code", "words")

# A tokeniser forgets what it remembered at this many different mentions: about 200 MB.
REMEMBERED = 1_000_000

_UNSPACED_SIGNS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u3099\u309a"

# Signs that belong to the letter before them but are no letters to `re`: accents, points, vowel signs, joiners.
_SIGNS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0963\u0966-\u0dff\u1000-\u1049"
    "\u1050-\u109f\u1780-\u17d3\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0\ufe20-\ufe2f"
)

_NUMBER = r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?"

_SHARP = r"[CcFf](?:\+\+|\#)(?!\w)"

_SHORTENED = r"(?:['\u2019](?:[sStTdDmM]|[rR][eE]|[vV][eE]|[lL][lL])(?!\w))?"


def _mention(run: str, *, joined: bool) -> str:
    """Return a pattern: a number, a language with a sign, or runs, joined as in paths or not."""
    more = rf"(?:(?:[./\\-]|::){run})*" if joined else ""
    number = _NUMBER if joined else rf"{_NUMBER}|(?<![\w.])\d+(?:\.\d+)+(?!\w)"
    return rf"{number}|(?<!\w){_SHARP}|{run}{more}{_SHORTENED}"


def _full_run(letters: str) -> str:
    return rf"{letters}+(?:[{_SIGNS}]+{letters}*)*"


_UNSPACED_LETTER = rf"(?![{_UNSPACED_SIGNS}])[{_UNSPACED}][{_UNSPACED_SIGNS}]*"

# Most texts are ASCII, for which a simpler pattern is faster.
_ASCII_MENTION = {
    "code": re.compile(_mention(r"\w+", joined=True), re.ASCII),
    "words": re.compile(_mention("[a-zA-Z0-9]+", joined=False), re.ASCII),
}

_MENTION = {
    "code": re.compile(_UNSPACED_LETTER + "|" + _mention(_full_run(rf"[^\W{_UNSPACED}]"), joined=True)),
    "words": re.compile(_UNSPACED_LETTER + "|" + _mention(_full_run(rf"[^\W_{_UNSPACED}]"), joined=False)),
}

_SEPARATORS = tuple(map(re.compile, (r"[/\\]|::", r"(?<!\d)\.|\.(?!\d)", "-", "_+")))

_VERSION = re.compile(r"[vV]?(\d+(?:\.\d+)+)")

# Parts of a name by its shape, in which A is a capital, a any other letter, 0 a digit; `URLs` is one part.
_PARTS = re.compile(r"AA+a(?![aA0])|A+(?!a)|A?a+|0+(?:\.0+)*")


class Remembered(dict[str, tuple[T, ...]]):
    """Mention -> its tokens, or their numbers; a mention that is not known is worked out and kept."""

    def __init__(self, work_out: Callable[[str], tuple[T, ...]]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, mention: str) -> tuple[T, ...]:
        tokens = self[mention] = self._work_out(mention)
        return tokens

    def joined(self, mentions: list[str]) -> list[T]:
        """Return the tokens of these mentions, in order."""
        if len(self) > REMEMBERED:
            self.clear()
        return list(chain.from_iterable(map(self.__getitem__, mentions)))


class Tokeniser:
    """Splits texts into tokens and remembers the tokens of each mention (a word or an identifier)."""

    def __init__(self, kind: TokenKind = "code") -> None:
        self.of_mention = tokens_of_identifier if kind == "code" else token_of_word
        self._ascii = _ASCII_MENTION[kind]
        self._full = _MENTION[kind]
        self._known = Remembered(self.of_mention)

    def mentions(self, text: str) -> list[str]:
        """Return the words and identifiers of a text, as written."""
        return self._ascii.findall(text) if text.isascii() else self._full.findall(normalize("NFKC", text))

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text, in order."""
        return self._known.joined(self.mentions(text))


def tokens(text: str, kind: TokenKind = "code") -> list[str]:
    """Return the tokens of one text; for many, a `Tokeniser` is faster."""
    return Tokeniser(kind).tokens(text)


def token_of_word(mention: str) -> tuple[str, ...]:
    """Return the one token of a plain word or number."""
    if mention[0].isdigit() and "," in mention:
        return (mention.replace(",", ""),)
    return (_without_possessive(mention.casefold().replace("\u2019", "'")),)


def tokens_of_identifier(mention: str) -> tuple[str, ...]:
    """Return the tokens of a word or identifier, each once: itself, then its parts from the coarsest to the finest."""
    if mention.isalpha() and (mention[1:].islower() or mention.isupper()):
        return (mention.casefold(),)
    if mention[0].isdigit() and "," in mention:
        return token_of_word(mention)
    whole = _without_possessive(mention.replace("\u2019", "'"))
    if version := _VERSION.fullmatch(whole):
        return tuple(dict.fromkeys((whole.casefold(), version[1])))
    return tuple(dict.fromkeys(part.casefold() for part in _split(whole)))


def _without_possessive(mention: str) -> str:
    return mention.removesuffix("'s").removesuffix("'S")


def _split(name: str, level: int = 0) -> list[str]:
    """Return a name and all its parts; nothing for a name without a letter or digit."""
    if level == len(_SEPARATORS):
        return _by_case(name)
    pieces = [piece for piece in _SEPARATORS[level].split(name) if piece]
    parts = [part for piece in pieces for part in _split(piece, level + 1)]
    return [name, *parts] if parts and pieces != [name] else parts


def _by_case(name: str) -> list[str]:
    if "'" in name or name[-1] in "+#":
        return [name]
    shape = "".join("A" if c.isupper() else "0" if c.isdigit() else "." if c == "." else "a" for c in name)
    parts = [name[part.start() : part.end()] for part in _PARTS.finditer(shape)]
    letters = [part for part in parts if part[0].isalpha()]
    if len(parts) == 1 or (len(letters) < len(parts) and all(len(part) == 1 for part in letters)):
        return [name]
    return [name, *parts]
