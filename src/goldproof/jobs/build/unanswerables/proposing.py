"""All proposals of a sample, by every method."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables import cross_domain, entity_swap, negation, temporal_shift
from goldproof.jobs.build.unanswerables.asking import asks, tangled
from goldproof.jobs.build.unanswerables.names import find_mentions, is_written_out
from goldproof.jobs.build.unanswerables.subject import named_subjects

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.build.sample import Sample
    from goldproof.jobs.build.unanswerables.proposal import Proposal
    from goldproof.jobs.build.unanswerables.substitutes import Substitutes

_SENTENCE = re.compile(r"(?!Question:|Q:)\s*\w+\W+\w+\W+\w+")


def propose(sample: Sample, titles: Sequence[str], *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield what may become an unanswerable; titles are parallel to the sample's contexts.

    A question that names its subject by a slug ("for te-connectivity-ltd") is kept for swaps only, which replace it.
    """
    if not sample.answerable or not _reads_well(sample):
        return
    made = [
        *entity_swap.propose(sample, titles, substitutes=substitutes, seed=seed),
        *cross_domain.propose(sample, titles, substitutes=substitutes, seed=seed),
    ]
    if not _names_a_slug(sample):
        made += temporal_shift.propose(sample, substitutes=substitutes, seed=seed)
        made += negation.propose(sample)
    yield from (one for one in made if one.question.casefold() != sample.question.strip().casefold())


def _reads_well(sample: Sample) -> bool:
    question = sample.question.strip()
    if not _SENTENCE.match(question) or not asks(question):
        return False
    return sample.doc_type != "clean_text" or not tangled(question)


def _names_a_slug(sample: Sample) -> bool:
    mentions = (find_mentions(sample.question, name) for kind, name in named_subjects(sample) if kind == "company")
    return any(not is_written_out(mention.surface) for found in mentions for mention in found)
