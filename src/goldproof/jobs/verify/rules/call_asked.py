"""Decide whether a question asks for the result of a call that it names, or only mentions the call.

`What does X return?`, `What happens when X is called?`, `the effect of X` ask for it. `A model that is configured with
X` and `a field declared with X` mention it: then running it shows nothing. A condition beside it (`if the model is
strict`) changes what is run, and is not understood.
"""

from __future__ import annotations

import re
from typing import Final

_BEFORE: Final = re.compile(
    r"(?<!\w)(?:does|do|will|would|did|is|are|call(?:s|ing)?|runn?(?:s|ing)?|execut(?:e|es|ing)"
    r"|evaluat(?:e|es|ing|ion of)"
    r"|invok(?:e|es|ing)|happens? (?:on|with|for|in|at|after)|results? (?:from|of)|(?:raised|thrown|caused|returned"
    r"|printed|produced) (?:by|from|for)|(?:effect|outcome|result|value|type|output|consequence|behaviou?r) of"
    r"|that|what|which|after|when|if|once|by)"
    r"(?: (?:the |this |you |we |one )*(?:call(?:ing)?|run(?:ning)?|expression|statement|code|line|execut(?:e|ing)"
    r"|evaluat(?:e|ing)))?:?\s*$",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"\s*(?:(?:will |would |then )?(?:returns?|raises?|evaluates?|prints?|throws?|gives?|yields?|produces?|runs?"
    r"|executes?|causes?|does|do|ends?|fails?|works?|comes?|becomes?|equals?|contains?|be|output)(?!\w)"
    r"|(?:is|are|gets) (?:called|run|executed|evaluated|invoked)(?!\w)"
    r"|\.\w+|[?.:,]|$)",
    re.IGNORECASE,
)
_ENDS_ASKING: Final = re.compile(r"\s*(?:evaluates? to|returns|gives|yields)\s*[:.\u2026_]*\s*", re.IGNORECASE)
_SITUATION: Final = re.compile(
    r"(?<!\w)(?:after|when|if|once|that|what|which|is|are"
    r"|(?<!raised )(?<!thrown )(?<!caused )(?<!returned )(?<!printed )(?<!produced )by):?\s*$",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"(?<!\w)(?:if(?! any)|assuming|suppose|provided|given that|unless|where|once|while|with|under|instead)(?!\w)",
    re.IGNORECASE,
)
_HARMLESS: Final = re.compile(
    r"(?<!\w)(?:if|when|once) (?:it |you |we |this |the code |the call )?(?:is |are )?(?:called|runs?|executed"
    r"|call|execute)(?: it| this)?(?!\w)|what happens (?:with|if)\s*$|with no other arguments",
    re.IGNORECASE,
)


def is_asked_for(span: str, text: str) -> bool:
    """Say whether a text asks for what a call in backquotes does. text: the question, its spans in backquotes."""
    left, found, right = text.partition(f"`{span}`")
    if not found:
        left, found, right = text.partition(f"``{span}``")
    if found and not left.strip() and _ENDS_ASKING.fullmatch(right):
        return True
    before, after = _BEFORE.search(left[-80:]), _AFTER.match(right)
    if not found or not before or not after:
        return False
    # `when X` alone leaves open what becomes of X.
    if _SITUATION.search(left[-80:]) and not re.match(r"\s*\w", right):
        return _is_a_question_for(left)
    rest = _HARMLESS.sub(" ", f"{left[: max(0, len(left) - 80) + before.start()]} \n {right}")
    return _CONDITION.search(rest) is None


def _is_a_question_for(left: str) -> bool:
    return re.search(r"(?<!\w)(?:what|which)(?: \w+){0,2} (?:is|are):?\s*$", left, re.IGNORECASE) is not None
