"""Labels beside a trace: gains by document, or by question and document.

By question and document: TREC qrels and every other file of judgments. By document: a table without a query column, or
judgments whose only query is `*`. A question is the turn's question id, else the conversation's id; it is judged if it
has at least one label. Labels by document judge no question. A result is looked up by its id and, where that has no
label, by its URL: in the normal form in which duplicates are compared, so that a tracking parameter hides no label; of
several documents with one normal form the first counts. Gains are 0 to 4. Negative grades (TREC's -1 and -2: spam,
broken pages) become 0 and are counted; anything above 4 is on another scale and refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from goldproof.core.errors import InputError
from goldproof.core.tables import JudgmentTable
from goldproof.core.traces import UNLABELLED
from goldproof.dedup import DEFAULT_RULES
from goldproof.dedup.urls import normal_urls
from goldproof.io.complaints import Complaints
from goldproof.io.label_rows import ANY_QUESTION, checked, frame_labels, read_label_rows
from goldproof.io.values import BadValueError, parse_grade

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import BoolArray
    from goldproof.core.traces import TraceTable


class Known(NamedTuple):
    """What labels know of each result: the document by its name there (null where it has none), and its gain."""

    documents: pl.Series
    gains: npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Labels:
    """Gains of documents. frame: (question, document, gain), or (document, gain) where no question is told apart.

    negative: how many labels were below 0. remarks: what was passed over in their file.
    """

    frame: pl.DataFrame
    negative: int = 0
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.frame.height

    @property
    def per_question(self) -> bool:
        """Whether gains are told for each question, rather than once for all."""
        return "question" in self.frame.columns

    def look_up(self, table: TraceTable) -> Known:
        """Find each result of a trace by its id, else by its URL."""
        wanted = self._questions(table)
        nothing = _nothing(pl.String, len(table.results))
        documents, gains = nothing, _nothing(pl.Int8, len(table.results))
        columns = table.results.columns
        if "id" in columns.columns:
            ids = columns["id"].cast(pl.String).alias("document")
            keys = ids.to_frame().hstack(wanted)
            gains = keys.join(self.frame, on=keys.columns, how="left", maintain_order="left")["gain"]
            documents = ids.zip_with(gains.is_not_null(), nothing)
        if "url" in columns.columns and gains.null_count():
            missing = columns["url"].zip_with(gains.is_null(), nothing)
            keys = _normal(missing).alias("url").to_frame().hstack(wanted)
            found = keys.join(self._by_url, on=keys.columns, how="left", maintain_order="left")
            documents = documents.zip_with(found["gain"].is_null(), found["document"])
            gains = gains.zip_with(found["gain"].is_null(), found["gain"])
        return Known(documents, gains.fill_null(UNLABELLED).to_numpy())

    @cached_property
    def _by_url(self) -> pl.DataFrame:
        """The labels by the normal form of the document's name, as if it were a URL."""
        named = self.frame.with_columns(_normal(self.frame["document"]).alias("url")).drop_nulls("url")
        return named.unique(
            [name for name in named.columns if name in ("question", "url")], keep="first", maintain_order=True
        )

    def judges(self, table: TraceTable) -> BoolArray:
        """Return which conversations of a trace ask a question that has a label, whatever they found."""
        if not self.per_question:
            return np.zeros(len(table.questions), dtype=np.bool_)
        judged: BoolArray = table.questions.is_in(self._judged).to_numpy()
        return judged

    def of_questions(self, table: TraceTable) -> pl.DataFrame:
        """Return the labels by question whose question a trace asks."""
        return self.frame.filter(self.frame["question"].is_in(table.questions.unique()))

    @cached_property
    def _judged(self) -> pl.Series:
        return self.frame["question"].unique()

    def gains_for(self, table: TraceTable) -> npt.NDArray[np.int8]:
        """Return the gain of each result of a trace, UNLABELLED where none is known."""
        return self.look_up(table).gains

    def _questions(self, table: TraceTable) -> list[pl.Series]:
        """Return what else than the document a label goes by: the question of each result, or nothing."""
        if not self.per_question:
            return []
        codes = np.repeat(np.arange(len(table.questions)), np.diff(table.results_by_conversation))
        return [table.questions.gather(codes).alias("question")]


def read_labels(path: Path | str) -> Labels:
    """Read labels from a file of judgments of any known format, a BEIR folder, or a table of documents and grades."""
    path = Path(path)
    complaints = Complaints(path).of_part(path)  # so that remarks name the file
    return replace(_labels(read_label_rows(path, complaints), path), remarks=complaints.remarks)


def labels_from_object(labels: object, *, what: str = "labels") -> Labels:
    """Take labels from Python: {document: gain}, {question: {document: gain}}, a frame, judgments, or a path.

    what: how messages call them.
    """
    if isinstance(labels, Labels):
        return labels
    if isinstance(labels, str | PathLike):
        return read_labels(Path(labels))
    complaints = Complaints(Path(what))
    if isinstance(labels, JudgmentTable):
        return _labels(checked(labels, complaints), what)
    if isinstance(labels, Mapping):
        return _labels(checked(_mapping_labels(labels, what), complaints), what)
    if isinstance(labels, pl.LazyFrame) or hasattr(labels, "columns"):
        return _labels(frame_labels(labels, complaints), what)
    raise InputError(
        f"{what}: found a {type(labels).__name__}, expected {{document: gain}}, {{question: {{document: gain}}}}, a "
        "frame with the columns question_id, doc_id and gain, or a path."
    )


def _mapping_labels(labels: Mapping[Any, Any], what: str) -> JudgmentTable:
    nested = [isinstance(value, Mapping) for value in labels.values()]
    if any(nested) and not all(nested):
        either = "{document: gain} or {question: {document: gain}}"
        raise InputError(f"{what}: mix gains and mappings, expected {either}.")
    by_question = labels if any(nested) else {ANY_QUESTION: labels} if labels else {}
    return JudgmentTable.from_dict(
        {
            str(question): {str(document): _gain(document, gain, what) for document, gain in documents.items()}
            for question, documents in by_question.items()
        }
    )


def _gain(document: object, gain: object, what: str) -> int:
    if isinstance(gain, np.generic):
        gain = gain.item()
    try:
        return parse_grade(gain)
    except BadValueError as error:
        raise InputError(f"{what}: document {str(document)!r}: {error}.") from error


def _labels(table: JudgmentTable, where: Path | str) -> Labels:
    """Return the labels in judgments, after looking at what their questions are."""
    named = (table.questions != ANY_QUESTION).to_numpy()
    if named.any() and not named.all():
        raise InputError(
            f"{where}: has labels for any question ({ANY_QUESTION}) and labels for one question each, expected one or "
            f"the other; the first of the others is for {table.questions.filter(pl.Series(named))[0]!r}."
        )
    codes = np.repeat(np.arange(len(table.questions)), np.diff(table.starts))
    questions = [table.questions.gather(codes).alias("question")] if named.any() else []
    gains = pl.Series("gain", np.maximum(table.grades, 0).astype(np.int8))
    documents = table.documents.str.strip_chars().alias("document")
    frame = pl.DataFrame([*questions, documents, gains])
    if not documents.equals(table.documents):
        _check_distinct(frame.drop("gain"), where)
    return Labels(frame, int((table.grades < 0).sum()))


def _check_distinct(keys: pl.DataFrame, where: Path | str) -> None:
    """Refuse documents that only blanks told apart."""
    twice = keys.is_duplicated()
    if twice.any():
        name = keys.filter(twice)["document"][0]
        raise InputError(f"{where}: document {name!r} is there twice, with blanks around it and without.")


def _normal(urls: pl.Series) -> pl.Series:
    """Return URLs in normal form, null where there is none."""
    place, params = normal_urls(urls, harmless=DEFAULT_RULES.harmless_parameters)
    return (
        pl.DataFrame({"place": place, "params": params.fill_null("")})
        .select(pl.concat_str("place", "params", separator="?"))
        .to_series()
    )


def _nothing(dtype: type[pl.DataType], length: int) -> pl.Series:
    return pl.Series("document", [None], dtype=dtype).new_from_index(0, length)
