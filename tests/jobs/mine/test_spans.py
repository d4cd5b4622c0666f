"""Gold of a mining as spans: the same labels on the same documents, and usable ones on other chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.corpus import Corpus, GoldSpan, gold_for, open_corpus, read_gold_spans
from goldproof.jobs.mine.records import MinedDocument, MinedQuestion
from goldproof.jobs.mine.result import MiningResult
from goldproof.jobs.mine.spans import gold_spans, why_no_spans
from goldproof.judge.judge import Evidence, Ruling
from goldproof.records.entities import Document, Question
from tests.jobs.mine.mined_examples import example

if TYPE_CHECKING:
    from pathlib import Path


def of(question: str) -> list[GoldSpan]:
    return [span for span in gold_spans(example()) if span.question == question]


def test_quotes_become_spans_and_negatives_whole_documents() -> None:
    assert of("s:size") == [
        GoldSpan("s:size", "pkg.Queue", 12, 15, 2, "500"),
        GoldSpan("s:size", "pkg.Worker", 2, 8, 2, "Worker"),
        GoldSpan("s:size", "pkg.retry", 0, 25, 0, "retry(times) tries again."),
        GoldSpan("s:size", "pkg.clock", 0, 16, 0, "The clock ticks."),
    ]
    assert not of("s:unknown")  # nothing is judged


def test_documents_of_a_kernel_are_needed_together_whole_where_nothing_is_quoted() -> None:
    first, second, clock = of("s:both")
    assert (first.source, first.kernel, first.grade, first.answers) == ("pkg.Worker", 1, 1, True)
    assert (second.source, second.start, second.end, second.kernel) == ("pkg.retry", 0, 25, 1)
    assert (clock.grade, clock.kernel) == (0, None)


def question(ruling: Ruling, standing: str, document: Document) -> list[GoldSpan]:
    mined = MinedQuestion(Question("q", "?"), (MinedDocument(document.id, standing, ("bm25",), ruling),))  # type: ignore[arg-type]
    return list(gold_spans(replace(example(), questions=(mined,), documents={document.id: document})))


CHUNK = Document("a.md#x", "It holds 500 tasks and 20 more.", "A", {"source": "a.md", "start": 100, "end": 131})


def test_spans_count_from_the_start_of_the_source() -> None:
    ruling = Ruling("yes", evidence=(Evidence("a.md#x", 9, 12, "500"), Evidence("a.md#x", 0, 1, "A", in_title=True)))
    assert question(ruling, "positive", CHUNK) == [GoldSpan("q", "a.md", 109, 112, 2, "500")]


def test_several_quotes_of_one_ruling_are_needed_together() -> None:
    ruling = Ruling("yes", evidence=(Evidence("a.md#x", 9, 12, "500"), Evidence("a.md#x", 23, 25, "20")))
    spans = question(ruling, "positive", CHUNK)
    assert [(span.start, span.end, span.kernel) for span in spans] == [(109, 112, 1), (123, 125, 1)]


def test_a_partial_document_without_a_kernel_is_graded_and_answers_nothing() -> None:
    spans = question(Ruling("no", grade=1), "partial", CHUNK)
    assert spans == [GoldSpan("q", "a.md", 100, 131, 1, CHUNK.text, answers=False)]
    found = gold_for(Corpus("c", (CHUNK,)), spans)
    assert (found.judgments.to_dict(), dict(found.kernels)) == ({"q": {"a.md#x": 1}}, {})


def test_documents_that_contradict_their_place_are_said_and_the_rest_is_written(tmp_path: Path) -> None:
    wrong = replace(CHUNK, metadata={"source": "a.md", "start": 0, "end": 5})
    assert why_no_spans([wrong]).startswith("spans.jsonl is not written: document 'a.md#x' has 31 characters")
    result = goldproof.mine([Question("q", "How many tasks?", "500")], corpus=[wrong])
    assert any("spans.jsonl is not written" in remark for remark in result.remarks)
    assert not (result.save(tmp_path / "out") / "spans.jsonl").exists()


@pytest.mark.parametrize("kernels", [False, True])
def test_on_the_same_documents_the_labels_are_those_that_were_mined(tmp_path: Path, kernels: bool) -> None:
    folder = goldproof.mine("example", kernels=kernels).save(tmp_path / "out")
    judged = goldproof.read_dataset(folder / "beir").judgments
    found = gold_for(open_corpus(f"beir:{folder / 'beir'}"), read_gold_spans(folder / "spans.jsonl"))
    assert found.judgments.to_dict() == judged.to_dict()
    assert {name: found.kernels[name] for name in judged.kernels} == dict(judged.kernels)


def test_other_chunks_are_scored_without_mining_again(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "queue.md").write_text(
        "# Queue\n\nA queue keeps messages in order.\n\n## Leases\n\n"
        "A consumer holds a lease of 30 seconds on a message. "
        "When the lease runs out, the message goes back to the queue.\n\n## Limits\n\nA message has at most 64 kB.\n"
    )
    (docs / "tasks.md").write_text(
        "# Tasks\n\nA task is retried 5 times.\n\n## Delay\n\nThe delay doubles each time.\n"
    )
    asked = [
        Question("lease", "How long does a consumer hold a message?", "30 seconds"),
        Question("size", "How large may a message be?", "64 kB"),
        Question("retries", "How often is a task retried?", "5 times"),
    ]
    folder = goldproof.mine(asked, corpus=f"folder:{docs}").save(tmp_path / "mined")
    for spec in (f"folder:{docs}", f"folder:{docs}#by=file", f"folder:{docs}#by=size,size=60"):
        result = goldproof.evaluate(
            corpus=spec,
            retrievers={"bm25": "bm25"},
            questions=folder / "beir" / "queries.jsonl",
            spans=folder / "spans.jsonl",
            metrics=["R@20", "SetSuccess@20"],
        )
        for metric in ("R@20", "SetSuccess@20"):
            assert result.mean(metric) == 1.0, spec


def test_the_file_is_on_the_card_and_read_back_as_it_was_written(tmp_path: Path) -> None:
    folder = MiningResult(example()).save(tmp_path / "out")
    assert read_gold_spans(folder / "spans.jsonl") == list(gold_spans(example()))
