"""The methods on real questions: a fair number of proposals, and nothing accepted that a plain look refutes."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from goldproof.jobs.build.adapters.adapter import ADAPTERS
from goldproof.jobs.build.classification import classify
from goldproof.jobs.build.question_types import by_rules
from goldproof.jobs.build.recipe import SourceSpec
from goldproof.jobs.build.records import Example
from goldproof.jobs.build.sources import ExampleReader, locate
from goldproof.jobs.build.unanswerables.generation import propose
from goldproof.jobs.build.unanswerables.refutation import check_proposals
from goldproof.jobs.build.unanswerables.substitutes import SubstitutesBuilder

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.unanswerables.proposal import Proposal
    from goldproof.jobs.build.unanswerables.refutation import CheckOutcome
    from goldproof.records.entities import Document

pytestmark = pytest.mark.realdata

_SOURCES = {
    "hotpotqa": "multihop/hotpotqa_train.json",
    "musique": "multihop/musique_train.json",
    "swe-qa": "swe_qa",
    "t2-ragbench": "t2_ragbench",
    "tatqa": "tatqa",
}


class _Checked(NamedTuple):
    samples: dict[str, Sample]
    documents: dict[str, Document]
    proposals: list[Proposal]
    outcome: CheckOutcome


@pytest.fixture(scope="module")
def checked(realdata: Path) -> _Checked:
    titled = []
    documents: dict[str, Document] = {}
    for name, path in _SOURCES.items():
        adapter = ADAPTERS.get(name)
        found = locate(SourceSpec(adapter=name, path=realdata / path), adapter, base=realdata)
        for example in ExampleReader(found, adapter):
            if isinstance(example, Example):
                one = classify(example, adapter=name, doc_type=adapter.info.doc_type, classifier=by_rules)
                titled.append((one, [document.title for document in example.documents if document.text]))
                documents |= {document.id: document for document in example.documents}
    builder = SubstitutesBuilder(42)
    for one, titles in titled:
        builder.add(one, titles)
    substitutes = builder.build()
    # Of the thousands of questions about tables every third is enough.
    looked_at = [one for number, one in enumerate(titled) if one[0].doc_type != "table" or number % 3 == 0]
    made = [p for one, titles in looked_at for p in propose(one, titles, substitutes=substitutes, seed=42)]
    known = {one.question.strip().casefold() for one, _ in titled}
    outcome = check_proposals(
        made,
        documents.values,
        labels=substitutes.labels,
        is_known=lambda question: question.casefold() in known,
    )
    return _Checked({one.id: one for one, _ in titled}, documents, made, outcome)


def test_each_method_finds_a_fair_number_of_questions(checked: _Checked) -> None:
    origins = Counter(method for method, _ in {(one.method, one.origin) for one in checked.outcome.accepted})
    assert origins["temporal_shift"] > 400
    assert origins["entity_swap"] > 100
    assert origins["cross_domain"] > 60
    assert origins["negation"] > 100
    assert {one.doc_type for one in checked.outcome.accepted} == {"table", "clean_text", "code_config"}


def test_each_doc_type_has_each_method(checked: _Checked) -> None:
    found = Counter((one.doc_type, one.method) for one in checked.outcome.accepted)
    assert all(found["table", method] for method in ("temporal_shift", "entity_swap", "negation", "cross_domain"))
    assert all(found["clean_text", method] for method in ("temporal_shift", "entity_swap", "negation", "cross_domain"))
    assert all(found["code_config", method] for method in ("entity_swap", "negation", "cross_domain"))


def test_made_questions_are_clean(checked: _Checked) -> None:
    for one in checked.proposals:
        original = checked.samples[one.origin].question.strip()
        assert one.question != original
        assert one.question.endswith("?") == original.endswith("?")
        assert not re.search(r"  | \?| ,|\bthe the\b|\ba the\b|''|[^.]\.\.[^.]", one.question.replace(" ,", "")), (
            one.question
        )


def test_a_plain_look_refutes_nothing_that_was_accepted(checked: _Checked) -> None:
    """Independent of the check's index: substring search in small letters, every word of the question but the name."""
    texts = [f"{document.title}\n{document.text}".casefold() for document in checked.documents.values()]
    plain = [one for one in checked.outcome.accepted if all(len(group) == 1 for group in one.joined)]
    for one in plain[::20]:
        words = [*(group[0] for group in one.joined), *one.others]
        near = (text for text in texts if all(word in text for word in words))
        whole = [text for text in near if all(re.search(rf"\b{re.escape(word)}\b", text) for word in words)]
        assert not whole, one.question


def test_some_of_each_method_is_rejected_by_a_document_that_holds_the_words(checked: _Checked) -> None:
    for method in ("temporal_shift", "entity_swap", "negation"):
        rejected = [one for one in checked.outcome.rejected if one.proposal.method == method and one.document]
        assert len(rejected) > 20
        assert all((one.share or 0) >= 0.5 for one in rejected)
