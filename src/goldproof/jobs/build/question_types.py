"""Question types by ordered English patterns, and whether an answer takes arithmetic.

| doc_type | types |
| --- | --- |
| table | numeric (computed), comparison (which is more, or by how much), lookup (read off), policy (a stated rule) |
| code_config | howto, definition (what and why), lookup (where), entity (an error, bug or fix) |
| clean_text, log_ticket | comparison, numeric (a quantity), howto, definition, entity (a named thing), lookup |

The rules read the question, and for tables also whether the answer is computed where the dataset says so. Any function
of the type `Classifier` can take their place, a language model too.

Patterns match whole words, so "exchange" is no change, "summary" no sum, "prefix" and "fixture" no fix, and "showdown"
no how. Inflections are listed. Only the first `READ` characters are read: some datasets put whole issues or mails where
the question should be, its intent shows early, and patterns that look for one word behind another must not walk through
pages.

**Arithmetic** (`needs_computation`). A word alone is often a label of the table ("total assets", "weighted average
rate"): it counts only where the question does something with it. What a dataset says about an example
(`Example.computation`) wins over this reading.

- a percentage, share or ratio of one thing in another; a rate of change ("percentage change", "growth rate");
- a change, increase, decrease, growth, decline or difference that is asked for ("the change in X");
- an average, unless the table has it (a "weighted average", an "average price" or "average exchange rate");
- a sum: "sum of", "combined", "altogether", "in total", or a total over two years or more;
- a count over the table ("how many years did X exceed"), a supposition ("if ..., what would"), a stated calculation.

None of these where the question asks for a cause ("the reason for the increase"), for a rule ("how is the average
calculated"), or for the highest or lowest of several: naming it takes looking, not arithmetic.

**Tables** (`table_type`)
1. policy: a rule that the report states, whose answer is words, not a figure: how something is measured, what a line
   includes or stands for, what a term means, when something is recognised, why it is done. First, because such
   questions speak of changes and averages too ("how is the average price calculated"). Not for an answer that is
   computed. A reason of the past ("why did margins fall", "what caused") is a fact, not a rule.
2. comparison, by choice: which is higher, lower, first, the most; whether one exceeds another. Before numeric, since
   the answer to "which year had the larger percentage change" is a year.
3. numeric: percentages, changes and the other words of arithmetic, except a plain difference.
4. comparison, by difference: "difference", "compare", "versus".
5. numeric again: whatever else the dataset's own program computes.
6. lookup: the rest.

**Code** (`code_type`): the form of asking decides, by its first question word ("What is X, and how does it ..." is a
what). In the title of an issue such a word asks only where it leads ("TypeError when a session is closed" does not).
1. howto: how; "implement", "create" and the like as an order.
2. lookup: where, which file, who, when, find.
3. entity: an error, exception, bug, failure, fix or issue is named. After how and where, which ask for the way and the
   place of its handling; before what and why, which would swallow all the rest.
4. definition: what, why, explain, describe.
5. lookup: the rest.

**Text** (`text_type`, also log tickets)
1. comparison: both, same, "A or B" after which or who, older, first, in common, difference.
2. numeric: how many, how much, how old, population, percentage: the answer is a quantity.
3. howto: how to, how do, how does, ...
4. definition: what something is, means or stands for; why; explain, describe.
5. lookup: a date or a place is asked for (when, where, in what year). Before entity, since such questions are full of
   relative "who" and "which".
6. entity: who, whose, whom, what or which with a noun, the name of.
7. lookup: the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

Classifier = Callable[[str, str, bool | None], str]
"""doc_type, question, what the dataset says about computation -> question type."""

_TEXT_TYPES = ("comparison", "numeric", "howto", "definition", "entity", "lookup")
TYPES: Mapping[str, tuple[str, ...]] = {
    "table": ("numeric", "lookup", "comparison", "policy"),
    "code_config": ("howto", "definition", "lookup", "entity"),
    "clean_text": _TEXT_TYPES,
    "log_ticket": _TEXT_TYPES,
}


def question_type(doc_type: str, question: str, *, computation: bool | None) -> str:
    """Return the type of a question by the rules of its kind of document; an unknown kind is read as text."""
    if doc_type == "table":
        return table_type(question, computation=computation)
    return code_type(question) if doc_type == "code_config" else text_type(question)


def by_rules(doc_type: str, question: str, computation: bool | None) -> str:  # noqa: FBT001
    """Return the type of a question by the rules: the classifier that is used unless another is given."""
    return question_type(doc_type, question, computation=computation)


READ = 1000


def plain(question: str) -> str:
    """Return a question as the rules read it."""
    return " ".join(question[:READ].casefold().replace("\u2019", "'").split())


_CHANGE = r"(?:change|increase|decrease|growth|decline|reduction|rise|drop|difference|variance|variation)s?"
_SHARE = r"(?:percentage|percent|proportion|portion|fraction|share)"
_YEAR = r"(?:\w+ )?(?:19|20)\d\d"
_COUNTED = r"(?:years|quarters|components|types|items|categories|segments)"
_IN_THE_TABLE = r" (?:exchange|(?:market |realized |selling )?price|life|duration)\b"
_RULES = (
    rf"(?:\bpercentage|\bpercent|%)(?: points?)? (?:of )?(?:\w+ )?{_CHANGE}\b",
    rf"\b(?:what|which) (?:(?:is|was|were|are|will be) )?(?:the )?(?:total )?{_SHARE} (?!based|options)",
    rf"\bas an? {_SHARE} of\b",
    r"\b(?:ratio|quotient|growth rate|rate of growth|profit margin|multiple of|mathematical range)\b",
    rf"\b(?:the|what) (?:[\w-]+ ){{0,2}}{_CHANGE}(?: ?/ ?\(\w+\))? (?:\w+ )?(?:in|of|between|from|for|over)\b",
    rf"\b(?<!weighted )(?<!weighted-)average\b(?!{_IN_THE_TABLE})",
    r"\b(?:sum of|combined|altogether|in total|by how much|by what amount)\b",
    r"\bhow much (?:more|less|higher|lower)\b",
    rf"\bhow much (?:did|has|have)\b.*\b(?:grow|fall|{_CHANGE})\b.*\b(?:from|between)\b",
    rf"\btotal\b.*\b(?:{_YEAR},? (?:and|to|through|&|-) {_YEAR}|together|all \w+ years)\b(?!,? respectively)",
    rf"(?<!in )(?<!over )\bhow many (?:of the |\w+ )?{_COUNTED}\b(?! is)|\bhow many times\b",
    r"\b(?:if|assuming)\b.*\bwould\b|\bwould\b.*\bif\b|\b(?:multiplying|dividing|summing|subtracting)\b",
)
_EXCEPTIONS = (
    r"^(?:why|how (?:is|are|was|were|do|does)|which|in which|for which)\b",
    r"\b(?:reasons?|caused?|causes|led to|due to\?|driven by\?|primarily relate|recognized as)",
    r"\bwhich (?:fiscal )?(?:years?|quarters?)\b|\brespective\b",
)
_ARITHMETIC = re.compile("|".join(_RULES))
_NO_ARITHMETIC = re.compile("|".join(_EXCEPTIONS))


def needs_computation(question: str) -> bool:
    """Return whether a question asks for a value that has to be computed."""
    text = plain(question)
    return _NO_ARITHMETIC.search(text) is None and _ARITHMETIC.search(text) is not None


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_DONE = (
    r"(?:account|allocat|amorti[sz]|attribut|calculat|classif|comput|consider|defin|depreciat|deriv|determin|divid|"
    r"estimat|express|measur|present|recogni[sz]|record|report|stat|test|translat|treat|valu)(?:e|i?ed|y)?"
)
_MADE_OF = r"(?:compris|consist|contain|cover|exclud|includ|mean|refer|reflect|relat|represent)(?:e|es|ed|s)?"
_RULE = r"(?:standards?|methods?|policy|policies|criteria|conditions|principles?)"
_GREATER = (
    r"(?:higher|lower|larger|smaller|greater|bigger|better|worse|less|more|fewer|earlier|later|older|highest|lowest|"
    r"largest|smallest|greatest|biggest|best|worst|least|most|earliest|latest|longest|shortest|exceed(?:s|ed)?|"
    r"surpass(?:es|ed)?|outperform(?:s|ed)?|above|below|than)"
)
_HIGHEST = r"(?:second )?(?:highest|lowest|largest|smallest|greatest|biggest|least|most|maximum|minimum)"
_ONE = r"(?:fiscal |financial )?(?:year|quarter|month|period|segment|region|country|currency|category|component)s?"

POLICY = _any(
    rf"^how (?:is|are|was|were|has|have)\b.*\b{_DONE}\b",
    rf"^how (?:do|does|did|will)\b.*\b{_DONE}\b",
    r"^how often\b",
    rf"^what (?:\w+ items )?(?:do|does|did)\b(?! the table).*\b{_MADE_OF}\b",
    r"^(?!.*(?:\d|\btable\b))what\b.*\b(?:included|excluded|defined|considered|composed|comprised|required)\b",
    r"^what\b.*\b(?:based on|limited to|used for|reclassified to|recogni[sz]ed as|in accordance (?:to|with)) ?\?$",
    rf"^(?!.*\d)(?:what|which)\b.*\b(?:{_RULE}|definition|meaning|objective|purpose|entitlements|requirements?)\b",
    rf"^(?:under |by |in |on )?(?:what|which) (?:\w+ )?{_RULE}\b",
    r"^what (?:is|are) (?!the |our |its |total |net |average )[a-z][a-z' &-]{1,40}\?$",
    r"^(?:why|when) (?:is|are|do|does|would|should)\b",
    r"^why did\b.*\b(?:qualify|adopt|elect)\b|^what happens if\b|^what is the first step\b",
    r"^(?:are|is) there any\b.*\b(?:requirements?|conditions?|restrictions?)\b",
    r"^(?:are|is|do|does)\b.*\b(?:entitled|eligible)\b",
)
CHOICE = _any(
    rf"^(?:in |for |at |on |of |between .*?, )?which\b.*\b{_GREATER}\b",
    rf"\b(?:which|what) {_ONE}\b.*\b{_GREATER}\b",
    rf"\bwhat (?:is|was|were|are) the {_HIGHEST}\b",
    rf"\bwhat (?:is|was|are|were) the \w+ (?:that|which)\b.*\bthe {_HIGHEST}\b",
    rf"^(?:did|does|do|was|were|is|are|has|have)\b.*\b{_GREATER}\b",
)
CAUSE = _any(r"\b(?:why|reasons?|caused?|causes|led to|factors)\b")
CHANGE = _any(r"\b(?:percentages?|percent|change[sd]?|growth|increase[sd]?|decrease[sd]?|ratio|average)\b|%")
DIFFERENCE = _any(
    r"\b(?:differences?|differ|differs|differed|versus|vs)\b",
    r"\bhow (?:do|does|did)\b.*\bcompare\b|\bcompare (?!to|with)",
    r"\bhow much (?:more|less|higher|lower|greater|larger)\b|\bby (?:how much|what amount)\b.*\bexceed\b",
)


def table_type(question: str, *, computation: bool | None) -> str:
    """Return the type of a question about a table."""
    text = plain(question)
    computed = needs_computation(question) if computation is None else computation
    if not computed and POLICY.search(text):
        return "policy"
    if CHOICE.search(text):
        return "comparison"
    if computed and CHANGE.search(text):
        return "numeric"
    if DIFFERENCE.search(text) and not CAUSE.search(text):
        return "comparison"
    return "numeric" if computed else "lookup"


_LEADS = r"(?:^|[.,;:?!] |\b(?:in|on|at|for|from|by|of) )"
_FIRST_WORD = re.compile(
    rf"{_LEADS}(how|what|why|where|which|who|whose|when|find|locate|explain|describe)\b|\b(how) to\b"
    r"|\b(how|what|why|where)\b(?=.*\?$)"
)
ORDER_TO_MAKE = _any(r"^(?:please )?(?:implement|create|add|build|write|configure|set up|enable|install|use)\b")
ERROR = _any(
    r"\b(?:errors?|bugs?|fix|fixes|fixed|fixing|issues?|exceptions?|failures?|fail|fails|failed|failing)\b",
    r"\b(?:crash|crashes|crashed|crashing|traceback|tracebacks|regression|broken|unable to|not working)\b",
    r"\b(?:does not|doesn't) work\b",
    r"\b\w+(?:error|exception|warning)\b",
)
_CODE_FORMS = {"how": "howto"} | dict.fromkeys(("where", "which", "who", "whose", "when", "find", "locate"), "lookup")


def code_type(question: str) -> str:
    """Return the type of a question about code or configuration."""
    text = plain(question)
    asking = _FIRST_WORD.search(text)
    form = _CODE_FORMS.get(asking[asking.lastindex or 0]) if asking else None
    if form is None and ORDER_TO_MAKE.search(text):
        return "howto"
    if form is None and ERROR.search(text):
        return "entity"
    return form or ("definition" if asking else "lookup")


_ASKED = r"(?:who|which|what|whose)"
_RELATIVE = (
    r"(?:first|older|oldest|younger|youngest|earlier|later|larger|largest|bigger|smaller|taller|longer|higher|lower|more|"
    r"most|fewer|less|better)"
)
COMPARED = _any(
    r"^(?:are|were|is|was|do|does|did|have|has)\b.*\b(?:both|same|also|either|or)\b",
    rf"\b{_ASKED}\b.*\b{_RELATIVE}\b.*\bor\b",
    r"\b(?:which|who)\b(?: \w+){1,6}, [^,?]+ or [^,?]+\?",
    r"\bbetween .+ and .+, (?:which|who)\b|\bwhich of the two\b|\bin common\b|^both\b.*\b(?:what|which)\b",
    r"\bare both\b.*\b(?:what|which)\b|\bdoes\b.*\balso\b|\bmore .+ than\b.*\bor\b",
    r"\b(?:differences? between|compare|compared|versus|vs)\b",
)
_AMOUNT = r"(?:percentage|percent|proportion|amount)"
_MEASURE = r"(?:population|average|total|sum|height|length|weight|age|distance|area|cost|price|size|count|rate)"
QUANTITY = _any(
    r"\bhow (?:many|much|old|long|far|tall|high|large|big|often|fast|heavy|deep|wide)\b",
    rf"\b(?:what|which) {_AMOUNT}\b|\bwhat (?:is|was|are|were) the (?:total |average )?numbers? of\b",
    rf"\bwhat (?:is|was|are|were) (?:\w+ ){{0,3}}(?:{_AMOUNT}|{_MEASURE})\b(?! code)",
)
MANNER = _any(
    r"\bhow (?:to|do|does|did|can|could|should|would|will|is|are|was|were|has|have)\b|\bwhat (?:are the )?steps\b"
)
MEANING = _any(
    r"^what (?:is|are) (?!the |your )[\w' -]{1,40}\?$|\bwhat is meant\b",
    r"\bwhat (?:does|do|did)\b.*\b(?:mean|stand for|refer to|do)\b",
    r"\b(?:why|explain|describe|define|definition|meaning of|what causes?|what caused)\b",
)
DATE_OR_PLACE = _any(
    r"^(?:when|where)\b|\b(?:when|where) ?\?$",
    r"\b(?:what|which) (?:\w+ )?(?:year|years|date|dates|day|month|century|decade|time)\b",
)
_VERB = r"(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|happens|happened)"
NAME = _any(rf"\b(?:who|whose|whom)\b|\bnamed? (?:of|the|after)\b|\b(?:what|which) (?!{_VERB}\b)\w+")


def text_type(question: str) -> str:
    """Return the type of a question about prose or a log."""
    text = plain(question)
    rules = (
        ("comparison", COMPARED),
        ("numeric", QUANTITY),
        ("howto", MANNER),
        ("definition", MEANING),
        ("lookup", DATE_OR_PLACE),
        ("entity", NAME),
    )
    return next((name for name, pattern in rules if pattern.search(text)), "lookup")
