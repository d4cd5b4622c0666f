"""`make_unanswerables()`: propose questions, check them against the corpus, assign them to the quotas.

Proposals are made from the first samples of each cell in the order of the pool, a bounded number; of each, every method
may make a few. A proposal is rejected if a document could answer it, or if the pool, an earlier benchmark or another
proposal already asks it. The others are assigned to cells and methods.

Only questions that read well are used. A question asks from its start ("Who ...", "In which year ...", "As of May 1,
what ...") or is an order to answer ("Explain ..."): not a statement with a hole ("X, released in which year, is a
book"). A question about passages is not tangled: it has at most one clause, and no chain of three possessions ("the
place of birth of the author of the song").

Metadata about the original's answer, or about what it is computed from, is removed: it would be false here.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.jobs.build.recipe import cells, unanswerable_places
from goldproof.jobs.build.records import UNANSWERABLE, PooledSample
from goldproof.jobs.build.sampling.selection import ANY_TYPE
from goldproof.jobs.build.unanswerables import cross_domain, entity_swap, negation, temporal_shift
from goldproof.jobs.build.unanswerables.assignment import assign
from goldproof.jobs.build.unanswerables.refutation import check_proposals
from goldproof.jobs.build.unanswerables.subjects import named_subjects
from goldproof.jobs.build.unanswerables.substitutes import SubstitutesBuilder
from goldproof.jobs.build.unanswerables.words import find_mentions, is_written_out
from goldproof.text.near_questions import QuestionIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from goldproof.jobs.build.recipe import Recipe
    from goldproof.jobs.build.records import Candidate, Sample
    from goldproof.jobs.build.sampling.quotas import Cell
    from goldproof.jobs.build.unanswerables.assignment import Assignment
    from goldproof.jobs.build.unanswerables.proposal import Proposal
    from goldproof.jobs.build.unanswerables.substitutes import Substitutes
    from goldproof.records.entities import Document

    SamplesById = Callable[[Iterable[str]], Iterable[PooledSample]]

# Enough that the methods find their parts: of tables one question in three gives a usable proposal, of HotpotQA's long
# chains one in forty.
_LOOKED_AT = 150
_AT_LEAST = 500


@dataclass(frozen=True, slots=True)
class Unanswerables:
    """The unanswerables of a build: proposals used by origin, places filled by cell, rejections by reason.

    explanations: what each method fell short of or gave in place of others; shortfalls: the same where the share itself
    is not reached.
    """

    used: Mapping[str, Proposal] = field(default_factory=dict)
    filled: Counter[Cell] = field(default_factory=Counter)
    rejected: Mapping[str, int] = field(default_factory=dict)
    explanations: tuple[str, ...] = ()
    shortfalls: tuple[str, ...] = ()

    def samples(self, origins: Iterable[PooledSample]) -> Iterator[PooledSample]:
        """Yield the unanswerable samples with the documents of their origins; origins: the samples of `used`."""
        for sample, documents in origins:
            yield PooledSample(unanswerable_sample(sample, self.used[sample.id]), documents)


def make_unanswerables(
    candidates: Sequence[Candidate],
    *,
    recipe: Recipe,
    samples: SamplesById,
    documents: Callable[[], Iterable[Document]],
    is_known: Callable[[str], bool],
) -> Unanswerables:
    """Make as many unanswerables as the recipe wants.

    samples: ids -> samples of the pool in their order. documents: every document of the pool, anew with each call.
    is_known: whether a question is asked already.
    """
    wanted = unanswerable_places(recipe)
    if not wanted:
        return Unanswerables()
    substitutes = _substitutes(samples(candidate.id for candidate in candidates), seed=recipe.seed)
    origins = samples(_origins(candidates, wanted))
    proposals = list(_proposals(origins, substitutes=substitutes, seed=recipe.seed))
    checked = check_proposals(proposals, documents, labels=substitutes.labels, is_known=is_known)
    accepted, repeated = _without_repeats(checked.accepted, threshold=recipe.near_duplicates or 1.0)
    assignment = _assigned(accepted, wanted, recipe=recipe)
    moved: tuple[str, ...] = ()
    if assignment.short_cells and recipe.unanswerable.borrow:
        # The share is of the whole benchmark: what one quota cannot give, another may.
        spread = _spread_anew(assignment, accepted, recipe=recipe)
        moved = tuple(_moved(cell, wanted[cell], spread.get(cell, 0)) for cell in sorted(assignment.short_cells))
        assignment = _assigned(accepted, spread, recipe=recipe)
    complete = len(assignment.chosen) == sum(wanted.values())
    rejected = {f"{method}: {reason}": n for method, of in checked.counts.items() for reason, n in of.items()}
    if repeated:
        rejected["repeats another proposal"] = repeated
    return Unanswerables(
        used={proposal.origin: proposal for proposal in assignment.chosen},
        filled=Counter(assignment.cells.values()),
        rejected=dict(sorted(rejected.items())),
        explanations=(*moved, *assignment.reasons),
        shortfalls=() if complete else (*moved, *assignment.shortfalls),
    )


def _assigned(accepted: Sequence[Proposal], wanted: Mapping[Cell, int], *, recipe: Recipe) -> Assignment:
    methods, borrow = recipe.unanswerable.methods, recipe.unanswerable.borrow
    return assign(accepted, wanted=wanted, methods=methods, borrow=borrow, seed=recipe.seed)


def _spread_anew(assignment: Assignment, accepted: Iterable[Proposal], *, recipe: Recipe) -> dict[Cell, int]:
    """Return the places, with those that no proposal fits moved to the cells that have most to spare."""
    places, filled = cells(recipe), Counter(assignment.cells.values())
    supply = Counter(
        _cell(proposal, places) for proposal in {proposal.origin: proposal for proposal in accepted}.values()
    )
    spare = {cell: min(supply[cell], places[cell]) - filled[cell] for cell in places}
    for _ in range(sum(assignment.short_cells.values())):
        richest = max(sorted(spare), key=lambda cell: spare[cell])
        if spare[richest] > 0:
            spare[richest] -= 1
            filled[richest] += 1
    return dict(filled)


def _moved(cell: Cell, wanted: int, left: int) -> str:
    name = cell[0] if cell[1] == ANY_TYPE else "/".join(cell)
    return f"{name}: {left} of {wanted} unanswerables; no other question of it has a checked proposal."


def _substitutes(pool: Iterable[PooledSample], *, seed: int) -> Substitutes:
    builder = SubstitutesBuilder(seed)
    for sample, documents in pool:
        builder.add(sample, [document.title for document in documents if document.text])
    return builder.build()


def _origins(candidates: Iterable[Candidate], wanted: Mapping[Cell, int]) -> list[str]:
    """Return the samples that proposals are made from, a bounded number of each cell."""
    room = {cell: max(_AT_LEAST, _LOOKED_AT * count) for cell, count in wanted.items()}
    origins = []
    for candidate in candidates:
        cell = _cell(candidate, wanted)
        if room.get(cell, 0):
            room[cell] -= 1
            origins.append(candidate.id)
    return origins


def _proposals(origins: Iterable[PooledSample], *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    for sample, documents in origins:
        titles = [document.title for document in documents if document.text]
        yield from propose(sample, titles, substitutes=substitutes, seed=seed)


def _without_repeats(proposals: Iterable[Proposal], *, threshold: float) -> tuple[list[Proposal], int]:
    """Return the proposals that are no near-duplicates of each other, and how many were left out."""
    index, kept, total = QuestionIndex(threshold), [], 0
    for proposal in sorted(proposals, key=lambda proposal: proposal.key):
        total += 1
        if index.add(proposal.key, proposal.question) is None:
            kept.append(proposal)
    return kept, total - len(kept)


def _cell(item: Candidate | Proposal, wanted: Mapping[Cell, int]) -> Cell:
    """Return the cell in which a sample counts."""
    cell = (item.doc_type, item.question_type)
    return cell if cell in wanted else (item.doc_type, ANY_TYPE)


_SENTENCE = re.compile(r"(?!Question:|Q:)\s*\w+\W+\w+\W+\w+")


def propose(sample: Sample, titles: Sequence[str], *, substitutes: Substitutes, seed: int) -> Iterator[Proposal]:
    """Yield proposals by all methods; titles are parallel to the sample's contexts.

    A question that names its subject by a slug ("for te-connectivity-ltd") is kept for swaps only, which replace it.
    """
    if not sample.answerable or not _reads_well(sample):
        return
    proposals = [
        *entity_swap.propose(sample, titles, substitutes=substitutes, seed=seed),
        *cross_domain.propose(sample, titles, substitutes=substitutes, seed=seed),
    ]
    if not _names_a_slug(sample):
        proposals += temporal_shift.propose(sample, substitutes=substitutes, seed=seed)
        proposals += negation.propose(sample)
    yield from (
        proposal for proposal in proposals if proposal.question.casefold() != sample.question.strip().casefold()
    )


def _reads_well(sample: Sample) -> bool:
    question = sample.question.strip()
    if not _SENTENCE.match(question) or not reads_as_question(question):
        return False
    return sample.doc_type != "clean_text" or not is_tangled(question)


def _names_a_slug(sample: Sample) -> bool:
    mentions = (find_mentions(sample.question, name) for kind, name in named_subjects(sample) if kind == "company")
    return any(not is_written_out(mention.surface) for spelt in mentions for mention in spelt)


_WORDS = "what|which|who|whom|whose|when|where|why|how"
_VERBS = "is|are|was|were|do|does|did|has|have|had|can|could|should|would|will"
_ORDERS = "explain|describe|name|list|give|identify|tell|calculate|find|show|compute|determine|state"
_STARTS = re.compile(rf"\W*(?:{_WORDS}|{_VERBS}|{_ORDERS})\b", re.IGNORECASE)
_LEADS = re.compile(
    rf"(?:in|on|at|for|from|by|to|as|during|of|within|under|with|about|based|according|considering|given|if|after|"
    rf"before|between|among|through|over|since|until)\b(?:[^?]*,)?\s(?:[a-z]+ )?(?:{_WORDS}|{_VERBS})\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"(?<=\w )(?:that|{_WORDS})\b")
_OF = re.compile(r"\bof\b|['\u2019]s\b")
_MOST_OF = 2
_PARTICIPLE = re.compile(r"(?<!\w)(?!during|something|anything|nothing)[a-z]{3,}ing\b")
_BROKEN = re.compile(r"\bis [A-Z]\w+ of the\b|\bwas he \w+ of\b|\b([a-z]+) \1\b|^To which\b.*\bto\?$")


def reads_as_question(question: str) -> bool:
    """Return whether the sentence asks from its start."""
    return bool(_STARTS.match(question) or _LEADS.match(question))


def is_tangled(question: str) -> bool:
    """Return whether clauses and possessions are nested too deeply for natural speech."""
    if len(_PARTICIPLE.findall(question)) > 1:
        return True
    clauses = len(_CLAUSE.findall(_without_lead(question)))
    return clauses > 1 or clauses + len(_OF.findall(question)) > _MOST_OF + 1 or bool(_BROKEN.search(question))


def _without_lead(question: str) -> str:
    """Return the question without its question word, which opens no clause, and a preposition before it."""
    return re.sub(rf"^\W*(?:[A-Z]\w+ )?(?:[^,?]*, )?(?:{_WORDS})\b", "", question, count=1, flags=re.IGNORECASE)


_OF_THE_ANSWER = frozenset(
    {
        "aliases",
        "citations",
        "decomposition",
        "derivation",
        "difficulty_features",
        "n_operations",
        "n_supporting",
        "program",
        "req_comparison",
        "sub_questions",
    }
    | {"scale", "scale_conflict", "unresolved"}
)


def unanswerable_sample(sample: Sample, proposal: Proposal) -> Sample:
    """Return the unanswerable sample; `sample` is the one that the proposal was made from."""
    return replace(
        sample,
        id=f"{sample.id}{UNANSWERABLE}",
        question=proposal.question,
        ground_truth="",
        answerable=False,
        difficulty="D3",
        gold_documents=(),
        kernels=(),
        evidence=(),
        metadata={
            **{key: value for key, value in sample.metadata.items() if not _speaks_of_answer(key)},
            "original_question": sample.question,
            "unanswerable_method": proposal.method,
            **proposal.details,
        },
    )


def _speaks_of_answer(key: str) -> bool:
    return "answer" in key or key in _OF_THE_ANSWER
