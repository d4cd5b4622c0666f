r"""Phrases with which options state the outcome of code.

In the text that they are looked for in, `\x03N\x03` stands for a code span or quoted words, `\x04N\x04` for the name of
an exception.
"""

from __future__ import annotations

import re
from typing import Final

PIECE: Final = r"\x03\d+\x03"
TYPE: Final = r"\x04\d+\x04"


def _phrases(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases).replace("'", "['\u2019]"), re.IGNORECASE | re.DOTALL)


_SUBJECT = (
    r"(?<!\w)(?:(?:the|this|that|it|code|snippet|script|program|call|function|model|class|constructor|line"
    r"|instantiation|execution|assignment|statement|python|first|second|last)\s+)*"
)
_WILL = r"(?:(?:will|would|should|is|are|be|gets?|being)\s+)*"
_IT = rf"{_SUBJECT}{_WILL}"
_AN_ERROR = r"(?:an?|the|any|some)?\s*(?:\w+ )?(?:errors?|exceptions?)"
_RAISE = (
    r"(?:raises?|raised|raising|throws?|thrown|throwing|triggers?|causes?|produces?|gives?|yields?|results? in"
    r"|leads? to"
    r"|fails? with|crash(?:es)? with|ends? (?:in|with)|errors? (?:out )?with|exits? with|reports?|gets?|encounters?)"
)
_FINE = r"(?: (?:successfully|fine|normally|correctly|as expected|cleanly|properly|silently|to completion))"
_DOES_NOT = r"(?:does not|doesn't|will not|won't|would not|never|do not|not)"
_RUNS = (
    r"(?:runs?|executes?|completes?|works?|finishes|terminates|passes|exits?|loads?"
    r"|is (?:created|accepted|instantiated))"
)
_TO_SCREEN = r"(?: to (?:the )?(?:console|stdout|standard output|screen))?"
_IS_SHOWN = r"(?:is|are|gets|will be)(?: then| also)? (?:printed|displayed|output|shown)"
_OFF = (
    r"(?: (?:is|are|will be|would be|gets?|be|being|exception|error|raised|thrown|occurs?|triggered|happens|instance))*"
)

# The reason that an option gives.
REASON: Final = _phrases(
    r"[,;]?\s*(?<!\w)(?:because|since|due to|owing to|as (?:the|it|there|its|this|\x03)|(?:which )?indicat(?:es|ing)"
    r"|meaning"
    r"|so that|complaining|stating that|saying that|given that)(?!\w).*"
)
# 1: the exception; 2 or 3: what it says.
MESSAGE: Final = _phrases(
    rf"({TYPE})(?:\s+(?:exception|error))?(?:\s*(?:with|having|and)?\s*(?:the |an? )?(?:error )?(?:message"
    rf"|text)?\s*(?:that )?"
    rf"(?:saying|reading|stating|containing|says|of|like|is)?:?\s*({PIECE})|:\s+(.+))"
)
# It says that what it quotes is the message itself; unless a part of that stands for something else.
THE_MESSAGE: Final = _phrases(r"(?<!\w)(?:message|text|saying|reading|stating|says)(?!\w)(?!.*(?<!\w)like(?!\w))")
LEFT_OUT: Final = _phrases(r"\.\.\.|\u2026|[<{\[%*]|(?<!\w)etc")
BEFORE_RAISED: Final = _phrases(rf"{_IT}{_RAISE}?\s*(?:an?|the)?\s*$")
NOT_RAISED: Final = _phrases(
    rf"{_IT}(?:{_DOES_NOT}|no|without)\s+(?:raise|raising|throw|throwing|cause|trigger|produce)?\s*(?:an? |any "
    rf"|the )?({TYPE}){_OFF}"
)
RAISED: Final = _phrases(
    rf"(?:{_IT}(?:{_RAISE}|fails?|crash(?:es)?)?\s*(?:by raising|with|of|:)?\s*)?(?<!\w)(?:(?:an?|the"
    rf"|some)\s+)?({TYPE})"
    rf"(?:\s+(?:or|/)\s+(?:an? )?({TYPE}))?{_OFF}"
)
FAILS: Final = _phrases(
    rf"{_IT}{_RAISE}\s+{_AN_ERROR}",
    rf"{_IT}(?:immediately |always )?(?:fails|crashes|errors out|errors|breaks)(?: with {_AN_ERROR})?",
    r"(?<!\w)(?:an?|the)\s+(?:\w+ )?(?:error|exception)\s+(?:(?:is|will be|gets|would be)\s+)*(?:raised|thrown"
    r"|occurs?|happens)",
)
WARNS: Final = _phrases(
    rf"{_IT}(?:emits?|issues?|shows?|displays?|produces?|gives?|raises?|triggers?)\s+(?:only )?(?:an? |the )?"
    rf"(?:({TYPE})(?= warning|$|[.,;])|(?:\w+ )?warning)(?: warning)?(?: is| are)?(?: emitted| issued| shown)?",
    rf"(?<!\w)(?:an? |the )?(?:({TYPE})|warning) (?:is|will be) (?:emitted|issued|shown)",
)
SILENT: Final = _phrases(
    rf"{_IT}(?:prints?|outputs?|displays?|writes|shows|produces|gives) (?:out )?(?:nothing|no output)(?: at all)?",
    r"(?<!\w)nothing (?:is|will be|gets) (?:printed|displayed|output|shown)(?: at all)?",
    r"(?<!\w)(?:there is |with )?no output(?: is (?:produced|printed|shown))?",
    rf"{_IT}{_DOES_NOT} (?:print|output|display)(?: out)? anything",
    r"(?<!\w)(?:an )?empty output",
)
PRINTS: Final = _phrases(
    rf"{_IT}(?:prints?|outputs?|displays?|printed|writes|shows?|output (?:is|will be))\s*(?:out )?"
    rf"(?:the (?:text|string|value|line|number|message|words?) )?:?\s*({PIECE}){_TO_SCREEN}",
    rf"({PIECE}) {_IS_SHOWN}{_TO_SCREEN}",
)
_THEN = r"(?:,?\s*(?:and )?(?:then|followed by|after that|afterwards)\s*(?:also )?)"
_LINES = (
    r"(?:,?\s*\(?(?:each |both |all )?(?:on (?:its|their|a) own lines?|on (?:separate|different|two|three|four) lines"
    r"|one per line|line by line)\)?)"
)
_SEVERAL = rf"{PIECE}(?:(?:{_THEN}{PIECE})+{_LINES}?|(?:(?:{_THEN}|,?\s*and\s+|,\s*){PIECE})+{_LINES})"
_ONLY_THAT = r"(?=\s*[.;]?\s*$)"
# Several things, one after the other; as a whole option also without a verb.
PRINTS_IN_ORDER: Final = _phrases(
    rf"{_IT}(?:first )?(?:prints?|outputs?|displays?|writes|shows?)\s*(?:first |out )?:?\s*{_SEVERAL}{_ONLY_THAT}",
    rf"^{_SEVERAL}\s*{_IS_SHOWN}{_LINES}?{_ONLY_THAT}",
)
IN_ORDER: Final = _phrases(rf"^(?:first,? )?{_SEVERAL}{_ONLY_THAT}")
PRINTS_BARE: Final = _phrases(
    r"^(?:it |this |the code |the script |the program )?(?:will |would )?(?:prints?|outputs?|displays?)(?: out)?:?\s+"
    r"([^\x03\x04]+)$"
)
RETURNS: Final = _phrases(
    rf"{_IT}(?:returns?|evaluates? to|equals?|(?:result|value|return value) (?:is|will be)|assigns?|becomes?)\s*"
    rf"(?:the (?:value|string|integer|list|dict|dictionary|number) )?:?\s*"
    rf"({PIECE}|(?:True|False|None|-?\d+(?:\.\d+)?)(?![\w.]*\w))"
)
WORKS: Final = _phrases(
    rf"{_IT}(?:{_RUNS}|succeeds?|returns?|proceeds|is valid){_FINE}*(?: (?:with no|without)(?: any| an| raising| or)*"
    r" (?:errors?|exceptions?|issues?|problems?)(?: or (?:errors?|warnings?))?)",
    rf"{_IT}{_RUNS}{_FINE}+",
    rf"{_IT}(?:works|succeeds)(?!\w)",
    rf"{_IT}{_DOES_NOT} (?:raise|throw|produce|cause|trigger|give|result in|generate|fail|crash|error)"
    rf"(?: {_AN_ERROR})?(?: at all)?(?!\w)",
    rf"{_IT}(?:raises|throws|produces|there is|there are|gives) no (?:errors?|exceptions?)",
    r"(?<!\w)(?:with )?no (?:\w+ )?(?:errors?|exceptions?)(?: (?:at all|is|are|will be|occurs?|gets?|raised|thrown"
    r"|happens?))*",
    r"(?<!\w)without (?:any |an |raising |errors? or )*(?:errors?|exceptions?)",
    r"(?<!\w)nothing (?:fails|is raised|goes wrong)",
)
# Words that claim nothing.
_TIME = (
    r"(?:instantiation|initiali[sz]ation|construction|creation|import|definition|execution|runtime|startup|run ?time)"
)
FILLER: Final = _phrases(
    r"(?<!\w)(?:it|the|this|that|code|snippet|script|program|an?|is|are|and|then|also|but|at|immediately|will|be"
    r"|first|python"
    r"|when (?:it is |the code is |the code |it |the script is |the program )?(?:run|runs|executed|executes)"
    rf"|(?:up)?on (?:the )?{_TIME}|(?:at|during|in) (?:the )?{_TIME}(?: time)?|{_TIME}"
    r"|after (?:that|which)|runs?|executes?|finally|yes|no|of|raised|thrown|exception|error|occurs|as expected"
    r"|successfully|to completion|built-?in|standard|simply|just|itself)(?!\w)"
)
_DENIED = (
    r"does|doesn't|didn't|isn't|won't|cannot|can't|instead|rather|unless|only (?:if|when)|if|depending|either|not"
    r"|never|without"
    r"|no longer|neither|except"
)
MAY_BE_DENIED: Final = _phrases(rf"(?<!\w)(?:{_DENIED})(?!\w)")
# Around the name of an exception: it is not what comes out of the code.
NOT_THE_OUTCOME: Final = _phrases(
    rf"(?<!\w)(?:{_DENIED}|caught|catch(?:es)?|handle[sd]?|suppress(?:es|ed)?|swallow(?:s|ed)?|subclass|wrapped"
    rf"|ignored?)(?!\w)"
)
