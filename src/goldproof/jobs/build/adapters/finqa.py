"""FinQA in its original JSON: a page of a report, one question about it, and the program that computes the answer.

The document is the page: `pre_text`, the table with its first row as headings, `post_text`. Evidence are the sentences
and table rows that `gold_inds` names; a record that names one which does not exist is dropped.
The answer is `exe_ans`, what the program computes; `answer`, as the annotator wrote it, where there is none. It is
computed if the program has an operation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo, JsonObject, Place, without_options
from goldproof.jobs.build.adapters.financial_answers import Answer, settle
from goldproof.jobs.build.adapters.financial_page import known, page_name, table_shape
from goldproof.jobs.build.adapters.finqa_page import find_evidence, read_page
from goldproof.jobs.build.adapters.ids import content_id
from goldproof.jobs.build.adapters.record_fields import parsed, record_id, text_of
from goldproof.jobs.build.example import Dropped, Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.text.tables import TextTable

INFO = AdapterInfo(
    name="finqa",
    title="FinQA",
    doc_type="table",
    licence="MIT",
    citation="Chen et al. (2021). FinQA: A Dataset of Numerical Reasoning over Financial Data. EMNLP.",
    homepage="https://github.com/czyssrs/FinQA",
    needs=(frozenset({"pre_text", "post_text", "table", "qa"}),),
)
_OPERATION = re.compile(r"(?<![a-z_])[a-z_]+\s*\(")


def adapt(record: JsonObject, _place: Place) -> Iterator[Example | Dropped]:
    """Yield the one example of a record, or why there is none."""
    own_id = record_id(record)
    qa = parsed(record.get("qa"))
    page = read_page(record)
    question = text_of(qa.get("question")) if isinstance(qa, dict) else ""
    if not isinstance(qa, dict) or not question:
        yield Dropped("no question", original_id=own_id)
        return
    answer = settle(qa.get("exe_ans"), qa.get("answer"))
    if isinstance(page, Dropped) or not answer.text:
        yield Dropped(page.reason if isinstance(page, Dropped) else "no answer", original_id=own_id)
        return
    evidence = find_evidence(qa.get("gold_inds"), page)
    if isinstance(evidence, Dropped):
        yield Dropped(evidence.reason, evidence.detail, own_id)
        return
    program = text_of(qa.get("program"))
    yield Example(
        original_id=own_id or content_id(question, answer.text, page.document.id),
        question=question,
        answer=answer.text,
        documents=(page.document,),
        gold=(page.document.id,),
        evidence=evidence,
        aliases=answer.aliases,
        computation=bool(_OPERATION.search(program)) if program else None,
        metadata=_metadata(record, page.table, answer=answer, program=program),
    )


def _metadata(record: JsonObject, table: TextTable, *, answer: Answer, program: str) -> Mapping[str, object]:
    name = page_name(record.get("filename"))
    fields: dict[str, object] = {
        "file_name": text_of(record.get("filename")),
        "company_symbol": name.symbol if name else None,
        "report_year": name.year if name else None,
        "page_number": name.number if name else None,
        "program": program,
        "n_operations": len(_OPERATION.findall(program)) if program else None,
    }
    return known(fields) | table_shape([table]) | answer.metadata


ADAPTER = Adapter(info=INFO, open=without_options(adapt))
