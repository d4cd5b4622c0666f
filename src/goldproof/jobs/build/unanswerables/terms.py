"""Words as the check compares them: runs of letters and digits, in small letters.

Finer than `goldproof.text.tokens`: a hyphen, an underscore and an apostrophe part words, so that "Cal-Maine Foods,
Inc.", "cal-maine-foods-inc" and `merge_cookies` are found in whatever spelling. "n't" is "not". A short year is also a
long
one: "FY18" and the end of "2017-18" say 2018.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SUFFIXES = ("s", "es", "ed", "d", "ing")


def tokens(text: str) -> list[str]:
    """Return the words in order."""
    return _TOKEN.findall(_plain(text))


def year_spellings(word: str) -> tuple[str, ...]:
    """Return the phrases that say the same year: "fy18", "f18", "fy 18", and as the end of a range "2017 18"."""
    if not _YEAR.fullmatch(word):
        return (word,)
    short = word[2:]
    return (word, f"fy{word}", f"fy{short}", f"f{short}", f"fy {short}", f"{int(word) - 1} {short}")


def variants(word: str) -> tuple[str, ...]:
    """Return the spellings of a word that count as the same: plural and singular, and regular verb forms."""
    if _YEAR.fullmatch(word):
        return tuple(spelling for spelling in year_spellings(word) if " " not in spelling)
    if not word.isalpha() or len(word) < 4:
        return (word,)
    stems = [word, *(word.removesuffix(suffix) for suffix in _SUFFIXES if len(word.removesuffix(suffix)) > 2)]
    stems += [word[:-3] + "y"] if word.endswith("ies") else []
    made = [stem + suffix for stem in stems for suffix in ("", *_SUFFIXES)]
    made += [stem[:-1] + "ies" for stem in stems if stem.endswith("y")]
    made += [stem + "e" for stem in stems[1:]]
    return tuple(dict.fromkeys(made))


def _plain(text: str) -> str:
    return text.casefold().replace("\u2019", "'").replace("n't", " not")
