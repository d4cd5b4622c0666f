"""Patterns of the words with which questions say what they ask: whole words, case-insensitive.

Code spans are cut out before (`CODE` stands for each), so that words inside them decide nothing. The first pattern that
fits is the likeliest reading. `(~N)` in a phrase stands for up to N words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from goldproof.jobs.verify.rules.asked import Kind

CODE: Final = "\x02"  # stands for a code span in a text


def _words(*phrases: str) -> re.Pattern[str]:
    spread = re.sub(r" \(~(\d)\)", r"(?: \\S+){0,\1}", "|".join(phrases)).replace("'", "['\u2019]")
    return re.compile(rf"(?<!\w)(?:{spread})(?!\w)", re.IGNORECASE)


_FAULT = r"(?:errors?|exceptions?|failures?|[a-z.]+(?:error|exception)s?)"
_CODE = r"(?:this|the|these|following|above|below|given|provided|shown|python|code|snippet|script|program)"
_PIECE = (
    r"(?:code|snippets?|examples?|calls?|lines?|expressions?|usages?|programs?|constructors?|instantiations?"
    r"|definitions?|declarations?|invocations?|assignments?|statements?(?! about| regarding| on| of))"
)
# What may stand before it: `valid Python code`, but not `exception does code`.
_SUCH = (
    r"(?:(?!(?:exceptions?|errors?|values?|outputs?|does|is|are|do|will|would|about|statements?|changes?)\b)\S+ ){0,2}"
)
_RUNS = (
    r"(?:works?|runs?|executes?|succeeds?|completes?|(?:is|are) (?:\S+ )?(?:valid|accepted|legal|rejected|invalid"
    r"|correct|incorrect)"
    r"|compiles?|fails?|crash(?:es)?)"
)
_SHOWS = r"(?:raises?|throws?|triggers?|causes?|results? in|leads? to|prints?|outputs?|returns?|evaluates? to|yields?)"
_WHICH_OF = (
    r"(?:which(?: one)?|what of)(?: of)?(?: the| these| those)?(?: following| options?| choices?| below| above)* "
)
_AUXILIARY = r"(?:(?:does|do|will|would|can|could|is going to|are|is) )?(?:\**not\** )?(?:(?:doesn't|don't|won't) )?"
_NOUN = (
    r"(?:class|method|function|attribute|property|decorator|module|object|service|plugin|tool|member|exception class)"
)

KINDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    (
        "import",
        _words(
            r"which (~4) imports?",
            r"what (?:is|are) the (~3) imports?",
            r"imports? (?:statements?|lines?|paths?)",
            r"how (?:do|can|would|should|to) (~3) import",
            r"(?:where|which module|which package|what module) (~6) import(?:ed)?",
            r"(?:correct|valid|right|proper) (?:way to )?imports?",
            r"imported from",
        ),
    ),
    (
        "flag",
        _words(
            r"(?:command[- ]line|cli) (?:flags?|options?|arguments?|switch(?:es)?)",
            r"(?:which|what) (~3) (?:flags?|switch(?:es)?)",
            r"(?:flags?|options?) (~5) (?:command|cli|subcommand)",
        ),
    ),
    (
        "code",
        _words(
            rf"{_WHICH_OF}{_SUCH}{_PIECE} (?:below |above |here )?{_AUXILIARY}(?:correctly |properly |successfully )?"
            rf"(?:{_RUNS}|{_SHOWS})",
            rf"{_WHICH_OF}{_AUXILIARY}(?:successfully )?(?:{_RUNS}|{_SHOWS})",
            rf"{_WHICH_OF}{_SUCH}{_PIECE} (?:correctly|properly|successfully)",
            rf"(?:all|each) of (?:the following|these) {_PIECE} {_RUNS},? except",
            rf"{_WHICH_OF}(?:creates?|constructs?|builds?|makes?|instantiates?|defines?) (?:an? )?(?:in)?valid",
        ),
    ),
    ("default", _words(r"defaults?", r"by default")),
    (
        "inherits",
        _words(
            r"inherits?",
            r"inherited",
            r"subclass(?:es)?",
            r"(?:base|parent|super) ?class(?:es)?",
            r"derives? from",
            r"method resolution order",
        ),
    ),
    ("async", _words(r"async", r"(?:a)?synchronous(?:ly)?", r"await(?:ed|able)?", r"coroutines?")),
    ("signature", _words(r"signatures?", r"positional[- ]only", r"keyword[- ]only")),
    (
        "prints",
        _words(
            r"(?:what|which) (~6) (?:prints?|printed|outputs?|displayed|displays?)",
            r"outputs? (?:of|from|be|is|will|when|produced)",
            r"stdout",
            r"predict the (~2) output",
            r"in what order (~8) printed",
        ),
    ),
    (
        "raises",
        _words(
            rf"(?:which|what) (~4) {_FAULT} (?:is|are|will|would|does|do|did|gets?|can|could|should|must|if|from"
            rf"|message)",
            rf"(?:which|what) (~4) {_FAULT} (?:occurs?|results?|happens?|raised|thrown|when|you|we|arises?)",
            rf"predict the (~1) {_FAULT}",
            r"(?:which|what) (~2) (?:exceptions?|errors?)",
            r"(?:raises?|throws?) (?:which|what)",
            r"what (~6) (?:raises?|throws?|raised|thrown)",
        ),
    ),
    (
        "returns",
        _words(
            r"(?:what|which) (~8) (?:returns?|returned|evaluates? to|yields?|value of|type of|result of \x02)",
            r"what is the (~2) (?:value|type|length|return)",
            r"what (?:does|will|would|do|is|are) \x02(?: be| contain| equal| hold| produce| give| return| become)?",
            r"what (?:does|will|would|do) (~4) (?:evaluate to|equal|contain|yield)",
            r"return (?:type|value)",
            r"what (?:are|is) (?:the )?(?:contents?|elements?|keys) of",
            r"(?:which|what) value (?:does|is|will)",
            r"what type",
            r"^\x02 (?:evaluates? to|returns|gives|yields)\s*[:.\u2026_]*$",
        ),
    ),
    (
        "outcome",
        _words(
            r"what (~3) (?:happens?|occurs?)",
            r"which of (~5) (?:happens?|occurs?)",
            r"(?:what|which) (~4) (?:outcome|result|behaviou?r|effect|consequence)s?",
            rf"what (?:does|will|would|do) {_CODE} (~3) do",
            r"predict the (~2) (?:outcome|result|behaviou?r)",
            rf"(?:will|does|would|can|is) {_CODE} (~4) (?:work|run|succeed|fail|raise|crash|execute|valid|complete"
            rf"|compile)",
            rf"how does {_CODE} (~3) behave",
            rf"which (?:statement|option|answer|description)s? (~3) describes? (~4) (?:{_CODE}|happens?|behaviou?r)",
            r"which (?:statement|option|answer)s? (?:about|regarding|on) (?:this|the) (?:following )?"
            r"(?:code|snippet|script|program|output)",
        ),
    ),
    (
        "keyword",
        _words(
            r"(?:which|what) (~5) (?:parameters?|arguments?|keywords?|kwargs?|fields?|settings?)",
            r"name of the (~2) (?:parameter|argument|keyword|field)",
        ),
    ),
    (
        "exists",
        _words(
            rf"(?:which|what) (~6) (?:is|are) (?:\**not\** )?(?:an? )?(?:\S+ )?(?:{_NOUN}|field)s?",
            r"(?:which|what) (~6) (?:exists?|(?:is|are) (?:available|defined|provided|offered|exported|part of))",
            rf"(?:which|what) (~3) {_NOUN}(?:es|s)?",
        ),
    ),
)

# The code is not asked about as it stands.
HYPOTHETICAL: Final = _words(
    r"(?:if|when|after|once|suppose|assuming|had|were) (~8) (?:removed?|removing|changed?|changing|replaced?"
    r"|replacing)",
    r"(?:if|when|after|once|suppose|assuming|had|were) (~8) (?:added|adding|instead of|deleted?|deleting|swapped"
    r"|moved)",
    r"(?:if|when|after|once|suppose|assuming|had|were) (~8) (?:commented out|modif(?:y|ied)|renamed?|uncommented?)",
    r"(?:if|had) (~8) (?:was|were)(?! (?:run|executed|called|raised|printed))",
    r"would (~8) if(?! any)(?! (?:you |we |one |someone |this |the |that |it |following |above |code |snippet |script "
    r"|program "
    r"|\x02 |is |are |was |were |to |gets )*(?:run|runs|ran|execute|executes|executed|called|evaluated|invoked))",
    r"(?:if|when) (~8) (?:omit(?:s|ted)?|omitting|left out|enabled|disabled|turned o(?:n|ff)|unset)",
    r"without (?:the |its |this |that )?(?:\x02|(?:\S+ )?(?:argument|parameter|keyword|line|import|call|decorator)s?)",
    r"instead",
    r"fix(?:ed|es)?",
    r"repair(?:ed)?",
    r"rewritten?",
    r"refactor(?:ed)?",
    r"improve[ds]?",
    r"(?:which|what) (~2) (?:change|modification|correction|edit)s?",
    r"(?:must|should|needs? to|has to) be (?:changed|replaced|added|removed)",
    r"(?:line|code|word|part|name) is missing",
    r"fill in",
    r"blanks?",
)

# The same, said before the sentence that asks.
SUPPOSED: Final = _words(
    r"(?:suppose|supposing|assume|assuming|imagine|now|let's say|you|someone|we) (~8) (?:remove[ds]?|change[ds]?"
    r"|replace[ds]?|add(?:s|ed)?|delete[ds]?|rename[ds]?|set|omit(?:s|ted)?|insert(?:s|ed)?|modif(?:y|ies|ied))"
)

# It asks for a part of what is printed, or comes back, or counts it.
PART: Final = _words(
    r"first|second|third|fourth|fifth|last|next|middle|topmost|\d+(?:st|nd|rd|th)",
    r"final (~2) (?:lines?|words?|characters?|parts?|items?|elements?|entry|entries|keys?|rows?|columns?|letters?"
    r"|numbers?|calls?|print|prints|output|thing|one)",
    r"(?:before|until|after|despite|besides) (~4) (?:exceptions?|errors?|fails?|failing|raised?|raising|crash(?:es)?)",
    r"(?:before|until) (~4) \x02",
    r"(?:begins?|starts?|ends?) with",
    r"how (?:many|often|long)",
    r"(?:part|beginning|start|end) of the output",
    r"(?:outputs?|printed|prints?|stdout) (~3) (?:contains?|includes?)",
    r"(?:contain(?:s|ed)?|include[ds]?|appears?|present|found|seen) (~3) (?:outputs?|stdout|printed)",
    r"\**not\** (?:be )?(?:prints?|printed|outputs?|displayed|displays?|shown?)",
)

# What comes back at the end of the code is what its last line comes to.
LAST_LINE: Final = _words(r"(?:last|final) (?:line|call|expression|statement)")

# It asks for the odd one; the words in capitals in any question, the others after `which`.
SHOUTED: Final = re.compile(r"(?<!\w)(?:NOT|EXCEPT|INCORRECT|FALSE|INVALID)(?!\w)")
_DENIED = r"(?:\**not\**|false|incorrect|untrue|wrong|invalid)"
NEGATED: Final = _words(
    r"(?:all|each) of (?:the following|these) (~6) except",
    rf"which (~6) (?:is|are) \**{_DENIED}\**(?! (?:given|provided|set|passed|found|needed|required|specified))",
    r"(?:false|incorrect|wrong|untrue|invalid) (?:statement|option|answer|claim|way|import|usage|use|call|code"
    r"|snippet|one)s?",
    rf"{_WHICH_OF}(?:\S+ ){{0,2}}(?:does|do|will|would|can|could|should|has|have|must) \**not\**",
    rf"{_WHICH_OF}(?:\S+ ){{0,2}}(?:isn't|aren't|doesn't|don't|won't|can't|cannot|fails? to|never|lacks?)",
)
ODD_ONE: Final = _words(r"which", r"select", r"choose", r"identify", r"pick", r"find", r"(?:all|each) of")
# What is asked about a situation is not the odd one, whatever is not given there.
SITUATION: Final = re.compile(
    r"(?:why|how|what|which (?:kind of |type of )?(?:error|exception)s?)(?!\w)(?! of)", re.IGNORECASE
)

# It asks for the one that serves a purpose.
MEANING: Final = _words(
    r"to (?!be\b|raise|print|happen|the\b|an?\b|this\b|run\b|occur|which\b|what\b|import\b|these\b|your?\b)[a-z]{3,}",
    r"used (?:to|for|when|by)",
    r"responsible for",
    r"purpose",
    r"(?:allow|enable|let|control|configure|represent|determine|provide|limit|set|change|define|handle)s",
    r"(?:specif|modif)(?:y|ies)",
    r"best",
    r"recommended",
    r"prefer(?:red|ably)",
    r"(?:should|must|would|do|can) (?:you|i|we|one)",
    r"for \w+ing",
    r"intended",
    r"designed",
    r"wants?",
    r"needs?",
    r"(?:correctly|properly) (?!imported)",
)

_FAILS = r"(?:fails?|raises?|crash(?:es)?|throws?|errors?|not work|produces? an error|results? in an error)"
SAYS_FAILS: Final = _words(
    rf"why (?:does|do|did|will|would|is|might) (~8) {_FAILS}",
    rf"(?:reason|cause) (~8) {_FAILS}",
    r"(?:causes?|reasons?) (?:of|for|behind) (?:the|this) (~3) (?:errors?|exceptions?|failures?|\x02|[a-z]+error)",
    r"what causes (?:the|this) (~3) (?:error|exception|failure|\x02|[a-z]+error)",
    r"what(?: is|'s) wrong",
    r"(?:this|the|following) (~2) (?:code|snippet|script|program|example) (?:fails|raises|crashes|throws|errors)",
)
SAYS_WORKS: Final = _words(
    r"why (?:does|do|did|will|would|is) (~8) \**(?:not|never)\** (?:raise|fail|crash|throw|error|produce an error)",
    r"why (?:doesn't|don't|didn't|won't) (~8) (?:raise|fail|crash|throw|error)",
)
