"""What a question is called once everybody has ruled, and why.

    answerable          some document, or some set of documents, is ruled sufficient
    unanswerable here   kernels were looked for, none was found, every ruling was a no, no document bears on the
                        question by its grade, and
                        - the search was exhausted, or
                        - its steps ran out, but every document of the corpus was looked at, or
                        - its steps ran out, and it was informed: after every no the judge named what is missing, and
                          that was searched for
                        or its own dataset calls it unanswerable, and nothing that was found says otherwise
    undecided           anything else

A search whose steps ran out while the judge said nothing has looked at what is like the question, and no more: that
the answer was not among it says little. Nor does one that another bound ended, or of which a query failed.

`unanswerable here` is a claim about the documents that were looked at: its reason says how many of how many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.mine.kernels.known import Known
    from goldproof.jobs.mine.kernels.outcome import KernelOutcome
    from goldproof.jobs.mine.mined import Status


def status_of(known: Known, *, corpus: int | None = None, unanswerable: bool = False) -> tuple[Status, str]:
    """Return the status, and the reason for it.

    corpus: how many documents there are, where that is known. unanswerable: its own dataset says that nothing answers
    the question.
    """
    if known.positives() or known.found.kernels or known.found.unverified:
        return "answerable", _why_answerable(known.found, known.positives())
    nothing = f"nothing sufficient among {_among(known.looked_at(), corpus)}"
    if unanswerable and not known.bearing():
        return "unanswerable here", f"{nothing}; its own dataset says that nothing answers it"
    if why := _why_not_to_be_told(known):
        return "undecided", f"{nothing}; {why}"
    if how := _why_unanswerable(known, corpus=corpus):
        return "unanswerable here", f"{nothing}, alone or together; every ruling was a no, and {how}"
    return "undecided", f"{nothing}; the steps of the search ran out, and the judge did not always say what is missing"


def _among(looked_at: int, corpus: int | None) -> str:
    many = looked_at if corpus is None else corpus
    of = "" if corpus is None else f"{looked_at:,} of "
    return f"{of}{many:,} document{'s' if many != 1 else ''}"


def _why_answerable(found: KernelOutcome, positives: int) -> str:
    several = sum(len(kernel) > 1 for kernel in found.kernels)
    parts = {
        "sufficient alone": positives,
        "kernels of several documents": several,
        "sufficient sets not proven to be minimal": len(found.unverified),
    }
    return ", ".join(f"{what}: {many}" for what, many in parts.items() if many)


def _why_not_to_be_told(known: Known) -> str:
    """Return what forbids any claim; empty where nothing does."""
    if not known.looked_at():
        return "no document was found to judge"
    if unruled := known.unruled():
        return f"{unruled} ruling{'s' if unruled != 1 else ''} without an outcome"
    if known.outcome is None:
        return "kernels were not looked for"
    if bearing := known.bearing():
        return f"{bearing} document{'s bear' if bearing != 1 else ' bears'} on it by the judge's grade"
    bounds = set(known.found.bounded.split(", ")) - {"", "steps"}
    return f"the search was cut short ({known.found.bounded})" if bounds else ""


def _why_unanswerable(known: Known, *, corpus: int | None) -> str:
    """Return what the claim rests on; empty where it rests on nothing."""
    if known.found.exhausted:
        return "the search was exhausted"
    if corpus is not None and known.looked_at() >= corpus:
        return "every document was looked at, though not all of them together"
    return "the steps of the search ran out on what the judge named as missing" if known.found.informed else ""
