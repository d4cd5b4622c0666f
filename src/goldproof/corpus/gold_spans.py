"""Gold kept as spans of sources: the documents that hold them, and the file of spans.

A `GoldSpan` names the characters of a source that answer a question. Which documents of a corpus hold it is found when
the corpus is known (`gold_for`):

- A document that holds the whole span is relevant, with the grade of the span.
- A span that borders of chunks cut makes kernels: sets of documents that together hold all of it, none of them spare
  (overlapping chunks give alternatives). Each part gets a grade by the rule `parts`: `one` (1),
  `same` (the span's grade), `share` (the grade times the share of the span that it holds, rounded up).
- Every relevant span is a kernel of its own: one of them answers the question. Spans with the same `kernel` number
  are needed together. So set metrics are defined for the same questions, however the sources are cut.
- A span that `answers` nothing (false) is relevant by its grade, and no kernel.
- A grade of 0 or less passes to documents that lie wholly within the span: the rest of a longer document is not judged.
- A document that holds several spans has the highest of their grades.

A document is found by its metadata `source`, `start` and `end`; one without them is a source of its own, by its id.
Blanks at the borders of chunks belong to no chunk and are not missed.

In a package a function's document holds its lines, and a class's those of the class without its methods, which are
documents of their own: so a span inside of a method is the method's alone. A span that is a whole definition, from its
first lines to its end, is that definition's document's, though a class's has its methods in short.

In the file, grade, quote, kernel and answers may be missing. A span without a quote may be written, but then a change
of the source goes unnoticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, product
from math import ceil
from typing import TYPE_CHECKING, Literal, get_args

from goldproof.corpus.sources import MOST_COVERS, Stretch, quote_of, read_sources
from goldproof.errors import InputError, UnknownNameError
from goldproof.io.atomic_files import write_hashed
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, get_id, json_kind, json_line, read_objects
from goldproof.io.text_files import check_file
from goldproof.io.values import BadValueError, parse_grade
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from goldproof.corpus.corpus import Corpus
    from goldproof.corpus.sources import Source
    from goldproof.io.json_files import JsonObject


Parts = Literal["one", "same", "share"]

_Kernels = tuple[tuple[str, ...], ...]

_MOST_CHOICES = 256

_NOWHERE = "its quote is nowhere in the source"


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """Characters `start` to `end` of a source that bear on a question.

    quote: what stands there, to find it again where the source has changed. kernel: spans of a question with the same
    number are needed together. answers: whether it answers the question, or only bears on it.
    """

    question: str
    source: str
    start: int
    end: int
    grade: int = 1
    quote: str | None = None
    kernel: int | None = None
    answers: bool = True


@dataclass(frozen=True, slots=True)
class LostSpan:
    """A span that the corpus does not hold, and the reason."""

    span: GoldSpan
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class GoldReading:
    """Judgments of the documents of one corpus, spans that moved or are lost, and remarks."""

    judgments: JudgmentTable
    moved: tuple[GoldSpan, ...] = ()
    lost: tuple[LostSpan, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def kernels(self) -> Mapping[str, _Kernels]:
        """Return question -> alternative sets of documents that hold a whole answer."""
        return self.judgments.kernels


def gold_for(
    corpus: Corpus,
    spans: Iterable[GoldSpan],
    *,
    parts: Parts = "one",
    changed: Literal["refuse", "report"] = "refuse",
    unanswerable: Iterable[str] = (),
) -> GoldReading:
    """Return the judgments of the documents of a corpus that hold the spans.

    changed: what to do about a span whose quote is nowhere in its source: refuse it, or report it as lost.
    """
    if parts not in get_args(Parts):
        raise UnknownNameError("rule for parts", str(parts), get_args(Parts))
    finder = _SpanFinder(read_sources(corpus.documents), parts=parts, refuse=changed == "refuse")
    for span in spans:
        finder.add(span)
    table = JudgmentTable.from_dict(finder.grades, kernels=finder.kernels(), unanswerable=unanswerable)
    return GoldReading(table, tuple(finder.moved), tuple(finder.lost), tuple(finder.remarks()))


def spans_of(
    corpus: Corpus, judgments: JudgmentTable, *, missing: Literal["error", "skip"] = "error"
) -> list[GoldSpan]:
    """Turn judgments of documents into spans, so that they can be carried to another cutting.

    A span is then as long as the document: for finer chunks all of its parts are needed. missing: what to do about
    judged documents that the corpus does not have.
    """
    known = {document.id: document for document in corpus.documents}
    result: list[GoldSpan] = []
    for question, grades in judgments.to_dict().items():
        numbers = _kernel_numbers(judgments.kernels.get(question, ()))
        for name in dict.fromkeys((*grades, *numbers)):
            document = known.get(name)
            if document is None:
                if missing == "error":
                    raise InputError(
                        f"question {question!r}: document {name!r} is judged but not in {corpus.name}; open the corpus "
                        "that was judged, or leave such documents out with missing='skip'."
                    )
                continue
            place = Stretch.of(document)
            of = (question, place.source, place.start, place.end, grades.get(name, 1), quote_of(document))
            result += [GoldSpan(*of, kernel=number) for number in numbers.get(name, (None,))]
    return result


def _kernel_numbers(kernels: _Kernels) -> dict[str, tuple[int, ...]]:
    numbers: dict[str, tuple[int, ...]] = {}
    for number, kernel in enumerate(kernels, start=1):
        for document in kernel:
            numbers[document] = (*numbers.get(document, ()), number)
    return numbers


class _SpanFinder:
    """Finds spans in sources and grades the documents that hold them."""

    def __init__(self, sources: Mapping[str, Source], *, parts: Parts, refuse: bool) -> None:
        self.grades: dict[str, dict[str, int]] = {}
        self.moved: list[GoldSpan] = []
        self.lost: list[LostSpan] = []
        self._sources = sources
        self._parts: Parts = parts
        self._refuse = refuse
        # question -> the spans needed together -> for each of them the sets of documents that hold it
        self._needed: dict[str, dict[str, list[_Kernels]]] = {}
        self._cut = 0
        # Paths can be written in many ways: a correct example helps more than saying that this one is wrong.
        self._example = f", whose sources are named like {next(iter(sources))!r}" if sources else ""

    def add(self, span: GoldSpan) -> None:
        """Find one span."""
        source = self._sources.get(span.source)
        place = None if source is None else self._place(span, source)
        if source is None:
            self._lose(span, f"no document of the corpus is of this source{self._example}")
        elif place is None:
            self._lose(span, "the source ends before it does" if span.quote is None else _NOWHERE)
        elif span.grade > 0:
            self._add_relevant(span, source, place)
        else:
            self._add_irrelevant(span, source, place)

    def kernels(self) -> dict[str, _Kernels]:
        """Return the kernels of every question that has one."""
        kernels: dict[str, _Kernels] = {}
        for question, groups in self._needed.items():
            sets = minimal_sets(kernel for members in groups.values() for kernel in _together(members))
            if sets:
                kernels[question] = sets
        return kernels

    def remarks(self) -> list[str]:
        """Return remarks on spans that were cut, moved or lost."""
        sentences: list[str] = []
        if self._cut:
            sentences.append(
                f"{_spans(self._cut)} cut by borders of chunks; parts are graded by the rule {self._parts!r}."
            )
        if self.moved:
            sentences.append(f"{_spans(len(self.moved))} found elsewhere in a changed source, by the quote.")
        reasons: dict[str, list[GoldSpan]] = {}
        for lost in self.lost:
            reasons.setdefault(lost.reason, []).append(lost.span)
        for reason, spans in reasons.items():
            first = f"{spans[0].source}:{spans[0].start}-{spans[0].end} of question {spans[0].question!r}"
            sentences.append(f"{_spans(len(spans))} not in the corpus: {reason} (the first: {first}).")
        return sentences

    def _place(self, span: GoldSpan, source: Source) -> tuple[int, int] | None:
        """Return where the span is now; None where it is nowhere."""
        if span.quote is None:
            return (span.start, span.end) if source.reaches(span.end) else None
        if source.holds(span.quote, span.start, span.end):
            return span.start, span.end
        moved_to = source.find(span.quote, near=span.start)
        if moved_to is not None:
            self.moved.append(span)
        elif self._refuse:
            shown = " ".join(span.quote.split())[:60]
            raise InputError(
                f"question {span.question!r}: {shown!r} stands nowhere in {span.source!r} as this corpus has it; mark "
                "the answer again, or go on without it with changed='report'."
            )
        return moved_to

    def _add_relevant(self, span: GoldSpan, source: Source, place: tuple[int, int]) -> None:
        start, end = place
        # Without a quote it is not known whether a gap between documents is blank: at the ends of a span it counts.
        torn = span.quote is None and not (source.held(start) and source.held(end - 1))
        defined = tuple((document,) for document in source.defined(start, end))
        sets = defined or (() if torn else source.covers(start, end))
        if not sets:
            self._lose(span, "no document, and no documents together, hold all of it")
            return
        if span.answers:
            self._group(span).append(sets)
        whole = dict.fromkeys(kernel[0] for kernel in sets if len(kernel) == 1)
        self._cut += not whole
        helping = {document for kernel in sets for document in kernel}
        # A document that only touches a span which another one holds whole is no part of an answer.
        parts = [s for s in source.overlapping(start, end) if not whole or s.document in helping]
        self._grade(span.question, _part_grades(span.grade, parts, place=place, rule=self._parts))
        self._grade(span.question, dict.fromkeys(whole, span.grade))

    def _add_irrelevant(self, span: GoldSpan, source: Source, place: tuple[int, int]) -> None:
        within = source.within(*place)
        self._grade(span.question, dict.fromkeys(within, span.grade))
        if not within:
            self.lost.append(LostSpan(span, "it is not relevant, and no document lies wholly within it"))

    def _group(self, span: GoldSpan) -> list[_Kernels]:
        groups = self._needed.setdefault(span.question, {})
        return groups.setdefault(f"alone {len(groups)}" if span.kernel is None else f"kernel {span.kernel}", [])

    def _lose(self, span: GoldSpan, reason: str) -> None:
        if span.grade > 0 and span.answers:
            self._group(span).append(())
        self.lost.append(LostSpan(span, reason))

    def _grade(self, question: str, grades: Mapping[str, int]) -> None:
        if grades:
            known = self.grades.setdefault(question, {})
            known.update({document: max(grade, known.get(document, grade)) for document, grade in grades.items()})


def minimal_sets(sets: Iterable[tuple[str, ...]]) -> _Kernels:
    """Return the sets that contain no other set, at most `MOST_COVERS`, in their order."""
    distinct: dict[frozenset[str], tuple[str, ...]] = {}
    for kernel in sets:
        if kernel:
            distinct.setdefault(frozenset(kernel), kernel)
    return tuple(kernel for own, kernel in distinct.items() if not any(other < own for other in distinct))[:MOST_COVERS]


def _together(members: list[_Kernels]) -> list[tuple[str, ...]]:
    """Return the sets that hold all spans of a group; none where one of them is lost."""
    return [
        tuple(dict.fromkeys(document for kernel in choice for document in kernel))
        for choice in islice(product(*members), _MOST_CHOICES)
    ]


def _part_grades(grade: int, parts: Iterable[Stretch], *, place: tuple[int, int], rule: Parts) -> dict[str, int]:
    held: dict[str, int] = {}
    for part in parts:
        held[part.document] = held.get(part.document, 0) + min(part.end, place[1]) - max(part.start, place[0])
    if rule != "share":
        return dict.fromkeys(held, grade if rule == "same" else 1)
    return {document: max(1, ceil(grade * count / (place[1] - place[0]))) for document, count in held.items()}


def _spans(count: int) -> str:
    return "1 span is" if count == 1 else f"{count} spans are"


def read_gold_spans(path: Path | str) -> list[GoldSpan]:
    """Read gold spans; the first bad line raises `FileFormatError`."""
    checked = check_file(path)
    diagnostics = Diagnostics(checked)
    spans: dict[tuple[object, ...], GoldSpan] = {}
    for number, record in read_objects(checked, diagnostics):
        try:
            span = _span(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
            continue
        key = (span.question, span.source, span.start, span.end, span.kernel)
        if key in spans:
            problem = f"the same span of {span.source!r} is given twice for query {span.question!r}."
            diagnostics.report(problem, line=number, hint="Keep one of them.")
        spans.setdefault(key, span)
    return list(spans.values())


def write_gold_spans(path: Path | str, spans: Iterable[GoldSpan]) -> str:
    """Write gold spans, one per line; returns the sha256 of the file."""
    return write_hashed(path, (json_line(_record(span), where=str(path)) for span in spans))


def _record(span: GoldSpan) -> dict[str, object]:
    record: dict[str, object] = {"query_id": span.question, "source": span.source}
    record |= {"start": span.start, "end": span.end, "grade": span.grade}
    extra = {"quote": span.quote, "kernel": span.kernel, "answers": None if span.answers else False}
    return record | {name: value for name, value in extra.items() if value is not None}


def _span(record: JsonObject) -> GoldSpan:
    start, end = _number(record, "start"), _number(record, "end")
    if end <= start:
        raise BadRecordError(f"the span from {start} to {end} holds nothing; expected start < end.")
    quote = record.get("quote")
    if quote is not None and not (isinstance(quote, str) and quote.strip()):
        raise BadRecordError(f"key 'quote' is {'empty' if isinstance(quote, str) else json_kind(quote)}.")
    kernel = None if record.get("kernel") is None else _number(record, "kernel")
    answers = record.get("answers", True)
    if not isinstance(answers, bool):
        raise BadRecordError(f"key 'answers' is {json_kind(answers)}, expected true or false.")
    return GoldSpan(get_id(record, "query"), _source(record), start, end, _grade(record), quote, kernel, answers)


def _source(record: JsonObject) -> str:
    source = record.get("source")
    if not isinstance(source, str) or not source:
        raise BadRecordError("key 'source' is missing or not text, expected the path or id of a source.")
    return source


def _grade(record: JsonObject) -> int:
    try:
        return parse_grade(record.get("grade", 1))
    except BadValueError as error:
        raise BadRecordError(f"{error} (key 'grade').") from error


def _number(record: JsonObject, key: str) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        shown = "missing" if key not in record else "not a whole number of characters"
        raise BadRecordError(f"key {key!r} is {shown}.")
    return value
