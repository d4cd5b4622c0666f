"""Intent of a question, read from its words. Where they leave it open, rules may refute, but not confirm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# outcome    what happens when the code is run (raises, prints, works)
# prints     what it prints
# raises     which exception
# returns    which value or type comes back
# import     which import works
# code       which of several snippets works, or fails
# exists     which name exists, is offered, is a member
# keyword    which parameter or field
# default    the default value of a parameter or field
# inherits   which class something inherits from
# async      whether, or which, must be awaited
# signature  the parameters of a function
# flag       options of a command line
# other      nothing that the words give away
Kind = Literal[
    "outcome", "prints", "raises", "returns", "import", "code", "exists", "keyword", "default", "inherits", "async",
    "signature", "flag", "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """The intent of a question.

    kinds: what the words may mean, likeliest first; never empty. text: the question without its code. code: the code
    that the question shows (the snippet, else what stands in fences in the text), or empty. spans: the words in
    backquotes, in order. subjects: those of them, and dotted names, that the question is about (`Runner`,
    `Runner.run`), without those that the code defines. negated: it asks which option does NOT hold. meaning: it asks
    for the one that serves some purpose (`to configure the frequency`), so that what merely exists does not yet hold.
    expects_error: the question says that the code fails; a type where it names one.
    """

    kinds: tuple[Kind, ...]
    text: str
    code: str = ""
    spans: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    negated: bool = False
    meaning: bool = False
    expects_error: str | None = None

    @property
    def kind(self) -> Kind:
        """The likeliest kind."""
        return self.kinds[0]
