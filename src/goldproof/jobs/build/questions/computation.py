"""Does answering a question take arithmetic? Read off the question, for datasets that do not say it themselves.

Rules over whole words, so that "exchange" is no change and "summary" no sum. A word alone is often a label of the
table ("total assets", "weighted average rate"): it counts only where the question does something with it.

- a percentage, share or ratio of one thing in another; a rate of change ("percentage change", "growth rate");
- a change, increase, decrease, growth, decline or difference that is asked for ("the change in X");
- an average, unless the table has it (a "weighted average", an "average price" or "average exchange rate");
- a sum: "sum of", "combined", "altogether", "in total", or a total over two years or more;
- a count over the table ("how many years did X exceed"), a supposition ("if ..., what would"), a stated calculation.

None of these where the question asks for a cause ("the reason for the increase"), for a rule ("how is the average
calculated"), or for the one that is highest or lowest: naming it takes looking, not arithmetic.

What a dataset says about an example (`Example.computation`) wins over this reading.
"""

from __future__ import annotations

import re

from goldproof.jobs.build.questions.text import plain

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
