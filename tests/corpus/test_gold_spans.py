"""Gold kept as spans is found again however the sources are cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.corpus.corpus import Corpus
from goldproof.corpus.folder import chunk_documents
from goldproof.corpus.folder_files import SourceFile
from goldproof.corpus.gold_spans import GoldSpan, gold_for, minimal_sets, read_gold_spans, spans_of, write_gold_spans
from goldproof.corpus.sources import MOST_COVERS, read_sources
from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.metrics import match, score
from goldproof.records.entities import Document
from goldproof.records.tables import JudgmentTable, RankingTable
from goldproof.text.chunks import By, Cutting, cut_source

SOURCE = "".join(
    f"# Part {n}\n\n" + " ".join(f"Sentence {n}.{m} tells of thing{n}x{m} in some words." for m in range(8)) + "\n\n"
    for n in range(4)
)


def cut(size: int, overlap: int = 0, *, by: By = "auto", source: str = SOURCE) -> Corpus:
    chunks = cut_source(source, "markdown", cutting=Cutting(size, overlap, by))
    return Corpus("folder:x", tuple(chunk_documents(source, chunks, file=SourceFile(Path("a.md"), "a.md", "markdown"))))


def pieces(*spans: tuple[int, int], source: str = "0123456789 abcdefghi") -> Corpus:
    """Return documents d0, d1, ... that hold these characters of a source `s`."""
    return Corpus(
        "pieces",
        tuple(
            Document(f"d{n}", source[a:b], metadata={"source": "s", "start": a, "end": b})
            for n, (a, b) in enumerate(spans)
        ),
    )


def span(start: int, end: int, grade: int = 1, **more: object) -> GoldSpan:
    return GoldSpan("q", "s", start, end, grade, **more)  # type: ignore[arg-type]


WAYS = st.sampled_from(["auto", "headings", "size", "file"])
CUTTINGS = st.builds(
    lambda size, share, by: cut(size, int(size * share), by=by),
    st.integers(50, 1500),
    st.sampled_from([0.0, 0.2, 0.5]),
    WAYS,
)


@given(corpus=CUTTINGS, start=st.integers(0, len(SOURCE) - 200), length=st.integers(5, 150))
def test_however_the_source_is_cut_every_kernel_holds_the_whole_quote(corpus: Corpus, start: int, length: int) -> None:
    quote = SOURCE[start : start + length]
    if not quote.strip():
        return
    reading = gold_for(corpus, [GoldSpan("q", "a.md", start, start + length, 2, quote)])
    texts = {document.id: document for document in corpus.documents}
    assert reading.kernels["q"]
    assert not reading.lost
    assert not reading.moved
    for kernel in reading.kernels["q"]:
        for given_up in (None, *kernel):
            kept = [texts[name] for name in kernel if name != given_up]
            whole = not read_missing(kept, start, start + length)
            assert whole == (given_up is None)
    grades = reading.judgments.to_dict()["q"]
    assert {name for kernel in reading.kernels["q"] for name in kernel} <= set(grades)
    assert all(grades[kernel[0]] == 2 for kernel in reading.kernels["q"] if len(kernel) == 1)


def read_missing(documents: list[Document], start: int, end: int) -> bool:
    """Say whether a character of the span that is not blank is in none of the documents, by brute force."""
    held = {at for d in documents for at in range(d.metadata["start"], d.metadata["end"])}  # type: ignore[call-overload]
    return any(at not in held and not SOURCE[at].isspace() for at in range(start, end))


@settings(max_examples=40)
@given(first=CUTTINGS, second=CUTTINGS, sentence=st.integers(0, 31))
def test_a_ranking_that_finds_the_answer_scores_the_same_on_both_cuttings(
    first: Corpus, second: Corpus, sentence: int
) -> None:
    quote = f"Sentence {sentence // 8}.{sentence % 8} tells of"
    start = SOURCE.index(quote)
    gold = [GoldSpan("q", "a.md", start, start + len(quote), 1, quote)]
    for corpus in (first, second):
        reading = gold_for(corpus, gold)
        # A perfect system returns the chunks that hold the words, wherever they are cut; a hopeless one all others.
        wanted = {s.document for s in read_sources(corpus.documents)["a.md"].overlapping(start, start + len(quote))}
        perfect = {d.id: 1.0 + (d.id in wanted) for d in corpus.documents}
        assert value("SetSuccess@5", reading.judgments, perfect) == 1.0
        assert value("Hit@5", reading.judgments, perfect) == 1.0
        others = {d.id: 1.0 for d in corpus.documents if d.id not in wanted}
        assert value("SetSuccess@5", reading.judgments, others) == 0.0
        assert value("Hit@5", reading.judgments, others) == 0.0


def value(metric: str, judgments: JudgmentTable, scores: dict[str, float]) -> float:
    return float(score(metric, match(judgments, RankingTable.from_dict({"q": scores}))).value[0])


@given(size=st.integers(50, 1500), by=WAYS, picked=st.dictionaries(st.integers(0, 99), st.integers(0, 3), min_size=1))
@settings(max_examples=40)
def test_judgments_of_documents_come_back_from_their_spans(size: int, by: By, picked: dict[int, int]) -> None:
    corpus = cut(size, by=by)
    grades = {corpus.documents[number % len(corpus)].id: grade for number, grade in picked.items()}
    again = gold_for(corpus, spans_of(corpus, JudgmentTable.from_dict({"q": grades})))
    assert again.judgments.to_dict() == {"q": grades}
    assert again.remarks == ()


def test_kernels_come_back_from_their_spans() -> None:
    corpus = pieces((0, 3), (3, 6), (6, 9))
    kernels = {"q": (("d0", "d1"), ("d1", "d2"))}
    judgments = JudgmentTable.from_dict({"q": {"d0": 1, "d1": 1, "d2": 2}}, kernels=kernels)
    assert gold_for(corpus, spans_of(corpus, judgments)).kernels == kernels


def test_a_document_that_holds_the_whole_span_has_its_grade() -> None:
    reading = gold_for(pieces((0, 10), (11, 20)), [span(2, 5, 3), span(12, 13, 1)])
    assert reading.judgments.to_dict() == {"q": {"d0": 3, "d1": 1}}
    assert reading.kernels == {"q": (("d0",), ("d1",))}
    assert reading.remarks == ()


def test_a_span_that_is_cut_needs_all_its_parts() -> None:
    reading = gold_for(pieces((0, 4), (4, 10), (11, 20)), [span(2, 14, 3)])
    assert reading.kernels == {"q": (("d0", "d1", "d2"),)}
    assert reading.judgments.to_dict() == {"q": {"d0": 1, "d1": 1, "d2": 1}}
    assert reading.remarks == ("1 span is cut by borders of chunks; parts are graded by the rule 'one'.",)


@pytest.mark.parametrize(
    ("parts", "grades"),
    [
        ("one", {"d0": 1, "d1": 1}),
        ("same", {"d0": 4, "d1": 4}),
        # of 8 characters d0 holds 2 and d1 holds 6: 4 * 2/8 = 1 and 4 * 6/8 = 3
        ("share", {"d0": 1, "d1": 3}),
    ],
)
def test_parts_are_graded_by_a_named_rule(parts: str, grades: dict[str, int]) -> None:
    reading = gold_for(pieces((0, 4), (4, 10)), [span(2, 10, 4)], parts=parts)  # type: ignore[arg-type]
    assert reading.judgments.to_dict() == {"q": grades}


def test_chunks_that_overlap_give_alternatives() -> None:
    # d0 0-6, d1 3-9, d2 6-10: 2-8 is held by d0+d1 or by d0+d2, and by no chunk alone
    reading = gold_for(pieces((0, 6), (3, 9), (6, 10)), [span(2, 8)])
    assert set(reading.kernels["q"]) == {("d0", "d1"), ("d0", "d2")}


def test_a_neighbour_that_only_touches_a_span_held_elsewhere_is_not_relevant() -> None:
    reading = gold_for(pieces((0, 8), (6, 10)), [span(2, 8)])
    assert reading.judgments.to_dict() == {"q": {"d0": 1}}


def test_spans_of_one_kernel_are_needed_together_and_others_are_alternatives() -> None:
    gold = [span(0, 2, kernel=1), span(12, 14, kernel=1), span(5, 6)]
    reading = gold_for(pieces((0, 4), (4, 10), (11, 20)), gold)
    assert reading.kernels == {"q": (("d0", "d2"), ("d1",))}
    # In one chunk both parts of the kernel are one document.
    assert gold_for(pieces((0, 20)), gold).kernels == {"q": (("d0",),)}


def test_a_kernel_of_which_a_span_is_lost_is_no_kernel() -> None:
    gold = [span(0, 2, kernel=1), GoldSpan("q", "elsewhere", 0, 2, kernel=1)]
    reading = gold_for(pieces((0, 10)), gold)
    assert (reading.kernels, len(reading.lost)) == ({}, 1)
    (remark,) = reading.remarks
    assert remark == (
        "1 span is not in the corpus: no document of the corpus is of this source, whose sources are named "
        "like 's' (the first: elsewhere:0-2 of question 'q')."
    )


def test_a_grade_of_0_passes_to_what_lies_wholly_within() -> None:
    reading = gold_for(pieces((0, 4), (4, 10), (4, 20)), [span(0, 10, 0)])
    assert reading.judgments.to_dict() == {"q": {"d0": 0, "d1": 0}}
    assert reading.kernels == {}
    longer = gold_for(pieces((0, 20)), [span(0, 10, 0)])
    assert longer.judgments.to_dict() == {}
    assert "no document lies wholly within" in longer.remarks[0]


def test_a_span_that_no_document_holds_is_reported() -> None:
    missing = gold_for(pieces((0, 4), (6, 10)), [span(3, 6), span(0, 30)])
    assert [lost.reason for lost in missing.lost] == [
        "no document, and no documents together, hold all of it",
        "the source ends before it does",
    ]
    assert missing.judgments.to_dict() == {}


def test_a_span_of_a_changed_source_is_found_by_its_quote_and_said_to_have_moved() -> None:
    gold = GoldSpan("q", "a.md", 100, 118, 2, "tells of thing3x4 ")
    start = SOURCE.index("tells of thing3x4")
    reading = gold_for(cut(400), [gold])
    assert reading.moved == (gold,)
    assert reading.remarks == ("1 span is found elsewhere in a changed source, by the quote.",)
    (kernel,) = reading.kernels["q"]
    assert kernel == gold_for(cut(400), [GoldSpan("q", "a.md", start, start + 17, 2)]).kernels["q"][0]


def test_of_several_places_of_a_quote_the_nearest_is_taken() -> None:
    corpus = pieces((0, 4), (5, 9), (10, 14), source="same same same")
    reading = gold_for(corpus, [GoldSpan("q", "s", 8, 12, 1, "same")])
    assert reading.kernels == {"q": (("d2",),)}


def test_a_quote_that_stands_nowhere_is_refused_or_reported() -> None:
    gold = [GoldSpan("q", "a.md", 0, 5, 1, "not there at all")]
    with pytest.raises(InputError, match=r"'not there at all' stands nowhere in 'a\.md'"):
        gold_for(cut(400), gold)
    assert len(gold_for(cut(400), gold, changed="report").lost) == 1


def test_documents_that_are_no_pieces_are_sources_of_their_own() -> None:
    corpus = Corpus("c", (Document("d1", "some text"), Document("d2", "other")))
    judgments = JudgmentTable.from_dict({"q": {"d1": 2}})
    (found,) = spans_of(corpus, judgments)
    assert found == GoldSpan("q", "d1", 0, 9, 2, "some text")
    with pytest.raises(InputError, match="'d3' is judged but not in c"):
        spans_of(corpus, JudgmentTable.from_dict({"q": {"d3": 1}}))
    assert spans_of(corpus, JudgmentTable.from_dict({"q": {"d3": 1}}), missing="skip") == []


def test_a_document_whose_span_is_not_its_text_is_refused() -> None:
    with pytest.raises(InputError, match="has 3 characters, but says that it is s:0-9"):
        gold_for(Corpus("c", (Document("d", "abc", metadata={"source": "s", "start": 0, "end": 9}),)), [])


def test_alternatives_are_bounded_and_all_parts_are_graded() -> None:
    # Windows of 10 characters, each 3 after the one before: any next window of three will do, again and again.
    corpus = pieces(*((at, at + 10) for at in range(0, 300, 3)), source="x" * 400)
    reading = gold_for(corpus, [span(0, 300)])
    assert len(reading.kernels["q"]) == MOST_COVERS
    assert len(reading.judgments.documents) == len(corpus)


def test_sets_that_hold_another_are_dropped() -> None:
    assert minimal_sets([("a", "b"), ("b",), ("b", "a"), ("c", "d"), ()]) == (("b",), ("c", "d"))


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="'share'"):
        gold_for(pieces((0, 4)), [], parts="shares")  # type: ignore[arg-type]


def test_unanswerable_questions_are_passed_on() -> None:
    assert gold_for(pieces((0, 4)), [], unanswerable=["u"]).judgments.unanswerable == {"u"}


def test_spans_are_written_and_read_back(tmp_path: Path) -> None:
    spans = [span(0, 2), span(3, 5, 3, quote="é \n", kernel=1), GoldSpan("q2", "b c.md", 1, 9, 0)]
    write_gold_spans(tmp_path / "gold.jsonl", spans)
    assert read_gold_spans(tmp_path / "gold.jsonl") == spans


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"source": "s", "start": 0, "end": 2}', "no key 'query_id'"),
        ('{"query_id": "q", "start": 0, "end": 2}', "key 'source' is missing"),
        ('{"query_id": "q", "source": "s", "end": 2}', "key 'start' is missing"),
        ('{"query_id": "q", "source": "s", "start": 0.5, "end": 2}', "key 'start' is not a whole number"),
        ('{"query_id": "q", "source": "s", "start": 2, "end": 2}', "holds nothing"),
        ('{"query_id": "q", "source": "s", "start": 0, "end": 2, "grade": "x"}', "grade 'x' is not a number"),
        ('{"query_id": "q", "source": "s", "start": 0, "end": 2, "quote": " "}', "key 'quote' is empty"),
        ('{"query_id": "q", "source": "s", "start": 0, "end": 2, "kernel": -1}', "key 'kernel'"),
        ('{"query_id": "ok", "source": "s", "start": 0, "end": 2}', "given twice"),
    ],
)
def test_bad_lines_are_named(line: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"query_id": "ok", "source": "s", "start": 0, "end": 2}\n' + line + "\n")
    with pytest.raises(FileFormatError) as raised:
        read_gold_spans(path)
    assert raised.value.line == 2
    assert problem in raised.value.problem
