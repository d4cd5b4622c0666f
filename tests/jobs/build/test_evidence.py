"""A chosen sample made whole: evidence in the text that is kept, and whether the answer stands there."""

from __future__ import annotations

from dataclasses import replace

from goldproof.jobs.build.evidence import relocate_evidence
from goldproof.jobs.build.records import Evidence, Sample
from goldproof.records.entities import Document

TEXT = "Ida Marlow was born in Tarrow. She drew lighthouses."
SAMPLE = Sample(
    id="a:1",
    question="Where was Ida Marlow born?",
    ground_truth="Tarrow",
    contexts=(TEXT,),
    context_ids=("d",),
    doc_type="clean_text",
    question_type="lookup",
    difficulty="D1",
    source_dataset="a",
    original_id="1",
    gold_documents=("d",),
    kernels=(("d",),),
    evidence=(Evidence("d", 0, 30),),
)


def relocated(sample: Sample, *, own: str = TEXT, kept: str = TEXT) -> tuple[list[str], object, int]:
    """Return the words of the evidence in the kept text, the verdict on the answer, and the spans that were lost."""
    whole, lost = relocate_evidence(sample, came_with=[Document("d", own)], kept={"d": Document("d", kept)})
    return [kept[e.start : e.end] for e in whole.evidence], whole.metadata["answer_in_gold"], lost


def test_evidence_in_the_same_text_stays_where_it_is() -> None:
    assert relocated(SAMPLE) == (["Ida Marlow was born in Tarrow."], "present", 0)


def test_evidence_is_found_again_in_another_version() -> None:
    kept = "A page of the almanac. Ida Marlow was  born in Tarrow . She drew lighthouses."
    assert relocated(SAMPLE, kept=kept) == (["Ida Marlow was  born in Tarrow ."], "present", 0)


def test_evidence_that_the_kept_version_lacks_is_lost_and_counted() -> None:
    assert relocated(SAMPLE, kept="Something else, and longer than the other text was at all.") == ([], "absent", 1)


def test_where_no_evidence_is_marked_the_place_of_the_answer_is_taken() -> None:
    assert relocated(replace(SAMPLE, evidence=())) == (["Tarrow"], "present", 0)


def test_evidence_that_stands_twice_in_another_version_cannot_be_told() -> None:
    sample = replace(SAMPLE, evidence=(Evidence("d", 0, 10),))
    assert relocated(sample, kept=f"{TEXT} Ida Marlow died in Velmont.")[2] == 1


def test_a_computed_answer_that_happens_to_stand_somewhere_is_no_evidence() -> None:
    sample = replace(SAMPLE, evidence=(), metadata={"has_computation": True})
    assert relocated(sample) == ([], "present", 0)


def test_it_is_said_where_evidence_came_from() -> None:
    whole, _ = relocate_evidence(SAMPLE, came_with=[Document("d", TEXT)], kept={"d": Document("d", TEXT)})
    assert whole.metadata["evidence_basis"] == "dataset"
    bare = replace(SAMPLE, evidence=())
    whole, _ = relocate_evidence(bare, came_with=[Document("d", TEXT)], kept={"d": Document("d", TEXT)})
    assert whole.metadata["evidence_basis"] == "answer found"


def test_an_alias_of_the_answer_counts() -> None:
    sample = replace(SAMPLE, ground_truth="Tarrow-on-Ebble", evidence=(), metadata={"answer_aliases": ["Tarrow"]})
    assert relocated(sample) == (["Tarrow"], "present", 0)


def test_a_yes_or_no_abstains_and_marks_nothing() -> None:
    assert relocated(replace(SAMPLE, ground_truth="yes", evidence=())) == ([], "abstained", 0)


def test_a_document_of_which_only_the_name_is_known_is_not_asked() -> None:
    assert relocated(replace(SAMPLE, evidence=()), own="", kept="") == ([], "abstained", 0)
