"""Which proposals a corpus answers after all."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from goldproof.jobs.build.unanswerables.proposal import Proposal
from goldproof.jobs.build.unanswerables.refutation import check_proposals
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator


def _proposal(
    question: str, *, joined: tuple[tuple[str, ...], ...], others: tuple[str, ...], origin: str = "pool:q"
) -> Proposal:
    return Proposal(origin, "table", "lookup", "entity_swap", question, joined, others)


_FEE = _proposal(
    "What was the servicing fee of Quartz Oil in 2018?", joined=(("quartz oil",),), others=("servicing", "fee", "2018")
)
_OTHERS = [Document(f"other{n}", "Sales and profit for 2018.") for n in range(6)]


def _refuting(document: Document, proposal: Proposal = _FEE, **labels: tuple[str, ...]) -> bool:
    found = check_proposals([proposal], lambda: [document, *_OTHERS], labels=labels)
    assert len(found.accepted) + len(found.rejected) == 1
    return bool(found.rejected)


@pytest.mark.parametrize(
    ("text", "refutes"),
    [
        ("Quartz Oil paid a servicing fee in 2018.", True),
        # singular and plural, and regular verb forms, are one word
        ("Quartz-Oil paid fees for what it serviced in 2018.", True),
        ("Another company paid a servicing fee in 2018.", False),
        ("Quartz was mined; oil was not. A servicing fee was paid in 2018.", False),
        ("Quartz Oil had sales in 2018.", False),
        ("", False),
    ],
)
def test_a_document_refutes_where_it_joins_the_new_name_with_the_other_words(text: str, *, refutes: bool) -> None:
    assert _refuting(Document("d", text)) is refutes


def test_the_title_and_the_names_of_its_samples_stand_for_a_document() -> None:
    text = "A servicing fee was paid in 2018."
    assert not _refuting(Document("d", text))
    assert _refuting(Document("d", text, title="Quartz Oil"))
    assert _refuting(Document("d", text), d=("quartz-oil-inc",))
    # the last word of the text and the first of the title are no phrase
    assert not _refuting(Document("d", f"{text} Quartz", title="Oil"))


def test_rare_words_weigh_more_than_common_ones() -> None:
    # 7 documents: "2018" in 7, weight ln(1 + 7/7) = 0.69; "servicing" and "fee" in none or one, ln(1 + 7/1) = 2.08.
    # Only the year: 0.69 / 4.85 = 0.14. One rare word and the year: 2.77 / 4.85 = 0.57.
    assert not _refuting(Document("d", "Quartz Oil in 2018."))
    found = check_proposals([_FEE], lambda: [Document("d", "Quartz Oil: a fee in 2018."), *_OTHERS])
    assert found.rejected[0].share == pytest.approx(0.571, abs=0.001)
    assert found.rejected[0].document == "d"


def test_all_groups_must_be_there_and_one_phrase_of_each_suffices() -> None:
    one = _proposal(
        "Why was there no change in sales of Quartz Oil?",
        joined=(("no change", "unchanged", "at the same level"), ("quartz oil",)),
        others=("sales",),
    )
    assert _refuting(Document("d", "Sales of Quartz Oil were unchanged."), one)
    assert _refuting(Document("d", "Sales of Quartz Oil stayed at the same level."), one)
    assert not _refuting(Document("d", "Sales of Quartz Oil grew; there was a change at no level."), one)
    assert not _refuting(Document("d", "Sales were unchanged."), one)


def test_years_written_in_short_count() -> None:
    one = _proposal("What was the fee in 2018?", joined=(("2018",),), others=("fee",))
    assert _refuting(Document("d", "The fee in FY18."), one)
    assert _refuting(Document("d", "The fee in 2017-18."), one)
    assert not _refuting(Document("d", "The fee in 2016-17, item 18."), one)
    # in some corpora an apostrophe became its code: "management 2019s" is no year
    assert not _refuting(Document("d", "management 2018s fee"), one)


def test_a_contracted_not_is_a_not() -> None:
    one = _proposal("Why didn't the war end?", joined=(("not end", "not ended"),), others=("war", "end"))
    assert _refuting(Document("d", "The war didn't end."), one)
    assert not _refuting(Document("d", "The war did end."), one)


def test_a_proposal_without_other_words_is_refuted_by_the_name_alone() -> None:
    assert _refuting(Document("d", "Quartz Oil."), _proposal("Who?", joined=(("quartz oil",),), others=()))


def test_a_known_question_is_rejected_without_a_document() -> None:
    found = check_proposals([_FEE], list, is_known=lambda question: "servicing" in question)
    assert found.accepted == ()
    assert [(one.reason, one.document) for one in found.rejected] == [("the pool already has this question", None)]
    assert found.counts == {"entity_swap": {"the pool already has this question": 1}}


def test_no_proposals_and_no_documents_are_fine() -> None:
    assert check_proposals([], list).accepted == ()
    assert check_proposals([_FEE], list).accepted == (_FEE,)


def test_the_documents_are_read_anew_in_each_pass() -> None:
    passes = []

    def documents() -> Iterator[Document]:
        passes.append("begun")
        yield from (Document("d", "Quartz Oil paid a servicing fee in 2018."), *_OTHERS)

    assert check_proposals([_FEE], documents).rejected[0].document == "d"
    assert len(passes) == 2


def test_nothing_depends_on_the_order_of_proposals_and_documents() -> None:
    chosen = random.Random(7)
    names = ["quartz oil", "bluebird fuel", "northfield power"]
    words = ["fee", "sales", "profit", "goodwill", "2018", "2019"]
    documents = [Document(f"d{n}", f"{chosen.choice(names)} {' '.join(chosen.sample(words, 3))}") for n in range(60)]
    proposals = [
        _proposal(f"{name} {n}?", joined=((name,),), others=tuple(chosen.sample(words, 3)), origin=f"pool:{n}")
        for name in names
        for n in range(10)
    ]
    first = check_proposals(proposals, lambda: documents)
    assert first.rejected
    for _ in range(3):
        chosen.shuffle(documents)
        chosen.shuffle(proposals)
        assert check_proposals(proposals, lambda: documents) == first
