"""A question that the labels beside the trace judge: a conversation that finds none of its documents has gains of 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import goldproof
from goldproof.jobs.trace import explain_conversation
from tests.jobs.trace.conversations import Json, talk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.records.entities import Document

GAINS = ("CG", "RG", "DCG", "DRG", "AvgGain", "RAG", "DRAG", "SRE")
COMPLETION = "IterationsForAllGoodResults"
QRELS = {f"q{i}": {f"gold{i}": 4} for i in range(12)}
DOCUMENTS = {f"gold{i}": 4 for i in range(12)}


def system(*, finds: int) -> list[Json]:
    """Twelve conversations of two results each; the first `finds` of them return the gold document."""
    return [
        talk(
            f"c{i}",
            [(f"gold{i}" if i < finds else f"other{i}", None), (f"more{i}", None)],
            by="id",
            question_id=f"q{i}",
        )
        for i in range(12)
    ]


FOUR, TWELVE = system(finds=4), system(finds=12)


def facts(scored: goldproof.TraceResult, run: str) -> dict[str, Any]:
    runs: Any = scored.to_dict()["runs"]
    found: dict[str, Any] = runs[run]
    return found


def test_gold_in_4_of_12_conversations_is_worse_than_in_12_of_12() -> None:
    scored = goldproof.score_traces(systems={"four": FOUR, "twelve": TWELVE}, labels=QRELS, primary="CG")
    # four: 4 conversations with gain 4, 8 with 0: 16/12. AvgGain: 4/2 results each: 8/12. SRE: 1 of 2 each: 2/12.
    assert scored.mean("CG", "four") == pytest.approx(16 / 12)
    assert scored.mean("CG", "twelve") == 4
    assert scored.mean("AvgGain", "four") == pytest.approx(8 / 12)
    assert scored.mean("SRE", "four") == pytest.approx(2 / 12)
    for name in GAINS:
        assert scored.study.summary("four", name).n == 12, name
        assert scored.study.summary("four", name).n_undefined == 0, name
    # 8 pairs favour twelve, 0 favour four: exact sign-flip p = 2/2^8 = 0.0078
    compared = next(one for one in scored.study.comparisons if one.metric == "CG")
    assert (compared.outcome.n, compared.verdict) == (12, "better")
    assert compared.outcome.difference == pytest.approx(4 - 16 / 12)


def test_a_system_with_other_names_for_its_documents_gets_no_verdict_on_gains() -> None:
    # Its gains are all 0, which says nothing: no label matches a result. SRR needs no label and is tested.
    renamed = [
        talk(f"c{i}", [(f"docs/gold{i}.md", None), (f"docs/gold{i}.md", None)], by="id", question_id=f"q{i}")
        for i in range(12)
    ]
    scored = goldproof.score_traces(
        systems={"twelve": TWELVE, "renamed": renamed}, labels=QRELS, metrics="CG,SRR", primary="all"
    )
    verdicts = {one.metric: (one.verdict, one.reason) for one in scored.study.comparisons}
    assert verdicts == {"CG": ("undecided", "ids"), "SRR": ("worse", None)}
    assert any("renamed: none of the 12 given labels matches a result" in remark for remark in scored.remarks)


def test_a_total_miss_is_said_and_counted() -> None:
    scored = goldproof.score_traces(FOUR, labels=QRELS)
    said = "system: 8 of 12 scored conversations found none of the documents judged for the question: gains of 0."
    assert said in scored.remarks
    assert facts(scored, "system")["conversations_missed"] == 8
    assert facts(scored, "system")["conversations_without_label"] == 0


def test_the_bounds_say_what_the_unlabelled_results_of_a_miss_could_add() -> None:
    summary = goldproof.score_traces(FOUR, labels=QRELS).study.summary("system", "CG")
    # 24 distinct results, 4 labelled. All others at gain 4: 4 * (4 + 4) + 8 * (4 + 4) = 96; 96/12 = 8
    assert summary.extra["unjudged_share"] == pytest.approx(20 / 24)
    assert summary.extra["bounds"] == {"none_relevant": pytest.approx(16 / 12), "all_relevant": 8}


def test_labels_by_document_judge_no_question_and_the_note_says_so() -> None:
    scored = goldproof.score_traces(systems={"four": FOUR, "twelve": TWELVE}, labels=DOCUMENTS)
    summary = scored.study.summary("four", "CG")
    assert (summary.mean, summary.n, summary.n_undefined) == (4, 4, 8)
    assert summary.reasons == {"no result is labelled": 8}
    assert scored.mean("SRR", "four") == 0
    assert (
        "four: 8 conversations have no labelled result: gains undefined, not in the means. The labels are by document "
        "only; labels by question would make the gain 0 where the question is judged."
    ) in scored.remarks


def test_a_question_that_no_label_judges_stays_undefined() -> None:
    scored = goldproof.score_traces(FOUR, labels={name: QRELS[name] for name in ("q0", "q11")})
    # q0 is found (4), q11 is judged and missed (0); ten questions have no judgment
    assert (scored.mean("CG"), scored.study.summary("system", "CG").n) == (2, 2)
    assert any("The labels judge none of their questions." in remark for remark in scored.remarks)


def test_whether_a_question_is_judged_does_not_depend_on_the_results() -> None:
    # The label is a 0 for a document that nothing returned: the question is judged all the same.
    scored = goldproof.score_traces([talk("c", [("d", None)], by="id")], labels={"c": {"elsewhere": 0}})
    assert scored.mean("CG") == 0
    assert facts(scored, "system")["good"] == 0
    assert scored.iterations["G"].to_list() == [0]
    assert any("are the names the same?" in remark for remark in scored.remarks)


def test_a_search_of_a_judged_question_that_returns_nothing_gains_0() -> None:
    scored = goldproof.score_traces([talk("c", [], by="id")], labels={"c": {"d": 3}})
    assert scored.mean("CG") == 0


def test_a_judged_miss_never_completes_the_pool_of_all_systems() -> None:
    scored = goldproof.score_traces(systems={"four": FOUR, "twelve": TWELVE}, labels=QRELS)
    # four: 4 complete at iteration 1, 8 never (100): (4 * 1 + 8 * 100) / 12
    assert scored.mean(COMPLETION, "four") == pytest.approx(804 / 12)
    assert scored.mean(COMPLETION, "twelve") == 1


@pytest.mark.parametrize("labels", [QRELS, DOCUMENTS])
def test_an_explanation_tells_what_the_score_says_of_a_miss(labels: dict[str, Any]) -> None:
    scored = goldproof.score_traces(FOUR, labels=labels)
    gain = scored.conversations["CG"][7]
    [explained] = explain_conversation("c7", systems={"four": FOUR}, labels=labels)
    if labels is QRELS:
        assert (gain, explained.metrics["CG"]) == (0, "G = 0")
        assert explained.note == "no result is labelled, but the labels judge this question: every result gains 0"
    else:
        assert (gain, explained.metrics["CG"]) == (None, "undefined: no result is labelled")
        assert explained.note is None


class OnlyGold:
    """A judge that can say of the gold documents only how good they are."""

    scale = "0-4"

    def judge(self, _question: object, documents: Sequence[Document]) -> int:
        if "gold" not in documents[0].text:
            raise RuntimeError("no idea")
        return 4


def texts(conversations: list[Json]) -> list[Json]:
    """The same, with a question and snippets for a judge to read."""

    def shown(result: Json) -> Json:
        return {**result, "snippet": f"about {result['id']}"}

    def turn(one: Json) -> Json:
        searches = [
            {"searches": [{**search, "results": list(map(shown, search["results"]))} for search in step["searches"]]}
            for step in one["iterations"]
        ]
        return {**one, "question": "what?", "iterations": searches}

    return [{**one, "turns": list(map(turn, one["turns"]))} for one in conversations]


def test_a_judge_judges_results_and_not_questions() -> None:
    # The judge fails on all that four returns from c4 on. The labels beside judge q11 only: that miss is a 0.
    systems = {"four": texts(FOUR), "twelve": texts(TWELVE)}
    scored = goldproof.score_traces(systems=systems, labels={"q11": {"gold11": 4}}, judge=OnlyGold())
    assert scored.study.summary("four", "CG").n == 5
    assert scored.mean("CG", "four") == pytest.approx(16 / 5)
    assert any(
        "7 conversations have no labelled result, while others on the same question" in r for r in scored.remarks
    )


def test_written_labels_repeat_a_run_with_a_judged_miss(tmp_path: Path) -> None:
    scored = goldproof.score_traces(texts(FOUR), labels={"q11": {"gold11": 4}}, judge=OnlyGold())
    scored.save(tmp_path / "out")
    again = goldproof.score_traces(texts(FOUR), labels=tmp_path / "out" / "labels.jsonl")
    assert scored.conversations["CG"].to_list() == [4] * 4 + [None] * 7 + [0]
    assert again.conversations["CG"].to_list() == scored.conversations["CG"].to_list()
