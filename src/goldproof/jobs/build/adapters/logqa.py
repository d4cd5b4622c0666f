"""LogQA: questions about single log messages of HDFS, OpenSSH and Spark.

A record is `{Question, Answer, RawLog}`, in JSON lines; the keys are taken in any case and with or without underscores.
RawLog is a string or a list of lines. The document is the log message, known by its content, since the dataset has no
ids: the same message in several questions is one document. The evidence is the first occurrence of the answer in it,
word for word, if there is one; a match inside a longer word ("1" in "123") is no evidence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    RecordPlace,
    content_id,
    passage_id,
    without_options,
)
from goldproof.jobs.build.records import Dropped, Evidence, Example
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

INFO = AdapterInfo(
    name="logqa",
    title="LogQA",
    doc_type="log_ticket",
    licence="not stated",
    citation="Huang et al. (2023). LogQA: Question Answering in Unstructured Logs. arXiv:2303.11715.",
    homepage="https://github.com/LogQA-dataset/LogQA",
    needs=(
        frozenset({"Question", "Answer", "RawLog"}),
        frozenset({"question", "answer", "rawlog"}),
        frozenset({"question", "answer", "raw_log"}),
    ),
)
_SYSTEMS = frozenset({"HDFS", "OpenSSH", "Spark"})


def adapt(record: JsonObject, place: RecordPlace) -> Iterator[Example | Dropped]:
    """Yield the record's question with its log message, or why it cannot be used."""
    fields = {key.replace("_", "").casefold(): value for key, value in record.items()}
    question, answer, log = _text(fields.get("question")), _text(fields.get("answer")), _log(fields.get("rawlog"))
    missing = next(
        (name for name, value in (("question", question), ("answer", answer), ("log", log)) if not value), ""
    )
    if missing:
        yield Dropped(f"no {missing}")
        return
    document = passage_id(INFO.name, title="", text=log)
    span = _whole_words(answer, log)
    yield Example(
        original_id=content_id(question, answer, log),
        question=question,
        answer=answer,
        documents=(Document(document, log),),
        gold=(document,),
        evidence=() if span is None else (Evidence(document, *span),),
        metadata={
            "system": place.path.parent.name if place.path.parent.name in _SYSTEMS else "",
            "log_lines": log.count("\n") + 1,
            "answer_in_log": span is not None,
        },
    )


def _text(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def _log(value: object) -> str:
    lines = [line for line in value if isinstance(line, str)] if isinstance(value, list) else [value]
    text = "\n".join(line.rstrip("\r\n") for line in lines if isinstance(line, str))
    return text.replace("\r\n", "\n").replace("\r", "\n") if text.strip() else ""


def _whole_words(answer: str, log: str) -> tuple[int, int] | None:
    before = r"(?<!\w)" if answer[0].isalnum() else ""
    after = r"(?!\w)" if answer[-1].isalnum() else ""
    match = re.search(f"{before}{re.escape(answer)}{after}", log) or re.search(
        f"{before}{re.escape(answer)}{after}", log, re.IGNORECASE
    )
    return match.span() if match else None


ADAPTER = Adapter(INFO, without_options(adapt))
