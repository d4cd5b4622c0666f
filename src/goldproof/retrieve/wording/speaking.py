"""Words for speaking, and the two sides of a conversation with a machine. English.

`SPEAKER_FIELDS` are the fields that say who spoke. `ASSISTANT` and `USER` are the values that stand for the side that
"you" and "I" mean in a query, which is taken to come from the user.
"""

from __future__ import annotations

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
